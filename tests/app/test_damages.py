"""Whatever happens to the files of a match: what is missing is told, and no new match begins in silence."""

from pathlib import Path
from random import Random

from tests.amounts import amount
from tests.app.damages import CLOSED, LIVE, Outcome, evening, outcome

DAMAGES = amount(24, 60)


def test_no_damage_costs_a_confirmed_turn_without_a_word(tmp_path: Path) -> None:
    found = damage_often(tmp_path, DAMAGES, seed=1)
    assert sum(each.missing > 0 for each in found) > 3, "some damages do cost turns"
    assert sum(each.missing == 0 and not each.other for each in found) > DAMAGES / 3, "and most do not"


def damage_often(place: Path, times: int, seed: int) -> list[Outcome]:
    """Damage a live and a closed match so many times in all, each time from the beginning; what came of each."""
    kept, found = evening(place, inputs=amount(160, 400)), list[Outcome]()
    for number in range(times):
        state = (LIVE, CLOSED)[number % 2]
        found.append(outcome(kept, state, Random(seed * 1_000_000 + number), place / "damaged"))
        assert not found[-1].silent, found[-1]
        _remove(place / "damaged")
    return found


def _remove(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    folder.rmdir()
