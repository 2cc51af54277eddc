"""A filmed game through the live pipeline: frames and rolls in, the transcript and the match files out."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from controller.devices.film import Frame
from controller.devices.pictures import Picture
from controller.devices.rollfile import ReportedRoll
from controller.errors import UserError
from controller.record.chronicle import Chronicle
from controller.record.delivery import Delivery
from controller.record.evidence import EvidenceStore, evidence_name
from controller.record.folder import EVENTS, JOURNAL, MAT, NAME, OGXM
from controller.record.gallery import shot_of
from controller.record.journal import Journal
from controller.record.mat import mat_text
from controller.record.matchlog import MatchLog, read_match
from controller.record.ogxmfile import OgxmMissingError, ogxm_bytes
from controller.record.witness import Witness
from controller.referee.actions import Action, TurnJudged
from controller.referee.caution import Caution
from controller.referee.events import Ended, Event, FrameLost, FrameMoving, FrameSeen, Rolled
from controller.referee.machine import step
from controller.referee.state import begin
from controller.rules.movement import MovementRules
from controller.rules.position import START, Position
from controller.rules.profile import STANDARD, Profile
from controller.telling.transcript import transcript_line
from controller.vision.board import Board
from controller.vision.outline import board_part
from controller.vision.reader import read_board
from controller.vision.reading import Reading
from controller.vision.watch import Read, Watch, look, watch_of

Crop = Callable[[Picture, Board], Picture]
Seen = Callable[[Frame, Reading | None], None]


def replay(
    film: Iterable[Frame],
    rolls: tuple[ReportedRoll, ...] | None,
    board: Board,
    out: Path,
    clock: Callable[[], str],
    start: Position = START,
    read: Read = read_board,
    rules: Profile = STANDARD,
    crop: Crop = board_part,
) -> Iterator[str]:
    """Follow a filmed game and yield its transcript line by line as it is judged.

    ``rolls`` are those an electronic dice set reported; with ``None`` the dice are read from the pictures.
    ``rules`` are those plays are judged by; the record has them as those of a game outside any match.
    ``clock`` tells the time of writing (ISO 8601, UTC).
    ``crop`` cuts the pictures that are kept as evidence to the board.
    When the last line was taken, ``events.jsonl``, ``match.mat``, ``match.ogxm`` (where its codec
    is installed), ``journal.db`` and its pictures lie in the folder ``out``; if anything goes wrong on the way,
    or the iterator is closed before, nothing of them does.

    Raises:
        UserError: no picture can be decoded or read, or ``out`` cannot be written to.
    """
    with Delivery(out) as delivery:
        with (
            Journal(delivery.folder / JOURNAL) as journal,
            EvidenceStore(evidence_name(delivery.folder / JOURNAL)) as store,
            (delivery.folder / EVENTS).open("w", encoding="utf-8") as events,
        ):
            witness = Witness(MatchLog(journal, NAME, clock), store)
            chronicle = Chronicle(witness, rules)
            chronicle.begin(start)

            def seen(frame: Frame, reading: Reading | None) -> None:
                if frame.picture is not None:
                    witness.saw(shot_of(frame.number, frame.t, crop(frame.picture, board), reading))

            told = False
            for action in _actions(film, rolls, board, start, read, rules.movement, seen):
                events.write(chronicle.add(action) + "\n")
                yield transcript_line(action)
                told = told or isinstance(action, TurnJudged)
            if rolls is None and not told:
                yield "      no roll was seen in the pictures: give those of a dice set with --dice"
            record = read_match(journal, NAME)
        (delivery.folder / MAT).write_text(mat_text(record), encoding="utf-8")
        try:
            (delivery.folder / OGXM).write_bytes(ogxm_bytes(record))
        except OgxmMissingError as missing:
            yield f"      {OGXM} was not written: {missing}"


def _actions(
    film: Iterable[Frame],
    rolls: tuple[ReportedRoll, ...] | None,
    board: Board,
    start: Position,
    read: Read,
    rules: MovementRules,
    seen: Seen,
) -> Iterator[Action]:
    state = begin(start, read_dice=rolls is None, caution=Caution(rules=rules))
    for event in _events(film, rolls or (), board, read, seen):
        state, actions = step(state, event)
        yield from actions


def _events(
    film: Iterable[Frame], rolls: tuple[ReportedRoll, ...], board: Board, read: Read, seen: Seen
) -> Iterator[Event]:
    """Frames and rolls in the order of their times, a roll before a frame of the same time."""
    waiting = list(rolls)
    watch = watch_of(board)
    usable, fault, t = False, "the film holds no pictures; give one that does.", 0.0
    for frame in film:
        t = frame.t
        while waiting and waiting[0].t <= t:
            roll = waiting.pop(0)
            yield Rolled(roll.t, roll.dice)
        watch, event = _looked_at(frame, watch, read)
        if isinstance(event, FrameLost):
            fault = event.why
        else:
            seen(frame, event.reading if isinstance(event, FrameSeen) else None)
            usable = True
        yield event
    if not usable:
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
