"""How much each place on the board looks like a checker rather than like the bare board."""

from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.appearance import BINS, NOTHING_KNOWN, Appearance, Shades, to_lab
from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.rims import Edges
from controller.vision.sheet import Picture, Sheet, ground_sheet

FloatArray = NDArray[np.float64]
Map = NDArray[np.float32]

# What the bare board may differ by from its learned picture, in 8-bit LAB: noise, slightly wrong places.
BARE_SPREAD = (9.0, 5.0, 5.0)
# Share of the bare board that looks strange (a shadow, a reflection, a die).
BARE_STRANGE = 0.012
# A pixel may speak for or against a checker by no more than this (nats).
PIXEL_LIMIT = 5.0
SPOT_MM = 5.0
# What a rim all around (or none at all) is worth beside the colour of the face.
RIM_WORTH = 1.0
RIM_CAP = 0.2
# A face must look this much like a checker before it counts for one: most places are bare.
FACE_PRICE = 0.8


@dataclass(frozen=True)
class Evidence:
    """Mean log-likelihood ratios around each sheet pixel, shape (rows, columns).

    ``light`` and ``dark`` are over a checker's face and rim, against the bare board, at the height of one layer's
    upper faces; ``light_spots`` and ``dark_spots`` are the same over a small spot.
    """

    light: Map
    dark: Map
    light_spots: Map
    dark_spots: Map


def gather(
    top: Picture, edges: Edges, camera: Camera, geometry: BoardGeometry, sheet: Sheet, look: Appearance
) -> Evidence:
    """The evidence in a picture laid flat at the height of one layer, in the light of the appearance."""
    height = geometry.checker_thickness_mm
    lab = to_lab(top)
    ground_plan = ground_sheet(geometry)
    bare = to_lab(sheet.lift(look.bare, ground_plan, camera, height))
    light = densities(lab, look.light)
    dark = densities(lab, look.dark)
    doubt = sheet.lift(look.doubt, ground_plan, camera, height)
    ground = bare_densities(lab, bare, doubt)
    face = _face(geometry.checker_diameter_mm / 2 / sheet.step_mm)
    checker = _over_face(np.maximum(light, dark) - ground, face)
    lighter = _over_face((light - dark) / _wider(doubt), face)
    radius = geometry.checker_diameter_mm / 2
    light_rim = RIM_WORTH * np.minimum(edges.mean_around(look.light_rims.table, radius), RIM_CAP)
    dark_rim = RIM_WORTH * np.minimum(edges.mean_around(look.dark_rims.table, radius), RIM_CAP)
    return Evidence(
        np.asarray(checker + np.minimum(lighter, 0) + light_rim - FACE_PRICE, np.float32),
        np.asarray(checker - np.maximum(lighter, 0) + dark_rim - FACE_PRICE, np.float32),
        _over_spot(light - ground, sheet),
        _over_spot(dark - ground, sheet),
    )


def densities(lab: Picture, shades: Shades) -> Map:
    """Log density of each pixel of an 8-bit LAB picture if that kind of checker were seen there."""
    step = 256 // BINS
    index = (lab // step).astype(np.int32)
    return np.asarray(shades.table[(index[..., 0] * BINS + index[..., 1]) * BINS + index[..., 2]])


def bare_densities(lab: Picture, bare: Picture, doubt: Picture) -> Map:
    """Log density of each pixel if the bare board were seen there.

    ``doubt``, shape (rows, columns), is how many grey levels the bare picture may be wrong by.
    """
    wider = _wider(doubt)
    gap = (lab.astype(np.float32) - bare) / np.array(BARE_SPREAD, np.float32)
    peak = -float(np.log(np.prod(BARE_SPREAD)) + 1.5 * np.log(2 * np.pi))
    normal = peak - 3 * np.log(wider) - 0.5 * np.einsum("ijk,ijk->ij", gap, gap) / wider**2
    strange = float(np.log(BARE_STRANGE) + NOTHING_KNOWN)
    return np.asarray(np.logaddexp(normal, np.float32(strange)), np.float32)


def _wider(doubt: Picture) -> Map:
    return np.asarray(np.sqrt(1 + (doubt.astype(np.float32) / BARE_SPREAD[0]) ** 2), np.float32)


def _over_spot(ratio: Map, sheet: Sheet) -> Map:
    size = max(1, round(SPOT_MM / sheet.step_mm))
    return np.asarray(cv2.blur(np.clip(ratio, -PIXEL_LIMIT, PIXEL_LIMIT), (size, size)), np.float32)


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
