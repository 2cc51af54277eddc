"""Kinds of scenes, each with a name and what makes one of it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

from tests.scenes.stage import NoChanceError, Scene, Stage

Make = Callable[[Random], Stage]
MOST_TRIES: Final = 2_000
"""Some positions are rare; so many beginnings are tried for one scene."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of scenes.

    Attributes:
        name: what happens.
        make: makes one by chance; raises NoChanceError where position and dice give no chance.
        needs_hands: nobody can name what is done without knowing whose hand did it.
        question_due: a careful referee asks, although nobody did anything wrong.
    """

    name: str
    make: Make
    needs_hands: bool = False
    question_due: bool = False

    def scene(self, seed: int) -> Scene:
        """The scene with this number."""
        for attempt in range(MOST_TRIES):
            rng = Random(f"{self.name}/{seed}/{attempt}")
            try:
                made = self.make(rng).scene()
            except NoChanceError:
                continue
            return replace(made, kind=self.name, seed=seed)
        raise AssertionError(f"{self.name!r}, {seed}: no beginning gave a chance for it")


@dataclass(frozen=True, slots=True)
class Group:
    """Kinds that belong together, in their order."""

    kinds: dict[str, Kind] = field(default_factory=dict)

    def add(
        self, name: str, *, needs_hands: bool = False, question_due: bool = False
    ) -> Callable[[Make], Make]:
        """A decorator: the function makes scenes of this name."""

        def named(make: Make) -> Make:
            assert name not in self.kinds, name
            self.kinds[name] = Kind(name, make, needs_hands, question_due)
            return make

        return named
