"""What has to be inside the window on each page in each state, and the walk through states, sizes and languages."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.web.house import Role
from controller.web.server.thread import serve
from tests.calibration.pictures import picture
from tests.web.browsers import SEAT, SETTINGS, TABLE
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.shown_states import STATES, state_in
from tests.web.windows import FAULTS, TARGET, UNREACHED, Feed, Size, fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES: Final = "POINTSMAN_PICTURES"
"""The variable of the environment that names a folder to keep pictures of the pages in."""
STRIPS: Final = tuple(f"#{place} {part}" for place in ("far", "near") for part in (".name", ".score", ".clock .time"))


def wanted(state: dict[str, Any], *, controls: bool = True, far: bool = False) -> dict[str, Any]:
    """What a table's page must show of a state without scrolling; from afar no reasons are read."""
    buttons = "#talk button, #talk summary, #talk a.button, #head summary"
    match, question, plays = state["match"], state["question"], state["plays"]
    sentences = ["#talk h2"]
    if question and question["text"] and not far:
        sentences.append("#talk .words p")
    elif plays and not question:
        sentences.append("#word strong, #talk .said")
    return {
        "needed": [*(STRIPS if match else ()), "#board svg"],
        "sentences": sentences,
        "controls": "none" if far else buttons if controls else "#head summary",
        "whole": ".score, .clock .time, #talk button .text, #talk h2",
        "text": "none" if far else "#talk *, .player *, #word *",
        "board": "#board svg",
        "share": 0.12,
        "still": True,
        "target": TARGET,
    }


def walk_table(
    browser: "Browser", path: str, languages: Iterable[str], sizes: Iterable[Size], states: Iterable[str] = STATES
) -> tuple[int, list[str]]:
    """The number of views of the table's page or the spectators' one that were looked at, and what was wrong."""
    looked, faults, folder = 0, list[str](), os.environ.get(PICTURES)
    role = Role.PLAYER if path == "/" else Role.VIEWER
    staged = {name: STATES[name]() for name in states}
    first = next(iter(staged.values()))
    with serve(first.house, SETTINGS) as server:
        for language in languages:
            address = f"{server.address}{path}{'&' if '?' in path else '?'}language={language}"
            with fed_page(browser, address) as feed:
                told = {name: state_in(each, language, role) for name, each in staged.items()}
                for width, height in sizes:
                    feed.page.set_viewport_size({"width": width, "height": height})
                    for name, state in told.items():
                        feed.show(state)
                        label = f"{path.strip('/?').replace('?', '-') or 'table'}-{name}-{language}-{width}x{height}"
                        if folder:
                            _keep(feed, Path(folder) / f"{label}.png")
                        looked += 1
                        found = feed.page.evaluate(FAULTS, wanted(state, controls=role is Role.PLAYER, far="hall" in path))
                        faults += [f"{label}: {each}" for each in found]
    return looked, faults


def _keep(feed: Feed, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    feed.page.screenshot(path=path)


SETUP_STEPS: Final = ("camera", "aim", "found", "checkers", "devices", "players")


def wanted_of_setup(step: str) -> dict[str, Any]:
    """What a step of set-up must show without scrolling: what it is about, and the buttons that lead on."""
    return {
        "needed": ["#picture"] if step in ("aim", "found", "checkers") else [],
        "sentences": ["#heading"],
        "controls": ".buttons button, .buttons a.button, #steps a",
        "whole": "#heading, .buttons button",
        "text": "#main *:not(.number)",
        "board": "",
        "share": 0,
        "still": True,
        "target": TARGET,
    }


def walk_setup(
    browser: "Browser", folder: Path, languages: Iterable[str], sizes: Iterable[Size]
) -> tuple[int, list[str]]:
    """The number of views of the set-up page that were looked at, and what was wrong."""
    looked, faults, pictures = 0, list[str](), os.environ.get(PICTURES)
    sizes = tuple(sizes)
    with SetUpHall(StillSetUp(picture("game"), folder)) as hall:
        for language in languages:
            address = f"{hall.server.address}/setup?language={language}"
            with fed_page(browser, address, extra_http_headers={SEAT: TABLE}) as feed:
                page = feed.page
                for step in SETUP_STEPS:
                    page.evaluate("(step) => { location.hash = step; }", "aim" if step == "found" else step)
                    page.locator("#main-button:not(:empty)").wait_for()
                    if step == "found" and not page.locator("#straight").is_visible():
                        page.locator("#main-button:enabled").click()
                        page.locator("#straight").wait_for()
                    for width, height in sizes:
                        page.set_viewport_size({"width": width, "height": height})
                        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(drawn))")
                        label = f"setup-{step}-{language}-{width}x{height}"
                        if pictures:
                            _keep(feed, Path(pictures) / f"{label}.png")
                        looked += 1
                        found = page.evaluate(FAULTS, wanted_of_setup(step)) + page.evaluate(UNREACHED, "#main")
                        faults += [f"{label}: {each}" for each in found]
    return looked, faults
