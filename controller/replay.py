"""A filmed game through the live pipeline: frames and rolls in, the transcript and the match files out."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TextIO

from controller.devices.film import Frame
from controller.devices.rollfile import ReportedRoll
from controller.errors import UserError
from controller.record.delivery import Delivery
from controller.record.events import event_line
from controller.record.journal import Journal
from controller.record.mat import mat_text
from controller.record.matchlog import MatchLog, read_match
from controller.record.transcript import Note, Result, Turn
from controller.referee.actions import (
    Action,
    BoardBack,
    BoardLost,
    Bumped,
    DiceVoid,
    FrameSkipped,
    GameOver,
    LightChanged,
    Surrounding,
    TurnJudged,
    Unsure,
)
from controller.referee.caution import Caution
from controller.referee.events import Ended, Event, FrameLost, FrameMoving, FrameSeen, Rolled
from controller.referee.machine import step
from controller.referee.state import begin
from controller.rules.explain import explain
from controller.rules.movement import STANDARD, MovementRules
from controller.rules.notation import format_play
from controller.rules.position import START, Position
from controller.vision.board import Board
from controller.vision.reader import read_board
from controller.vision.watch import Read, Watch, look, watch_of

EVENTS, MATCH, JOURNAL = "events.jsonl", "match.mat", "journal.db"
NAME = "1"
"""The match in its journal."""


def replay(
    film: Iterable[Frame],
    rolls: tuple[ReportedRoll, ...] | None,
    board: Board,
    out: Path,
    clock: Callable[[], str],
    start: Position = START,
    read: Read = read_board,
    rules: MovementRules = STANDARD,
) -> Iterator[str]:
    """Follow a filmed game and yield its transcript line by line as it is judged.

    ``rolls`` are those an electronic dice set reported; with ``None`` the dice are read from the pictures.
    ``rules`` are those plays are judged by. ``clock`` tells the time of writing (ISO 8601, UTC).
    When the last line was taken, ``events.jsonl``, ``match.mat`` and ``journal.db`` lie in the folder ``out``;
    if anything goes wrong on the way, or the iterator is closed before, nothing of them does.

    Raises:
        UserError: no picture can be decoded or read, or ``out`` cannot be written to.
    """
    with Delivery(out) as delivery:
        with (
            Journal(delivery.folder / JOURNAL) as journal,
            (delivery.folder / EVENTS).open("w", encoding="utf-8") as events,
        ):
            log = MatchLog(journal, NAME, clock)
            log.begin_match(light="", dark="", length=0, played_on=None)
            log.begin_game(start)
            told = False
            for action in _actions(film, rolls, board, start, read, rules):
                _write(action, events, log)
                yield transcript_line(action)
                told = told or isinstance(action, TurnJudged)
            if rolls is None and not told:
                yield "      no roll was seen in the pictures: give those of a dice set with --dice"
            text = mat_text(read_match(journal, NAME))
        (delivery.folder / MATCH).write_text(text, encoding="utf-8")


def transcript_line(action: Action) -> str:
    """What a person reads: ply, player, dice and play; for an illegal play the rule and a legal play."""
    match action:
        case TurnJudged():
            return _turn_text(action)
        case Unsure(points=points) if points:
            return f"      not sure of the next play: please look at {_listed('point', points)}"
        case Unsure():
            return "      the dice of the next play were not seen"
        case DiceVoid(roll=roll):
            return f"      {roll} was rolled again and does not count"
        case FrameSkipped(name=name, why=why):
            return f"      picture {name} was skipped: {why}"
        case Bumped(shift_mm=shift, turn_deg=turn):
            return f"      the board was moved by {shift:.0f} mm and turned by {turn:.1f} degrees; it is followed"
        case LightChanged(red=red, green=green, blue=blue):
            bright = 100 * (red + green + blue) / 3
            return f"      the light changed: {bright:.0f} % of that at the calibration"
        case BoardLost():
            return "      the board is not seen: put it back under the camera, or calibrate again"
        case BoardBack():
            return "      the board is seen again"
        case GameOver(winner=winner, points=points):
            return f"      {winner} wins {points} point{'s' if points > 1 else ''}"


def _turn_text(turn: TurnJudged) -> str:
    line = f"{turn.ply:4d}  {turn.side:<5}  {turn.roll}  {turn.text}"
    if turn.revises:
        line += "  (corrected: the board showed later that this was played)"
    if turn.legal:
        return line
    reasons = " ".join(dict.fromkeys(explain(reason) for reason in turn.reasons))
    instead = f" Legal would have been {format_play(turn.instead)}." if turn.instead is not None else ""
    fate = "left standing" if turn.stands else "put right"
    return f"{line}  ILLEGAL, {fate}: {reasons}{instead}"


def _listed(noun: str, numbers: tuple[int, ...]) -> str:
    return f"{noun}{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"


def _actions(
    film: Iterable[Frame],
    rolls: tuple[ReportedRoll, ...] | None,
    board: Board,
    start: Position,
    read: Read,
    rules: MovementRules,
) -> Iterator[Action]:
    state = begin(start, read_dice=rolls is None, caution=Caution(rules=rules))
    for event in _events(film, rolls or (), board, read):
        state, actions = step(state, event)
        yield from actions


def _events(
    film: Iterable[Frame], rolls: tuple[ReportedRoll, ...], board: Board, read: Read
) -> Iterator[Event]:
    """Frames and rolls in the order of their times, a roll before a frame of the same time."""
    waiting = list(rolls)
    watch = watch_of(board)
    seen, fault, t = False, "the film holds no pictures; give one that does.", 0.0
    for frame in film:
        t = frame.t
        while waiting and waiting[0].t <= t:
            roll = waiting.pop(0)
            yield Rolled(roll.t, roll.dice)
        watch, event = _looked_at(frame, watch, read)
        if isinstance(event, FrameLost):
            fault = event.why
        else:
            seen = True
        yield event
    if not seen:
        raise UserError(f"None of the pictures can be used: {fault}")
    for roll in waiting:
        yield Rolled(roll.t, roll.dice)
        t = max(t, roll.t)
    yield Ended(t)


def _looked_at(frame: Frame, watch: Watch, read: Read) -> tuple[Watch, FrameSeen | FrameMoving | FrameLost]:
    if frame.picture is None:
        return watch, FrameLost(frame.t, frame.number, frame.name, frame.fault)
    try:
        watch, reading = look(watch, frame.picture, frame.t, read)
    except UserError as error:
        return watch, FrameLost(frame.t, frame.number, frame.name, f"{frame.name}: {error}")
    if reading is None:
        return watch, FrameMoving(frame.t, frame.number)
    return watch, FrameSeen(frame.t, frame.number, reading)


def _write(action: Action, events: TextIO, log: MatchLog) -> None:
    """One line and its entries in the journal; the journal first, since it is what must not be lost."""
    entry = _entry(action)
    log.add(entry)
    if isinstance(action, GameOver):
        log.end_game(Result(action.winner, action.points))
    events.write(event_line(entry) + "\n")


def _entry(action: Action) -> Turn | Note:
    match action:
        case TurnJudged():
            return _turn(action)
        case Unsure(t=t, frame=frame, ply=ply, points=points):
            return Note("unsure", frame, t, {"ply": ply, "points": list(points)})
        case DiceVoid(t=t, roll=roll):
            return Note("dice_void", None, t, {"dice": list(roll.dice)})
        case FrameSkipped(t=t, frame=frame, name=name, why=why):
            return Note("frame_lost", frame, t, {"file": name, "why": why})
        case Bumped() | LightChanged() | BoardLost() | BoardBack():
            return _surrounding(action)
        case GameOver(t=t, winner=winner, points=points):
            return Note("game_over", None, t, {"winner": str(winner), "points": points})


def _surrounding(action: Surrounding) -> Note:
    match action:
        case Bumped(t=t, frame=frame):
            push = {
                "shift_mm": round(action.shift_mm, 1),
                "turn_deg": round(action.turn_deg, 2),
                "x_mm": round(action.x_mm, 1),
                "y_mm": round(action.y_mm, 1),
            }
            return Note("bump", frame, t, push)
        case LightChanged(t=t, frame=frame):
            light = {
                "red": round(action.red, 2),
                "green": round(action.green, 2),
                "blue": round(action.blue, 2),
            }
            return Note("light_changed", frame, t, light)
        case BoardLost(t=t, frame=frame):
            return Note("board_lost", frame, t, {})
        case BoardBack(t=t, frame=frame):
            return Note("board_back", frame, t, {})


def _turn(judged: TurnJudged) -> Turn:
    return Turn(
        ply=judged.ply,
        player=judged.side,
        roll=judged.roll,
        play=judged.play,
        text=judged.text,
        legal=judged.legal,
        reasons=judged.reasons + judged.also,
        stands=judged.stands,
        before=judged.before,
        after=judged.after,
        frame=judged.frame,
        t=judged.t,
    )
