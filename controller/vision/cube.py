"""The doubling cube: where it lies, which number is up, and so whose it is."""

import numpy as np

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.patches import Search, View, find_spots, look_closely
from controller.vision.reading import CubeSeen, Owner
from controller.vision.sheet import Picture, Sheet

# The plane (nominal mm) on which the upper face is looked for.
FACE_MM = 25.0
VIEW = View(FACE_MM, step_mm=1.1, size=32, turns=(0.0, 0.6))
SEARCH = Search(least=0.1, radius=3, most=4)
# The sheet is coarse and reaches past trays, and past the rails at either end.
STEP_MM = 3.0
BESIDE_MM = 165.0
BEYOND_MM = 24.0
# What the network tells apart besides nothing; a maker's mark may stand in place of the 64.
LOGO = 1
CLASSES = (2, 4, 8, 16, 32, 64, LOGO)
LEAST_CERTAIN = 0.5
# Within this share of the way from the middle to a player's rail the cube is nobody's.
CENTRED_SHARE = 0.38


def cube_sheet(geometry: BoardGeometry) -> Sheet:
    """The coarse sheet on which the cube is looked for: the surface, trays, and the table beside them."""
    width = geometry.surface_width_mm + 2 * BESIDE_MM
    height = geometry.surface_height_mm + 2 * BEYOND_MM
    rows, columns = round(height / STEP_MM) + 1, round(width / STEP_MM) + 1
    return Sheet(-width / 2, -height / 2, rows, columns, STEP_MM)


def find_cube(lit: Picture, camera: Camera, geometry: BoardGeometry) -> CubeSeen | None:
    """Find the cube in a picture, (h, w, 3) BGR uint8, in the light of the calibration.

    Centred it is worth 1 whatever its face shows. ``None`` where none is seen, or its number cannot be told.
    """
    sheet = cube_sheet(geometry)
    spots = find_spots("cube_map", cube_picture(lit, camera, sheet), sheet, SEARCH)
    if not spots:
        return None
    chances, _ = look_closely("cube", lit, camera, spots, VIEW)
    best = int(np.argmin(chances[:, 0]))
    faces: dict[int, float] = {}
    for kind, chance in zip(CLASSES, chances[best, 1:], strict=True):
        face = 64 if kind == LOGO else kind
        faces[face] = faces.get(face, 0.0) + float(chance)
    face = max(faces, key=lambda number: faces[number])
    owner = _owner(spots[best][1], geometry)
    sure = 1.0 - float(chances[best, 0]) if owner == "center" else faces[face]
    if sure < LEAST_CERTAIN:
        return None
    x, y = camera.project(np.array([*spots[best], FACE_MM]))
    return CubeSeen(1 if owner == "center" else face, owner, sure, face, float(x), float(y))


def cube_picture(lit: Picture, camera: Camera, sheet: Sheet) -> Picture:
    """The board and what is beside it laid flat at the height of the cube's face, (rows, columns, 3)."""
    return sheet.flatten(lit, camera, FACE_MM)


def _owner(y_mm: float, geometry: BoardGeometry) -> Owner:
    share = y_mm / (geometry.surface_height_mm / 2)
    if abs(share) < CENTRED_SHARE:
        return "center"
    return "light" if share < 0 else "dark"
