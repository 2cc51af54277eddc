"""Prizes are the shares of the pot, to the cent, and alike for who shares a place."""

import csv
import io
import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import format_names, load_format, parse_format
from controller.tournament.changes import Report as Given
from controller.tournament.changes import begin, draw, report
from controller.tournament.fault import TournamentError
from controller.tournament.prizes import event_pot, pool_prizes, prizes, with_shares
from controller.tournament.sheets.data import tournament_csv, tournament_json
from controller.tournament.sheets.lines import prizes_lines, standings_lines
from controller.tournament.sheets.page import tournament_html
from controller.tournament.standings import standing_tables
from controller.tournament.tournament import Tournament, fold
from tests.tournament.evenings import opening, play_on


def over(chosen: str, players: int, seed: int = 1) -> Tournament:
    made = load_format(chosen)
    return fold(play_on([begin("Cup", made, "1"), *opening(made, players)[1:]], random.Random(seed)))


def cents(tournament: Tournament, pot: int) -> Iterator[list[int]]:
    for _, given_here in prizes(tournament, pot):
        yield [each.cents for each in given_here]


def test_who_shares_a_place_shares_its_prizes() -> None:
    made = with_shares(over("single-elimination", 4), (50.0, 30.0, 20.0))
    assert [*cents(made, 10_000)] == [[5000, 3000, 1000, 1000]]
    said = prizes_lines(made, 10_000)
    assert said.endswith("10.00")
    assert "3-4" in said


def test_brackets_have_shares_of_their_own() -> None:
    rules = parse_format(
        "[consolation]\nrounds = 2\n[prizes]\nshares = [40, 25]\nconsolation = [25, 10]", "x", "x"
    )
    made = fold(play_on(opening(rules, 8), random.Random(2)))
    assert [*cents(made, 64_000)] == [[25_600, 16_000], [16_000, 6_400]]


def test_a_cent_that_is_left_goes_to_the_best_place() -> None:
    rules = parse_format(
        '[stage]\nkind = "rounds"\nrounds = 1\ntie_breaks = []\n[prizes]\nshares = [100]', "x", "x"
    )
    events = opening(rules, 6)
    events.append(draw(events))
    for number in (1, 2, 3):
        events.append(report(events, Given(number, (7, 0))))
    assert [*cents(fold(events), 10_000)] == [[3334, 3333, 3333]]


def test_groups_have_equal_parts() -> None:
    rules = parse_format(
        '[stage]\nkind = "round_robin"\ngroups_of = 4\ntie_breaks = ["lot"]\n[prizes]\nshares = [60, 40]',
        "x",
        "x",
    )
    made = fold(play_on(opening(rules, 8), random.Random(2)))
    assert [*cents(made, 10_001)] == [[3001, 2000], [3000, 2000]]


def test_prizes_wait_for_the_end_and_need_shares() -> None:
    with pytest.raises(TournamentError, match="Cup is not over"):
        prizes(fold(opening("swiss", 4)), 100)
    with pytest.raises(TournamentError, match="gives no prizes; give shares"):
        prizes(over("swiss", 4), 100)
    with pytest.raises(TournamentError, match="110 percent together"):
        with_shares(over("swiss", 4), (60.0, 50.0))
    with pytest.raises(TournamentError, match=r"99\.5 percent together"):
        with_shares(over("swiss", 4), (100.0, -0.5))
    with pytest.raises(TournamentError, match="110 percent together; give at most 100"):
        parse_format('[stage]\nkind = "brackets"\n[prizes]\nshares = [60, 50]', "x", "x")


@pytest.mark.parametrize("chosen", format_names())
@given(
    players=st.integers(2, 14),
    pot=st.integers(0, 10**7),
    shares=st.lists(st.sampled_from([0.5, 7.0, 10.0, 12.5, 22.5]), max_size=4),
)
@settings(deadline=None, max_examples=6)
def test_the_prizes_are_the_shares_of_the_pot(
    chosen: str, players: int, pot: int, shares: list[float]
) -> None:
    made = with_shares(over(chosen, players, pot), (10.0, *shares))
    given_here = [prize for _, rows in prizes(made, pot) for prize in rows]
    reached = {at for each in given_here for at in range(each.place, each.last + 1)}
    parts = [10.0, *shares][: max(reached, default=0)]
    assert sum(each.cents for each in given_here) == int(pot * int(2 * sum(parts)) // 200)
    for one in given_here:
        for other in given_here:
            if (one.place, one.last) == (other.place, other.last):
                assert abs(one.cents - other.cents) <= 1
            elif one.last < other.place and sorted(parts, reverse=True) == parts:
                assert one.cents >= other.cents


PAID = parse_format(
    '[stage]\nkind = "rounds"\nrounds = 2\ntie_breaks = ["lot"]\n'
    "[prizes]\nfee = 20.1\nadded = 9.5\nshares = [50, 30, 20]",
    "x",
    "x",
)


def test_what_players_add_is_shared_on_every_sheet_once_the_event_is_over() -> None:
    events = opening(PAID, 5)
    assert event_pot(fold(events)) == 5 * 2010 + 950
    assert json.loads(tournament_json(fold(events)))["prizes"] == []
    assert "prize" not in standings_lines(fold(events))
    made = fold(play_on(events, random.Random(4)))
    told = json.loads(tournament_json(made))
    assert told["pot_cents"] == 11_000
    assert [each["cents"] for each in told["prizes"]] == [5500, 3300, 2200]
    rows = [*csv.reader(io.StringIO(tournament_csv(made, "standings")))]
    assert [row[-1] for row in rows] == ["prize", "55.00", "33.00", "22.00", "", ""]
    assert ">33.00</td>" in tournament_html(made)
    assert "33.00" in standings_lines(made)


def test_only_those_in_a_side_pool_have_places_in_it() -> None:
    made = fold(play_on(opening(PAID, 5), random.Random(4)))
    second, fourth = (standing_tables(made)[0].rows[at].player for at in (1, 3))
    ((_, given_here),) = pool_prizes(made, 5001, {second, fourth})
    assert [(each.player, each.place, each.cents) for each in given_here] == [
        (second, 1, 2500),
        (fourth, 2, 1500),
    ]
    groups = parse_format('[stage]\nkind = "round_robin"\ngroups_of = 4\n[prizes]\nshares = [100]', "x", "x")
    with pytest.raises(TournamentError, match="no table of all"):
        pool_prizes(fold(play_on(opening(groups, 8), random.Random(1))), 100, {1, 2})
