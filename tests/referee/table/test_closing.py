"""Which of the settled views of a turn came before its dice lay, and which after they were gone."""

from collections.abc import Iterable
from dataclasses import replace
from functools import cache

from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.settled import SettledView, SettledViews
from controller.referee.table.closing import look_of, touched_by
from controller.rules.position import START, Side
from controller.vision.geometry.seen import HandSeen
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


def under(*hands: HandSeen) -> SettledView:
    """A board over which these hands had been."""
    return replace(rest(GOOD, 0.0, 1.0), hands=hands)


LIGHTS, DARKS = HandSeen("light", frozenset({6, 8})), HandSeen("dark", frozenset({17, 19}))
NOBODYS = HandSeen(None, frozenset({5, 6}))


def test_a_hand_of_nobody_known_counts_as_of_the_side_whose_hands_alone_were_told_beside_it() -> None:
    by_light = {Side.LIGHT: LIGHTS.points | NOBODYS.points, None: NOBODYS.points}
    assert touched_by((under(LIGHTS, NOBODYS),)) == by_light
    assert touched_by((under(LIGHTS, NOBODYS), under(DARKS))) == {**by_light, Side.DARK: DARKS.points}


def test_beside_hands_of_both_sides_or_of_none_nobody_knows_whose_such_a_hand_was() -> None:
    assert touched_by((under(NOBODYS),)) is None
    assert touched_by((under(LIGHTS, DARKS, NOBODYS),)) is None
    assert touched_by((under(LIGHTS), under(NOBODYS))) is None
