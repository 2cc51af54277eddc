"""The networks that are learned, by name. Trainers are imported only when they run: they need PyTorch."""

from collections.abc import Mapping

from controller.training.recipe import Recipe, Tell


def _points(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    from controller.training.points import train

    return train(tell)


def _hands(tell: Tell) -> tuple[bytes, Mapping[str, float]]:
    from controller.training.hands import train

    return train(tell)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "points",
            (
                *(f"training/{name}.py" for name in ("boards", "examples", "painted", "points", "variety")),
                "training/onnx_file.py",
                "training/pictures",
                "vision/strips.py",
            ),
            _points,
        ),
        Recipe(
            "hands",
            (
                *(f"training/{name}.py" for name in ("arms", "boards", "hands", "hidden", "overlooked")),
                "training/onnx_file.py",
                "training/pictures",
                "vision/overview.py",
            ),
            _hands,
        ),
    )
}
