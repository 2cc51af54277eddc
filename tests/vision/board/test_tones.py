"""What differs in brightness and in colour, and how much of it is noise."""

import numpy as np
import pytest

from controller.arrays import Float32Array
from controller.vision.board.tones import Noise, Tones, noise_of, tones_of
from controller.vision.watch import LEAST_CHANGE as LEAST
from controller.vision.watch import NOISE_FACTOR as FACTOR

SHAPE = 40, 50


def differing(*places: tuple[slice, tuple[float, float, float]]) -> Float32Array:
    """Two pictures that differ by nothing but so much blue, green and red in some columns."""
    gap = np.zeros((*SHAPE, 3), np.float32)
    for columns, levels in places:
        gap[:, columns] = levels
    return gap


def at_rest(levels: float) -> Tones:
    """Pictures of one scene whose colour jumps by so many levels in one place of fifty."""
    return tones_of(differing((slice(7, 8), (levels, -0.194 * levels, 0))))


def test_grey_differs_in_brightness_only_and_colour_beside_it() -> None:
    grey = tones_of(differing((slice(None), (10, 10, 10))))
    assert grey.brightness == pytest.approx(10)
    assert grey.colour == pytest.approx(0, abs=1e-4)
    assert at_rest(20).brightness.max() == pytest.approx(0, abs=0.5)
    assert at_rest(20).colour.max() == pytest.approx(20, abs=0.5)


def test_darker_differs_as_much_as_lighter() -> None:
    for levels in ((-10, -10, -10), (10, 10, 10)):
        assert tones_of(differing((slice(None), levels))).beyond(Noise(9.0, 9.0)).all()


def test_colour_that_jumps_at_few_places_is_noise_and_brightness_that_does_is_not() -> None:
    jumping = at_rest(20)
    assert jumping.beyond(Noise(LEAST, LEAST)).any()
    assert not jumping.beyond(noise_of(jumping, LEAST, FACTOR)).any()
    brighter = tones_of(differing((slice(7, 8), (20, 20, 20))))
    assert brighter.beyond(noise_of(brighter, LEAST, FACTOR)).any()


def test_colour_that_is_another_far_beyond_its_jumps_is_a_change() -> None:
    gap = differing((slice(7, 8), (9, -1, -1)))
    gap[:3, 20:23] = (60, -6, -8)
    tones = tones_of(gap)
    changed = tones.beyond(noise_of(tones, LEAST, FACTOR))
    assert changed[:3, 20:23].all()
    assert changed.sum() == 9


def test_brightness_counts_beside_what_all_of_a_grainy_picture_shows() -> None:
    grain = 2.0
    jump = FACTOR * grain - 1
    gap = differing((slice(None), (grain, grain, grain)), (slice(7, 8), (jump, jump, jump)))
    level = noise_of(tones_of(gap), LEAST, FACTOR)
    assert not tones_of(gap).beyond(level).any()
    gap[5, 5] = FACTOR * grain + 1
    assert tones_of(gap).beyond(level).sum() == 1


def test_a_hand_that_moves_does_not_hide_itself_as_noise_of_colour() -> None:
    tones = tones_of(differing((slice(7, 8), (9, -1, -1)), (slice(20, 35), (30, 60, 90))))
    assert noise_of(tones, LEAST, FACTOR) == noise_of(
        tones_of(differing((slice(7, 8), (9, -1, -1)))), LEAST, FACTOR
    )


def test_edges_may_differ_by_more() -> None:
    tones = tones_of(differing((slice(None), (10, 10, 10))))
    edges = np.zeros(SHAPE, np.float32)
    edges[5] = 5.0
    assert not tones.beyond(Noise(LEAST, LEAST), edges)[5].any()
    assert tones.beyond(Noise(LEAST, LEAST), edges)[6].all()
