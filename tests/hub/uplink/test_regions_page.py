"""The files of the page for regions, run as they stand there; only hosts, ports and folders are this machine's."""

import datetime
import re
from pathlib import Path

import pytest

from controller.hub.hub import Hub, HubSettings
from controller.hub.uplink.uplink import Uplink
from controller.web.wire.authority import OwnAuthority
from tests.hub.hubs import running_hub, until
from tests.hub.plain_tables import PlainTable
from tests.hub.uplink.nodes import NatsNode
from tests.hub.uplink.test_nats import give, sender, there
from tests.ports import free_port

PAGE = Path(__file__).resolve().parents[3] / "hardware_docs" / "regions.md"


def files(folder: Path) -> list[NatsNode]:
    """The servers of the page."""
    (text,) = re.findall(r"```\n(listen:.*?)```", PAGE.read_text(), re.DOTALL)
    authority = OwnAuthority.make(folder, "regions", datetime.datetime.now(datetime.UTC))
    certificate, key = authority.vouch(
        folder, ("localhost", "127.0.0.1"), datetime.datetime.now(datetime.UTC)
    )
    routes = [free_port() for _ in range(3)]
    found = []
    for number, port in enumerate(routes, start=1):
        own = text.replace("server_name: nats-1", f"server_name: nats-{number}")
        own = own.replace("0.0.0.0:4222", "127.0.0.1:PORT").replace("0.0.0.0:6222", f"127.0.0.1:{port}")
        own = own.replace("/var/lib/nats", str(folder / f"kept-{number}"))
        own = own.replace("/etc/nats/server.crt", str(certificate)).replace("/etc/nats/server.key", str(key))
        for other, there_ in enumerate(routes, start=1):
            own = own.replace(f"nats-{other}.example.org:6222", f"127.0.0.1:{there_}")
        assert "example" not in own
        found.append(NatsNode(folder / f"node-{number}", own))
    return found


def test_the_servers_of_the_page_carry_entries_with_logins_and_encryption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("nats").mkdir()
    nodes = files(tmp_path / "nats")
    table, far = PlainTable("table-7"), tmp_path / "far"
    far.mkdir()
    (far / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    address = "tls://" + ",".join(f"localhost:{node.port}" for node in nodes)
    try:
        for node in nodes:
            node.start()
        said: list[str] = []
        with running_hub(tmp_path / "club") as club:
            club.service.club = "thursday"
            give(club, table, 3)
            with Uplink(club.service, sender(address, "thursday:another one"), said.append, 0.5) as uplink:
                until(lambda: "no certificate that is trusted here" in uplink.trouble)
                monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nats" / "authority.crt"))
                settings = HubSettings(far, port=0, regions=address, regions_key="federation:a long secret")
                with Hub(settings, said.append):
                    until(lambda: there(far, table, "thursday") == table.rows, 60)
    finally:
        for node in nodes:
            if hasattr(node, "process"):
                node.kill()
