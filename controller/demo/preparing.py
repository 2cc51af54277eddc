"""A table to play on: a board drawn at random, painted, and calibrated by the product itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.app.eyes import Eyes, board_of
from controller.demo.looks import Looks, PaintedLooks
from controller.errors import UserError
from controller.rules import START, Profile
from controller.simulation import Painter, random_setting
from controller.simulation.boards.arranging import arrange
from controller.simulation.boards.chance import shifted
from controller.simulation.boards.setting import Bgr, CheckerLook, Material, Setting, Stuff
from controller.vision import Board, read_board
from controller.vision.board.board import PointSegments, point_segments

SIZE: Final = (1280, 720)
TRIES: Final = 12
BRIGHTNESS: Final = (1.0, 0.85)
"""Of the two pictures of the start position."""


@dataclass(frozen=True)
class Make:
    """The colours (BGR) of a board as shops sell it.

    Attributes:
        stuff: of the playing surface.
        ground: its colour.
        points: the two colours of the points.
        checkers: light's and dark's.
        wood: of the frame.
    """

    stuff: Stuff
    ground: Bgr
    points: tuple[Bgr, Bgr]
    checkers: tuple[Bgr, Bgr]
    wood: Bgr


IVORY, BLACK, RED, WALNUT = (205, 228, 238), (32, 30, 30), (45, 40, 150), (35, 60, 105)
MAKES: Final = (
    Make("leather", (50, 75, 110), ((140, 185, 210), (30, 40, 75)), (IVORY, BLACK), (30, 48, 78)),
    Make("felt", (52, 48, 48), ((150, 150, 152), (80, 80, 82)), (IVORY, RED), (25, 30, 48)),
    Make("felt", (85, 50, 30), ((165, 165, 162), (150, 105, 60)), (IVORY, BLACK), (30, 48, 78)),
    Make("felt", (60, 95, 40), ((140, 180, 200), (45, 60, 110)), (IVORY, BLACK), (45, 85, 140)),
    Make("leather", (45, 35, 105), ((125, 165, 195), (60, 70, 75)), (IVORY, BLACK), (30, 48, 78)),
    Make("wood", (75, 120, 170), ((135, 180, 210), (40, 65, 110)), (IVORY, BLACK), (45, 85, 140)),
    Make("cork", (105, 155, 195), ((60, 75, 120), (60, 85, 60)), (IVORY, BLACK), WALNUT),
    Make("felt", (125, 150, 165), ((90, 65, 45), (60, 55, 120)), (IVORY, BLACK), WALNUT),
)
TABLES: Final[tuple[tuple[Stuff, Bgr], ...]] = (
    ("wood", (60, 95, 140)),
    ("wood", (35, 55, 85)),
    ("cloth", (90, 90, 88)),
    ("plain", (190, 195, 198)),
    ("cloth", (70, 60, 45)),
)
SPREAD: Final = 0.05
"""How far the colours of two boards of one make may differ."""


class PreparingError(UserError):
    """No table could be prepared."""


@dataclass(frozen=True)
class Prepared:
    """A board in front of its camera, with what the product learnt of it from two pictures.

    Attributes:
        setting: what lies on the table, and where.
        painter: paints it.
        board: what was learnt.
        all_moving: whether every picture of what moves is painted, so that the eyes see whose hands do it.
    """

    setting: Setting
    painter: Painter
    board: Board
    all_moving: bool = False

    @property
    def segments(self) -> PointSegments | None:
        """See `TableSight`."""
        return point_segments(self.board)

    def looks(self, profiles: Sequence[Profile], rng: np.random.Generator) -> Looks:
        """See `TableSight`."""
        eyes = Eyes(board_of(self.board, profiles))
        return PaintedLooks(self.painter, eyes, rng, all_moving=self.all_moving)


def random_table(seed: int) -> Setting:
    """Some board, table, light and camera; the board is of one of the makes that are sold."""
    drawn, rng = random_setting(np.random.default_rng(seed), SIZE), np.random.default_rng((seed, 1))
    make, (stuff, colour) = MAKES[rng.integers(len(MAKES))], TABLES[rng.integers(len(TABLES))]
    first, second = (shifted(rng, each, SPREAD) for each in make.points)
    checkers = {
        name: _of_colour(drawn.checkers[name], shifted(rng, each, SPREAD))
        for name, each in zip(drawn.checkers, make.checkers, strict=True)
    }
    return replace(
        drawn,
        surface=_of_stuff(drawn.surface, make.stuff, shifted(rng, make.ground, SPREAD)),
        points=replace(drawn.points, colours=(first, second), outline=None, inlaid=None),
        frame=replace(
            drawn.frame,
            material=_of_stuff(drawn.frame.material, "wood", shifted(rng, make.wood, SPREAD)),
            bar_material=_of_stuff(drawn.frame.bar_material, "wood", shifted(rng, make.wood, SPREAD)),
        ),
        table=_of_stuff(drawn.table, stuff, shifted(rng, colour, SPREAD)),
        checkers=checkers,
        logos=(),
    )


def _of_stuff(material: Material, stuff: Stuff, colour: Bgr) -> Material:
    return replace(
        material, stuff=stuff, colour=colour, second=_darker(colour), grain=min(material.grain, 0.5)
    )


def _of_colour(look: CheckerLook, colour: Bgr) -> CheckerLook:
    return replace(look, colour=colour, second=_darker(colour), back=colour, metal=False)


def _darker(colour: Bgr) -> Bgr:
    blue, green, red = colour
    return 0.7 * blue, 0.7 * green, 0.7 * red


def prepare(seed: int) -> Prepared:
    """A table whose start position is read rightly; boards that calibration refuses or misreads are passed over.

    Raises:
        PreparingError: none of a dozen boards could be calibrated.
    """
    for number in range(TRIES):
        setting = random_table(seed * TRIES + number)
        painter = Painter(setting)
        rng = np.random.default_rng((seed, number))
        views = [_view(painter, k, brightness, rng) for k, brightness in enumerate(BRIGHTNESS, start=1)]
        try:
            board = calibrate(views).board
        except CalibrationError:
            continue
        again = read_board(_view(painter, 3, 1.0, rng).picture, board)
        if board.geometry.home == setting.geometry.home and again.points == START.points:
            return Prepared(setting, painter, board)
    raise PreparingError("None of the painted boards could be calibrated; give another --seed.")


def _view(painter: Painter, number: int, brightness: float, rng: np.random.Generator) -> CalibrationPicture:
    scene = replace(arrange(painter.setting, START, rng, sloppiness=0.6), brightness=brightness)
    return CalibrationPicture(f"start picture {number}", painter.paint(scene, rng).picture, START.points)
