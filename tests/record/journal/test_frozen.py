"""Events that were read from somewhere are read again as those of a journal are."""

from pathlib import Path

import pytest

from controller.record.journal.frozen import FrozenLog
from controller.record.journal.journal import Draft, Journal, JournalError
from tests.record.journal.test_journal import UTC, filled
from tests.rows import each_row


@each_row("match", [None, "m0", "m1", "m9"])
@each_row("after", [0, 1, 4, 5, 9])
@each_row("without", ["", "turn", "bump"])
def test_a_frozen_log_tells_what_its_journal_tells(
    tmp_path: Path, match: str | None, after: int, without: str
) -> None:
    path = tmp_path / "journal.db"
    if not path.exists():
        filled(path)
    with Journal(path, read_only=True) as journal:
        frozen = FrozenLog([*journal.events()], path)
        asked = {"after": after, "without": without}
        assert [*frozen.events(match, **asked)] == [*journal.events(match, **asked)]  # type: ignore[arg-type]
        assert frozen.matches() == journal.matches()


def test_a_frozen_log_takes_nothing(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="takes no 1 events; add to the journal"):
        FrozenLog([], tmp_path / "copy").append_all([Draft("m", "turn", {}, UTC)])
