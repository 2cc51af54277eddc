"""What has to be inside the window on each page in each state, and the walk through states, sizes and languages."""

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import cv2

from controller.web.server.application import serve
from controller.web.table_service import Role
from tests.calibration.pictures import picture
from tests.web.browsers import SEAT, SETTINGS, TABLE
from tests.web.setup.still import SetUpHall, StillSetUp
from tests.web.shown_states import MATTERS, STATES, state_in
from tests.web.walk.visitor import READS_MS
from tests.web.windows import FAULTS, TARGET, UNREACHED, Feed, Size, fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES: Final = "POINTSMAN_PICTURES"
"""The variable of the environment that names a folder to keep pictures of the pages in."""
STRIPS: Final = tuple(
    f"#{place} {part}" for place in ("far", "near") for part in (".name", ".score", ".clock .time")
)


def wanted(state: dict[str, Any], *, controls: bool = True, far: bool = False) -> dict[str, Any]:
    """What a table's page must show of a state without scrolling; from afar no reasons are read."""
    buttons = "#talk button:not(.hints *), #talk summary, #talk a.button, #head summary"
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
    browser: "Browser",
    path: str,
    languages: Iterable[str],
    sizes: Iterable[Size],
    states: Iterable[str] = STATES,
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
                        found = feed.page.evaluate(
                            FAULTS, wanted(state, controls=role is Role.PLAYER, far="hall" in path)
                        )
                        faults += [f"{label}: {each}" for each in found]
    return looked, faults


def _keep(feed: Feed, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    feed.page.screenshot(path=path)


SEARCH_MS: Final = 300_000
"""So long a busy machine may look for the board."""
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
    browser: "Browser",
    folder: Path,
    languages: Iterable[str],
    sizes: Iterable[Size],
    steps: Iterable[str] = SETUP_STEPS,
) -> tuple[int, list[str]]:
    """The number of views of the set-up page that were looked at, and what was wrong."""
    looked, faults, pictures = 0, list[str](), os.environ.get(PICTURES)
    sizes, steps = tuple(sizes), tuple(steps)
    with SetUpHall(StillSetUp(picture("game"), folder)) as hall:
        for language in languages:
            address = f"{hall.server.address}/setup?language={language}"
            with fed_page(browser, address, extra_http_headers={SEAT: TABLE}) as feed:
                page = feed.page
                for step in steps:
                    page.evaluate("(step) => { location.hash = step; }", "aim" if step == "found" else step)
                    page.locator("#main-button:not(:empty)").wait_for()
                    if step == "found" and not page.locator("#straight").is_visible():
                        page.wait_for_timeout(READS_MS)
                        page.locator("#main-button:enabled").click()
                        page.locator("#straight").wait_for(timeout=SEARCH_MS)
                    for width, height in sizes:
                        page.set_viewport_size({"width": width, "height": height})
                        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(drawn))")
                        label = f"setup-{step}-{language}-{width}x{height}"
                        if pictures:
                            _keep(feed, Path(pictures) / f"{label}.png")
                        looked += 1
                        found = page.evaluate(FAULTS, wanted_of_setup(step)) + page.evaluate(
                            UNREACHED, "#main"
                        )
                        faults += [f"{label}: {each}" for each in found]
    return looked, faults


KEPT: Final = [{"role": role, "number": 9, "t_s": 61.5} for role in ("before", "after")]
WHOLE_DESK: Final = (1280, 720)
"""From here on the director sees a matter whole; in smaller windows what it is about, and what may be ruled."""


def wanted_of_matter(state: dict[str, Any], size: Size) -> dict[str, Any]:
    """What the director's page must show of a matter without scrolling."""
    matter = state["needs"][0]
    whole = size >= WHOLE_DESK and size[1] >= WHOLE_DESK[1]
    pictures = [".figures .board", ".figures img"] if whole and matter["kind"] != "result" else []
    return {
        "needed": [*pictures, *([".likely li"] if whole and matter["likely"] else [])],
        "sentences": ["#main h2", *(["#main .reason .verdict"] if whole and matter["turn"] else [])],
        "controls": ".ruling" if matter["rulings"] else ".matter .choices-now button",
        "whole": "#main h2, .ruling .text",
        "text": "#main .reason *, .ruling *",
        "board": "",
        "share": 0,
        "still": False,
        "target": TARGET,
    }


def walk_director(
    browser: "Browser", languages: Iterable[str], sizes: Iterable[Size]
) -> tuple[int, list[str]]:
    """The number of views of matters that were looked at, and what was wrong."""
    looked, faults, folder = 0, list[str](), os.environ.get(PICTURES)
    staged = {name: make() for name, make in MATTERS.items()}
    first = next(iter(staged.values()))
    _, jpeg = cv2.imencode(".jpg", picture("game"))
    with serve(first.house, replace(SETTINGS, at_table=Role.DIRECTOR)) as server:
        for language in languages:
            address = f"{server.address}/director?language={language}"
            with fed_page(browser, address) as feed:
                feed.page.route(
                    "**/api/v1/matches/*/turns/*/*", lambda route: route.fulfill(json={"pictures": KEPT})
                )
                for pattern in ("**/api/v1/matches/*/turns/*/*/*.jpg*", "**/api/v1/picture*"):
                    feed.page.route(
                        pattern, lambda route: route.fulfill(body=bytes(jpeg), content_type="image/jpeg")
                    )
                for name, each in staged.items():
                    state = state_in(each, language, Role.DIRECTOR)
                    lies = {
                        "position": state["position"],
                        "unsure": [],
                        "covered": [],
                        "hand": False,
                        "dice": [],
                        "t": 1.0,
                    }
                    feed.show({**state, "seen": lies})
                    feed.page.evaluate("(id) => { location.hash = `need/${id}`; }", state["needs"][0]["id"])
                    feed.page.locator(".matter h2").wait_for()
                    feed.page.wait_for_load_state("networkidle")
                    for size in sizes:
                        feed.page.set_viewport_size({"width": size[0], "height": size[1]})
                        feed.page.evaluate("() => new Promise((drawn) => requestAnimationFrame(drawn))")
                        label = f"director-{name}-{language}-{size[0]}x{size[1]}"
                        if folder:
                            _keep(feed, Path(folder) / f"{label}.png")
                        looked += 1
                        faults += [
                            f"{label}: {found}"
                            for found in feed.page.evaluate(FAULTS, wanted_of_matter(state, size))
                        ]
    return looked, faults
