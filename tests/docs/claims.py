"""What a page claims, piece by piece, and the map that says what runs each piece.

A page falls into sentences, rows of tables and blocks of code; headings claim nothing and are left out. Each piece is
known by its own words, so one that is edited has no entry until somebody has looked at it again.

The map of a page is a TOML file beside this one. Each `[[claim]]` has the words of one or more pieces under `says`,
and

- `tests`: what runs them, `tests/folder/test_file.py::test_name`, or `tests/install/clean_root.sh::the words of a
  step` of the installation in clean systems (`make test-install`);
- `hardware`: the row of the page's own list of what only real hardware can show, by its first words;
- `measured`: the benchmark that prints its figure, `tests/bench/bench_name.py`; or `once: ` and on what, where that
  is not in the project;
- `explains`: why there is nothing to run, for a piece that says what something is or why, and promises nothing.

`tests`, `hardware` and `measured` may stand together, where a test runs a part. `test_claims.py` asks all of this.
"""

import ast
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from tests.prose import NEXT
from tests.test_imports import ROOT

MEASURED_ONCE: Final = "once: "
STEP: Final = re.compile(r"^step '?(.+?)'?$", re.MULTILINE)
"""A line of a shell script that names what is tried next."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A sentence, a row of a table or a block of code: the line on which it begins, its heading, its words."""

    line: int
    section: str
    words: str
    is_code: bool = False


@dataclass(frozen=True, slots=True)
class Claim:
    """An entry of a map; see the module."""

    says: tuple[str, ...]
    tests: tuple[str, ...] = ()
    hardware: str = ""
    measured: str = ""
    explains: str = ""


@dataclass
class _Reading:
    section: str = ""
    rows: list[str] = field(default_factory=list)


@cache
def pieces(page: Path) -> tuple[Piece, ...]:
    """All pieces of a page, in their order; it is read once, since its tests ask again and again."""
    return tuple(_read_pieces(page))


def _read_pieces(page: Path) -> Iterator[Piece]:
    tokens = MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8"))
    reading = _Reading()
    for place, token in enumerate(tokens):
        if token.map is not None:
            line = token.map[0] + 1
        if token.type == "inline":
            before = tokens[place - 1].type
            if before == "heading_open":
                reading.section = _words(token)
            elif before in ("th_open", "td_open"):
                reading.rows.append(_words(token))
            else:
                for sentence in NEXT.split(_words(token)):
                    yield Piece(line, reading.section, sentence)
        elif token.type == "tr_close":
            yield Piece(line, reading.section, " | ".join(reading.rows))
            reading.rows = []
        elif token.type in ("code_block", "fence"):
            yield Piece(line, reading.section, token.content.strip(), is_code=True)


def _words(token: Token) -> str:
    """What is read of a paragraph or a cell: of a link its words, of code the code."""
    read = {"softbreak": " ", "hardbreak": " "}
    return "".join(
        read.get(child.type, child.content if child.type in ("text", "code_inline") else "")
        for child in token.children or []
    ).strip()


def claims(file: Path) -> tuple[Claim, ...]:
    """The entries of a map."""
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["claim"]
    return tuple(
        Claim(
            tuple(each["says"]),
            tuple(each.get("tests", ())),
            each.get("hardware", ""),
            each.get("measured", ""),
            each.get("explains", ""),
        )
        for each in entries
    )


@cache
def names_in(file: Path) -> frozenset[str]:
    """The tests that pytest collects in a file of Python, or the steps of a shell script."""
    text = file.read_text(encoding="utf-8")
    if file.suffix == ".sh":
        return frozenset(STEP.findall(text))
    return frozenset(
        each.name
        for each in ast.parse(text).body
        if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef) and each.name.startswith("test_")
    )


def is_there(test: str) -> bool:
    """Whether a test that a map names is one that `make test` runs, or a step of `make test-install`."""
    name, _, function = test.partition("::")
    file = ROOT / name
    runs = (file.name.startswith("test_") and "long" not in file.parts) or file.suffix == ".sh"
    return runs and file.is_file() and function in names_in(file)


def is_bench(name: str) -> bool:
    """Whether a benchmark that a map names is one that `make bench` runs."""
    file = ROOT / name
    return file.match("tests/bench/bench_*.py") and file.is_file()
