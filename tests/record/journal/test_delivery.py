from pathlib import Path

import pytest

from controller.errors import UserError
from controller.record.journal.delivery import Delivery, DeliveryError
from controller.record.journal.journal import Journal


def content(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


def fail_half_way(target: Path, error: BaseException) -> None:
    with Delivery(target) as delivery:
        (delivery.folder / "match.mat").write_text("half")
        raise error


def test_the_files_appear_when_all_are_done(tmp_path: Path) -> None:
    target = tmp_path / "new" / "out"
    with Delivery(target) as delivery:
        (delivery.folder / "match.mat").write_text("a match")
        assert not (target / "match.mat").exists()
        (delivery.folder / "events.jsonl").write_text("events")
    assert content(target) == {"match.mat": "a match", "events.jsonl": "events"}


def test_results_of_an_earlier_run_are_replaced_and_other_files_stay(tmp_path: Path) -> None:
    (tmp_path / "match.mat").write_text("old")
    (tmp_path / "mine.txt").write_text("mine")
    with Delivery(tmp_path) as delivery:
        (delivery.folder / "match.mat").write_text("new")
    assert content(tmp_path) == {"match.mat": "new", "mine.txt": "mine"}


def test_a_new_journal_is_not_mixed_with_what_a_crash_left_of_the_old_one(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.append("old", "turn", {}, utc="2026-11-21T12:00:00Z")
        left = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    for name, content_left in left.items():
        (tmp_path / name).write_bytes(content_left)
    assert "journal.db-wal" in left
    with Delivery(tmp_path) as delivery, Journal(delivery.folder / "journal.db") as journal:
        journal.append("new", "turn", {}, utc="2026-11-21T12:00:00Z")
    with Journal(tmp_path / "journal.db", read_only=True) as journal:
        assert journal.matches() == ("new",)
        journal.verify()


def test_a_failure_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="bad input"):
        fail_half_way(tmp_path / "a" / "b", UserError("bad input"))
    assert list(tmp_path.iterdir()) == []


def test_a_failure_leaves_earlier_results_as_they_were(tmp_path: Path) -> None:
    (tmp_path / "match.mat").write_text("old")
    with pytest.raises(KeyboardInterrupt):
        fail_half_way(tmp_path, KeyboardInterrupt())
    assert content(tmp_path) == {"match.mat": "old"}


def test_a_target_that_is_a_file_is_refused(tmp_path: Path) -> None:
    target = tmp_path / "out"
    target.write_text("a file")
    with pytest.raises(DeliveryError, match="out is a file"), Delivery(target):
        pass
    with pytest.raises(DeliveryError, match="Cannot write"), Delivery(target / "below"):
        pass
    assert content(tmp_path) == {"out": "a file"}
