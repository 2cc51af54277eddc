"""Keeps examples that were made, so that training that was broken off goes on where it was."""

import hashlib
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from controller.training.examples import Examples
from controller.training.recipe import PACKAGE, Tell

SHELF = Path("build") / "training"
# What decides how examples look.
MAKERS = ("training", "simulation", "vision")


def kept(name: str, make: Callable[[], Examples], tell: Tell, shelf: Path = SHELF) -> Examples:
    """The examples of that name: those kept if the same code made them, else made now and kept."""
    file = shelf / _edition() / f"{name}.npz"
    if file.exists():
        with np.load(file) as data:
            return Examples(data["strips"], data["counts"], data["faces"])
    made = make()
    tell(f"made {name}: {len(made.counts)} strips")
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".part.npz")
    np.savez(partial, strips=made.strips, counts=made.counts, faces=made.faces)
    partial.rename(file)
    return made


@cache
def _edition() -> str:
    """A short digest of the code that makes examples."""
    total = hashlib.sha256()
    for room in MAKERS:
        for file in sorted((PACKAGE / room).glob("*.py")):
            total.update(file.name.encode() + file.read_bytes())
    return total.hexdigest()[:12]
