"""A real room whose camera is a phone, with its pages over TLS, and what the room's camera gives."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from controller.app.pages import RoomPages, open_pages
from controller.app.room import Room
from controller.arrays import Picture
from controller.config import load_config
from controller.config.sections import WebSection
from controller.devices.camera.choice import PHONE
from controller.vision.board.board import Board
from controller.web.table_service import Glimpse

SHUTTER: Final = (Path(__file__).parent / "shutter.js").read_text()
BITS: Final = 44
CONFIG: Final = "pointsman.toml"


@dataclass
class PhoneTable:
    """A room that runs."""

    room: Room
    pages: RoomPages

    def address(self, port: int | None = None) -> str:
        """Where a phone becomes the camera, with a new code."""
        code = self.pages.phone.new_code()
        return f"https://127.0.0.1:{port or self.pages.port}/camera#{code}"

    def watch(self, seconds: float) -> list[tuple[float, Glimpse]]:
        """The pictures of so many seconds, each with when it was seen, in seconds since 1970."""
        found: dict[int, tuple[float, Glimpse]] = {}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            glimpse = self.room.glimpse()
            if glimpse is not None:
                found.setdefault(glimpse.number, (time.time(), glimpse))
            time.sleep(0.002)
        return list(found.values())


def taken_at(picture: Picture) -> float:
    """When a picture of `shutter.js` was taken, in seconds since 1970."""
    height, width = picture.shape[:2]
    row = picture[round(height * 25 / 1080)]
    places = ((np.arange(BITS) + 0.5) * width / BITS).astype(int)
    bits = row[places].mean(axis=1) > 127
    return sum(1 << int(bit) for bit in np.flatnonzero(bits)) / 1000


@contextmanager
def phone_table(
    folder: Path, source: str = PHONE, size: tuple[int, int] | None = None, board: Board | None = None
) -> Iterator[PhoneTable]:
    """A table that runs while the block is not left; ``size`` is that of the pictures, ``board`` lies under it."""
    file = folder / CONFIG
    pixels = "" if size is None else f"width = {size[0]}\nheight = {size[1]}\n"
    file.write_text(f'[board]\nport = "none"\n[camera]\nsource = "{source}"\n{pixels}')
    room = Room(load_config(file), board, lambda _: None)
    pages = open_pages(room, WebSection(port=0, open=True))
    stop = threading.Event()
    thread = threading.Thread(target=lambda: room.run(stop, stays=True))
    thread.start()
    try:
        yield PhoneTable(room, pages)
    finally:
        pages.close()
        stop.set()
        room.inbox.wake()
        thread.join()
