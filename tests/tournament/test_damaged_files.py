"""Whatever a file holds, it is read or refused in words: nothing of it can bring the program down."""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import UserError
from controller.tournament.catalogue import format_names
from controller.tournament.entry import tidy
from controller.tournament.entry_list import listed_players, pasted_players
from controller.tournament.events import event_from, event_record
from controller.tournament.fault import RefusalError
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.lines import log_lines, overview, standings_lines
from controller.tournament.sheets.page import tournament_html
from controller.tournament.tournament import fold
from tests.tournament.evenings import opening, play_on

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 40),
    st.sampled_from(["", "winner", "loser", "bye", "entry", "seed", "main", "title", "walkover", "played"]),
    st.sampled_from([[], {}, [1], [[1, 2]], 0.5, 10**30, float("inf"), float("nan")]),
)


def places(value: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every way into a record."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [way, *(each for name, part in inside for each in places(part, (*way, name)))][0 if way else 1 :]


def changed(value: Any, way: tuple[Any, ...], other: Any) -> Any:
    if not way:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(value[way[0]], way[1:], other)
    return copy


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(format_names()), st.integers(0, 2**32), ODD, st.data())
def test_a_file_with_anything_in_the_place_of_a_value_is_read_or_refused(
    chosen: str, seed: int, other: Any, data: st.DataObject
) -> None:
    events = play_on(opening(chosen, 5), random.Random(seed), wild=0.2)
    records = [event_record(each) for each in events]
    number = data.draw(st.integers(0, len(records) - 1))
    way = data.draw(st.sampled_from(places(records[number])))
    records[number] = changed(records[number], way, other)
    with suppress(UserError):
        read = [event_from(each, "line") for each in records]
        tournament = fold(read)
        overview(tournament, everything=True)
        standings_lines(tournament)
        log_lines(tournament, read, [""] * len(read))
        tournament_json(tournament)
        tournament_csv(tournament, "matches")
        tournament_html(tournament)


def test_a_file_with_a_name_without_end_is_refused_in_a_short_sentence() -> None:
    records = [event_record(each) for each in opening("swiss", 5)]
    for key in ("name", "club"):
        record = {**records[1], key: "x" * 100_000}
        with pytest.raises(UserError, match="line: something is missing or wrong in this event") as caught:
            event_from(record, "line")
        assert len(str(caught.value)) < 250


@pytest.mark.parametrize("read", [listed_players, pasted_players])
@pytest.mark.parametrize("head", ["name,rating,", "name,"])
def test_a_list_of_players_with_a_heading_without_end_is_refused_in_a_short_sentence(
    read: Callable[[str, str], object], head: str
) -> None:
    for cell in ("x" * 140_000, '"' + "x" * 140_000, "x" * 5_000):
        with pytest.raises(RefusalError) as caught:
            read(f"{head}{cell}\nAnn,5,6\n", "players.csv")
        assert len(str(caught.value)) < 250


def test_a_name_without_end_is_refused_in_a_short_sentence() -> None:
    with pytest.raises(RefusalError) as caught:
        tidy("x" * 100_000)
    assert len(str(caught.value)) < 250


def test_rounds_in_a_file_whose_format_names_none_are_shown_all_the_same() -> None:
    records = [event_record(each) for each in play_on(opening("club-evening", 5), random.Random(0))]
    format_told = dict(records[0]["format"])
    format_told["stage"] = {}
    tournament = fold(
        [event_from(each, "line") for each in [{**records[0], "format": format_told}, *records[1:]]]
    )
    assert overview(tournament, everything=True)
