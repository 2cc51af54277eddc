import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.board.drift import Push, find_push, landmarks_of
from controller.vision.geometry.board_grid import ground_grid, moved, surface_grid
from tests.vision.boards import learned

places = st.floats(-250, 250)


@given(places, places, st.floats(0, 40))
def test_a_point_seen_at_a_known_height_is_found_again(x: float, y: float, height: float) -> None:
    camera = learned("board3").camera
    pixel = camera.project(np.array([x, y, height]))
    assert camera.to_board(pixel, height) == pytest.approx([x, y], abs=1e-3)


@given(places, places, st.floats(-15, 15), st.floats(-15, 15), st.floats(-0.05, 0.05))
def test_a_camera_in_the_frame_of_a_pushed_board_sees_the_same(
    x: float, y: float, dx: float, dy: float, turn: float
) -> None:
    camera = learned("board3").camera
    cos, sin = np.cos(turn), np.sin(turn)
    there = np.array([cos * x - sin * y + dx, sin * x + cos * y + dy, 0.0])
    assert moved(camera, dx, dy, turn).project(np.array([x, y, 0.0])) == pytest.approx(
        camera.project(there), abs=1e-6
    )


def test_higher_checkers_appear_farther_from_the_camera() -> None:
    board = learned("board3")
    foot = board.camera.centre_mm[:2]
    low = board.geometry.slot(1, 0)
    high = board.geometry.slot(1, 0, layer=1)
    seen = board.camera.to_board(board.camera.project(high), float(low[2]))
    assert np.hypot(*(seen - foot)) > np.hypot(*(low[:2] - foot))


@pytest.mark.parametrize("push", [(7.0, -4.0, 0.004), (-9.0, 2.0, -0.003), (0.0, 0.0, 0.0)])
def test_a_push_is_measured_to_a_millimetre_at_every_corner(push: tuple[float, float, float]) -> None:
    board = learned("board1")
    grid, ground = surface_grid(board.geometry), ground_grid(board.geometry)
    bare = board.appearance.bare_surface(board.geometry)
    x, y = np.meshgrid(grid.x_mm, grid.y_mm)
    cos, sin = np.cos(push[2]), np.sin(push[2])
    columns = ground.column(0) + (cos * (x - push[0]) + sin * (y - push[1])) / ground.step_mm
    rows = ground.row(0) + (cos * (y - push[1]) - sin * (x - push[0])) / ground.step_mm
    inside = np.clip(np.rint(rows), 0, ground.rows - 1), np.clip(np.rint(columns), 0, ground.columns - 1)
    pushed = board.appearance.bare[inside[0].astype(int), inside[1].astype(int)]
    found = find_push(pushed, landmarks_of(bare, grid))
    corners = board.geometry.corners()
    told = moved(board.camera, found.x_mm, found.y_mm, found.turn).project(corners)
    true = moved(board.camera, *push).project(corners)
    pixel_mm = board.camera.centre_mm[2] / board.camera.focal
    assert np.abs(told - true).max() * pixel_mm < 1.0
    assert found.likeness > 0.9


@given(st.floats(-15, 15), st.floats(-15, 15), st.floats(-0.03, 0.03), st.floats(0, 40))
def test_a_plane_is_mapped_as_its_points_are_projected(
    dx: float, dy: float, turn: float, height: float
) -> None:
    camera = moved(learned("board1").camera, dx, dy, turn)
    x, y = np.linspace(-280, 280, 9)[None], np.linspace(-240, 240, 7)[:, None]
    points = np.stack(np.broadcast_arrays(x, y, height), axis=-1)
    assert np.stack(camera.map_plane(x, y, height), axis=-1) == pytest.approx(
        camera.project(points), abs=1e-3
    )


@pytest.mark.parametrize("height", [0.0, 25.0])
def test_every_camera_lays_its_own_picture_flat(height: float) -> None:
    board = learned("board3")
    grid, usual = surface_grid(board.geometry), board.camera
    across, down = np.meshgrid(np.arange(usual.width), np.arange(usual.height))
    scale = 255 / max(usual.width, usual.height)
    ramps = np.stack([across * scale, down * scale, 0 * down], axis=-1).round().astype(np.uint8)
    x, y = np.meshgrid(grid.x_mm, grid.y_mm)
    points = np.stack([x, y, np.full_like(x, height)], axis=-1)
    for camera in (usual, moved(usual, 9.0, -6.0, 0.01), usual):
        pixels = camera.project(points)
        inside = (pixels > 0).all(-1) & (pixels < [usual.width - 1, usual.height - 1]).all(-1)
        shown = grid.flatten(ramps, camera, height)[..., :2][inside]
        assert np.abs(shown - pixels[inside] * scale).max() < 1.2


def test_the_ground_is_lifted_away_from_the_foot_of_the_camera() -> None:
    board, height = learned("board3"), 20.0
    grid, ground, camera = surface_grid(board.geometry), ground_grid(board.geometry), board.camera
    ramp = np.tile(
        (np.arange(ground.columns) * 255 / ground.columns).round().astype(np.uint8), (ground.rows, 1)
    )
    x, y = np.meshgrid(grid.x_mm[20:-20], grid.y_mm[20:-20])
    hidden = camera.to_board(camera.project(np.stack([x, y, np.full_like(x, height)], axis=-1)))
    lifted = grid.lift(ramp, ground, camera, height)[20:-20, 20:-20]
    assert np.abs(lifted - ground.column(hidden[..., 0]) * 255 / ground.columns).max() < 1.2


@given(
    *(st.floats(-30, 30) for _ in range(4)),
    st.floats(-0.05, 0.05),
    st.floats(-0.02, 0.02),
)
def test_a_push_and_the_rest_of_it_are_one_push(
    x: float, y: float, more_x: float, more_y: float, turn: float, more_turn: float
) -> None:
    camera, corners = learned("board1").camera, learned("board1").geometry.corners()
    whole = Push(x, y, turn, 9.0, 0.3).then(Push(more_x, more_y, more_turn, 7.0, 0.6))
    there = moved(moved(camera, x, y, turn), more_x, more_y, more_turn)
    assert moved(camera, whole.x_mm, whole.y_mm, whole.turn).project(corners) == pytest.approx(
        there.project(corners), abs=1e-6
    )
    assert (whole.misfit, whole.likeness) == (7.0, 0.6)
