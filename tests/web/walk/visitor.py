"""A person at a page in the browser: reads, clicks, types, and notices what is wrong with the page."""

import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import urlsplit

from controller.messages.catalogue import catalogue
from tests.web.axe import grave_violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

PICTURES: Final = "POINTSMAN_PICTURES"
"""The variable of the environment that names a folder to keep pictures of the pages in."""
SETTLED_MS: Final = 120_000
TRY_AGAIN_MS: Final = 1500
LOOK_MS: Final = 50
READS_MS: Final = 350
"""On some pages a button that has just changed takes no press; people take longer to read it."""
READ: Final = ("/", "/setup")
"""Those pages."""
NO_HEADERS: Final[Mapping[str, str]] = MappingProxyType({})
Ground = Literal["light", "dark"]


@dataclass(frozen=True, slots=True)
class Device:
    """What somebody looks at the pages with."""

    width: int
    height: int
    language: str = "en"
    ground: Ground = "light"
    touch: bool = False

    @property
    def name(self) -> str:
        return f"{self.width}-{self.language}-{self.ground}"


DESK: Final = Device(1440, 900)
PHONE: Final = Device(390, 844, "hu", "dark", touch=True)


@dataclass
class Visitor:
    """Somebody with a browser.

    Attributes:
        page: what he looks at.
        device: with what.
        address: of the table, without a stroke at its end.
        wrong: what the browser complained of.
    """

    page: "Page"
    device: Device
    address: str
    pictures: Path | None = None
    wrong: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.page.set_default_timeout(SETTLED_MS)
        self.page.on("console", lambda said: said.type == "error" and self.wrong.append(said.text))
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))

    def words(self, *path: str, **arguments: object) -> str:
        """A text of his language."""
        return catalogue(self.device.language).text(*path, **arguments)

    def open(self, path: str) -> None:
        """Open a page of the table."""
        self.page.goto(f"{self.address}{path}")

    def button(self, name: str) -> "Locator":
        """A button by its words; the letter of its key may stand beside them."""
        return self.page.get_by_role("button", name=name).locator("visible=true").first

    def press(self, name: str) -> None:
        """Read a button, and press it."""
        button = self.button(name)
        button.wait_for()
        if urlsplit(self.page.url).path in READ:
            self.page.wait_for_timeout(READS_MS)
        button.click()

    def follow(self, name: str) -> None:
        """Follow a link by its words."""
        self.page.get_by_role("link", name=name).locator("visible=true").first.click()

    def unfold(self, name: str) -> None:
        """Open what is folded away under a heading."""
        self.page.locator("summary", has_text=name).locator("visible=true").click()

    def choose(self, *path: str, **arguments: object) -> None:
        """Press the button of a choice."""
        self.press(self.words("live", "choice", *path, **arguments))

    def sees(self, text: str) -> None:
        """Wait until a text can be read on the page."""
        wanted = self.page.get_by_text(text).locator("visible=true").first
        try:
            wanted.wait_for()
        except Exception as error:
            raise AssertionError(f"{text!r} is not on the page: {self.page.inner_text('body')}") from error

    def until(self, come: Callable[[], bool], act: Callable[[], object] | None = None) -> None:
        """Wait for something to come true; try an act again and again until it has."""
        end = time.monotonic() + SETTLED_MS / 1000
        while not come():
            assert time.monotonic() < end, self.page.inner_text("body")
            if act is not None:
                act()
            self._wait(come, TRY_AGAIN_MS if act else LOOK_MS)

    def _wait(self, come: Callable[[], bool], most_ms: int) -> None:
        """Wait so long at most for something to come true."""
        end = time.monotonic() + most_ms / 1000
        while time.monotonic() < end and not come():
            self.page.wait_for_timeout(LOOK_MS)

    # --- what is wrong with a page ---------------------------------------------------------------------------

    def look(self, name: str) -> None:
        """Keep a picture of the page as it is, and look for what is wrong with it."""
        if self.pictures is not None:
            self.page.screenshot(path=self.pictures / f"{name}-{self.device.name}.png")
        assert self._overflow() <= 0, f"{name} is wider than {self.device.name}"
        found = self._violations()
        assert found == [], (name, found)
        assert self.wrong == [], name

    def _overflow(self) -> int:
        wide: int = self.page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        return wide

    def _violations(self) -> list[str]:
        """What axe finds that keeps people out, with the places."""
        return [
            f"{each['id']}: {node['html']} {node['failureSummary']}"
            for each in grave_violations(self.page)
            for node in each["nodes"]
        ]


@contextmanager
def visiting(
    browser: "Browser", address: str, device: Device = DESK, headers: Mapping[str, str] = NO_HEADERS
) -> Iterator[Visitor]:
    """Somebody comes with a browser of his own, and goes; past the warning about the table's certificate."""
    folder = os.environ.get(PICTURES)
    if folder:
        Path(folder).mkdir(parents=True, exist_ok=True)
    context = browser.new_context(
        viewport={"width": device.width, "height": device.height},
        color_scheme=device.ground,
        locale={"en": "en-GB", "hu": "hu-HU", "et": "et-EE", "sk": "sk-SK"}[device.language],
        has_touch=device.touch,
        reduced_motion="reduce",
        extra_http_headers=dict(headers),
        ignore_https_errors=True,
    )
    try:
        yield Visitor(context.new_page(), device, address, Path(folder) if folder else None)
    finally:
        context.close()
