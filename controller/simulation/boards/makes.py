"""Real dice by make: measures and colours from a catalogue that says where they come from."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from controller.simulation.boards.faces import TOUCHING, Colour, DieStyle

CATALOGUE = Path(__file__).with_name("dice_makes.toml")
# From one die to the next of a make, places and sizes of pips differ by such a share; estimated, not measured.
LOOSENESS = 0.03


@dataclass(frozen=True, slots=True)
class DieMake:
    """Dice of one make. Lengths are shares of the side, but for ``side_mm``; colours are BGR, 0..255.

    ``six`` is how far the pips of the 6 lie from the middle along its rows, and how far the rows do. ``depth`` is how
    deep a pip is for its radius, 0 where it is flush. ``colours`` are those of body and pips, ``inks`` numbers with a
    colour of their own. From makes that are ``kept_back`` nothing learns.
    """

    name: str
    source: str
    side_mm: float
    pips: float
    one: float
    spread: float
    six: tuple[float, float]
    rounding: float
    depth: float
    gloss: float
    colours: tuple[tuple[Colour, Colour], ...]
    clear: float = 0.0
    marble: float = 0.0
    vein: Colour = (0.0, 0.0, 0.0)
    inks: tuple[tuple[int, Colour], ...] = ()
    kept_back: bool = False


@cache
def all_makes() -> tuple[DieMake, ...]:
    """Every make of the catalogue, in its order."""
    return tuple(_make(name, entry) for name, entry in tomllib.loads(CATALOGUE.read_text()).items())


def taught_makes() -> tuple[DieMake, ...]:
    """The makes that lessons may show."""
    return tuple(make for make in all_makes() if not make.kept_back)


def kept_back_makes() -> tuple[DieMake, ...]:
    """The makes that no lesson shows: what was learned is measured on them."""
    return tuple(make for make in all_makes() if make.kept_back)


def die_of(make: DieMake, rng: np.random.Generator) -> DieStyle:
    """A die of a make, in one of its colours, its pips as exact as they come."""
    body, pips = make.colours[int(rng.integers(len(make.colours)))]
    spread, along, across = (length * float(rng.normal(1, LOOSENESS)) for length in (make.spread, *make.six))
    size = float(rng.normal(1, LOOSENESS))
    # Pips never run into one another, however they vary.
    radius = min(make.pips * size, TOUCHING * along, 2 * TOUCHING * across)
    return DieStyle(
        body=body,
        pips=pips,
        vein=make.vein,
        pip_radius=radius,
        one_radius=make.one * size,
        spread=spread,
        drilled=make.depth > 0,
        marble=make.marble,
        clear=make.clear,
        rounding=make.rounding,
        gloss=make.gloss,
        seed=int(rng.integers(2**31)),
        six=(along, across),
        inks=make.inks,
    )


def _make(name: str, entry: Mapping[str, Any]) -> DieMake:
    colours = tuple((_colour(body), _colour(pips)) for body, pips in entry["colours"])
    along, across = entry["six"]
    inks = tuple((int(value), _colour(ink)) for value, ink in entry.get("inks", {}).items())
    vein = _colour(entry.get("vein", "#000000"))
    read = {"colours": colours, "six": (along, across), "inks": inks, "vein": vein}
    return DieMake(**{**entry, **read, "name": name})


def _colour(written: str) -> Colour:
    red, green, blue = bytes.fromhex(written.removeprefix("#"))
    return float(blue), float(green), float(red)
