"""Every event in every state has an answer, and the page tells it."""

from dataclasses import fields
from random import Random
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from controller.referee.actions import Phase
from controller.referee.events import Event, Ticked
from controller.referee.table.machine import step
from controller.referee.table.state import Table
from tests.referee.table.page import PAGE, walk, written
from tests.referee.table.scenes import SCENES, happenings
from tests.rows import each_row


def test_the_walk_goes_through_every_state_and_every_kind_of_event() -> None:
    assert set(SCENES) == set(Phase)
    assert {type(event) for event in happenings(SCENES[Phase.MOVING]()).values()} == set(get_args(Event))


def test_the_page_tells_what_every_event_does_in_every_state() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert page == written(page, walk())


def changed_parts(before: Table, after: Table) -> list[str]:
    return [
        item.name for item in fields(before) if getattr(before, item.name) is not getattr(after, item.name)
    ]


@each_row("phase", Phase)
def test_time_alone_changes_no_part_of_a_table(phase: Phase) -> None:
    evening = SCENES[phase]()
    evening.tell(Ticked(evening.t))
    before = evening.table
    after, actions = step(before, Ticked(evening.t + 0.25))
    assert not actions
    assert changed_parts(before, after) == ["t"]


@each_row("phase", Phase)
def test_a_board_that_is_only_seen_to_be_the_same_changes_no_part_of_a_table_either(phase: Phase) -> None:
    evening = SCENES[phase]()
    evening.stay()
    evening.stay()
    before = evening.table
    assert not evening.stay()
    assert changed_parts(before, evening.table) == ["t"]


def coherent(table: Table) -> None:
    """What holds in every state, whatever has happened."""
    game = table.match.game
    if table.phase in (Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT):
        assert table.thrown is not None
        assert game.turn is table.thrown.side
        assert bool(game.dice) == (game.turn is not None)
    if table.phase is Phase.TO_ROLL:
        assert table.thrown is None
        assert not game.dice
        assert game.turn is not None
    assert (table.phase is Phase.PUT_RIGHT) <= (table.flagged is not None)
    assert (table.phase is Phase.CUBE_OFFERED) <= (game.offer is not None)
    assert (table.phase is Phase.RESIGNATION_OFFERED) <= (game.resignation is not None)
    assert (table.phase is Phase.MATCH_OVER) >= (table.match.winner is not None)
    assert bool(table.back) >= (table.phase in (Phase.PAUSED, Phase.DISPUTE))
    assert {len(branch.history) for branch in table.beam} == {len(table.closings)}
    if table.phase in (Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT):
        assert game.turn in {branch.side for branch in table.beam}
        assert game.position in {branch.position for branch in table.beam}


@pytest.mark.parametrize("phase", Phase)
@given(names=st.lists(st.integers(0, 10_000), min_size=1, max_size=25))
@example(names=[46, 0, 46])
@example(names=[46, 56, 0, 46])
@example(names=[16, 0, 0, 0, 8, 8])
@settings(max_examples=50, deadline=None)
def test_no_order_of_events_breaks_the_table(phase: Phase, names: list[int]) -> None:
    evening = SCENES[phase]()
    for number in names:
        events = list(happenings(evening).values())
        evening.t += 0.5
        evening.tell(events[number % len(events)])
        coherent(evening.table)


@pytest.mark.parametrize("seed", range(3))
def test_the_same_events_give_the_same_actions_to_the_letter(seed: int) -> None:
    evening = SCENES[Phase.MOVING]()
    start, rng, told = evening.table, Random(seed), []
    events = []
    for _ in range(60):
        events.append(rng.choice(list(happenings(evening).values())))
        evening.t += 0.5
        told.append(evening.tell(events[-1]))
    again = start
    for event, expected in zip(events, told, strict=True):
        again, actions = step(again, event)
        assert actions == expected
