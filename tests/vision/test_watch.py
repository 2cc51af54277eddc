"""What is worth reading: pictures of a film that show something new, at rest."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from controller.arrays import Float32Array, Picture
from controller.errors import UserError
from controller.vision.board.board import Board
from controller.vision.geometry.glimpse import Window, glimpse, window_of
from controller.vision.reader import read_board
from controller.vision.reading import Count, DieSeen, HandSeen, Reading
from controller.vision.watch import (
    HANDS_S,
    LOOKS,
    MOST_LOOKS,
    UNSEEN_S,
    Watch,
    change_between,
    watch_of,
    watch_picture,
)
from tests.bench.alterations import packed
from tests.vision.boards import learned, picture, with_arm

QUICK, SLOW = 0.125, 0.5


def board() -> Board:
    return learned("board1")


def window() -> Window:
    return window_of(board().camera, board().geometry)


@cache
def scene() -> Float32Array:
    return picture("board1_002").astype(np.float32)


@cache
def noise() -> Float32Array:
    return np.random.default_rng(0).normal(0, 3, scene().shape).astype(np.float32)


def shot(seed: int, light: float = 1.0) -> Picture:
    """One scene, each time with other noise: noise that is moved is another, and making it takes 50 ms."""
    moved = np.roll(noise(), 1009 * seed)
    return np.asarray(cv2.add(scene() * np.float32(light), moved, dtype=cv2.CV_8U), np.uint8)


GREY = (120, 120, 120)


def with_disc(
    image: Picture, x_mm: float, y_mm: float, radius_mm: float = 20.0, colour: tuple[int, int, int] = GREY
) -> Picture:
    """The picture with a disc lying on the board."""
    changed = image.copy()
    x, y = board().camera.project(np.array([x_mm, y_mm, 0.0]))
    edge = board().camera.project(np.array([x_mm + radius_mm, y_mm, 0.0]))
    cv2.circle(changed, (round(x), round(y)), round(float(np.hypot(*(edge - (x, y))))), colour, -1)
    return changed


def glimpsed(image: Picture) -> Picture:
    return glimpse(image, window())


def test_noise_is_no_change() -> None:
    for seed in range(5):
        assert not change_between(glimpsed(shot(0)), glimpsed(shot(seed + 1))).any


@pytest.mark.parametrize("place", [(0, 0), (-200, 150), (200, -150), (120, 30)])
def test_a_checker_that_comes_is_a_change(place: tuple[float, float]) -> None:
    change = change_between(glimpsed(shot(0)), glimpsed(with_disc(shot(1), *place)))
    assert change.cells > 4


def test_a_die_that_comes_is_a_change() -> None:
    assert change_between(glimpsed(shot(0)), glimpsed(with_disc(shot(1), 120, 0, 8.0))).any


def test_flickering_light_is_no_change_but_a_lamp_is() -> None:
    assert not change_between(glimpsed(shot(0)), glimpsed(shot(1, light=0.98))).any
    assert change_between(glimpsed(shot(0)), glimpsed(shot(1, light=0.85))).any


def trembling(image: Picture, x: float, y: float) -> Picture:
    """The picture from a camera that moved by so many pixels."""
    shift = np.array([[1.0, 0.0, x], [0.0, 1.0, y]])
    return np.asarray(
        cv2.warpAffine(image, shift, image.shape[1::-1], borderMode=cv2.BORDER_REPLICATE), np.uint8
    )


@pytest.mark.parametrize(("x", "y"), [(0.5, 0.0), (0.0, 0.5), (-0.35, 0.35)])
def test_a_camera_that_trembles_sees_nothing_move_but_a_die_that_comes(x: float, y: float) -> None:
    assert not change_between(glimpsed(shot(0)), glimpsed(trembling(shot(1), x, y))).any
    come = trembling(with_disc(shot(1), 120, 0, 8.0), x, y)
    assert change_between(glimpsed(shot(0)), glimpsed(come)).any


@pytest.mark.parametrize("quality", [80, 60, 40, 30, 25, 15])
def test_pictures_that_are_packed_anew_each_time_show_nothing_that_moves(quality: int) -> None:
    before = glimpsed(packed(shot(0), quality))
    assert not any(change_between(before, glimpsed(packed(shot(seed), quality))).any for seed in range(1, 5))
    assert change_between(before, glimpsed(packed(with_disc(shot(1), 120, 0, 8.0), quality))).any


@pytest.mark.parametrize("quality", [60, 25])
def test_an_arm_that_comes_further_in_moves_however_coarsely_pictures_are_packed(quality: int) -> None:
    before, now = (glimpsed(packed(reaching(seed, 20.0 * seed), quality)) for seed in (1, 2))
    assert change_between(before, now).any


def test_what_is_only_of_another_colour_is_a_change() -> None:
    come = with_disc(shot(1), 0, 0)
    brightness = cv2.cvtColor(come, cv2.COLOR_BGR2GRAY)
    red = with_disc(shot(1), 0, 0, colour=(60, 100, 178))
    assert abs(cv2.cvtColor(red, cv2.COLOR_BGR2GRAY).astype(int) - brightness).max() <= 1
    for quality in (95, 25):
        assert change_between(glimpsed(packed(come, quality)), glimpsed(packed(red, quality))).any


def test_what_happens_away_from_the_board_is_no_change() -> None:
    beside = shot(1)
    beside[:, : window().left] = 0
    assert window().left > 50
    assert not change_between(glimpsed(shot(0)), glimpsed(beside)).any


class Reader:
    """Counts how often it is asked; at first, so often, it sees a die that it is not sure of."""

    def __init__(self, doubtful: int = 0) -> None:
        self.asked, self.doubtful = 0, doubtful

    def __call__(self, image: Picture, board: Board) -> Reading:
        assert image.shape == (board.camera.height, board.camera.width, 3)
        self.asked += 1
        dice = () if self.asked > self.doubtful else (DieSeen(3, 0.0, 0.0, 0.6),)
        none = Count(0, 0)
        return Reading(
            (self.asked,) * 24, none, none, dice, None, False, 1.0, (), frozenset(), frozenset(), (), {}
        )


def watched(reader: Reader, pictures: list[Picture], apart_s: float) -> tuple[Watch, list[int | None]]:
    """Which readings are given for pictures: numbered from 1, ``None`` while something moves."""
    watch, given = watch_of(board()), list[int | None]()
    for number, image in enumerate(pictures):
        watch, reading = watch_picture(watch, image, number * apart_s, reader)
        given.append(None if reading is None else reading.points[0])
    return watch, given


def test_a_scene_that_rests_is_read_a_few_times_and_then_no_more() -> None:
    reader = Reader()
    _, given = watched(reader, [shot(seed) for seed in range(8)], QUICK)
    assert given == [*range(1, LOOKS + 1), *[LOOKS] * (8 - LOOKS)]
    assert reader.asked == LOOKS


def test_a_scene_with_a_doubtful_die_is_read_more_often_until_the_doubt_is_gone() -> None:
    pictures = [shot(seed) for seed in range(MOST_LOOKS + 3)]
    gone, lasting = Reader(doubtful=LOOKS), Reader(doubtful=99)
    watched(gone, pictures, QUICK)
    watched(lasting, pictures, QUICK)
    assert gone.asked == LOOKS + 1
    assert lasting.asked == MOST_LOOKS


def test_while_something_moves_nothing_is_read() -> None:
    moving = [with_disc(shot(9), -200 + 60 * k, 0) for k in range(5)]
    reader = Reader()
    _, given = watched(reader, [shot(0), shot(1), *moving, moving[-1]], QUICK)
    assert given == [1, 2, *[None] * 5, 3]


def test_pictures_far_apart_are_read_each_though_they_differ() -> None:
    reader = Reader()
    _, given = watched(reader, [with_disc(shot(k), -200 + 60 * k, 0) for k in range(5)], SLOW)
    assert given == [1, 2, 3, 4, 5]


def test_what_came_slowly_is_read_again() -> None:
    fading = [cv2.addWeighted(shot(k), 1 - k / 20, with_disc(shot(k), 0, 0), k / 20, 0) for k in range(21)]
    reader = Reader()
    watched(reader, [np.asarray(image, np.uint8) for image in fading], QUICK)
    assert reader.asked > LOOKS


def test_a_scene_that_was_moved_over_is_read_anew() -> None:
    passing = [with_disc(shot(3), 0, 0), with_disc(shot(4), 60, 0)]
    reader = Reader()
    _, given = watched(reader, [*[shot(k) for k in range(4)], *passing, shot(5), shot(6)], QUICK)
    assert given == [1, 2, 3, 3, None, None, None, 4]


def test_a_picture_of_another_size_is_refused() -> None:
    with pytest.raises(UserError, match="the board was calibrated with"):
        watch_picture(watch_of(board()), shot(0)[::2, ::2], 0.0, Reader())


def test_a_board_at_the_edge_of_the_picture_has_a_window_inside_it() -> None:
    away = replace(board().camera, translation=(400.0, -300.0, board().camera.translation[2]))
    seen = window_of(away, board().geometry)
    assert 0 <= seen.left < seen.right <= away.width
    assert 0 <= seen.top < seen.bottom <= away.height


def reaching(seed: int, tip_mm: float, edge: int = -1) -> Picture:
    """The scene with an arm over it, over points 4 and 21."""
    return with_arm(shot(seed), board().geometry.column_x(4), edge, tip_mm)


def readings_of(*pictures: tuple[float, Picture]) -> list[Reading]:
    """What is read of pictures at their times (seconds), by the real reader."""
    watch, given = watch_of(board()), list[Reading]()
    for t, image in pictures:
        watch, reading = watch_picture(watch, image, t, read_board)
        if reading is not None and (not given or reading is not given[-1]):
            given.append(reading)
    return given


REACH = [-150.0, -60.0, 20.0, 90.0, 130.0, 60.0, -40.0, -120.0]
"""Where the tips of an arm are that comes over light's edge and leaves again, picture by picture."""


def came_and_went(every_s: float) -> list[tuple[float, Picture]]:
    """A board at rest, an arm that comes and leaves, and the board at rest again."""
    shown = [shot(0), shot(1), *(reaching(2 + k, tip) for k, tip in enumerate(REACH)), shot(20), shot(21)]
    return [(number * every_s, image) for number, image in enumerate(shown)]


def test_the_hands_that_came_and_went_are_told_with_the_next_reading() -> None:
    first, second, third = readings_of(*came_and_went(0.1))
    assert first.hands is None
    assert second.hands == ()
    assert third.hands is not None
    (hand,) = third.hands
    assert hand.side == "light"
    assert {4, 21} <= hand.points


def test_hands_are_not_looked_for_in_every_picture_of_a_quick_camera(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Picture] = []

    def found(image: Picture, *_: object) -> tuple[HandSeen, ...]:
        asked.append(image)
        return (HandSeen("light", frozenset({4})),)

    monkeypatch.setattr("controller.vision.watch.find_hands", found)
    *_, last = readings_of(*came_and_went(HANDS_S / 3))
    assert last.hands == (HandSeen("light", frozenset({4})),)
    assert len(asked) == (len(REACH) + 1) // 3


def test_after_a_time_in_which_nothing_was_looked_at_the_hands_are_not_known() -> None:
    pictures = came_and_went(0.1)
    late = [(t + (UNSEEN_S if number >= 5 else 0.0), image) for number, (t, image) in enumerate(pictures)]
    # The picture after that time is read, and the hands that came later are told on their own.
    assert [reading.hands for reading in readings_of(*late)][:3] == [None, (), None]


def test_the_hands_of_pictures_far_apart_are_not_known_unless_nothing_changed() -> None:
    same = readings_of(*((2.0 * number, shot(number)) for number in range(3)))
    assert [reading.hands for reading in same] == [None, (), ()]
    different = readings_of((0.0, shot(0)), (2.0, with_disc(shot(1), 0, 0)), (4.0, shot(2)))
    assert [reading.hands for reading in different] == [None, None, None]


def test_a_hand_that_lies_still_is_told_with_its_own_reading_and_not_again() -> None:
    still = [(0.1 * number, reaching(number, 60.0, edge=1)) for number in range(2, 6)]
    later = [(1.5, shot(8)), (1.6, shot(9)), (1.7, shot(10))]
    given = readings_of((0.0, shot(0)), (0.1, shot(1)), *still, *later)
    with_hand = [reading for reading in given if reading.hand]
    assert with_hand
    assert all([hand.side for hand in reading.hands or ()] == ["dark"] for reading in with_hand)
    assert given[-1].hands == ()
