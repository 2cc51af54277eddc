"""The pages say what is there: links and anchors lead somewhere, commands parse, examples run, names exist.

A fenced block marked `console` is run in a scratch folder, all blocks of a page one after the other: lines with
`$ ` are the commands, the lines below are printed by them, and a line `...` stands for any others. `tests` and
`hardware_docs` can be reached from the scratch folder. A block marked `python` is run as well. Command lines in
all other blocks are only parsed.
"""

import os
import re
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import typer

from controller.cli import app
from controller.messages.catalogue import catalogue
from controller.rules.profile.keys import KEYS, value_of
from controller.rules.profile.profile import STANDARD
from tests.rows import each_row
from tests.test_imports import FLOOR_OF, ROOT, SOURCES, module_name, room_of

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "firmware" / "README.md"]
PAGES += sorted(ROOT.glob("hardware_docs/*.md"))
LINKED = [*PAGES, ROOT / "CHANGELOG.md"]
FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
RUN_S = 300
"""A block of a page takes a few seconds; this is for a machine that does something else beside."""


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


each_page = each_row("page", PAGES, ids=name_of)


def prose(page: Path) -> str:
    """The page without its fenced blocks."""
    return FENCE.sub("", page.read_text(encoding="utf-8"))


def inline_code(page: Path) -> list[str]:
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose(page))]


def blocks(page: Path, language: str) -> list[str]:
    return [body for _, marked, body in FENCE.findall(page.read_text(encoding="utf-8")) if marked == language]


def code_lines(page: Path) -> list[str]:
    """Every line of the page's code blocks, fenced or indented, without prompts."""
    text = page.read_text(encoding="utf-8")
    fenced = [line for _, _, body in FENCE.findall(text) for line in body.splitlines()]
    indented = [line for line in FENCE.sub("", text).splitlines() if line.startswith("    ")]
    return [line.strip().removeprefix("$ ") for line in (*fenced, *indented)]


# --- links -----------------------------------------------------------------------------------------------


@cache
def anchors(page: Path) -> frozenset[str]:
    """The names under which the headings of a page can be reached, as GitHub makes them."""
    found: list[str] = []
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
        slug = re.sub(r"[^\w\- ]", "", words).replace(" ", "-")
        found.append(f"{slug}-{found.count(slug)}" if slug in found else slug)
    return frozenset(found)


@each_row("page", LINKED, ids=name_of)
def test_every_link_leads_somewhere(page: Path) -> None:
    missing = []
    for link in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(link)
    assert missing == []


def test_the_list_of_pages_names_every_page() -> None:
    listed = set(re.findall(r"\]\((\w+\.md)\)", (ROOT / "hardware_docs" / "README.md").read_text()))
    assert listed == {page.name for page in ROOT.glob("hardware_docs/*.md")} - {"README.md"}


# --- commands --------------------------------------------------------------------------------------------


def command_of(words: list[str]) -> tuple[Any, list[str]]:
    """The context of the command that the words after `pointsman` begin with, and the words left for it."""
    command: Any = typer.main.get_command(app)
    context = command.context_class(command, info_name="pointsman")
    while words and (found := subcommand(context, words[0])) is not None:
        context, words = found.context_class(found, info_name=words[0], parent=context), words[1:]
    return context, words


def subcommand(context: Any, name: str) -> Any:
    """A command of a group of commands; None if there is no such command or it is no group."""
    known = is_group(context.command) and name in context.command.list_commands(context)
    return context.command.get_command(context, name) if known else None


def is_group(command: Any) -> bool:
    return hasattr(command, "get_command")


def command_words(line: str) -> list[str] | None:
    """The words after `pointsman` of a line of a code block; None if the line is not about it."""
    line = re.sub(r"^.*\| *(?=pointsman )", "", line)
    if not re.match(r"(\.venv/bin/)?pointsman\s", line):
        return None
    words = shlex.split(line, comments=True)[1:]
    ends = [place for place, word in enumerate(words) if word[:1] in "|<>&;" and word]
    return words[: ends[0]] if ends else words


def complaint(line: str) -> str | None:
    """What is wrong with a command line; None if it can be used as it stands, files apart."""
    words = command_words(line)
    if words is None:
        return None
    context, rest = command_of(words)
    if is_group(context.command) and rest and not rest[0].startswith("-"):
        return f"{line}: there is no such command"
    try:
        context.command.make_context(context.info_name, rest, parent=context.parent).close()
    except Exception as error:  # noqa: BLE001 - any error is told
        said = getattr(error, "message", str(error))
        return None if "does not exist" in said else f"{line}: {said}"
    return None


@each_page
def test_every_command_line_in_a_block_can_be_used(page: Path) -> None:
    text = "\n".join(code_lines(page)).replace("\\\n", " ")
    assert [wrong for line in text.splitlines() if (wrong := complaint(line))] == []


@each_page
def test_every_command_that_is_named_exists_with_its_options(page: Path) -> None:
    for code in inline_code(page):
        if not code.startswith("pointsman "):
            continue
        words = re.sub(r"[\[\]]|\\?\|", " ", code).replace("...", "").split()[1:]
        context, rest = command_of(words)
        assert context.parent is not None or rest[0].startswith("-") or rest[0].isupper(), code
        known = {option for parameter in context.command.params for option in parameter.opts} | {"--help"}
        assert {word for word in rest if word.startswith("--")} <= known, code


@pytest.fixture(scope="session")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program `pointsman` of this tree."""
    folder = tmp_path_factory.mktemp("tools")
    program = folder / "pointsman"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m controller "$@"\n')
    program.chmod(0o755)
    return folder


def answers(block: str) -> list[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it prints."""
    parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
    return [(part.splitlines()[0], part.splitlines()[1:]) for part in parts]


CONSOLES = [page for page in PAGES if blocks(page, "console")]


@pytest.mark.parametrize("page", CONSOLES, ids=name_of)
def test_the_examples_can_be_run_and_print_what_the_page_says(
    page: Path, tools: Path, tmp_path: Path
) -> None:
    for name in ("tests", "hardware_docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    for command, printed in (each for block in blocks(page, "console") for each in answers(block)):
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            cwd=tmp_path,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=RUN_S,
        )
        said = done.stdout + done.stderr
        assert done.returncode == 0, f"{command}\n{said}"
        lines = [line.strip() for line in said.splitlines()]
        assert [line for line in printed if line.strip() not in {*lines, "...", ""}] == [], (
            f"{command}\n{said}"
        )


def test_there_are_examples_to_run() -> None:
    assert len(CONSOLES) >= 4


PYTHON = [page for page in PAGES if blocks(page, "python")]


@pytest.mark.parametrize("page", PYTHON, ids=name_of)
def test_the_python_examples_can_be_run(page: Path) -> None:
    for block in blocks(page, "python"):
        exec(compile(block, name_of(page), "exec"), {})


@each_page
def test_every_target_of_make_exists(page: Path) -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    named = {
        words[1]
        for code in (*inline_code(page), *code_lines(page))
        if len(words := code.split()) > 1 and words[0] == "make"
    }
    assert named <= targets


# --- names -----------------------------------------------------------------------------------------------


@each_page
def test_every_path_exists(page: Path) -> None:
    missing = []
    for code in inline_code(page):
        if (
            re.match(r"(controller|calibration|tests|firmware|hardware_docs)/", code)
            and "/build/" not in code
        ):
            pattern = re.sub(r"\b[A-Z]+\b", "*", code.split()[0]).rstrip("/")
            if not list(ROOT.glob(pattern)):
                missing.append(code)
    assert missing == []


CODE = ("controller", "calibration", "tests")


@cache
def defined() -> frozenset[str]:
    """Every class of the product and its tests, and every name that is set there to something.

    By their lines: to parse all files takes 25 times as long.
    """
    defining = re.compile(r"^ *(?:class (\w+)[(:]|(\w+) = )", re.MULTILINE)
    return frozenset(
        name
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        for names in defining.findall(path.read_text(encoding="utf-8"))
        for name in names
    )


@cache
def modules() -> frozenset[str]:
    """The name of every module of the product, its tests and its tools."""
    folders = (*CODE, "firmware", "hardware_docs")
    return frozenset(path.name for folder in folders for path in (ROOT / folder).rglob("*.py"))


@each_page
def test_every_class_and_every_module_that_is_named_exists(page: Path) -> None:
    codes = inline_code(page)
    classes = {code.split("(")[0].split(".")[0] for code in codes if re.match(r"([A-Z][a-z]+){2,}\b", code)}
    files = {code.rpartition("/")[2] for code in codes if re.fullmatch(r"[\w/]+\.py", code)}
    assert sorted(classes - defined()) + sorted(files - modules()) == []


@each_row("name", KEYS)
def test_the_page_on_profiles_says_of_each_key_what_players_read(name: str) -> None:
    page = (ROOT / "hardware_docs" / "profiles.md").read_text(encoding="utf-8")
    meaning = re.search(rf"^\| `{re.escape(name)}` \| .* \| (.*?) \|$", page, re.MULTILINE)
    value = value_of(STANDARD, name)
    words = "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    entry = words if words in catalogue("en").names("rule", name) else "number"
    assert meaning is not None
    assert meaning[1] == catalogue("en").text("rule", name, entry, n=value)


WRITTEN_IN = ("controller", "calibration", "firmware", "hardware_docs", "tests")
ENDINGS = {".py", ".pyi", ".toml", ".js", ".css", ".html", ".h", ".c", ".sh"}


def test_every_page_that_the_code_names_exists() -> None:
    found = [
        (str(path.relative_to(ROOT)), page)
        for folder in WRITTEN_IN
        for path in (ROOT / folder).rglob("*")
        if path.suffix in ENDINGS and "build" not in path.parts
        for page in re.findall(r"(?:hardware_docs|firmware)/\w+\.md", path.read_text(encoding="utf-8"))
    ]
    assert len(found) > 20
    assert [(source, page) for source, page in found if not (ROOT / page).is_file()] == []


# --- the house -------------------------------------------------------------------------------------------


def test_the_drawing_shows_every_room_on_its_floor() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    house = page.split("<!-- house: begin -->")[1].split("<!-- house: end -->")[0]
    rows = re.findall(r"^ +(\d) +\|(.*?)\|", house, re.MULTILINE)
    drawn = [(name, int(floor)) for floor, row in rows for name in re.split(r" {2,}", row.strip()) if name]
    rooms = {room for path in SOURCES if (room := room_of(module_name(path))) in FLOOR_OF}
    floors, order = dict(drawn), []
    for room in sorted(rooms - {"controller.__main__"}):
        name = room.rpartition(".")[2]
        assert name in floors, f"{name} is missing in the drawing"
        order.append((FLOOR_OF[room], floors[name], room))
    order.sort()
    assert [floor for _, floor, _ in order] == sorted(floor for _, floor, _ in order)


def test_the_table_of_rooms_names_every_room() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`.*?) \|", page.split("<!-- house: end -->")[1], re.MULTILINE)
    named = {name.removeprefix("controller/") for row in rows for name in re.findall(r"`([a-z_/.]+)`", row)}
    rooms = {path.name for path in (ROOT / "controller").iterdir() if (path / "__init__.py").exists()}
    assert {*rooms, "calibration", "library"} <= named
