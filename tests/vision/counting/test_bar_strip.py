import numpy as np

from calibration.training.transplant import RoundItem, transplant
from controller.arrays import Float32Array, Picture
from controller.vision.board.board import Board
from controller.vision.counting.bar_strip import CHANNELS, COLUMNS, ROWS, SCALE, bar_sheet, look_at_bar
from controller.vision.geometry.board_grid import ground_grid
from tests.vision.boards import learned, picture

CHECKER, LIGHTER, ALONG, ACROSS, ON_BAR = 3, 4, 6, 7, 8


def strip_of(image: Picture, board: Board) -> Float32Array:
    return look_at_bar(image, board.camera, board.geometry, ground_grid(board.geometry), board.appearance)


def test_the_strip_lies_about_the_middle_of_the_board() -> None:
    geometry = learned("board1").geometry
    grid = bar_sheet(geometry)
    assert np.isclose(grid.x_mm.mean(), 0)
    assert np.isclose(grid.y_mm.mean(), 0)
    assert np.isclose(grid.step_mm * SCALE, geometry.checker_diameter_mm)
    assert grid.y_mm[-1] > geometry.surface_height_mm / 2


def test_a_checker_on_the_bar_shows_at_its_place_on_the_strip() -> None:
    board = learned("board1")
    geometry = board.geometry
    for point, sign in ((6, 1), (12, -1)):
        x, y, _ = geometry.slot(point, 4)
        thing = RoundItem(float(x), float(y), geometry.checker_diameter_mm / 2, geometry.checker_thickness_mm)
        image = picture("board1_start").copy()
        transplant(image, picture("board1_start"), board.camera, thing, (0.0, 100.0, 0.0), 0.0)
        strip = strip_of(image, board)
        assert strip.shape == (1, CHANNELS, ROWS, COLUMNS)
        row, middle = round(bar_sheet(geometry).row(100.0)), COLUMNS // 2
        there = strip[0, :, row - 4 : row + 4, middle - 4 : middle + 4].mean(axis=(1, 2))
        assert there[CHECKER] > 0.3
        assert np.sign(there[LIGHTER]) == sign
        elsewhere = ROWS - row
        assert strip[0, CHECKER, elsewhere - 4 : elsewhere + 4, middle - 4 : middle + 4].mean() < 0


def test_the_second_plane_is_shifted_away_from_the_foot_of_the_camera() -> None:
    board = learned("board1")
    strip = strip_of(picture("board1_start"), board)[0]
    grid, foot = bar_sheet(board.geometry), board.camera.centre_mm
    assert (np.sign(strip[ALONG, :, 0]) == np.sign(grid.y_mm - foot[1])).all()
    assert (np.sign(strip[ACROSS, 0]) == np.sign(grid.x_mm - foot[0])).all()


def test_the_strip_tells_where_the_bar_is() -> None:
    board = learned("board1")
    on_bar = strip_of(picture("board1_start"), board)[0, ON_BAR] > 0
    step = board.geometry.checker_diameter_mm / SCALE
    assert abs(on_bar[ROWS // 2].sum() * step - board.geometry.bar_mm) <= 2 * step
    assert abs(on_bar[:, COLUMNS // 2].sum() * step - board.geometry.surface_height_mm) <= 2 * step
