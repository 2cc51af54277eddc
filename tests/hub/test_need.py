"""What needs the director: the order of tables, and what of a table's screen is a need."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.hub.hall import TableFault, TableFaultSeen, TableShown
from controller.hub.need import URGENCY_OF_NEEDS, NeedKind, needs_of, tables_by_need
from controller.referee import Phase
from controller.web.table_service import Role, RoomState
from tests.hub.stand_in import NOW_MS, snapshot
from tests.rows import each_row

MATTERS = {
    NeedKind.CALL: {"kind": "time", "turn": None},
    NeedKind.DISPUTE: {"kind": "dispute", "turn": {"ply": 3}},
    NeedKind.FLAGGED: {"kind": "illegal", "turn": {"ply": 3}},
    NeedKind.UNSURE: {"kind": "unsure", "turn": None},
    NeedKind.FAULT: {"kind": "device", "turn": None},
    NeedKind.RESULT: {"kind": "result", "turn": None},
}


def table(number: int, *kinds: NeedKind, since_ms: int = NOW_MS - 60_000) -> TableShown:
    """A table that needs the director for these reasons."""
    needs = [
        {"id": kind, "heading": kind, "since_ms": since_ms, **MATTERS[kind]}
        for kind in kinds
        if kind in MATTERS
    ]
    clock = {"light_s": 50.0, "dark_s": 500.0, "runs": "light", "delay_s": 0.0, "at_ms": NOW_MS}
    desk = {"room": "playing", "needs": needs, "clock": clock if NeedKind.CLOCK in kinds else None}
    faults = (TableFaultSeen(TableFault.SILENT, since_ms),) if NeedKind.SILENT in kinds else ()
    return TableShown(f"table-{number}", f"Table {number}", True, NOW_MS, desk=desk, faults=faults)


TABLES = st.lists(
    st.tuples(st.lists(st.sampled_from(NeedKind), max_size=4, unique=True), st.integers(0, 10**6)),
    max_size=12,
).map(
    lambda rows: [
        table(number, *kinds, since_ms=NOW_MS - 20_000 - age)
        for number, (kinds, age) in enumerate(rows, start=1)
    ]
)


@given(TABLES, st.randoms(use_true_random=False))
def test_the_order_is_whole_and_does_not_depend_on_how_tables_come(
    tables: list[TableShown], chance: random.Random
) -> None:
    shuffled = list(tables)
    chance.shuffle(shuffled)
    ordered = [each.table.name for each in tables_by_need(shuffled, NOW_MS)]
    assert ordered == [each.table.name for each in tables_by_need(tables, NOW_MS)]
    assert sorted(ordered) == sorted(each.name for each in tables)


@given(TABLES)
def test_no_table_stands_before_one_with_a_more_urgent_need(tables: list[TableShown]) -> None:
    firsts = [each.needs[0] if each.needs else None for each in tables_by_need(tables, NOW_MS)]
    ranks = [len(URGENCY_OF_NEEDS) if need is None else URGENCY_OF_NEEDS[need.kind] for need in firsts]
    assert ranks == sorted(ranks)


@given(TABLES)
def test_every_reason_is_told_once_and_the_most_urgent_first(tables: list[TableShown]) -> None:
    for each in tables_by_need(tables, NOW_MS):
        wanted = {m["kind"] for m in (each.table.desk or {})["needs"]}
        assert len([n for n in each.needs if n.kind in MATTERS]) == len(wanted)
        ranks = [URGENCY_OF_NEEDS[need.kind] for need in each.needs]
        assert ranks == sorted(ranks)


@each_row(("one", "other"), [*zip(list(NeedKind)[:-1], list(NeedKind)[1:], strict=True)])
def test_each_kind_stands_before_the_next(one: NeedKind, other: NeedKind) -> None:
    ordered = tables_by_need([table(1, other), table(2, one), table(3)], NOW_MS)
    assert [each.table.name for each in ordered] == ["table-2", "table-1", "table-3"]


def test_calm_tables_stand_by_number_and_not_by_letter() -> None:
    ordered = tables_by_need([table(10), table(9), table(2)], NOW_MS)
    assert [each.table.title for each in ordered] == ["Table 2", "Table 9", "Table 10"]


def test_of_one_kind_the_oldest_comes_first() -> None:
    young = table(1, NeedKind.DISPUTE, since_ms=NOW_MS - 1000)
    old = table(2, NeedKind.DISPUTE, since_ms=NOW_MS - 90_000)
    assert [each.table.name for each in tables_by_need([young, old], NOW_MS)] == ["table-2", "table-1"]


@pytest.mark.parametrize(("age_ms", "told"), [(9_999, False), (10_000, True)])
def test_a_doubt_is_told_after_ten_seconds(age_ms: int, told: bool) -> None:
    unsure = table(1, NeedKind.UNSURE, since_ms=NOW_MS - age_ms)
    assert bool(needs_of(unsure, NOW_MS)) is told


@pytest.mark.parametrize(("later_s", "told"), [(0, False), (92, False), (93, True)])
def test_a_clock_that_runs_below_two_minutes_is_told_though_nothing_was_heard(
    later_s: int, told: bool
) -> None:
    clock = {"light_s": 200.0, "dark_s": 30.0, "runs": "light", "delay_s": 12.0, "at_ms": NOW_MS}
    shown = replace(table(1), desk={"room": "playing", "needs": [], "clock": clock})
    assert bool(needs_of(shown, NOW_MS + later_s * 1000)) is told


def test_the_clock_of_a_silent_table_is_not_reckoned_on() -> None:
    clock = {"light_s": 200.0, "dark_s": 200.0, "runs": "light", "delay_s": 0.0, "at_ms": NOW_MS}
    silent = (TableFaultSeen(TableFault.SILENT, NOW_MS),)
    shown = replace(table(1), desk={"room": "playing", "needs": [], "clock": clock}, faults=silent)
    assert [need.kind for need in needs_of(shown, NOW_MS + 3_600_000)] == [NeedKind.SILENT]


def test_a_result_that_waits_is_told_though_the_table_has_gone_on() -> None:
    shown = replace(table(1), journal="0123456789abcdef")
    assert not needs_of(shown, NOW_MS)
    assert [n.kind for n in needs_of(shown, NOW_MS, {"0123456789abcdef"})] == [NeedKind.RESULT]


@pytest.mark.parametrize(
    ("phase", "kind"),
    [
        (Phase.DISPUTE, NeedKind.DISPUTE),
        (Phase.PUT_RIGHT, NeedKind.FLAGGED),
        (Phase.MATCH_OVER, NeedKind.RESULT),
    ],
)
def test_what_a_real_table_shows_the_director_is_understood(phase: Phase, kind: NeedKind) -> None:
    room = RoomState.OVER if phase is Phase.MATCH_OVER else RoomState.PLAYING
    shown = replace(table(1), desk=snapshot(phase, Role.DIRECTOR, room))
    assert kind in {need.kind for need in needs_of(shown, NOW_MS)}


def test_nothing_of_what_spectators_see_is_a_matter() -> None:
    shown = replace(table(1), desk=None, screen=snapshot(Phase.DISPUTE, Role.VIEWER))
    assert not needs_of(shown, NOW_MS)


@each_row("fault", TableFault)
def test_every_fault_is_a_need(fault: TableFault) -> None:
    shown = replace(table(1), faults=(TableFaultSeen(fault, NOW_MS),))
    (need,) = needs_of(shown, NOW_MS)
    assert need.kind is (NeedKind.SILENT if fault is TableFault.SILENT else NeedKind.FAULT)
    assert need.fault is fault
