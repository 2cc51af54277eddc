"""Cuts rendered pictures into what the network that tells the numbers of dice learns from."""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from calibration.training.dice.dice_cuts import VIEWS, Patch, side_faces, spots_about, spots_beside
from calibration.training.rendered.laying import DieLaid, DiscLaid, Laying, Panel
from calibration.training.rendered.sensor import any_sensor
from calibration.training.rendered.stills import Still
from calibration.training.variety import scaled_camera
from controller.arrays import FloatArray, Picture
from controller.vision import CameraModel
from controller.vision.dice.views import Spot, cut_patch, facing

Random = np.random.Generator

KEPT = VIEWS["die"]
# Each rendered picture is taken this many times, with this many pixels a millimetre.
TAKEN, FINENESS = 6, (0.5, 2.0)
# Of the spots with nothing, this many are kept for each die; so far from any, as a share of the height of its face.
NOTHING_EACH, AWAY_SHARE = 0.6, 0.7
# Between checkers whose middles are no further apart than this many radii, side by side or across four, is a gap.
GAP_SHARE = 3.1
# Nearer to the edge of the picture nothing is looked at.
EDGE_PX = 8.0


def cut_dice(still: Still, random: Random) -> Iterator[Patch]:
    """The patches of one rendered picture, taken several times by different cameras."""
    laying = still.laying
    own = laying.camera.focal / float(np.linalg.norm(laying.camera.centre_mm))
    for _ in range(TAKEN):
        share = min(1.0, float(np.exp(random.uniform(*np.log(FINENESS)))) / own)
        picture = any_sensor(random).take(still.light, share, random)
        yield from _cut(picture, scaled_camera(laying.camera, share), laying, random)


def _cut(picture: Picture, camera: CameraModel, laying: Laying, random: Random) -> Iterator[Patch]:
    height = KEPT.height_mm

    def patch(spot: Spot, value: int = 0, cocked: bool = False) -> Patch:
        turn, slant = facing(camera, spot, KEPT)
        return Patch(cut_patch(picture, camera, spot, KEPT, turn), value, cocked, slant)

    def inside(spot: Spot) -> bool:
        x, y = camera.project(np.array([*spot, height]))
        return bool(EDGE_PX < x < camera.width - EDGE_PX and EDGE_PX < y < camera.height - EDGE_PX)

    places = [camera.to_board(camera.project(top_of(laying, die)), height) for die in laying.dice]
    for die, (x, y) in zip(laying.dice, places, strict=True):
        before = any(_is_before(panel, top_of(laying, die), camera) for panel in laying.panels)
        if inside((float(x), float(y))) and not before:
            yield patch((float(x), float(y)), die.value, die.cocked)
    reach = 0.5 * camera.width * float(np.linalg.norm(camera.centre_mm)) / camera.focal
    nothing: list[Spot] = [
        *side_faces(places, camera, height, random),
        *spots_beside(places, height, random),
        *spots_about([np.array(cube.place) for cube in laying.cubes], height, random),
        *spots_about([np.array(disc.place) for disc in laying.discs], height, random, 2),
        *_between(laying.discs, camera, random),
        *((float(x), float(y)) for x, y in random.uniform(-reach, reach, (2, 2))),
    ]
    for number in random.permutation(len(nothing))[: round(NOTHING_EACH * len(places))]:
        x, y = nothing[number]
        away = all(np.hypot(place[0] - x, place[1] - y) > AWAY_SHARE * height for place in places)
        if away and inside((float(x), float(y))):
            yield patch((float(x), float(y)))


def _is_before(panel: Panel, place: FloatArray, camera: CameraModel) -> bool:
    """Whether a lamp hides a place, (3,) mm, from the camera: lamps face the middle of the ground."""
    middle = np.array(panel.place)
    ahead = -middle / np.linalg.norm(middle)
    right = np.cross(ahead, [0.0, 0.0, 1.0] if abs(ahead[2]) < 0.9 else [1.0, 0.0, 0.0])
    right /= np.linalg.norm(right)
    away = camera.centre_mm - place
    share = float((middle - place) @ ahead / (away @ ahead))
    off = place + share * away - middle
    wide, high = panel.size
    across, along = abs(float(off @ right)), abs(float(off @ np.cross(ahead, right)))
    return 0 < share < 1 and across < wide / 2 and along < high / 2


def _between(discs: Sequence[DiscLaid], camera: CameraModel, random: Random) -> Iterator[Spot]:
    """About the gaps between checkers that touch: the ground shines through them like a pip."""
    for disc, other in combinations(discs, 2):
        if np.hypot(*np.subtract(disc.place, other.place)) < GAP_SHARE * disc.radius:
            middle = (np.array(disc.place) + other.place) / 2 + random.normal(0, 1.0, 2)
            x, y = camera.to_board(camera.project(np.array([*middle, 0.0])), KEPT.height_mm)
            yield float(x), float(y)


def top_of(laying: Laying, die: DieLaid) -> FloatArray:
    """The middle of a die's upper face on the board, (3,) mm."""
    turn = np.array(die.turn)
    number = int(np.argmax(np.abs(turn[2])))
    up = turn[:, number] * np.sign(turn[2, number])
    return np.asarray(np.array(die.centre) + up * laying.kinds[die.kind].side / 2, float)
