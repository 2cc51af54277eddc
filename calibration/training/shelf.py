"""Keeps examples that were made, so that training that was broken off goes on where it was."""

from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from calibration.training.examples import Examples
from calibration.training.recipe import Tell, digest

# A dataclass of arrays.
Kind = TypeVar("Kind")

SHELF = Path("build") / "training"
# What decides how examples look.
MAKERS = ("calibration/training", "controller/simulation", "controller/vision")


def kept(name: str, make: Callable[[], Examples], tell: Tell, shelf: Path = SHELF) -> Examples:
    """The examples of that name: those kept if the same code made them, else made now and kept."""
    return kept_as(Examples, name, make, tell, shelf)


def kept_as(kind: type[Kind], name: str, make: Callable[[], Kind], tell: Tell, shelf: Path = SHELF) -> Kind:
    """The same for any dataclass of arrays."""
    names = [field.name for field in fields(kind)]  # type: ignore[arg-type]
    file = shelf / _edition() / f"{name}.npz"
    if file.exists():
        with np.load(file) as data:
            return kind(**{field: data[field] for field in names})
    made = make()
    arrays = {field: getattr(made, field) for field in names}
    tell(f"made {name}: {len(arrays[names[0]])} strips")
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part.npz")
    np.savez(partial, **arrays)
    partial.rename(file)
    return made


@cache
def _edition() -> str:
    """A short digest of what makes examples: after a change of it they are made again."""
    return digest(MAKERS)[:12]
