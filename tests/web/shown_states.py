"""Every state that a page of a table can be in, as the referee really tells it, in any language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.referee import Message, Phase, Settings
from controller.referee.actions import Candidate, TurnAsked, Unsure
from controller.referee.belief.steps import shift_checker
from controller.referee.events import BestPlayFound, PlayAnnounced
from controller.referee.table.settings import MOST_HINT
from controller.rules import Position, Side, load_profile
from controller.web.audience import Audience
from controller.web.outlet import Outlet
from controller.web.table_service import ClockShown, DeviceShown, Role, RoomState, RoomView
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG
from tests.web.served_table import TableHouse

NAMES: Final = {Side.LIGHT: "Anna Kovács-Szentgyörgyi", Side.DARK: "Konstantin Papadimitriou"}
"""Long ones: who is called so wants to find the own clock, too."""
OTHER: Final = Position.from_compact("b....E.C...eE...c.e...AA..")
LIKELY: Final = (
    Candidate("8/5 6/5", True, GOOD, 0.61),
    Candidate("24/23 13/10", True, OTHER, 0.2),
    Candidate("bar/24 13/10*", True, WRONG, 0.1),
    Candidate("24/23", None, WRONG, 0.05),
)
NOW_MS: Final = 1_795_308_294_123


@dataclass
class Staged:
    """A table in a state, and its outlet, which hears what it tells."""

    house: TableHouse
    outlet: Outlet


def staged(house: TableHouse) -> Staged:
    """A table that pages are fed from without a server."""
    outlet = Outlet(house, lambda: NOW_MS)
    house.subscribe(outlet._accept)  # In this thread: there is no loop.
    return Staged(house, outlet)


def _of(phase: Phase) -> Callable[[], Staged]:
    def make() -> Staged:
        evening = SCENES[phase]()
        devices = tuple(DeviceShown(name, True, lambda _: "") for name in ("camera", "dice", "lights"))
        clock = ClockShown({Side.LIGHT: 582.4, Side.DARK: 1265.0}, 8.0, evening.table.on_turn, evening.t)
        return staged(TableHouse(evening, names=dict(NAMES), devices=devices, clock=clock))

    return make


def _unsure(answers: tuple[Candidate, ...]) -> Callable[[], Staged]:
    def make() -> Staged:
        shown = _of(Phase.MOVING)()
        evening = shown.house.evening
        evening.table = replace(evening.table, phase=Phase.TURN_ENDED, warned=(Message.LOOK, (6, 8)))
        asked = TurnAsked(evening.t, evening.table.ply, (6, 8), answers)
        shown.house.say(actions=(asked,))
        return shown

    return make


def _played() -> Staged:
    """A play has just been judged: its verdict stands on the page."""
    shown = _of(Phase.MOVING)()
    shown.house.play(lambda evening: (evening.move(GOOD), evening.done()))
    return shown


def _illegal() -> Staged:
    shown = _of(Phase.MOVING)()
    shown.house.play(lambda evening: (evening.move(WRONG), evening.done()))
    return shown


def _illegal_five() -> Staged:
    """Five checkers of a double were moved: five are to be put back."""
    shown = _played()
    five = GOOD
    for source in (24, 24, 13, 13, 6):
        five = shift_checker(five, Side.DARK, source, source - 2)
    shown.house.play(lambda evening: (evening.roll(2, 2), evening.move(five), evening.done()))
    assert shown.house.evening.table.flagged is not None
    return shown


class HouseWithoutMatch(TableHouse):
    """A table at which nobody plays yet."""

    def view(self) -> RoomView:
        return replace(super().view(), referee=None, match=None, clock=None)


def _without_match(state: RoomState) -> Callable[[], Staged]:
    return lambda: staged(HouseWithoutMatch(SCENES[Phase.SET_UP](), state=state))


def _lesson(engine: bool) -> Callable[[], Staged]:
    """Learners are shown the best plays; or a person carries out an engine's play otherwise than it was announced."""

    def make() -> Staged:
        evening = Evening(Settings(match_terms(load_profile("teaching")), hint=MOST_HINT))
        evening.start()
        evening.look()
        others = tuple(evening.legal(number) for number in (3, 7))
        clock = ClockShown({Side.LIGHT: 582.4, Side.DARK: 1265.0}, 8.0, evening.table.on_turn, evening.t)
        shown = staged(TableHouse(evening, names=dict(NAMES), clock=clock))
        shown.house.tell(BestPlayFound(evening.t, 0, GOOD, others, (0.1, 0.2)))
        if engine:
            shown.house.tell(PlayAnnounced(evening.t, 0, Side.LIGHT, GOOD))
            shown.house.play(lambda evening: (evening.move(evening.legal(3)), evening.done()))
        return shown

    return make


STATES: Final[Mapping[str, Callable[[], Staged]]] = {
    "no-board": _without_match(RoomState.NO_BOARD),
    "ready": _without_match(RoomState.READY),
    "set-up": _of(Phase.SET_UP),
    "opening": _of(Phase.OPENING_ROLL),
    "to-play": _of(Phase.MOVING),
    "hints": _lesson(engine=False),
    "engine": _lesson(engine=True),
    "to-roll": _played,
    "illegal": _illegal,
    "illegal-five": _illegal_five,
    "unseen": _of(Phase.TURN_ENDED),
    "unsure": _unsure(LIKELY),
    "double": _of(Phase.CUBE_OFFERED),
    "resignation": _of(Phase.RESIGNATION_OFFERED),
    "dispute": _of(Phase.DISPUTE),
    "paused": _of(Phase.PAUSED),
    "game-over": _of(Phase.GAME_OVER),
    "match-over": _of(Phase.MATCH_OVER),
}


def _unconfirmed() -> Staged:
    """Nobody confirmed the last turn, and play went on."""
    shown = _played()
    last = shown.house.evening.table.last_turn
    assert last is not None
    assert last.turn is not None
    turn = replace(last.turn, legal=None, probability=0.61)
    shown.house.say(actions=(Unsure(turn.t, turn.frame, turn.ply, (6, 8), LIKELY[:3]), turn))
    return shown


MATTERS: Final[Mapping[str, Callable[[], Staged]]] = {
    "illegal": _illegal,
    "unsure": _unsure(LIKELY),
    "unconfirmed": _unconfirmed,
    "dispute": _of(Phase.DISPUTE),
    "result": _of(Phase.MATCH_OVER),
}
"""What needs the director."""


def state_in(shown: Staged, language: str, role: Role = Role.PLAYER) -> dict[str, Any]:
    """The state as a page that both players share is told it, or as another one is."""
    state: dict[str, Any] = shown.outlet.snapshot(Audience(role, None, language))["state"]  # type: ignore[assignment]
    return {**state, "allowed": []} if role is Role.VIEWER else state
