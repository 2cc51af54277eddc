"""A phone as the camera: `python -m tests.bench.bench_phone [FOLDER]`.

Pictures a second at the reader, how long one takes there, how soon a cut line is back; and a filmed game in real
time, without a cut and with cuts, beside the same film read from its file. The phone is Chromium on the same machine.
Its camera is a drawn scene that tells the time of each picture, or the film: the game that ships, or those of the
folder (`tests/bench/films.py` says what it must hold). ROUNDS in the environment says how often the line is cut; 5 if
it is not set.
"""

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from tests.bench.films import SHIPPED, FilmFolder, FilmsError, films, follow
from tests.bench.phone_game import Played, accused_plies, play_film, right_plies
from tests.browser import open_browser
from tests.web.phone.phone_table import SHUTTER, PhoneTable, phone_table, taken_at
from tests.web.walk.forwarder import Forwarder

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROUNDS: Final = int(os.environ.get("ROUNDS", "5"))
CUTS_S: Final = (1.0, 3.0, 10.0, 30.0)
"""How long the line is cut, one after the other."""
WATCHED_S: Final = 10.0
FILM_RATE: Final = 30
"""Pictures a second that the phone's camera takes."""
SETTLED_MS: Final = 4000
RATE, DELAY_MS, BACK_S = 8.0, 250.0, 2.0
MAY_DIFFER: Final = 1
"""Of the plies of a film: each run has other pictures of it, and a roll may be doubtful in some."""
PATIENCE_S: Final = 60.0
FLAGS: Final = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def run(named: str | None = None) -> list[dict[str, Any]]:
    """Rows of the benchmark table."""
    return list(rows(named))


def rows(named: str | None = None) -> Iterator[dict[str, Any]]:
    """The same as they come: the films take as long as they last, twice."""
    cv2.setNumThreads(1)
    folders = films(named)[1:] or [SHIPPED]
    with open_browser(*FLAGS) as browser:
        yield from _speed(browser)
        yield _cuts(browser)
        for folder in folders:
            yield from _game(browser, folder)


def _game(browser: "Browser", folder: Path) -> Iterator[dict[str, Any]]:
    """A film through the phone without a cut and with cuts, beside the same from its file."""
    film = FilmFolder.of(folder)
    of = f"of {len(film.truth)}"
    from_file = right_plies(film.truth, follow(film, dice=False, live=True).lines)
    yield {"name": f"plies right: {folder.name}, live, from the file", "value": len(from_file), "unit": of}
    whole = play_film(browser, film)
    yield from _verdicts(f"{folder.name}, live, through a phone", film, whole, from_file)
    yield {
        "name": f"pictures a second: {folder.name}",
        "value": whole.rate,
        "unit": "a second",
        "target": RATE,
    }
    yield {"name": f"the table's processor: {folder.name}", "value": whole.cores, "unit": "cores"}
    cut = play_film(browser, film, [CUTS_S[number % len(CUTS_S)] for number in range(ROUNDS)])
    yield from _verdicts(f"{folder.name}, live, through a phone, {ROUNDS} cuts", film, cut, from_file)
    if cut.back_s:
        name = f"a cut line is back, at worst: {folder.name}"
        yield {"name": name, "value": max(cut.back_s), "unit": "s", "target": BACK_S}


def _verdicts(name: str, film: FilmFolder, played: Played, from_file: set[int]) -> Iterator[dict[str, Any]]:
    """What was told of the plies, beside what is told of them from the file; which differ goes to standard error."""
    right, accused = right_plies(film.truth, played.lines), accused_plies(film.truth, played.lines)
    plies = len(film.truth)
    worse = sorted(from_file - right)
    for ply in worse:
        told = [(line["dice"], line["move"], line["legal"]) for line in played.lines.get(ply, [])]
        sys.stderr.write(f"  {name}: ply {ply} is not as from the file: {told}\n")
    of = f"of {plies}"
    yield {"name": f"plies right: {name}", "value": len(right), "unit": of}
    same = {"value": plies - len(worse), "unit": of, "target": plies - MAY_DIFFER}
    yield {"name": f"plies as from the file, or better: {name}", **same}
    yield {"name": f"legal plays called illegal: {name}", "value": len(accused), "unit": of, "target": 0}


def _speed(browser: "Browser") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for size, moves in (((1280, 720), True), ((1920, 1080), False)):
        with tempfile.TemporaryDirectory() as folder, phone_table(Path(folder)) as table:
            page = _phone(browser, table)
            table.room.camera.phone.wanted = size
            page.evaluate(f"window.moves = {str(moves).lower()}")
            page.wait_for_timeout(SETTLED_MS)
            spent, others = time.process_time(), _others_spent_s()
            seen = table.watch(WATCHED_S)
            spent, others = time.process_time() - spent, _others_spent_s() - others
            page.context.close()
        delay = statistics.median(1000 * (at - taken_at(glimpse.picture)) for at, glimpse in seen)
        name = f"of {size[0]}x{size[1]} from a phone"
        found += [
            {"name": f"pictures {name}", "value": len(seen) / WATCHED_S, "unit": "a second", "target": RATE},
            {"name": f"shutter to reader {name}", "value": delay, "unit": "ms median", "target": DELAY_MS},
            {
                "name": f"the table's processor, {name}",
                "value": 1000 * spent / len(seen),
                "unit": "ms a picture",
            },
            {"name": f"Chromium's, {name}", "value": 1000 * others / len(seen), "unit": "ms a picture"},
        ]
    return found


def _others_spent_s() -> float:
    """Processor seconds of all processes that this one has started and that run: those of Chromium."""
    parents, ticks = dict[int, int](), dict[int, int]()
    for file in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = file.read_text().rpartition(")")[2].split()
            parents[int(file.parent.name)] = int(fields[1])
            ticks[int(file.parent.name)] = int(fields[11]) + int(fields[12])

    def is_ours(process: int) -> bool:
        above = parents.get(process, 0)
        return above == os.getpid() or (above > 1 and is_ours(above))

    return sum(spent for process, spent in ticks.items() if is_ours(process)) / os.sysconf("SC_CLK_TCK")


def _cuts(browser: "Browser") -> dict[str, Any]:
    back = list[float]()
    with (
        tempfile.TemporaryDirectory() as folder,
        phone_table(Path(folder)) as table,
        Forwarder(table.pages.port) as line,
    ):
        page = _phone(browser, table, line.port)
        for number in range(ROUNDS):
            line.cut()
            page.wait_for_timeout(1000 * CUTS_S[number % len(CUTS_S)])
            line.mend()
            back.append(_seconds_until_fresh(page, table))
            page.wait_for_timeout(1000)
        page.context.close()
    return {"name": "a cut line is back, at worst", "value": max(back), "unit": "s", "target": BACK_S}


def _seconds_until_fresh(page: "Page", table: PhoneTable) -> float:
    """How long it takes until the reader has a picture that was taken from now on."""
    began = time.time()
    while time.time() - began < PATIENCE_S:
        glimpse = table.room.glimpse()
        if glimpse is not None and taken_at(glimpse.picture) > began:
            return time.time() - began
        page.wait_for_timeout(20)
    return PATIENCE_S


def _phone(browser: "Browser", table: PhoneTable, port: int | None = None) -> "Page":
    context = browser.new_context(ignore_https_errors=True, permissions=["camera"])
    context.add_init_script(f"window.filmRate = {FILM_RATE};\n{SHUTTER}")
    page = context.new_page()
    page.goto(table.address(port))
    page.get_by_text("The table sees through this phone.").wait_for(timeout=1000 * PATIENCE_S)
    return page


if __name__ == "__main__":
    try:
        for row in rows(*sys.argv[1:2]):
            print(row, flush=True)
    except FilmsError as error:
        sys.exit(str(error))
