"""The scene without the players' things: what the board and its surroundings look like from above.

A scene is a small flattened picture of the table around the board, learned once from pictures of a known
position. What the checkers of that position hid is filled in from like columns and marked as guessed.
"""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry

FloatArray = NDArray[np.float64]
Image = NDArray[np.uint8]
Mask = NDArray[np.bool_]

MM_PER_PIXEL = 1.5
MARGIN_X_MM = 150.0
MARGIN_Y_MM = 70.0
_JPEG_QUALITY = 80
# Added before taking the logarithm: below this, differences of brightness are mostly noise.
_DARK = 12.0


@dataclass(frozen=True, eq=False)
class Scene:
    """The bare board and its surroundings, flattened on the plane of the playing surface.

    ``surface`` is (h, w, 3) uint8 BGR, ``MM_PER_PIXEL`` a pixel, light's edge at the bottom, the centre of the
    board in the middle; ``known`` is (h, w) bool, false where checkers stood and the surface is a guess, and
    where the camera does not see. ``cube_mm`` is where the centred cube lay (x, y in mm) when it was seen.
    """

    surface: Image
    known: Mask
    cube_mm: tuple[float, float] | None = None


def learn_scene(
    images: Sequence[Image], points: Sequence[int], camera: Camera, geometry: BoardGeometry
) -> Scene:
    """Learn the scene from BGR pictures (h, w, 3) of one known position (24 signed counts, bar empty)."""
    if not images:
        raise ValueError("a scene is learned from at least one picture")
    flat = flatten(images[0], camera, geometry)
    covered = covered_by_checkers(points, camera, geometry)
    surface = _filled(flat, covered, points, geometry)
    return Scene(surface, in_view(camera, geometry) & ~covered)


@lru_cache(maxsize=4)
def grid_mm(geometry: BoardGeometry) -> tuple[FloatArray, FloatArray]:
    """The x and y (mm) of each pixel of the flattened picture, both of shape (h, w)."""
    half_w = round((geometry.surface_width_mm / 2 + MARGIN_X_MM) / MM_PER_PIXEL)
    half_h = round((geometry.surface_height_mm / 2 + MARGIN_Y_MM) / MM_PER_PIXEL)
    across = np.arange(-half_w, half_w + 1) * MM_PER_PIXEL
    up = np.arange(half_h, -half_h - 1, -1) * MM_PER_PIXEL
    x_mm, y_mm = np.meshgrid(across, up)
    return x_mm, y_mm


@lru_cache(maxsize=4)
def _maps(camera: Camera, geometry: BoardGeometry) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    return camera.map_plane(*grid_mm(geometry), 0.0)


@lru_cache(maxsize=4)
def _quick_maps(camera: Camera, geometry: BoardGeometry) -> tuple[NDArray[np.int16], NDArray[np.uint16]]:
    whole, part = cv2.convertMaps(*_maps(camera, geometry), cv2.CV_16SC2)
    return np.asarray(whole, np.int16), np.asarray(part, np.uint16)


def flatten(image: Image, camera: Camera, geometry: BoardGeometry) -> Image:
    """Resample a picture on the grid of the scene, on the plane of the playing surface."""
    maps = _quick_maps(camera, geometry)
    return np.asarray(cv2.remap(image, *maps, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), np.uint8)


def in_view(camera: Camera, geometry: BoardGeometry) -> Mask:
    """Which pixels of the grid lie inside the picture, shape (h, w)."""
    u, v = _maps(camera, geometry)
    seen: Mask = (u >= 0) & (v >= 0) & (u <= camera.width - 1) & (v <= camera.height - 1)
    return seen


def to_grid(points_mm: FloatArray, geometry: BoardGeometry) -> FloatArray:
    """Columns and rows on the grid, shape (..., 2), of board points, shape (..., 2), in mm."""
    half_w = round((geometry.surface_width_mm / 2 + MARGIN_X_MM) / MM_PER_PIXEL)
    half_h = round((geometry.surface_height_mm / 2 + MARGIN_Y_MM) / MM_PER_PIXEL)
    points_mm = np.asarray(points_mm, float)
    return np.stack(
        [points_mm[..., 0] / MM_PER_PIXEL + half_w, half_h - points_mm[..., 1] / MM_PER_PIXEL], axis=-1
    )


def on_surface(geometry: BoardGeometry, inset_mm: float = 0.0) -> Mask:
    """Which pixels of the grid lie on the playing surface, at least ``inset_mm`` inside its edge."""
    x_mm, y_mm = grid_mm(geometry)
    inside: Mask = (np.abs(x_mm) <= geometry.surface_width_mm / 2 - inset_mm) & (
        np.abs(y_mm) <= geometry.surface_height_mm / 2 - inset_mm
    )
    return inside


def covered_by_checkers(points: Sequence[int], camera: Camera, geometry: BoardGeometry) -> Mask:
    """Where checkers of a position hide the surface on the grid, with a rim for shadows and sloppy rows."""
    x_mm, y_mm = grid_mm(geometry)
    hidden = np.zeros(x_mm.shape, np.uint8)
    radius = geometry.checker_diameter_mm / 2 + 7.0
    for index, count in enumerate(points):
        for place in range(min(abs(count), 5)):
            layers = 1 + (abs(count) - 1 - place) // 5
            top = geometry.slot(index + 1, place, layers - 1)
            foot = np.array([top[0], top[1]])
            head = camera.to_board(camera.project(top), 0.0)
            ends = to_grid(np.stack([foot, head]), geometry).round().astype(int)
            cv2.line(hidden, tuple(ends[0]), tuple(ends[1]), 255, int(2 * radius / MM_PER_PIXEL))
    return hidden > 0


def changes(scene: Scene, flat: Image) -> NDArray[np.float32]:
    """How far each pixel of a flattened picture is from the scene once the light is made even: (h, w), grey levels.

    Light that is brighter, dimmer or warmer over a wide area is not a change. Next to edges of the scene a
    pixel's width of misfit is forgiven.
    """
    light = _wide_light(flat, scene.surface)
    expected = (scene.surface.astype(np.float32) + _DARK) * light - _DARK
    low = cv2.erode(expected, np.ones((3, 3), np.uint8))
    high = cv2.dilate(expected, np.ones((3, 3), np.uint8))
    seen = flat.astype(np.float32)
    away = np.maximum(np.maximum(seen - high, low - seen), 0)
    total: NDArray[np.float32] = np.sqrt(cv2.transform(cv2.multiply(away, away), np.ones((1, 3), np.float32)))
    return total


def _wide_light(flat: Image, surface: Image, cell: int = 6, reach: int = 21) -> NDArray[np.float32]:
    """The slowly varying ratio (h, w, 3) of two pictures' light, robust to checkers and hands."""
    height, width = flat.shape[:2]
    size = (width // cell, height // cell)
    now = cv2.resize(flat, size, interpolation=cv2.INTER_AREA).astype(np.float32) + _DARK
    then = cv2.resize(surface, size, interpolation=cv2.INTER_AREA).astype(np.float32) + _DARK
    coded = np.clip((np.log(now / then) + 1.6) * 80, 0, 255).astype(np.uint8)
    calm = cv2.blur(cv2.medianBlur(coded, reach).astype(np.float32) / 80 - 1.6, (7, 7))
    return np.asarray(cv2.resize(np.exp(calm), (width, height)), np.float32)


def _filled(flat: Image, covered: Mask, points: Sequence[int], geometry: BoardGeometry) -> Image:
    """The flattened picture with the checkers of the position painted over from like columns."""
    surface = flat.copy()
    x_mm, y_mm = grid_mm(geometry)
    rest = covered.copy()
    for index, count in enumerate(points):
        donor = _donor(index + 1, points)
        if not count or donor is None:
            continue
        shift = geometry.column_x(donor) - geometry.column_x(index + 1)
        near = (np.abs(x_mm - geometry.column_x(index + 1)) < geometry.pitch_mm * 0.7) & (
            np.sign(y_mm) == geometry.side_of(index + 1)
        )
        rows, columns = np.nonzero(near & rest)
        source = columns + round(shift / MM_PER_PIXEL)
        inside = (source >= 0) & (source < flat.shape[1])
        rows, columns, source = rows[inside], columns[inside], source[inside]
        clean = ~covered[rows, source]
        surface[rows[clean], columns[clean]] = flat[rows[clean], source[clean]]
        rest[rows[clean], columns[clean]] = False
    return np.asarray(cv2.inpaint(surface, rest.astype(np.uint8), 5, cv2.INPAINT_TELEA), np.uint8)


def _donor(point: int, points: Sequence[int]) -> int | None:
    """The nearest empty point of the same colour on the same edge, one of the same quarter if there is one."""
    low = 1 if point <= 12 else 13
    same = [p for p in range(low, low + 12) if p != point and (p - point) % 2 == 0 and not points[p - 1]]
    if not same:
        return None
    return min(same, key=lambda p: (abs(p - point) + (6 if (p - 1) // 6 != (point - 1) // 6 else 0), p))


def scene_to_table(scene: Scene) -> dict[str, object]:
    """The scene as plain values for a TOML table; pictures as base64 text."""
    ok, jpeg = cv2.imencode(".jpg", scene.surface, [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY])
    done, png = cv2.imencode(".png", scene.known.astype(np.uint8) * 255, [cv2.IMWRITE_PNG_BILEVEL, 1])
    if not (ok and done):
        raise ValueError("the scene cannot be written as pictures")
    table: dict[str, object] = {
        "surface_jpeg": base64.b64encode(jpeg.tobytes()).decode("ascii"),
        "known_png": base64.b64encode(png.tobytes()).decode("ascii"),
    }
    if scene.cube_mm is not None:
        table["cube_mm"] = list(scene.cube_mm)
    return table


def scene_from_table(table: Mapping[str, object]) -> Scene:
    """The scene written by :func:`scene_to_table`; ``ValueError`` names the entry that is not right."""
    surface = _picture(table, "surface_jpeg", cv2.IMREAD_COLOR)
    known = _picture(table, "known_png", cv2.IMREAD_GRAYSCALE)
    if surface.shape[:2] != known.shape[:2]:
        raise ValueError("known_png and surface_jpeg are pictures of different sizes")
    cube = table.get("cube_mm")
    if cube is None:
        return Scene(surface, known > 127)
    if not (isinstance(cube, Sequence) and len(cube) == 2 and all(isinstance(v, int | float) for v in cube)):
        raise ValueError("cube_mm is not two numbers")
    return Scene(surface, known > 127, (float(cube[0]), float(cube[1])))


def _picture(table: Mapping[str, object], key: str, flags: int) -> Image:
    text = table.get(key)
    try:
        data = base64.b64decode(text, validate=True) if isinstance(text, str) else b""
    except ValueError:
        data = b""
    image = cv2.imdecode(np.frombuffer(data, np.uint8), flags) if data else None
    if image is None:
        raise ValueError(f"{key} does not hold a picture")
    return np.asarray(image, np.uint8)
