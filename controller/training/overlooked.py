"""Coarse looks at boards without hands, and with hands whose extent is known by points, to learn from."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from controller.rules.position import START
from controller.simulation.arranging import arrange
from controller.simulation.chance import random_setting
from controller.simulation.painter import Painter
from controller.simulation.positions import random_position
from controller.simulation.setting import Setting
from controller.training.boards import known_boards
from controller.vision.appearance import learn_appearance
from controller.vision.board import Board
from controller.vision.overview import BareView, bare_view, look_over
from controller.vision.sheet import Picture, ground_sheet, surface_sheet
from controller.vision.stance import settle

Rng = np.random.Generator

PAINTED_BOARDS, PAINTED_PICTURES = 70, 5
PAINTED_SIZE = (960, 540)
CUBE_VALUES = (2, 4, 8, 16, 32, 64)


@dataclass(frozen=True, eq=False)
class Glance:
    """One coarse look: the picture in the light of the bare board, and the bare board beside it.

    ``hidden`` has the share (0 to 1) of each of the 24 points that a hand hides, ``None`` if there is no hand.
    """

    now: Picture
    bare: BareView
    hidden: NDArray[np.float32] | None


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
            hidden = None
            if shot.truth["hand"]:
                hidden = np.zeros(24, np.float32)
                for index, share in shot.truth["occluded_fraction"].items():
                    hidden[int(index)] = share
            glances.append(glance(shot.image, board, hidden))
        yield Glanced(known.name, board, tuple(glances))


def painted_boards(rng: Rng, boards: int = PAINTED_BOARDS) -> Iterator[Glanced]:
    """Boards of all kinds, painted: no hands on them."""
    for number in range(boards):
        setting = random_setting(rng, PAINTED_SIZE)
        painter = Painter(setting)
        starts = [painter.paint(arrange(setting, START, rng, sloppiness=0.7), rng).picture for _ in range(2)]
        look = learn_appearance(starts, setting.camera, setting.geometry, START.points)
        board = Board(setting.camera, setting.geometry, look)
        pictures = [*starts, *(_any_picture(painter, setting, rng) for _ in range(PAINTED_PICTURES))]
        glances = tuple(glance(picture, board, None) for picture in pictures)
        yield Glanced(f"painted {number}", board, glances)


def _any_picture(painter: Painter, setting: Setting, rng: Rng) -> Picture:
    """Any position with dice and cube as they come."""
    side = ("light", "dark")[int(rng.integers(2))]
    thrown = int(rng.choice([0, 2, 2, 2, 4]))
    dice = [(side, int(rng.integers(1, 7))) for _ in range(thrown)]
    cube = (1, "center") if rng.random() < 0.5 else (int(rng.choice(CUBE_VALUES)), side)
    scene = arrange(setting, random_position(rng), rng, dice=dice, cube=cube)  # type: ignore[arg-type]
    return painter.paint(scene, rng).picture


def glance(image: Picture, board: Board, hidden: NDArray[np.float32] | None) -> Glance:
    """The coarse look at a picture, as the reader takes it."""
    sheet = surface_sheet(board.geometry)
    bare = sheet.crop(board.appearance.bare, ground_sheet(board.geometry))
    settled = settle(image, board, sheet, bare)
    now = look_over(settled.lit, settled.camera)
    return Glance(now, bare_view(board.appearance, settled.camera, board.geometry), hidden)
