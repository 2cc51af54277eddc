"""What the lights show in each phase; hardware_docs/lights.md tells it to the players."""

from collections.abc import Iterable, Iterator
from typing import Final

from controller.devices import LightFrame, Signal
from controller.devices.lights.frame import Place
from controller.referee.actions import Phase, TurnJudged
from controller.referee.caution import USUAL, Caution
from controller.referee.table.coach import Seen, Ways
from controller.referee.table.lesson import course_of, teaches
from controller.referee.table.restore import Differences, between, differences, restoring_frame
from controller.referee.table.state import PLAYERS, Table, audience, hidden_still
from controller.rules import Position, Reason

MOVABLE, LANDINGS, BEST = 1, 2, 3
"""The hint levels: each shows what the one before does, or something better."""
WAITS: Final = frozenset(
    {
        Phase.SET_UP,
        Phase.PUT_RIGHT,
        Phase.CUBE_OFFERED,
        Phase.RESIGNATION_OFFERED,
        Phase.DISPUTE,
        Phase.PAUSED,
        Phase.GAME_OVER,
    }
)
"""Phases in which the device waits for somebody, beside the players' rolls and plays."""

_DARK: Final = LightFrame()
_WAITING: Final = LightFrame(status=Signal.WAITING)


def frame_of(table: Table) -> LightFrame:
    """The lights for the state of the table."""
    tells = audience(table) >= PLAYERS
    match table.phase:
        case Phase.SET_UP | Phase.GAME_OVER:
            return _set_up(table)
        case Phase.MOVING if table.announced is not None and table.early is None:
            return restoring_frame(_left(table, table.announced), table.caution)
        case Phase.MOVING if table.early is None and teaches(table):
            return _lesson(table)
        case Phase.TO_ROLL if tells:
            return _turn_frame(table)
        case Phase.TURN_ENDED if tells:
            return doubtful_frame(_points_asked(table))
        case Phase.PUT_RIGHT if tells and table.flagged is not None:
            return correcting_frame(_left(table, table.flagged.before), table.flagged.reasons, table.caution)
        case _:
            return _WAITING if table.phase in WAITS or table.early is not None else _DARK


def lesson_frame(course: Ways, seen: Seen, level: int, best: Position | None = None) -> LightFrame:
    """What a learner is shown, from hint ``level`` 1 to 3, while the board stands as ``seen``.

    1: the checkers that may be moved. 2: with a checker in the hand, where it may land. 3: from where to where the
    checkers go that are still to be moved for the ``best`` play, as soon as that is known.
    """
    if level >= BEST and best is not None:
        return _towards(best, seen, course)
    if level >= LANDINGS and seen.lifted is not None:
        return _DARK.lit(Signal.LANDING, course.landings(seen.stage, seen.lifted))
    return _DARK.lit(Signal.MOVABLE, course.movable(seen.stage)) if level >= MOVABLE else _DARK


def played_frame(turn: TurnJudged) -> LightFrame:
    """A legal play: where the mover's checkers came to lie."""
    come = [
        step
        for step in between(turn.after, turn.before).surplus
        if step.side is turn.side and step.number > 0
    ]
    return _DARK.lit(Signal.PLAYED, [step.place for step in come])


def correcting_frame(left: Differences, reasons: Iterable[Reason], caution: Caution = USUAL) -> LightFrame:
    """An illegal play: from where to where the checkers go back, and where it breaks a rule as long as it does."""
    frame = restoring_frame(left, caution)
    broken = set(broken_places(reasons))
    return frame.lit(Signal.WRONG, [place for place in left.to_remove if place in broken])


def doubtful_frame(points: Iterable[int]) -> LightFrame:
    """Points that a person is to look at; dark if there are none."""
    asked = tuple(points)
    return _WAITING.lit(Signal.UNSURE, asked) if asked else _DARK


def broken_places(reasons: Iterable[Reason]) -> Iterator[Place]:
    """Where each rule was broken: the point in question, else where the checker landed."""
    for reason in reasons:
        told = reason.arguments
        place = told.get("point", told.get("target"))
        if place in ("bar", "off"):
            yield f"{'bar' if place == 'bar' else 'tray'}-{told['side']}"
        elif place is not None:
            yield int(str(place))


def _set_up(table: Table) -> LightFrame:
    if table.target is None or not table.views:
        return _WAITING
    left = _left(table, table.target)
    if table.phase is Phase.GAME_OVER and len(left.points) > table.caution.settled:
        return _WAITING
    return restoring_frame(left, table.caution)


def _lesson(table: Table) -> LightFrame:
    course = course_of(table)
    if course is None or table.lesson is None:
        return _DARK
    return lesson_frame(course, table.lesson, table.hint, table.advised[0][0] if table.advised else None)


def _turn_frame(table: Table) -> LightFrame:
    """The turn before, until the next roll: right, doubtful, or disturbed since."""
    asked = _points_asked(table)
    if table.ended is None or asked:
        return doubtful_frame(asked)
    if not table.ended.sure:
        return doubtful_frame(table.ended.points or sorted(hidden_still(table, table.ended)))
    turn = table.ended.turn
    return played_frame(turn) if turn is not None and turn.legal else _DARK


def _points_asked(table: Table) -> tuple[int, ...]:
    """The points that the latest message was about."""
    points = table.warned[1] if len(table.warned) > 1 else ()
    return tuple(point for point in points if isinstance(point, int)) if isinstance(points, tuple) else ()


def _left(table: Table, target: Position) -> Differences:
    """What the board differs by from ``target``, as far as was seen."""
    return differences(table.views[-1].visible, target) if table.views else Differences()


def _towards(best: Position, seen: Seen, course: Ways) -> LightFrame:
    steps = [step for step in between(seen.stage.position, best).surplus if step.side is course.side]
    leave = [step.place for step in steps for _ in range(step.number)]
    if seen.lifted is not None and seen.lifted in leave:
        leave.remove(seen.lifted)
    frame = _DARK.lit(Signal.MOVABLE, leave)
    return frame.lit(Signal.LANDING, [step.place for step in steps if step.number < 0])
