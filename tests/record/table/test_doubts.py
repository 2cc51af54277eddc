"""What a reader is told of a journal before relying on it: each damage, and nothing of one that is whole."""

from collections.abc import Callable
from pathlib import Path

import pytest

from controller.record.table.doubts import list_doubts
from tests.record.journal.damaging import change_event, cut_end, lose_in_index
from tests.record.journal.test_journal import filled


def test_nothing_is_said_of_a_whole_journal(tmp_path: Path) -> None:
    filled(tmp_path / "journal.db", events=10)
    assert list_doubts(tmp_path / "journal.db") == []


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lose_in_index, "is damaged"),
        (change_event, "first at event 4"),
        (cut_end, "event 10 is its last, and 20 were written"),
    ],
)
def test_each_damage_is_one_doubt(damage: Callable[[Path], None], told: str, tmp_path: Path) -> None:
    damage(tmp_path / "journal.db")
    [doubt] = list_doubts(tmp_path / "journal.db")
    assert told in doubt
