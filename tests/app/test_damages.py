"""Whatever happens to the files of a match: what is missing is told, and no new match begins in silence."""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from controller.record.table.match_folder import EVENTS, JOURNAL
from tests.amounts import amount
from tests.app.damages import CLOSED, LIVE, Evening, Outcome, damage, evening, outcome

DAMAGES = amount(24, 60)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    """The matches; what is damaged is a copy."""
    return evening(tmp_path_factory.mktemp("evening"), inputs=amount(100, 400))


def test_no_damage_costs_a_confirmed_turn_without_a_word(kept: Evening, tmp_path: Path) -> None:
    found = damage_often(kept, tmp_path / "damaged", DAMAGES, seed=1)
    assert sum(each.missing > 0 for each in found) > 3, "some damages do cost turns"
    assert sum(each.missing == 0 and not each.other for each in found) > DAMAGES / 3, "and most do not"


def test_an_older_journal_in_the_place_of_the_newest_is_told_though_nothing_else_knows_of_more(
    kept: Evening, tmp_path: Path
) -> None:
    """As from a backup: the file and its chain are whole, and the lines beside it are gone."""

    def put_back(matches: Path) -> str:
        folder = matches / "second"
        shutil.copy(kept.older, folder / JOURNAL)
        (folder / f"{JOURNAL}-wal").unlink(missing_ok=True)
        (folder / EVENTS).unlink()
        return "put back"

    for state in (LIVE, CLOSED):
        found = outcome(kept, state, put_back, tmp_path / f"{state} put back")
        assert found.missing > 0
        assert not found.silent, found


def damage_often(kept: Evening, place: Path, times: int, seed: int) -> list[Outcome]:
    """Damage a live and a closed match so many times in all, each time from the beginning; what came of each."""

    def chance(number: int) -> Callable[[Path], str]:
        return lambda matches: damage(matches, Random(number))

    found: list[Outcome] = []
    for number in range(times):
        state = (LIVE, CLOSED)[number % 2]
        found.append(outcome(kept, state, chance(seed * 1_000_000 + number), place))
        assert not found[-1].silent, found[-1]
        _remove(place)
    return found


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()
