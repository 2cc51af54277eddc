"""The last minute at a table."""

from dataclasses import replace

from controller.vision.reading import Count, DieSeen, Reading
from controller.web.setup.minute import KEPT_S, Minute

NONE = Count(0, 0)
CALM = Reading(
    (0,) * 24, NONE, NONE, (), None, False, 0.9, (1.0,) * 24, frozenset(), frozenset(), ({0: 0.0},) * 24, {}
)


def rolled(*values: int) -> Reading:
    return replace(CALM, dice=tuple(DieSeen(value, 0, 0) for value in values))


def test_a_hand_that_stays_is_one_happening_with_its_length() -> None:
    minute = Minute()
    for t in (10.0, 10.5, 11.0, 12.0):
        minute.see(t, None)
    minute.see(12.5, CALM)
    minute.see(20.0, replace(CALM, hand=True))
    assert [(one.kind, one.since_s, one.until_s) for one in minute.last(21.0)] == [
        ("hand", 10.0, 12.0),
        ("hand", 20.0, 20.0),
    ]


def test_dice_are_told_when_they_are_new_and_not_while_they_lie_there() -> None:
    minute = Minute()
    for t in (1.0, 2.0, 9.0):
        minute.see(t, rolled(1, 6))
    minute.see(10.0, rolled(3, 3))
    minute.see(11.0, CALM)
    minute.see(12.0, rolled(3, 3))
    assert [(one.since_s, one.dice) for one in minute.last(13.0)] == [
        (1.0, (6, 1)),
        (10.0, (3, 3)),
        (12.0, (3, 3)),
    ]


def test_points_in_doubt_are_told_but_not_those_that_are_covered() -> None:
    minute = Minute()
    minute.see(1.0, replace(CALM, unsure=frozenset({3, 7}), covered=frozenset({7})))
    minute.see(5.0, replace(CALM, unsure=frozenset({7}), covered=frozenset({7})))
    assert [one.points for one in minute.last(6.0)] == [(3,)]


def test_nothing_is_older_than_a_minute() -> None:
    minute = Minute()
    minute.see(1.0, rolled(1, 2))
    minute.see(50.0, rolled(4, 4))
    assert [one.dice for one in minute.last(KEPT_S + 2.0)] == [(4, 4)]


def test_a_board_that_is_not_seen_is_told() -> None:
    minute = Minute()
    minute.see(1.0, replace(CALM, fault="no_board", unsure=frozenset(range(1, 25))))
    assert [one.kind for one in minute.last(2.0)] == ["lost"]
