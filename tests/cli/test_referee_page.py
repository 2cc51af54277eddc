"""`hardware_docs/interface.md`: the lines of `pointsman referee` are there, and are answered as the page says."""

import json
import re
import shlex
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.record.filter.keys import BUTTONS
from controller.record.filter.line_reader import KINDS, SAYINGS, SPEAKERS
from tests.cli.conftest import Run
from tests.cli.referee_lines import Object

PAGE = Path(__file__).resolve().parents[2] / "hardware_docs" / "interface.md"
SECTION = re.split(r"^## ", PAGE.read_text().split("## `pointsman referee")[1], flags=re.MULTILINE)[0]
Row = tuple[list[str], list[str]]


def rows(name: str) -> list[Row]:
    """The names and the keys of each row of a table."""
    table = re.search(rf"<!-- {name}: begin -->\n(.*?)<!-- {name}: end -->", SECTION, re.DOTALL)
    assert table is not None
    cells = [line.split("|") for line in table[1].splitlines()[2:]]
    return [(re.findall(r"`(\w+)`", cell[1]), re.findall(r"`(\w+)`", cell[2])) for cell in cells]


@dataclass(frozen=True)
class Example:
    options: list[str]
    lines: list[str]
    answers: list[Object]


def examples() -> list[Example]:
    blocks = re.findall(r"^    \$ pointsman referee(.*)\n((?:    [<>] .*\n)+)", SECTION, re.MULTILINE)
    return [
        Example(
            shlex.split(options),
            re.findall(r"^    > (.*)$", block, re.MULTILINE),
            [json.loads(line) for line in re.findall(r"^    < (.*)$", block, re.MULTILINE)],
        )
        for options, block in blocks
    ]


def test_every_kind_of_line_is_on_the_page_with_its_keys() -> None:
    told: dict[str, set[str]] = {}
    for (kind,), keys in rows("lines in"):
        told.setdefault(kind, set()).update(keys)
    told["said"] = set()
    assert told == {kind: set(known.keys) for kind, known in KINDS.items()}


def test_every_saying_is_on_the_page_with_its_keys() -> None:
    told = {what: tuple(keys) for names, keys in rows("sayings") for what in names}
    assert told == {what: saying.keys for what, saying in SAYINGS.items()}


def test_every_button_and_speaker_is_on_the_page() -> None:
    assert [word for word in (*BUTTONS, *SPEAKERS) if f"`{word}`" not in SECTION] == []


@pytest.mark.parametrize("example", examples(), ids=lambda example: " ".join(example.options) or "start")
def test_the_examples_are_answered_as_the_page_says(example: Example, tmp_path: Path, run: Run) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text("".join(line + "\n" for line in example.lines))
    answers = iter([json.loads(line) for line in run("referee", *example.options, path).splitlines()])
    missing = [told for told in example.answers if told not in answers]
    assert missing == []


def test_the_answers_on_the_page_have_the_keys_of_its_table() -> None:
    keys = {kind: set(keys) for (kind, *_), keys in rows("lines out")}
    told = [answer for example in examples() for answer in example.answers]
    shown = {answer["kind"] for answer in told if answer.get("kind") in keys}
    assert {"told", "flagged", "lit", "phase", "clock"} <= shown
    for answer in told:
        if answer.get("kind") in keys:
            assert set(answer) - {"t", "kind"} <= keys[answer["kind"]], answer
