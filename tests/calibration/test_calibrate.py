"""From pictures to a board that can be trusted, or to a reason."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import cast

import numpy as np
import pytest

from calibration.calibrate import CalibrationError, CalibrationFault, CalibrationPicture, calibrate
from calibration.check import hides_row
from calibration.drawing import draw_found
from controller.arrays import FloatArray, Picture, triple
from controller.rules.position import Position
from controller.simulation.boards.chance import random_setting
from controller.simulation.boards.scenes import start_scene
from controller.simulation.boards.setting import Setting
from controller.simulation.painting.painter import Painter
from controller.vision import Board, CameraModel
from controller.vision.geometry import NOMINAL_PITCH_MM
from controller.vision.reader import read_board
from tests.calibration.pictures import GAME, START, TRUTH, corners, known_corners, picture

import cv2  # isort: skip
from tests.amounts import amount


def game_view(number: int, points: tuple[int, ...] = START) -> CalibrationPicture:
    name = f"{number:05d}.jpg"
    return CalibrationPicture(name, np.asarray(cv2.imread(str(GAME / "frames" / name)), np.uint8), points)


@cache
def game_board() -> Board:
    """The board that the first picture of the filmed game shows; it is looked for once."""
    return calibrate([game_view(0)]).board


def test_a_calibrated_board_reads_the_picture_it_was_not_calibrated_with() -> None:
    board = game_board()
    assert read_board(game_view(1).picture, board).points == START


def test_any_known_position_will_do() -> None:
    known = Position.from_compact("CBBBB.....B..c.bbBb.a.ca.a")
    board = calibrate([game_view(62, known.points)]).board
    reading = read_board(game_view(63).picture, board)
    assert reading.points == known.points


def test_a_position_that_is_not_on_the_board_is_refused_with_a_point_to_look_at() -> None:
    after_one_play = list(START)
    after_one_play[12] -= 1
    after_one_play[6] += 1
    with pytest.raises(CalibrationError, match=r"point \d+ I see"):
        calibrate([game_view(0, tuple(after_one_play))], corners=known_corners("game"))


def test_pictures_of_different_sizes_are_refused() -> None:
    with pytest.raises(CalibrationError, match="differ in size"):
        calibrate([game_view(0), CalibrationPicture("other.jpg", picture("small_turned"), START)])


def test_a_camera_that_was_moved_between_the_pictures_is_noticed() -> None:
    moved = np.roll(game_view(1).picture, 60, axis=1)
    with pytest.raises(CalibrationError, match="same place"):
        calibrate(
            [game_view(0), CalibrationPicture("moved.jpg", moved, START)], corners=known_corners("game")
        )


def test_a_first_picture_that_shows_nothing_does_not_keep_the_second_from_being_used() -> None:
    dark = CalibrationPicture("dark.jpg", np.zeros((540, 960, 3), np.uint8), START)
    with pytest.raises(CalibrationError, match="same place") as refused:
        calibrate([dark, game_view(0)], corners=known_corners("game"))
    assert refused.value.view.name == "dark.jpg"


def with_bar(setting: Setting, pitches: float) -> Setting:
    """The board with a bar so many points wide; without one it is printed on something flat."""
    frame = replace(
        setting.frame, rail_height_mm=1.0, bar_height_mm=0.0, hinges=0, bar_material=setting.surface
    )
    geometry = replace(setting.geometry, bar_mm=pitches * NOMINAL_PITCH_MM)
    cube = replace(setting.cube, place="beside")
    return replace(setting, geometry=geometry, cube=cube, frame=frame)


def painted_view(setting: Setting, seed: int) -> CalibrationPicture:
    rng = np.random.default_rng(seed)
    return CalibrationPicture(
        "painted", Painter(setting).paint(start_scene(setting, rng), rng).picture, START
    )


@pytest.mark.parametrize(
    ("seed", "pitches"), amount([(60003, 0.0), (50006, 1.5)], [(60003, 0.0), (60007, 0.25), (50006, 1.5)])
)
def test_boards_are_found_without_help_whatever_their_bar(seed: int, pitches: float) -> None:
    setting = with_bar(random_setting(np.random.default_rng(seed), (960, 540)), pitches)
    board = calibrate([painted_view(setting, seed)]).board
    assert board.geometry.bar_mm / board.geometry.pitch_mm == pytest.approx(pitches, abs=0.1)
    known, found = ({*map(tuple, np.round(one).astype(int).tolist())} for one in _ends(setting, board))
    assert all(min(np.hypot(*np.subtract(a, b)) for b in found) < 8 for a in known)


def _ends(setting: Setting, board: Board) -> tuple[FloatArray, FloatArray]:
    """The middles of the board's 24 points in the picture as they are, and as they were found."""
    truth, found = (
        camera.project(np.array([geometry.slot(point, 2) for point in range(1, 25)]))
        for camera, geometry in (
            (setting.camera, setting.geometry),
            (board.camera, board.geometry),
        )
    )
    return truth, found


@pytest.mark.parametrize("name", amount(sorted(TRUTH)[::3], sorted(TRUTH)))
def test_careless_corners_give_the_right_board_or_none(name: str) -> None:
    right = corners(name)
    width = float(np.linalg.norm(right[0] - right[1]))
    careless = right + np.random.default_rng(1).normal(0, 0.04 * width, (4, 2))
    try:
        board = calibrate([CalibrationPicture(name, picture(name), START)], corners=careless).board
    except CalibrationError:
        return
    gaps = board.camera.project(board.geometry.corners()) - right
    assert np.linalg.norm(gaps, axis=1).max() < 0.025 * width


def test_a_board_that_the_edge_of_the_picture_cuts_is_refused() -> None:
    view = game_view(0)
    cut = int(corners("game")[:, 0].min()) + 25
    part = CalibrationPicture("cut.jpg", np.ascontiguousarray(view.picture[:, cut:]), START)
    with pytest.raises(CalibrationError, match="raise the camera") as refused:
        calibrate([part], corners=corners("game") - [cut, 0])
    assert refused.value.fault is CalibrationFault.CUT_OFF
    columns = {min(point, 25 - point) for point in cast(list[int], refused.value.arguments["points"])}
    assert columns in ({1}, {12})


def test_two_sides_of_one_colour_are_refused_as_such() -> None:
    setting = random_setting(np.random.default_rng(60003), (960, 540))
    light = setting.checkers["light"]
    one_colour = replace(setting, checkers={"light": light, "dark": light})
    with pytest.raises(CalibrationError, match="nearly alike") as refused:
        calibrate([painted_view(one_colour, 60003)])
    assert refused.value.fault is CalibrationFault.SIDES_ALIKE


def test_a_checker_too_few_by_the_near_rail_is_told_from_other_mistakes() -> None:
    seen_from_above = game_board()
    camera = slanted(seen_from_above.camera)
    board = replace(seen_from_above, camera=camera)
    assert camera.centre_mm[1] < 0
    near, far = [(6, 4), (8, 2), (12, -4)], [(13, 4), (17, -2), (19, -4)]
    assert hides_row(board, START, near)
    assert not hides_row(board, START, far)
    assert not hides_row(board, START, near + far[:1])
    assert not hides_row(board, START, [(6, 5), (8, 4), (12, -6)])
    assert not hides_row(board, START, near[:2])


def test_a_rail_that_hides_the_nearest_row_is_named_with_its_points() -> None:
    setting = random_setting(np.random.default_rng(70005), (960, 540))
    _, y, height = setting.camera.centre_mm
    reach = setting.geometry.checker_diameter_mm * height / abs(y)
    rail = replace(setting.frame, rail_height_mm=reach + setting.geometry.checker_thickness_mm)
    with pytest.raises(CalibrationError, match="rail nearest to the camera hides") as refused:
        calibrate([painted_view(replace(setting, frame=rail), 70005)])
    assert refused.value.fault is CalibrationFault.HIDDEN_ROW
    sides = {setting.geometry.side_of(point) for point in cast(list[int], refused.value.arguments["points"])}
    assert len(sides) == 1
    assert "raise the camera" in str(refused.value)


def slanted(camera: CameraModel) -> CameraModel:
    """A camera that looks at the board from light's seat, 45 degrees off the vertical."""
    c = np.sqrt(0.5)
    turn = np.array([[1.0, 0.0, 0.0], [0.0, -c, -c], [0.0, c, -c]])
    rotation = cv2.Rodrigues(turn)[0].ravel()
    return replace(camera, rotation=triple(rotation), translation=(0.0, 0.0, 1200.0))


@pytest.mark.parametrize("kept", [CalibrationPicture, CalibrationPicture.reduced])
def test_a_large_picture_gives_a_board_in_its_own_pixels(
    kept: Callable[[str, Picture, tuple[int, ...]], CalibrationPicture],
) -> None:
    view = game_view(0)
    large = cv2.resize(view.picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    found = calibrate([kept("large", np.asarray(large, np.uint8), START)])
    camera = found.board.camera
    assert (camera.height, camera.width) == large.shape[:2]
    gaps = camera.project(found.board.geometry.corners()) - (3 * corners("game") + 1)
    assert np.linalg.norm(gaps, axis=1).max() < 0.02 * large.shape[1]
    drawn = found.found.fit.camera.project(found.found.fit.geometry.corners())
    assert np.linalg.norm(drawn - camera.project(found.board.geometry.corners()), axis=1).max() < 12
    assert draw_found(found.view.picture, found.found).shape == found.view.picture.shape


def test_a_picture_for_calibration_keeps_no_more_pixels_than_reading_needs() -> None:
    view = CalibrationPicture.reduced("large", np.zeros((6000, 8000, 3), np.uint8), START)
    assert view.size == (8000, 6000)
    assert view.picture.nbytes < 10_000_000
