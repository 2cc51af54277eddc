"""Patterns of materials: felt, leather, wood, cork, cloth and others, as pictures seen from straight above."""

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, Picture
from controller.simulation.boards.setting import Bgr, Material

# Octaves of noise: each half as large and half as strong as the one before.
OCTAVES = 4


def noise(
    rng: np.random.Generator, shape: tuple[int, int], cell_px: float, stretch: float = 1.0
) -> AnyFloatArray:
    """Smooth noise of mean 0 and standard deviation about 1, shape (h, w); ``stretch`` draws it out along x."""
    total = np.zeros(shape, np.float32)
    weight, norm = 1.0, 0.0
    for _ in range(OCTAVES):
        rows = max(2, int(np.ceil(shape[0] / max(cell_px, 1.0))) + 1)
        columns = max(2, int(np.ceil(shape[1] / max(cell_px * stretch, 1.0))) + 1)
        coarse = rng.standard_normal((rows, columns)).astype(np.float32)
        total += weight * np.asarray(cv2.resize(coarse, (shape[1], shape[0]), interpolation=cv2.INTER_CUBIC))
        norm += weight**2
        weight, cell_px = weight / 2, cell_px / 2
        if cell_px < 1.0:
            break
    return np.asarray(total * np.float32(1.35 / np.sqrt(norm)), np.float32)


def texture(material: Material, shape: tuple[int, int], px_per_mm: float) -> Picture:
    """The material in even light, shape (h, w, 3) BGR; always the same for the same material and shape."""
    rng = np.random.default_rng(material.seed)
    cell = material.scale_mm * px_per_mm
    mix, speckle = _pattern(material, rng, shape, cell, px_per_mm)
    return blend(material.colour, material.second, np.clip(material.grain * mix, 0, 1), speckle)


def blend(colour: Bgr, second: Bgr, mix: AnyFloatArray, speckle: AnyFloatArray) -> Picture:
    """Two colours mixed (``mix`` 0..1) and made lighter or darker (``speckle``, a share); shape (h, w, 3)."""
    planes = []
    for a, b in zip(colour, second, strict=True):
        planes.append((a + (b - a) * mix) * (1 + speckle))
    return np.asarray(np.clip(cv2.merge(planes), 0, 255), np.uint8)


def _pattern(
    material: Material, rng: np.random.Generator, shape: tuple[int, int], cell: float, px_per_mm: float
) -> tuple[AnyFloatArray, AnyFloatArray]:
    """How much of the second colour shows (0..1) and how much lighter each pixel is, two maps."""
    fine = noise(rng, shape, max(1.0, 0.8 * px_per_mm)) * np.float32(0.03 * material.grain)
    cloud = noise(rng, shape, max(2.0, cell))
    if material.stuff == "wood":
        rows = np.arange(shape[0], dtype=np.float32)[:, None]
        bend = noise(rng, shape, cell * 1.5, 12.0)
        rings = np.sin(2 * np.pi * (rows / max(cell, 2.0) + 0.9 * bend))
        fibres = noise(rng, shape, max(1.5, 1.2 * px_per_mm), 25.0)
        return np.clip(0.5 + 0.35 * rings + 0.2 * fibres, 0, 1), fine
    if material.stuff == "leather":
        grain = noise(rng, shape, max(1.5, 1.6 * px_per_mm))
        return np.clip(0.3 + 0.3 * cloud, 0, 1), fine + np.float32(0.05 * material.grain) * np.abs(grain)
    if material.stuff == "cork":
        crumbs = noise(rng, shape, max(2.0, 0.5 * cell))
        spots = np.asarray(noise(rng, shape, max(2.0, 0.35 * cell)) > 1.7, np.float32)
        return np.clip(0.4 + 0.5 * crumbs, 0, 1), fine - np.float32(0.5) * spots
    if material.stuff == "cloth":
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        period = max(2.5, 0.25 * cell)
        weave = np.sin(2 * np.pi * x / period) * np.sin(2 * np.pi * y / period)
        return np.clip(0.4 + 0.25 * weave + 0.25 * cloud, 0, 1), fine
    if material.stuff == "checks":
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
        size = max(4, int(3 * cell))
        return np.asarray((x // size + y // size) % 2, np.float32), fine
    if material.stuff == "marble":
        veins = noise(rng, shape, cell * 2)
        return np.clip(1.3 - np.abs(veins + 0.3 * cloud) * 2.2, 0, 1), fine
    if material.stuff == "felt":
        fluff = noise(rng, shape, max(1.0, 1.5 * px_per_mm), 1.5)
        return np.clip(0.35 + 0.2 * cloud + 0.15 * fluff, 0, 1), fine * 2
    return np.clip(0.3 + 0.15 * cloud, 0, 1), fine
