"""Which of the settled views of a turn came before its dice lay, and which after they were gone."""

from collections.abc import Iterable
from functools import cache

from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.settled import SettledViews
from controller.referee.table.closing import look_of
from controller.rules.position import START
from tests.referee.belief.looks import BESIDE, GOOD, WRONG, rest


@cache
def views() -> SettledViews:
    """Four boards, each of which lay for ten seconds."""
    return tuple(
        rest(board, 10.0 * at, 10.0 * (at + 1)) for at, board in enumerate((START, BESIDE, WRONG, GOOD))
    )


@cache
def seen() -> list[list[int]]:
    return boards(view.visible for view in views())


def boards(looks: Iterable[Evidence]) -> list[list[int]]:
    """The likeliest counts of the 24 points in each look."""
    return [look.points.argmax(axis=1).tolist() for look in looks]


def test_a_view_that_began_when_the_dice_came_to_lie_is_one_of_before() -> None:
    assert boards(look_of(views(), first_t=10.0).before) == seen()[:2]
    assert boards(look_of(views(), first_t=9.9).before) == seen()[:1]


def test_a_view_is_a_pause_where_the_next_began_after_the_dice_were_seen_last() -> None:
    assert boards(look_of(views(), 0.0, last_t=20.0).pauses) == seen()[2:3]
    assert boards(look_of(views(), 0.0, last_t=19.9).pauses) == seen()[1:3]


def test_the_board_stood_for_as_long_as_it_was_seen_and_still_from_when_the_dice_lay() -> None:
    look = look_of(views(), first_t=4.0)
    assert (look.stood_s, look.still_s) == (9.5, 5.5)
    assert look_of(views(), first_t=15.0).still_s == 0.0
    assert boards(look.between) == seen()[1:-1]
