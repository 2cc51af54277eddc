"""For every place on the board: how much more like a checker of each kind than like the bare board it looks."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import BINS, NOTHING_KNOWN, Appearance, Picture, Shades, to_lab
from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.sheet import Sheet

FloatArray = NDArray[np.float64]
Map = NDArray[np.float32]

# What the bare board may differ by from its learned picture, in 8-bit LAB: noise, slightly wrong places.
BARE_SPREAD = (9.0, 5.0, 5.0)
# Share of the bare board that looks strange (a shadow, a reflection, a die).
BARE_STRANGE = 0.02
# A pixel may speak for or against a checker by no more than this (nats).
PIXEL_LIMIT = 5.0


@dataclass(frozen=True)
class Evidence:
    """Mean log-likelihood ratios over a checker's face centred at each sheet pixel, shape (rows, columns).

    ``light`` and ``dark`` are against the bare board, at the height of one layer's upper faces.
    """

    light: Map
    dark: Map


def gather(
    image: Picture, camera: Camera, geometry: BoardGeometry, sheet: Sheet, look: Appearance
) -> Evidence:
    """The evidence in a picture that is already in the light the appearance was learned in."""
    height = geometry.checker_thickness_mm
    lab = to_lab(sheet.flatten(image, camera, height))
    bare = to_lab(sheet.lift(look.bare, camera, height))
    light = _densities(lab, look.light)
    dark = _densities(lab, look.dark)
    ground = bare_densities(lab, bare)
    face = _face(geometry.checker_diameter_mm / 2 / sheet.step_mm)
    return Evidence(_over_face(light - ground, face), _over_face(dark - ground, face))


def _densities(lab: Picture, shades: Shades) -> Map:
    step = 256 // BINS
    index = (lab // step).astype(np.int32)
    return np.asarray(shades.table[(index[..., 0] * BINS + index[..., 1]) * BINS + index[..., 2]])


def bare_densities(lab: Picture, bare: Picture) -> Map:
    """Log density of each pixel if the bare board were seen there."""
    gap = (lab.astype(np.float32) - bare) / np.array(BARE_SPREAD, np.float32)
    peak = -float(np.log(np.prod(BARE_SPREAD)) + 1.5 * np.log(2 * np.pi))
    normal = peak - 0.5 * np.einsum("ijk,ijk->ij", gap, gap)
    strange = float(np.log(BARE_STRANGE) + NOTHING_KNOWN)
    return np.asarray(np.logaddexp(normal, np.float32(strange)), np.float32)


def _over_face(ratio: Map, face: Map) -> Map:
    return np.asarray(
        cv2.filter2D(np.clip(ratio, -PIXEL_LIMIT, PIXEL_LIMIT), -1, face, borderType=cv2.BORDER_REPLICATE),
        np.float32,
    )


@lru_cache(maxsize=8)
def _face(radius: float) -> Map:
    """A disc that sums to one, a little smaller than a checker's face."""
    reach = int(np.ceil(radius))
    axis = np.arange(-reach, reach + 1)
    disc = (np.hypot(axis[:, None], axis[None, :]) <= 0.9 * radius).astype(np.float32)
    return np.asarray(disc / disc.sum(), np.float32)
