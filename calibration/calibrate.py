"""From pictures of a known position to a board that can be read, or to a reason why not."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from typing import Literal

import numpy as np

from calibration.agreement import agreement_of
from calibration.check import (
    LEAST_CONTRAST,
    SelfCheck,
    check_picture_of,
    hides_row,
    outside_of,
    shaded_side,
    side_of,
)
from calibration.finder import (
    LEAST_ALIKE,
    Found,
    Quadrant,
    board_at_corners,
    find_board,
    find_markers,
    sides_of,
)
from calibration.fit import EdgedPicture, Fit, enough, find_rim, fit_board, sightings_of
from calibration.home import misplaced_home
from calibration.pattern import slots_of
from calibration.things import Things, clear_things, find_things
from calibration.trays import find_trays
from controller.arrays import FloatArray, Picture
from controller.errors import UserError
from controller.vision import Board, learn_appearance
from controller.vision.counting.counts import FIFTEEN, CheckerSet
from controller.vision.reduction import Size, move_pixels, reduce_picture

# A checker is 25 to 60 pixels wide in a picture of this many pixels: its rim is found to a fraction of one.
FINDING_PIXELS = 1_400_000

MarkerUse = Literal["auto", "none"]

LEAST_RIMS = 0.4
# Given corners are where the board is: within the area they span grown so much, its own corners so near (in widths).
LOOSE, NEARBY = 1.2, 0.12
# A camera that was moved between two pictures shifts every rim: more than this many radii away is another place.
SAME_PLACE_REACH = 0.35
# A lamp's reflection in one of two pictures spoils some points of that picture only.
FORGIVEN_IN_GLARE = 6


class CalibrationStep(StrEnum):
    """How far a calibration has come, in the order of the work."""

    FINDING = "finding"
    """The board is looked for."""
    FITTING = "fitting"
    """Camera and board are measured."""
    LEARNING = "learning"
    """The colours of checkers and points are learned."""
    CHECKING = "checking"
    """The pictures are read again and compared with what is known to lie there."""


Follow = Callable[[CalibrationStep], None]
"""Called with each step as it begins, and again while it goes on; an error that it raises ends the calibration."""


class CalibrationFault(StrEnum):
    """Why no board was learned; with the arguments that its words need."""

    SIZES_DIFFER = "sizes_differ"
    BAD_CORNERS = "bad_corners"
    NO_BOARD = "no_board"
    FEW_CHECKERS = "few_checkers"
    """``seen`` of ``count`` checkers are where the position wants them."""
    MOVED = "moved"
    """The board or the camera was moved between two pictures."""
    CUT_OFF = "cut_off"
    """The outermost checkers of ``points`` lie outside of the picture."""
    SIDES_ALIKE = "sides_alike"
    """The checkers of the two sides hardly differ."""
    HIDDEN_ROW = "hidden_row"
    """The rail nearest to the camera hides the outermost checkers of ``points``."""
    THINGS_LIE = "things_lie"
    """Points are read wrongly, and something lies on the board that is no checker."""
    MISREAD = "misread"
    """``points`` are read as something else than what is known to lie there."""
    SHADED = "shaded"
    """The same, and one side of the board is in shadow."""
    HOME_ELSEWHERE = "home_elsewhere"
    """Light's home board lies in another corner of the picture, ``home``, than was said."""


class CalibrationError(UserError):
    """Pictures that no trustworthy board file can be made from.

    ``view`` is the picture that was at fault; ``found`` the board as far as it was made out there; ``fault`` and
    ``arguments`` say the same as the sentence for those who put it into words of their own.
    """

    def __init__(
        self,
        sentence: str,
        view: "CalibrationPicture",
        fault: CalibrationFault,
        found: Found | None = None,
        **arguments: object,
    ) -> None:
        super().__init__(sentence)
        self.view = view
        self.fault = fault
        self.found = None if found is None else found.resized(*view.size)
        self.arguments: Mapping[str, object] = arguments


@dataclass(frozen=True)
class CalibrationPicture:
    """A picture (h, w, 3) BGR uint8 with the name messages call it and what is known to lie on the board.

    ``points`` are 24 signed counts in light's numbering. ``taken`` is the size with which it was taken, where the
    ``picture`` is a smaller one.
    """

    name: str
    picture: Picture
    points: tuple[int, ...]
    taken: Size | None = None

    @classmethod
    def reduced(cls, name: str, picture: Picture, points: tuple[int, ...]) -> "CalibrationPicture":
        """One that keeps no more pixels than reading needs: a picture of 50 megapixels takes 150 MB."""
        return cls(name, reduce_picture(picture), points, (picture.shape[1], picture.shape[0]))

    @property
    def size(self) -> Size:
        """Width and height in pixels, as the picture was taken."""
        return self.taken or (self.picture.shape[1], self.picture.shape[0])

    @cached_property
    def readable(self) -> Picture:
        """The picture with the pixels that reading needs."""
        return reduce_picture(self.picture)

    @cached_property
    def edged(self) -> EdgedPicture:
        """The picture with the pixels that finding a board needs, and its edges."""
        return EdgedPicture.from_picture(reduce_picture(self.picture, FINDING_PIXELS))


class DoubtKind(StrEnum):
    """What could be better at a board that was learned all the same."""

    THINGS_LIE = "things_lie"
    """Something lies on it that is no checker."""
    MISREAD = "misread"
    """One picture is read wrongly on ``points``, beside another one that is not."""
    UNSURE = "unsure"
    """It is not sure of ``points``."""


@dataclass(frozen=True, slots=True)
class CalibrationDoubt:
    """Something that could be better.

    Attributes:
        kind: what it is about.
        sentence: the same in words, with the name of the picture and the remedy.
        points: that it is about; none for things that lie there.
    """

    kind: DoubtKind
    sentence: str
    points: tuple[int, ...] = ()


@dataclass(frozen=True)
class Calibration:
    """A board that read its own pictures rightly.

    ``found`` is how the board lies in ``view``, the first picture it was well seen in. ``doubts`` are
    what could be better.
    """

    board: Board
    view: CalibrationPicture
    found: Found
    doubts: tuple[CalibrationDoubt, ...]


def calibrate(
    views: Sequence[CalibrationPicture],
    light_home: Quadrant | None = None,
    corners: FloatArray | None = None,
    markers: MarkerUse = "auto",
    follow: Follow = lambda _: None,
    checkers: CheckerSet = FIFTEEN,
) -> Calibration:
    """Calibrate from pictures by one camera that was not moved between them.

    ``corners`` are pixels, shape (4, 2), of the playing surface by light's 1-, 12-, 13- and 24-point; with them the
    board is searched for near them only. ``follow`` is called at each step; ``checkers`` are those of the set. Raises
    ``CalibrationError`` with the reason rather than return a doubtful board.
    """
    first = views[0]
    for view in views:
        if view.size != first.size:
            raise CalibrationError(
                f"{view.name} and {first.name} differ in size; give pictures taken by one camera in one setting.",
                view,
                CalibrationFault.SIZES_DIFFER,
            )
    views, found = _find_in_any(views, light_home, corners, markers, follow)
    first = views[0]
    follow(CalibrationStep.FITTING)
    fit = _fit_all(views, found)
    follow(CalibrationStep.LEARNING)
    same = [view.readable for view in views if view.points == first.points]
    height, width = first.readable.shape[:2]
    camera = fit.camera.resized(width, height)
    geometry = replace(fit.geometry, trays=find_trays(first.readable, camera, fit.geometry))
    appearance = learn_appearance(same, camera, geometry, first.points)
    board = Board(camera, geometry, appearance, checkers=checkers)
    follow(CalibrationStep.CHECKING)
    things = [find_things(view.readable, board) for view in views]
    board = clear_things(board, things)
    doubts = _self_check(views, board, found, fit, things)
    return Calibration(
        replace(board, camera=camera.resized(*first.size)), first, found.resized(*first.size), doubts
    )


def _find_in_any(
    views: Sequence[CalibrationPicture],
    light_home: Quadrant | None,
    corners: FloatArray | None,
    markers: MarkerUse,
    follow: Follow,
) -> tuple[Sequence[CalibrationPicture], Found]:
    """The board in the first picture that shows it well, and the pictures with that one in front."""
    faults: list[CalibrationError] = []
    for number, view in enumerate(views):
        follow(CalibrationStep.FINDING)
        try:
            found = _find(view, light_home, markers, follow) if corners is None else _find_at(view, corners)
            _check_found(view, found)
            _check_home(view, found, light_home)
        except CalibrationError as error:
            faults.append(error)
            continue
        return [view, *views[:number], *views[number + 1 :]], found
    raise faults[0]


def _find_at(view: CalibrationPicture, corners: FloatArray) -> Found:
    """The board at given corners, or as near to them as its checkers are."""
    pinned = move_pixels(corners, view.size, view.edged.size)
    try:
        found = board_at_corners(view.edged, view.points, pinned)
    except ValueError as error:
        raise CalibrationError(
            f"the corners given for {view.name} do not make a board ({error}); give the pixels by light's "
            "1-, 12-, 13- and 24-point in this order.",
            view,
            CalibrationFault.BAD_CORNERS,
        ) from None
    if found.agreement.trusted:
        return found
    middle = pinned.mean(axis=0)
    around = dict(enumerate(middle + LOOSE * (pinned - middle)))
    nearby = find_board(view.edged, view.points, None, around)
    if nearby is not None and nearby.agreement.trusted:
        gaps = nearby.fit.camera.project(nearby.fit.geometry.corners()) - pinned
        if np.hypot(gaps[:, 0], gaps[:, 1]).max() < NEARBY * np.hypot(*(pinned[1] - pinned[0])):
            return nearby
    raise CalibrationError(
        f"{view.name}: with these corners only {found.agreement.near} of {found.agreement.count} checkers are where "
        "the position wants them; give the corners of the playing surface itself, where its points end, or leave out "
        "--corners.",
        view,
        CalibrationFault.FEW_CHECKERS,
        found,
        seen=found.agreement.near,
        count=found.agreement.count,
    )


def _find(view: CalibrationPicture, light_home: Quadrant | None, markers: MarkerUse, follow: Follow) -> Found:
    marks = find_markers(view.edged.picture) if markers == "auto" else {}
    found = find_board(view.edged, view.points, light_home, marks, lambda: follow(CalibrationStep.FINDING))
    if found is None:
        raise CalibrationError(
            f"{view.name}: no board with this position is to be seen; show the whole board from above with "
            "the checkers set up, or give --corners.",
            view,
            CalibrationFault.NO_BOARD,
        )
    return found


def _check_found(view: CalibrationPicture, found: Found) -> None:
    """Raise ``CalibrationError`` unless all of the board is seen, and its checkers where they should be."""
    seen, count = found.agreement.near, found.agreement.count
    if found.sides.alike < LEAST_ALIKE:
        raise _alike(view, found)
    cut_off = outside_of(found.fit)
    if cut_off and seen >= LEAST_RIMS * count:
        raise CalibrationError(
            f"{view.name}: the picture's edge cuts off the board at {_points(cut_off)}; raise the camera or move it, "
            "so that the whole board is in the picture.",
            view,
            CalibrationFault.CUT_OFF,
            found,
            points=list(cut_off),
        )
    if not found.agreement.trusted:
        astray = found.agreement.astray
        beside = f", and not those on {_points(astray)}" if astray else ""
        raise CalibrationError(
            f"{view.name}: only {seen} of {count} checkers are where the position wants them{beside}; set the "
            "board up anew, give more light, or give --corners.",
            view,
            CalibrationFault.FEW_CHECKERS,
            found,
            seen=seen,
            count=count,
        )


def _check_home(view: CalibrationPicture, found: Found, light_home: Quadrant | None) -> None:
    """Raise ``CalibrationError`` if light's home cannot be where it was said to be."""
    home = misplaced_home(found, view.points, light_home)
    if home is None:
        return
    said = "where the corners given have it" if light_home is None else light_home
    remedy = (
        "give the corners by light's 1-, 12-, 13- and 24-point in this order"
        if light_home is None
        else f"give --light-home {home}, or leave it out"
    )
    raise CalibrationError(
        f"{view.name}: light, whose checkers are the paler ones, has its home board {home} in the picture, not "
        f"{said}; {remedy}.",
        view,
        CalibrationFault.HOME_ELSEWHERE,
        found,
        home=home,
    )


def _alike(view: CalibrationPicture, found: Found) -> "CalibrationError":
    return CalibrationError(
        f"{view.name}: light's and dark's checkers look nearly alike here; give more light from two sides, or "
        "take checkers that differ more.",
        view,
        CalibrationFault.SIDES_ALIKE,
        found,
    )


def _fit_all(views: Sequence[CalibrationPicture], found: Found) -> Fit:
    """One fit to the checkers of all pictures: rows are laid a little differently each time."""
    fit = found.fit
    sightings = sightings_of(found.slots, found.refined.rims)
    for view in views[1:]:
        slots = slots_of(view.points)
        rims = [
            find_rim(view.edged.field, fit.camera, fit.geometry, slot, SAME_PLACE_REACH) for slot in slots
        ]
        seen = sightings_of(slots, rims)
        alike = sides_of(view.edged.picture, fit, slots, view.points).alike
        if len(seen) < LEAST_RIMS * len(slots) or alike < LEAST_ALIKE:
            raise CalibrationError(
                f"{view.name} does not show the board in the same place as {views[0].name}; take both pictures "
                "without moving the board or the camera.",
                view,
                CalibrationFault.MOVED,
            )
        sightings += seen
    if not enough(sightings):
        return fit
    edged = views[0].edged
    bar = fit.geometry.bar_mm / fit.geometry.pitch_mm
    joint = fit_board(
        sightings,
        fit.geometry.home,
        edged.size,
        guess=fit.camera,
        slack_px=1.0,
        corners=found.corners,
        bar=bar,
    )
    # The rims give the diameter; the rows alone cannot.
    diameter = found.fit.geometry.checker_diameter_mm
    return replace(joint, geometry=replace(joint.geometry, checker_diameter_mm=diameter))


def _self_check(
    views: Sequence[CalibrationPicture], board: Board, found: Found, fit: Fit, things: Sequence[Things]
) -> tuple[CalibrationDoubt, ...]:
    """Look for the checkers in every picture again, and read it; what could be better beside a right picture."""
    checks = []
    for view in views:
        agreement = agreement_of(view.edged, fit, view.points)
        _check_found(view, replace(found, agreement=agreement))
        checks.append(check_picture_of(view.readable, view.points, board, agreement))
    worst = max(range(len(views)), key=lambda number: len(checks[number].wrong))
    if any(len(check.wrong) > FORGIVEN_IN_GLARE for check in checks) or all(check.wrong for check in checks):
        raise _misread(views[worst], board, found, checks[worst], things[worst])
    doubts = []
    for view, check, lying in zip(views, checks, things, strict=True):
        if lying:
            doubts.append(CalibrationDoubt(DoubtKind.THINGS_LIE, _lies(view, lying)))
        wrong = sorted({*(point for point, _ in check.wrong), *check.forgiven})
        if wrong:
            told = f"{view.name} reads wrongly on {_points(wrong)}: is there glare or shadow?"
            doubts.append(CalibrationDoubt(DoubtKind.MISREAD, told, tuple(wrong)))
        if check.unsure:
            told = f"{view.name} is not sure of {_points(check.unsure)}: more even light may help."
            doubts.append(CalibrationDoubt(DoubtKind.UNSURE, told, tuple(check.unsure)))
    return tuple(doubts)


def _points(points: Sequence[int]) -> str:
    return f"point{'s' if len(points) > 1 else ''} {', '.join(map(str, points))}"


def _lies(view: CalibrationPicture, things: Things) -> str:
    named = []
    if things.dice:
        named.append(f"dice that show {' and '.join(str(die.value) for die in things.dice)}")
    if things.cube is not None:
        named.append("the cube, among the points")
    if things.cover:
        named.append("a cup, a hand or a lamp's reflection")
    return (
        f"{view.name}: there is something on the board that is no checker: {', and '.join(named)}; take it away and "
        "calibrate again."
    )


def _misread(
    view: CalibrationPicture, board: Board, found: Found, check: SelfCheck, things: Things
) -> "CalibrationError":
    """What to say of a picture that is not read as what lies there."""
    points = sorted(point for point, _ in check.wrong)
    if things:
        return CalibrationError(_lies(view, things), view, CalibrationFault.THINGS_LIE, found)
    if hides_row(board, view.points, check.wrong):
        return CalibrationError(
            f"{view.name}: the rail nearest to the camera hides the checkers at it (on {_points(points)} one is "
            "missing); raise the camera, or mount it nearer to straight above the board.",
            view,
            CalibrationFault.HIDDEN_ROW,
            found,
            points=points,
        )
    if found.sides.contrast < LEAST_CONTRAST:
        return _alike(view, found)
    shade = shaded_side(view.readable, board.camera, board.geometry)
    return CalibrationError(
        _complaint(view, board, check.wrong, shade),
        view,
        CalibrationFault.MISREAD if shade is None else CalibrationFault.SHADED,
        found,
        points=points,
    )


def _complaint(
    view: CalibrationPicture, board: Board, faults: Sequence[tuple[int, int]], shade: str | None
) -> str:
    """What went wrong in a picture, in one sentence: where, what was seen instead, and what to do about it."""
    point, saw = faults[0]
    read = list(view.points)
    for number, count in faults:
        read[number - 1] = count
    parts = [
        f"{view.name}: the self-check failed on {len(faults)} of 24 points: on point {point} I see {_words(saw)} "
        f"where the position has {_words(view.points[point - 1])}"
    ]
    for side, sign in (("light", 1), ("dark", -1)):
        want, have = (
            sum(sign * count for count in counts if sign * count > 0) for counts in (view.points, read)
        )
        if want != have:
            parts.append(f"I count {have} {side} checkers instead of {want}")
    where = side_of([number for number, _ in faults], board)
    if shade is not None:
        parts.append(f"the {shade} of the board is in shadow")
    elif where is not None:
        parts.append(f"all of them are on the {where} of the picture: is there a reflection or a shadow?")
    advice = "check that the position is set up as given and evenly lit, or give --light-home or --corners."
    return "; ".join([*parts, advice])


def _words(count: int) -> str:
    if count == 0:
        return "no checker"
    return f"{abs(count)} {'light' if count > 0 else 'dark'}"
