"""A thousand damages to the files of a live and a closed match."""

from pathlib import Path

from tests.app.damages import evening
from tests.app.test_damages import damage_often


def test_a_thousand_damages_cost_nothing_without_a_word(tmp_path: Path) -> None:
    assert len(damage_often(evening(tmp_path), tmp_path / "damaged", 1000, seed=2)) == 1000
