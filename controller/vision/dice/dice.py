"""Dice on the playing surface: where they lie and which number is up.

One network draws a map of where upper faces of dice are seen on the board laid flat, another looks closely at each
such place and tells the number, or that there is no die after all.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import exp

import cv2
import numpy as np

from controller.arrays import Picture
from controller.vision.counting.appearance import Appearance
from controller.vision.dice.coarse import misread_share
from controller.vision.dice.cube import cube_spot
from controller.vision.dice.patches import CloseLook, Sight
from controller.vision.dice.places import GroundChange
from controller.vision.dice.room import room_odds
from controller.vision.dice.spots import (
    Search,
    SpotsSeen,
    SpotTold,
    checker_faces,
    draw_map,
    height_at,
    lies_on,
    look_closely,
    overlaps_checker,
    spots_of,
)
from controller.vision.dice.touching import look_beside, side_odds
from controller.vision.dice.views import CUBE_VIEW, DIE_VIEW, Spot
from controller.vision.fitted.last_layer import LastLayer
from controller.vision.geometry.board_grid import surface_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import BoardGeometry
from controller.vision.geometry.seen import CubeSeen, DieSeen

# A mirrored lamp draws the place of a die to itself; patches shifted by 1.8 to 2.3 mm help equally well. On rendered
# boards the map peaked up to 9 mm before the upper face of a die, on its side; a look finds a face 3.5 mm beside it.
CLOSE_LOOK = CloseLook(
    "dice", DIE_VIEW, turns=(-0.5, 0.5), follow=True, shift_mm=2.0, behind_mm=(5.0, 8.5), mirrored=True
)
SEARCH = Search("dice_map", least=0.4, radius=2, most=12)
# Where an odd number of dice was found, the fellow of one may lie where the map peaks less; it must show one number.
FAINT = replace(SEARCH, least=0.2)
COCKED = 0.5
# What is likelier a die than not may have a fellow beside it.
EVEN = 0.5
# Bodies that differ by this many grey levels are of two kinds; this share of a face is looked at.
TWO_KINDS = 60.0
BODY_PIXELS = 9
# Two dice cannot lie nearer than this.
APART_MM = 8.0
# The faces of the cube are seen so near to the line from the middle of its upper face down to this height.
CUBE_REACH_MM = 12.0
CUBE_SIDE_MM = 10.0
# How often a board at rest shows no die, one, two, three and four (both players' pairs); estimated, not counted.
SHARES = (0.25, 0.03, 0.6, 0.02, 0.1)
# How much likelier a glossy checker's highlight or dish is than a die that lies on a checker, and the ground that
# shines through a gap between checkers than a die that lies level in it.
ON_CHECKER = 0.03
SUREST = 0.999
# What is plainly nothing has no number at all: nothing is divided by less than this.
LEAST = 1e-12
# The map is a witness of its own: how much a peak speaks for a die (log odds) by how much it is higher than one that
# says nothing. Fitted to 318 spots on twelve painted boards that nothing learned from: 255 dice, 63 other things.
# On a checker it only speaks against: the map takes a highlight there for a die as the close look does.
PEAK_SPEAKS, PLAIN_PEAK = 8.0, 0.65
# A die that is less likely than this may be something else that is taken for the fellow of a die: when a reflection
# was painted over one of two dice on 26 boards, eight times something was, with 0.28 at most. In 272 pictures of 28
# boards as they are, real dice that are read in doubt have 0.37 and more where a lamp mirrors elsewhere.
PLAIN = 0.3
# Dice may stand against the rail, their faces showing a little outside of the surface.
OUTSIDE_MM = 4.0


def find_dice(
    lit: Picture,
    camera: CameraModel,
    geometry: BoardGeometry,
    look: Appearance,
    points: Sequence[int],
    cube: CubeSeen | None = None,
    earlier: SpotsSeen | None = None,
    change: GroundChange | None = None,
    closer: Sight | None = None,
    last: LastLayer | None = None,
) -> tuple[tuple[DieSeen, ...], SpotsSeen]:
    """Find the dice in a picture, (h, w, 3) BGR uint8, that is in the light of the appearance.

    ``points`` are the checkers that were read (24 signed counts); the faces of ``cube``, where one was seen, are no
    dice. At most four are returned, the most certain first. A die of which a good part is hidden is left out rather
    than guessed. What was seen ``earlier`` in the same light and from the same place is only looked at again where
    the ground has changed since; without a ``change`` everything is. ``closer`` is the same picture with more pixels,
    where there is one: the numbers are read there. ``last`` is what was learned of this table's dice. With the dice
    comes what the next search may go on from.
    """

    grid, ground = surface_grid(geometry), _ground(look, camera, geometry)

    def paint(rows: slice, columns: slice) -> Picture:
        return beside_ground(
            grid.part(rows, columns).flatten(lit, camera, DIE_VIEW.height_mm), ground[rows, columns]
        )

    heat = draw_map(SEARCH, paint, grid, earlier, change)
    peaks = {spot: peak for spot, peak in spots_of(heat, grid, SEARCH) if _on_surface(spot, geometry)}
    sight, how = closer or Sight(lit, camera), replace(CLOSE_LOOK, last=last)
    told = look_closely(how, sight, list(peaks), earlier, change)
    misread = misread_share(sight) if told else 0.0
    told = {spot: replace(one, peak=peaks[spot], misread=misread) for spot, one in told.items()}
    faces = _weigh_faces(list(told.values()), camera, geometry, points, cube)
    likely = [one.face.spot for one in faces if one.is_die > EVEN]
    if len(likely) % 2:
        # Nobody rolls one die: its fellow may touch it, and the map show both as one, or hardly show on the map.
        known = list(told.values())
        faint = [
            spot
            for spot, _ in spots_of(heat, grid, FAINT)
            if spot not in told and _on_surface(spot, geometry)
        ]
        shown = look_closely(how, sight, faint)
        fellows = {spot: one for spot, one in shown.items() if one.chances[1:].max() > EVEN}
        fellows |= look_beside(how, sight, likely, known)
        told |= {
            spot: replace(one, peak=height_at(heat, grid, one.middle), misread=misread)
            for spot, one in fellows.items()
        }
    dice = judge_dice(list(told.values()), camera, geometry, points, cube)
    return _tell_owners(dice, lit), SpotsSeen(heat, told)


def judge_dice(
    told: Sequence[SpotTold],
    camera: CameraModel,
    geometry: BoardGeometry,
    points: Sequence[int],
    cube: CubeSeen | None = None,
) -> list[DieSeen]:
    """The dice among spots that were looked at closely, the most certain first; else as `find_dice`."""
    ranked = _weigh_faces(told, camera, geometry, points, cube)
    number = likeliest_number([one.is_die for one in ranked])
    dice = [_die(one.face, one.is_told, camera) for one in ranked[:number]]
    return sorted(dice, key=lambda die: -die.confidence)


def lacks_die(dice: Sequence[DieSeen]) -> bool:
    """Whether one die of a pair is not seen: nobody rolls one."""
    return sum(die.confidence >= PLAIN for die in dice) % 2 == 1


def _weigh_faces(
    told: Sequence[SpotTold],
    camera: CameraModel,
    geometry: BoardGeometry,
    points: Sequence[int],
    cube: CubeSeen | None,
) -> list["PlacedFace"]:
    """What may be the upper faces of dice, the likeliest first."""
    faces = _faces(told)
    if cube is not None:
        faces = _off_cube(faces, cube, camera)
    checkers = checker_faces(camera, geometry, points, DIE_VIEW.height_mm)
    placed: list[PlacedFace] = []
    for face in sorted(faces, key=lambda face: -face.chance):
        if any(np.hypot(*np.subtract(face.spot, other.face.spot)) < APART_MM for other in placed):
            continue
        on_checker = lies_on(face.spot, checkers, geometry) or (
            not face.cocked and overlaps_checker(face.spot, geometry, points)
        )
        room = 1.0 if on_checker or face.cocked else room_odds(face.spot, camera, geometry, points)
        sides = [
            1 - other.chance * (1 - side_odds(face.spot, other.spot, camera))
            for other in faces
            if other is not face
        ]
        placed.append(PlacedFace(face, on_checker, min(sides, default=1.0) * room))
    return sorted(placed, key=lambda one: -one.is_die)


def _die(face: "Face", chance: float, camera: CameraModel) -> DieSeen:
    x, y = camera.project(np.array([*face.spot, DIE_VIEW.height_mm]))
    sure = min(chance, max(face.shares)) * (1 - face.misread)
    return DieSeen(face.value, float(x), float(y), sure, face.cocked, shares=face.shares)


@lru_cache(maxsize=4)
def _ground(look: Appearance, camera: CameraModel, geometry: BoardGeometry) -> Picture:
    """The bare board as seen at the height of a die's face: the same while nothing is pushed."""
    grid = surface_grid(geometry)
    return grid.lift(look.bare_surface(geometry), grid, camera, DIE_VIEW.height_mm)


def beside_ground(flat: Picture, ground: Picture) -> Picture:
    """A flat picture and how it differs from the bare ground, (rows, columns, 4): as `views.die_picture` gives it."""
    blue, green, red = cv2.split(cv2.absdiff(flat, ground))
    return np.asarray(cv2.merge([*cv2.split(flat), cv2.max(cv2.max(blue, green), red)]), np.uint8)


@dataclass(frozen=True, slots=True)
class Face:
    """What may be the upper face of a die: where (mm), the chance that it is one (0..1), the shares of the numbers 1
    to 6 on it, whether it leans, how high the map peaks there, and how often what looks so is misread.
    """

    spot: Spot
    chance: float
    shares: tuple[float, ...]
    cocked: bool
    peak: float | None
    misread: float

    @property
    def value(self) -> int:
        """The likeliest number."""
        return self.shares.index(max(self.shares)) + 1

    @property
    def sure(self) -> float:
        """The chance that it is a die: what shows no clear number is less surely one.

        On painted boards that nothing learned from, this root told dice best from other things that a map peaks at.
        """
        return self.chance * float(np.sqrt(max(self.shares)))

    @property
    def surely_told(self) -> float:
        """The chance that it is a die with that number up."""
        return self.chance * max(self.shares)


@dataclass(frozen=True, slots=True)
class PlacedFace:
    """A face with what its place says: whether a checker lies there, and a factor of the odds that it is a die's."""

    face: Face
    on_checker: bool
    place: float

    @property
    def is_die(self) -> float:
        """The chance that it is a die's."""
        return weigh(self.face.sure, on_checker=self.on_checker, peak=self.face.peak, place=self.place)

    @property
    def is_told(self) -> float:
        """The chance that it is a die's with that number up."""
        return weigh(self.face.surely_told, on_checker=self.on_checker, peak=self.face.peak, place=self.place)


def _faces(told: Sequence[SpotTold]) -> list[Face]:
    """What looks like a face of a die, of what close looks told."""
    faces = []
    for one in told:
        chance = max(1 - float(one.chances[0]), 1 - SUREST)
        shares = tuple((one.chances[1:] / max(float(one.chances[1:].sum()), LEAST)).tolist())
        faces.append(Face(one.middle, chance, shares, one.cocked > COCKED, one.peak, one.misread))
    return faces


def _off_cube(faces: Sequence[Face], cube: CubeSeen, camera: CameraModel) -> list[Face]:
    """The faces that are not where the upper face or a side of the cube is seen."""
    top = cube_spot(camera, cube)
    seen = camera.project(np.array([[*top, CUBE_VIEW.height_mm], [*top, CUBE_SIDE_MM]]))
    above, below = camera.to_board(seen, DIE_VIEW.height_mm)
    along = below - above
    kept = []
    for face in faces:
        share = np.clip((face.spot - above) @ along / max(float(along @ along), 1e-6), 0, 1)
        if np.hypot(*(face.spot - above - share * along)) >= CUBE_REACH_MM:
            kept.append(face)
    return kept


def _tell_owners(dice: list[DieSeen], lit: Picture) -> tuple[DieSeen, ...]:
    """The dice with their owners, if some are much paler than others."""
    tones = [_tone(die, lit) for die in dice]
    if not dice or max(tones) - min(tones) < TWO_KINDS:
        return tuple(dice)
    middle = (max(tones) + min(tones)) / 2
    return tuple(
        replace(die, owner="light" if tone > middle else "dark")
        for die, tone in zip(dice, tones, strict=True)
    )


def _tone(die: DieSeen, lit: Picture) -> float:
    """The grey level of a die's body: most of its face is body."""
    size = (BODY_PIXELS, BODY_PIXELS)
    return float(np.median(cv2.getRectSubPix(lit, size, (die.x, die.y)).mean(axis=2)))


def _on_surface(spot: Spot, geometry: BoardGeometry) -> bool:
    across = abs(spot[0]) < geometry.surface_width_mm / 2 + OUTSIDE_MM
    return across and abs(spot[1]) < geometry.surface_height_mm / 2 + OUTSIDE_MM


def weigh(chance: float, *, on_checker: bool, peak: float | None = None, place: float = 1.0) -> float:
    """The chance (0..1) that something is a die: by its look (``chance``), its place, and the map's peak there.

    ``place`` is a factor of the odds.
    """
    odds = _odds(chance) * (ON_CHECKER if on_checker else 1.0) * place
    if peak is not None:
        speaks = PEAK_SPEAKS * (peak - PLAIN_PEAK)
        odds *= exp(min(speaks, 0.0) if on_checker else speaks)
    return odds / (1 + odds)


def likeliest_number(chances: Sequence[float]) -> int:
    """How many of the things with these chances of being dice, the highest first, most likely are dice."""
    odds = [_odds(chance) for chance in chances[: len(SHARES) - 1]]
    likely = [SHARES[count] * float(np.prod(odds[:count])) for count in range(len(odds) + 1)]
    return int(np.argmax(likely))


def _odds(chance: float) -> float:
    bounded = min(max(chance, 1 - SUREST), SUREST)
    return bounded / (1 - bounded)
