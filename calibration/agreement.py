"""Whether checkers lie where a fit has them: their rims are looked for anew, further around than the fit looked."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from calibration.fit import AROUND, RIM_SEEN, EdgedPicture, Fit, Sighting, enough, find_rim, fit_board
from calibration.pattern import slots_of
from controller.vision.fitted.fitted import fitted

REACH, NEAR, LEAST_NEAR, LEAST_OF_ALL, LEAST_KEPT = fitted(
    "agreement", "reach", "near", "least_near", "least_of_all", "least_kept"
)
# A point is astray where this many rims are seen on it and most of them are not near.
LEAST_ON_POINT = 2
# A side tells by itself where it has enough checkers all over the board.
LEAST_OF_SIDE = 8
# How often a fit is made anew to what agrees with it, and to how many pixels each sighting is good.
ROUNDS, SLACK_PX = 4, 2.0


@dataclass(frozen=True, slots=True)
class Agreement:
    """How many of ``count`` checkers show a rim (``clear``), and which of them where the fit has it (``sightings``).

    ``astray`` are the points most of whose checkers are seen elsewhere, ``unseen`` those of which no rim is where the
    fit has it. ``kept`` is the share of checkers whose rim is where the fit has it: of all, or of one side if that is
    more, as the checkers of the other may be hard to see.
    """

    sightings: tuple[Sighting, ...]
    clear: int
    count: int
    astray: tuple[int, ...]
    unseen: tuple[int, ...]
    kept: float

    @property
    def near(self) -> int:
        """How many rims are where the fit has them."""
        return len(self.sightings)

    def from_other_seat(self) -> "Agreement":
        """The same with the points numbered from the other seat."""
        sightings = tuple(replace(one, point=25 - one.point) for one in self.sightings)
        astray, unseen = (
            tuple(sorted(25 - point for point in points)) for points in (self.astray, self.unseen)
        )
        return replace(self, sightings=sightings, astray=astray, unseen=unseen)

    @property
    def trusted(self) -> bool:
        """Whether the fit is right."""
        enough = self.near >= LEAST_OF_ALL * self.count and self.near >= LEAST_NEAR * self.clear
        return enough and self.kept >= LEAST_KEPT


def agreement_of(edged: EdgedPicture, fit: Fit, points: Sequence[int]) -> Agreement:
    """How a picture agrees with a fit; ``points`` are the 24 signed counts that are known to lie there."""
    slots = slots_of(points)
    near: list[Sighting] = []
    clear: list[int] = []
    for point, place in slots:
        rim = find_rim(edged.field, fit.camera, fit.geometry, (point, place), REACH)
        if rim.strength <= RIM_SEEN:
            continue
        clear.append(point)
        centre = fit.geometry.slot(point, place)
        middle = fit.camera.project(centre)
        around = fit.camera.project_circle(centre, fit.geometry.checker_diameter_mm / 2, AROUND)
        radius = float(np.mean(np.linalg.norm(around - middle, axis=1)))
        if np.hypot(rim.x - middle[0], rim.y - middle[1]) < NEAR * radius:
            near.append(Sighting(point, place, rim.x, rim.y))
    astray, unseen = [], []
    for point in sorted({point for point, _ in slots}):
        here, seen = sum(one.point == point for one in near), clear.count(point)
        if seen >= LEAST_ON_POINT and 2 * here < seen:
            astray.append(point)
        if here == 0:
            unseen.append(point)
    there = {(one.point, one.place) for one in near}
    light, dark = ([slot for slot in slots if sign * points[slot[0] - 1] > 0] for sign in (1, -1))
    groups = [light + dark, *(side for side in (light, dark) if len(side) >= LEAST_OF_SIDE)]
    kept = max(sum(slot in there for slot in group) / max(len(group), 1) for group in groups)
    return Agreement(tuple(near), len(clear), len(slots), tuple(astray), tuple(unseen), kept)


def regrow(edged: EdgedPicture, fit: Fit, points: Sequence[int]) -> Fit:
    """The fit made anew to the points that agree with it, again and again while more of them do."""
    known = agreement_of(edged, fit, points)
    for _ in range(ROUNDS):
        seen = [one for one in known.sightings if one.point not in known.astray]
        if known.trusted or not enough(seen):
            break
        geometry = fit.geometry
        bar = geometry.bar_mm / geometry.pitch_mm
        other = fit_board(
            seen, geometry.home, edged.size, guess=fit.camera, slack_px=SLACK_PX, corners=None, bar=bar
        )
        now = agreement_of(edged, other, points)
        if now.near <= known.near:
            break
        fit, known = other, now
    return fit
