"""Follows a film of one board: looks at every picture, reads only those that show something new at rest."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.board import Board
from controller.vision.camera import CameraModel
from controller.vision.geometry import BoardGeometry
from controller.vision.reader import check_picture
from controller.vision.reading import Reading

# Pictures further apart than this (seconds) do not tell whether something moves between them.
QUICK_S = 0.3
# So many pictures of the same scene are read, since each has its own noise; for the others the last reading holds.
LOOKS = 3

# Cells are about so large on the board (nominal mm, the points are 44 apart); a die fills four.
CELL_MM = 7.0
# What lies so far round the surface is looked at too: trays, a hand that comes in.
ROUND_MM = 90.0
# Four cells are others than they were from so many grey levels on, or from so many times the noise of all.
LEAST_CHANGE = 6.0
NOISE_FACTOR = 7.0
# Light that changes evenly by less than this factor is not worth looking again.
LIGHT_FACTOR = 1.04


@dataclass(frozen=True, slots=True)
class Window:
    """The part of the picture that is looked at, in pixels, and the side of a cell in pixels."""

    left: int
    top: int
    right: int
    bottom: int
    cell: int


@dataclass(frozen=True, slots=True)
class SceneChange:
    """What differs between two glimpses: the number of cells, and the factor by which all light changed."""

    cells: int
    light: float

    @property
    def any(self) -> bool:
        """Whether anything worth another look is different."""
        return self.cells > 0 or not 1 / LIGHT_FACTOR < self.light < LIGHT_FACTOR


def window_of(camera: CameraModel, geometry: BoardGeometry) -> Window:
    """Where in its pictures a camera sees the board and what is round it."""
    x, y = geometry.surface_width_mm / 2 + ROUND_MM, geometry.surface_height_mm / 2 + ROUND_MM
    ring = np.array([[a * x, b * y, 0.0] for a in (-1, 0, 1) for b in (-1, 0, 1)])
    spots = camera.project(ring)
    inside = spots[np.isfinite(spots).all(axis=1)]
    ends = camera.project(np.array([[-100.0, 0.0, 0.0], [100.0, 0.0, 0.0]]))
    cell = max(1, round(float(np.hypot(*(ends[1] - ends[0]))) / 200 * CELL_MM))
    low = np.clip(np.floor(inside.min(axis=0)), 0, (camera.width - cell, camera.height - cell)).astype(int)
    high = np.clip(np.ceil(inside.max(axis=0)), low + cell, (camera.width, camera.height)).astype(int)
    columns, rows = (high - low) // cell
    left, top = int(low[0]), int(low[1])
    return Window(left, top, left + int(columns) * cell, top + int(rows) * cell, cell)


def glimpse(image: Picture, window: Window) -> Picture:
    """The means of a picture's cells, (rows, columns, 3) BGR uint8."""
    part = image[window.top : window.bottom, window.left : window.right]
    size = part.shape[1] // window.cell, part.shape[0] // window.cell
    return np.asarray(cv2.resize(part, size, interpolation=cv2.INTER_AREA), np.uint8)


def change_between(before: Picture, now: Picture) -> SceneChange:
    """What is another in the second of two glimpses through the same window."""
    light = (float(now.mean()) + 1) / (float(before.mean()) + 1)
    gap = cv2.scaleAdd(before.astype(np.float32), -light, now.astype(np.float32))
    gap = np.abs(cv2.blur(gap, (2, 2))).max(axis=2)
    usual = float(np.median(gap))
    return SceneChange(int((gap > max(LEAST_CHANGE, NOISE_FACTOR * usual)).sum()), light)


Read = Callable[[Picture, Board], Reading]


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


def glance(watch: Watch, image: Picture, t: float) -> Watch:
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
    if watch.last is not None and t - watch.last_t <= QUICK_S and change_between(watch.last, now).any:
        return replace(seen, read_glimpse=None, reading=None, looks=0), None
    same = watch.read_glimpse is not None and not change_between(watch.read_glimpse, now).any
    lately = t - watch.read_t < spacing_s
    if same and watch.reading is not None and (watch.looks >= LOOKS or lately):
        return seen, watch.reading
    reading = read(image, watch.board)
    shown = watch.read_glimpse if same else now
    looks = watch.looks + 1 if same else 1
    return replace(seen, read_glimpse=shown, reading=reading, looks=looks, read_t=t), reading
