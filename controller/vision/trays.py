"""Borne-off checkers in the trays: standing on edge in a row, or lying in stacks."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import Appearance, to_lab
from controller.vision.camera import Camera
from controller.vision.evidence import bare_densities, densities
from controller.vision.geometry import BoardGeometry, Home
from controller.vision.sheet import STEP_MM, Picture, Sheet, ground_sheet

FloatArray = NDArray[np.float64]
Colour = Literal["light", "dark"]

SIDE = 15
SIDES: tuple[Home, ...] = ("right", "left")
# Log odds against any one number of borne-off checkers where none are seen, without a tray and with an empty one;
# against none at all where something is seen. Hands, reflections and cubes look like checkers now and then.
UNSEEN_PRICE, EMPTY_PRICE, TRACED_PRICE = 4.0, 5.0, 2.5
# Only the middle of a tray is looked at.
HALF_WIDTH_MM = 13.0
FIRST_MM = 3.0
LAYERS = 5
PIXEL_LIMIT = 2.0
# A tray with less evidence (nats times steps along it) is empty.
TRACE = 6.0
# How far (mm) the end of a row or of the stacks may be misjudged; the price of a wild misjudgement.
ROW_SPREAD_MM = 6.0
STACK_SPREAD_MM = 9.0
WILD = -4.0


@dataclass(frozen=True)
class Off:
    """Log-likelihoods of 0..15 borne-off checkers of one side, shape (16,).

    ``assumed``: none were seen, nor a tray they would lie in, so the number follows from fifteen a side.
    """

    scores: FloatArray
    assumed: bool


def off_likelihoods(
    image: Picture, camera: Camera, geometry: BoardGeometry, look: Appearance, colour: Colour
) -> Off:
    """Look for one side's borne-off checkers at its own end, left and right of the board.

    ``image`` is in the light of the appearance. Without a tray they may as well lie where nobody sees.
    """
    found = {side: _one_tray(image, camera, geometry, look, colour, side) for side in SIDES}
    full = [side for side in SIDES if found[side].argmax() > 0]
    if full:
        return Off(found[geometry.home if geometry.home in full else full[0]], False)
    if geometry.trays:
        return Off(found[geometry.trays[0]], False)
    return Off(np.where(np.arange(SIDE + 1) > 0, -UNSEEN_PRICE, 0.0), True)


def _one_tray(
    image: Picture,
    camera: Camera,
    geometry: BoardGeometry,
    look: Appearance,
    colour: Colour,
    side: str,
) -> FloatArray:
    height = geometry.checker_diameter_mm / 2
    x = geometry.surface_width_mm / 2 + geometry.tray_gap_mm + geometry.tray_width_mm / 2
    x *= 1 if side == "right" else -1
    edge = -1 if colour == "light" else 1
    reach = geometry.surface_height_mm / 2 - 25.0
    near = -geometry.surface_height_mm / 2 if edge < 0 else geometry.surface_height_mm / 2 - reach
    strip = Sheet(x - HALF_WIDTH_MM, near, round(reach / STEP_MM), round(2 * HALF_WIDTH_MM / STEP_MM) + 1)
    ground = ground_sheet(geometry)
    lab = to_lab(strip.flatten(image, camera, height))
    bare = to_lab(strip.lift(look.bare, ground, camera, height))
    doubt = strip.lift(look.doubt, ground, camera, height)
    shades = look.light if colour == "light" else look.dark
    ratio = np.clip(densities(lab, shades) - bare_densities(lab, bare, doubt), -PIXEL_LIMIT, PIXEL_LIMIT)
    profile = np.median(ratio, axis=1).astype(float)
    return _from_profile(profile if edge < 0 else profile[::-1], camera, geometry, edge)


def _from_profile(profile: FloatArray, camera: Camera, geometry: BoardGeometry, edge: int) -> FloatArray:
    sums = np.concatenate([[0.0], np.cumsum(profile - 0.1)])
    end = int(sums.argmax())
    scores = np.full(SIDE + 1, WILD)
    if sums[end] < TRACE:
        scores[0] = 0.0
        scores[1:] = -EMPTY_PRICE
        return scores
    length = end * STEP_MM
    for count in range(1, SIDE + 1):
        row = _reach(FIRST_MM + count * geometry.checker_thickness_mm, camera, geometry, edge)
        stacks = -(-count // LAYERS)
        stack = FIRST_MM + stacks * geometry.row_pitch_mm
        on_edge = -0.5 * ((length - row) / ROW_SPREAD_MM) ** 2
        lying = -0.5 * ((length - stack) / STACK_SPREAD_MM) ** 2 - np.log(LAYERS)
        scores[count] = np.logaddexp(np.logaddexp(on_edge, lying), WILD)
    scores -= scores.max()
    scores[0] = -TRACED_PRICE
    return np.asarray(scores, float)


def _reach(length_mm: float, camera: Camera, geometry: BoardGeometry, edge: int) -> float:
    """How far from the edge a row on edge of that length seems to reach at half a checker's height."""
    middle = geometry.checker_diameter_mm / 2
    inner = edge * (geometry.surface_height_mm / 2 - length_mm)
    foot, height = float(camera.centre_mm[1]), float(camera.centre_mm[2])
    ends = [
        foot + (inner - foot) * (height - middle) / (height - z) for z in (0.0, geometry.checker_diameter_mm)
    ]
    return max(geometry.surface_height_mm / 2 - edge * end for end in ends)
