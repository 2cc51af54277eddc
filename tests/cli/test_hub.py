"""`pointsman hub` as people start and end it."""

import io
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest

from controller.config import load_config
from tests.cli.conftest import Run
from tests.club.broker import Broker
from tests.hub.hubs import COMMAND, ROOT, HubProcess, children_of, rows_of_journal, stored_rows, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.hub.tls_front import TlsFront

NO_PIN = "pointsman: A director's PIN has 6 digits or more, and nothing else; it was not changed.\n"


@contextmanager
def started(folder: Path, *options: str) -> Iterator[HubProcess]:
    hub = HubProcess(folder, *options)
    try:
        yield hub
    finally:
        hub.kill()


@contextmanager
def director_of(hub: HubProcess, pin: str = "135790") -> Iterator[httpx.Client]:
    """A director on the hub's own machine, who has logged in, or chosen the first PIN."""
    with httpx.Client(base_url=hub.page) as director:
        assert director.post("/login", data={"pin": pin}).status_code == 303
        yield director


def test_a_hub_says_where_it_is_and_ends_in_order(tmp_path: Path) -> None:
    hub = HubProcess(tmp_path / "hub")
    children = children_of(hub.process.pid)
    assert hub.page.startswith("http://127.0.0.1:")
    assert httpx.get(f"{hub.page}api/v1/tables").json() == {"tables": []}
    assert hub.end() == 0
    assert not [child for child in children if Path(f"/proc/{child}").exists()]
    said = (tmp_path / "hub" / "said").read_text()
    assert said.splitlines()[0] == f"Broker: 127.0.0.1:{hub.broker_port}, club: club."
    assert "ended" not in said


def test_what_cannot_be_is_told_in_one_sentence(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "hub"
    assert "'Our Club' is no name for a club" in run(
        "hub", "--folder", folder, "--club", "Our Club", status=2
    )
    assert "is no address of a broker" in run("hub", "--folder", folder, "--broker", "host:many", status=2)
    there = tmp_path / "file"
    there.write_text("")
    assert "name another with --folder" in run("hub", "--port", "0", "--folder", there, status=2)
    assert not folder.exists()


def choose_pin(folder: Path, pin: str) -> "subprocess.CompletedProcess[str]":
    """`pointsman hub pin`, which reads the PIN from its standard input."""
    command = [sys.executable, "-c", COMMAND, "hub", "pin", "--folder", str(folder)]
    return subprocess.run(command, input=f"{pin}\n", capture_output=True, text=True, cwd=ROOT)


def test_a_forgotten_pin_is_replaced_while_the_hub_runs_and_all_else_stays(tmp_path: Path) -> None:
    folder, table = tmp_path / "hub", PlainTable("table-1").write(3)
    with started(folder) as hub, PlainTables(hub.broker_port, [table]) as tables:
        with director_of(hub, "111111") as before:
            until(tables.are_confirmed)
            assert httpx.post(f"{hub.page}login", data={"pin": "222222"}).status_code == 403
            key = (folder / "hub.key").read_bytes()
            said = choose_pin(folder, "222222")
            assert (said.returncode, said.stderr) == (0, "")
            assert said.stdout == "The director's PIN was changed. The one before counts no more.\n"
            with director_of(hub, "222222") as director:
                assert director.post("/api/v1/pairings-code").status_code == 200
                assert [each["name"] for each in director.get("/api/v1/tables").json()["tables"]] == [
                    "table-1"
                ]
            assert before.post("/api/v1/pairings-code").status_code == 401
        assert httpx.post(f"{hub.page}login", data={"pin": "111111"}).status_code == 403
    assert (folder / "hub.key").read_bytes() == key
    assert stored_rows(folder / "hub.db", table) == table.rows


def test_the_first_pin_can_be_chosen_without_a_browser_at_the_hub_and_one_that_is_none_changes_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def choose(folder: Path, pin: str, status: int = 0) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(f"{pin}\n"))
        return run("hub", "pin", "--folder", folder, status=status)

    folder = tmp_path / "hub"
    with started(folder) as hub:
        before = (folder / "page-keys.json").read_bytes()
        for pin in ("12345", "secret", "12 34 56", "", "\N{FULLWIDTH DIGIT ONE}" * 6):
            assert choose(folder, pin, 2) == NO_PIN
        assert (folder / "page-keys.json").read_bytes() == before
        choose(folder, "135790")
        assert httpx.post(f"{hub.page}login", data={"pin": "246802"}).status_code == 403
        with director_of(hub, "135790") as director:
            assert director.post("/api/v1/pairings-code").status_code == 200


def test_without_a_hub_no_pin_is_chosen(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("123456\n"))
    said = run("hub", "pin", "--folder", tmp_path / "elsewhere", status=2)
    assert "There is no hub in" in said
    assert not (tmp_path / "elsewhere").exists()


def test_a_hub_uses_a_broker_that_runs_already_and_tables_are_told_where_it_is(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = PlainTable("table-1").write(3)
    monkeypatch.chdir(tmp_path)
    with Broker(tmp_path) as broker, PlainTables(broker.port, [table]) as tables:
        with started(tmp_path / "hub", "--broker", f"127.0.0.1:{broker.port}", "--open") as hub:
            until(tables.are_confirmed)
            # What looks for a library of the system ends at once; a broker would stay.
            until(lambda: not children_of(hub.process.pid))
            with director_of(hub) as director:
                code = director.post("/api/v1/pairings-code").json()["code"]
            run("pair", hub.page, code, "--table", "table-2")
        member = load_config().membership()
        assert member is not None
        assert (member.broker.host, member.broker.port) == ("127.0.0.1", broker.port)
        assert (member.broker.user, member.broker.authority) == ("", None)
    assert stored_rows(tmp_path / "hub" / "hub.db", table) == table.rows


def test_entries_go_on_to_a_federation_over_https_and_not_to_one_that_nobody_vouches_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, key = PlainTable("table-7").write(250), tmp_path / "thursday.key"
    with ExitStack() as stack:
        far = stack.enter_context(started(tmp_path / "far"))
        front = stack.enter_context(TlsFront(tmp_path / "front", httpx.URL(far.page).port or 0))
        director = stack.enter_context(director_of(far))
        key.write_text(director.post("/api/v1/uplinks", json={"club": "thursday"}).json()["key"] + "\n")
        options = ("--club", "thursday", "--uplink", f"https://localhost:{front.port}/", "--uplink-key")
        with started(tmp_path / "near", *options, str(key)) as near:
            said = tmp_path / "near" / "said"
            with PlainTables(near.broker_port, [table], "thursday") as tables:
                until(tables.are_confirmed)
                until(lambda: "cannot be reached" in said.read_text())
            assert "The tables play on" in said.read_text()
            assert "certificate verify failed" in said.read_text()
        monkeypatch.setenv("SSL_CERT_FILE", str(front.authority))
        with started(tmp_path / "near", *options, str(key)):
            store = tmp_path / "far" / "hub.db"
            until(lambda: len(rows_of_journal(store, "thursday.table-7", table.journal)) == len(table.rows))
        assert rows_of_journal(store, "thursday.table-7", table.journal) == table.rows


def test_a_hub_begins_without_what_only_a_table_needs() -> None:
    """Neither the way from a camera to a match, nor the configuration of a table, nor how boards are found."""
    asked = "import sys, controller.cli.club.hub; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", asked], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = set(said.stdout.split())
    assert "controller.hub.hub" in loaded
    assert not loaded & {"calibration", "controller.config", "controller.web.setup"}
