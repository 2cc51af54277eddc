"""Whole pictures: all pixels that a camera has of a scene, asked for once in a while beside its usual pictures."""

from dataclasses import dataclass
from typing import Final, Protocol, runtime_checkable

from controller.arrays import Picture
from controller.devices.camera.camera import FrameSource

LARGER: Final = 1.2
"""A whole picture is that much wider than the usual ones, or it is not worth taking."""
Size = tuple[int, int]
"""Width and height in pixels."""


@dataclass(frozen=True, slots=True)
class WholeWish:
    """A whole picture that is wanted.

    Attributes:
        number: counts the wishes; the answer tells it.
        stops: how it is to be exposed against the usual pictures: each stop doubles the light, -2 leaves a quarter.
    """

    number: int
    stops: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class WholeTaken:
    """The answer to a wish: ``picture``, (height, width, 3) BGR uint8; None where the camera cannot take it."""

    wish: WholeWish
    picture: Picture | None


@runtime_checkable
class WholeSource(FrameSource, Protocol):
    """Something open that gives whole pictures, too."""

    @property
    def whole_size(self) -> Size | None:
        """The size of its whole pictures; None where it has none that are larger than the usual ones."""

    def ask_whole(self, wish: WholeWish) -> None:
        """Take a whole picture; `grab` goes on as before. Whatever was asked for before is forgotten."""

    def collect_whole(self) -> WholeTaken | None:
        """The answer, once; None as long as there is none."""


@runtime_checkable
class WholeCamera(Protocol):
    """A camera that may give whole pictures; all methods may be called from any thread."""

    @property
    def whole_size(self) -> Size | None:
        """The size of its whole pictures; None where it gives none now."""

    def ask_whole(self, stops: int = 0) -> int:
        """Ask for a whole picture, exposed so many stops otherwise; the number of the wish. It may never come."""

    def collect_whole(self) -> WholeTaken | None:
        """The newest answer, once; None as long as there is none."""


class WholeAsked:
    """What a source was asked for and has not answered yet, and the answer that nobody has collected."""

    def __init__(self) -> None:
        self._wish: WholeWish | None = None
        self._taken: WholeTaken | None = None

    def ask(self, wish: WholeWish) -> None:
        """This is wanted from now on."""
        self._wish, self._taken = wish, None

    def next(self) -> WholeWish | None:
        """What is wanted, once."""
        wish, self._wish = self._wish, None
        return wish

    def answer(self, wish: WholeWish, picture: Picture | None) -> None:
        """This came of it."""
        self._taken = WholeTaken(wish, picture)

    def collect(self) -> WholeTaken | None:
        """The answer, once."""
        taken, self._taken = self._taken, None
        return taken
