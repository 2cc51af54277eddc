"""The networks that are learned, by name. Trainers are imported only when they run: they need PyTorch."""

from collections.abc import Mapping

from controller.training.recipe import Recipe, Tell

Made = tuple[bytes, Mapping[str, float]]

DICE_SOURCES = (
    "training/dice",
    *(f"training/{name}.py" for name in ("boards", "onnx_file", "variety")),
    "simulation/painting/box.py",
    *(f"simulation/boards/{name}.py" for name in ("faces", "numerals")),
    "vision/views.py",
    "training/pictures",
)


def _points(tell: Tell) -> Made:
    from controller.training.points import train

    return train(tell)


def _hands(tell: Tell) -> Made:
    from controller.training.hands import train

    return train(tell)


def _bar(tell: Tell) -> Made:
    from controller.training.bar import train

    return train(tell)


def _dice(tell: Tell) -> Made:
    from controller.training.dice.dice import learn_dice

    return learn_dice(tell)


def _dice_map(tell: Tell) -> Made:
    from controller.training.dice.dice import learn_dice_map

    return learn_dice_map(tell)


def _cube(tell: Tell) -> Made:
    from controller.training.dice.dice import learn_cube

    return learn_cube(tell)


def _cube_map(tell: Tell) -> Made:
    from controller.training.dice.dice import learn_cube_map

    return learn_cube_map(tell)


RECIPES: Mapping[str, Recipe] = {
    recipe.name: recipe
    for recipe in (
        Recipe(
            "points",
            (
                *(f"training/{name}.py" for name in ("boards", "examples", "fitting", "painted", "points")),
                *(f"training/{name}.py" for name in ("onnx_file", "retaken", "variety")),
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
        Recipe(
            "bar",
            (
                *(
                    f"training/{name}.py"
                    for name in ("bar", "bar_examples", "boards", "fitting", "painted_bars")
                ),
                *(f"training/{name}.py" for name in ("onnx_file", "retaken", "transplant", "variety")),
                "training/pictures",
                "vision/bar_strip.py",
            ),
            _bar,
        ),
        Recipe("dice", DICE_SOURCES, _dice),
        Recipe("dice_map", DICE_SOURCES, _dice_map),
        Recipe("cube", DICE_SOURCES, _cube),
        Recipe("cube_map", DICE_SOURCES, _cube_map),
    )
}
