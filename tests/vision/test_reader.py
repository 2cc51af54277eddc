import json

import cv2
import numpy as np
import pytest

from controller.errors import UserError
from controller.vision.looks import join_looks
from controller.vision.reader import EVERYWHERE, SURE, SURE_IF_UNEVEN, read_board, reading_line
from controller.vision.reading import Count
from tests.amounts import pairs
from tests.rows import each_row
from tests.vision.boards import frames, in_bands_of_shadow, learned, picture

POSITIONS = [name for name in frames() if not name.endswith("_start")]


@each_row("name", POSITIONS)
def test_a_position_is_read_from_its_picture_alone(name: str) -> None:
    truth = frames()[name]
    reading = read_board(picture(name), learned(truth.board))
    wrong = {p for p in range(1, 25) if reading.points[p - 1] != truth.points[p - 1]}
    assert len(wrong) <= 1
    assert wrong <= reading.unsure
    assert reading.bar == Count(*truth.bar)
    assert reading.off == Count(*truth.off)


@pytest.mark.parametrize("board", ["board1", "board3", "board6"])
def test_the_picture_a_board_was_learned_from_is_read_exactly(board: str) -> None:
    reading = read_board(picture(f"{board}_start"), learned(board))
    assert reading.points == frames()[f"{board}_start"].points
    assert reading.off == Count(0, 0)


def test_a_darker_and_warmer_light_is_followed() -> None:
    image = picture("board1_010")
    dimmed = np.clip(image * np.array([0.66, 0.72, 0.8]), 0, 255).astype(np.uint8)
    assert read_board(dimmed, learned("board1")).points == frames()["board1_010"].points


@pytest.mark.parametrize("brighter", [1.3, 1.6])
def test_in_a_picture_that_is_too_bright_no_wrong_count_is_sure(brighter: float) -> None:
    for name in ("board1_010", "board3_002"):
        truth, image = frames()[name], picture(name)
        bright = np.clip(image * brighter, 0, 255).astype(np.uint8)
        reading = read_board(bright, learned(truth.board))
        wrong = {p for p in range(1, 25) if reading.points[p - 1] != truth.points[p - 1]}
        assert wrong <= reading.unsure
        assert len(wrong) <= 1 or reading.fault == "too_bright"


@each_row("brighter, name", pairs([1.3, 1.5], POSITIONS))
def test_pale_checkers_that_are_burnt_out_are_told_from_dark_ones_and_from_the_board(
    name: str, brighter: float
) -> None:
    truth = frames()[name]
    bright = np.clip(picture(name) * brighter, 0, 255).astype(np.uint8)
    reading = read_board(bright, learned(truth.board))
    assert reading.points == truth.points
    assert not reading.unsure
    assert not reading.hand, "what is burnt out is no hand"


@pytest.mark.parametrize("push", [(5.0, -3.0), (-6.0, 4.0)])
def test_a_pushed_board_is_followed(push: tuple[float, float]) -> None:
    image = picture("board1_010")
    there = np.array([[1, 0, push[0]], [0, 1, push[1]]])
    pushed = cv2.warpAffine(image, there, (image.shape[1], image.shape[0]), borderMode=cv2.BORDER_REPLICATE)
    reading = read_board(np.asarray(pushed, np.uint8), learned("board1"))
    assert reading.points == frames()["board1_010"].points


def test_pictures_are_read_independently() -> None:
    board = learned("board1")
    first = read_board(picture("board1_010"), board)
    read_board(picture("board1_002"), board)
    assert read_board(picture("board1_010"), board) == first


@pytest.mark.parametrize("level", [0, 128, 255])
def test_a_picture_without_the_board_tells_nothing(level: int) -> None:
    board = learned("board1")
    reading = read_board(np.full((board.camera.height, board.camera.width, 3), level, np.uint8), board)
    assert reading.unsure == reading.covered == frozenset(range(1, 25))
    assert reading.bar == reading.off == Count(None, None)
    assert reading.confidence == 0


def test_another_board_is_not_taken_for_this_one() -> None:
    reading = read_board(picture("board3_002"), learned("board1"))
    assert reading.unsure == frozenset(range(1, 25))


def test_a_picture_of_another_size_is_refused_with_a_remedy() -> None:
    with pytest.raises(UserError, match=r"640x360.*1280x720.*same size"):
        read_board(np.zeros((360, 640, 3), np.uint8), learned("board1"))


def test_a_grey_picture_is_refused() -> None:
    with pytest.raises(UserError, match="colour"):
        read_board(np.zeros((720, 1280), np.uint8), learned("board1"))


@each_row("name", POSITIONS)
def test_likelihoods_hold_every_count_and_the_best_is_zero(name: str) -> None:
    reading = read_board(picture(name), learned(frames()[name].board))
    for scores in reading.likelihoods:
        assert max(scores.values()) == 0
        assert set(scores) == set(range(-15, 16))
    assert max(reading.bar_likelihoods.values()) == 0
    assert all(0 <= c <= 1 for c in reading.point_confidence)


def test_the_line_of_a_reading_has_the_promised_keys() -> None:
    reading = read_board(picture("board1_010"), learned("board1"))
    line = json.loads(reading_line("board1_010.jpg", reading, 41.04))
    assert line["file"] == "board1_010.jpg"
    assert line["points"] == list(frames()["board1_010"].points)
    assert line["bar"] == {"light": 0, "dark": 0}
    assert len(line["point_confidence"]) == 24
    assert line["ms"] == 41.0
    assert all(0 <= sure <= 1 for sure in (line["bar_confidence"], *line["off_confidence"].values()))
    assert set(line["cube"]) == {"value", "owner", "confidence"}
    assert set(line) == {
        *("file", "points", "bar", "off", "dice", "cube", "hand"),
        *("confidence", "point_confidence", "bar_confidence", "off_confidence", "unsure", "ms"),
    }


def test_where_light_differs_from_place_to_place_a_point_must_be_surer() -> None:
    board = learned("board3")
    shaded = read_board(in_bands_of_shadow(picture("board3_002"), 0.7), board)
    for reading in (shaded, join_looks((shaded, shaded), board)):
        unsure = {p for p in range(1, 25) if reading.point_confidence[p - 1] < SURE_IF_UNEVEN}
        assert unsure - reading.covered == reading.unsure - reading.covered
        assert any(reading.point_confidence[p - 1] >= SURE for p in unsure), "else this says nothing"


def test_in_the_dark_no_point_is_sure_once_light_differs_from_place_to_place() -> None:
    board, image = learned("board3"), picture("board3_002")
    dim, dark = (read_board((image * share).astype(np.uint8), board) for share in (0.25, 0.05))
    assert dim.unsure != EVERYWHERE
    assert dark.recognised
    assert dark.unsure == EVERYWHERE
