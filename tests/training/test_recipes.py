"""What ships is what its card says: these weights, learned from these pictures."""

import datetime
import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.training import recipe as recipes
from calibration.training.__main__ import main
from calibration.training.recipe import MODELS, Recipe, Tell, digest, make
from calibration.training.recipes import RECIPES
from tests.rows import each_row

LARGEST = 2_000_000
DAY = datetime.date(2026, 5, 1)


@each_row("name", sorted(RECIPES))
def test_a_shipped_network_has_the_weights_and_the_data_of_its_card(name: str) -> None:
    model, card = (MODELS / f"{name}.onnx").read_bytes(), json.loads((MODELS / f"{name}.json").read_text())
    assert card["weights"] == hashlib.sha256(model).hexdigest(), "not the network of this card"
    assert card["data"] == digest(RECIPES[name].data), f"other data: run `make train ARGS={name}`"
    assert datetime.date.fromisoformat(card["made"])
    assert card["figures"]


def test_the_shipped_networks_are_small() -> None:
    assert sum((MODELS / f"{name}.onnx").stat().st_size for name in RECIPES) < LARGEST


def test_an_unknown_network_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def _nothing(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    tell("made")
    return b"model", {"loss": 0.5}


def test_a_made_network_has_a_card_with_its_day_its_data_and_its_weights(tmp_path: Path) -> None:
    recipe = Recipe("nothing", ("LICENSE",), _nothing)
    told: list[str] = []
    make(recipe, told.append, DAY, tmp_path)
    assert told == ["made"]
    assert (tmp_path / "nothing.onnx").read_bytes() == b"model"
    assert json.loads((tmp_path / "nothing.json").read_text()) == {
        "made": "2026-05-01",
        "data": digest(recipe.data),
        "weights": hashlib.sha256(b"model").hexdigest(),
        "figures": {"loss": 0.5},
    }


def test_data_that_are_lost_are_noticed() -> None:
    with pytest.raises(FileNotFoundError, match="lost"):
        digest(("calibration/lost",))


def test_data_are_told_apart_by_their_bytes_and_not_by_what_is_written_about_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recipes, "ROOT", tmp_path)
    (tmp_path / "pictures" / "01").mkdir(parents=True)
    picture = tmp_path / "pictures" / "01" / "start.jpg"
    picture.write_bytes(b"one")
    known = digest(("pictures",))
    (tmp_path / "pictures" / "README.md").write_text("About them.")
    assert digest(("pictures",)) == known
    picture.write_bytes(b"another")
    assert digest(("pictures",)) != known
    picture.write_bytes(b"one")
    picture.rename(picture.with_name("start2.jpg"))
    assert digest(("pictures",)) != known
