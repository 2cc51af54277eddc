import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.vision.registration import find_push, landmarks_of
from controller.vision.sheet import ground_sheet, moved, surface_sheet
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
    sheet, ground = surface_sheet(board.geometry), ground_sheet(board.geometry)
    bare = sheet.crop(board.appearance.bare, ground)
    x, y = np.meshgrid(sheet.x_mm, sheet.y_mm)
    cos, sin = np.cos(push[2]), np.sin(push[2])
    columns = ground.column(0) + (cos * (x - push[0]) + sin * (y - push[1])) / ground.step_mm
    rows = ground.row(0) + (cos * (y - push[1]) - sin * (x - push[0])) / ground.step_mm
    inside = np.clip(np.rint(rows), 0, ground.rows - 1), np.clip(np.rint(columns), 0, ground.columns - 1)
    pushed = board.appearance.bare[inside[0].astype(int), inside[1].astype(int)]
    found = find_push(pushed, landmarks_of(bare, sheet))
    corners = board.geometry.corners()
    told = moved(board.camera, found.x_mm, found.y_mm, found.turn).project(corners)
    true = moved(board.camera, *push).project(corners)
    pixel_mm = board.camera.centre_mm[2] / board.camera.focal
    assert np.abs(told - true).max() * pixel_mm < 1.0
    assert found.likeness > 0.9
