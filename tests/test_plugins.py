"""Plug-ins: the package that the page describes, installed as pip leaves it, adds all that the page says."""

import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.devices import LightFrame
from controller.devices.dice.news import DieBattery, DieNews, DieState
from controller.devices.dice.plugin import PluginDice
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.dice.unit_rolls import UnitRolls
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.plugin import PluginLights
from controller.messages.catalogue import Catalogue

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "hardware_docs" / "plugins.md"


def files_of_page() -> Iterator[tuple[str, str]]:
    """The files that the page shows, by their names: the last one that is named before each block."""
    text = PAGE.read_text(encoding="utf-8")
    for before, block in re.findall(r"(.*?)```(?:toml|python)\n(.*?)```", text, re.DOTALL):
        named = re.findall(r"\*\*(pyproject\.toml|harbour/[a-z_.-]+)\*\*", before)
        if named:
            yield named[-1], block


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A folder with the package and its dist-info, as after an installation."""
    folder = tmp_path / "site"
    told = dict(files_of_page())
    project = tomllib.loads(told.pop("pyproject.toml"))["project"]
    for name, text in told.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    install(folder, project)
    return folder


def install(folder: Path, project: dict[str, Any]) -> None:
    """Write the dist-info of a project into a folder of packages."""
    info = folder / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n")
    lines = []
    for group, points in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {value}" for name, value in points.items())]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")


def python(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A Python that finds the packages of a folder, too."""
    environment = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{ROOT}"}
    return subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=environment, check=False
    )


def test_rules_a_format_and_a_language_of_a_package_are_there_once_it_is_installed(
    site: Path, tmp_path: Path
) -> None:
    program = """
import json
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.tournament.catalogue import format_names, load_format
german = catalogue("de")
print(json.dumps({
    "profiles": profile_names()[-1], "jacoby": load_profile("harbour-club").cube.jacoby,
    "formats": format_names()[-1], "rounds": load_format("harbour-cup").stage.rounds,
    "languages": LANGUAGES[-1], "own": german.text("term", "light"), "english": german.text("term", "cube"),
}))
"""
    ended = python(site, tmp_path, "-c", program)
    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == {
        "profiles": "harbour-club",
        "jacoby": True,
        "formats": "harbour-cup",
        "rounds": 5,
        "languages": "de",
        "own": "Hell",
        "english": "cube",
    }


def test_what_a_package_adds_is_there_on_the_command_line(site: Path, tmp_path: Path) -> None:
    shown = python(site, tmp_path, "-m", "controller", "profiles", "show", "harbour-club", "--language", "de")
    assert shown.returncode == 0, shown.stderr
    assert "Harbour club" in shown.stdout
    new = ("tournament", "new", "cup.jsonl", "--name", "Cup", "--format", "harbour-cup")
    began = python(site, tmp_path, "-m", "controller", *new)
    assert began.returncode == 0, began.stderr


def test_nothing_that_ships_is_replaced_and_a_text_with_a_mistake_is_left_out(tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "odd").mkdir(parents=True)
    (site / "odd" / "__init__.py").touch()
    (site / "odd" / "standard-match.toml").write_text('title = "Mine"\n')
    (site / "odd" / "broken.toml").write_text("move.doubles = 7\n")
    points = {"standard-match": "odd", "broken": "odd", "lost": "odd", "absent": "no_such_package"}
    install(site, {"name": "odd", "version": "1", "entry-points": {"pointsman.profiles": points}})
    program = """
from controller.rules.profile.catalogue import load_profile, profile_names
assert profile_names().count("standard-match") == 1
assert load_profile("standard-match").title != "Mine"
assert not {"broken", "lost", "absent"} & set(profile_names())
"""
    ended = python(site, tmp_path, "-c", program)
    assert ended.returncode == 0, ended.stderr
    assert "broken of a plug-in has a mistake" in ended.stderr
    shown = python(site, tmp_path, "-m", "controller", "profiles", "show", "broken")
    assert shown.returncode == 2
    assert "broken.toml, line 1" in shown.stderr


def test_a_table_takes_dice_and_lights_of_a_package(site: Path, tmp_path: Path) -> None:
    """As its configuration names them: a roll comes in, and the lamps are shown."""
    rolls, lamps = tmp_path / "rolls.txt", tmp_path / "lamps.txt"
    rolls.touch()
    (tmp_path / "pointsman.toml").write_text(
        f'[board]\nport = "none"\n[dice]\nsource = "plugin"\nplugin = "filedice:{rolls}"\n'
        f'[lights]\nsource = "plugin"\nplugin = "filelamps:{lamps}"\n'
    )
    program = f"""
from pathlib import Path
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox
from controller.app.wiring import wire
from controller.config import load_config
told = []
electronics = Electronics(Inbox(), lambda s: s, told.append, lambda: 0.0)
wire(electronics, load_config(None), None, None, 1, told.append, lambda: 0.0)
electronics.poll(0.0)
Path({str(rolls)!r}).write_text("3 1\\n")
electronics._gate.open(0.0)
print([event.dice for event in electronics.poll(0.1)], told)
electronics.lights.close()
electronics.dice.close()
"""
    ended = python(site, tmp_path, "-c", program)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == "[(3, 1)] []"
    assert set(lamps.read_text().splitlines()) == {"000000"}


def test_a_plug_in_that_is_not_installed_is_told_and_the_table_does_without(tmp_path: Path) -> None:
    (tmp_path / "pointsman.toml").write_text(
        '[board]\nport = "none"\n[dice]\nsource = "plugin"\nplugin = "lost"\n'
    )
    program = """
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox
from controller.app.wiring import wire
from controller.config import load_config
told = []
electronics = Electronics(Inbox(), lambda s: s, told.append, lambda: 0.0)
wire(electronics, load_config(None), None, None, 1, told.append, lambda: 0.0)
assert electronics.dice is None
print(told[0]("en"))
"""
    ended = python(tmp_path, tmp_path, "-c", program)
    assert ended.returncode == 0, ended.stderr
    assert 'There is no plug-in "lost" of pointsman.dice' in ended.stdout


def test_a_source_that_is_a_plug_in_has_to_name_it(tmp_path: Path) -> None:
    (tmp_path / "pointsman.toml").write_text('[lights]\nsource = "plugin"\n')
    ended = python(tmp_path, tmp_path, "-m", "controller", "config", "pointsman.toml")
    assert ended.returncode == 2
    assert "lights.plugin has to name the plug-in" in ended.stderr


class Faulty:
    """A unit, or lamps, whose calls fail as they are told to."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.closed = self.opened = 0
        self.shown: list[tuple[int, int, int]] = []

    def open(self) -> "Faulty":
        self.opened += 1
        return self

    def poll(self) -> list[tuple[int, int]]:
        if self.fault is not None:
            raise self.fault
        return [(6, 5)]

    def show(self, colours: list[tuple[int, int, int]]) -> None:
        if self.fault is not None:
            raise self.fault
        self.shown = colours

    def close(self) -> None:
        self.closed += 1
        raise RuntimeError("cannot even be closed")


@pytest.mark.parametrize("fault", [OSError(19, "No such device"), ZeroDivisionError("division by zero")])
def test_dice_that_fail_are_told_let_go_of_and_tried_again(fault: Exception) -> None:
    unit, told = Faulty(), list[DiceStatus]()
    dice = UnitRolls(PluginDice("mine", unit.open), "mine", "plugin", told.append)
    assert [roll.dice for roll in dice.poll(0.0)] == [(6, 5)]
    unit.fault = fault
    assert dice.poll(0.1) == []
    assert (unit.closed, unit.opened) == (1, 1)
    unit.fault = None
    assert dice.poll(1.0) == []
    assert len(dice.poll(2.2)) == 1
    assert [status.code for status in told] == [DiceCode.READY, DiceCode.AWAY, DiceCode.READY]


def test_a_plug_in_that_knows_its_dice_one_by_one_has_them_paired_at_the_hosts_time() -> None:
    class Single:
        def __init__(self) -> None:
            rolling = DieNews("red", DieState.ROLLING, 0.0)
            red, blue = (DieNews(die, DieState.SETTLED, 0.0, face) for die, face in (("red", 4), ("blue", 1)))
            self.told: list[object] = [rolling, red, blue, DieBattery("red", 5)]

        def poll(self) -> list[object]:
            told, self.told = self.told, []
            return told

        def close(self) -> None:
            pass

    told = list[DiceStatus]()
    owners = {"red": "light", "blue": "light"}
    dice = UnitRolls(PluginDice("mine", Single), "mine", "plugin", told.append, owners=owners)  # type: ignore[arg-type]
    (rolled,) = dice.poll(7.0)
    assert (rolled.dice, rolled.at_s, rolled.owner) == ((4, 1), 7.0, "light")
    assert DiceCode.BATTERY in [status.code for status in told]


@pytest.mark.parametrize("fault", [OSError(19, "No such device"), ZeroDivisionError("division by zero")])
def test_lamps_that_fail_are_let_go_of_and_tried_again(fault: Exception) -> None:
    lamps = Faulty()
    lights = PluginLights("mine", lamps.open, StripOrder.as_delivered(), Dimming())
    lights.show(LightFrame())
    lights.tick(0.0)
    assert lights.broken is None
    assert lamps.shown
    lamps.fault = fault
    lights.tick(1.5)
    assert lights.broken is not None
    lamps.fault = None
    lights.tick(2.0)
    assert lamps.opened == 1
    lights.tick(3.6)
    assert (lights.broken, lamps.opened) == (None, 2)
    lights.close()


@pytest.mark.parametrize(
    "wrong",
    [
        '"{name"',
        '"{nobody}"',
        '"{}"',
        "7",
        "[1, 2]",
        '{ count = "name", one = "x" }',
        '{ count = "name", other = 3 }',
        '{ other = "x" }',
    ],
)
def test_a_text_of_a_language_that_cannot_be_filled_in_is_english(wrong: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    (site / "odd").mkdir(parents=True)
    (site / "odd" / "__init__.py").touch()
    (site / "odd" / "xx.toml").write_text(
        f'[heading]\nprofile = {wrong}\nlist = "Regeln"\n[term]\nlight = {{}}\n'
    )
    install(site, {"name": "odd", "version": "1", "entry-points": {"pointsman.languages": {"xx": "odd"}}})
    program = """
from controller.messages.catalogue import catalogue
words = catalogue("xx")
print(words.text("heading", "profile", name="a", title="b"))
print(words.text("heading", "list"), words.text("term", "light"))
"""
    ended = python(site, tmp_path, "-c", program)
    assert ended.returncode == 0, ended.stderr
    assert ended.stdout.strip() == "a: b\nRegeln Light"


def test_a_form_that_a_language_lacks_is_its_other_form() -> None:
    """The English text stands in for it, and has fewer forms than the language."""
    catalogue = Catalogue({"days": {"count": "n", "other": "{n} days"}}, {"few": range(2, 5)})
    assert catalogue.text("days", n=3) == "3 days"
