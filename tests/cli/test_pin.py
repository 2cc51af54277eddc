"""`pointsman pin` chooses the director's PIN at the machine, or shows a code with which a phone does."""

import io
import json
from pathlib import Path

import pytest
from argon2 import PasswordHasher

from controller.app.fitting.welcoming import shared_code
from controller.app.pages import KEYS
from controller.web.keys import PageKeys
from tests.cli.conftest import Run
from tests.install.photographed import square_on_console


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a table, in a network."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("controller.cli.upkeep.pin.own_address", lambda: "192.0.2.7")
    return tmp_path


def test_a_pin_that_is_typed_is_the_directors(run: Run, table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("482913\n"))
    assert "was changed" in run("pin")
    keys = PageKeys.find(table / KEYS)
    assert keys is not None
    assert PasswordHasher().verify(keys.director_hash, "482913")


@pytest.mark.parametrize("typed", ["12345", "secret", "", "12 34 56"])
def test_what_is_no_pin_changes_nothing(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch, typed: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{typed}\n"))
    assert "6 digits or more" in run("pin", status=2)
    keys = PageKeys.find(table / KEYS)
    assert keys is not None
    assert keys.director_hash == ""


def test_a_code_for_a_phone_is_that_of_the_running_table(run: Run, table: Path) -> None:
    told = run("pin", "--code")
    assert f"http://192.0.2.7:8080/welcome#{shared_code(table).current()}" in told


def test_a_program_gets_the_code_that_holds_with_its_square(run: Run, table: Path) -> None:
    told = json.loads(run("pin", "--code", "--json"))
    assert told["address"] == f"http://192.0.2.7:8080/welcome#{told['code']}"
    assert square_on_console(told["square"]) == told["address"]
    assert json.loads(run("pin", "--code", "--json")) == told
    assert shared_code(table).current() == told["code"]


def test_json_without_a_code_is_refused(run: Run) -> None:
    assert "add --code" in run("pin", "--json", status=2)


def test_a_program_gets_a_code_before_there_is_a_network(
    run: Run, table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.cli.upkeep.pin.own_address", lambda: None)
    told = json.loads(run("pin", "--code", "--json"))
    assert told == {"code": shared_code(table).current(), "address": "", "square": ""}


@pytest.mark.parametrize(
    ("web", "remedy"), [("open = false", "take the line away"), ("port = 0", "name a port")]
)
def test_where_no_phone_can_come_the_remedy_is_named(run: Run, table: Path, web: str, remedy: str) -> None:
    (table / "pointsman.toml").write_text(f"[web]\n{web}\n")
    assert remedy in run("pin", "--code", status=2)
    assert shared_code(table).current() == ""


@pytest.mark.usefixtures("table")
def test_without_a_network_there_is_no_code(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.cli.upkeep.pin.own_address", lambda: None)
    assert "in no network" in run("pin", "--code", status=2)
