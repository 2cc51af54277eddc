"""The count by which the small player doubles and takes in a race."""

import pytest

from controller.partner.mind import EngineMind, RuleOfThumb
from controller.partner.race import race_count, race_doubles, race_takes
from controller.rules import Position, Side
from controller.rules.forms.xgid import MatchState
from tests.analysis.engines import ENGINES
from tests.rows import each_row


def board(light: dict[int, int], dark: dict[int, int]) -> Position:
    """Checkers by point, each side's as it counts."""
    points = [light.get(point, 0) - dark.get(25 - point, 0) for point in range(1, 25)]
    return Position.seen(points)


@each_row(
    ("light", "count"),
    [
        ({6: 2, 5: 2, 4: 2}, 30),
        ({6: 2, 5: 2, 4: 2, 1: 3}, 33 + 4),
        ({6: 2, 5: 2, 4: 2, 2: 3}, 36 + 2),
        ({6: 2, 5: 2, 4: 2, 3: 5}, 45 + 2),
        ({3: 2}, 6 + 3),
    ],
)
def test_checkers_that_waste_pips_are_counted_more(light: dict[int, int], count: int) -> None:
    position = board(light, {6: 2, 5: 2, 4: 2})
    assert race_count(position, Side.LIGHT) == count
    assert race_count(position.mirrored(), Side.DARK) == count


def race(trails: int) -> Position:
    """Light has 70 pips and dark so many more, without waste on either side."""
    plain = {6: 7, 5: 4, 4: 2}
    return board(plain, plain | {trails: plain.get(trails, 0) + 1} if trails else plain)


@each_row(
    ("trails", "doubles", "redoubles", "takes"),
    [
        (5, False, False, True),
        (6, True, False, True),
        (7, True, True, True),
        (8, True, True, True),
        (9, True, True, False),
    ],
)
def test_who_leads_by_enough_doubles_and_who_trails_by_too_much_passes(
    trails: int, doubles: bool, redoubles: bool, takes: bool
) -> None:
    position = race(trails)
    assert race_doubles(position, Side.LIGHT, owns_cube=False) is doubles
    assert race_doubles(position, Side.LIGHT, owns_cube=True) is redoubles
    assert race_takes(position, Side.DARK) is takes


def test_who_will_win_a_gammon_plays_on_for_it_unless_gammons_do_not_count() -> None:
    position = board({1: 2}, {13: 3, 8: 6, 6: 6})
    assert not race_doubles(position, Side.LIGHT, owns_cube=False)
    assert race_doubles(position, Side.LIGHT, owns_cube=False, gammons=False)
    mind = RuleOfThumb()
    assert not mind.doubles(position, MatchState())
    assert mind.doubles(position, MatchState(jacoby=True))
    assert not mind.doubles(position, MatchState(jacoby=True, owner=Side.LIGHT))


def test_who_has_many_checkers_left_wins_no_gammon_however_few_their_pips() -> None:
    """Fifteen on the ace take eight rolls, two pips each; in five the other side has borne off its first."""
    assert race_doubles(board({1: 15}, {13: 3, 8: 6, 6: 6}), Side.LIGHT, owns_cube=False)


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_decides_about_the_cube_itself(engine: str) -> None:
    mind = EngineMind("bgsage" if engine == "bgsage" else "gnubg")
    even, lost = race(0), race(24)
    assert not mind.doubles(even, MatchState())
    assert mind.takes(even, MatchState())
    assert mind.doubles(lost, MatchState())
    assert not mind.takes(lost, MatchState())
    mind.close()


def test_chance_is_in_an_engines_cube_decisions_too() -> None:
    near = race(6)
    minds = [EngineMind("bgsage", 0, 0.3) for _ in range(30)]
    assert len({mind.doubles(near, MatchState()) for mind in minds}) == 2
