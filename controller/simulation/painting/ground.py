"""The playing surface as seen from straight above in even light: cloth, points, logos."""

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import AnyFloatArray, FloatArray, Picture
from controller.simulation.boards.setting import Bgr, Logo, PointLook, Setting
from controller.simulation.painting.texture import texture

SUBPIXELS = 4


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
    share = mask[..., None].astype(np.float32) / 255
    ink = np.asarray(colour, np.float32)
    if inlay is not None:
        paint = np.clip(ink * inlay, 0, 255)
    else:
        # Printed ink lets the cloth's grain through.
        grain = canvas.astype(np.float32)
        paint = ink * (0.85 + 0.15 * grain / np.maximum(grain.mean((0, 1)), 1))
    canvas[:] = np.clip(canvas + share * (paint - canvas), 0, 255).astype(np.uint8)


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
