"""`pointsman hub` as people start and end it."""

from pathlib import Path

import httpx

from tests.cli.conftest import Run
from tests.hub.hubs import HubProcess, children_of


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
