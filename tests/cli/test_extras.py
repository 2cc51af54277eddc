"""A table without the packages of a hub: its commands work, and those of a hub name the extra."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.cli.commands import COMMANDS, Command
from controller.cli.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[2]
WITHOUT = """
import sys
class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Missing())
"""

COMMANDS_RUN = """
import contextlib, io, json
from controller.cli import main
told = []
for words in json.loads(sys.argv[1]):
    sys.argv = ["pointsman", *words]
    with contextlib.redirect_stderr(io.StringIO()) as said, contextlib.redirect_stdout(io.StringIO()):
        try:
            main()
            status = 0
        except SystemExit as ended:
            status = ended.code
    told.append([status, said.getvalue()])
print(json.dumps(told))
"""


def without(names: set[str], program: str, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python that has no package of these names, as in an environment where pip did not install them."""
    return subprocess.run(
        [sys.executable, "-c", WITHOUT.format(names=names) + program, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        check=False,
    )


def ended_without(names: set[str], folder: Path, *commands: Sequence[str]) -> list[tuple[int, str]]:
    """How commands end there that are given one after the other: each one's status and complaint."""
    ended = without(names, COMMANDS_RUN, folder, json.dumps(commands))
    assert ended.returncode == 0, ended.stderr
    return [(status, complaint) for status, complaint in json.loads(ended.stdout)]


def test_every_command_but_the_hub_loads_without_the_packages_of_extras(tmp_path: Path) -> None:
    places = sorted({place.partition(":")[0] for place in _places(COMMANDS.values())} - {"club.hub"})
    program = (
        "import importlib\nfor each in sys.argv[1:]:\n    importlib.import_module(f'controller.cli.{each}')"
    )
    ended = without({*EXTRAS, "scipy", "nats", "psycopg", "gpiozero", "torch"}, program, tmp_path, *places)
    assert ended.returncode == 0, ended.stderr


def _places(commands: object) -> list[str]:
    found: list[str] = []
    for command in commands:  # type: ignore[attr-defined]
        assert isinstance(command, Command)
        found += [command.place] if command.place else []
        found += _places((command.commands or {}).values())
    return found


@pytest.mark.parametrize(
    ("package", "commands"),
    [
        ("sqlalchemy", [["hub"], ["backup", "--hub", "hub"], ["support", "--hub", "hub"]]),
        ("networkx", [["tournament", "draw", "thursday.jsonl"]]),
    ],
)
def test_what_needs_an_extra_names_it_in_one_sentence(
    package: str, commands: Sequence[Sequence[str]], tmp_path: Path
) -> None:
    if package == "networkx":
        draw_up = [
            ["tournament", "new", "thursday.jsonl", "--name", "Thursday", "--format", "swiss"],
            ["tournament", "enter", "thursday.jsonl", *"abcd"],
        ]
        assert ended_without({"scipy"}, tmp_path, *draw_up) == [(0, ""), (0, "")]
    for command, ended in zip(commands, ended_without({package}, tmp_path, *commands), strict=True):
        status, complaint = ended
        assert status == 1, command
        assert complaint.startswith("pointsman: "), command
        assert complaint.count("\n") == 1, command
        assert f"needs the package {package}" in complaint, command
        assert "pip install 'pointsman[hub]'" in complaint, command


def test_a_backup_of_a_table_needs_no_extra(tmp_path: Path) -> None:
    (tmp_path / "pointsman.toml").write_text("")
    backup = ["backup", "--out", "table.tar.gz"]
    assert ended_without({*EXTRAS, "scipy"}, tmp_path, backup) == [(0, "")]
    assert (tmp_path / "table.tar.gz").exists()


def test_extras_hold_the_packages_that_they_are_named_for() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    needed = {_module(each) for each in project["dependencies"]}
    for module, extra in EXTRAS.items():
        assert module in {_module(each) for each in project["optional-dependencies"][extra]}
        assert module not in needed


def test_a_package_that_the_documents_name_an_extra_for_has_that_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
        "optional-dependencies"
    ]
    pages = [*ROOT.glob("*.md"), *(ROOT / "hardware_docs").glob("*.md"), *(ROOT / "controller").rglob("*.py")]
    for page in pages:
        for named in re.findall(r"pointsman\[([a-z,-]+)\]", page.read_text(encoding="utf-8")):
            assert set(named.split(",")) <= set(extras), page


def _module(requirement: str) -> str:
    return re.split(r"[^A-Za-z0-9_-]", requirement, maxsplit=1)[0].lower().replace("-", "_")
