"""A filmed game that a table sees through a phone's page, in real time, its dice read from the pictures.

The phone is Chromium on the same machine; `film_phone.js` is its camera, which shows the film. The players of a film
cannot wait, so the film stands still while a line is cut, as people do who read that the table waits for its camera.
"""

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

import cv2

from controller.devices.film import open_film
from controller.record.table.match_folder import EVENTS
from tests.bench.films import FilmFolder, Line, compact, lines_of, pictures_of
from tests.web.phone.phone_table import PhoneTable, phone_table
from tests.web.walk.forwarder import Forwarder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

CAMERA: Final = (Path(__file__).parent / "film_phone.js").read_text()
QUALITY: Final = 97
"""Of the JPEG in which a picture reaches the page; the page makes another one of it, as of any camera's."""
PATIENCE_S: Final = 60.0
STARTED_S: Final = 5.0
"""How long the start position lies there before the first roll, and the last one after the last play."""
STEP_MS: Final = 100
AFTER_MS: Final = 1500
"""After a cut people look up again, and play on."""


@dataclass(frozen=True)
class Played:
    """What came of a film that was played through a phone.

    Attributes:
        lines: those of `events.jsonl`, by ply.
        back_s: for each cut, how long after it the table had a new picture.
        rate: pictures a second that reached the reader while the line was whole.
        cores: processor time of the table's process, by the time that the film took.
    """

    lines: dict[int, list[Line]]
    back_s: tuple[float, ...]
    rate: float
    cores: float


def right_plies(truth: Sequence[Line], lines: dict[int, list[Line]]) -> set[int]:
    """The numbers of the plies whose last line has the position, the player and the roll of the truth."""
    return {ply["ply"] for ply in truth if _is_right(ply, lines.get(ply["ply"], []))}


def accused_plies(truth: Sequence[Line], lines: dict[int, list[Line]]) -> set[int]:
    """The numbers of the legal plies that any line calls illegal."""
    return {
        ply["ply"]
        for ply in truth
        if ply["legal"] and any(line["legal"] is False for line in lines.get(ply["ply"], []))
    }


def _is_right(ply: Line, lines: list[Line]) -> bool:
    return (
        bool(lines)
        and lines[-1]["position"] == compact(ply["after"])
        and lines[-1]["player"] == ply["player"]
        and sorted(lines[-1]["dice"]) == sorted(ply["dice"])
    )


def play_film(browser: "Browser", film: FilmFolder, cuts_s: Sequence[float] = ()) -> Played:
    """Play a film through a phone's page; the line is cut for each of ``cuts_s``, spread over the film."""
    with (
        tempfile.TemporaryDirectory(prefix="pointsman-bench-") as folder,
        phone_table(Path(folder), board=film.board) as table,
        Forwarder(table.pages.port) as line,
    ):
        times = _write_pictures(film, Path(folder))
        page = _phone(browser, table, line.port, Path(folder))
        page.evaluate("(times) => { film.times = times; }", times)
        reply = table.room.inbox.ask(table.room.begin_match).result(PATIENCE_S)
        assert reply.done, reply
        page.wait_for_timeout(1000 * STARTED_S)
        began, spent, first = time.monotonic(), time.process_time(), _number(table)
        back = _run(page, table, line, cuts_of(cuts_s, times[-1] - times[0]))
        took = time.monotonic() - began - sum(cuts_s)
        rate, cores = (_number(table) - first) / took, (time.process_time() - spent) / took
        page.wait_for_timeout(1000 * STARTED_S)
        page.context.close()
        live = table.room.match.table
        assert live is not None
        by_ply: dict[int, list[Line]] = {}
        for each in lines_of(live.path / EVENTS):
            if "move" in each and "legal" in each:
                by_ply.setdefault(each["ply"], []).append(each)
        return Played(by_ply, tuple(back), rate, cores)


def _run(page: "Page", table: PhoneTable, line: Forwarder, cuts: list[tuple[float, float]]) -> list[float]:
    """Let the film run to its end, with the line cut at these seconds of it, for so long each."""
    back: list[float] = []
    page.evaluate("film.go()")
    while not page.evaluate("film.ended"):
        page.wait_for_timeout(STEP_MS)
        if cuts and page.evaluate("film.times[film.shown] - film.times[0]") >= cuts[0][0]:
            back.append(_cut(page, table, line, cuts.pop(0)[1]))
    return back


def _cut(page: "Page", table: PhoneTable, line: Forwarder, seconds: float) -> float:
    """Cut the line in the middle of whatever is done, and say how long after it a new picture was there."""
    line.cut()
    page.evaluate("film.hold()")
    page.wait_for_timeout(1000 * seconds)
    before, mended = _number(table), time.monotonic()
    line.mend()
    while _number(table) <= before and time.monotonic() - mended < PATIENCE_S:
        page.wait_for_timeout(20)
    took = time.monotonic() - mended
    page.wait_for_timeout(AFTER_MS)
    page.evaluate("film.go()")
    return took


def cuts_of(lengths_s: Sequence[float], film_s: float) -> list[tuple[float, float]]:
    """When in the film the line is cut and for how long: one in each equal part, anywhere in it."""
    chance, part = Random(1), film_s / (len(lengths_s) + 1)
    return [(part * (n + chance.uniform(0.3, 1.2)), length) for n, length in enumerate(lengths_s)]


def _number(table: PhoneTable) -> int:
    """That of the newest picture that the reader has."""
    glimpse = table.room.glimpse()
    return 0 if glimpse is None else glimpse.number


def _write_pictures(film: FilmFolder, folder: Path) -> list[float]:
    """Put the film's pictures where the page finds them; when each is to be shown, in seconds."""
    times = list[float]()
    for frame in open_film(pictures_of(film.folder)):
        if frame.picture is not None:
            name = str(folder / f"{len(times)}.jpg")
            cv2.imwrite(name, frame.picture, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
            times.append(frame.t)
    return times


def _phone(browser: "Browser", table: PhoneTable, port: int, folder: Path) -> "Page":
    """A phone that has become the camera and shows the film's first picture."""
    context = browser.new_context(ignore_https_errors=True, permissions=["camera"])
    context.add_init_script(CAMERA)

    def give(route: "Route") -> None:
        route.fulfill(path=folder / route.request.url.rpartition("/")[2])

    context.route("**/film/*.jpg", give)
    page = context.new_page()
    page.goto(table.address(port))
    page.get_by_text("The table sees through this phone.").wait_for(timeout=1000 * PATIENCE_S)
    return page
