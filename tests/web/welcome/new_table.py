"""A real room in an empty folder, with its pages, and somebody who comes to them from another machine."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from controller.app.pages import RoomPages, open_pages
from controller.app.room import Room
from controller.config.config import NAME, Config
from controller.config.sections import BoardSection, CameraSection, WebSection

ELSEWHERE: Final[Mapping[str, str]] = {"X-Forwarded-For": "192.0.2.9"}
"""Whoever sends this has come from another machine through a program on this one."""


@dataclass
class NewTable:
    """A room that runs.

    Attributes:
        file: where what is chosen is kept.
    """

    room: Room
    pages: RoomPages
    file: Path

    def visitor(self, headers: Mapping[str, str] = ELSEWHERE, language: str = "en") -> httpx.Client:
        """A browser on another machine, or with other headers on this one."""
        told = {**headers, "Accept-Language": language, "Accept": "text/html"}
        return httpx.Client(base_url=f"https://127.0.0.1:{self.pages.port}", headers=told, verify=False)

    def code(self) -> str:
        """The code that the table shows now."""
        assert self.pages.welcome is not None
        return self.pages.welcome.code.renew()


@contextmanager
def new_table(folder: Path, web: WebSection | None = None) -> Iterator[NewTable]:
    """A table that runs while the block is not left; nobody has set anything up."""
    config = Config(
        folder=folder,
        board=BoardSection(port="none"),
        camera=CameraSection(source="phone"),
        web=web or WebSection(port=0),
    )
    room = Room(config, None, lambda _: None)
    file = folder / NAME
    pages = open_pages(room, config.web, file)
    stop = threading.Event()
    thread = threading.Thread(target=lambda: room.run(stop, stays=True))
    thread.start()
    try:
        yield NewTable(room, pages, file)
    finally:
        pages.close()
        stop.set()
        room.inbox.wake()
        thread.join()
