"""The modules of the pages: their own tests under node, their words, their weight, and what they may not do."""

import gzip
import json
import re
import shutil
import subprocess
import tomllib
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import jinja2
import pytest

from controller.messages.catalogue import LANGUAGES
from tests.rows import each_row

WEB = Path(__file__).resolve().parents[2] / "controller" / "web"
STATIC = WEB / "static"
TEMPLATES = WEB / "templates"
HERE = Path(__file__).parent
EXAMPLES = sorted((HERE / "examples").glob("state_*.json"))
PAGES = ("table", "watch", "overlay")
OWN_MODULES = ("table.js", "watch.js", "overlay.js")
MOST_BYTES = 100_000
"""Of the whole table page over the line, by the promise of the pages."""
IMPORT = re.compile(r'from "\./([a-z-]+\.js)"')
SAID = re.compile(r'\bsay\(\s*(?:[^()"]*\? )?"([a-z_.]+)"(?: : "([a-z_.]+)")?')
OTHERS = {
    *(f"device.{name}" for name in ("camera", "board", "dice", "lights", "journal", "other_table")),
    *(f"room.{state}" for state in ("no_camera", "no_board", "calibrating", "ready", "playing", "over")),
    *(f"link.{page}" for page in ("setup", "see", "director", "learn", "watch", "login")),
    *(f"wish.{name}" for name in ("lying", "mirrored", "keys", "aloud", "board", "ground")),
    *(f"board.{name}" for name in ("walnut", "felt", "blue", "oxblood")),
    *(f"ground.{name}" for name in ("auto", "light", "dark")),
    *(f"answer.{name}" for name in ("refused", "stale", "unsent")),
    *(f"side.{side}" for side in ("light", "dark")),
    *(f"enter_{what}" for what in ("dice", "opening", "play", "amount", "number")),
    *(f"size.{size}" for size in ("fit", "hall", "overlay")),
    *(f"hints.level_{level}" for level in range(5)),
    "put_back",
}
"""Words that the modules ask for by a name that they put together."""


@cache
def words(page: str, language: str) -> dict[str, Any]:
    catalogue = tomllib.loads(files("controller.messages").joinpath(f"{language}.toml").read_text("utf-8"))
    tables: dict[str, Any] = catalogue["page"]
    return tables["table"] | tables.get(page, {})


def flat(table: dict[str, Any], path: str = "") -> set[str]:
    found: set[str] = set()
    for name, entry in table.items():
        inner = isinstance(entry, dict) and "count" not in entry
        found |= flat(entry, f"{path}{name}.") if inner else {f"{path}{name}"}
    return found


@cache
def strict() -> jinja2.Environment:
    """The templates, which may ask for nothing that is not there."""
    loader = jinja2.FileSystemLoader(TEMPLATES)
    return jinja2.Environment(loader=loader, autoescape=True, undefined=jinja2.StrictUndefined)


def render(page: str, snapshot: object, language: str = "en") -> str:
    return (
        strict()
        .get_template(f"{page}.html")
        .render(
            page=page,
            language=language,
            title=words(page, language)["title"],
            words=words(page, language),
            snapshot=snapshot,
            token=None,
        )
    )


def loaded_by(module: str) -> set[str]:
    """The module and all that it imports."""
    found: set[str] = set()
    waiting = [module]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += IMPORT.findall((STATIC / name).read_text("utf-8"))
    return found


def test_the_modules_pass_their_own_tests() -> None:
    node = shutil.which("node")
    assert node is not None, "node is not installed: run `make setup`, or `sudo apt-get install nodejs`"
    tests = sorted(map(str, (HERE / "modules").glob("*.test.mjs")))
    done = subprocess.run(
        [node, "--test", *tests], capture_output=True, text=True, timeout=300, check=False, cwd=WEB
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert re.search(r"# tests [1-9]", done.stdout) or re.search(r"tests [1-9]", done.stdout), done.stdout


@each_row("page", PAGES)
@each_row("example", EXAMPLES, ids=lambda path: path.stem)
def test_a_page_carries_its_state_whole_and_no_markup_of_a_name(page: str, example: Path) -> None:
    snapshot = json.loads(example.read_text("utf-8"))
    text = render(page, snapshot)
    match = re.search(r'<script type="application/json" id="page">(.*?)</script>', text, re.DOTALL)
    assert match is not None
    assert json.loads(match[1])["snapshot"] == snapshot
    assert "<img" not in text
    assert text.count("<script") == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_page_is_in_the_language_that_was_asked_for(language: str) -> None:
    assert f'<html lang="{language}">' in render("table", None, language)


def test_every_word_that_a_page_asks_for_is_in_the_catalogue_and_no_other_is() -> None:
    scripts = "".join(
        (STATIC / name).read_text("utf-8") for name in set().union(*map(loaded_by, OWN_MODULES))
    )
    asked = {name for pair in SAID.findall(scripts) for name in pair if name} | OTHERS
    templates = "".join((TEMPLATES / f"{name}.html").read_text("utf-8") for name in ("base", *PAGES))
    asked |= set(re.findall(r"words\.([a-z_]+)", templates))
    there = flat(words("table", "en")) | flat(words("watch", "en"))
    assert asked <= there, sorted(asked - there)
    assert there - asked <= {"title"}, sorted(there - asked)


def test_the_table_page_is_light() -> None:
    names = {"tokens.css", "page.css", "icon.svg", *loaded_by("table.js")}
    heaviest = max((render("table", json.loads(path.read_text("utf-8"))) for path in EXAMPLES), key=len)
    parts = [heaviest.encode(), *((STATIC / name).read_bytes() for name in names)]
    assert sum(len(gzip.compress(part, 6)) for part in parts) < MOST_BYTES


@each_row("path", sorted(STATIC.rglob("*.js")), ids=lambda path: path.name)
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
    addresses = set(re.findall(r"https?://[^\s\"'`$]+", text)) - {"http://www.w3.org/2000/svg"}
    assert not addresses


@each_row("path", sorted(TEMPLATES.glob("*.html")), ids=lambda path: path.name)
def test_a_template_has_neither_inline_style_nor_inline_script_nor_anything_unescaped(path: Path) -> None:
    text = path.read_text("utf-8")
    assert not re.search(r"\sstyle=|<style|\son[a-z]+=|\|\s*safe|https?://", text)
    for script in re.findall(r"<script([^>]*)>", text):
        assert 'type="application/json"' in script or ' src="/static/' in script


def test_no_style_sheet_asks_for_anything_from_outside() -> None:
    for path in STATIC.glob("*.css"):
        assert not re.search(r"url\(|@import", path.read_text("utf-8")), path.name
