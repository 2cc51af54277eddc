"""What stays the same while a board is filmed: the board, what it is made of, the light and the camera.

Lengths are millimetres in the frame of :mod:`controller.vision.geometry.camera`; colours are (blue, green, red)
from 0 to 255 as a picture in even white light would show them. The fixed parts of a board (rails, bar, dividers
and blocks) are level boxes, each with its material.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from controller.arrays import FloatArray
from controller.simulation.boards.faces import CubeStyle, DieStyle
from controller.vision import BoardGeometry, CameraModel, Colour

Bgr = tuple[float, float, float]
Stuff = Literal["plain", "felt", "leather", "wood", "cork", "cloth", "checks", "marble"]
Relief = Literal["flat", "dished", "rimmed", "ringed", "stepped", "domed"]
PointShape = Literal["triangle", "spear", "rounded", "bullet"]


@dataclass(frozen=True, slots=True)
class Material:
    """A surface: ``grain`` (0..1) is how strongly its pattern in ``second`` shows, ``scale_mm`` how coarse it is.

    ``gloss`` (0..1) is how much of a lamp it mirrors, ``roughness`` (radians) how wide the reflection is.
    """

    stuff: Stuff
    colour: Bgr
    second: Bgr
    grain: float
    scale_mm: float
    gloss: float
    roughness: float
    seed: int


@dataclass(frozen=True, slots=True)
class CheckerLook:
    """How the checkers of one side look; ``marbling`` (0..1) mixes in ``second``, ``back`` colours the other face.

    ``relief_mm`` is the depth of the face's relief, ``bevel_mm`` the rounding of the rim. Of metal, a checker
    mirrors the room. ``shade_spread`` is how much single checkers differ in brightness.
    """

    colour: Bgr
    second: Bgr
    back: Bgr
    marbling: float
    relief: Relief
    relief_mm: float
    bevel_mm: float
    gloss: float
    roughness: float
    metal: bool
    shade_spread: float
    seed: int


@dataclass(frozen=True, slots=True)
class DieLook:
    """One side's dice: their size and how their faces look."""

    size_mm: float
    style: DieStyle


@dataclass(frozen=True, slots=True)
class CubeLook:
    """The doubling cube; ``centred_face`` is the number that is up while nobody owns it, ``place`` where it lies."""

    size_mm: float
    style: CubeStyle
    centred_face: int
    place: Literal["bar", "beside", "tray"]


@dataclass(frozen=True, slots=True)
class PointLook:
    """The painted points: their two colours, shape and length, and whether they are outlined."""

    colours: tuple[Bgr, Bgr]
    shape: PointShape
    length_mm: float
    width_share: float
    outline: Bgr | None
    inlaid: Material | None


@dataclass(frozen=True, slots=True)
class BoardFrame:
    """The wooden (or other) parts around the surface.

    ``rail_mm`` is the width of the outer rails and ``rail_height_mm`` their height above the surface,
    ``bar_height_mm`` that of the bar; the board's floor lies ``body_mm`` above the table. ``hinges`` are laid
    on the bar, ``rest_mm`` is the length of the block in the middle of each tray (0: none).
    """

    material: Material
    rail_mm: float
    rail_height_mm: float
    bar_height_mm: float
    bar_material: Material
    body_mm: float
    hinges: int
    hinge: Bgr
    rest_mm: float


@dataclass(frozen=True, slots=True)
class Lamp:
    """A lamp or a window: where it is, how large (radius), how much of the light it gives, and its colour.

    ``power`` is its share of the light at the board's centre; ``window`` makes its reflection rectangular.
    """

    x_mm: float
    y_mm: float
    z_mm: float
    radius_mm: float
    power: float
    colour: Bgr
    window: bool = False


@dataclass(frozen=True, slots=True)
class Light:
    """All light: the lamps, and what comes from everywhere (``ambient``, a share; its colour)."""

    lamps: tuple[Lamp, ...]
    ambient: float
    ambient_colour: Bgr


@dataclass(frozen=True, slots=True)
class Finish:
    """What the camera does to a picture.

    ``gains`` are the channels' factors (exposure, white balance); ``blur_px`` and ``motion_px`` (along
    ``motion_deg``) blur; ``noise`` is in grey levels, ``grain_px`` how coarse, ``chroma`` (0..1) how coloured;
    ``vignette`` is the loss in the corners; ``sharpen`` overshoots edges; ``jpeg`` is the quality (0: none).
    """

    gains: Bgr
    gamma: float
    blur_px: float
    motion_px: float
    motion_deg: float
    noise: float
    grain_px: float
    chroma: float
    vignette: float
    sharpen: float
    jpeg: int


@dataclass(frozen=True, slots=True)
class Markers:
    """Printed ArUco squares (DICT_4X4_50) on the frame's corners, each turned by a number of quarters."""

    size_mm: float
    quarter_turns: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Logo:
    """Something printed on the surface: a badge with letters, ``size_mm`` wide, turned by ``turn`` radians."""

    x_mm: float
    y_mm: float
    size_mm: float
    turn: float
    text: str
    ink: Bgr
    ground: Bgr | None


@dataclass(frozen=True)
class Setting:
    """A board on a table under a lamp in front of a camera."""

    geometry: BoardGeometry
    camera: CameraModel
    surface: Material
    points: PointLook
    frame: BoardFrame
    table: Material
    checkers: Mapping[Colour, CheckerLook]
    dice: Mapping[Colour, DieLook]
    cube: CubeLook
    light: Light
    finish: Finish
    markers: Markers | None
    logos: tuple[Logo, ...]


@dataclass(frozen=True, slots=True)
class Extent:
    """A rectangle seen from above (mm), such as the whole board."""

    x0: float
    y0: float
    x1: float
    y1: float

    def corners(self, height_mm: float) -> FloatArray:
        """Its four corners at a height, shape (4, 3)."""
        ring = [(self.x0, self.y0), (self.x1, self.y0), (self.x1, self.y1), (self.x0, self.y1)]
        return np.array([[x, y, height_mm] for x, y in ring], float)


@dataclass(frozen=True, slots=True)
class Part:
    """A box between two heights (mm)."""

    outline: Extent
    bottom_mm: float
    top_mm: float
    material: Material

    def corners(self) -> FloatArray:
        """The eight corners, shape (8, 3): first the four below, then the four above."""
        return np.concatenate([self.outline.corners(z) for z in (self.bottom_mm, self.top_mm)])


def extent(setting: Setting) -> Extent:
    """The outline of the whole board."""
    geometry, rail = setting.geometry, setting.frame.rail_mm
    (left, right), high = geometry.x_range(rail), geometry.surface_height_mm / 2
    return Extent(left, -high - rail, right, high + rail)


def parts(setting: Setting) -> tuple[Part, ...]:
    """All boxes that stand on the board's floor; a flush bar is one of no height, printed boards may have none."""
    geometry, frame = setting.geometry, setting.frame
    whole, top, wood = extent(setting), frame.rail_height_mm, frame.material
    half, high, rail = geometry.surface_width_mm / 2, geometry.surface_height_mm / 2, frame.rail_mm
    boxes = [
        (Extent(whole.x0, whole.y0, whole.x1, -high), top, wood),
        (Extent(whole.x0, high, whole.x1, whole.y1), top, wood),
        (Extent(whole.x0, -high, whole.x0 + rail, high), top, wood),
        (Extent(whole.x1 - rail, -high, whole.x1, high), top, wood),
    ]
    if geometry.bar_mm > 0:
        bar = Extent(-geometry.bar_mm / 2, -high, geometry.bar_mm / 2, high)
        boxes.append((bar, frame.bar_height_mm, frame.bar_material))
    for side in geometry.trays:
        sign = 1 if side == "right" else -1
        inner, outer = sorted((sign * half, sign * (half + geometry.tray_gap_mm)))
        boxes.append((Extent(inner, -high, outer, high), top, wood))
        if frame.rest_mm > 0:
            gap, tray = geometry.tray_gap_mm, geometry.tray_width_mm
            near, far = sorted((sign * (half + gap), sign * (half + gap + tray)))
            boxes.append((Extent(near, -frame.rest_mm / 2, far, frame.rest_mm / 2), top, wood))
    return tuple(Part(outline, 0.0, height, material) for outline, height, material in boxes)
