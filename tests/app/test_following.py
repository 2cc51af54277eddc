"""A board that was moved under the camera is followed where its checkers prove it."""

from collections.abc import Sequence

import numpy as np
import pytest

from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.devices.film import FilmFrame
from controller.referee.events import FrameSeen
from controller.vision.geometry.board_grid import moved
from controller.vision.reading import Reading
from tests.vision.boards import frames, learned, picture, seen_from

NAME = "board1_002"
EMPTY = (0,) * 24


def pushed(x_mm: float, y_mm: float, turn: float = 0.0) -> Picture:
    camera = learned("board1").camera
    return seen_from(picture(NAME), camera, moved(camera, x_mm, y_mm, turn))


def readings(pictures: Sequence[Picture], *known: Sequence[int]) -> list[Reading]:
    """What is told of pictures half a second apart."""
    eyes = Eyes(learned("board1"), known=known)
    told = [
        news
        for number, image in enumerate(pictures)
        for news, _ in eyes.read_frame(FilmFrame(number, str(number), number / 2, image))
    ]
    return [news.reading for news in told if isinstance(news, FrameSeen)]


def wrong(reading: Reading) -> set[int]:
    """The points that are surely read otherwise than they lie."""
    true = frames()[NAME].points
    return {p for p in range(1, 25) if reading.points[p - 1] != true[p - 1]} - reading.unsure


def test_a_board_with_the_checkers_seen_last_is_followed_and_its_push_told() -> None:
    before, after = readings([picture(NAME), pushed(62, -10, 0.03)])
    assert before.drift is not None
    assert after.fault is None
    assert not wrong(after)
    assert after.drift is not None
    assert after.drift.x_mm == pytest.approx(62, abs=3)
    assert after.drift.y_mm == pytest.approx(-10, abs=3)
    assert np.radians(after.drift.turn_deg) == pytest.approx(0.03, abs=0.006)


def test_a_board_turned_round_is_followed_and_so_is_its_way_back() -> None:
    seen = readings([picture(NAME), pushed(5, 5, np.pi), picture(NAME)])
    assert [reading.fault for reading in seen] == [None, None, None]
    assert not any(wrong(reading) for reading in seen)
    turns = [reading.drift.turn_deg for reading in seen if reading.drift is not None]
    assert [round(abs(turn) / 180) for turn in turns] == [0, 1, 0]


def test_a_board_is_followed_from_the_start_if_what_should_lie_there_does() -> None:
    (reading,) = readings([pushed(80, 0)], frames()[NAME].points)
    assert reading.fault is None
    assert not wrong(reading)


@pytest.mark.parametrize("known", [(), (EMPTY,)])
def test_a_board_with_other_checkers_is_told_to_be_moved_and_not_followed(
    known: Sequence[Sequence[int]],
) -> None:
    (reading,) = readings([pushed(62, -10)], *known)
    assert reading.fault == "moved"
    assert reading.elsewhere is None, "it is for the eyes, not for the journal"
