"""The first minute at a demo: scene after scene, somebody at the page sees how plays are judged, and then takes part."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final

from controller.demo.floor import Manner
from controller.demo.hands import PageHands
from controller.demo.simulated import SimulatedTable
from controller.devices import Button
from controller.messages.catalogue import catalogue
from controller.messages.table_words import Names, capital, side_words
from controller.record.journal.journal import Json
from controller.referee import Phase, Table
from controller.referee.table.games import refusal
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.simulation.boards.arranging import colour_of
from controller.simulation.players.cheating import Wrong
from controller.simulation.players.temperament import Temperament
from controller.simulation.tabletop.gestures import MoveAway, TurnCube
from controller.web.table_service import DemoShown, Reply, RoomView

PLAIN: Final = Temperament(
    "plain",
    speed=900.0,
    think_s=0.3,
    doubles=0.0,
    resigns=0.0,
    wrongs=(Wrong.MOVES_WRONG_DISTANCE, Wrong.JUMPS_BLOCK),
)
"""Plays so that everybody can follow, and cheats in a way that one look shows."""
CHEATS_AT: Final = 1
"""The turn of the illegal play, counted from 0: one legal play comes before it."""


class Scene(StrEnum):
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


HANDS: Final = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})
"""When whoever has the hands rolls, or moves checkers."""


def next_scene(scene: Scene, known: Table, visitor: Side | None) -> Scene:
    """The scene that follows from what the referee knows."""
    phase, flagged = known.phase, known.flagged
    match scene:
        case Scene.WATCH if phase is Phase.PUT_RIGHT:
            return Scene.PUT_RIGHT
        case Scene.PUT_RIGHT if phase is not Phase.PUT_RIGHT:
            return Scene.GO_ON
        case Scene.GO_ON if phase is Phase.CUBE_OFFERED:
            return Scene.ANSWER
        case Scene.ANSWER if phase is not Phase.CUBE_OFFERED:
            return Scene.CHEAT
        case Scene.CHEAT if phase is Phase.PUT_RIGHT and flagged is not None and flagged.side is visitor:
            return Scene.CAUGHT
        case Scene.CAUGHT if phase is not Phase.PUT_RIGHT:
            return Scene.FREE
    return scene


class Stage:
    """Directs the first minute; a `Demo`. `attend` is for the people's thread, the rest for any.

    Attributes:
        scene: how far it has come.
        visitor: the side that somebody at the page plays; None until an illegal play shows who does not.
    """

    def __init__(self, table: SimulatedTable, names: Names, cheats: float) -> None:
        """The players sit down. ``cheats``: illegal plays in a turn, on average, once the visitor plays on."""
        self.scene = Scene.WATCH
        self.visitor: Side | None = None
        self._table, self._names, self._cheats = table, names, cheats
        self._hands = PageHands(table)
        self._asked: object = None
        self._told = self._hands.shown(), ""
        self._shown = DemoShown(lambda language: self._text(language, Scene.WATCH, {}))
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
        self._hands.side = self._moved_by_page(known)
        return self._show(known)

    def _begin(self, known: Table) -> None:
        """A scene begins: who moves by themselves in it."""
        floor = self._table.floor
        if self.scene is Scene.PUT_RIGHT and known.flagged is not None:
            self.visitor = known.flagged.side.opponent
            floor.first_cheat = None
            floor.manners[self.visitor.opponent] = Manner.STILL
        if self.scene is Scene.GO_ON and self.visitor is not None:
            floor.manners[self.visitor.opponent] = Manner.PLAYS
        if self.scene is Scene.ANSWER and self.visitor is not None:
            floor.manners[self.visitor] = Manner.STILL
        if self.scene is Scene.CHEAT and self.visitor is not None:
            floor.manners[self.visitor.opponent] = Manner.PLAYS
            self._turn_cube(known, self.visitor)
        if self.scene is Scene.FREE:
            floor.cheats = self._cheats

    def _act(self, known: Table) -> None:
        """Somebody is on turn: what they do that they would not do by themselves."""
        visitor = self.visitor
        if visitor is None or known.phase is not Phase.TO_ROLL:
            return
        if self.scene is Scene.GO_ON and known.on_turn is visitor.opponent and _may_double(known):
            self._table.floor.manners[visitor.opponent] = Manner.STILL
            self._table.press(visitor.opponent, Button.DOUBLE)

    def _turn_cube(self, known: Table, side: Side) -> None:
        """The cube is laid as it was taken by words."""
        cube = known.match.game.cube
        if cube.owner is side:
            self._table.do(side, [TurnCube(cube.value, colour_of(side)), MoveAway()])

    def _moved_by_page(self, known: Table) -> Side | None:
        """Whose hands do what people at the page do."""
        if self.scene in (Scene.PUT_RIGHT, Scene.CAUGHT) and known.flagged is not None:
            return known.flagged.side
        theirs = self.scene in (Scene.CHEAT, Scene.FREE) and known.on_turn is self.visitor
        return self.visitor if theirs and known.phase in HANDS else None

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
        if self.scene is Scene.CHEAT and self._hands.side is None:
            return "your_turn_soon"
        if self.scene is Scene.CHEAT and known.phase is Phase.TO_ROLL:
            return "your_roll"
        return str(self.scene)

    def _text(self, language: str, name: str, sides: Mapping[str, Side]) -> str:
        whole = {"light": Side.LIGHT, "dark": Side.DARK, **sides}
        named = {key: capital(side_words(side, language, self._names)) for key, side in whole.items()}
        return catalogue(language).text("demo", name, **named)


def _may_double(known: Table) -> bool:
    side = known.on_turn
    return side is not None and refusal(known.match, ruled.Doubled(side)) is None
