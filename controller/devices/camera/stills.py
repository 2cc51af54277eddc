"""Stills: all pixels that a camera has of a scene, asked for once in a while beside its usual pictures."""

from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource

LARGER: Final = 1.2
"""A still is that much wider than the usual ones, or it is not worth taking."""
Size = tuple[int, int]
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class StillWish:
    """A still that is wanted.

    Attributes:
        number: counts the wishes; the answer tells it.
        stops: how it is to be exposed against the usual pictures: each stop doubles the light, -2 leaves a quarter.
    """

    number: int
    stops: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class StillTaken:
    """The answer to a wish: ``picture``, (height, width, 3) BGR uint8; None where the camera cannot take it."""

    wish: StillWish
    picture: Picture | None


@runtime_checkable
class StillSource(FrameSource, Protocol):
    """Something open that gives stills, too."""

    @property
    def still_size(self) -> Size | None:
        """The size of its stills; None where it has none that are larger than the usual ones."""

    def ask_still(self, wish: StillWish) -> None:
        """Take a still; `grab` goes on as before. Whatever was asked for before is forgotten."""

    def collect_still(self) -> StillTaken | None:
        """The answer, once; None as long as there is none."""


@runtime_checkable
class StillCamera(Protocol):
    """A camera that may give stills; all methods may be called from any thread."""

    @property
    def still_size(self) -> Size | None:
        """The size of its stills; None where it gives none now."""

    def ask_still(self, stops: int = 0) -> int:
        """Ask for a still, exposed so many stops otherwise; the number of the wish. It may never come."""

    def collect_still(self) -> StillTaken | None:
        """The newest answer, once; None as long as there is none."""


class PendingStill:
    """What a source was asked for and has not answered yet, and the answer that nobody has collected."""

    def __init__(self) -> None:
        self._wish: StillWish | None = None
        self._taken: StillTaken | None = None

    def ask(self, wish: StillWish) -> None:
        """This is wanted from now on."""
        self._wish, self._taken = wish, None

    def next(self) -> StillWish | None:
        """What is wanted, once."""
        wish, self._wish = self._wish, None
        return wish

    def answer(self, wish: StillWish, picture: Picture | None) -> None:
        """This came of it."""
        self._taken = StillTaken(wish, picture)

    def collect(self) -> StillTaken | None:
        """The answer, once."""
        taken, self._taken = self._taken, None
        return taken
