"""The README says what is there: commands and targets exist, and the plan is that of the house."""

import re
import subprocess
from pathlib import Path

from typer.testing import CliRunner

from controller.cli import app

ROOT = Path(__file__).resolve().parent.parent


def test_every_target_the_readme_names_can_be_made() -> None:
    named = set(re.findall(r"(?:^    |`)make ([a-z]+)\b", (ROOT / "README.md").read_text(), re.MULTILINE))
    rules = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert {"demo", "test", "check", "bench", "clean"} <= named <= rules


def test_help_is_what_make_does_when_it_is_told_nothing() -> None:
    listed = subprocess.run(["make"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for target in ("setup", "demo", "test", "check", "bench", "clean"):
        assert f"make {target}" in listed


def test_every_command_of_the_table_exists() -> None:
    named = re.findall(r"^\| `pointsman ([a-z ]+)`", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(named) >= 6
    for command in named:
        assert CliRunner().invoke(app, [*command.split(), "--help"]).exit_code == 0, command


def test_every_folder_of_the_plan_is_there() -> None:
    folders = re.findall(r"^\| `([a-z/_]+)`", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE)
    assert len(folders) >= 7
    assert [folder for folder in folders if "/" in folder and not (ROOT / folder).is_dir()] == []


def test_the_exact_versions_lie_within_the_bounds_and_hold_no_addresses() -> None:
    lines = [
        line for line in (ROOT / "constraints.txt").read_text().splitlines() if line[:1] not in ("", "#")
    ]
    assert [line for line in lines if not re.fullmatch(r"[A-Za-z0-9._-]+==[0-9][0-9a-z.]*", line)] == []
    pinned = {line.split("==")[0].casefold() for line in lines}
    needed = re.findall(r"\"([A-Za-z0-9._-]+)>=[0-9]", (ROOT / "pyproject.toml").read_text())
    assert len(needed) >= 9
    assert [name for name in needed if name.casefold() not in pinned | {"setuptools"}] == []
