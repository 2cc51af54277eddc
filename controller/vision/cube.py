"""The doubling cube: where it lies, which number is up, and so whose it is."""

import numpy as np

from controller.vision.camera import Camera
from controller.vision.geometry import BoardGeometry
from controller.vision.reading import CubeSeen, Owner
from controller.vision.sheet import Picture
from controller.vision.spots import Search, find_spots, look_closely
from controller.vision.views import CUBE_CLASSES, CUBE_VIEW, LOGO, cube_picture, cube_sheet

# Each spot is looked at in so many turns (radians), and the answers are averaged.
TURNS = (0.0, 1.2, 2.5, 3.7, 5.0)
SEARCH = Search(least=0.1, radius=3, most=4)
LEAST_CERTAIN = 0.5
# Within this share of the way from the middle to a player's rail the cube is nobody's.
CENTRED_SHARE = 0.38


def find_cube(lit: Picture, camera: Camera, geometry: BoardGeometry) -> CubeSeen | None:
    """Find the cube in a picture, (h, w, 3) BGR uint8, in the light of the calibration.

    Centred it is worth 1 whatever its face shows. ``None`` where none is seen, or its number cannot be told.
    """
    sheet = cube_sheet(geometry)
    found = find_spots("cube_map", cube_picture(lit, camera, sheet), sheet, SEARCH)
    spots = [spot for spot, _ in found]
    if not spots:
        return None
    first = look_closely("cube", lit, camera, spots, CUBE_VIEW, TURNS[:1])
    k = int(np.argmin(first.chances[:, 0]))
    spot = (float(first.middles[k, 0]), float(first.middles[k, 1]))
    look = look_closely("cube", lit, camera, [spot], CUBE_VIEW, TURNS)
    chances = look.chances[0]
    faces: dict[int, float] = {}
    for kind, chance in zip(CUBE_CLASSES, chances[1:], strict=True):
        face = 64 if kind == LOGO else kind
        faces[face] = faces.get(face, 0.0) + float(chance)
    face = max(faces, key=lambda number: faces[number])
    owner = _owner(spot[1], geometry)
    sure = 1.0 - float(chances[0]) if owner == "center" else faces[face]
    if sure < LEAST_CERTAIN:
        return None
    x, y = camera.project(np.array([*look.middles[0], CUBE_VIEW.height_mm]))
    return CubeSeen(1 if owner == "center" else face, owner, sure, face, float(x), float(y))


def _owner(y_mm: float, geometry: BoardGeometry) -> Owner:
    share = y_mm / (geometry.surface_height_mm / 2)
    if abs(share) < CENTRED_SHARE:
        return "center"
    return "light" if share < 0 else "dark"
