"""Coarse looks at boards without hands, and with hands whose extent is known, to learn from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from calibration.training.boards import known_boards
from controller.arrays import Float32Array, Picture
from controller.simulation import Painter, random_setting
from controller.simulation.boards.scenes import START, random_scene, start_scene
from controller.simulation.painting.painter import Painted
from controller.simulation.painting.stage import HIDDEN
from controller.vision import Board, learn_appearance
from controller.vision.board.drift import Settled, settle
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.hands.overview import HEIGHT_MM, BareView, bare_view, look_over, overview_grid

Rng = np.random.Generator

PAINTED_BOARDS, PAINTED_PICTURES = 80, 10
PAINTED_SIZES = ((960, 540), (800, 600))
# The share of the painted pictures, but for the start positions, into which somebody reaches.
REACHING = 0.5


@dataclass(frozen=True, eq=False)
class Glance:
    """One coarse look: the picture in the light of the bare board, and the bare board beside it.

    ``cover`` is where a hand or a cup on the board covers it, 0 to 255 on the coarse grid, ``None`` if that is not
    known; then ``hidden`` has the share (0 to 1) of each of the 24 points that is hidden.
    """

    now: Picture
    bare: BareView
    cover: Picture | None = None
    hidden: Float32Array | None = None


@dataclass(frozen=True, eq=False)
class Glanced:
    """A board and coarse looks at it."""

    name: str
    board: Board
    glances: tuple[Glance, ...]


def rendered_boards() -> Iterator[Glanced]:
    """The boards whose pictures ship with the project."""
    for known in known_boards():
        images = [start.image for start in known.starts]
        look = learn_appearance(images, known.camera, known.geometry, known.starts[0].points)
        board = Board(known.camera, known.geometry, look)
        glances = []
        for shot in (*known.starts, *known.shots):
            settled = _settled(shot.image, board)
            now, bare = _looks(settled, board)
            if shot.truth["hand"]:
                hidden = np.zeros(24, np.float32)
                for index, share in shot.truth["occluded_fraction"].items():
                    hidden[int(index)] = share
                glances.append(Glance(now, bare, hidden=hidden))
            else:
                glances.append(Glance(now, bare, np.zeros(now.shape[:2], np.uint8)))
        yield Glanced(known.name, board, tuple(glances))


def painted_boards(rng: Rng, boards: int = PAINTED_BOARDS) -> Iterator[Glanced]:
    """Boards of all kinds, painted: hands over them or not, cups on them and beside them."""
    for number in range(boards):
        setting = random_setting(rng, PAINTED_SIZES[number % len(PAINTED_SIZES)])
        painter = Painter(setting)
        starts = [painter.paint(start_scene(setting, rng), rng) for _ in range(2)]
        images = [start.picture for start in starts]
        look = learn_appearance(images, setting.camera, setting.geometry, START.points)
        board = Board(setting.camera, setting.geometry, look)
        scenes = (random_scene(setting, rng, REACHING) for _ in range(PAINTED_PICTURES))
        shots = [*starts, *(painter.paint(scene, rng) for scene in scenes)]
        yield Glanced(f"painted {number}", board, tuple(_glance(shot, board) for shot in shots))


def _glance(shot: Painted, board: Board) -> Glance:
    """The coarse look at a painted picture, and where it shows a hand or a cup."""
    settled = _settled(shot.picture, board)
    now, bare = _looks(settled, board)
    hidden = np.where(shot.owner == HIDDEN, 255, 0).astype(np.uint8)
    return Glance(now, bare, overview_grid().flatten(hidden, settled.camera, HEIGHT_MM))


def _settled(image: Picture, board: Board) -> Settled:
    grid = surface_grid(board.geometry)
    return settle(image, board, grid, board.appearance.bare_surface(board.geometry))


def _looks(settled: Settled, board: Board) -> tuple[Picture, BareView]:
    """The coarse looks at a picture and at the bare board, as the reader takes them."""
    bare = bare_view(board.appearance, settled.camera, board.geometry)
    return look_over(settled.lit, settled.camera), bare
