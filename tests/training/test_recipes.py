"""What ships was made by the recipe that ships with it."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from calibration.training.__main__ import main
from calibration.training.recipe import MODELS, Recipe, Tell, digest, make
from calibration.training.recipes import RECIPES
from tests.rows import each_row

LARGEST = 2_000_000


@each_row("name", sorted(RECIPES))
def test_a_shipped_network_was_made_by_the_recipe_that_ships_with_it(name: str) -> None:
    model, sheet = (MODELS / f"{name}.onnx").read_bytes(), json.loads((MODELS / f"{name}.json").read_text())
    assert sheet["model"] == hashlib.sha256(model).hexdigest()
    assert sheet["recipe"] == digest(RECIPES[name]), "the recipe changed: run `make train`"


def test_the_shipped_networks_are_small() -> None:
    assert sum((MODELS / f"{name}.onnx").stat().st_size for name in RECIPES) < LARGEST


def test_an_unknown_network_is_refused_with_the_known_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["nonsense"]) == 2
    assert "nonsense" in capsys.readouterr().err


def _nothing(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    tell("made")
    return b"model", {"loss": 0.5}


def test_a_made_network_carries_the_digests_of_recipe_and_model(tmp_path: Path) -> None:
    recipe = Recipe("nothing", ("training/recipe.py",), _nothing)
    told: list[str] = []
    make(recipe, told.append, tmp_path)
    assert told == ["made"]
    assert (tmp_path / "nothing.onnx").read_bytes() == b"model"
    assert digest(recipe) in (tmp_path / "nothing.json").read_text()


def test_a_recipe_that_names_a_lost_file_is_noticed() -> None:
    with pytest.raises(FileNotFoundError, match=r"training/lost\.py"):
        digest(Recipe("lost", ("training/lost.py",), _nothing))


def test_the_digest_tells_recipes_apart() -> None:
    one, other = (Recipe("x", (f"training/{name}.py",), _nothing) for name in ("recipe", "recipes"))
    assert digest(one) != digest(other)
