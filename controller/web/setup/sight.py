"""What was read in a picture, as data to be drawn over it and to be put into words; pure."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import numpy as np

from controller.arrays import FloatArray
from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.game_words import play_words
from controller.messages.sight_words import unread_words
from controller.record.journal.journal import Json
from controller.rules import Position
from controller.vision import Board, BoardGeometry, CameraModel, Reading
from controller.vision.geometry.board_grid import moved
from controller.vision.geometry.geometry import FLAT_ROW
from controller.web.setup.minute import Happening
from controller.web.table_service import Glimpse

PAGE: Final = ("page", "see")
AROUND: Final = 24
"""Places around a checker by which its outline in the picture is found."""
OUTSIDE: Final = 1.15
"""How far out of the outermost checker's middle the figure of a point stands, in diameters of a checker."""
DIE_MM: Final = 16.0
"""The usual width of a die."""
CLOSE: Final = 0.8
"""A die nearer than this, in widths of a point, to where the next checker would lie may be what spoils a count."""
SHOWN: Final = 2
"""This many counts are shown one by one; the rest is one line."""
LEAST_SHARE: Final = 0.005
"""Counts less likely than this are not shown by themselves."""
LIGHT, DARK = "light", "dark"


def sight_of(
    glimpse: Glimpse,
    board: Board,
    reading: Reading,
    language: str,
    expected: Position | None = None,
    minute: Sequence[Happening] = (),
) -> dict[str, Json]:
    """Everything that "what I see" shows. Places are pixels of the picture; points count 1 to 24 from light's side.

    Args:
        glimpse: the picture.
        board: the board that it was read by.
        reading: what was read.
        language: of all texts. Raises LanguageError.
        expected: what the record has; None without a match.
        minute: what happened lately, the oldest first.
    """
    texts = catalogue(language)
    height, width = glimpse.picture.shape[:2]
    shown: dict[str, Json] = {
        "picture": {
            "number": glimpse.number,
            "width": width,
            "height": height,
            "age_s": round(glimpse.age_s, 1),
            "text": _picture_text(glimpse, reading, texts),
        },
        "fault": None if reading.fault is None else unread_words(reading, language),
        "minute": [_happening(one, glimpse.t_s, language) for one in minute],
        "board": None,
        "points": [],
        "dice": [],
        "cube": None,
        "lines": [],
    }
    if reading.fault is not None:
        return shown
    camera, geometry = _camera(board, reading), board.geometry
    shown["board"] = _pixels(camera.project(geometry.corners()))
    shown["points"] = [_point(point, camera, geometry, reading, expected, texts) for point in range(1, 25)]
    shown["dice"] = [
        {
            "value": die.value,
            "x": round(die.x, 1),
            "y": round(die.y, 1),
            "size": round(_die_px(camera, die.x, die.y), 1),
            "owner": die.owner,
            "cocked": die.cocked,
            "text": texts.text(*PAGE, "die", value=die.value, percent=round(100 * die.confidence)),
        }
        for die in reading.dice
    ]
    if reading.cube is not None:
        shown["cube"] = {
            "x": round(reading.cube.x, 1),
            "y": round(reading.cube.y, 1),
            "value": reading.cube.value,
        }
    note = _die_missing(reading, texts)
    shown["lines"] = [
        {"name": name, "text": text, "note": "" if number else note}
        for number, (name, text) in enumerate(_lines(reading, texts))
    ]
    return shown


def checkers_words(count: int, texts: Catalogue) -> str:
    """A signed count of checkers, positive for light: "4 dark checkers", "no checker"."""
    if count == 0:
        return texts.text(*PAGE, "no_checker")
    return texts.text(*PAGE, "light_checkers" if count > 0 else "dark_checkers", count=abs(count))


def shares_of(reading: Reading, point: int) -> tuple[tuple[int, float], ...]:
    """The signed counts that a point may hold with their probabilities, the count that was read first.

    That count's is what the whole board says of it; the rest is shared out as the point alone would have it.
    """
    read = reading.points[point - 1]
    sure = reading.point_confidence[point - 1]
    others = {
        count: math.exp(value) for count, value in reading.likelihoods[point - 1].items() if count != read
    }
    whole = sum(others.values()) or 1.0
    rest = sorted(
        ((count, (1 - sure) * value / whole) for count, value in others.items()), key=lambda one: -one[1]
    )
    return (read, sure), *rest


def _camera(board: Board, reading: Reading) -> CameraModel:
    """The camera as it stands to the board in this picture, pushed or not."""
    drift = reading.drift
    if drift is None:
        return board.camera
    return moved(board.camera, drift.x_mm, drift.y_mm, math.radians(drift.turn_deg))


def _point(
    point: int,
    camera: CameraModel,
    geometry: BoardGeometry,
    reading: Reading,
    expected: Position | None,
    texts: Catalogue,
) -> dict[str, Json]:
    count = reading.points[point - 1]
    unsure, covered = point in reading.unsure, point in reading.covered
    spot = geometry.slot(point, 0) * [1, 1, 0]
    spot[1] += geometry.side_of(point) * OUTSIDE * geometry.checker_diameter_mm
    shares = shares_of(reading, point)
    return {
        "point": point,
        "count": abs(count),
        "side": None if count == 0 else LIGHT if count > 0 else DARK,
        "unsure": unsure,
        "covered": covered,
        "area": _pixels(camera.project(_strip(geometry, point, abs(count)))),
        "label": _pixels(camera.project(spot[None]))[0],
        "rings": [
            _ring(
                camera.project_circle(
                    _slot(geometry, point, number), geometry.checker_diameter_mm / 2, AROUND
                )
            )
            for number in range(abs(count))
        ],
        "heading": texts.text(*PAGE, "point", point=point),
        "text": _verdict(shares, texts, unsure=unsure, covered=covered),
        "likely": list(_likely(shares, texts)),
        "why": list(_why(point, camera, geometry, reading, expected, texts)),
    }


def _slot(geometry: BoardGeometry, point: int, number: int) -> FloatArray:
    return geometry.slot(point, number % FLAT_ROW, number // FLAT_ROW)


def _strip(geometry: BoardGeometry, point: int, count: int) -> FloatArray:
    """A point's strip as far as its checkers reach, and one further; (4, 3) mm, at the height of their faces."""
    x, half, side = geometry.column_x(point), geometry.pitch_mm / 2, geometry.side_of(point)
    edge = geometry.surface_height_mm / 2
    places = min(max(count, 1), FLAT_ROW)
    inner = edge - (places + 0.15) * geometry.row_pitch_mm
    z = geometry.checker_thickness_mm
    return np.array(
        [
            [x - half, side * edge, z],
            [x + half, side * edge, z],
            [x + half, side * inner, z],
            [x - half, side * inner, z],
        ]
    )


def _verdict(shares: Sequence[tuple[int, float]], texts: Catalogue, *, unsure: bool, covered: bool) -> str:
    first = checkers_words(shares[0][0], texts)
    if covered:
        return texts.text(*PAGE, "covered", checkers=first)
    if not unsure:
        return texts.text(*PAGE, "sure", checkers=first)
    return texts.text(*PAGE, "unsure", first=first, second=checkers_words(shares[1][0], texts))


def _likely(shares: Sequence[tuple[int, float]], texts: Catalogue) -> Iterator[Json]:
    shown = [one for one in shares[:SHOWN] if one[1] >= LEAST_SHARE] or [shares[0]]
    for count, share in shown:
        yield {"text": checkers_words(count, texts), "share": round(share, 3)}
    rest = 1 - sum(share for _, share in shown)
    if rest >= LEAST_SHARE:
        yield {"text": texts.text(*PAGE, "other"), "share": round(rest, 3)}


def _why(
    point: int,
    camera: CameraModel,
    geometry: BoardGeometry,
    reading: Reading,
    expected: Position | None,
    texts: Catalogue,
) -> Iterator[Json]:
    """What else is known about a point."""
    next_slot = _slot(geometry, point, abs(reading.points[point - 1]))[:2]
    for die in reading.dice:
        gap = camera.to_board(np.array([die.x, die.y])) - next_slot
        if float(np.hypot(*gap)) < CLOSE * geometry.pitch_mm:
            yield texts.text(*PAGE, "die_near")
            break
    if expected is None:
        return
    yield texts.text(*PAGE, "expects", checkers=checkers_words(expected.points[point - 1], texts))
    others = [
        number
        for number in range(1, 25)
        if number != point and reading.points[number - 1] != expected.points[number - 1]
    ]
    if not others:
        yield texts.text(*PAGE, "others_agree")
    else:
        yield texts.text(*PAGE, "others_differ", points=", ".join(map(str, others)))


def _lines(reading: Reading, texts: Catalogue) -> Iterator[tuple[str, str]]:
    """Dice, cube, bar and what is off, each with its name."""
    dice = ", ".join(_dice(reading, texts)) or texts.text(*PAGE, "none")
    yield texts.text(*PAGE, "dice"), dice
    cube = reading.cube
    yield (
        texts.text(*PAGE, "cube"),
        texts.text(*PAGE, "none")
        if cube is None
        else texts.text(*PAGE, f"cube_{cube.owner}", value=cube.value),
    )
    for name, count in (("bar", reading.bar), ("off", reading.off)):
        light, dark = ("?" if value is None else value for value in (count.light, count.dark))
        yield texts.text(*PAGE, name), texts.text(*PAGE, "both_sides", light=light, dark=dark)


def _die_missing(reading: Reading, texts: Catalogue) -> str:
    """Why one die of a pair may not be seen, for the line of the dice, which is the first; empty where none lacks."""
    return (
        "" if reading.reflection is None else texts.text(*PAGE, "reflection", point=reading.reflection.point)
    )


def _dice(reading: Reading, texts: Catalogue) -> Iterator[str]:
    """The dice, those of one owner together."""
    for owner in (LIGHT, DARK, None):
        values = [str(die.value) for die in reading.dice if die.owner == owner]
        if values:
            roll = "-".join(values)
            yield roll if owner is None else texts.text(*PAGE, f"dice_{owner}", roll=roll)


def _picture_text(glimpse: Glimpse, reading: Reading, texts: Catalogue) -> str:
    """How old the picture is, and from which moment the words beside it are: they may belong to an earlier one."""
    seen = "hand" if reading.fault is None and reading.hand else "no_hand"
    read_s = glimpse.age_s + (glimpse.behind_s if reading is glimpse.reading else 0.0)
    return texts.text(*PAGE, f"picture_{seen}", seconds=f"{glimpse.age_s:.1f}", read=f"{read_s:.1f}")


def _happening(one: Happening, now_s: float, language: str) -> dict[str, Json]:
    texts = catalogue(language)
    words: Mapping[str, object] = {
        "dice": "-".join(map(str, one.dice)),
        "points": ", ".join(map(str, one.points)),
        "play": play_words(one.text, language, legal=one.legal, moved=one.moved),
    }
    ago = max(0.0, now_s - one.until_s)
    return {
        "kind": one.kind,
        "since_s": round(max(0.0, now_s - one.since_s), 1),
        "until_s": round(ago, 1),
        "legal": one.legal,
        "text": texts.text(*PAGE, "minute", one.kind, **words),
        "when": texts.text(*PAGE, "now") if ago < 1 else texts.text(*PAGE, "ago", seconds=round(ago)),
    }


def _die_px(camera: CameraModel, x: float, y: float) -> float:
    """The width in pixels of a die that is seen there."""
    middle = camera.to_board(np.array([x, y]))
    ends = camera.project(
        np.array([[middle[0] - DIE_MM / 2, middle[1], 0], [middle[0] + DIE_MM / 2, middle[1], 0]])
    )
    width = float(np.hypot(*(ends[1] - ends[0])))
    return width if math.isfinite(width) else DIE_MM


def _ring(outline: FloatArray) -> list[Json]:
    """The ellipse through pixels around a checker, (n, 2): middle x and y, half axes, and turn in degrees."""
    middle = outline.mean(axis=0)
    spread, axes = np.linalg.eigh(np.cov((outline - middle).T, bias=True))
    small, large = np.sqrt(2 * np.maximum(spread, 0))
    turn = math.degrees(math.atan2(axes[1, 1], axes[0, 1]))
    return [round(float(value), 1) for value in (*middle, large, small, turn)]


def _pixels(places: FloatArray) -> list[Json]:
    """Places as pairs of numbers; those that the camera cannot see are left out."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in places if np.isfinite(x) and np.isfinite(y)]
