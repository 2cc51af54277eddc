"""A backup of a hub holds all that it needs to go on, and goes back without a loss."""

import json
import tarfile
from pathlib import Path

import pytest

from controller.errors import UserError
from controller.hub.folder import KEY
from controller.upkeep.archive import LIST, archive_at
from controller.upkeep.backup import write_backup
from controller.upkeep.hub_backup import restore_hub, write_hub_backup
from controller.upkeep.restoration import RestoreError, restore_backup
from tests.cli.conftest import Run, run
from tests.hub.hubs import running_hub, stored_rows, until
from tests.hub.plain_tables import PlainTable, PlainTables
from tests.upkeep.tables import UTC, make_table

__all__ = ["run"]

TOURNAMENT = b'{"utc": "2026-11-22T20:00:00+00:00", "kind": "begin"}\n'


def make_hub(folder: Path, table: PlainTable) -> Path:
    """A hub that has ended, with the entries of a table, a tournament, logins and a picture."""
    folder.mkdir(parents=True)
    with running_hub(folder) as hub:
        assert hub.broker is not None
        with PlainTables(hub.broker.address.port, [table]) as tables:
            until(tables.are_confirmed)
    (folder / "broker" / "passwords").write_text("table-1:hash\n")
    (folder / "evidence").mkdir(exist_ok=True)
    (folder / "evidence" / "a.jpg").write_bytes(b"picture")
    (folder / "tournament.jsonl").write_bytes(TOURNAMENT)
    return folder


def backed_up(folder: Path, out: Path, *, pictures: bool = True) -> list[str]:
    """The names in a new backup."""
    made = write_hub_backup(folder, out, now_s=0.0, made=UTC, pictures=pictures)
    assert made.warnings == ()
    with tarfile.open(out) as tar:
        return tar.getnames()


def test_a_hub_goes_on_on_another_card(tmp_path: Path) -> None:
    table = PlainTable("table-1").write(20)
    old = make_hub(tmp_path / "old" / "hub", table)
    names = backed_up(old, tmp_path / "b.tar.gz")
    assert (tmp_path / "b.tar.gz").stat().st_mode & 0o777 == 0o600
    assert {"hub/lock", "hub/broker/mosquitto.conf", "hub/hub.db-wal"}.isdisjoint(names)
    new = tmp_path / "new" / "hub"
    done = restore_hub(tmp_path / "b.tar.gz", new)
    assert (done.made, done.places, done.aside) == (UTC, (new,), None)
    assert new.stat().st_mode & 0o777 == 0o700
    for name in (KEY, "page-keys.json", "tournament.jsonl", "broker/passwords", "evidence/a.jpg"):
        assert (new / name).read_bytes() == (old / name).read_bytes()
    assert stored_rows(new / "hub.db", table) == table.rows
    (new / "tournament.jsonl").unlink()
    with running_hub(new) as hub:
        assert hub.service.newest() == {("table-1", table.journal): 20}


def test_a_hub_is_packed_while_it_stores_entries(tmp_path: Path) -> None:
    table = PlainTable("table-1").write(300)
    with running_hub(tmp_path / "hub") as hub:
        assert hub.broker is not None
        with PlainTables(hub.broker.address.port, [table]) as tables:
            until(lambda: table.confirmed > 20)
            backed_up(tmp_path / "hub", tmp_path / "b.tar.gz")
            until(tables.are_confirmed)
    restore_hub(tmp_path / "b.tar.gz", tmp_path / "new")
    rows = stored_rows(tmp_path / "new" / "hub.db", table)
    assert len(rows) > 20
    assert rows == table.rows[: len(rows)]


def test_pictures_and_reports_may_be_left_out(tmp_path: Path) -> None:
    folder = make_hub(tmp_path / "hub", PlainTable("table-1").write(1))
    assert "hub/evidence/a.jpg" not in backed_up(folder, tmp_path / "b.tar.gz", pictures=False)


def test_a_store_elsewhere_is_told(tmp_path: Path) -> None:
    folder = make_hub(tmp_path / "hub", PlainTable("table-1").write(1))
    (folder / "hub.db").unlink()
    made = write_hub_backup(folder, tmp_path / "b.tar.gz", now_s=0.0, made=UTC)
    assert made.warnings == (
        f"There is no hub.db in {folder}: back up the database that --store names by its own means.",
    )


def test_what_is_there_is_kept_aside_and_a_hub_that_runs_is_left_alone(tmp_path: Path) -> None:
    folder = make_hub(tmp_path / "hub", PlainTable("table-1").write(2))
    archive = tmp_path / "b.tar.gz"
    backed_up(folder, archive)
    key = (folder / KEY).read_bytes()
    with pytest.raises(RestoreError, match="is there already; with --replace"):
        restore_hub(archive, folder)
    (folder / "tournament.jsonl").unlink()
    with running_hub(folder), pytest.raises(RestoreError, match=r"A hub runs in .*; end it first"):
        restore_hub(archive, folder, instead=True)
    done = restore_hub(archive, folder, instead=True)
    assert done.aside == tmp_path / "before-restore-1"
    assert (tmp_path / "before-restore-1" / "hub" / KEY).read_bytes() == key
    assert (folder / "tournament.jsonl").read_bytes() == TOURNAMENT


@pytest.mark.usefixtures("own")
def test_backups_of_a_table_and_of_a_hub_are_not_mixed_up(tmp_path: Path) -> None:
    folder = make_hub(tmp_path / "hub", PlainTable("table-1").write(1))
    backed_up(folder, tmp_path / "hub.tar.gz")
    write_backup(make_table(tmp_path / "table"), tmp_path / "table.tar.gz", now_s=0.0, made=UTC)
    with pytest.raises(RestoreError, match="is a backup of a hub; put it back with --hub"):
        restore_backup(tmp_path / "hub.tar.gz", tmp_path / "new" / "pointsman.toml")
    with pytest.raises(RestoreError, match="is no backup of a hub; leave out --hub"):
        restore_hub(tmp_path / "table.tar.gz", tmp_path / "new-hub")
    assert not (tmp_path / "new-hub").exists()


def test_a_backup_by_a_newer_version_changes_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "b.tar.gz"
    with archive_at(archive, 0.0) as writing:
        writing.add("hub/hub.key", b"x")
        writing.close({"format": 9, "hub": 1, "made": UTC, "version": "9.0"})
    with pytest.raises(RestoreError, match=r"was made by Pointsman 9\.0"):
        restore_hub(archive, tmp_path / "hub")
    assert not (tmp_path / "hub").exists()


def test_the_commands_pack_a_hub_and_put_it_back(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = PlainTable("table-1").write(5)
    make_hub(tmp_path / "hub", table)
    monkeypatch.chdir(tmp_path)
    run("backup", "--hub", "hub", "--keep", "1")
    said = run("backup", "--hub", "hub", "--keep", "1")
    assert said.startswith("backups/pointsman-0002-")
    assert said.endswith("1 older backup removed.\n")
    (archive,) = (tmp_path / "backups").iterdir()
    with tarfile.open(archive) as tar:
        listed = tar.extractfile(LIST)
        assert listed is not None
        assert json.load(listed)["hub"] == 1
    assert "a hub." in run("restore", archive, "--hub", "other")
    assert stored_rows(tmp_path / "other" / "hub.db", table) == table.rows
    assert "There is no hub in none; name its folder with --hub." in run("backup", "--hub", "none", status=2)
    assert "are two backups" in run("backup", "--hub", "hub", "--config", "pointsman.toml", status=2)


def test_an_archive_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="there is no such file; check the path"):
        restore_hub(tmp_path / "none.tar.gz", tmp_path / "hub")
