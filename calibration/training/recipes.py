"""The networks that are learned, by name. Trainers are imported only when they run: they need PyTorch."""

from collections.abc import Mapping
from importlib import import_module

from calibration.training.recipe import Recipe, Tell

Made = tuple[bytes, Mapping[str, float]]
PICTURES = "calibration/training/pictures"
MAKES = "controller/simulation/boards/dice_makes.toml"


def _recipe(name: str, module: str, function: str = "train", data: tuple[str, ...] = (PICTURES,)) -> Recipe:
    def train(tell: Tell) -> Made:
        made: Made = getattr(import_module(f"calibration.training.{module}"), function)(tell)
        return made

    return Recipe(name, data, train)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        _recipe("points", "points"),
        _recipe("hands", "hands.hands"),
        _recipe("bar", "bar"),
        # The dice that are rendered and painted for it are of the makes of the catalogue.
        _recipe("dice", "rendered.face_lessons", "learn", (PICTURES, MAKES)),
        *(_recipe(name, "dice.dice", f"learn_{name}") for name in ("dice_map", "cube", "cube_map")),
    )
}
