"""Rendered pictures by number, kept so that rendering that was broken off goes on where it was.

``python -m calibration.training.rendered.stills SERIES FIRST LAST`` renders some of them beforehand.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import cast

import numpy as np

from calibration.training.recipe import Tell, digest
from calibration.training.rendered.laying import Laying, any_laying
from calibration.training.shelf import SHELF
from controller.arrays import Float32Array
from controller.errors import UserError
from controller.simulation.boards.makes import DieMake, kept_back_makes, taught_makes

# Brighter light than this is only found in a lamp itself.
MOST = 1e4
# All that decides how a rendered picture looks.
SOURCES = (
    *(f"calibration/training/rendered/{name}.py" for name in ("cycles", "laying", "solids", "stills")),
    *(f"controller/simulation/boards/{name}.py" for name in ("faces", "makes", "numerals")),
    "controller/simulation/boards/dice_makes.toml",
)


class RenderError(UserError):
    """A picture that cannot be rendered here; the sentence says what it takes."""


@dataclass(frozen=True, slots=True)
class Series:
    """Pictures that are counted from 0: the seed of their chance, and the makes of their dice, if not invented."""

    seed: int
    makes: tuple[DieMake, ...] = ()


INVENTED = Series(17)
TAUGHT = Series(41, taught_makes())
KEPT_BACK = Series(43, kept_back_makes())
SERIES: Mapping[str, Series] = {"invented": INVENTED, "taught": TAUGHT, "kept_back": KEPT_BACK}


@dataclass(frozen=True, eq=False)
class Still:
    """A rendered picture: its number, what lies there, and the light that the camera sees, (h, w, 3) BGR from 0."""

    number: int
    laying: Laying
    light: Float32Array


def still(number: int, tell: Tell, series: Series = INVENTED, shelf: Path = SHELF) -> Still:
    """The picture of that number: the kept one if the same code made it, else rendered now and kept."""
    laying = any_laying(np.random.default_rng([series.seed, number]), series.makes)
    file = shelf / "rendered" / _edition() / f"{series.seed}-{number:05}.npy"
    if not file.exists():
        render = _renderer()
        file.parent.mkdir(parents=True, exist_ok=True)
        partial = file.with_suffix(".part.npy")
        np.save(partial, np.minimum(render(laying, number), MOST).astype(np.float16))
        partial.rename(file)
        tell(f"rendered picture {number}")
    return Still(number, laying, np.load(file).astype(np.float32))


def _renderer() -> Callable[[Laying, int], Float32Array]:
    """What renders a laying; only who renders needs Blender."""
    try:
        return cast(
            Callable[[Laying, int], Float32Array],
            import_module("calibration.training.rendered.cycles").render,
        )
    except ImportError:
        raise RenderError(
            "Blender's module bpy, which renders dice to learn from, is missing: run make train with Python 3.11 "
            "on an x86-64 machine, for which there is one."
        ) from None


@cache
def _edition() -> str:
    """A short digest of what decides how they look: after a change of it they are rendered again."""
    return digest(SOURCES)[:12]


def main(series: str, first: int, last: int) -> None:
    """Render the pictures of a series from one number to before another."""
    for number in range(first, last):
        still(number, lambda line: print(line, flush=True), SERIES[series])  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
