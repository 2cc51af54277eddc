"""What the director is told of records that are no results, or not yet."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.hub.evening.sent_match import SaidInAnyLanguage


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
