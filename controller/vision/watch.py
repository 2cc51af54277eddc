"""Follows a film of one board: looks at every picture, reads only those that show something new at rest."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from controller.arrays import Picture
from controller.vision.board import Board
from controller.vision.motion import Window, change_between, glimpse, window_of
from controller.vision.reader import check_picture
from controller.vision.reading import Reading

Read = Callable[[Picture, Board], Reading]

# Pictures further apart than this (seconds) do not tell whether something moves between them.
QUICK_S = 0.3
# So many pictures of the same scene are read, since each has its own noise; for the others the last reading holds.
LOOKS = 3


@dataclass(frozen=True, eq=False)
class Watch:
    """What was seen of a film so far: the last glimpse and its time, and the scene that was read last.

    ``read_glimpse`` is how that scene looked, ``reading`` the last reading of it, from ``read_t``, and ``looks`` how
    many there were; ``None`` where there is none, or where something moved since.
    """

    board: Board
    window: Window
    last: Picture | None = None
    last_t: float = 0.0
    read_glimpse: Picture | None = None
    reading: Reading | None = None
    looks: int = 0
    read_t: float = 0.0


def watch_of(board: Board) -> Watch:
    """The watch over a board before the first picture."""
    return Watch(board, window_of(board.camera, board.geometry))


def glanced(watch: Watch, image: Picture, t: float) -> Watch:
    """The watch after a picture that is only there for the next one to be compared with. Raises ``UserError``."""
    check_picture(image, watch.board)
    return replace(watch, last=glimpse(image, watch.window), last_t=t)


def look(
    watch: Watch, image: Picture, t: float, read: Read, spacing_s: float = 0.0
) -> tuple[Watch, Reading | None]:
    """The watch after one more picture, taken at ``t`` (seconds), and its reading; ``None`` while something moves.

    A picture that needs not be read gives the last reading again, the same object: of a scene that was read often
    enough, or less than ``spacing_s`` ago. Raises ``UserError`` when the picture cannot be read.
    """
    check_picture(image, watch.board)
    now = glimpse(image, watch.window)
    seen = replace(watch, last=now, last_t=t)
    quick = watch.last is not None and t - watch.last_t <= QUICK_S
    if quick and watch.last is not None and change_between(watch.last, now).any:
        return replace(seen, read_glimpse=None, reading=None, looks=0), None
    same = watch.read_glimpse is not None and not change_between(watch.read_glimpse, now).any
    lately = t - watch.read_t < spacing_s
    if same and watch.reading is not None and (watch.looks >= LOOKS or lately):
        return seen, watch.reading
    reading = read(image, watch.board)
    shown = watch.read_glimpse if same else now
    looks = watch.looks + 1 if same else 1
    return replace(seen, read_glimpse=shown, reading=reading, looks=looks, read_t=t), reading
