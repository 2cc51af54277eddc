"""What was seen in one picture, with what it is worth. Nothing here knows the rules."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

from controller.vision.geometry.seen import BoardDrift as BoardDrift
from controller.vision.geometry.seen import CubeSeen as CubeSeen
from controller.vision.geometry.seen import DieSeen as DieSeen
from controller.vision.geometry.seen import HandSeen as HandSeen
from controller.vision.geometry.seen import Misplaced as Misplaced
from controller.vision.geometry.seen import Misplacement as Misplacement
from controller.vision.geometry.seen import Owner as Owner
from controller.vision.geometry.seen import ReflectionSeen as ReflectionSeen

if TYPE_CHECKING:  # it knows networks, and readings are passed on to those that need none
    from controller.vision.baseline import Baseline
    from controller.vision.geometry.camera import CameraModel

# The board is not in the picture, the picture is too blurred or too bright for it to be read, or the board stands
# otherwise than where it was calibrated.
Fault = Literal["no_board", "blurred", "too_bright"] | Misplaced


BAR_UNKNOWN: Final[Mapping[tuple[int, int], float]] = {
    (light, dark): 0.0 for light in range(4) for dark in range(4)
}
"""The log-likelihoods of a bar of which nothing is seen: any few checkers may be on it."""


@dataclass(frozen=True, slots=True)
class Count:
    """Checkers of each colour in one place; ``None`` where the picture cannot tell."""

    light: int | None
    dark: int | None


@dataclass(frozen=True)
class Reading:
    """One picture, read on its own.

    ``points`` has 24 signed counts in light's numbering (positive light, negative dark), the best guess for
    each. ``likelihoods`` gives for each point a log-likelihood for every signed count that was considered
    (larger is better, the best is 0; counts that are missing are out of the question).
    ``bar_likelihoods`` is the same for the bar, keyed by (light, dark). ``unsure`` and ``covered`` hold point
    numbers 1..24: points the reader would not swear to, and those that something hides.
    ``confidence`` is for the whole position, ``point_confidence`` for each point, ``bar_confidence`` for the bar and
    ``off_confidence`` for light's and for dark's borne-off count. ``assumed_off`` is true when the borne-off counts
    follow from fifteen a side instead of having been seen. ``off_likelihoods`` is
    what the trays themselves showed, light's and dark's; ``None`` where there is no tray to see.
    ``baseline`` is what the reading rests on, for the next one to go on from: whoever keeps readings leaves it out.
    ``hands`` are the hands over the board since the reading before, this picture included; ``None`` where that is not
    known, as for a picture that is read on its own.
    ``reflection`` is what may hide a die, where one of a pair was not seen.
    ``drift`` is how the board stood and in what light. ``fault`` tells why nothing could be read, if so: then
    nothing else in the reading means anything but ``displacement``, how the board stands where it is not in its
    place. ``elsewhere`` is the camera as it stands to that board, for whoever wants to follow it; whoever keeps
    readings leaves it out as well.
    """

    points: tuple[int, ...]
    bar: Count
    off: Count
    dice: tuple[DieSeen, ...]
    cube: CubeSeen | None
    hand: bool
    confidence: float
    point_confidence: tuple[float, ...]
    unsure: frozenset[int]
    covered: frozenset[int]
    likelihoods: tuple[Mapping[int, float], ...]
    bar_likelihoods: Mapping[tuple[int, int], float]
    bar_confidence: float = 1.0
    off_confidence: tuple[float, float] = (1.0, 1.0)
    assumed_off: bool = False
    off_likelihoods: tuple[Mapping[int, float] | None, Mapping[int, float] | None] = (None, None)
    hands: tuple[HandSeen, ...] | None = None
    reflection: ReflectionSeen | None = None
    drift: BoardDrift | None = None
    fault: Fault | None = None
    displacement: Misplacement | None = None
    elsewhere: "CameraModel | None" = field(default=None, compare=False, repr=False)
    baseline: "Baseline | None" = field(default=None, compare=False, repr=False)

    @property
    def recognised(self) -> bool:
        """Whether the board could be read."""
        return self.fault is None
