"""The bare board in its place under its light, painted once for a setting and a place of the board."""

from dataclasses import dataclass

import cv2
import numpy as np

from controller.arrays import AnyFloatArray, FloatArray, GreyPicture, Mask, Picture
from controller.simulation.boards.setting import Extent, Light, Material, Part, Setting, extent, parts
from controller.simulation.painting.lighting import (
    BACK,
    Vector,
    ambient_colour,
    bulb_colours,
    encode,
    fresnel,
    gap_to,
    glint,
    lamp_colour,
    length,
    multiply,
    toward,
    vector,
)
from controller.simulation.painting.shadow import Casters, Solids, grid_over, shade
from controller.simulation.painting.stage import PixelBox, around
from controller.simulation.painting.texture import surface_picture, texture
from controller.vision import CameraModel

FINER = 2
# Light is worked out for one pixel in this many and smoothed in between.
COARSE = 4
TABLE, SURFACE, WOOD = 0, 1, 2
MARKER_CELLS = 6
TABLE_STEP_MM, TABLE_MARGIN_MM = 6.0, 200.0


@dataclass(frozen=True, slots=True)
class Cut:
    """Where a picture of a plane lies: the x of its left edge, the y of its upper edge, and its scale."""

    left_mm: float
    far_mm: float
    px_per_mm: float


@dataclass(frozen=True)
class Bare:
    """A bare board: ``picture`` (h, w, 3) without shadows on its floor, ``rail`` heights (h, w) in mm.

    ``kind`` (h, w) tells table, floor and frame apart; ``x_mm``, ``y_mm`` are where the floor lies at each pixel.
    """

    picture: Picture
    rail: AnyFloatArray
    kind: GreyPicture


def paint_bare(setting: Setting, board_camera: CameraModel) -> Bare:
    """The bare board; ``board_camera`` is the setting's camera in the frame of the board where it lies now."""
    size = (setting.camera.height, setting.camera.width)
    canvas = _table(setting, size)
    kind = np.zeros((size[0] * FINER, size[1] * FINER), np.uint8)
    whole = extent(setting)
    body = setting.frame.material
    block = Part(whole, -setting.frame.body_mm, 0.0, body)
    _sides(canvas, kind, board_camera, setting.light, block)
    rail = np.zeros(size, np.float32)
    _lay(
        canvas, kind, SURFACE, camera=board_camera, top=_floor_picture(setting, whole), box=whole, height=0.0
    )
    for part in sorted(parts(setting), key=lambda part: -_distance(board_camera, part)):
        if part.top_mm > 0:
            _sides(canvas, kind, board_camera, setting.light, part)
        picture = _top_picture(setting, part)
        patch, inside = _lay(
            canvas, kind, WOOD, camera=board_camera, top=picture, box=part.outline, height=part.top_mm
        )
        # The sides of a part that can be seen face the camera: nothing behind them shows.
        rail[patch.slices()][inside[::FINER, ::FINER]] = part.top_mm
    if setting.markers is not None:
        _markers(canvas, kind, setting, board_camera, whole)
    small = cv2.resize(canvas, (size[1], size[0]), interpolation=cv2.INTER_AREA)
    kinds = np.ascontiguousarray(kind[::FINER, ::FINER])
    return Bare(_light_up(setting, board_camera, np.asarray(small, np.uint8), kinds), rail, kinds)


def _distance(camera: CameraModel, part: Part) -> float:
    box = part.outline
    middle = np.array([(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, part.top_mm])
    return float(np.linalg.norm(camera.centre_mm - middle))


def _table(setting: Setting, size: tuple[int, int]) -> Picture:
    """The table all over the picture, in even light, finer than the picture."""
    camera, material = setting.camera, setting.table
    edge = np.array([[x, y] for x in np.linspace(0, size[1] - 1, 9) for y in np.linspace(0, size[0] - 1, 9)])
    height = -setting.frame.body_mm
    rays = camera.rays(edge)
    # Near the horizon the table would be endless: it is cut off there.
    down = rays[:, 2] < -0.15 * np.linalg.norm(rays, axis=1)
    spots = camera.to_board(edge[down], height)
    low, high = spots.min(0), spots.max(0)
    px_per_mm = min(1.6, 2600 / float((high - low).max()))
    shape = (round(float(high[1] - low[1]) * px_per_mm) + 1, round(float(high[0] - low[0]) * px_per_mm) + 1)
    picture = texture(material, shape, px_per_mm)
    cut = Cut(float(low[0]), float(high[1]), px_per_mm)
    return _resample(picture, camera, height, cut, PixelBox(0, 0, size[1], size[0]))


def _resample(picture: Picture, camera: CameraModel, height: float, cut: Cut, patch: PixelBox) -> Picture:
    """A picture of a level plane as the camera sees it on a patch, ``FINER`` times finer than the picture."""
    x, y = np.meshgrid(
        np.arange(patch.left, patch.right + 8, 8.0), np.arange(patch.top, patch.bottom + 8, 8.0)
    )
    where = camera.to_board(np.stack([x, y], -1), height)
    map_x = ((where[..., 0] - cut.left_mm) * cut.px_per_mm - 0.5).astype(np.float32)
    map_y = ((cut.far_mm - where[..., 1]) * cut.px_per_mm - 0.5).astype(np.float32)
    shift = (0.5 / FINER - 0.5) / 8
    back = np.array([[1 / (8 * FINER), 0, shift], [0, 1 / (8 * FINER), shift]])
    rows, columns = (FINER * side for side in patch.shape)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    x = cv2.warpAffine(map_x, back, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    y = cv2.warpAffine(map_y, back, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
    fixed, fraction = cv2.convertMaps(x, y, cv2.CV_16SC2)
    return np.asarray(
        cv2.remap(picture, fixed, fraction, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _floor_picture(setting: Setting, whole: Extent) -> tuple[Picture, float]:
    """The floor of the whole board: the surface, and the floors of the trays in the same cloth."""
    px_per_mm = _detail(setting)
    shape = (round((whole.y1 - whole.y0) * px_per_mm), round((whole.x1 - whole.x0) * px_per_mm))
    floor = texture(setting.surface, shape, px_per_mm)
    surface = surface_picture(setting, px_per_mm)
    top = round((whole.y1 - setting.geometry.surface_height_mm / 2) * px_per_mm)
    left = round((-setting.geometry.surface_width_mm / 2 - whole.x0) * px_per_mm)
    floor[top : top + surface.shape[0], left : left + surface.shape[1]] = surface[
        : shape[0] - top, : shape[1] - left
    ]
    return floor, px_per_mm


def _detail(setting: Setting) -> float:
    """Pixels per millimetre that textures need to be as fine as the picture."""
    ends = setting.camera.project(np.array([[-50.0, 0, 0], [50.0, 0, 0], [0, -50.0, 0], [0, 50.0, 0]]))
    scale = max(np.linalg.norm(ends[0] - ends[1]), np.linalg.norm(ends[2] - ends[3])) / 100
    return float(np.clip(1.7 * scale, 1.0, 4.0))


def _top_picture(setting: Setting, part: Part) -> tuple[Picture, float]:
    px_per_mm = _detail(setting)
    box = part.outline
    width, depth = box.x1 - box.x0, box.y1 - box.y0
    shape = (max(2, round(depth * px_per_mm)), max(2, round(width * px_per_mm)))
    lengthwise = depth > width
    picture = texture(part.material, shape[::-1] if lengthwise else shape, px_per_mm)
    if lengthwise:
        picture = np.ascontiguousarray(picture.transpose(1, 0, 2))
    is_bar = box.x0 < 0 < box.x1 and width < 0.3 * depth
    if is_bar:
        _hinges(picture, setting, px_per_mm)
        seam = picture.shape[1] // 2
        if setting.frame.hinges:
            cv2.line(
                picture, (seam, 0), (seam, picture.shape[0]), (15, 15, 15), max(1, round(0.7 * px_per_mm))
            )
    _round_edges(picture, px_per_mm)
    return picture, px_per_mm


def _hinges(picture: Picture, setting: Setting, px_per_mm: float) -> None:
    frame, height = setting.frame, picture.shape[0]
    half_w, half_h = round(11 * px_per_mm), round(16 * px_per_mm)
    middle = picture.shape[1] // 2
    half_w = min(half_w, middle - 1)
    for k in range(frame.hinges):
        y = round(height * (0.2 + 0.6 * k / max(1, frame.hinges - 1)))
        cv2.rectangle(picture, (middle - half_w, y - half_h), (middle + half_w, y + half_h), frame.hinge, -1)
        dark = tuple(0.4 * c for c in frame.hinge)
        cv2.line(picture, (middle, y - half_h), (middle, y + half_h), dark, max(2, round(1.5 * px_per_mm)))
        for dx in (-1, 1):
            for dy in (-1, 1):
                at = (middle + dx * half_w // 2, y + dy * half_h // 2)
                cv2.circle(picture, at, max(1, round(1.8 * px_per_mm)), dark, -1, cv2.LINE_AA)


def _round_edges(picture: Picture, px_per_mm: float) -> None:
    """Edges of wood are worn: a lighter line on one side, a darker on the other."""
    wide = max(1, round(0.9 * px_per_mm))
    lighter = picture[:wide].astype(np.float32) * 1.25 + 8
    picture[:wide] = np.clip(lighter, 0, 255).astype(np.uint8)
    picture[-wide:] = (picture[-wide:] * 0.75).astype(np.uint8)
    picture[:, :wide] = np.clip(picture[:, :wide] * 1.12 + 4, 0, 255).astype(np.uint8)
    picture[:, -wide:] = (picture[:, -wide:] * 0.85).astype(np.uint8)


def _lay(
    canvas: Picture,
    kind: GreyPicture,
    number: int,
    camera: CameraModel,
    top: tuple[Picture, float],
    box: Extent,
    height: float,
) -> tuple[PixelBox, Mask]:
    """Lay a picture of a rectangle at some height into the canvas; returns the patch and which finer pixels."""
    picture, px_per_mm = top
    patch, inside = _region(kind.shape, camera, _ring(box.corners(height)))
    if not patch.empty:
        cut = Cut(box.x0, box.y1, px_per_mm)
        laid = _resample(picture, camera, height, cut, patch)
        rows, columns = _finer(patch)
        canvas[rows, columns] = cv2.copyTo(laid, inside.view(np.uint8), canvas[rows, columns])
        kind[rows, columns][inside] = number
    return patch, inside


def _ring(corners: FloatArray) -> FloatArray:
    """An outline through corners with points in between, for bent lenses."""
    ahead = np.roll(corners, -1, axis=0)
    steps = np.linspace(0, 1, 12, endpoint=False)[None, :, None]
    return np.asarray((corners[:, None] * (1 - steps) + ahead[:, None] * steps).reshape(-1, 3), float)


def _finer(patch: PixelBox) -> tuple[slice, slice]:
    """Rows and columns of a patch in a picture that is ``FINER`` times finer."""
    return slice(patch.top * FINER, patch.bottom * FINER), slice(patch.left * FINER, patch.right * FINER)


def _region(shape: tuple[int, ...], camera: CameraModel, outline: FloatArray) -> tuple[PixelBox, Mask]:
    """The patch of the picture around an outline, and which of its finer pixels lie inside."""
    spots = camera.project(outline)
    patch = around(spots, 1.0, shape[1] // FINER, shape[0] // FINER)
    mask = np.zeros([FINER * side for side in patch.shape], np.uint8)
    if not patch.empty:
        fine = (spots - [patch.left, patch.top] + 0.5) * FINER - 0.5
        cv2.fillPoly(mask, [np.round(fine * 16).astype(np.int32)], 255, cv2.LINE_8, 4)
    return patch, mask > 0


def _sides(canvas: Picture, kind: GreyPicture, camera: CameraModel, light: Light, part: Part) -> None:
    """The upright sides of a box that face the camera."""
    corners, eye = part.corners(), camera.centre_mm
    outward = [(0.0, -1.0), (1.0, 0.0), (0.0, 1.0), (-1.0, 0.0)]
    base = np.asarray(part.material.colour, np.float32)
    for k, (nx, ny) in enumerate(outward):
        a, b = k, (k + 1) % 4
        middle = (corners[a] + corners[b]) / 2
        if nx * (eye[0] - middle[0]) + ny * (eye[1] - middle[1]) <= 0:
            continue
        falling = 0.45 * light.ambient
        for lamp in light.lamps:
            aim, strength = toward(vector(middle), lamp)
            falling += lamp.power * max(0.0, float(aim[0] * nx + aim[1] * ny)) * float(strength)
        outline = _ring(np.array([corners[a], corners[b], corners[b + 4], corners[a + 4]]))
        patch, inside = _region(kind.shape, camera, outline)
        rows, columns = _finer(patch)
        grain = 1 + 0.02 * np.sin(np.arange(inside.shape[1], dtype=np.float32) * 0.35)
        colour = np.clip(base[None] * np.sqrt(min(falling, 1.2)) * grain[:, None], 0, 255).astype(np.uint8)
        canvas[rows, columns][inside] = np.broadcast_to(colour[None], (*inside.shape, 3))[inside]
        kind[rows, columns][inside] = WOOD


def _markers(
    canvas: Picture, kind: GreyPicture, setting: Setting, camera: CameraModel, whole: Extent
) -> None:
    """Printed squares on the corners of the frame by light's 1-, 12-, 13- and 24-point."""
    assert setting.markers is not None
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    size = setting.markers.size_mm
    border = size / MARKER_CELLS
    right = setting.geometry.home == "right"
    near, far = whole.y0 + size / 2 + border, whole.y1 - size / 2 - border
    home = whole.x1 - size / 2 - border if right else whole.x0 + size / 2 + border
    away = whole.x0 + size / 2 + border if right else whole.x1 - size / 2 - border
    for number, (x, y) in enumerate(((home, near), (away, near), (away, far), (home, far))):
        square = cv2.aruco.generateImageMarker(dictionary, number, MARKER_CELLS * 10)
        framed = cv2.copyMakeBorder(square, 10, 10, 10, 10, cv2.BORDER_CONSTANT, value=255)
        turned = np.rot90(framed, setting.markers.quarter_turns[number])
        picture = cv2.cvtColor(np.ascontiguousarray(25 + 0.84 * turned).astype(np.uint8), cv2.COLOR_GRAY2BGR)
        half = size / 2 + border
        box = Extent(x - half, y - half, x + half, y + half)
        top = np.asarray(picture, np.uint8), picture.shape[0] / (2 * half)
        _lay(canvas, kind, WOOD, camera=camera, top=top, box=box, height=setting.frame.rail_height_mm)


def _light_up(setting: Setting, camera: CameraModel, canvas: Picture, kind: GreyPicture) -> Picture:
    """The picture under the setting's light: lamps near some places, glare, and the board's shadow on the table."""
    light = setting.light
    height, width = kind.shape
    x, y = np.meshgrid(np.arange(0, width, COARSE) + 1.5, np.arange(0, height, COARSE) + 1.5)
    pixels = np.stack([x, y], -1)
    where = camera.to_board(pixels).astype(np.float32)
    place = (where[..., 0], where[..., 1], np.zeros_like(where[..., 0]))
    gap = gap_to(place, camera.centre_mm)
    eye = multiply(gap, 1 / length(gap))
    ray = (-eye[0], -eye[1], eye[2])
    falling = np.broadcast_to(ambient_colour(light), (*where.shape[:2], 3)).copy()
    for lamp in light.lamps:
        aim, strength = toward(place, lamp)
        falling += (np.maximum(aim[2], 0) * strength)[..., None] * lamp_colour(lamp)
    shadow = _table_shadow(setting, camera, pixels)
    total = np.asarray(cv2.LUT(canvas, BACK), np.float32) * _enlarge(falling, width, height)
    total *= np.where(kind == TABLE, _enlarge(shadow, width, height), np.float32(1))[..., None]
    for number, material in (
        (TABLE, setting.table),
        (SURFACE, setting.surface),
        (WOOD, setting.frame.material),
    ):
        part = _shine(material, light, eye, ray, place)
        if float(part.max()) > 0.004:
            total += _enlarge(part, width, height) * np.asarray(kind == number, np.float32)[..., None]
    return np.asarray(np.clip(encode(total), 0, 255), np.uint8)


def _enlarge(coarse: AnyFloatArray, width: int, height: int) -> AnyFloatArray:
    fine = cv2.resize(
        coarse, (coarse.shape[1] * COARSE, coarse.shape[0] * COARSE), interpolation=cv2.INTER_LINEAR
    )
    return np.asarray(fine[:height, :width], np.float32)


def _shine(material: Material, light: Light, eye: Vector, ray: Vector, place: Vector) -> AnyFloatArray:
    share = fresnel(eye[2], material.gloss)
    total = np.broadcast_to(0.5 * ambient_colour(light), (*share.shape, 3)).copy()
    if material.gloss > 0:
        for lamp, colour in zip(light.lamps, bulb_colours(light), strict=True):
            total += glint(ray, place, lamp, material.roughness)[..., None] * colour
    return np.asarray(share[..., None] * total, np.float32)


def _table_shadow(setting: Setting, camera: CameraModel, pixels: FloatArray) -> AnyFloatArray:
    """The board's own shadow on the table, 0..1 at each coarse pixel."""
    whole, height = extent(setting), -setting.frame.body_mm
    corners = np.concatenate([whole.corners(height), whole.corners(setting.frame.rail_height_mm)])
    grid = grid_over(whole, TABLE_MARGIN_MM, TABLE_STEP_MM)
    dark = shade(grid, setting.light, Casters(Solids(blocks=[corners])), height)
    where = camera.to_board(pixels, height)
    map_x = ((where[..., 0] - grid.left_mm) / grid.step_mm).astype(np.float32)
    map_y = ((where[..., 1] - grid.near_mm) / grid.step_mm).astype(np.float32)
    sampled = cv2.remap(dark, map_x, map_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=255)
    return np.asarray(sampled, np.float32) / np.float32(255)
