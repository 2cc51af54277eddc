"""Hands at a simulated table that people at its pages move."""

from collections.abc import Mapping
from typing import Final

from controller.demo.simulated import SimulatedTable
from controller.devices import Button
from controller.messages.device_words import program_words
from controller.record.journal.journal import Json
from controller.referee.belief.steps import count, held, shift_checker
from controller.rules import MovementRules, Position, Side
from controller.rules.moves.movement import STANDARD, Contact
from controller.rules.notation import BAR, OFF
from controller.rules.position import PositionError, side_point
from controller.simulation.boards.arranging import colour_of
from controller.simulation.players.carrying import place_of
from controller.simulation.players.player import CLOCKS, Deed, PressButton, Wait
from controller.simulation.tabletop.gestures import MoveAway, Pick, Put
from controller.web.table_service import DemoShown, HandsShown, Reply, RoomView

REACH_S: Final = 0.4
"""From the page to the button: the dice are ready a moment after the page shows that a roll is due."""
AWAY_S: Final = 0.2
"""How long a hand stays away after a checker, so that the camera sees it."""


class PageHands:
    """Carries checkers as pages say, one after the other; for any thread.

    Attributes:
        side: whose hands do it; None while no page moves any.
        rules: those of the game that is played.
    """

    def __init__(self, table: SimulatedTable) -> None:
        """``table`` is where the hands are."""
        self._table = table
        self.side: Side | None = None
        self.rules = STANDARD
        self._planned: Position | None = None

    def shown(self) -> HandsShown | None:
        """The hands as pages show them."""
        if self.side is None:
            return None
        if self._planned is None or self._table.at_rest:
            self._planned = self._table.table.checkers.position()
        return HandsShown(self._planned, self.side)

    def do(self, saying: Mapping[str, Json]) -> Reply:
        """Carry a checker, or press a button, after what the hands are doing."""
        shown = self.shown()
        if shown is None:
            return Reply(False, program_words("no_hands"))
        if "button" in saying:
            button = Button.ROLL if saying["button"] == "roll" else CLOCKS[shown.side]
            self._table.do(shown.side, [Wait(REACH_S), PressButton(button)])
            return Reply(True)
        side = Side(str(saying["side"]))
        return self._carry(shown, side, int(str(saying["from"])), int(str(saying["to"])))

    def _carry(self, shown: HandsShown, side: Side, source: int, target: int) -> Reply:
        direction = self.rules.direction
        hit = (
            target not in (BAR, OFF)
            and self.rules.contact is Contact.HIT
            and shown.position.checkers(side.opponent, side_point(target, side, direction)) == 1
        )
        try:
            planned = carried(shown.position, side, source, target, self.rules)
        except PositionError:
            return Reply(False, program_words("no_room"))
        start, end = place_of(source, side, direction), place_of(target, side, direction)
        deeds: list[Deed] = []
        if hit:
            deeds += [Pick(end, colour_of(side.opponent)), Put("bar")]
        deeds += [Pick(start, colour_of(side)), Put(end), MoveAway(AWAY_S)]
        self._table.do(shown.side, deeds)
        self._planned, self._table.floor.moved_by_page = planned, True
        return Reply(True)


class HandsLent:
    """Lends people at the pages the hands of whoever does not play by themselves; a `Demo`."""

    def __init__(self, table: SimulatedTable) -> None:
        """Nobody has the hands yet."""
        self._table, self._hands, self._shown = table, PageHands(table), DemoShown()

    def shown(self) -> DemoShown:
        """See `Demo`."""
        return self._shown

    def move_hands(self, saying: Mapping[str, Json]) -> Reply:
        """See `Demo`."""
        return self._hands.do(saying)

    def attend(self, view: RoomView) -> bool:
        """Lend them as it is needed now; whether something else is shown then. For the people's thread."""
        known, before = view.referee, self._shown
        self._hands.side = None if known is None else self._table.floor.leaves(known)
        if known is not None:
            self._hands.rules = known.match.game.profile.movement
        self._shown = DemoShown(hands=self._hands.shown())
        return self._shown != before


def carried(
    position: Position, side: Side, source: int, target: int, rules: MovementRules = STANDARD
) -> Position:
    """The position once a checker was carried between two places of its side; a blot where it lands is hit or pinned.

    Raises:
        PositionError: if there is no checker to carry, or the other side holds the point.
    """
    there = position.bar(side) if source == BAR else source != OFF and held(position, side, rules)[source]
    if not there:
        raise PositionError(f"No checker lies on {source}.")
    if target not in (BAR, OFF) and count(position, side, target, rules) < -1:
        raise PositionError(f"The other side holds {target}.")
    return shift_checker(position, side, source, target, rules)
