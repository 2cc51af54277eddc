"""The desk of a table: what happens is written down before it acts; a runner then carries out what follows."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import fields, replace
from typing import Final, Protocol, Self, TypeVar

from controller.devices import EventMark
from controller.errors import UserError
from controller.logs.defect import Defect, DefectScene, Recent
from controller.messages.device_words import LocalText, program_words
from controller.record import TurnPicture
from controller.record.journal.journal import JournalEvent as Written
from controller.record.journal.journal import Json
from controller.record.match.corrections import Director
from controller.record.match.match import Facts
from controller.record.table.inputs import input_from, input_record
from controller.record.table.resume import LiveMatch, RefereeStep
from controller.record.table.table_log import TableLog
from controller.referee import Action, Event, Settings, Table, Ticked, begin, step
from controller.referee.digest import state_digest
from controller.referee.events import Corrected, FrameMoving, FrameSame, FrameSeen
from controller.rules import Position
from controller.vision.board.board import PointSegments

TICK_S: Final = 0.25
"""How often the referee gets a tick of the clock."""
Follow = Callable[[Iterable[Written]], None]
Failed = Callable[[Exception, Table, Event], None]
"""Hears of an error that nobody foresaw, where the table stood, and what it came of."""
Outcome = TypeVar("Outcome")

_LOGGER: Final = logging.getLogger(__name__)


class OtherTable(Protocol):
    """A table at which one side of this match plays."""

    def facts(
        self, before: Table, event: Event, after: Table, actions: tuple[Action, ...], by: str
    ) -> list[Json]:
        """What it is to know of a step, as plain data; ``by`` is who said or did it."""

    def tell(self, facts: list[Json]) -> None:
        """Tell it this, which is on the disk."""


class Desk:
    """Takes the events of one table. For one thread: whoever has several puts a queue before it.

    Attributes:
        table: what the referee knows.
        book: the record of the match.
        other: the table at which one side plays; None where both sit here.
    """

    def __init__(
        self,
        table: Table,
        book: TableLog,
        follow: Follow = lambda _: None,
        step: RefereeStep = step,
        tell: Callable[[LocalText], None] | None = None,
    ) -> None:
        """The desk of a table whose record was begun; see `open`.

        Args:
            table: where the match stands.
            book: its record.
            follow: is given the events of the journal as they are written, such as for `events.jsonl`.
            step: the referee.
            tell: called with what people are to be told of a defect: with it no defect ends the desk.
        """
        self.table, self.book = table, book
        self.other: OtherTable | None = None
        self._follow, self._tell = follow, tell
        self._step = step if tell is None else guard(step, self._failed)
        self._defect: Defect | None = None
        self._recent = Recent()
        self._last_event = 0

    @classmethod
    def open(
        cls,
        settings: Settings,
        book: TableLog,
        follow: Follow = lambda _: None,
        step: RefereeStep = step,
        tell: Callable[[LocalText], None] | None = None,
        *,
        names: tuple[str, str] = ("", ""),
        facts: Facts | None = None,
        t: float = 0.0,
        position: Position | None = None,
        segments: PointSegments | None = None,
    ) -> Self:
        """Begin a new match.

        ``names`` are light's and dark's, ``t`` is now; play begins at ``position`` if not at the start of a game;
        ``segments`` says where its points lie in the pictures.
        """
        written = book.begin(*names, settings, facts or Facts(), t, position, segments)
        desk = cls(begin(settings, t, position), book, follow, step, tell)
        desk._do(t, "the beginning", lambda: follow(written))
        return desk

    @classmethod
    def resume(
        cls,
        book: TableLog,
        follow: Follow = lambda _: None,
        step: RefereeStep = step,
        tell: Callable[[LocalText], None] | None = None,
    ) -> Self:
        """Take up a match where it stood when it was interrupted; the event to `put` first is `Resumed`.

        Raises:
            JournalError: if the match was not played at a live table, or cannot be read.
        """
        followed = step if tell is None else guard(step, _log_only)
        return cls(LiveMatch.read(book.log.journal, book.log.match).table(followed), book, follow, step, tell)

    def put(
        self,
        event: Event,
        *,
        mark: EventMark | None = None,
        shot: TurnPicture | None = None,
        by: str = "",
        command: str = "",
    ) -> tuple[Action, ...]:
        """Take an event; returns what the referee wants done, on the disk by then and for the caller to carry out.

        A tick, or a picture of the board as it was read, that changes nothing is forgotten: neither the journal nor
        the table knows of it.

        Args:
            event: what happened; the referee is told it as the journal keeps it, rounded.
            mark: the name that the board's electronics gave it.
            shot: the picture that a `FrameSeen` or `FrameMoving` is about.
            by: who said or did it, if that is known.
            command: the name that a page gave it.
        """
        if shot is not None:
            self.book.recorder.add(shot)
        record = input_record(event, mark, by, command)
        told, what = input_from(record), type(event).__name__
        table, actions = self._step(self.table, told)
        defect = self._news()
        if (
            isinstance(told, Ticked | FrameSame)
            and not actions
            and defect is None
            and _same(self.table, table)
        ):
            return ()
        facts = [] if self.other is None else self.other.facts(self.table, told, table, actions, by)
        if facts:
            record["told"] = facts
        try:
            written = self.book.write(told.t, record, actions, _in_force(table), defect)
        except UserError:
            raise
        except Exception as error:  # noqa: BLE001 - logged and written down
            # What follows cannot be written down, so nothing of it holds; but that it happened is kept.
            self._last_event = self.book.write_defect(told.t, self._caught(error, what), record)[-1].id
            return ()
        self.table = table
        if self.other is not None and facts:
            self.other.tell(facts)
        sealed = self._do(told.t, what, lambda: self.book.complete(written, actions)) or ()
        self._do(told.t, what, lambda: self._follow((*written, *sealed)))
        self._last_event = max(self._last_event, *(each.id for each in (*written, *sealed)))
        return actions

    def _do(self, t: float, what: str, do: Callable[[], Outcome]) -> Outcome | None:
        """Do what comes after something was written down; a defect in it is written down, too."""
        try:
            return do()
        except UserError:
            raise
        except Exception as error:  # noqa: BLE001 - logged and written down
            self._last_event = self.book.write_defect(t, self._caught(error, what))[-1].id
            return None

    def _news(self) -> Defect | None:
        """The defect that has just come in the referee, if people are to hear of it: in words, and in the journal."""
        defect, self._defect = self._defect, None
        if defect is None or self._tell is None:
            return None
        self._tell(program_words("referee_failed"))
        return defect

    def _failed(self, error: Exception, table: Table, event: Event) -> None:
        """The referee could not deal with an event at a table that stood like this."""
        by_itself = isinstance(event, Ticked | FrameSeen | FrameSame | FrameMoving)
        if self._recent.passed_over(error, event.t) is None and by_itself:
            return  # ticks and pictures come many times a second
        self._defect = logged(
            error,
            type(event).__name__,
            DefectScene("referee", self._last_event, state_digest(table), kept=True),
        )

    def _caught(self, error: Exception, what: str) -> Defect:
        """A defect at the desk itself. Raises the error again where there is nobody to report it to."""
        if self._tell is None:
            raise error
        scene = DefectScene("desk", self._last_event, state_digest(self.table), kept=True)
        defect = logged(error, what, scene)
        self._tell(program_words("referee_failed"))
        return defect

    def correct(
        self, put_right: Callable[[Director], Written], t: float, *, by: str = "", command: str = ""
    ) -> tuple[Action, ...]:
        """Put the record right, and go on from where that leaves the table; returns what is to be done, as `put`.

        Args:
            put_right: writes the correction.
            t: now.
            by: who puts it right.
            command: the name that a page gave it.

        Raises:
            CorrectionError: if there is nothing like that to put right; nothing is written then.
        """
        log = self.book.log
        written = put_right(Director(log.journal, log.match, log.clock, by))
        self._follow((written,))
        live = LiveMatch.read(log.journal, log.match)
        self.table, ended = live.corrected(self.table)
        return self.put(Corrected(t, ended), by=by, command=command)

    def seal_rest(self) -> None:
        """Have the table vouch for what was written since its last seal."""
        self._do(self.table.t, "the seal", lambda: self._follow(self.book.seal_rest()))


def guard(step: RefereeStep, hear: Failed) -> RefereeStep:
    """Make a referee that nothing can end: an event that it cannot deal with changes nothing, and is reported.

    The event is in the journal, so that what went wrong can be found out; a table that is resumed passes over it
    in the same way.
    """

    def careful(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
        try:
            return step(table, event)
        except Exception as error:  # noqa: BLE001 - whoever hears logs it
            hear(error, table, event)
            return table, ()

    return careful


def logged(error: Exception, what: str, scene: DefectScene) -> Defect:
    """Log that an error came while something was dealt with; the defect that it is."""
    _LOGGER.error("A defect while %s was dealt with.", what, exc_info=error, extra=scene.extra)
    return Defect.from_error(error, scene)


def _log_only(error: Exception, table: Table, event: Event) -> None:
    """When a match is taken up the journal tells of its defects already."""
    logged(error, type(event).__name__, DefectScene("referee", 0, state_digest(table), kept=True))


def _in_force(table: Table) -> Settings:
    return replace(table.settings, hint=table.hint, consent=table.consent)


def _same(one: Table, other: Table) -> bool:
    """Whether nothing but the time is different."""
    return all(
        getattr(one, item.name) is getattr(other, item.name) for item in fields(one) if item.name != "t"
    )


class Runner(ABC):
    """Stands between a desk and the devices around it. For one thread.

    Attributes:
        desk: the referee and the record.
    """

    def __init__(self, desk: Desk) -> None:
        """Nothing has happened yet."""
        self.desk = desk

    def put(self, event: Event, *, mark: EventMark | None = None, shot: TurnPicture | None = None) -> None:
        """Take an event, as `Desk.put`; carry out what comes of it, and then take what follows from that."""
        self.carry_out_all(self.desk.put(event, mark=mark, shot=shot))

    def carry_out_all(self, actions: tuple[Action, ...]) -> None:
        """Do all that came of one event, and then take what follows from that."""
        follows: list[Event] = []
        for action in actions:
            follows += self.carry_out(action)
        for each in follows:
            self.put(each)

    @abstractmethod
    def carry_out(self, action: Action) -> Iterable[Event]:
        """Do what the referee wants done; returns what happened by that, such as a flag that fell."""
