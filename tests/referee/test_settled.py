from dataclasses import replace
from random import Random

from controller.referee.seeing.evidence import evidence_of
from controller.referee.seeing.settled import KEPT, SettledView, SettledViews, interrupt, with_picture
from controller.rules.position import START, Position
from controller.vision.geometry.seen import Hands, HandSeen
from controller.vision.reading import Reading
from tests.referee.staging import Film

AFTER = Position.from_compact("b....EAC...eD...c.e....B..")
ASKEW = Position.from_compact("b....E.C...eE...b.e....B..")


def rests_of(*positions: Position | None) -> SettledViews:
    """The rests of a film with a picture a second; ``None`` is a picture with a hand."""
    film, views = Film(Random(3)), SettledViews(())
    for t, position in enumerate(positions):
        if position is None:
            views = interrupt(views, float(t))
        else:
            views = with_picture(views, SettledView.of_picture(evidence_of(film.read(position)), float(t), t))
    return views


def test_pictures_of_one_position_are_one_rest() -> None:
    (view,) = rests_of(START, START, None, START)
    assert view.readings == 3
    assert view.last_frame == 3


def test_a_moved_checker_begins_a_new_rest() -> None:
    first, second = rests_of(START, START, AFTER, AFTER)
    assert (first.readings, second.readings) == (2, 2)


def test_a_checker_askew_in_one_picture_is_forgotten_when_it_is_put_back() -> None:
    (view,) = rests_of(START, START, ASKEW, START)
    assert view.readings == 3


def test_a_position_seen_twice_is_not_forgotten() -> None:
    assert len(rests_of(START, START, AFTER, AFTER, START)) == 3


def test_a_point_that_looks_a_little_different_is_another_board_only_where_a_hand_may_have_been() -> None:
    usual, doubted = (evidence_of(_read_with_doubt(doubt)) for doubt in (-7.0, -2.5))
    interrupted = interrupt((SettledView.of_picture(usual, 0.0, 0, hands=()),), 0.5)
    for hands, rests in (((), 1), (None, 2), ((LIGHT,), 2)):
        picture = SettledView.of_picture(doubted, 1.0, 1, hands=hands)
        assert len(with_picture(interrupted, picture)) == rests


def _read_with_doubt(doubt: float) -> Reading:
    """The start position; that a fourth checker lies on the 8-point is less likely than three by so much."""
    reading = Film(Random(3)).read(START)
    opinions = list(reading.likelihoods)
    opinions[7] = {3: 0.0, 4: doubt}
    return replace(reading, likelihoods=tuple(opinions))


def test_a_rest_stands_until_the_first_picture_that_is_something_else() -> None:
    first, second = rests_of(START, AFTER, AFTER, None, None)
    assert first.stood_s == 1
    assert second.stood_s == 2


LIGHT, DARK = HandSeen("light", frozenset({6})), HandSeen("dark", frozenset({17}))


def rests_with_hands(*seen: tuple[Position, Hands | None]) -> SettledViews:
    """The rests of pictures, each with the hands since the one before."""
    film, views = Film(Random(3)), SettledViews(())
    for t, (position, hands) in enumerate(seen):
        evidence = evidence_of(film.read(position))
        views = with_picture(views, SettledView.of_picture(evidence, float(t), t, hands=hands))
    return views


def test_the_hands_before_a_picture_that_is_forgotten_were_there_all_the_same() -> None:
    (view,) = rests_with_hands((START, ()), (START, ()), (ASKEW, (LIGHT,)), (START, (DARK,)))
    assert view.hands is not None
    assert set(view.hands) == {LIGHT, DARK}
    (unknown,) = rests_with_hands((START, ()), (START, ()), (ASKEW, None), (START, (DARK,)))
    assert unknown.hands is None


def test_the_hands_of_rests_that_are_too_many_to_keep_are_kept() -> None:
    many = [((START, AFTER)[number % 2], (LIGHT,) if number == 3 else ()) for number in range(KEPT + 10)]
    pictures = [picture for picture in many for _ in range(2)]
    views = rests_with_hands(*pictures)
    assert any(LIGHT in (view.hands or ()) for view in views[1:])


def test_there_are_never_more_rests_than_are_kept() -> None:
    pictures = [(START, AFTER)[number // 2 % 2] for number in range(2 * KEPT + 8)]
    film, views, most = Film(Random(3)), SettledViews(()), 0
    for t, position in enumerate(pictures):
        views = with_picture(views, SettledView.of_picture(evidence_of(film.read(position)), float(t), t))
        most = max(most, len(views))
    assert most == KEPT


def test_a_rest_goes_on_since_the_first_picture_after_what_came_between() -> None:
    (unbroken,) = rests_of(START, START, START)
    (hand_between,) = rests_of(START, START, None, START, START)
    (glitch_between,) = rests_of(START, START, ASKEW, START)
    assert [view.resumed_t for view in (unbroken, hand_between, glitch_between)] == [0, 3, 3]
    assert [view.first_t for view in (unbroken, hand_between, glitch_between)] == [0, 0, 0]


def test_two_pictures_that_are_like_no_other_are_forgotten_and_three_are_not() -> None:
    other = Position.from_compact("b...AD.C...eE...c.e....B..")
    third = Position.from_compact("b....E.C...eE...c.e...AA..")
    assert len(rests_of(START, START, ASKEW, other, START)) == 1
    assert len(rests_of(START, START, ASKEW, other, third, START)) == 5


def test_of_a_point_that_is_hidden_nothing_is_known() -> None:
    evidence = evidence_of(Film(Random(3)).read(START))
    view = SettledView.of_picture(evidence, 0.0, 0, covered=frozenset({6}))
    told = [float(row.max() - row.min()) for row in view.visible.points]
    assert told[5] == 0
    assert all(spread > 0 for place, spread in enumerate(told) if place != 5)


def test_of_rests_that_are_too_many_the_first_and_the_latest_are_kept_with_all_hands_in_order() -> None:
    seen: list[tuple[Position, Hands | None]] = [
        ((START, AFTER)[number % 2], (HandSeen("light", frozenset({number})),)) for number in range(KEPT + 1)
    ]
    views = rests_with_hands(*(picture for picture in seen for _ in range(2)))
    assert views[0].first_t == 0
    assert [view.first_t for view in views[1:]] == [2 * number for number in range(KEPT // 2, KEPT + 1)]
    hands = [hand for view in views for hand in view.hands or ()]
    assert hands == [hand for _, known in seen for hand in (known or ()) * 2]
