"""What can be seen of a position without an engine."""

from controller.analysis.why.facts import facts_of
from controller.rules import START, Position, Side

POINT = Position.from_compact("b...BD.B...eE...c.e....B..")
"""After 8/5 6/5 from the start."""
SLOT = Position.from_compact("b...AD.C...eE...c.e....B..")
"""A single checker on light's 5-point, within reach of dark's two on the 1-point."""


def test_a_blot_four_points_away_is_hit_by_fifteen_of_the_36_throws() -> None:
    # Eleven throws with a four, 3-1 both ways, 2-2 and 1-1.
    facts = facts_of(SLOT, Side.LIGHT)
    assert (facts.shots, facts.blots) == (15, frozenset({5}))


def test_a_position_without_blots_has_no_shots() -> None:
    assert facts_of(POINT, Side.LIGHT).shots == 0
    assert facts_of(POINT, Side.LIGHT).points == {5, 6, 8, 13, 24}


def test_a_checker_that_nobody_has_to_pass_any_more_is_no_blot() -> None:
    past = Position.from_compact("A......................b..")
    assert facts_of(past, Side.LIGHT).blots == frozenset()


def test_both_sides_see_the_same_in_the_mirror() -> None:
    assert facts_of(SLOT.mirrored(), Side.DARK) == facts_of(SLOT, Side.LIGHT)
    assert facts_of(START, Side.DARK) == facts_of(START, Side.LIGHT)


def test_made_points_in_a_row_are_counted_and_back_checkers_too() -> None:
    facts = facts_of(Position.from_compact("a..BBBBB.B................"), Side.LIGHT)
    assert facts.prime == 5
    assert facts_of(START, Side.LIGHT).back == 2


def test_points_that_nobody_has_to_pass_any_more_are_no_prime() -> None:
    assert facts_of(Position.from_compact("...BBBBB.B.........a......"), Side.LIGHT).prime == 0
