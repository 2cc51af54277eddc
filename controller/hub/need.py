"""What needs the director in the hall: of each table its most urgent need, and the tables in that order."""

import re
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

from controller.hub.hall import FAULTS, TableFault, TableShown
from controller.web.wire.attention_kind import AttentionKind

UNSURE_MS: Final = 10_000
"""How long a table may be unsure before the director is told: most doubts end by themselves."""
LOW_S: Final = 120.0
"""A running clock below this many seconds is low."""


class NeedKind(StrEnum):
    """Why a table needs the director; the most urgent first."""

    CALL = "call"
    """Play cannot go on without the director: a clock has run out, or somebody called for them."""
    DISPUTE = "dispute"
    """Somebody disputes a play."""
    FLAGGED = "flagged"
    """An illegal play that is not put right."""
    UNSURE = "unsure"
    """The table has been unsure for more than ten seconds."""
    CLOCK = "clock"
    """A clock runs that has less than two minutes left."""
    SILENT = "silent"
    """Nothing is heard of the table."""
    FAULT = "fault"
    """Something is wrong between the table and the hub, or with one of its devices."""
    RESULT = "result"
    """The match is over, and nobody has confirmed its result."""


URGENCY_OF_NEEDS: Final = {kind: number for number, kind in enumerate(NeedKind)}


@dataclass(frozen=True, slots=True)
class TableNeed:
    """A need of a table.

    Attributes:
        table: its name.
        kind: why.
        since_ms: since when, milliseconds since 1970; 0 if that is not known.
        text: what, in words, as the table says it; empty where the kind says it all.
        fault: what is wrong, if that is the need.
    """

    table: str
    kind: NeedKind
    since_ms: int = 0
    text: str = ""
    fault: TableFault | None = None


@dataclass(frozen=True, slots=True)
class TableInOrder:
    """A table in its place among all, with everything that it needs, the most urgent first."""

    table: TableShown
    needs: tuple[TableNeed, ...] = ()


def tables_by_need(
    tables: Iterable[TableShown], now_ms: int, unconfirmed: Set[str] = frozenset()
) -> tuple[TableInOrder, ...]:
    """All tables: those with the most urgent need first, of one kind the oldest, and then by number.

    Args:
        tables: as they are.
        now_ms: the time of day, milliseconds since 1970.
        unconfirmed: the journals whose result was entered and waits to be confirmed.
    """
    found = [TableInOrder(table, needs_of(table, now_ms, unconfirmed)) for table in tables]
    return tuple(sorted(found, key=_order))


def needs_of(table: TableShown, now_ms: int, unconfirmed: Set[str] = frozenset()) -> tuple[TableNeed, ...]:
    """What one table needs, the most urgent first; see `tables_by_need`."""
    state = table.desk or table.screen or {}
    found = [*_of_matters(table, state, now_ms), *_of_clock(table, state, now_ms), *_of_faults(table)]
    if table.journal in unconfirmed:
        found = [each for each in found if each.kind is not NeedKind.RESULT]
        found.append(TableNeed(table.name, NeedKind.RESULT, table.since_ms))
    return tuple(sorted(found, key=_urgency))


def _urgency(need: TableNeed) -> tuple[int, int, int]:
    fault = len(FAULTS) if need.fault is None else FAULTS[need.fault]
    return URGENCY_OF_NEEDS[need.kind], fault if need.kind is NeedKind.FAULT else 0, need.since_ms


def _order(each: TableInOrder) -> tuple[object, ...]:
    first = _urgency(each.needs[0])[::2] if each.needs else (len(URGENCY_OF_NEEDS), 0)
    return (*first, *number_order(each.table))


def number_order(table: TableShown) -> tuple[int, str, str]:
    """Tables by the number in what people call them; those without one come last."""
    number = re.search(r"\d{1,9}", table.title) or re.search(r"\d{1,9}", table.name)
    return (int(number[0]) if number else 10**9, table.title.casefold(), table.name)


def _of_matters(table: TableShown, state: Mapping[str, Any], now_ms: int) -> Iterator[TableNeed]:
    for matter in state.get("needs") or ():
        since = int(matter.get("since_ms") or 0)
        kind = _kind_of(matter)
        if kind is not None and (kind is not NeedKind.UNSURE or now_ms - since >= UNSURE_MS):
            yield TableNeed(table.name, kind, since, str(matter.get("heading") or ""))


def _kind_of(matter: Mapping[str, Any]) -> NeedKind | None:
    match matter.get("kind"):
        case AttentionKind.TIME:
            return NeedKind.CALL
        case AttentionKind.DISPUTE:
            return NeedKind.CALL if matter.get("turn") is None else NeedKind.DISPUTE
        case AttentionKind.ILLEGAL:
            return NeedKind.FLAGGED
        case AttentionKind.UNSURE:
            return NeedKind.UNSURE
        case AttentionKind.DEVICE:
            return NeedKind.FAULT
        case AttentionKind.RESULT:
            return NeedKind.RESULT
    return None


def _of_clock(table: TableShown, state: Mapping[str, Any], now_ms: int) -> Iterator[TableNeed]:
    clock = state.get("clock") or {}
    runs = clock.get("runs")
    if runs is None or state.get("room") != "playing":
        return
    # A table that has fallen silent may have stopped its clock long ago.
    until_ms = min(now_ms, table.heard_ms) if _is_silent(table) else now_ms
    past_s = max(0, until_ms - int(clock["at_ms"])) / 1000
    left_s = clock[f"{runs}_s"] - max(0.0, past_s - clock["delay_s"])
    if left_s < LOW_S:
        low_for_ms = int((LOW_S - left_s) * 1000)
        yield TableNeed(table.name, NeedKind.CLOCK, max(0, until_ms - low_for_ms))


def _of_faults(table: TableShown) -> Iterator[TableNeed]:
    for each in table.faults:
        kind = NeedKind.SILENT if each.fault is TableFault.SILENT else NeedKind.FAULT
        yield TableNeed(table.name, kind, each.since_ms, fault=each.fault)
    if not table.up and not _is_silent(table):
        yield TableNeed(table.name, NeedKind.SILENT, table.heard_ms)


def _is_silent(table: TableShown) -> bool:
    return any(each.fault is TableFault.SILENT for each in table.faults)
