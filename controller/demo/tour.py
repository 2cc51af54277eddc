"""The first minute at a demo, scene by scene: somebody at the page sees how plays are judged, then takes part."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from controller.demo.floor import Manner
from controller.demo.hands import PageHands
from controller.demo.show import PLIES_PER_GAME
from controller.demo.simulated import SimulatedTable
from controller.devices import Button
from controller.messages.catalogue import catalogue
from controller.messages.table_words import Names, capital, side_words
from controller.record.journal.journal import Json
from controller.referee import Phase, Table
from controller.referee.table.games import refusal
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.simulation.players.cheating import Wrong
from controller.simulation.players.temperament import Temperament
from controller.web.table_service import DemoShown, Reply, RoomView

PLAIN: Final = Temperament(
    "plain",
    speed=900.0,
    think_s=0.3,
    doubles=0.0,
    resigns=0.0,
    wrongs=(Wrong.MOVES_WRONG_DISTANCE,),
)
"""Plays so that everybody can follow, and cheats in a way that one look shows."""
LATEST_DOUBLE: Final = 6
"""The turn, counted from 0, up to which a double is waited for."""
CHEATS_AT: Final = 1
"""The turn of the illegal play, counted from 0: one legal play comes before it."""


STILL, PLAYS = Manner.STILL, Manner.PLAYS


class TourScene(StrEnum):
    """How far the first minute has come."""

    WATCH = "watch"
    """Two simulated players play; the second one is about to play illegally."""
    PUT_RIGHT = "put_right"
    """An illegal play lies on the board, and somebody at the page puts it right."""
    GO_ON = "go_on"
    """The players play on until the one who played illegally may double."""
    ANSWER = "answer"
    """Somebody at the page answers a double."""
    CHEAT = "cheat"
    """Somebody at the page plays, and is invited to cheat."""
    CAUGHT = "caught"
    """They have been caught."""
    FREE = "free"
    """They play on as they like."""


def next_scene(scene: TourScene, known: Table, visitor: Side | None) -> TourScene:
    """The scene that follows from what the referee knows."""
    phase, flagged = known.phase, known.flagged
    match scene:
        case TourScene.WATCH if phase is Phase.PUT_RIGHT:
            return TourScene.PUT_RIGHT
        case TourScene.PUT_RIGHT if phase is not Phase.PUT_RIGHT:
            return TourScene.GO_ON
        case TourScene.GO_ON if phase is Phase.CUBE_OFFERED:
            return TourScene.ANSWER
        case TourScene.GO_ON if (
            phase is Phase.TO_ROLL and known.on_turn is visitor and known.ply > LATEST_DOUBLE
        ):
            # Whatever has kept the double from being offered.
            return TourScene.CHEAT
        case TourScene.ANSWER if phase is not Phase.CUBE_OFFERED:
            return TourScene.CHEAT
        case TourScene.CHEAT if phase is Phase.PUT_RIGHT and flagged is not None and flagged.side is visitor:
            return TourScene.CAUGHT
        case TourScene.CAUGHT if phase is not Phase.PUT_RIGHT:
            return TourScene.FREE
    return scene


class Tour:
    """Directs the first minute; a `Demo`. `attend` is for the people's thread, the rest for any.

    Attributes:
        scene: how far it has come.
        visitor: the side that somebody at the page plays; None until an illegal play shows who does not.
    """

    def __init__(self, table: SimulatedTable, names: Names, cheats: float) -> None:
        """The players sit down. ``cheats``: illegal plays in a game, on average, once the visitor plays on."""
        self.scene = TourScene.WATCH
        self.visitor: Side | None = None
        self._table, self._names, self._cheats = table, names, cheats / PLIES_PER_GAME
        self._hands = PageHands(table)
        self._asked: object = None
        self._told = self._hands.shown(), ""
        self._shown = DemoShown(lambda language: self._text(language, TourScene.WATCH, {}))
        table.floor.first_cheat = CHEATS_AT

    def shown(self) -> DemoShown:
        """See `Demo`."""
        return self._shown

    def move_hands(self, saying: Mapping[str, Json]) -> Reply:
        """See `Demo`."""
        return self._hands.do(saying)

    def attend(self, view: RoomView) -> bool:
        """Have people do what the scene asks for; whether something else is shown now."""
        known = view.referee
        if known is None:
            return False
        before, self.scene = self.scene, next_scene(self.scene, known, self.visitor)
        if self.scene is not before:
            self._begin(known)
        asked = (known.match.number, known.ply, known.phase, known.on_turn)
        if asked != self._asked:
            self._asked = asked
            self._act(known)
        self._hands.side = self._table.floor.leaves(known)
        return self._show(known)

    def _begin(self, known: Table) -> None:
        """A scene begins: who moves by themselves in it."""
        floor = self._table.floor
        if self.scene is TourScene.PUT_RIGHT and known.flagged is not None:
            self.visitor, floor.first_cheat = known.flagged.side.opponent, None
        if self.visitor is None:
            return
        other = self.visitor.opponent
        floor.manners[other] = STILL if self.scene in (TourScene.PUT_RIGHT, TourScene.ANSWER) else PLAYS
        if self.scene in (TourScene.ANSWER, TourScene.CAUGHT):
            floor.manners[self.visitor] = STILL
        elif self.scene in (TourScene.CHEAT, TourScene.FREE):
            floor.manners[self.visitor] = Manner.FOLLOWS
            self._table.ledger.people.add(self.visitor)
        if self.scene is TourScene.FREE:
            floor.cheats = self._cheats

    def _act(self, known: Table) -> None:
        """The player who played illegally doubles, which they would not do by themselves."""
        other = self.visitor and self.visitor.opponent
        if (
            self.scene is TourScene.GO_ON
            and other is not None
            and known.on_turn is other
            and may_double(known)
        ):
            self._table.floor.manners[other] = STILL
            self._table.press(other, Button.DOUBLE)

    def _show(self, known: Table) -> bool:
        name, hands = self._entry(known), self._hands.shown()
        sides = dict[str, Side]()
        if self.visitor is not None:
            sides = {"visitor": self.visitor, "other": self.visitor.opponent}
        if (told := (hands, name)) == self._told:
            return False
        self._told = told
        self._shown = DemoShown(lambda language: self._text(language, name, sides), hands)
        return True

    def _entry(self, known: Table) -> str:
        """What is told of a scene, by its name in the catalogues."""
        if self.scene is TourScene.CHEAT and self._hands.side is None:
            return "your_turn_soon"
        if self.scene is TourScene.CHEAT and known.phase in (Phase.TO_ROLL, Phase.TURN_ENDED):
            return "your_roll" if known.phase is Phase.TO_ROLL else "unsure"
        return str(self.scene)

    def _text(self, language: str, name: str, sides: Mapping[str, Side]) -> str:
        whole = {"light": Side.LIGHT, "dark": Side.DARK, **sides}
        named = {key: capital(side_words(side, language, self._names)) for key, side in whole.items()}
        return catalogue(language).text("demo", name, **named)


def may_double(known: Table) -> bool:
    """Whether whoever is to roll may double."""
    side = known.on_turn
    return (
        known.phase is Phase.TO_ROLL
        and side is not None
        and refusal(known.match, ruled.Doubled(side)) is None
    )
