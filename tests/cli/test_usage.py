"""What `pointsman` itself answers: version, help, and complaints about command lines."""

import io
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import controller
from controller.cli.commands import COMMANDS, Command
from controller.cli.output import printable
from tests.cli.conftest import Run

ROOT = Path(__file__).resolve().parents[2]


def paths_of(commands: Mapping[str, Command], *before: str) -> Iterator[tuple[str, ...]]:
    for name, command in commands.items():
        yield (*before, name)
        yield from paths_of(command.commands or {}, *before, name)


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == f"pointsman {controller.__version__}\n"


def test_a_system_without_what_the_windows_of_opencv_need_is_told_with_the_remedy(tmp_path: Path) -> None:
    stand_in = tmp_path / "cv2"
    stand_in.mkdir()
    missing = "libGL.so.1: cannot open shared object file: No such file or directory"
    (stand_in / "__init__.py").write_text(f"raise ImportError({missing!r})\n")
    for command in (["doctor"], ["read", "--board", "board.toml", "picture.jpg"], ["demo", "--headless"]):
        said = subprocess.run(
            [sys.executable, "-m", "controller", *command],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": f"{tmp_path}:{ROOT}"},
            cwd=tmp_path,
        )
        assert said.returncode == 1
        (sentence,) = said.stderr.splitlines()
        assert sentence.startswith("pointsman: libGL.so.1 is missing")
        assert "sudo apt install libgl1" in sentence


def test_every_command_is_listed_with_what_it_does(run: Run) -> None:
    said = run("--help")
    for name, command in COMMANDS.items():
        assert any(line.split(None, 1) == [name, command.summary] for line in said.splitlines()), name


@pytest.mark.parametrize("path", list(paths_of(COMMANDS)), ids=" ".join)
def test_every_command_has_help(run: Run, path: tuple[str, ...]) -> None:
    short = run(*path, "-h")
    assert short == run(*path, "--help")
    assert short.startswith(f"Usage: pointsman {' '.join(path)} ")
    assert "-h, --help" in short
    assert "<bool>" not in short
    assert "{" not in short.split("\n\n")[0]


@pytest.mark.parametrize("path", [(), ("journal",), ("correct",)], ids=" ".join)
def test_a_group_by_itself_shows_its_help_and_ends_with_two(run: Run, path: tuple[str, ...]) -> None:
    assert run(*path, status=2) == run(*path, "--help")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("export", "--format", "pdf", "--out", "x", "y"), "--format: 'pdf' is not one of 'mat'"),
        (("export", "--format", "mat", "y"), "--out is missing: File to write"),
        (("read", "x.jpg"), "--board is missing: Board file"),
        (("read", "--board", "b.toml"), "IMAGE... is missing: Pictures"),
        (("plays", "--profil", "x"), "there is no option --profil; did you mean --profile?"),
        (("demo", "--games", "many"), "--games: "),
        (("demo", "--games", "0"), "--games: "),
        (("analyse", "--plies"), "--plies needs a value"),
        (("run", "this"), "this is more than it takes"),
        (("plaey",), "there is no command 'plaey' of pointsman; did you mean plays?"),
        (("journal", "mend"), "there is no command 'mend' of pointsman journal; pointsman journal --help"),
        (("--verbose",), "there is no option --verbose"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_a_command_line_that_is_wrong_is_one_sentence(
    run: Run, arguments: tuple[str, ...], said: str
) -> None:
    error = run(*arguments, status=2)
    assert error.startswith("pointsman: ")
    assert error.count("\n") == 1
    assert said in error
    assert "--help" in error or "did you mean" in error
    assert "Value error" not in error


@cache
def plays_at_its_end() -> Mapping[str, Any]:
    """What the command `plays` has loaded, and how rubbish is collected in it."""
    program = (
        "import gc, sys, json\n"
        "from controller.cli import main\n"
        "sys.argv = ['pointsman', 'plays']\n"
        "try:\n    main()\n"
        "finally:\n    print(json.dumps({'loaded': sorted(sys.modules), 'collects': gc.isenabled(), "
        "'kept': gc.get_freeze_count()}), file=sys.stderr)\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", program], stdin=subprocess.DEVNULL, capture_output=True, text=True, cwd=ROOT
    )
    assert ended.returncode == 0
    told: Mapping[str, Any] = json.loads(ended.stderr)
    return told


def test_plays_starts_without_what_it_does_not_need() -> None:
    loaded = {name.split(".")[0] for name in plays_at_its_end()["loaded"]}
    assert not loaded & {"numpy", "scipy", "cv2", "rich", "sqlite3"}


def test_a_command_collects_rubbish_but_looks_for_none_in_what_it_loaded() -> None:
    ended = plays_at_its_end()
    assert ended["collects"] is True
    assert ended["kept"] > len(ended["loaded"])


def test_names_come_printable_and_others_as_they_are() -> None:
    assert printable("Béla's böard.toml") == "Béla's böard.toml"
    assert printable("a\x1b[2J\n\u202e\udcff") == r"a\x1b[2J\n\u202e\udcff"


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "a\nb", b"a\xffb".decode("utf-8", "surrogateescape")])
@pytest.mark.parametrize(
    "arguments",
    [("plays",), ("judge",), ("referee",), ("export", "--format", "mat", "--out", "x"), ("journal", "check")],
    ids=" ".join,
)
def test_names_of_files_cannot_play_tricks_with_the_terminal(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], name: str
) -> None:
    error = run(*arguments, tmp_path / name, status=2)
    assert error.removesuffix("\n").isprintable()
    assert error.encode()


def test_what_is_typed_may_be_in_any_encoding(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"24/1 \xe1\xff\nq\n"), encoding="utf-8"))
    assert "UnicodeDecodeError" not in run("course", "--number", "1")


def test_a_text_that_is_given_as_a_file_is_one_sentence(run: Run) -> None:
    said = run("dispute", "b....E.C...eE" * 400, status=2)
    assert "is longer than a file's name may be" in said
    assert len(said) < 150


def test_what_belongs_to_another_user_is_one_sentence(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """As after a command with sudo."""
    exists = Path.exists

    def refuse(self: Path) -> bool:
        if self.name == "pointsman.toml":
            raise PermissionError(13, "Permission denied", str(self))
        return exists(self)

    monkeypatch.setattr(Path, "exists", refuse)
    said = run("backup", status=2)
    assert "pointsman.toml may not be used (Permission denied); see whose it is" in said


def started(*arguments: str, **how: Any) -> tuple[int, str]:
    """A command as a program of its own: its status, and what it says on standard error."""
    program = [sys.executable, "-c", "from controller.cli import main; main()", *arguments]
    around = os.environ | {"PYTHONPATH": str(ROOT)}
    ended = subprocess.run(program, stderr=subprocess.PIPE, text=True, env=around, check=False, **how)
    return ended.returncode, ended.stderr


def test_output_that_does_not_fit_on_the_disk_is_one_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        status, said = started("profiles", stdout=full)
    assert status == 1
    assert said.startswith("pointsman: what was to be written does not fit on the disk")
    assert said.count("\n") == 1


def test_a_folder_that_was_removed_while_one_is_in_it_is_one_sentence(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    status, said = started("run", cwd=gone, stdout=subprocess.DEVNULL, preexec_fn=gone.rmdir)
    assert status == 2
    assert said.startswith("pointsman: the folder in which you are is not there any more")
    assert said.count("\n") == 1
