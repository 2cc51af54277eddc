"""Pages in windows of any size, fed with states: what of a page does not fit into its window."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

HERE: Final = Path(__file__).parent
Size = tuple[int, int]
SIZES: Final[tuple[Size, ...]] = (
    (3840, 2160),
    (1920, 1080),
    (1440, 900),
    (1280, 720),
    (1024, 600),
    (800, 480),
    (640, 360),
    (2160, 3840),
    (768, 1024),
    (390, 844),
    (360, 640),
)
"""What people have: a wall, desks, the screens that are made for a Raspberry Pi, tablets and phones, both ways."""
TARGET: Final = 44
"""The least width and height of what a finger is to meet, CSS pixels."""
FAULTS: Final = (HERE / "faults.js").read_text()
"""What does not fit of what is wanted of a page; see `layout_walk.wanted`."""
UNREACHED: Final = (HERE / "unreached.js").read_text()
"""The controls that nobody can get at, not even by scrolling."""


class Feed:
    """The live channel of a page, from which it hears the states that a test shows it."""

    def __init__(self, page: "Page") -> None:
        self.page = page
        self._sockets: list[WebSocketRoute] = []
        self._seq = 0
        page.route_web_socket("**/api/v1/live**", lambda socket: self._sockets.append(socket))

    def show(self, state: dict[str, Any]) -> None:
        """The table tells the page everything anew; returns once it is drawn."""
        while not self._sockets:
            self.page.wait_for_timeout(20)
        self._seq += 1
        told = {"v": 1, "kind": "snapshot", "run": "shown", "seq": self._seq, "event": 1, "state": state}
        self._sockets[-1].send(json.dumps(told))
        self.page.evaluate("() => new Promise((drawn) => setTimeout(() => requestAnimationFrame(drawn), 0))")


@contextmanager
def fed_page(browser: "Browser", address: str, **context: Any) -> Iterator[Feed]:
    """A page that is open and waits to be told a state. What the browser complains of fails the test."""
    opened = browser.new_context(reduced_motion="reduce", **context)
    page, wrong = opened.new_page(), list[str]()
    page.on("console", lambda said: said.type == "error" and wrong.append(said.text))
    page.on("pageerror", lambda error: wrong.append(str(error)))
    feed = Feed(page)
    try:
        page.goto(address)
        yield feed
    finally:
        opened.close()
    assert wrong == []
