"""The modules and pages of the hall: their words, their weight, and what they may not do."""

import gzip
import re
from pathlib import Path
from typing import Any

import pytest

from controller.hub.evening.notice import NoticeKind
from controller.hub.hall import HubFault, TableFault
from controller.hub.need import NeedKind
from controller.hub.server.hall_pages import HALL_PAGES, HALL_STATIC, hall_words
from controller.hub.service import TableSilence
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.web.server.site import STATIC
from tests.rows import each_row

TEMPLATES = HALL_STATIC.parent / "templates"
MOST_BYTES = 100_000
"""Of a page of the hall over the line without its tables, by the promise of the pages."""
IMPORT = re.compile(r'from "(\.{1,2}/[a-z_-]+\.js)"')
SAID = re.compile(r'\bsay\(\s*(?:[^()"]*\? )?"([a-z_.]+)"(?: : "([a-z_.]+)")?')
PUT_TOGETHER = {
    *(f"need.{kind}" for kind in NeedKind),
    *(f"hub_trouble.{fault}" for fault in HubFault),
    *(
        f"hall_page.{name}"
        for name in ("hall", "wall", "screen", "director", "tournament", "overlay", "reports")
    ),
    *(f"view.{name}" for name in ("matches", "players", "standings", "log", "files")),
    *(f"column.{name}" for name in ("place", "player", "points", "wins", "losses", "byes", "prize", "notes")),
    *(f"sheet.{name}" for name in ("standings", "matches", "ratings", "players")),
    *(f"field.{name}" for name in ("length", "consolation", "last_chance", "knockout", "rounds")),
    *(f"clock_kind.{name}" for name in ("usual", "none", "simple", "bronstein")),
    *(f"ready_message.{name}" for name in ("start", "finish")),
    *(f"{role}_picture" for role in ("before", "between", "after")),
    "edit_open",
    "edit_over",
    "title",
}
"""Words of the hall that the modules ask for by a name that they put together."""
MODULES = {
    "hall": "wall.js",
    "wall": "wall.js",
    "screen": "screen.js",
    "overlay": "stream.js",
    "desk": "desk.js",
    "tournament": "tournament.js",
}


def flat(table: dict[str, Any], path: str = "") -> set[str]:
    found: set[str] = set()
    for name, entry in table.items():
        inner = isinstance(entry, dict) and "count" not in entry
        found |= flat(entry, f"{path}{name}.") if inner else {f"{path}{name}"}
    return found


def loaded_by(path: Path) -> set[Path]:
    """The module and all that it imports."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        module = waiting.pop()
        if module not in found:
            found.add(module)
            for name in IMPORT.findall(module.read_text("utf-8")):
                # Modules of the hall are served below those of the table.
                waiting.append(STATIC / name[3:] if name.startswith("../") else module.parent / name[2:])
    return found


def own_modules(page: str) -> list[Path]:
    return [path for path in loaded_by(HALL_STATIC / MODULES[page]) if path.parent == HALL_STATIC]


def asked(page: str) -> set[str]:
    text = "".join(path.read_text("utf-8") for path in own_modules(page))
    return {name for pair in SAID.findall(text) for name in pair if name}


@each_row("page", HALL_PAGES.values())
def test_every_word_that_a_page_asks_for_is_in_the_catalogue(page: str) -> None:
    assert asked(page) <= flat(dict(hall_words(page, "en")))


def test_no_word_of_the_hall_is_there_that_no_page_asks_for() -> None:
    pages = catalogue("en").entries("page")
    there = set().union(*(flat(dict(pages[name])) for name in ("hall", "desk", "tournament")))
    templates = "".join(path.read_text("utf-8") for path in TEMPLATES.glob("*.html"))
    used = set().union(*map(asked, MODULES)) | PUT_TOGETHER | set(re.findall(r"words\.([a-z_]+)", templates))
    assert there <= used, sorted(there - used)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_and_every_notice_has_a_sentence(language: str) -> None:
    texts = catalogue(language)
    assert texts.names("hall", "fault") == frozenset(map(str, TableFault))
    assert texts.names("hall", "ask") == frozenset(map(str, TableSilence))
    assert texts.names("page", "hall", "hub_trouble") == frozenset(map(str, HubFault))
    assert texts.names("hall", "notice") == frozenset(map(str, NoticeKind))


@each_row("page", HALL_PAGES.values())
def test_a_page_of_the_hall_is_light(page: str) -> None:
    styles = [STATIC / "tokens.css", STATIC / "page.css", STATIC / "director.css", *HALL_STATIC.glob("*.css")]
    parts = [path.read_bytes() for path in (*loaded_by(HALL_STATIC / MODULES[page]), *styles)]
    parts.append(repr(hall_words(page, "hu")).encode())
    assert sum(len(gzip.compress(part, 6)) for part in parts) < MOST_BYTES


@each_row("path", sorted(HALL_STATIC.glob("*.js")), ids=lambda path: path.name)
def test_a_module_writes_no_markup_and_asks_nothing_from_outside(path: Path) -> None:
    text = path.read_text("utf-8")
    for forbidden in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
    ):
        assert forbidden not in text, forbidden
    assert not re.search(r"https?://", text)


@each_row("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_a_template_has_neither_inline_style_nor_inline_script_nor_anything_unescaped(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|\|\s*safe|https?://", text)
    for script in re.findall(r"<script([^>]*)>", text):
        assert ' src="/static/' in script


def test_no_style_sheet_asks_for_anything_from_outside() -> None:
    for path in HALL_STATIC.glob("*.css"):
        assert not re.search(r"url\(|@import", path.read_text("utf-8")), path.name
