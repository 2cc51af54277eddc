"""Dice that are too small in the usual pictures, and a camera that has more pixels, read as at a table."""

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
import pytest

from controller.app.closer.closer import Closer
from controller.app.eyes import Eyes
from controller.arrays import Picture
from controller.devices.camera.stills import StillTaken, StillWish
from controller.devices.film import FilmFrame
from controller.referee.events import FrameSeen
from controller.vision.board.board import Board
from controller.vision.reading import Reading
from tests.vision.boards import learned, picture
from tests.vision.dice.test_dice import IVORY, throw

SMALLER = 4
FPS = 10.0
ROLL = {5, 6}


class Scene:
    """A camera above a board, whose usual pictures have a sixteenth of its pixels; its stills come late."""

    def __init__(self, *, late: int = 3, gives: bool = True) -> None:
        """``late``: after so many pictures; ``gives``: whether it gives any."""
        self.t_s = 0.0
        self.asked: list[StillWish] = []
        self.shown = self.still_shown = laid()
        self._late, self._gives = late, gives
        self._due: tuple[int, StillTaken] | None = None
        self._count, self._rng = 0, np.random.default_rng(3)

    @property
    def still_size(self) -> tuple[int, int] | None:
        return (self.shown.shape[1], self.shown.shape[0]) if self._gives else None

    def ask_still(self, stops: int = 0) -> int:
        wish = StillWish(len(self.asked) + 1, stops)
        self.asked.append(wish)
        self._due = self._count + self._late, StillTaken(wish, self.still_shown)
        return wish.number

    def collect_still(self) -> StillTaken | None:
        if self._due is None or self._count < self._due[0]:
            return None
        taken, self._due = self._due[1], None
        return taken

    def frame(self) -> FilmFrame:
        """The next usual picture."""
        self._count += 1
        self.t_s = self._count / FPS
        small = cv2.resize(self.shown, None, fx=1 / SMALLER, fy=1 / SMALLER, interpolation=cv2.INTER_AREA)
        seen = np.asarray(np.clip(small + self._rng.normal(0, 1, small.shape), 0, 255), np.uint8)
        return FilmFrame(self._count, str(self._count), self.t_s, seen)

    def board(self) -> Board:
        board = learned("board1")
        camera = board.camera.resized(board.camera.width // SMALLER, board.camera.height // SMALLER)
        return replace(board, camera=camera)

    def eyes(self) -> Eyes:
        return Eyes(self.board(), closer=Closer(self, 6.0, lambda: self.t_s))


def laid(*values: int, hand: bool = False) -> Picture:
    """The start position with dice, and with something over the board."""
    board, seen = learned("board1"), picture("board1_start").copy()
    for value, x in zip(values or sorted(ROLL), (-140.0, 140.0), strict=False):
        throw(seen, board, IVORY, value, x, 5.0, 0.4)
    if hand:
        cv2.rectangle(seen, (300, 0), (620, 420), (120, 150, 200), -1)
    return seen


def read(
    scene: Scene, eyes: Eyes, pictures: int, change: Callable[[int], None] = lambda _: None
) -> list[Reading]:
    """What is read of so many pictures; ``change`` is told each number before it is taken."""
    readings = []
    for number in range(pictures):
        change(number)
        readings += [
            news.reading for news, _ in eyes.read_frame(scene.frame()) if isinstance(news, FrameSeen)
        ]
    return readings


def sure_numbers(reading: Reading) -> set[int]:
    return {die.value for die in reading.dice if die.confidence > 0.9}


def test_a_roll_that_the_usual_pictures_do_not_show_is_read_in_a_still() -> None:
    without, scene = Scene(gives=False), Scene()
    assert sure_numbers(read(without, without.eyes(), 12)[-1]) != ROLL
    readings = read(scene, scene.eyes(), 12)
    assert sure_numbers(readings[0]) != ROLL
    assert sure_numbers(readings[-1]) == ROLL
    assert [wish.stops for wish in scene.asked] == [0], "once for a scene, and not again without a doubt"
    assert readings[-1].points == readings[0].points


def test_what_comes_after_something_has_moved_is_let_go_of() -> None:
    scene = Scene(late=4)

    def change(number: int) -> None:
        if number == 3:
            scene.shown = laid(hand=True)
        if number == 6:
            scene.shown = scene.still_shown = laid(3, 2)

    readings = read(scene, scene.eyes(), 20, change)
    assert not any(sure_numbers(reading) == ROLL for reading in readings)
    assert sure_numbers(readings[-1]) == {2, 3}
    assert len(scene.asked) >= 2


def test_a_still_of_something_else_is_not_used(caplog: pytest.LogCaptureFixture) -> None:
    scene = Scene()
    scene.still_shown = picture("board3_002")
    readings = read(scene, scene.eyes(), 12)
    assert sure_numbers(readings[-1]) != ROLL
    assert [record.message for record in caplog.records if record.levelname == "WARNING"] == [
        "A still does not show what the pictures show, and is not used."
    ]


def test_where_lamps_burn_dice_out_a_darker_picture_counts_beside_the_others() -> None:
    class Mirroring(Scene):
        """A lamp shines in both dice; a picture with a quarter of the light shows what is below."""

        def ask_still(self, stops: int = 0) -> int:
            dark = np.asarray(255 * ((laid() / 255) ** 2.2 / 4) ** (1 / 2.2), np.uint8)
            self.still_shown = dark if stops else self.shown
            return super().ask_still(stops)

    scene = Mirroring()
    scene.shown = laid()
    for x in (-140.0, 140.0):
        place = learned("board1").camera.project(np.array([x, 5.0, 15.0]))
        cv2.circle(scene.shown, (round(place[0]), round(place[1])), 8, (255, 255, 255), -1)
    readings = read(scene, scene.eyes(), 14)
    assert [wish.stops for wish in scene.asked] == [0, -2]
    assert {die.value for die in readings[0].dice} != ROLL
    assert {die.value for die in readings[-1].dice} == ROLL
    assert min(die.confidence for die in readings[-1].dice) > 0.6


def test_dice_that_stay_where_they_were_read_are_not_looked_at_again() -> None:
    scene = Scene()

    def change(number: int) -> None:
        if number in (10, 11):
            scene.shown = laid(hand=True)
        if number == 12:
            scene.shown = laid()

    read(scene, scene.eyes(), 24, change)
    assert [wish.stops for wish in scene.asked] == [0]
