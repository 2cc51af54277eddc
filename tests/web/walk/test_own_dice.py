"""Somebody shows a table its own dice from the set-up page: the camera looks by itself, and says what it saw."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from controller.app.pages import open_pages
from controller.app.room import Room
from controller.arrays import Picture
from controller.config import load_config
from controller.config.sections import WebSection
from controller.devices.camera.camera import Frame
from controller.vision.board.board import Board, dump_board, load_board
from controller.vision.fitted.last_layer import LastLayer
from tests.app.test_live import Scene
from tests.calibration.test_faces import PLAIN, dice, small_board
from tests.web.walk.visitor import DESK, PHONE, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FPS = 5.0


class DiceCamera(Scene):
    """A camera over dice that the test lays."""

    def __init__(self) -> None:
        super().__init__()
        self.picture: Picture = dice((), 0, PLAIN)
        self._taken = 0

    def throw(self, values: tuple[int, ...], seed: int) -> None:
        self.picture = dice(values, seed, PLAIN)

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(min(timeout_s, 1 / FPS))
        self._taken += 1
        return Frame(self._taken, time.monotonic(), self.picture)


@contextmanager
def table(folder: Path, camera: DiceCamera, board: Board) -> Iterator[Room]:
    """A room with a board whose file is on the disk."""
    file = folder / "pointsman.toml"
    file.write_text("[board]\nport = 'none'\n")
    (folder / "board.toml").write_text(dump_board(board))
    config = load_config(file)
    room = Room(config, board, lambda _: None, open_camera=camera.open)
    stop = threading.Event()
    thread = threading.Thread(target=room.run, args=(stop,), kwargs={"stays": True})
    thread.start()
    try:
        yield room
    finally:
        stop.set()
        room.inbox.wake()
        thread.join()


def test_a_table_is_shown_its_dice_on_the_set_up_page_and_forgets_them_again(
    browser: "Browser", tmp_path: Path
) -> None:
    """One lesson, at which somebody looks with a phone and somebody at a desk; each of them says a part of it."""
    camera = DiceCamera()
    with (
        table(tmp_path, camera, small_board(PLAIN)) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", DESK) as desk,
        visiting(browser, f"http://localhost:{pages.port}", PHONE) as phone,
    ):

        def both_see(name: str, **arguments: int) -> None:
            for visitor in (desk, phone):
                visitor.sees(visitor.words("faces", name, **arguments))

        def both_look(name: str) -> None:
            for visitor in (desk, phone):
                visitor.look(name)

        for visitor in (desk, phone):
            visitor.open("/setup#devices")
            visitor.unfold(visitor.words("page", "setup", "dice_label"))
        phone.press(phone.words("page", "setup", "faces_begin"))
        both_see("ask", number=1)
        both_look("own-dice-asked")
        for number in range(1, 7):
            if number == 3:
                camera.throw((3,), 30)
                both_see("other_count", seen=1, usual=2)
            if number == 5:
                camera.throw((5, 2), 50)
                both_see("other_number", told=2, number=5)
                both_look("own-dice-doubted")
            camera.throw((number, number), number)
            if number < 6:
                both_see("ask", number=number + 1)
        for visitor in (desk, phone):
            visitor.page.locator("#faces-known").wait_for()
        both_see("kept", shown=12, before=12, after=12)
        both_look("own-dice-learned")
        kept = load_board((tmp_path / "board.toml").read_text(), "board.toml")
        assert kept.dice is not None
        assert room.board == kept
        desk.press(desk.words("page", "setup", "faces_more"))
        both_see("ask", number=1)
        desk.press(desk.words("page", "setup", "faces_stop"))
        phone.press(phone.words("page", "setup", "faces_forget"))
        phone.sees(phone.words("faces", "forgotten"))
    assert load_board((tmp_path / "board.toml").read_text(), "board.toml").dice is None


def test_a_board_that_is_found_anew_keeps_what_was_learned_of_its_dice(
    browser: "Browser", tmp_path: Path
) -> None:
    layer = LastLayer.from_weights("0123", np.zeros((7, 3)))
    with (
        table(tmp_path, DiceCamera(), replace(small_board(PLAIN), dice=layer)) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", PHONE) as visitor,
    ):
        visitor.open("/setup#aim")
        visitor.press(visitor.words("page", "setup", "find"))
        visitor.press(visitor.words("page", "setup", "outline_right"))
        visitor.press(visitor.words("page", "setup", "checkers_right"))
        visitor.sees(visitor.words("faces", "faces_carried"))
        visitor.look("own-dice-carried")
        assert room.board is not None
        assert room.board.dice == layer
    assert load_board((tmp_path / "board.toml").read_text(), "board.toml").dice == layer
