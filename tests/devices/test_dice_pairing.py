"""Single dice become rolls: what is one, what is none, and what people hear of it."""

import pytest

from controller.devices.dice.news import DieBack, DieGone, DieNews, DieState
from controller.devices.dice.pairing import (
    OTHER_DIE_S,
    SOON_S,
    UNSETTLED_S,
    UNTOUCHED_S,
    NoRoll,
    Outcome,
    Pair,
    Pairing,
)
from controller.devices.dice.status import DiceCode
from tests.rows import each_row

R, S, L, H, T = DieState.ROLLING, DieState.SETTLED, DieState.LEANING, DieState.HANDLED, DieState.TURNED
OWN = {"A": "light", "B": "light", "C": "dark", "D": "dark"}


def play(
    pairing: Pairing, *happened: tuple[float, str, DieState, int | None], until: float | None = None
) -> list[Outcome]:
    """What comes of news at their times, with the time told between them and until the end."""
    found: list[Outcome] = []
    for at_s, die, state, face in happened:
        found += pairing.look(at_s)
        found += pairing.hear(DieNews(die, state, at_s, face))
    return found + (pairing.look(until) if until is not None else [])


def roll(
    die: str, face: int, at_s: float, took_s: float = 1.0
) -> list[tuple[float, str, DieState, int | None]]:
    return [(at_s, die, R, None), (at_s + took_s, die, S, face)]


def test_two_dice_that_were_thrown_together_are_a_roll_when_the_second_lies_still() -> None:
    both = sorted([*roll("A", 3, 1.0, 0.8), *roll("B", 1, 1.1, 1.4)])
    assert play(Pairing(), *both, until=20) == [Pair((3, 1), 2.5)]


def test_the_order_of_the_configured_dice_is_that_of_the_roll() -> None:
    pairing = Pairing({"red": "", "blue": ""})
    assert play(pairing, (1.0, "blue", S, 6), (1.2, "red", S, 2)) == [Pair((2, 6), 1.2)]


def test_a_die_that_leans_makes_the_roll_a_cocked_one() -> None:
    assert play(Pairing(), (1.0, "A", S, 6), (1.2, "B", L, 2)) == [Pair((6, 2), 1.2, cocked=True)]


@each_row(
    ("news", "code"),
    [
        ((1.5, "A", R, None), DiceCode.ROLLED_TWICE),
        ((1.5, "A", S, 4), DiceCode.ROLLED_TWICE),
        ((1.5, "A", H, None), DiceCode.PICKED_UP),
        ((1.5, "A", T, 5), DiceCode.TURNED),
    ],
)
def test_a_die_that_is_touched_before_the_other_lies_still_makes_no_roll_and_that_is_told(
    news: tuple[float, str, DieState, int | None], code: DiceCode
) -> None:
    pairing = Pairing()
    told = play(pairing, (0.1, "A", R, None), (0.1, "B", R, None), (1.0, "A", S, 3), news)
    (said,) = told
    assert isinstance(said, NoRoll)
    assert (said.code, said.die) == (code, "A")
    assert play(pairing, (2.0, "A", S, 2), (2.2, "B", S, 6)) == [], "what still rolled belongs to that throw"


def test_after_a_throw_that_was_void_the_next_one_counts() -> None:
    pairing = Pairing()
    void = play(pairing, (0.1, "A", R, None), (0.1, "B", R, None), (1.0, "A", S, 3), (1.5, "A", R, None))
    assert len(void) == 1
    again = sorted([*roll("A", 6, 2.0), *roll("B", 5, 2.1)])
    assert play(pairing, *again) == [Pair((6, 5), 3.1)]


def test_a_die_that_is_pushed_and_shows_the_same_still_counts() -> None:
    assert play(Pairing(), (1.0, "A", S, 3), (1.2, "A", T, 3), (1.4, "B", S, 1)) == [Pair((3, 1), 1.4)]


def test_a_die_that_stays_alone_is_told_within_two_seconds_and_is_no_part_of_the_next_roll() -> None:
    pairing = Pairing()
    told = play(pairing, *roll("A", 3, 0.0), until=1.01 + SOON_S)
    assert told == [NoRoll(DiceCode.ALONE, "A", 3)]
    assert SOON_S < 2.0
    assert play(pairing, (3.5, "B", S, 6), (3.6, "A", R, None), (4.5, "A", S, 1)) == [Pair((1, 6), 4.5)]


def test_dice_that_roll_and_are_not_heard_to_settle_are_told_once_and_count_when_they_are() -> None:
    pairing = Pairing()
    thrown = [(0.0, "A", R, None), (0.1, "B", R, None)]
    assert play(pairing, *thrown, until=3.5) == [NoRoll(DiceCode.UNSETTLED, "A, B")]
    assert play(pairing, (4.0, "A", S, 2), (4.3, "B", S, 5)) == [Pair((2, 5), 4.3)], (
        "they were shaken in a cup"
    )


def test_a_die_that_is_thrown_anew_without_the_other_after_a_void_throw_is_told() -> None:
    pairing = Pairing()
    void = [(0.0, "A", R, None), (0.1, "B", R, None), (0.7, "A", S, 3), (1.0, "A", R, None)]
    assert [each.code for each in play(pairing, *void) if isinstance(each, NoRoll)] == [DiceCode.ROLLED_TWICE]
    anew = [(2.0, "B", R, None), (2.6, "A", S, 5), (2.8, "B", S, 6)]
    assert play(pairing, *anew) == [NoRoll(DiceCode.ALONE, "B", 6)]


def test_what_was_told_as_no_roll_stays_none_even_if_the_other_die_comes_to_rest() -> None:
    pairing = Pairing()
    thrown = [(0.0, "A", R, None), (0.0, "B", R, None), (0.5, "A", S, 3)]
    assert play(pairing, *thrown, until=2.2) == [NoRoll(DiceCode.ALONE, "A", 3)]
    assert play(pairing, (2.5, "B", S, 4), until=4.2) == [NoRoll(DiceCode.ALONE, "B", 4)]


def test_dice_that_tell_only_their_faces_are_waited_for_longer() -> None:
    pairing = Pairing()
    assert play(pairing, (0.0, "A", S, 3), until=OTHER_DIE_S - 0.1) == []
    assert play(pairing, until=OTHER_DIE_S) == [NoRoll(DiceCode.ALONE, "A", 3)]


def test_a_die_that_was_turned_by_hand_is_told_unless_it_is_thrown_then() -> None:
    assert play(Pairing(), (0.0, "A", T, 4), until=UNTOUCHED_S) == [NoRoll(DiceCode.TURNED, "A", 4)]
    thrown = [(0.0, "A", T, 4), (0.5, "A", R, None), (0.5, "B", R, None), (1.4, "A", S, 3), (1.5, "B", S, 3)]
    assert play(Pairing(), *thrown, until=9) == [Pair((3, 3), 1.5)]


def test_dice_that_are_both_picked_up_and_put_down_again_trouble_nobody() -> None:
    assert play(Pairing(), (0.0, "A", T, 4), (1.0, "B", T, 2), until=9) == []


def test_dice_that_both_rolled_too_little_are_told() -> None:
    thrown = [(0.0, "A", R, None), (0.0, "B", R, None), (0.3, "A", T, 4), (0.4, "B", T, 2)]
    assert play(Pairing(), *thrown, until=9) == [NoRoll(DiceCode.TURNED, "A", 4)]


def test_what_was_no_roll_tells_whose_dice_they_were() -> None:
    assert play(Pairing(OWN), (0.0, "C", S, 4), until=9) == [NoRoll(DiceCode.ALONE, "C", 4, "dark")]


def test_a_die_that_never_comes_to_rest_is_told() -> None:
    told = play(Pairing(), (0.0, "A", R, None), until=UNSETTLED_S)
    assert told == [NoRoll(DiceCode.UNSETTLED, "A")]


def test_a_die_that_was_lost_is_no_part_of_a_roll_until_it_is_thrown_again() -> None:
    pairing = Pairing()
    play(pairing, (0.0, "A", R, None), (1.0, "A", S, 3))
    assert pairing.hear(DieGone("A")) == pairing.hear(DieBack("A")) == []
    assert play(pairing, (1.2, "B", S, 6), (1.5, "A", R, None), (2.0, "A", S, 5)) == [Pair((5, 6), 2.0)]


def test_a_unit_that_is_back_begins_anew() -> None:
    pairing = Pairing()
    play(pairing, (0.0, "", S, 3))
    pairing.hear(DieBack())
    assert play(pairing, (0.5, "", S, 4), (0.6, "", S, 5)) == [Pair((4, 5), 0.6)]


def test_dice_of_two_sets_are_never_mixed() -> None:
    pairing = Pairing(OWN)
    thrown = [(0.0, "A", S, 1), (0.1, "C", S, 2), (0.2, "D", S, 3), (0.3, "B", S, 4)]
    assert play(pairing, *thrown) == [Pair((2, 3), 0.2, owner="dark"), Pair((1, 4), 0.3, owner="light")]


@pytest.mark.parametrize("first", ["A", "C"])
def test_at_the_opening_one_die_of_each_side_is_the_roll_however_late_the_other_comes(first: str) -> None:
    pairing = Pairing(OWN)
    pairing.expect(opening=True)
    faces = {"A": 5, "C": 2}
    second = "C" if first == "A" else "A"
    thrown = [*roll(first, faces[first], 0.0), *roll(second, faces[second], 30.0)]
    assert play(pairing, *thrown, until=90) == [Pair((5, 2), 31.0)]


def test_at_the_opening_a_player_who_throws_both_dice_has_thrown_a_pair() -> None:
    pairing = Pairing(OWN)
    pairing.expect(opening=True)
    both = sorted([*roll("A", 3, 0.0), *roll("B", 1, 0.1), *roll("C", 6, 0.0, 0.5)])
    assert play(pairing, *both)[0] == Pair((3, 1), 1.1, owner="light")
