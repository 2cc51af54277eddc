"""Materials and the playing surface in even light, as pictures seen from straight above: cloth, points, logos."""

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, Float32Array, FloatArray, Picture
from controller.simulation.boards.setting import Bgr, Logo, Material, PointLook, Setting

# Octaves of noise: each half as large and half as strong as the one before.
OCTAVES = 4
# Drawing precision: coordinates are given in 1/16 of a pixel.
SUBPIXELS = 4


def noise(
    rng: np.random.Generator, shape: tuple[int, int], cell_px: float, stretch: float = 1.0
) -> AnyFloatArray:
    """Smooth noise of mean 0 and standard deviation about 1, shape (h, w); ``stretch`` draws it out along x."""
    return smooth(draw_octaves(rng, shape, cell_px, stretch), shape)


def draw_octaves(
    rng: np.random.Generator, shape: tuple[int, int], cell_px: float, stretch: float = 1.0
) -> list[Float32Array]:
    """What `noise` of this shape is made of: one value for each cell, an octave after the other."""
    drawn, weight = [], np.float32(1.0)
    for _ in range(OCTAVES):
        rows = max(2, int(np.ceil(shape[0] / max(cell_px, 1.0))) + 1)
        columns = max(2, int(np.ceil(shape[1] / max(cell_px * stretch, 1.0))) + 1)
        # Weighed while it is small: a half, a quarter and an eighth change nothing but the exponent.
        drawn.append(rng.standard_normal((rows, columns)).astype(np.float32) * weight)
        weight, cell_px = weight / 2, cell_px / 2
        if cell_px < 1.0:
            break
    return drawn


def smooth(octaves: list[Float32Array], shape: tuple[int, int]) -> Float32Array:
    """Octaves laid over each other, shape (h, w)."""
    size = (shape[1], shape[0])
    layers = (cv2.resize(each, size, interpolation=cv2.INTER_CUBIC) for each in octaves)
    total = np.asarray(next(layers), np.float32)
    for layer in layers:
        total += np.asarray(layer, np.float32)
    total *= np.float32(1.35 / np.sqrt(sum(0.25**number for number in range(len(octaves)))))
    return total


def texture(material: Material, shape: tuple[int, int], px_per_mm: float) -> Picture:
    """The material in even light, shape (h, w, 3) BGR; always the same for the same material and shape."""
    rng = np.random.default_rng(material.seed)
    cell = material.scale_mm * px_per_mm
    mix, speckle = _pattern(material, rng, shape, cell, px_per_mm)
    return blend(material.colour, material.second, np.clip(material.grain * mix, 0, 1), speckle)


def blend(colour: Bgr, second: Bgr, mix: AnyFloatArray, speckle: AnyFloatArray) -> Picture:
    """Two colours mixed (``mix`` 0..1) and made lighter or darker (``speckle``, a share); shape (h, w, 3)."""
    planes, light = [], 1 + speckle
    for a, b in zip(colour, second, strict=True):
        plane = np.asarray((b - a) * mix)
        plane += a
        plane *= light
        planes.append(np.clip(plane, 0, 255, out=plane).astype(np.uint8))
    return np.asarray(cv2.merge(planes), np.uint8)


def _pattern(
    material: Material, rng: np.random.Generator, shape: tuple[int, int], cell: float, px_per_mm: float
) -> tuple[AnyFloatArray, AnyFloatArray]:
    """How much of the second colour shows (0..1) and how much lighter each pixel is, two maps."""
    fine = noise(rng, shape, max(1.0, 0.8 * px_per_mm)) * np.float32(0.03 * material.grain)
    # Drawn for every stuff, so that the draws after it stay the same; smoothed only where one shows them.
    clouds = draw_octaves(rng, shape, max(2.0, cell))
    if material.stuff == "wood":
        rows = np.arange(shape[0], dtype=np.float32)[:, None]
        bend = noise(rng, shape, cell * 1.5, 12.0)
        rings = np.sin(2 * np.pi * (rows / max(cell, 2.0) + 0.9 * bend))
        fibres = noise(rng, shape, max(1.5, 1.2 * px_per_mm), 25.0)
        return np.clip(0.5 + 0.35 * rings + 0.2 * fibres, 0, 1), fine
    if material.stuff == "leather":
        grain = noise(rng, shape, max(1.5, 1.6 * px_per_mm))
        return np.clip(0.3 + 0.3 * smooth(clouds, shape), 0, 1), fine + np.float32(
            0.05 * material.grain
        ) * np.abs(grain)
    if material.stuff == "cork":
        crumbs = noise(rng, shape, max(2.0, 0.5 * cell))
        spots = np.asarray(noise(rng, shape, max(2.0, 0.35 * cell)) > 1.7, np.float32)
        return np.clip(0.4 + 0.5 * crumbs, 0, 1), fine - np.float32(0.5) * spots
    if material.stuff == "cloth":
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]].astype(np.float32)
        period = max(2.5, 0.25 * cell)
        weave = np.sin(2 * np.pi * x / period) * np.sin(2 * np.pi * y / period)
        return np.clip(0.4 + 0.25 * weave + 0.25 * smooth(clouds, shape), 0, 1), fine
    if material.stuff == "checks":
        y, x = np.mgrid[0 : shape[0], 0 : shape[1]]
        size = max(4, int(3 * cell))
        return np.asarray((x // size + y // size) % 2, np.float32), fine
    if material.stuff == "marble":
        veins = noise(rng, shape, cell * 2)
        return np.clip(1.3 - np.abs(veins + 0.3 * smooth(clouds, shape)) * 2.2, 0, 1), fine
    if material.stuff == "felt":
        fluff = noise(rng, shape, max(1.0, 1.5 * px_per_mm), 1.5)
        return np.clip(0.35 + 0.2 * smooth(clouds, shape) + 0.15 * fluff, 0, 1), fine * 2
    return np.clip(0.3 + 0.15 * smooth(clouds, shape), 0, 1), fine


def surface_picture(setting: Setting, px_per_mm: float) -> Picture:
    """The surface with what is printed on it, bar gap included; row 0 is dark's edge, as seen from light's seat."""
    geometry = setting.geometry
    shape = (
        round(geometry.surface_height_mm * px_per_mm),
        round(geometry.surface_width_mm * px_per_mm),
    )
    canvas = texture(setting.surface, shape, px_per_mm)
    for logo in setting.logos:
        _print_logo(canvas, setting, logo, px_per_mm)
    look = setting.points
    inlays = None
    if look.inlaid is not None:
        inlays = texture(look.inlaid, shape, px_per_mm).astype(np.float32) / 128
    for parity in (0, 1):
        mask = np.zeros(shape, np.uint8)
        for point in range(1, 25):
            if (point + (point > 12)) % 2 == parity:
                cv2.fillPoly(mask, [_point(setting, point, px_per_mm)], 255, cv2.LINE_AA, SUBPIXELS)
        _ink(canvas, mask, look.colours[parity], inlays)
    if look.outline is not None:
        points, wide = [_point(setting, point, px_per_mm) for point in range(1, 25)], round(0.8 * px_per_mm)
        for outline in points:
            cv2.polylines(canvas, [outline], True, look.outline, max(1, wide), cv2.LINE_AA, SUBPIXELS)
    return canvas


def _outline(look: PointLook, pitch: float) -> FloatArray:
    """A point's outline: x from its middle line, y inward from the board's edge (mm)."""
    half, length = look.width_share * pitch / 2, look.length_mm
    if look.shape == "triangle":
        return np.array([[-half, -2], [half, -2], [0, length]], float)
    if look.shape == "spear":
        return np.array(
            [[-half, -2], [half, -2], [0.35 * half, 0.8 * length], [0, length], [-0.35 * half, 0.8 * length]]
        )
    angle = np.linspace(0, np.pi, 25)
    if look.shape == "rounded":
        base = np.stack([half * np.cos(angle), half - half * np.sin(angle)], 1)
        return np.concatenate([base, [[0.0, length]]])
    tip = np.stack([0.55 * half * np.cos(angle), length - 0.55 * half + 0.55 * half * np.sin(angle)], 1)
    return np.concatenate([[[half, -2.0]], tip, [[-half, -2.0]]])


def _point(setting: Setting, point: int, px_per_mm: float) -> NDArray[np.int32]:
    """A point's outline on the surface's picture, in pixels divided as OpenCV draws them."""
    geometry, outline = setting.geometry, _outline(setting.points, setting.geometry.pitch_mm)
    inward = geometry.side_of(point) * (geometry.surface_height_mm / 2 - outline[:, 1])
    x = (geometry.column_x(point) + outline[:, 0] + geometry.surface_width_mm / 2) * px_per_mm
    y = (geometry.surface_height_mm / 2 - inward) * px_per_mm
    return np.asarray(np.round((np.stack([x, y], 1) - 0.5) * (1 << SUBPIXELS)), np.int32)


def _ink(canvas: Picture, mask: Picture, colour: Bgr, inlay: AnyFloatArray | None) -> None:
    inked = mask > 0
    share = mask[inked][:, None].astype(np.float32) / 255
    ink, ground = np.asarray(colour, np.float32), canvas[inked].astype(np.float32)
    if inlay is not None:
        paint = np.clip(ink * inlay[inked], 0, 255)
    else:
        # Printed ink lets the cloth's grain through.
        paint = ink * (0.85 + 0.15 * ground / np.maximum(canvas.astype(np.float32).mean((0, 1)), 1))
    canvas[inked] = np.clip(ground + share * (paint - ground), 0, 255).astype(np.uint8)


def _print_logo(canvas: Picture, setting: Setting, logo: Logo, px_per_mm: float) -> None:
    size = max(8, round(logo.size_mm * px_per_mm))
    badge = np.zeros((size, size), np.uint8)
    ground = np.zeros((size, size), np.uint8)
    if logo.ground is not None:
        cv2.rectangle(ground, (size // 8, size // 5), (size - size // 8, size - size // 5), 255, -1)
    scale = size / 70
    (width, height), _ = cv2.getTextSize(logo.text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
    scale *= min(1.0, 0.7 * size / max(width, 1))
    (width, height), _ = cv2.getTextSize(logo.text, cv2.FONT_HERSHEY_SIMPLEX, scale, 2)
    at = ((size - width) // 2, (size + height) // 2)
    cv2.putText(badge, logo.text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, 255, max(1, size // 28), cv2.LINE_AA)
    x = (logo.x_mm + setting.geometry.surface_width_mm / 2) * px_per_mm
    y = (setting.geometry.surface_height_mm / 2 - logo.y_mm) * px_per_mm
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), float(np.degrees(logo.turn)), 1.0)
    turn[:, 2] += np.array([x - size / 2, y - size / 2])
    shape = (canvas.shape[1], canvas.shape[0])
    for mask, colour in ((ground, logo.ground), (badge, logo.ink)):
        if colour is not None:
            share = cv2.warpAffine(mask, turn, shape)[..., None].astype(np.float32) / 255
            canvas[:] = (canvas + share * (np.asarray(colour, np.float32) - canvas)).astype(np.uint8)
