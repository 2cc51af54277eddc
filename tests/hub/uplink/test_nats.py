"""Hubs of regions and a federation's, over real servers of NATS: each entry arrives once, whatever is killed."""

import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from controller.club.messages import JournalPart
from controller.hub.hub import Hub, HubSettings
from controller.hub.uplink.desk import confirmed
from controller.hub.uplink.jetstream import NatsAddress, stream_config
from controller.hub.uplink.nats_hub import NatsHub
from controller.hub.uplink.other_hub import UplinkError
from controller.hub.uplink.regions import Regions
from controller.hub.uplink.uplink import Uplink
from tests.hub.hubs import running_hub, stored_rows, until
from tests.hub.plain_tables import PlainTable, Row
from tests.hub.uplink.nodes import account, address_of, asked, kept, running_cluster, running_node
from tests.ports import free_port
from tests.rows import each_row

AGAIN_S, BACK_S = 0.2, 0.5


@contextmanager
def federation(folder: Path, nats: str, key: str = "") -> Iterator[Hub]:
    """A hub that takes what comes through NATS."""
    folder.mkdir(exist_ok=True)
    if not (folder / "hub.json").exists():
        (folder / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    with Hub(HubSettings(folder, port=0, regions=nats, regions_key=key), lambda _: None) as hub:
        yield hub


def there(folder: Path, table: PlainTable, club: str = "club") -> list[Row]:
    """What the federation has of a table, in the order in which it was stored."""
    if not table.rows:
        return []
    alike = PlainTable(f"{club}.{table.name}")
    alike.rows = table.rows
    return stored_rows(folder / "hub.db", alike)


def sender(nats: str, key: str = "") -> NatsHub:
    """The federation behind servers that are not waited for for long."""
    return NatsHub(NatsAddress.parse(nats, key), 1.0)


def uplink_to(hub: Hub, nats: str, said: list[str] | None = None) -> Uplink:
    """What a hub has goes to the federation, which is asked again soon after a failure, and where it is silent."""
    words: list[str] = [] if said is None else said
    return Uplink(hub.service, sender(nats), words.append, AGAIN_S, back_s=BACK_S)


def give(hub: Hub, table: PlainTable, count: int) -> None:
    """Have a table write entries, which its hub stores."""
    before = table.rows[-1][-1] if table.rows else ""
    first = len(table.rows)
    table.write(count)
    confirmed(
        hub.service.store_part(
            table.name, JournalPart(table.journal, before, tuple(map(tuple, table.rows[first:])))
        )
    )


def test_what_a_region_has_arrives_once_and_in_order_over_all_cuts(tmp_path: Path) -> None:
    tables = [PlainTable("table-1"), PlainTable("table-2")]
    said: list[str] = []
    far = tmp_path / "far"
    with running_hub(tmp_path / "club") as club, running_node(tmp_path / "nats") as node:
        nats = address_of([node])
        for table in tables:
            give(club, table, 450)
        with ExitStack() as sending:
            with federation(far, nats) as other:
                assert other.regions is not None
                until(other.regions.up.is_set)
                uplink = sending.enter_context(uplink_to(club, nats, said))
                for table in tables:
                    until(lambda table=table: there(far, table) == table.rows)
                until(lambda: uplink.left == 0)
                assert said == []
                node.kill()
                give(club, tables[0], 5)
                until(lambda: said)
                node.start()
                until(lambda: there(far, tables[0]) == tables[0].rows)
                until(lambda: len(said) > 1)
            # The federation's hub is away: the stream keeps what comes, and the sender may go.
            give(club, tables[1], 3)
            until(lambda: kept(node) > 0)
        with federation(far, nats):
            until(lambda: there(far, tables[1]) == tables[1].rows)
            until(lambda: kept(node) == 0)
    assert "cannot be reached" in said[0]
    assert "takes entries again" in said[1]


def test_a_federation_that_lost_its_store_gets_everything_once_more(tmp_path: Path) -> None:
    table = PlainTable("table-1")
    with running_hub(tmp_path / "club") as club, running_node(tmp_path / "nats") as node:
        nats = address_of([node])
        with federation(tmp_path / "far", nats), uplink_to(club, nats):
            give(club, table, 250)
            until(lambda: there(tmp_path / "far", table) == table.rows)
        with uplink_to(club, nats), federation(tmp_path / "new", nats):
            until(lambda: there(tmp_path / "new", table) == table.rows)


def test_entries_that_the_stream_lost_are_sent_again(tmp_path: Path) -> None:
    table, far = PlainTable("table-1"), tmp_path / "far"
    with running_hub(tmp_path / "club") as club, running_node(tmp_path / "nats") as node:
        nats = address_of([node])
        with uplink_to(club, nats) as uplink:
            with federation(far, nats):
                give(club, table, 3)
                until(lambda: there(far, table) == table.rows)
                until(lambda: uplink.left == 0)
            give(club, table, 2)
            until(lambda: kept(node) > 0)
            asked(node, lambda stream: stream.purge_stream("POINTSMAN"))
            with federation(far, nats):
                until(lambda: uplink.left == 0)
        assert there(far, table) == table.rows


def test_three_servers_go_on_when_one_after_the_other_is_killed(tmp_path: Path) -> None:
    tables, far = [PlainTable(f"table-{number}") for number in range(1, 6)], tmp_path / "far"
    stop = threading.Event()
    with running_hub(tmp_path / "club") as club, running_cluster(tmp_path / "nats") as nodes:
        nats = address_of(nodes)

        def play() -> None:
            while not stop.wait(0.05):
                for table in tables:
                    give(club, table, 1)

        with federation(far, nats), uplink_to(club, nats) as uplink:
            playing = threading.Thread(target=play)
            playing.start()
            try:
                for node in nodes:
                    before = len(there(far, tables[0]))
                    until(lambda before=before: len(there(far, tables[0])) > before + 5, 60)
                    node.kill()
                    before = len(there(far, tables[0]))
                    until(lambda before=before: len(there(far, tables[0])) > before + 5, 60)
                    node.start()
                    until(lambda node=node: account(node) is not None)
            finally:
                stop.set()
                playing.join()
            until(lambda: uplink.left == 0, 60)
        for table in tables:
            assert there(far, table) == table.rows
        info = asked(nodes[0], lambda stream: stream.stream_info("POINTSMAN"))
        assert info.config.num_replicas == 3


def test_what_is_no_message_of_a_hub_is_taken_from_the_stream_and_stored_nowhere(tmp_path: Path) -> None:
    table = PlainTable("table-1").write(3)
    table.rows[1][5] = '{"n":2,"table":"table-9"}'
    changed = JournalPart(table.journal, "", tuple(map(tuple, table.rows))).encode()
    with running_node(tmp_path / "nats") as node, federation(tmp_path / "far", address_of([node])) as hub:
        assert hub.regions is not None
        until(hub.regions.up.is_set)
        for address, message in (
            ("pointsman.1.club.table-1.events", b"\xff"),
            ("pointsman.1.club.Table_1.events", changed),
            ("pointsman.1.club.table-1.events", changed),
        ):
            assert asked(
                node, lambda stream, address=address, message=message: stream.publish(address, message)
            )
        until(lambda: kept(node) == 0)
        assert hub.service.newest() == {}


def test_a_full_stream_makes_a_region_wait_and_loses_nothing(tmp_path: Path) -> None:
    table, far, said = PlainTable("table-1"), tmp_path / "far", list[str]()
    with running_hub(tmp_path / "club") as club, running_node(tmp_path / "nats") as node:
        nats = address_of([node])
        small = stream_config(1, 150_000)
        assert asked(node, lambda stream: stream.add_stream(small))
        with uplink_to(club, nats, said):
            with federation(far, nats):
                give(club, table, 1)
                until(lambda: there(far, table) == table.rows)
            for _ in range(10):
                give(club, table, 200)
            until(lambda: any("is full" in sentence for sentence in said), 60)
            with federation(far, nats):
                until(lambda: there(far, table) == table.rows, 60)


def trouble(address: str, key: str = "") -> str:
    """What an uplink says first."""
    said: list[str] = []

    class Nothing:
        club = "club"

        def newest(self) -> dict[tuple[str, str], int]:
            return {("table-1", "0123456789abcdef"): 1}

        def rows(self, *_: object, **__: object) -> list[tuple[object, ...]]:
            return [(1, "1", "", 0.0, "begun", "{}", "0123456789abcdef" * 4)]

        def subscribe(self, _: object) -> None:
            return

    with Uplink(Nothing(), NatsHub(NatsAddress.parse(address, key), 1.0), said.append, 0.2, 0.5):  # type: ignore[arg-type]
        until(lambda: said)
    return said[0]


def test_each_trouble_has_a_sentence(tmp_path: Path) -> None:
    login = 'authorization { users: [{ user: thursday, password: "right" }] }'
    with running_node(tmp_path / "login", login) as node:
        assert "refuses this login" in trouble(address_of([node]), "thursday:wrong")
        assert "refuses this login" in trouble(address_of([node]))
        assert "does not answer" in trouble(address_of([node]), "thursday:right")
        assert "does not encrypt" in trouble(f"tls://127.0.0.1:{node.port}", "thursday:right")
    assert "cannot be reached" in trouble(f"nats://127.0.0.1:{free_port()}")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        thread = threading.Thread(target=_be_a_web_server, args=(silent,), daemon=True)
        thread.start()
        assert "is no NATS" in trouble(f"nats://127.0.0.1:{silent.getsockname()[1]}")


def _be_a_web_server(listening: socket.socket) -> None:
    while True:
        try:
            come, _ = listening.accept()
        except OSError:
            return
        with come:
            come.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")


def test_a_federation_is_told_of_servers_without_jetstream(tmp_path: Path) -> None:
    said: list[str] = []
    with running_hub(tmp_path / "far") as hub, running_node(tmp_path / "nats", jetstream=False) as node:
        with Regions(hub.uplinks, NatsAddress.parse(address_of([node])), said.append, 0.1):
            until(lambda: said)
        assert "runs without JetStream" in said[0]


def test_a_club_cannot_speak_for_another(tmp_path: Path) -> None:
    users = (
        'authorization { users: [{ user: federation, password: "f" }, { user: thursday, password: "t", '
        'permissions: { publish: ["pointsman.1.thursday.>"], '
        'subscribe: ["pointsman.1.thursday.*.confirmed", "pointsman.1.begun", "_INBOX.>"] } }] }'
    )
    table, said = PlainTable("table-1"), list[str]()
    with (
        running_hub(tmp_path / "club") as club,
        running_node(tmp_path / "nats", users) as node,
        federation(tmp_path / "far", address_of([node]), "federation:f") as far,
    ):
        assert far.regions is not None
        until(far.regions.up.is_set)
        give(club, table, 3)
        with Uplink(club.service, sender(address_of([node]), "thursday:t"), said.append, 0.2):
            until(lambda: said)
        assert "does not let this login do that" in said[0]
        assert far.service.newest() == {}


@each_row(
    "text",
    [
        "nats://",
        "http://host",
        "nats://host:0",
        "nats://host:99999",
        "nats://a,b/c",
        "nats://u:p@h:4222",
        "host:4222",
    ],
)
def test_what_is_no_address_of_nats_is_refused(text: str) -> None:
    with pytest.raises(UplinkError, match="is no address of NATS"):
        NatsAddress.parse(text)
