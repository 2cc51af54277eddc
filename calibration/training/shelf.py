"""Keeps examples that were made, so that training that was broken off goes on where it was."""

import hashlib
from collections.abc import Callable
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import TypeVar

import numpy as np

from calibration.training.examples import Examples
from calibration.training.recipe import Tell, place_of

# A dataclass of arrays.
Kind = TypeVar("Kind")

SHELF = Path("build") / "training"
# What decides how examples look.
MAKERS = ("training", "simulation", "vision")


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
    """A short digest of the code that makes examples."""
    total = hashlib.sha256()
    for room in MAKERS:
        for file in sorted(place_of(room).rglob("*.py")):
            total.update(file.name.encode() + file.read_bytes())
    return total.hexdigest()[:12]
