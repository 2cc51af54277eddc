"""A phone makes a table of a machine that has just been switched on, up to the first verdict.

    python -m tests.install.phone_sets_up CONSOLE FILM BEGAN [PICTURES]

CONSOLE is the file with what stands on the machine's screen, FILM the folder with the pictures of a game, BEGAN when
the machine was switched on, in seconds since 1970. Two phones are one Chromium: the one of who sets up, and an older
one that becomes the camera. Both scan squares; nothing is known but what they show. What is expected and does not
come is told, with status 1.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from controller.messages.catalogue import catalogue
from tests.browser import open_browser
from tests.install.film_camera import FilmCamera
from tests.install.photographed import square_in, square_on_console

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

LANGUAGE: Final = "en"
SIZE: Final = {"width": 360, "height": 640}
PATIENCE_S: Final = 300.0
READS_MS: Final = 1000
"""Somebody reads a button before it is pressed; the page takes no press of one that has just changed."""
WARNING: Final = 3
"""*Go on*, and two touches that the page /trust names for the browser's warning about an unknown certificate."""
PIN, LIGHT, DARK = "482913", "Anna", "Béla"
FIRST_PLAY: Final = "13/7"
"""What the film begins with, as its truth has it."""
ALLOWED_S: Final = 600.0


@dataclass
class Walk:
    """What the people do at their phones, counted.

    Attributes:
        began: when the machine was switched on, in seconds since 1970.
    """

    began: float
    pictures: Path | None
    clicks: int = 0
    typed: int = 0
    wrong: list[str] = field(default_factory=list)

    def words(self, *path: str) -> str:
        """A text of the page."""
        return catalogue(LANGUAGE).text("page", *path)

    def press(self, page: "Page", name: str) -> None:
        """Read a button or a link by its words, and touch it."""
        self.touch(page, page.get_by_role("button", name=name).or_(page.get_by_role("link", name=name)))

    def touch(self, page: "Page", what: object) -> None:
        """Touch something when it can be touched."""
        wanted = what.locator("visible=true").first  # type: ignore[attr-defined]
        wanted.wait_for()
        page.wait_for_timeout(READS_MS)
        wanted.click()
        self.clicks += 1

    def type(self, page: "Page", place: str, text: str) -> None:
        """Type into a field."""
        page.locator(place).fill(text)
        self.typed += 1

    def tell(self, what: str, page: "Page | None" = None) -> None:
        """Say when it came so far, and keep a picture of it."""
        sys.stdout.write(f"{time.time() - self.began:6.1f} s  {self.clicks:2} touches  {what}\n")
        sys.stdout.flush()
        if page is not None and self.pictures is not None:
            number = len(list(self.pictures.glob("[0-9]*.png")))
            page.screenshot(path=self.pictures / f"{number:02}.png")


def until(holds: Callable[[], str], what: str) -> str:
    """Wait until something says something; end with a sentence if it never does."""
    end = time.monotonic() + PATIENCE_S
    while not (said := holds()):
        if time.monotonic() > end:
            sys.exit(f"phone_sets_up.py: {what}")
        time.sleep(0.5)
    return said


def main(console: str, film: str, began: str, pictures: str | None = None) -> None:
    """Scan the square on the console, and go on from there."""
    walk = Walk(float(began), None if pictures is None else Path(pictures))
    screen = Path(console)
    with tempfile.TemporaryDirectory() as folder, FilmCamera(Path(film), Path(folder, "film.y4m")) as camera:
        flags = (
            "--no-sandbox",
            "--use-fake-device-for-media-stream",
            "--use-fake-ui-for-media-stream",
            f"--use-file-for-fake-video-capture={camera.path}",
        )
        with open_browser(*flags) as browser:
            found = until(
                lambda: square_on_console(screen.read_text(errors="replace")),
                "the machine's screen shows no square",
            )
            walk.tell(f"the machine's screen shows {found.partition('#')[0]} as a square")
            sets_up(walk, browser, found, camera)
    if walk.wrong:
        sys.exit(f"phone_sets_up.py: the browser complains: {walk.wrong}")


def sets_up(walk: Walk, browser: "Browser", found: str, camera: FilmCamera) -> None:
    """From the square to the verdict."""
    with phone(walk, browser) as page, phone(walk, browser) as second:
        becomes_director(walk, page, found)
        second_becomes_camera(walk, page, second)
        finds_board(walk, page)
        starts_match(walk, page)
        camera.begin()
        page.get_by_text(FIRST_PLAY).locator("visible=true").first.wait_for()
        took = time.time() - walk.began
        walk.tell(f"the first verdict: {FIRST_PLAY}", page)
    sys.stdout.write(
        f"From power to the first verdict: {took:.0f} s, {walk.clicks} touches, {walk.typed} fields typed, "
        "0 shell commands.\n"
    )
    if took > ALLOWED_S:
        sys.exit(f"phone_sets_up.py: it took longer than {ALLOWED_S:.0f} s")


@contextmanager
def phone(walk: Walk, browser: "Browser") -> Iterator["Page"]:
    """A phone; what its browser complains of is kept. The table's certificate is nobody's in the internet."""
    context = browser.new_context(
        viewport=SIZE,  # type: ignore[arg-type]
        locale=LANGUAGE,
        has_touch=True,
        ignore_https_errors=True,
        permissions=["camera"],
    )
    page = context.new_page()
    page.set_default_timeout(1000 * PATIENCE_S)
    page.on("console", lambda said: walk.wrong.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: walk.wrong.append(str(error)))
    try:
        yield page
    except Exception:
        walk.tell(f"it stopped here: {page.inner_text('body')}", page)
        raise
    finally:
        context.close()


def becomes_director(walk: Walk, page: "Page", found: str) -> None:
    """The square's page, past the browser's warning, and the PIN."""
    goes(walk, page, found)
    page.locator("#pin").wait_for()
    walk.type(page, "#pin", PIN)
    walk.tell("a PIN is chosen", page)
    walk.press(page, walk.words("welcome", "enter"))
    page.wait_for_url("**/setup*")
    page.locator("#heading").wait_for()
    walk.tell("the set-up page", page)


def goes(walk: Walk, page: "Page", address: str) -> None:
    """Follow a square. This browser goes past the warning by itself: what a person touches there is counted."""
    page.goto(address)
    if "https:" not in address:
        walk.clicks += WARNING


def second_becomes_camera(walk: Walk, page: "Page", second: "Page") -> None:
    """A phone is chosen as the camera, and another one scans the square on the first."""
    page.locator("#camera").select_option("phone")
    walk.clicks += 2
    walk.press(page, walk.words("setup", "phone_code"))
    page.locator("#phone-square").wait_for()
    said = until(
        lambda: square_in(as_picture(page.locator("#phone-square").screenshot())), "no code for the camera"
    )
    walk.tell("the code for the camera", page)
    goes(walk, second, said)
    walk.clicks += WARNING
    start = second.locator("#start")
    second.locator("#video:visible, #start:visible").first.wait_for()
    if start.is_visible():
        walk.touch(second, start)
    second.locator("#video").wait_for()
    second.get_by_text(walk.words("camera", "used")).wait_for()
    walk.tell("the other phone is the camera", second)
    page.locator("#phone-shown").wait_for(state="hidden")
    page.locator("#main-button:enabled").wait_for()
    walk.tell("the set-up page has its picture", page)
    walk.press(page, walk.words("setup", "go_on"))


def finds_board(walk: Walk, page: "Page") -> None:
    """Aim, find, and see that it is right."""
    page.locator("#main-button:enabled").wait_for()
    walk.tell("aiming", page)
    walk.press(page, walk.words("setup", "find"))
    page.get_by_role("button", name=walk.words("setup", "outline_right")).wait_for()
    walk.tell("the board is found", page)
    walk.press(page, walk.words("setup", "outline_right"))
    page.locator("#main-button:enabled").wait_for()
    walk.tell("the checkers are read", page)
    walk.press(page, walk.words("setup", "checkers_right"))


def starts_match(walk: Walk, page: "Page") -> None:
    """Past lights and dice, the names, and the match is on."""
    page.get_by_text(walk.words("setup", "heading", "devices")).wait_for()
    walk.tell("lights and dice", page)
    walk.press(page, walk.words("setup", "go_on"))
    walk.type(page, "#light", LIGHT)
    walk.type(page, "#dark", DARK)
    walk.tell("who plays", page)
    walk.press(page, walk.words("setup", "start"))
    page.wait_for_url(lambda address: address.rstrip("/").count("/") == 2)
    page.get_by_text(LIGHT).locator("visible=true").first.wait_for()
    walk.tell("the match is on", page)


def as_picture(png: bytes) -> np.ndarray:
    """A screenshot for OpenCV, with light around it."""
    picture = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return cv2.copyMakeBorder(picture, 20, 20, 20, 20, cv2.BORDER_CONSTANT, value=(255, 255, 255))


if __name__ == "__main__":
    main(*sys.argv[1:])
