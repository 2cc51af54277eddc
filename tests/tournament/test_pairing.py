"""A round that is drawn is the best of all rounds that could be, by the weights that are published."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.tournament.catalogue import load_format
from controller.tournament.changes import EntryWish, begin, draw, enter
from controller.tournament.draw import is_over
from controller.tournament.entry import Entry
from controller.tournament.events import MatchesDrawn, ResultReported, TournamentEvent
from controller.tournament.format import Family
from controller.tournament.match import ReportedResult
from controller.tournament.matching import pair_cheaply
from controller.tournament.pairing import clash
from controller.tournament.tournament import fold
from tests.tournament.evenings import any_result, drawn_pairs, open_matches, opening

Pairs = tuple[tuple[int, ...], ...]


def all_rounds(players: tuple[int, ...]) -> Iterator[Pairs]:
    """Every way to pair these players, one of an odd number left alone."""
    if not players:
        yield ()
        return
    first, rest = players[0], players[1:]
    if len(players) % 2:
        for alone in players:
            others = tuple(each for each in players if each != alone)
            yield from (((alone,), *pairs) for pairs in all_rounds(others))
        return
    for other in rest:
        left = tuple(each for each in rest if each != other)
        yield from (((first, other), *pairs) for pairs in all_rounds(left))


class History:
    """What a round is weighed by, counted from the events alone."""

    def __init__(self, events: Sequence[TournamentEvent], lives: int | None) -> None:
        self.byes: Counter[int] = Counter()
        self.met: Counter[frozenset[int]] = Counter()
        self.lost: Counter[int] = Counter()
        self.won: Counter[int] = Counter()
        self.floated: dict[int, int] = {}
        self.lives = lives
        for event in events:
            if isinstance(event, MatchesDrawn):
                standing = {each: self.standing(each) for pair in drawn_pairs(event) for each in pair}
                self.floated = {}
                for pair in drawn_pairs(event):
                    if len(pair) == 1:
                        self.byes[pair[0]] += 1
                    else:
                        self.met[frozenset(pair)] += 1
                        self.floated[pair[0]] = standing[pair[1]] - standing[pair[0]]
                        self.floated[pair[1]] = -self.floated[pair[0]]
            if isinstance(event, ResultReported):
                self.won[event.result.winner] += 1
                self.lost[event.result.loser] += 1

    def standing(self, player: int) -> int:
        if self.lives is not None:
            return -self.lost[player]
        return 2 * (self.won[player] + self.byes[player])

    def weigh(self, pairs: Pairs) -> tuple[int, ...]:
        here = [each for pair in pairs for each in pair]
        worst = min(map(self.standing, here))
        alone = [pair[0] for pair in pairs if len(pair) == 1]
        both = [pair for pair in pairs if len(pair) == 2]
        gaps = [self.standing(one) - self.standing(other) for one, other in both]
        floats = 0
        for (one, other), gap in zip(both, gaps, strict=True):
            high, low = (one, other) if gap > 0 else (other, one)
            if gap:
                floats += (self.floated.get(high, 0) < 0) + (self.floated.get(low, 0) > 0)
        return (
            sum(self.byes[each] for each in alone),
            sum(self.met[frozenset(pair)] for pair in both),
            sum(self.standing(each) - worst for each in alone),
            0,
            sum(gap * gap for gap in gaps),
            floats,
        )


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["swiss", "moreswiss", "three-lives"]),
    st.integers(2, 8),
    st.integers(1, 6),
    st.integers(0, 2**32),
)
def test_no_other_round_of_up_to_eight_players_is_better(
    chosen: str, players: int, rounds: int, seed: int
) -> None:
    chance = random.Random(seed)
    events = opening(chosen, players)
    lives = load_format(chosen).stage.lives
    for _ in range(rounds):
        history = History(events, lives)
        if is_over(fold(events)):
            return
        drawn = draw(events)
        here = tuple(each for each in range(1, players + 1) if history.lost[each] < (lives or 99))
        best = min(map(history.weigh, all_rounds(here)))
        assert history.weigh(tuple(drawn_pairs(drawn))) == best
        assert tuple(drawn.totals.values()) == best
        events.append(drawn)
        for state in open_matches(fold(events)):
            events.append(ResultReported(state.match.number, any_result(state, chance)))


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 3), st.integers(0, 2**32))
def test_the_first_cost_of_all_pairs_counts_before_the_second_of_any(half: int, seed: int) -> None:
    chance = random.Random(seed)
    people = tuple(range(2 * half + 2))
    costs = {
        (one, other): (chance.randrange(3), chance.randrange(3), chance.randrange(64))
        for one in people
        for other in people[one + 1 :]
    }

    def total(pairs: Pairs) -> tuple[int, ...]:
        return tuple(map(sum, zip(*(costs[pair[0], pair[1]] for pair in pairs), strict=True)))

    assert total(tuple(pair_cheaply(costs))) == min(map(total, all_rounds(people)))


def test_the_pairs_of_the_director_stay_and_the_others_are_drawn_around_them() -> None:
    events = opening("swiss", 9)
    drawn = drawn_pairs(draw(events, pairs=[("P1", "P2"), ("P3", "P4")]))
    assert drawn[:2] == [(1, 2), (3, 4)]
    assert sorted(each for pair in drawn for each in pair) == list(range(1, 10))


def test_a_round_is_listed_from_the_best_records_down_with_the_bye_at_its_end() -> None:
    for seed in range(10):
        chance = random.Random(seed)
        events = opening("swiss", 7, seed=str(seed))
        for _ in range(4):
            history, drawn = History(events, None), draw(events)
            *pairs, alone = drawn_pairs(drawn)
            assert [len(pair) for pair in pairs] == [2, 2, 2]
            assert len(alone) == 1
            best = [max(map(history.standing, pair)) for pair in pairs]
            assert best == sorted(best, reverse=True)
            events.append(drawn)
            for state in open_matches(fold(events)):
                events.append(ResultReported(state.match.number, any_result(state, chance)))


def test_a_family_keeps_two_apart_before_club_and_country_together_and_a_club_before_a_country() -> None:
    one = Entry(1, "A", club="C", country="HU", family="F")
    family, club, both, country = (
        clash(one, other, list(Family))
        for other in (
            Entry(2, "B", family="f"),
            Entry(3, "C", club="c", country="SK"),
            Entry(4, "D", club="c", country="hu"),
            Entry(5, "E", country="hu"),
        )
    )
    assert family > both > club > country > 0
    assert clash(one, Entry(6, "F"), list(Family)) == clash(Entry(7, "G"), Entry(8, "H"), list(Family)) == 0
    assert clash(one, Entry(2, "B", family="f"), [Family.CLUB]) == 0


def test_families_do_not_meet_in_the_first_round_and_meet_later_where_their_records_say_so() -> None:
    for seed in range(10):
        wishes = [EntryWish(name, family=name[0]) for name in ("A1", "A2", "B1", "B2")]
        begun: list[TournamentEvent] = [begin("Cup", load_format("swiss"), str(seed))]
        events = [*begun, *enter(begun, wishes)]
        family = {entry.number: entry.family for entry in fold(events).entries.values()}
        events.append(draw(events))
        for first, second in drawn_pairs(events[-1]):
            assert family[first] != family[second]
        for state in open_matches(fold(events)):
            one, other = state.players
            result = (state.match.length, 0) if family[one] == "A" else (0, state.match.length)
            events.append(ResultReported(state.match.number, ReportedResult((one, other), result)))
        for first, second in drawn_pairs(draw(events)):
            assert family[first] == family[second]
