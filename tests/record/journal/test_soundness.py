"""Whether a journal on the disk is whole: each check finds what no other does."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.record.journal.journal import DamagedJournalError, Journal, ShortJournalError
from controller.record.journal.soundness import check_journal
from tests.record.journal.damaging import change_event, cut_end, lose_in_index
from tests.record.journal.test_journal import filled


def test_a_whole_journal_is_read_in_full(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    filled(path, events=10)
    assert [row[0] for row in check_journal(path)] == list(range(1, 11))


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lose_in_index, "is damaged"),
        (change_event, "was changed after it was written, first at event 4"),
        (cut_end, "event 10 is its last, and 20 were written"),
    ],
)
def test_no_table_goes_on_in_a_journal_that_is_not_as_it_was_written(
    damage: Callable[[Path], None], told: str, tmp_path: Path
) -> None:
    path = tmp_path / "journal.db"
    damage(path)
    with pytest.raises(DamagedJournalError, match=told):
        check_journal(path)


def test_a_journal_that_is_gone_is_known_by_its_head(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    assert check_journal(path) == []
    filled(path)
    path.unlink()
    with pytest.raises(ShortJournalError, match="is gone"):
        check_journal(path)


def test_a_file_whose_index_lost_an_event_is_damaged_although_its_chain_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    lose_in_index(path)
    with Journal(path, read_only=True) as journal:
        assert journal.verify() == 300
        with pytest.raises(DamagedJournalError, match="pointsman journal rescue"):
            journal.check_file()
