"""The doubling cube: where it lies, which number is up, and so whose it is."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from controller.arrays import FloatArray, Picture
from controller.vision.dice.patches import CloseLook, Sight
from controller.vision.dice.places import GroundChange
from controller.vision.dice.spots import (
    Search,
    SpotsSeen,
    SpotTold,
    checker_faces,
    draw_map,
    is_side_of,
    lies_on,
    look_closely,
    spots_of,
)
from controller.vision.dice.views import CUBE_CLASSES, CUBE_VIEW, LOGO, Spot, cube_picture, cube_sheet
from controller.vision.fitted.last_layer import LastLayer
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.geometry.seen import CubeSeen, Owner

CLOSE_LOOK = CloseLook("cube", CUBE_VIEW, turns=(-0.6, 0.6), follow=False)
SEARCH = Search("cube_map", least=0.05, radius=2, most=6, field=3)
# A cube is told where one is likelier than none, with a number that is at least so certain: its confidence tells the
# doubt.
LEAST_LIKELY, LEAST_CERTAIN = 0.5, 0.35
# A spot that is nothing with no more than this chance plainly is one of the faces of the cube, which are no further
# from each other than this for a camera that stands twice as far aside as above.
PLAINLY, FACES_MM = 0.05, 60.0
# Within this share of the way from the middle to a player's rail the cube is nobody's.
CENTRED_SHARE = 0.38
# What looks like a cube among the points, on a corner of the frame, or on the bar away from its middle and the rails,
# is so much likelier a die, a checker, a fitting or a hinge: of 152 rendered and painted cubes on a bar none lay
# there.
ODD_PLACE = 0.1
BESIDE_BAR_MM, BY_RAIL_MM = 12.0, 45.0
# How much a peak of the map speaks for the cube (log odds) by how much it is higher than one that says nothing. Of
# 648 cubes on painted and rendered boards 617 to 619 are told rightly with 3 to 8, and 614 without.
PEAK_SPEAKS, PLAIN_PEAK = 5.0, 0.6
# A maker's mark stands where others have the 64, so it hardly ever lies upward once the cube was turned.
LOGO_TURNED = 0.1


def find_cube(
    lit: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    points: Sequence[int] = (),
    earlier: SpotsSeen | None = None,
    change: GroundChange | None = None,
    last: LastLayer | None = None,
) -> tuple[CubeSeen | None, SpotsSeen]:
    """Find the cube in a picture, (h, w, 3) BGR uint8, in the light of the calibration.

    ``points`` are the checkers that were read (24 signed counts): the cube lies on none of them. Centred it is worth
    1 whatever its face shows. ``None`` where none is seen, or its number cannot be told. What was seen ``earlier`` in
    the same light and from the same place is only looked at again where the ground has changed since; without a
    ``change`` everything is. ``last`` is what was learned of this table's cube. With the cube comes what the next
    search may go on from.
    """
    grid = cube_sheet(geometry)

    def paint(rows: slice, columns: slice) -> Picture:
        return cube_picture(lit, camera, grid.part(rows, columns))

    heat = draw_map(SEARCH, paint, grid, earlier, change)
    checkers = checker_faces(camera, geometry, points, CUBE_VIEW.height_mm)
    peaks = {
        spot: peak for spot, peak in spots_of(heat, grid, SEARCH) if not lies_on(spot, checkers, geometry)
    }
    spots = list(peaks)

    def look(few: Sequence[Spot]) -> Mapping[Spot, SpotTold]:
        return look_closely(replace(CLOSE_LOOK, last=last), Sight(lit, camera), few, earlier, change)

    # There is one cube. Where the likeliest spot plainly shows it, only its own faces are left to be told apart.
    told = look(spots[:1])
    plain = any(one.chances[0] <= PLAINLY for one in told.values())
    told = {**told, **look([spot for spot in spots[1:] if not plain or math.dist(spot, spots[0]) < FACES_MM])}
    told = {spot: replace(one, peak=peaks[spot]) for spot, one in told.items()}
    return judge_cube(list(told.values()), camera, geometry), SpotsSeen(heat, told)


def cube_spot(camera: CameraModel, cube: CubeSeen) -> Spot:
    """Where a cube that is seen lies on the board (mm)."""
    x, y = camera.to_board(np.array([cube.x, cube.y]), CUBE_VIEW.height_mm).tolist()
    return x, y


def judge_cube(told: Sequence[SpotTold], camera: CameraModel, geometry: BoardGeometry) -> CubeSeen | None:
    """The cube among spots that were looked at closely, ``None`` where it is none of them."""
    if not told:
        return None
    places = [one.middle for one in told]
    chances = np.array([_weigh(hear_map(one.chances, one.peak), one.middle, geometry) for one in told])
    likely = [place for place, nothing in zip(places, chances[:, 0], strict=True) if nothing < 0.5]
    upper = [
        number
        for number, place in enumerate(places)
        if not any(is_side_of(place, other, camera, CUBE_VIEW) for other in likely)
    ]
    best = min(upper, key=lambda number: chances[number, 0])
    owner = _owner(places[best][1], geometry)
    face, sure = _number(chances[best], owner)
    if chances[best, 0] > 1 - LEAST_LIKELY or sure < LEAST_CERTAIN:
        return None
    x, y = camera.project(np.array([*places[best], CUBE_VIEW.height_mm]))
    return CubeSeen(1 if owner == "center" else face, owner, sure, face, float(x), float(y))


def hear_map(chances: FloatArray, peak: float | None) -> FloatArray:
    """The chances of nothing and of each class, with what the height of the map's peak (0..1) says to it."""
    if peak is None:
        return chances
    heard = chances.copy()
    heard[1:] *= math.exp(PEAK_SPEAKS * (peak - PLAIN_PEAK))
    return np.asarray(heard / heard.sum(), float)


def _weigh(chances: FloatArray, place: Spot, geometry: BoardGeometry) -> FloatArray:
    """The chances of nothing and of each class at a place (mm), with how seldom the cube lies at such a place."""
    x, y, middle = abs(place[0]), abs(place[1]), geometry.surface_height_mm / 2
    on_bar = x <= geometry.bar_mm / 2 + BESIDE_BAR_MM
    centred = on_bar and y < CENTRED_SHARE * middle
    beside = x >= geometry.surface_width_mm / 2
    if not (beside and y > middle) and (centred or beside or y > middle - BY_RAIL_MM):
        return chances
    weighed = chances * np.where(np.arange(len(chances)) == 0, 1.0, ODD_PLACE)
    return np.asarray(weighed / weighed.sum(), float)


def _number(chances: FloatArray, owner: Owner) -> tuple[int, float]:
    """The number on a face and how sure the cube's value is, from the chances of nothing and of each class."""
    faces: dict[int, float] = {}
    for kind, chance in zip(CUBE_CLASSES, chances[1:], strict=True):
        face = 64 if kind == LOGO else kind
        weight = LOGO_TURNED if kind == LOGO and owner != "center" else 1.0
        faces[face] = faces.get(face, 0.0) + weight * float(chance)
    face = max(faces, key=lambda number: faces[number])
    total = sum(faces.values()) + float(chances[0])
    return face, (sum(faces.values()) if owner == "center" else faces[face]) / total


def _owner(y_mm: float, geometry: BoardGeometry) -> Owner:
    share = y_mm / (geometry.surface_height_mm / 2)
    if abs(share) < CENTRED_SHARE:
        return "center"
    return "light" if share < 0 else "dark"
