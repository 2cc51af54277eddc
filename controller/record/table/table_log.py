"""The log of a live table: each input is written with all that follows from it at once, or not at all."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final

from controller.logs.defect import Defect
from controller.messages.game_words import result_words
from controller.record.evidence.turn_pictures import PictureRecorder
from controller.record.journal.journal import Draft, JournalError, JournalEvent, Json
from controller.record.journal.seal import SEAL, Signer, SigningKey, read_seals, table_seal
from controller.record.match.history import ACT, DEFECT, GAME, INPUT, OWN_KINDS, RESULT, TABLE, TURN, UNDONE
from controller.record.match.json_values import READING_ERRORS, event_line, turn_from
from controller.record.match.match import Act, Facts, Note, NoteValue, RecordedResult, Turn
from controller.record.match.match_log import (
    Content,
    MatchLog,
    entry_content,
    game_content,
    result_content,
)
from controller.record.table.inputs import settings_record, start_record
from controller.referee import Action, Flagged, Message, Settings, Told, TurnJudged
from controller.referee.actions import (
    Acted,
    BoardBack,
    BoardLost,
    Bumped,
    Candidate,
    Covered,
    CubeUnclear,
    DiceVoid,
    FrameSkipped,
    GameEnded,
    GameOpened,
    LightChanged,
    MatchEnded,
    TurnUndone,
    Unsure,
)
from controller.rules import Position, format_play
from controller.rules.game.events import Played, TakenBack
from controller.rules.reasons import Argument
from controller.vision.board.board import PointSegments

KEPT: Final = frozenset(
    {
        Message.SET_UP_WRONG,
        Message.MOVED_OUT_OF_TURN,
        Message.ROLL_NOT_DUE,
        Message.ROLL_TOO_EARLY,
        Message.ROLLED_AGAIN,
        Message.OTHER_DICE,
        Message.OPENING_DICE,
        Message.COCKED,
        Message.CONSENT_ASKED,
        Message.ROLL_BEFORE_ANSWER,
        Message.CUBE_MOVED,
        Message.PROFILE_FIXED,
        Message.DISPUTE,
        Message.RULED,
        Message.PAUSED,
        Message.GOES_ON,
        Message.TIME_OVER,
        Message.DEVICE_GONE,
        Message.DEVICE_BACK,
        Message.BOARD_TROUBLE,
        Message.BOARD_OTHER,
        Message.CHECKER_MISSING,
        Message.RESUMED,
        Message.CORRECTED,
    }
)
"""What the device said that belongs into the record; the rest follows from what is there."""
FLAGGED: Final = "flagged"
"""The note of an illegal play that can still be put right."""
OVER: Final = "match_over"
"""The note at the end of a match."""


_CONFIRMED: Final = frozenset({TURN, ACT, RESULT, UNDONE})
"""Kinds of events after which the journal's own file is to hold everything."""
NoteArguments = dict[str, NoteValue]


@dataclass(frozen=True, slots=True)
class TableLog:
    """The record of a live table.

    Attributes:
        recorder: where it goes, with the pictures that show it.
        key: seals the journal at the end of each game; `None` if nothing is sealed.
    """

    recorder: PictureRecorder
    key: SigningKey | None = None

    @property
    def log(self) -> MatchLog:
        """The match in its journal."""
        return self.recorder.log

    def begin(
        self,
        light: str,
        dark: str,
        settings: Settings,
        facts: Facts,
        t: float,
        position: Position | None = None,
        segments: PointSegments | None = None,
    ) -> tuple[JournalEvent, ...]:
        """The players, what they agreed, how the table is run, and where play begins if not at the start.

        ``segments`` says where its points lie in the pictures.
        """
        match = self.log.begin_match(light, dark, settings.terms, facts)
        table = settings_record(settings) | start_record(position, segments)
        written = (match, *self.log.append(self.log.draft(TABLE, table, t)))
        self.log.journal.fold()
        return written

    def write_defect(
        self, t: float, defect: Defect, record: dict[str, Json] | None = None
    ) -> tuple[JournalEvent, ...]:
        """A defect; ``record`` is the input in which it came, if that is not written yet."""
        told = () if record is None else (self.log.draft(INPUT, record, t),)
        return self.log.append(*told, self._draft(defect, t))

    def write(
        self,
        t: float,
        record: dict[str, Json],
        actions: tuple[Action, ...],
        settings: Settings,
        defect: Defect | None = None,
    ) -> tuple[JournalEvent, ...]:
        """An input, as `input_record` writes it, and all that followed from it; on the disk when this returns.

        ``settings`` are those in force now; they are written again after each game, so that the next one can be
        followed from there. ``defect`` is what kept the referee from dealing with the input. `complete` comes next.
        """
        drafts = [self.log.draft(INPUT, record, t)]
        if defect is not None:
            drafts.append(self._draft(defect, t))
        for action in actions:
            drafts += [self.log.draft(*content) for content in contents_of(action)]
        if any(isinstance(action, GameEnded) for action in actions):
            drafts.append(self.log.draft(TABLE, settings_record(settings), t))
        return self.log.append(*drafts)

    def complete(
        self, written: tuple[JournalEvent, ...], actions: tuple[Action, ...]
    ) -> tuple[JournalEvent, ...]:
        """Keep the pictures behind what `write` wrote, as far as the disk takes them, and seal a game that is over.

        Returns the events of the seals.
        """
        last = written[-1]
        number = 1 + any(event.kind == DEFECT for event in written)
        for action in actions:
            number += len(contents_of(action))
            match action:
                case TurnJudged(frame=frame):
                    flagged = not action.legal or action.revises
                    last = (
                        self.recorder.keep(written[number - 1], turn_of(action), frame, flagged=flagged)
                        or last
                    )
                case Unsure(frame=frame) | Flagged(turn=TurnJudged(frame=frame)):
                    last = self.recorder.keep(written[number - 1], None, frame, flagged=True) or last
        sealed: tuple[JournalEvent, ...] = ()
        if any(isinstance(action, GameEnded | MatchEnded) for action in actions):
            sealed = self._seal(last)
        if any(event.kind in _CONFIRMED for event in written):
            self.log.journal.fold()
        return sealed

    def _draft(self, defect: Defect, t: float) -> Draft:
        """A defect as an event, whatever was being done when it came."""
        return self.log.draft(DEFECT, json.loads(json.dumps(defect.record(), default=str)), t)

    def seal_rest(self) -> tuple[JournalEvent, ...]:
        """Seal what was written since the last seal; nothing if that is all sealed, or no game was begun yet."""
        events = tuple(self.log.journal.events(self.log.match))
        own = [
            seal.statement
            for _, seal in read_seals(events)
            if self.key and seal.statement.key == self.key.public
        ]
        sealed = max((said.event for said in own if said.by is Signer.TABLE), default=0)
        begun = any(event.kind == GAME for event in events)
        if not begun or all(event.id <= sealed or event.kind == SEAL for event in events):
            return ()
        return self._seal(events[-1])

    def _seal(self, last: JournalEvent) -> tuple[JournalEvent, ...]:
        """Seal the journal up to its last event; what waits for the disk is left to the next seal."""
        if self.key is None or self.log.journal.waiting:
            return ()
        return self.log.append(table_seal(last, self.log.match, self.key, self.log.clock()))


def contents_of(action: Action) -> tuple[Content, ...]:
    """What an action is in the journal; nothing for one that shows only, or follows from others."""
    match action:
        case GameOpened(start=start, score=score):
            begun: NoteArguments = {
                "ply": action.ply,
                "game": action.number,
                "light": score.light,
                "dark": score.dark,
            }
            note = Note("game_begun", None, action.t, begun)
            return game_content(start, score.light, score.dark), entry_content(note)
        case GameEnded(result=result):
            over: NoteArguments = {
                "winner": None if result.is_drawn else str(result.winner),
                "points": result.points,
                "working": result_words(result),
            }
            note = Note("game_over", None, action.t, over)
            return result_content(RecordedResult.from_result(result)), entry_content(note)
    entry = entry_of(action)
    return () if entry is None else (entry_content(entry),)


def entry_of(action: Action) -> Turn | Act | Note | None:
    """What an action is in the record of its game, ``None`` if it is nothing there.

    The kind of a note is the one of its line in ``events.jsonl``.
    """
    match action:
        case TurnJudged():
            return turn_of(action)
        case Acted(event=Played() | TakenBack()):
            return None
        case Acted(event=event, t=t):
            return Act(event, t)
        case Flagged(turn=turn, t=t):
            return Note(FLAGGED, turn.frame, t, _flag_arguments(turn))
        case Told(message=Message.PASSES, t=t, arguments=arguments):
            return Note(str(Message.PASSES), None, t, _pass_arguments(arguments))
        case Told(message=message, t=t, arguments=arguments) if message in KEPT:
            return Note(str(message), None, t, dict(arguments))
        case MatchEnded(winner=winner, score=score, t=t):
            won = None if winner is None else str(winner)
            return Note(OVER, None, t, {"winner": won, "light": score.light, "dark": score.dark})
        case Unsure(t=t, frame=frame, ply=ply, points=points, candidates=candidates):
            doubt: NoteArguments = {"ply": ply, "points": list(points)}
            if candidates:
                doubt["candidates"] = [candidate_object(each) for each in candidates]
            return Note("unsure", frame, t, doubt)
        case TurnUndone(t=t, ply=ply, side=side, roll=roll, position=position, by=by):
            undone: NoteArguments = {
                "ply": ply,
                "player": str(side),
                "dice": list(roll.dice),
                "position": position.compact(),
                "by": by,
            }
            return Note(UNDONE, None, t, undone)
        case DiceVoid(t=t, roll=roll):
            return Note("dice_void", None, t, {"dice": list(roll.dice)})
        case FrameSkipped(t=t, frame=frame, name=name, why=why):
            return Note("frame_lost", frame, t, {"file": name, "why": why})
        case CubeUnclear(t=t, frame=frame, owner=owner, value=value):
            return Note("cube_unclear", frame, t, {"owner": owner, "value": value})
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
            return Note(
                "board_lost", frame, t, {"fault": action.fault, "shift_mm": round(action.shift_mm, 1)}
            )
        case Covered(t=t, frame=frame, points=points):
            return Note("covered", frame, t, {"points": [*points]})
        case BoardBack(t=t, frame=frame):
            return Note("board_back", frame, t, {})
    return None


def _pass_arguments(arguments: Mapping[str, Argument]) -> NoteArguments:
    """A turn that was not rolled for, in the words of one that was."""
    return {
        "ply": arguments["ply"],
        "player": arguments["side"],
        "dice": list[int](),
        "move": format_play(()),
        "legal": True,
        "reasons": list[str](),
        "position": arguments["position"],
    }


def candidate_object(candidate: Candidate) -> dict[str, str | float | None]:
    """What a turn that is not certain may have been, with the names of one that is."""
    return {
        "move": candidate.text or None,
        "legal": candidate.legal,
        "position": candidate.after.compact(),
        "probability": round(candidate.probability, 4),
    }


def _flag_arguments(turn: TurnJudged) -> NoteArguments:
    """An illegal play that can still be put right: what it is and what is against it."""
    codes = [str(reason.code) for reason in turn.reasons]
    after = turn.after.compact()
    return {"ply": turn.ply, "player": str(turn.side), "move": turn.text, "codes": codes, "position": after}


def turn_of(judged: TurnJudged) -> Turn:
    """A turn as it was judged."""
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
        probability=judged.probability,
    )


def lines_of(events: Iterable[JournalEvent | Draft]) -> Iterator[str]:
    """One line, without its end, for each turn, act and note among the events, in their order.

    An act, such as a double, has the name of its event as ``kind``.

    Raises:
        JournalError: if an event does not say what one of its kind must.
    """
    for event in events:
        if event.kind in (TURN, ACT) or event.kind not in OWN_KINDS:
            with _naming(event):
                line = _line_of(event)
            yield line


def _line_of(event: JournalEvent | Draft) -> str:
    payload: dict[str, Any] = dict(event.payload)
    if event.kind == TURN:
        return event_line(turn_from(payload))
    if event.kind == ACT:
        act = {name: value for name, value in payload.items() if name != "event"}
        return json.dumps({"kind": payload["event"], **act}, ensure_ascii=False)
    return json.dumps(payload, ensure_ascii=False)


@contextmanager
def _naming(event: JournalEvent | Draft) -> Iterator[None]:
    """Name the event if it does not say what one of its kind must."""
    try:
        yield
    except READING_ERRORS as error:
        number = f"Event {event.id}" if isinstance(event, JournalEvent) else "An event"
        raise JournalError(
            f"{number} is not a {event.kind} that can be read ({error!r}); the journal was not written by Pointsman "
            "or was changed."
        ) from error


def last_word(events: Iterable[JournalEvent]) -> list[JournalEvent]:
    """The events of one match with no turn that was told anew later on, as hindsight does.

    Of each ply of a game the last turn that counts stays, and the tries that were put right before it; they stand
    together where the first of them was told. That a play was flagged while it could be put right is left out: its
    turn tells what became of it. All other events keep their places.
    """
    places: list[list[JournalEvent]] = []
    turns: dict[int, list[JournalEvent]] = {}
    for event in events:
        payload: dict[str, Any] = dict(event.payload)
        if event.kind == GAME:
            turns = {}
        if event.kind == FLAGGED:
            continue
        if event.kind != TURN:
            places.append([event])
        elif payload["ply"] in turns:
            tries = turns[payload["ply"]]
            tries[:] = [*(earlier for earlier in tries if not _counts(earlier)), event]
        else:
            turns[payload["ply"]] = [event]
            places.append(turns[payload["ply"]])
    return [event for place in places for event in place]


def number_through(events: Iterable[JournalEvent]) -> Iterator[JournalEvent]:
    """The events of one match with plies that go on counting from game to game, as in a film."""
    first = plies = 0
    for event in events:
        if event.kind == GAME:
            first += plies
            plies = 0
        ply = event.payload.get("ply")
        if not isinstance(ply, int):
            yield event
            continue
        if event.kind == TURN:
            plies = max(plies, ply + 1)
        yield replace(event, payload={**event.payload, "ply": first + ply})


def _counts(event: JournalEvent) -> bool:
    """Whether the game went on from the turn of an event."""
    with _naming(event):
        return turn_from(event.payload).counts
