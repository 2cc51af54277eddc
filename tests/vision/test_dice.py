"""Dice: the square that differs from the board and the pips on it."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.vision.dice import HALF_PATCH, ZOOM_MM, fit_patch
from controller.vision.sheet import Picture

PIPS = {
    1: [(0, 0)],
    2: [(-1, -1), (1, 1)],
    3: [(-1, -1), (0, 0), (1, 1)],
    4: [(-1, -1), (-1, 1), (1, -1), (1, 1)],
    5: [(-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)],
    6: [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
GROUND = np.array([60.0, 110.0, 40.0])


def painted(
    value: int, side_mm: float, angle_deg: float, x_mm: float, y_mm: float, body: float, pip: float, seed: int
) -> Picture:
    """A patch of even ground with one die on it, a little noise over all."""
    steps = np.arange(-HALF_PATCH, HALF_PATCH + 1) * ZOOM_MM
    mesh_x, mesh_y = np.meshgrid(steps - x_mm, steps - y_mm)
    angle = np.radians(angle_deg)
    along = (mesh_x * np.cos(angle) + mesh_y * np.sin(angle)) / side_mm
    across = (-mesh_x * np.sin(angle) + mesh_y * np.cos(angle)) / side_mm
    inside = np.clip((0.5 - np.maximum(np.abs(along), np.abs(across))) * side_mm + 0.5, 0, 1)
    shade = np.full(along.shape, body)
    for px, py in PIPS[value]:
        far = np.hypot(along - 0.27 * px, across - 0.27 * py)
        shade += (pip - body) * np.clip((0.1 - far) * side_mm + 0.5, 0, 1)
    patch = GROUND + inside[..., None] * (shade[..., None] - GROUND)
    noise = np.random.default_rng(seed).normal(0, 3.0, patch.shape)
    return np.clip(np.rint(patch + noise), 0, 255).astype(np.uint8)


@settings(max_examples=60)
@given(
    value=st.integers(1, 6),
    side=st.floats(13, 17),
    angle=st.floats(0, 90),
    x=st.floats(-2, 2),
    y=st.floats(-2, 2),
    white=st.booleans(),
    seed=st.integers(0, 99),
)
def test_a_clear_die_is_read_wherever_it_lies_and_whatever_its_colours(
    value: int, side: float, angle: float, x: float, y: float, white: bool, seed: int
) -> None:
    body, pip = (235.0, 30.0) if white else (25.0, 220.0)
    ground = np.broadcast_to(GROUND, (2 * HALF_PATCH + 1, 2 * HALF_PATCH + 1, 3)).astype(np.uint8)
    face = fit_patch(painted(value, side, angle, x, y, body, pip, seed), ground)
    assert face.value == value
    assert face.square > 0.8
    assert abs(face.x_mm - x) < 1.5
    assert abs(face.y_mm - y) < 1.5


@pytest.mark.parametrize("seed", range(3))
def test_noise_on_bare_ground_is_no_die(seed: int) -> None:
    ground = np.broadcast_to(GROUND, (2 * HALF_PATCH + 1, 2 * HALF_PATCH + 1, 3)).astype(np.uint8)
    noise = np.random.default_rng(seed).normal(0, 4.0, ground.shape)
    face = fit_patch(np.clip(ground + noise, 0, 255).astype(np.uint8), ground)
    assert face.square < 0.5
