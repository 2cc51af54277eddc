from dataclasses import replace
from math import exp, log

import pytest

from controller.referee.caution import Caution
from controller.referee.seeing.sightings import (
    DICE_CERTAIN,
    JUST_THERE,
    MISREAD,
    STATED,
    Place,
    Sightings,
    number_shares,
)
from controller.rules.position import Roll
from controller.vision.reading import DieSeen
from tests.rows import each_row

CAUTION = Caution()
Seen = tuple[tuple[int, float, float], ...]
ONE: Seen = ((3, 100, 100), (1, 150, 120))
OTHER: Seen = ((6, 300, 110), (6, 340, 180))
THIRD: Seen = ((5, 200, 300), (2, 240, 260))


def follow(*pictures: Seen, confidence: float = 0.95) -> tuple[Sightings, list[float]]:
    """The sightings after pictures a second apart, and when rolls came."""
    sightings, rolls = Sightings(), []
    for t, picture in enumerate(pictures):
        dice = tuple(DieSeen(value, x, y, confidence) for value, x, y in picture)
        sightings, since = sightings.with_dice(dice, float(t))
        if since is not None:
            rolls.append(since)
    return sightings, rolls


def against_best(sightings: Sightings) -> dict[Roll, float]:
    """How much less likely each roll is than the likeliest (log-odds)."""
    rolls = sightings.rolls(CAUTION)
    best = max(rolls.values())
    return {roll: share - best for roll, share in rolls.items()}


def likeliest(sightings: Sightings) -> Roll:
    """The roll that the dice show."""
    (best,) = (roll for roll, share in against_best(sightings).items() if share == 0)
    return best


def test_what_the_dice_may_show_is_one_of_the_rolls() -> None:
    rolls = lying(*[(0.01, 0.01, 0.44, 0.01, 0.52, 0.01)] * 3).rolls(CAUTION)
    assert sum(map(exp, rolls.values())) == pytest.approx(1.0)


def lying(*shares: tuple[float, ...]) -> Sightings:
    """A roll of a sure 1 and a die that each picture shows with other shares of the numbers 1 to 6."""
    sightings = Sightings()
    for t, each in enumerate(shares):
        value, sure = each.index(max(each)) + 1, (0.99, *[0.002] * 5)
        dice = (
            DieSeen(value, 100, 100, 0.98 * max(each), shares=each),
            DieSeen(1, 150, 120, 0.97, shares=sure),
        )
        sightings, _ = sightings.with_dice(dice, float(t))
    return sightings


def test_a_number_that_is_hardly_less_likely_stays_as_good_as_the_one_that_is_told() -> None:
    rolls = against_best(lying(*[(0.01, 0.01, 0.44, 0.01, 0.52, 0.01)] * 3))
    assert rolls[Roll.from_dice(5, 1)] == 0
    assert rolls[Roll.from_dice(3, 1)] > -0.5
    assert rolls[Roll.from_dice(6, 1)] < -2.5


@pytest.mark.parametrize(("looks", "may_be"), [((4, 1), (6, 1)), ((4, 4), (6, 6)), ((4, 4), (6, 4))])
def test_no_four_is_beyond_doubt_against_a_six_however_surely_it_is_read(
    looks: tuple[int, int], may_be: tuple[int, int]
) -> None:
    lie = ((looks[0], 100.0, 100.0), (looks[1], 150.0, 120.0))
    rolls = against_best(follow((), *[lie] * 20, confidence=1.0)[0])
    assert rolls[Roll.from_dice(*looks)] == 0
    # Either of two fours may be the six: that is twice as likely.
    assert (
        -DICE_CERTAIN
        < -CAUTION.four_or_six - 0.01
        < rolls[Roll.from_dice(*may_be)]
        < 0.7 - CAUTION.four_or_six
    )
    assert rolls[Roll.from_dice(5, 3)] < -DICE_CERTAIN


def test_a_number_that_somebody_states_is_hardly_ever_another_one() -> None:
    stated = ((3, 100.0, 100.0), (1, 150.0, 120.0))
    rolls = against_best(follow((), stated, stated, confidence=1.0)[0])
    assert rolls[Roll.from_dice(5, 1)] == pytest.approx(log(STATED / 5), abs=0.01)
    assert rolls[Roll.from_dice(5, 1)] < log(MISREAD / 5) - 2


def test_a_six_is_not_doubted_for_the_sake_of_fours() -> None:
    rolls = against_best(follow((), *[OTHER] * 20, confidence=1.0)[0])
    assert rolls[Roll.from_dice(6, 4)] < -DICE_CERTAIN


def test_pictures_that_show_other_numbers_are_weighed_by_all_of_what_they_show() -> None:
    pictures = [(0.01, 0.01, 0.47, 0.01, 0.49, 0.01)] * 2 + [(0.01, 0.01, 0.91, 0.01, 0.05, 0.01)]
    assert likeliest(lying(*pictures)) == Roll.from_dice(3, 1)


def test_a_roll_is_sure_where_both_of_its_dice_are() -> None:
    assert lying(*[(0.01, 0.01, 0.01, 0.01, 0.95, 0.01)] * 3).sure
    assert not lying(*[(0.01, 0.01, 0.45, 0.01, 0.49, 0.03)] * 3).sure


def test_what_may_be_no_die_tells_less_of_its_number() -> None:
    shares = (0.95, *[0.01] * 5)
    surely, hardly = (DieSeen(1, 0, 0, confidence, shares=shares) for confidence in (0.94, 0.4))
    assert number_shares(surely)[0] > 0.9
    assert 1 / 6 < number_shares(hardly)[0] < 0.6
    assert sum(number_shares(hardly)) == pytest.approx(1.0)


def test_two_dice_seen_twice_are_a_roll_from_their_first_picture_on() -> None:
    sightings, rolls = follow((), ONE, ONE)
    assert rolls == [1.0]
    assert likeliest(sightings) == Roll.from_dice(3, 1)


def test_dice_seen_once_are_no_roll() -> None:
    assert follow((), ONE, ())[1] == []


def test_dice_that_lie_where_they_lay_are_the_same_roll() -> None:
    assert follow(*[ONE] * 6)[1] == [0.0]


def test_a_die_whose_centre_is_found_a_little_elsewhere_lies_where_it_lay() -> None:
    shaken: Seen = ((3, 104, 97), (1, 148, 123))
    sightings, rolls = follow(ONE, shaken, ONE, shaken)
    assert rolls == [0]
    assert [spot.seen for spot in sightings.rolled] == [4, 4]


def test_dice_elsewhere_are_a_new_roll_even_if_they_show_the_same() -> None:
    again: Seen = ((3, 400, 300), (1, 450, 320))
    assert follow(ONE, ONE, again, again)[1] == [0.0, 2.0]


def test_a_roll_of_which_one_die_lies_where_an_older_one_lay_is_new() -> None:
    mixed: Seen = ((5, 101, 99), (2, 300, 300))
    sightings, rolls = follow(ONE, ONE, ONE, mixed, mixed, mixed)
    assert rolls == [0.0, 3.0]
    assert likeliest(sightings) == Roll.from_dice(5, 2)


def test_two_pictures_show_a_new_roll_of_which_one_die_lies_where_one_lay() -> None:
    again: Seen = ((6, 100, 100), (5, 300, 110))
    assert follow(*[ONE] * 3, again)[1] == [0.0]
    assert follow(*[ONE] * 3, again, again)[1] == [0.0, 3.0]


def test_a_face_misread_once_does_not_change_the_roll() -> None:
    misread: Seen = ((4, 100, 100), (1, 150, 120))
    sightings, rolls = follow(ONE, ONE, ONE, misread, ONE, ONE, ONE)
    assert rolls == [0.0]
    assert likeliest(sightings) == Roll.from_dice(3, 1)


def test_a_die_missed_in_a_picture_does_not_make_a_new_roll() -> None:
    half: Seen = ((3, 100, 100),)
    assert follow(ONE, ONE, half, (), (), (), (), ONE, ONE)[1] == [0.0]


def test_a_cocked_die_that_the_reader_doubts_is_not_followed() -> None:
    assert follow(ONE, ONE, confidence=0.3)[1] == []


def test_a_roll_with_a_leaning_die_does_not_count() -> None:
    sightings = Sightings()
    for t in range(3):
        dice = (DieSeen(3, 100, 100, 0.95), DieSeen(1, 150, 120, 0.95, cocked=True))
        sightings, since = sightings.with_dice(dice, float(t))
        assert since is None


def test_dice_pushed_along_with_the_board_stay_the_same_roll() -> None:
    pushed: Seen = tuple((value, x + 9, y - 7) for value, x, y in ONE)
    assert follow(ONE, ONE, pushed, pushed)[1] == [0.0]


def test_an_older_pair_left_on_the_board_does_not_come_back_as_a_roll() -> None:
    both: Seen = ONE + OTHER
    sightings, rolls = follow(ONE, ONE, both, both, both, both)
    assert rolls == [0.0, 2.0]
    assert likeliest(sightings) == Roll.from_dice(6, 6)


def test_a_die_of_a_new_roll_may_come_to_lie_where_one_lay_that_was_lifted() -> None:
    again: Seen = ((3, 100, 104), (3, 350, 200))
    _, rolls = follow(
        ((3, 100, 100), (3, 150, 120)), *[((3, 100, 100), (3, 150, 120))] * 3, *[()] * 2, again, again
    )
    assert rolls == [0.0, 6.0]


@each_row("pictures", [1, 2, 6])
def test_dice_that_were_hidden_for_some_pictures_are_the_same_roll_also_when_one_comes_back_first(
    pictures: int,
) -> None:
    _, rolls = follow(ONE, ONE, *[()] * pictures, *[ONE[:1]] * 4, ONE, ONE, ONE)
    assert rolls == [0.0]


def test_something_that_looks_like_a_die_and_always_lies_there_is_no_part_of_a_roll() -> None:
    fixed: Seen = ((2, 500, 200),)
    half: Seen = fixed + ONE[:1]
    sightings, rolls = follow(fixed, fixed, fixed, half, half, *[fixed + ONE] * 4)
    assert rolls == [3.0]
    assert likeliest(sightings) == Roll.from_dice(3, 1)


FLICKERING: Seen = ((1, 500, 100), (1, 520, 300))
"""What shines through between checkers, and looks like dice in some pictures."""


def test_what_looked_like_dice_before_the_roll_came_is_none_where_it_is_seen_again() -> None:
    away = ((),) * 5
    once = (FLICKERING[:1], *away[:4], FLICKERING[1:], *away)
    sightings, rolls = follow(*once, *(ONE,) * 6, *((*ONE, *FLICKERING),) * 4)
    assert rolls == [11.0]
    assert likeliest(sightings) == Roll(3, 1)
    other = ((4, 500, 100), (1, 600, 300))
    assert follow(*once, *(ONE,) * 6, *((*ONE, *other),) * 4)[1] == [11.0, 17.0]


def test_dice_that_a_hand_hid_before_they_were_a_roll_are_one() -> None:
    assert follow(ONE, *(OTHER,) * 2, FLICKERING, *(OTHER,) * 6, *(FLICKERING,) * 3)[1] == [1.0, 10.0]


def test_a_single_die_that_stays_alone_is_a_roll() -> None:
    alone: Seen = ((5, 400, 300),)
    sightings, rolls = follow((), ONE, ONE, (), (), alone, alone, alone)
    assert rolls == [1.0, 5.0]
    best = {roll for roll, share in against_best(sightings).items() if share > -0.1}
    assert best == {Roll.from_dice(5, n) for n in range(1, 7)}


def test_a_single_die_is_joined_by_its_partner() -> None:
    alone: Seen = ((5, 400, 300),)
    both: Seen = (*alone, (2, 450, 320))
    sightings, rolls = follow((), alone, alone, alone, both, both)
    assert rolls == [1.0]
    assert likeliest(sightings) == Roll.from_dice(5, 2)


def test_a_doubtful_die_counts_beside_one_that_is_not() -> None:
    sightings = Sightings()
    rolls = []
    for t in range(2):
        dice = (DieSeen(3, 100, 100, 0.95), DieSeen(1, 150, 120, 0.36))
        sightings, since = sightings.with_dice(dice, float(t))
        rolls.append(since)
    assert rolls == [None, 0.0]


def test_something_like_a_die_beside_those_that_lie_there_is_no_roll() -> None:
    speck: Seen = ((4, 363, 200),)
    half: Seen = ONE[:1]
    assert follow(ONE, ONE, ONE + speck, ONE + speck, half, half, half)[1] == [0.0]


def test_dice_that_did_not_lie_there_together_are_no_roll() -> None:
    first: Seen = ((5, 400, 300),)
    second: Seen = ((2, 600, 200),)
    assert follow((), ONE, ONE, (), (), first, first, (), second, second)[1] == [1.0]


def test_the_less_certain_a_die_was_read_the_likelier_it_shows_another_number() -> None:
    def share(confidence: float) -> float:
        return follow(ONE, ONE, confidence=confidence)[0].rolls(CAUTION)[Roll.from_dice(3, 2)]

    assert -8 < share(0.99) < share(0.8) < share(0.5) < 0


def test_another_number_where_a_die_lay_long_ago_is_another_die() -> None:
    other: Seen = ((6, 101, 101), (2, 500, 300))
    sightings, rolls = follow(ONE, ONE, (), (), (), (), other, other)
    assert rolls == [0.0, 6.0]
    assert likeliest(sightings) == Roll.from_dice(6, 2)


def test_a_die_that_was_first_seen_in_the_air_is_followed_where_it_then_lies() -> None:
    air: Seen = ((3, 104.9, 104.9), ONE[1])
    beside: Seen = ((3, 99.7, 99.7), ONE[1])
    speck: Seen = ((5, 200, 300),)
    sightings, rolls = follow((), air, ONE, ONE, ONE, *[beside + speck] * 4)
    assert rolls == [1.0]
    assert likeliest(sightings) == Roll.from_dice(3, 1)


def test_while_one_die_lies_there_unchanged_something_like_a_die_does_not_take_the_place_of_the_other() -> (
    None
):
    speck: Seen = ((5, 300, 200),)
    sightings, rolls = follow((), *[ONE] * 6, *[ONE[:1] + speck] * 8)
    assert rolls == [1.0]
    assert likeliest(sightings) == Roll.from_dice(3, 1)


def test_a_doubtful_die_that_lies_there_unchanged_keeps_no_roll_from_coming() -> None:
    """It may be a hinge, which is seen with each roll."""
    other: Seen = ((5, 300, 200),)
    _, rolls = follow((), *[ONE] * 6, *[ONE[:1] + other] * 8, confidence=0.8)
    assert len(rolls) == 2


def blurred(value: int, x: float, y: float) -> DieSeen:
    """What is a die for certain, though hardly anything tells its number."""
    shares = tuple(0.26 if number == value else 0.148 for number in range(1, 7))
    return DieSeen(value, x, y, 0.26, shares=shares)


def test_dice_are_a_roll_though_nobody_can_tell_their_numbers() -> None:
    sightings, since = Sightings(), None
    for t in range(1, 5):
        pair = (blurred(4, 100, 100), blurred(2, 150, 120))
        sightings, came = sightings.with_dice(pair if t > 1 else (), float(t))
        since = came or since
    assert since == 2.0
    rolls = sightings.rolls(CAUTION)
    assert max(rolls.values()) - rolls[Roll.from_dice(6, 5)] < 1.5


def test_what_may_be_no_die_is_no_roll_however_plain_its_number_would_be() -> None:
    plain = (0.95, *[0.01] * 5)
    sightings = Sightings()
    for t in range(1, 5):
        things = tuple(DieSeen(1, 100.0 * n, 100.0, 0.4, shares=plain) for n in (1, 2))
        sightings, came = sightings.with_dice(things if t > 1 else (), float(t))
        assert came is None


HINGE: Seen = ((5, 200, 400),)
"""What is read as a five wherever the dice lie, and when none do."""
THIRD: Seen = ((2, 600, 210), (4, 640, 280))
FOURTH: Seen = ((1, 700, 310), (5, 440, 380))


def rolled_and_lifted(*rolls: Seen, beside: Seen = (), after: Seen = ()) -> list[Seen]:
    """Pictures of rolls that are lifted; ``beside`` is seen with the dice, and ``after`` once they are lifted."""
    return [picture for dice in rolls for picture in ((*dice, *beside),) * 4 + (after,) * 5]


def test_what_was_found_at_a_place_with_earlier_rolls_is_no_roll_there() -> None:
    pictures = rolled_and_lifted(ONE, OTHER, THIRD, after=HINGE)
    _, rolls = follow(*pictures, *rolled_and_lifted(FOURTH, after=HINGE), confidence=0.9)
    assert rolls == [0.0, 4.0, 9.0, 18.0, 27.0]


def test_a_hinge_beside_every_roll_is_no_die_of_the_next_one() -> None:
    """One die of that roll is not found."""
    pictures = rolled_and_lifted(ONE, OTHER, beside=HINGE, after=HINGE)
    sightings, _ = follow((), *pictures, *[(*THIRD[:1], *HINGE)] * 6)
    assert [spot.value for spot in sightings.rolled] == [2]


def test_a_roll_that_leans_on_a_place_where_something_lay_loses_its_weight() -> None:
    """Of the numbers of what is likely a die, and likely none, either may be the one that was rolled."""
    for odds, least, most in ((-9.0, -0.2, 0.0), (-0.5, -0.8, -0.4)):
        sightings = Sightings(places=(Place(100, 100, 3, odds - log(0.5 / JUST_THERE)),))
        for t in range(1, 5):
            dice = tuple(DieSeen(value, x, y, 0.95) for value, x, y in ONE)
            sightings, _ = sightings.with_dice(dice if t > 1 else (), float(t))
        assert least < sightings.rolls(CAUTION)[Roll.from_dice(3, 1)] < most
        assert sightings.is_roll == pytest.approx(1 - 0.05 * (1 - 0.95 / (1 + exp(odds))))


def test_a_plain_die_may_come_to_lie_where_one_lay_and_show_the_same() -> None:
    """Dice are lifted, and of some two thousand one comes to lie just so; what is seen there twice more is none."""
    plain = DieSeen(3, 100, 100, 0.99, shares=(0.002, 0.002, 0.99, 0.002, 0.002, 0.002))
    sightings, found = Sightings(), []
    for number in range(4):
        other = DieSeen(6, 200.0 + 90 * number, 300, 0.99, shares=(*[0.002] * 5, 0.99))
        for t in range(8):
            now = (plain, other) if t < 4 else ()
            sightings, since = sightings.with_dice(now, 8.0 * number + t)
            if since is not None:
                found.append((len(sightings.rolled), sightings.is_other(sightings.rolled[0])))
        elsewhere = tuple(DieSeen(2, 700.0 + 40 * n + 20 * number, 90, 0.99) for n in range(2))
        for t in range(4, 8):
            sightings, _ = sightings.with_dice(elsewhere, 8.0 * number + t + 0.5)
    assert found[1][1] > 0.9


def test_a_die_lies_where_one_lay_long_ago_if_nothing_was_found_there_with_many_rolls_since() -> None:
    """What always lies there would have been found now and then; after one roll without it that is open yet."""
    plain = DieSeen(3, 100, 100, 0.985, shares=(0.001, 0.001, 0.995, 0.001, 0.001, 0.001))
    for between, least, most in ((1, 0.0, 0.5), (20, 0.9, 1.0)):
        sightings, t = Sightings(), 0.0
        for number in range(between + 2):
            other = DieSeen(6, 200.0 + 60 * number, 300, 0.995, shares=(*[0.001] * 5, 0.995))
            first = plain if number in (0, between + 1) else replace(plain, x=200.0 + 60 * number)
            for now in ((first, other),) * 4 + ((),) * 5:
                sightings, since = sightings.with_dice(now, t)
                t += 1
                if since is not None and number == between + 1:
                    thrown = sightings
        (again,) = (spot for spot in (*thrown.rolled, *thrown.lying) if spot.place == (100, 100))
        assert least <= thrown.is_other(again) <= most
        assert (again in thrown.rolled) is (between == 20)


def test_dice_that_somebody_states_lie_where_others_did() -> None:
    pictures = [picture for _ in range(4) for picture in rolled_and_lifted(ONE, OTHER)]
    assert len(follow(*pictures, confidence=1.0)[1]) == 8


def test_a_pair_that_lay_there_in_a_single_picture_is_remembered_with_the_roll_that_comes_after_it() -> None:
    sightings, _ = follow(ONE, ONE, (), (), OTHER, (), (), THIRD, THIRD)
    glimpsed = sightings.glimpsed_rolls(CAUTION)
    assert max(glimpsed, key=lambda roll: glimpsed[roll]) == Roll.from_dice(6, 6)
    assert sum(map(exp, glimpsed.values())) == pytest.approx(1.0)
    assert sightings.glimpsed[0].last_t == 4.0


def test_a_pair_that_was_glimpsed_is_forgotten_with_the_next_roll() -> None:
    assert not follow(
        ONE,
        ONE,
        (),
        (),
        OTHER,
        (),
        (),
        THIRD,
        THIRD,
        (),
        (),
        ((4, 420, 300), (1, 460, 350)),
        ((4, 420, 300), (1, 460, 350)),
    )[0].glimpsed


@pytest.mark.parametrize(
    "before",
    [
        ((), OTHER),
        (OTHER, ()),
        (((6, 300, 110),), (), ()),
        (((6, 300, 110),), ((6, 340, 180),), (), ()),
        (OTHER, OTHER, (), ()),
    ],
    ids=["just before", "gone in one picture", "one die", "one after the other", "a roll of its own"],
)
def test_what_is_seen_once_is_no_pair_that_was_glimpsed(before: tuple[Seen, ...]) -> None:
    assert not follow(ONE, ONE, (), (), *before, THIRD, THIRD)[0].glimpsed
