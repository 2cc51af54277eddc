"""Reading only what changed: the same as reading everything."""

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from controller.arrays import Picture
from controller.rules import Position
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import random_setting
from controller.simulation.painting.painter import Painter
from controller.vision.baseline import MOST_READINGS, Baseline, change_since, everything, merge_shown
from controller.vision.dice.places import BAR, places_of
from controller.vision.reader import SURE, read_board
from controller.vision.reading import Reading
from tests.amounts import amount
from tests.vision.test_film import RESTING, board, shot

FOLLOWED = RESTING[: amount(8, 14)]
# How far the two ways' confidences may lie apart on points that both are sure of.
TOLERANCE = 0.02
PILES = Position.from_compact("G....F.B....f......f.b....")


def noisy(image: Picture, seed: int, light: float = 1.0) -> Picture:
    noise = np.random.default_rng(seed).normal(0, 2.0, image.shape)
    return np.clip(image * light + noise, 0, 255).astype(np.uint8)


@cache
def first() -> Reading:
    return read_board(shot(FOLLOWED[0]), board())


def basis() -> Baseline:
    found = first().baseline
    assert found is not None
    return found


@cache
def both_ways() -> list[tuple[Reading, Reading]]:
    """The pictures of a game read one after the other, going on from each other, and each on its own."""
    went_on, found = first(), []
    for number in FOLLOWED[1:]:
        went_on = read_board(shot(number), board(), went_on.baseline)
        found.append((went_on, read_board(shot(number), board())))
    return found


def test_a_game_is_read_as_if_each_picture_were_the_first() -> None:
    for went_on, alone in both_ways():
        for point in range(24):
            sure = point + 1 not in went_on.unsure and point + 1 not in alone.unsure
            if sure:
                gap = abs(went_on.point_confidence[point] - alone.point_confidence[point])
                assert gap <= TOLERANCE
            if sure or max(went_on.point_confidence[point], alone.point_confidence[point]) >= SURE:
                assert went_on.points[point] == alone.points[point]
        assert went_on.bar == alone.bar
        assert went_on.hand == alone.hand


def test_most_pictures_of_a_game_are_not_read_in_full() -> None:
    went_on = [reading.baseline for reading, _ in both_ways()]
    assert sum(found is not None and found.readings > 0 for found in went_on) > len(went_on) / 2


@pytest.mark.parametrize("light", [1.0, 0.97, 1.03])
def test_noise_and_flickering_light_are_no_reason_to_look_again(light: float) -> None:
    change = change_since(basis(), noisy(shot(FOLLOWED[0]), 1, light))
    assert change is not None
    assert set(change.points) <= basis().unsure
    assert change.ground is not None
    assert not change.ground.squares.any()


def test_a_lamp_a_push_and_a_blur_are_reasons_to_look_at_everything() -> None:
    image = shot(FOLLOWED[0])
    pushed = np.asarray(np.roll(image, 3, axis=1), np.uint8)
    blurred = np.asarray(cv2.GaussianBlur(image, (0, 0), 5.0), np.uint8)
    assert [change_since(basis(), other) for other in (noisy(image, 1, 0.8), pushed, blurred)] == [None] * 3


def test_everything_is_looked_at_every_so_often() -> None:
    reading, image = first(), shot(FOLLOWED[0])
    numbers = []
    for _ in range(2 * MOST_READINGS):
        assert reading.baseline is not None
        change = change_since(reading.baseline, image)
        numbers.append(reading.baseline.readings)
        if change is None:
            break
        reading = _gone_on(reading)
    assert numbers == list(range(MOST_READINGS + 1))


def _gone_on(reading: Reading) -> Reading:
    """The reading with a baseline one reading older."""
    assert reading.baseline is not None
    return replace(reading, baseline=replace(reading.baseline, readings=reading.baseline.readings + 1))


def test_what_creeps_is_looked_at_once_it_has_crept_far_enough() -> None:
    """Each picture is hardly different from the one before, but it is not the one before that counts."""
    image, held, steps = shot(FOLLOWED[0]).astype(float), basis(), 0
    x, y = board().camera.project(np.array([*board().geometry.slot(3, 4)[:2], 0.0]))
    spot = np.zeros(image.shape, float)
    cv2.circle(spot, (round(x), round(y)), 14, (1.0, 1.0, 1.0), -1)
    away = -1.0 if image[round(y), round(x)].mean() > 128 else 1.0
    for steps in range(1, 30):
        now = np.clip(image + away * 1.5 * steps * spot, 0, 255).astype(np.uint8)
        change = change_since(held, now)
        assert change is not None
        if 2 in change.points:
            break
        shown, ground = merge_shown(held, change)
        held = replace(held, shown=shown, ground=ground)
    assert 4 < steps < 15


@pytest.mark.parametrize("seed", amount([500_001], [500_001, 500_005, 500_008]))
def test_a_checker_less_on_a_pile_is_a_reason_to_look_at_its_point(seed: int) -> None:
    rng = np.random.default_rng(seed)
    setting = random_setting(rng, (1280, 720))
    painter = Painter(setting)
    scene = arrange(setting, PILES, rng, sloppiness=1.0)
    before, again = (painter.paint(scene, np.random.default_rng(k)).picture for k in (1, 2))
    places = places_of(setting.camera, setting.geometry)
    seen = everything(before, places, np.ones(3))
    held = replace(
        basis(),
        places=places,
        full_gain=np.ones(3),
        unsure=frozenset(),
        shown=seen.shown,
        ground=seen.shown,
    )
    unmoved = change_since(held, again)
    assert unmoved is not None
    for point in (1, 6, 13, 20):
        top = max(k for k, one in enumerate(scene.checkers) if one.place == point)
        fewer = replace(scene, checkers=tuple(c for k, c in enumerate(scene.checkers) if k != top))
        change = change_since(held, painter.paint(fewer, np.random.default_rng(3)).picture)
        assert change is not None
        assert point - 1 in change.points
        assert not change.anew[BAR]
    assert len(unmoved.points) <= 2
