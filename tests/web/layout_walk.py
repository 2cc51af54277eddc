"""What has to be inside the window on each page in each state, and the walk through states, sizes and languages."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from controller.web.house import Role
from controller.web.server.thread import serve
from tests.web.browsers import SETTINGS
from tests.web.shown_states import STATES, state_in
from tests.web.windows import FAULTS, TARGET, Feed, Size, fed_page

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PICTURES: Final = "POINTSMAN_PICTURES"
"""The variable of the environment that names a folder to keep pictures of the pages in."""
STRIPS: Final = tuple(f"#{place} {part}" for place in ("far", "near") for part in (".name", ".score", ".clock .time"))


def wanted(state: dict[str, Any], *, controls: bool = True, far: bool = False) -> dict[str, Any]:
    """What a table's page must show of a state without scrolling; from afar no reasons are read."""
    match, question, plays = state["match"], state["question"], state["plays"]
    sentences = ["#talk h2"]
    if question and question["text"] and not far:
        sentences.append("#talk .words p")
    elif plays and not question:
        sentences.append("#word strong, #talk .said")
    return {
        "needed": [*(STRIPS if match else ()), "#board svg"],
        "sentences": sentences,
        "controls": "#talk button, #talk summary, #talk a.button, #head summary" if controls else "#head summary:not([hidden])",
        "whole": ".score, .clock .time, #talk button .text, #talk h2",
        "text": "" if far else "#talk *, .player *, #word *",
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
