"""What the director is told of records that are no results, or not yet."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from controller.hub.evening.sent_match import SaidInAnyLanguage
from controller.hub.evening.version import EveningVersion

RecordKey = tuple[str, str]
"""A record: the table that sends it, and its journal. Two tables may send one under the same name."""


class NoticeKind(StrEnum):
    """What the director is to know of a result that did not go into the tournament."""

    EARLIER = "earlier"
    """It was over before the tournament began, or before the match of these two was drawn."""
    OTHER_EVENT = "other_event"
    """It bears the name of another event."""
    NOT_SENT = "not_sent"
    """The two are paired, but the hub did not have the table begin this match: perhaps they played for themselves."""
    NOT_PAIRED = "not_paired"
    """The two are not paired."""
    OTHER_TABLE = "other_table"
    """It is of a match that is played at another table, or at none."""
    HAS_RESULT = "has_result"
    """Its match has another result already."""
    UNFINISHED = "unfinished"
    """The match has ended at its table, and the hub has no result of it."""
    NOT_ENTERED = "not_entered"
    """It cannot be entered just now; that is tried again."""
    OTHER_LENGTH = "other_length"
    """They played to another number of points than the tournament says."""
    HEAD_START = "head_start"
    """Their match begins at another score than the record does."""
    RECORD_CHANGED = "record_changed"
    """The record of a result that was entered says something else now."""


PASSING: Final = frozenset({NoticeKind.UNFINISHED, NoticeKind.NOT_ENTERED})
"""What is no longer so as soon as the result was entered."""


@dataclass(frozen=True, slots=True)
class EveningNotice:
    """A sentence for the director.

    Attributes:
        journal: the match that it is about.
        arguments: what it names: ``table``, ``names``, ``score``, ``length``, ``match``; as ``why`` perhaps a
            sentence that all readers get in their own language.
    """

    kind: NoticeKind
    journal: str
    arguments: Mapping[str, str | SaidInAnyLanguage]

    def said(self) -> tuple[NoticeKind, Mapping[str, str]]:
        """What it says, to be compared with what another one says."""
        named = self.arguments.items()
        return self.kind, {
            name: each if isinstance(each, str) else each.in_language("en") for name, each in named
        }


@dataclass(slots=True)
class EveningNotices:
    """What the director is told just now, one notice a record."""

    version: EveningVersion
    _shown: dict[RecordKey, EveningNotice] = field(default_factory=dict)
    _told: dict[RecordKey, EveningNotice] = field(default_factory=dict)

    def shown(self) -> tuple[EveningNotice, ...]:
        """Those on the director's list, the oldest first."""
        with self.version.lock:
            return tuple(self._shown.values())

    def tell(
        self, kind: NoticeKind, record: RecordKey, arguments: Mapping[str, str | SaidInAnyLanguage]
    ) -> None:
        """Put a notice on the list, in place of another one of the same record."""
        told = EveningNotice(kind, record[1], arguments)
        with self.version.lock:
            before = self._told.get(record)
            # What the director has taken off the list stays off it as long as it says the same.
            if before is None or before.said() != told.said():
                self._shown[record] = self._told[record] = told
                self.version.grow()

    def take_back(self, record: RecordKey) -> None:
        """Take back that a result could not be entered, or did not come."""
        with self.version.lock:
            notice = self._shown.get(record)
            if notice is not None and notice.kind in PASSING:
                del self._shown[record], self._told[record]
                self.version.grow()

    def forget(self, journal: str) -> None:
        """Take the notices of a journal off the list; what they say is not shown again."""
        with self.version.lock:
            for record in [each for each in self._shown if each[1] == journal]:
                del self._shown[record]
            self.version.grow()

    def clear(self) -> None:
        """Take all of them off, with the tournament that they are about."""
        with self.version.lock:
            self._shown.clear()
            self._told.clear()
