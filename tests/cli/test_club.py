"""``pointsman pair`` and ``pointsman simulate tables``, as people type them."""

import asyncio
import json
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.config import load_config
from controller.hub import broker
from controller.hub.hub import Hub, HubSettings
from controller.record.journal.journal import Journal
from tests.cli.conftest import Run
from tests.club.broker import Broker
from tests.club.plain_hub import PlainHub
from tests.club.writing import at_work, until
from tests.ports import free_port

CODE = "123456"
LOGIN = {
    "club": "tartu",
    "host": "127.0.0.1",
    "port": 8883,
    "user": "table-7",
    "password": "secret",
    "authority": "",
    "hub_key": "ab" * 32,
}


@contextmanager
def hub_of(login: dict[str, Any], authority: str = "") -> Iterator[str]:
    """A hub that lets in who knows the code, for its own machine; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.end_headers()
            self.wfile.write(json.dumps({"port": 0, "authority": authority}).encode())

        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = self.path == "/api/v1/pair" and asked["code"].startswith(CODE)
            told = (
                {**login, "table": asked["table"]}
                if known
                else {"detail": "That is not the code; type it again."}
            )
            self.send_response(200 if known else 403)
            self.end_headers()
            self.wfile.write(json.dumps(told).encode())

        def log_message(self, *_: object) -> None:
            """Silent."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def open_hub(folder: Path) -> Iterator[tuple[str, str]]:
    """A hub that lets others in; the address of its pages and a code."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broker, "TLS_PORT", free_port())
        settings = HubSettings(folder, port=0, open_to_all=True, club="tartu")
        with (
            Hub(settings, lambda _: None) as hub,
            httpx.Client(base_url=hub.addresses[0]) as director,
        ):
            director.post("/login", data={"pin": "135790"})
            yield hub.addresses[0], director.post("/api/v1/pairings-code").json()["code"]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_table_is_paired_and_all_else_of_its_configuration_stays(
    run: Run, place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = run("config").replace('#light = "Light"', 'light = "Réka"')
    (place / "pointsman.toml").write_text(text, encoding="utf-8")
    with open_hub(tmp_path_factory.mktemp("hub")) as (hub, code):
        said = run("pair", hub, code, "--table", "table-7")
        port = broker.TLS_PORT
    assert "This table is table-7 of tartu now." in said
    config = load_config()
    assert config.match.light == "Réka"
    member = config.membership()
    assert member is not None
    assert (member.address.club, member.address.table) == ("tartu", "table-7")
    assert (member.broker.host, member.broker.port) == ("127.0.0.1", port)
    assert member.broker.user == "table-7"
    assert member.broker.password
    assert member.broker.authority is not None
    assert "BEGIN CERTIFICATE" in member.broker.authority.read_text()
    assert (place / "club.json").stat().st_mode & 0o777 == 0o600
    changed = (place / "pointsman.toml").read_text(encoding="utf-8")
    added = ["[club]", "use = true", f'hub = "127.0.0.1:{port}"', 'club = "tartu"', 'table = "table-7"']
    assert changed.removeprefix(text).split("\n") == ["", *added, ""]


def test_pairing_again_needs_no_name_and_a_new_configuration_is_begun_where_there_is_none(
    run: Run, place: Path
) -> None:
    with hub_of(LOGIN) as hub:
        run("pair", hub, CODE, "--table", "table-7")
        before = (place / "pointsman.toml").read_text()
        run("pair", f"http://{hub}/", CODE)
    assert (place / "pointsman.toml").read_text() == before


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("{hub}", "12345", "--table", "t"), "'12345' is no code"),
        (("{hub}", "654321", "--table", "t"), "That is not the code; type it again."),
        (("{hub}", CODE), "--table"),
        (("{hub}", CODE, "--table", "Table 7"), "'Table 7' is no name"),
        (("{hub}/pages", CODE, "--table", "t"), "is no address of a hub"),
        (("ftp://hub", CODE, "--table", "t"), "is no address of a hub"),
        (("127.0.0.1:1", CODE, "--table", "t"), "cannot be reached"),
        (("{hub}", f"{CODE}-ABCD-EFGH", "--table", "t"), "it names no authority"),
        (("{hub}", CODE, "more", "--table", "t"), "no more words"),
    ],
)
def test_what_cannot_be_paired_is_one_sentence_and_changes_nothing(
    arguments: tuple[str, ...], complaint: str, run: Run, place: Path
) -> None:
    with hub_of(LOGIN) as hub:
        said = run("pair", *(each.format(hub=hub) for each in arguments), status=2)
    assert complaint in said
    assert said.count("\n") == 1
    assert not [*place.iterdir()]


def test_another_hub_than_the_one_that_shows_the_code_is_one_sentence_and_changes_nothing(
    run: Run, place: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with open_hub(tmp_path_factory.mktemp("hub")) as (hub, code):
        for typed, complaint in (
            (f"{code[:7]}0000-0000", "its letters are others"),
            (code[:6], "Type the letters behind the six digits"),
        ):
            said = run("pair", hub, typed, "--table", "t", status=2)
            assert complaint in said
            assert said.count("\n") == 1
    with hub_of(LOGIN, "no certificate") as hub:
        assert "no certificate that can be read" in run("pair", hub, code, "--table", "t", status=2)
    assert not [*place.iterdir()]


def test_simulated_tables_play_at_a_hub_until_their_time_is_up(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"

    async def story(broker: Broker) -> PlainHub:
        hub = PlainHub(broker.port)
        async with at_work(hub.run()):
            address = f"127.0.0.1:{broker.port}"
            arguments = (
                "tables",
                3,
                "--broker",
                address,
                "--for",
                2,
                "--speed",
                60,
                "--seed",
                1,
                "--out",
                out,
            )
            said = await asyncio.to_thread(run, "simulate", *arguments)
            assert said.startswith("3 of 3 tables connected, 3 matches,")
            await until(lambda: all(not each["up"] for each in hub.presence.values()))
        return hub

    with Broker(tmp_path) as broker:
        hub = asyncio.run(story(broker))
    found = {}
    for path in out.glob("*/*/journal.db"):
        with Journal(path, read_only=True) as journal:
            rows = [list(row) for row in journal.rows()]
            found[path.parent.parent.name, (journal.chain(1) or "")[:16]] = rows
    assert hub.rows == found
    assert len(found) == 3
    assert not hub.strange
    assert {state["screen"]["match"]["table"] for state in hub.states.values()} == {
        "Table 1",
        "Table 2",
        "Table 3",
    }


def test_ctrl_c_ends_simulated_tables_cleanly(tmp_path: Path) -> None:
    program = "import sys; from controller.cli import main; sys.exit(main())"

    async def story(broker: Broker) -> None:
        hub = PlainHub(broker.port)
        async with at_work(hub.run()):
            command = ("simulate", "tables", "1", "--broker", f"127.0.0.1:{broker.port}")
            tables = subprocess.Popen(
                [sys.executable, "-c", program, *command],
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
            try:
                await until(lambda: bool(hub.rows))
            finally:
                tables.send_signal(signal.SIGINT)
                out, error = await asyncio.to_thread(tables.communicate)
        assert "Traceback" not in error
        assert out.startswith("1 of 1 tables connected")
        assert tables.returncode == 0

    with Broker(tmp_path) as broker:
        asyncio.run(story(broker))


def test_what_simulated_tables_cannot_use_is_one_sentence(run: Run, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    broker = ("--broker", "127.0.0.1:1883")
    assert "is no address of a broker" in run("simulate", "tables", 1, "--broker", "a:b:c", status=2)
    assert "is no name for a club" in run("simulate", "tables", 1, *broker, "--club", "Our Club", status=2)
    assert "is not empty" in run("simulate", "tables", 1, *broker, "--out", tmp_path / "full", status=2)
    run("simulate", "tables", 0, *broker, status=2)
