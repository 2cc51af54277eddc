"""No command writes over a journal, its evidence, the lines of a match, or what it reads: all options that write."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import pytest
import typer
from typer.main import get_command
from typer.models import TyperPath

from controller.cli import app
from controller.record.evidence.store import EvidenceStore
from controller.record.journal.event_file import create_event_file
from controller.record.journal.journal import Journal
from controller.record.table.destination import DestinationError, refuse_loss, write_file
from controller.tournament.catalogue import load_format
from controller.tournament.changes import begin
from controller.tournament.events import event_record
from controller.vision.board.board import dump_board
from tests.cli.conftest import Run
from tests.vision.test_film import board, shot

GAME = Path("tests/data/game")
JOURNAL = Path("tests/data/record/journal-v1.db")

WRITES: dict[str, Callable[[Path, Path], list[object]]] = {
    "export --out": lambda match, out: ["export", match / "journal.db", "--format", "mat", "--out", out],
    "dispute --out": lambda match, out: ["dispute", match / "journal.db", "0", "--out", out],
    "packet --out": lambda match, out: ["packet", match, "--out", out],
    "backup --out": lambda _, out: ["backup", "--out", out],
    "support --out": lambda _, out: ["support", "--out", out],
    "snapshot --out": lambda _, out: ["snapshot", "--out", out],
    "journal copy --out": lambda match, out: ["journal", "copy", match / "journal.db", "--out", out],
    "journal rescue --out": lambda match, out: ["journal", "rescue", match / "journal.db", "--out", out],
    "analyse --html": lambda match, out: ["analyse", match / "journal.db", "--html", out],
    "statistics --html": lambda match, out: ["statistics", match / "journal.db", "--html", out],
    "tournament export --out": lambda match, out: [
        *("tournament", "export", match / "cup.jsonl", "--format", "json", "--out", out)
    ],
    "quiz --anki": lambda match, out: ["quiz", "--collection", match / "none.json", "--anki", out],
    "ask --drawing": lambda match, out: [*_ask(match), "--drawing", out],
    "ask --picture": lambda match, out: [*_ask(match), "--picture", out],
    "calibrate board --out": lambda _, out: [*_calibrate(), "--out", out],
    "calibrate board --debug": lambda match, out: [*_calibrate(), "--out", match / "b.toml", "--debug", out],
}
"""Of each option that names a file to write: a command line that would write there."""
FOLDERS = {"simulate tables --out", "replay --out", "demo --out", "demo --pictures", "read --debug"}
"""Options that name a folder to write into; each has a test of its own below."""
READS = {
    "run --config",
    "pin --config",
    "ask --board",
    "backup --config",
    "backup --hub",
    "support --config",
    "support --hub",
    "snapshot --config",
    "calibrate board --config",
    "journal countersign --key",
    "exercise --board",
    "exercise --frames",
    "doctor --config",
    "doctor --board",
    "config --check",
    "read --board",
    "replay --board",
    "replay --frames",
    "replay --dice",
    "calibrate board --image",
    "calibrate dice --image",
    "calibrate dice --config",
    "course --board",
    "course --frames",
    "dice watch --config",
    "quiz --board",
    "quiz --frames",
    "dispute --pictures",
    "tournament enter --from",
    "hub --uplink-key",
    "hub --regions-key",
}
APPENDS = {
    "hub --folder": "a hub's own files, by their own names; a store that is none is refused (tests/hub)",
    "hub pin --folder": "only the hash of the PIN in the keys of a hub's pages is new (tests/cli/test_hub.py)",
    "restore --hub": "what is there is refused, or kept aside (tests/upkeep)",
    "pair --config": "only the values of [club] in a configuration are new (tests/cli/test_club.py)",
    "restore --config": "what is there is refused, or kept aside (tests/upkeep)",
    "analyse --collection": "exercises are added to a collection, which must be read first",
    "ask --collection": "a position is added to a collection, which must be read first",
    "quiz --collection": "answers are added to a collection, which must be read first",
    "course --progress": "answers are added to a learner's progress, which must be read first",
    "import --journal": "a match is added, and a file that is no journal is refused",
    "calibrate dice --board": "only what was learned of dice and cube is new in a board file, read first",
    "calibrate lights --board": "only the order of the lights in a board file, which must be read first, is new",
}


def _calibrate() -> list[object]:
    first, second = GAME / "frames" / "00000.jpg", GAME / "frames" / "00001.jpg"
    return ["calibrate", "board", "--image", first, "--image", second]


def _ask(match: Path) -> list[object]:
    return ["ask", GAME / "frames" / "00000.jpg", "--board", match / "b.toml"]


def _options(command: Any, name: str = "") -> set[str]:
    """All options of all commands that name a file or a folder."""
    if hasattr(command, "list_commands"):
        context = typer.Context(command)
        below = ((each, command.get_command(context, each)) for each in command.list_commands(context))
        inside = {found for each, one in below for found in _options(one, f"{name} {each}".strip())}
        return inside | _own_options(command, name)
    return _own_options(command, name)


def _own_options(command: Any, name: str) -> set[str]:
    options = (param for param in command.params if param.param_type_name == "option" and _is_path(param))
    return {f"{name} {max(option.opts, key=len)}" for option in options}


def _is_path(option: Any) -> bool:
    return isinstance(option.type, TyperPath)


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """A match folder with everything that must not be lost."""
    folder = tmp_path / "match"
    folder.mkdir()
    shutil.copy(JOURNAL, folder / "journal.db")
    with Journal(folder / "journal.db"):
        pass
    with EvidenceStore(folder / "journal.evidence.db") as store:
        store.keep(1, [b"picture"])
    (folder / "events.jsonl").write_text("{}\n")
    shutil.copy(folder / "journal.db", folder / "under-another-name")
    (folder / "link.mat").symlink_to("journal.db")
    create_event_file(folder / "cup.jsonl", event_record(begin("Cup", load_format("swiss"), "1")))
    shutil.copy(folder / "cup.jsonl", folder / "other-cup.jsonl")
    (folder / "gone.db-wal").write_bytes(b"a log whose database is gone")
    return folder


TREASURES = (
    "journal.db",
    "journal.evidence.db",
    "journal.head",
    "events.jsonl",
    "under-another-name",
    "link.mat",
    "gone.db",
    "gone.db-wal",
    "other-cup.jsonl",
)


def test_every_option_that_names_a_file_is_known_to_read_or_to_write() -> None:
    known = {*WRITES, *FOLDERS, *READS, *APPENDS}
    assert {*WRITES, *FOLDERS} <= _options(get_command(app)), "the walk finds the options that are tried here"
    assert _options(get_command(app)) - known == set(), "say here whether it writes, and try it"


def _snapshot(folder: Path) -> dict[str, bytes]:
    return {
        path.name: path.read_bytes()
        for path in folder.iterdir()
        if path.stat().st_size and not path.name.endswith("-shm")
    }


@pytest.mark.parametrize("option", WRITES)
def test_no_option_that_writes_a_file_takes_what_would_be_lost(run: Run, match: Path, option: str) -> None:
    before = _snapshot(match)
    for name in TREASURES:
        said = run(*WRITES[option](match, match / name), status=2)
        assert name in said
        (match / "b.toml").unlink(missing_ok=True)
        assert _snapshot(match) == before, (option, name)


@pytest.mark.parametrize("option", ["calibrate board --out", "calibrate board --debug"])
def test_a_picture_that_is_read_is_not_written_over(run: Run, tmp_path: Path, option: str) -> None:
    picture = tmp_path / "start.jpg"
    shutil.copy(GAME / "frames" / "00000.jpg", picture)
    command = [
        each if each != GAME / "frames" / "00000.jpg" else picture
        for each in WRITES[option](tmp_path, picture)
    ]
    assert "is what is being read" in run(*command, status=2)
    assert picture.read_bytes() == (GAME / "frames" / "00000.jpg").read_bytes()


def test_a_match_file_is_not_exported_over_itself(run: Run, match: Path, tmp_path: Path) -> None:
    out = tmp_path / "match.mat"
    run("export", match / "journal.db", "--format", "mat", "--out", out)
    text = out.read_bytes()
    assert "is what is being read" in run("export", out, "--format", "sgf", "--out", out, status=2)
    assert out.read_bytes() == text
    run("export", match / "journal.db", "--format", "mat", "--out", out)
    assert out.read_bytes() == text


def test_a_link_that_leads_round_to_itself_gives_way_to_the_file(
    run: Run, match: Path, tmp_path: Path
) -> None:
    out = tmp_path / "round.mat"
    out.symlink_to(out)
    run("export", match / "journal.db", "--format", "mat", "--out", out)
    assert "point match" in out.read_text()


@pytest.mark.parametrize(
    "name", ["journal.db", "journal.rescued.db", "journal.db-wal", "match.mat", "events.jsonl"]
)
def test_a_film_is_not_recorded_into_the_folder_of_another_match(run: Run, tmp_path: Path, name: str) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / name).write_bytes(b"precious")
    known = tmp_path / "board.toml"
    known.write_text(dump_board(board()))
    said = run("replay", "--board", known, "--frames", GAME / "frames", "--out", out, status=2)
    assert f"holds another match ({name})" in said
    assert [path.read_bytes() for path in out.iterdir()] == [b"precious"]


def test_pictures_of_what_was_seen_never_replace_the_pictures_that_were_read(
    run: Run, tmp_path: Path
) -> None:
    picture, known = tmp_path / "00000.png", tmp_path / "board.toml"
    assert cv2.imwrite(str(picture), shot(0))
    before = picture.read_bytes()
    known.write_text(dump_board(board()))
    said = run("read", "--board", known, "--debug", tmp_path, picture, status=2)
    assert "is what is being read" in said
    assert picture.read_bytes() == before


def test_what_can_be_made_again_may_be_written_over(tmp_path: Path) -> None:
    out = tmp_path / "match.mat"
    out.write_text("old")
    out.chmod(0o640)
    write_file(out, b"new")
    assert out.read_text() == "new"
    assert out.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["match.mat"]


def test_a_device_is_written_to_and_not_replaced() -> None:
    write_file(Path("/dev/null"), b"text")
    assert Path("/dev/null").is_char_device()


def test_a_damaged_journal_is_still_known_for_one(match: Path) -> None:
    (match / "journal.db").write_bytes(b"rubbish")
    (match / "journal.rescued.db").write_bytes(b"rubbish")
    for name in ("journal.db", "journal.rescued.db"):
        with pytest.raises(DestinationError, match="a journal"):
            refuse_loss(match / name)
