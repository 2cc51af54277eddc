"""The networks that are learned, by name. Trainers are imported only when they run: they need PyTorch."""

from collections.abc import Callable, Mapping
from importlib import import_module

from calibration.training.recipe import Recipe, Tell

Made = tuple[bytes, Mapping[str, float]]


def _modules(room: str, *names: str) -> tuple[str, ...]:
    return tuple(f"{room}/{name}.py" for name in names)


def _trainer(module: str, function: str = "train") -> Callable[[Tell], Made]:
    def train(tell: Tell) -> Made:
        made: Made = getattr(import_module(f"calibration.training.{module}"), function)(tell)
        return made

    return train


POINTS_SOURCES = (
    *_modules(
        "training", "boards", "examples", "fitting", "painted", "points", "onnx_file", "retaken", "variety"
    ),
    "training/pictures",
    "vision/strips.py",
)
HANDS_SOURCES = (
    *_modules("training", "arms", "boards", "hands", "hidden", "overlooked", "onnx_file"),
    "training/pictures",
    "vision/overview.py",
)
BAR_SOURCES = (
    *_modules("training", "bar", "bar_examples", "boards", "fitting", "painted_bars"),
    *_modules("training", "onnx_file", "retaken", "transplant", "variety"),
    "training/pictures",
    "vision/bar_strip.py",
)
DICE_SOURCES = (
    "training/dice",
    *_modules("training", "boards", "onnx_file", "variety"),
    "simulation/painting/box.py",
    *_modules("simulation/boards", "faces", "numerals"),
    "vision/views.py",
    "training/pictures",
)
# The painted dice come first, so what decides them decides these, too.
RENDERED_SOURCES = (
    *DICE_SOURCES,
    *(f"training/rendered/{name}.py" for name in ("cycles", "die_cuts", "face_lessons", "laying")),
    *(f"training/rendered/{name}.py" for name in ("relearning", "sensor", "solids", "stills")),
    "simulation/boards/makes.py",
    "simulation/boards/dice_makes.toml",
)
RECIPES: Mapping[str, Recipe] = {
    "points": Recipe("points", POINTS_SOURCES, _trainer("points")),
    "hands": Recipe("hands", HANDS_SOURCES, _trainer("hands")),
    "bar": Recipe("bar", BAR_SOURCES, _trainer("bar")),
    "dice": Recipe("dice", RENDERED_SOURCES, _trainer("rendered.face_lessons", "learn")),
    **{
        name: Recipe(name, DICE_SOURCES, _trainer("dice.dice", f"learn_{name}"))
        for name in ("dice_map", "cube", "cube_map")
    },
}
