"""Matching round things with a known position."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.pattern import is_noise, match_pattern, pattern_of, views
from tests.calibration.pictures import START, TRUTH, picture
from tests.rows import each_row

PATTERN = pattern_of(START, "right", 1.15)


@settings(max_examples=40)
@given(
    angle=st.floats(0, 2 * np.pi),
    pitch=st.floats(18, 60),
    bar=st.floats(0.9, 1.4),
    seed=st.integers(0, 2**32 - 1),
    missing=st.integers(0, 8),
    clutter=st.integers(0, 40),
)
def test_a_turned_start_position_is_found_among_clutter_with_checkers_missing(
    angle: float, pitch: float, bar: float, seed: int, missing: int, clutter: int
) -> None:
    random = np.random.default_rng(seed)
    places = pattern_of(START, "right", bar).places
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    spots = places @ turn.T * pitch + [480, 360] + random.normal(0, 0.03 * pitch, places.shape)
    kept = np.sort(random.permutation(len(spots))[missing:])
    stray = random.uniform([0, 0], [960, 720], (clutter, 2))
    radii = np.concatenate([np.full(len(kept), 0.46), random.uniform(0.2, 0.9, clutter)]) * pitch
    discs = np.column_stack([np.concatenate([spots[kept], stray]), radii])
    match = match_pattern(discs, PATTERN)
    assert match is not None
    right = [disc >= 0 and disc < len(kept) and kept[disc] == slot for slot, disc in enumerate(match.discs)]
    assert sum(right) >= 0.8 * len(kept)


def test_a_mirrored_board_does_not_match_as_well() -> None:
    points = (-2, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 3, 0, 2)
    right = pattern_of(points, "right", 1.15)
    discs = np.column_stack([right.places * 40 + 400, np.full(len(right.places), 18.4)])
    straight, mirrored = match_pattern(discs, right), match_pattern(discs, pattern_of(points, "left", 1.15))
    assert straight is not None
    assert mirrored is None or mirrored.score < straight.score - 3


def test_few_discs_match_nothing() -> None:
    assert match_pattern(np.zeros((5, 3)), PATTERN) is None


@pytest.mark.parametrize("size", [(480, 640, 3), (720, 1280, 3), (480, 640, 1)])
def test_noise_is_told_before_circles_are_searched_for(size: tuple[int, int, int]) -> None:
    noise = np.random.default_rng(5).integers(0, 255, size).astype(np.uint8)
    assert is_noise(next(views(np.ascontiguousarray(np.broadcast_to(noise, (*size[:2], 3))))))


@each_row("grain", [0, 15, 45])
@each_row("name", sorted(TRUTH))
def test_a_grainy_picture_of_a_board_is_not_taken_for_noise(name: str, grain: int) -> None:
    shown = picture(name)
    grainy = shown + np.random.default_rng(1).normal(0, 1, shown.shape) * grain
    assert not is_noise(next(views(np.clip(grainy, 0, 255).astype(np.uint8))))
