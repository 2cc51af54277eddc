"""A die followed by its place: what was read on it in every picture in which it lay there."""

from dataclasses import dataclass, replace
from math import hypot, log

from controller.referee.caution import Caution
from controller.vision.reading import DieSeen

VIEWS = 60
"""So many of the latest sightings are kept: a limit of work, no threshold."""
NUMBERS = range(1, 7)


@dataclass(frozen=True)
class Spot:
    """A die in one place: ``views`` are its latest sightings.

    ``missed`` counts the pictures without it since.
    """

    x: float
    y: float
    first_t: float
    views: tuple[tuple[float, DieSeen], ...]
    missed: int = 0

    @property
    def seen(self) -> int:
        """In how many pictures."""
        return len(self.views)

    @property
    def place(self) -> tuple[float, float]:
        """Where it was first seen, in pixels."""
        return self.x, self.y

    @property
    def last_t(self) -> float:
        """When it was last seen."""
        return self.views[-1][0]

    def distance(self, die: DieSeen) -> float:
        """Pixels between this place and a die."""
        return hypot(self.x - die.x, self.y - die.y)

    def is_there(self, caution: Caution) -> bool:
        """Whether the die was seen lately."""
        return self.missed < caution.gone_die

    @property
    def best(self) -> float:
        """The confidence of the surest of its sightings."""
        return max(die.confidence for _, die in self.views)

    @property
    def value(self) -> int:
        """The number with most votes."""
        votes: dict[int, float] = {}
        for _, die in self.views:
            votes[die.value] = votes.get(die.value, 0.0) + die.confidence
        return max(votes, key=lambda value: (votes[value], -value))

    @property
    def trust(self) -> float:
        """How sure the reader was of that number, on average over all pictures."""
        value = self.value
        return sum(die.confidence for _, die in self.views if die.value == value) / self.seen

    def shares(self, caution: Caution) -> dict[int, float]:
        """Log-share of every number 1..6, 0 for the likeliest.

        The pictures are averaged, not added up: a die that lies there in the same light is misread in the same way
        again.
        """
        sums = dict.fromkeys(NUMBERS, 0.0)
        for _, die in self.views:
            certain = min(max(die.confidence, caution.least_certain), 1 - caution.misread_die)
            for number in NUMBERS:
                sums[number] += log(certain if number == die.value else (1 - certain) / 5)
        top = max(sums.values())
        return {number: (value - top) / self.seen for number, value in sums.items()}

    def since(self, t: float) -> "Spot":
        """The same die without what was seen of it before ``t``."""
        return replace(self, first_t=t, views=tuple(view for view in self.views if view[0] >= t))

    def after(self, left: list[DieSeen], t: float, caution: Caution) -> "Spot":
        """The spot after one more picture; a die that lies there is taken out of ``left``.

        One that was away for long and shows another number then is another die.
        """
        near = min(left, key=self.distance, default=None)
        if near is not None and not self.is_there(caution) and near.value != self.value:
            near = None
        if near is None or self.distance(near) > caution.die_near:
            return replace(self, missed=self.missed + 1)
        left.remove(near)
        return replace(self, views=(*self.views, (t, near))[-VIEWS:], missed=0)
