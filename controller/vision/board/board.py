"""A calibrated board: its file, as TOML, and where it lies in the picture."""

import base64
import binascii
import dataclasses
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import cv2
import numpy as np

from controller.arrays import Picture
from controller.errors import UserError
from controller.tomlfile.checks import Check, Number, OneOf, Several, shown, unfit
from controller.tomlfile.document import cut, parse
from controller.vision.counting.appearance import Appearance, Shades
from controller.vision.counting.counts import FIFTEEN, SIDE, CheckerSet
from controller.vision.fitted.last_layer import LOOSELY, LastLayer
from controller.vision.geometry.board_grid import ground_grid
from controller.vision.geometry.camera import CameraModel
from controller.vision.geometry.geometry import FLAT_ROW, BoardGeometry

FORMAT_VERSION = 1
# The middle of a board may lie this many of the picture's sizes from the picture's middle.
FURTHEST_OUT = 1.0
# What TOML takes for a key without quotes.
KEY = re.compile(r"[A-Za-z0-9_-]+")
AGAIN = "calibrate the board again with this version"
HOME = OneOf(("left", "right"))


def _triple(low: float, high: float) -> Several:
    return Several(Number(low, high), 3, 3, repeat=True)


CAMERA: Mapping[str, Check] = {
    "width": Number(32, 20000, whole=True),
    "height": Number(32, 20000, whole=True),
    "focal": Number(10, 1e6),
    "k1": Number(-2, 2),
    "k2": Number(-2, 2),
    "rotation": _triple(-10, 10),
    "translation": _triple(-1e5, 1e5),
}
LENS_POSITION = Number(0, 100)
CHECKERS = Number(1, SIDE, whole=True)
GEOMETRY: Mapping[str, Check] = {
    "home": HOME,
    "pitch_mm": Number(10, 200),
    "bar_mm": Number(0, 300),
    "surface_height_mm": Number(100, 3000),
    "row_pitch_mm": Number(5, 200),
    "checker_diameter_mm": Number(5, 200),
    "checker_thickness_mm": Number(1, 60),
    "trays": Several(HOME, 2),
    "tray_width_mm": Number(0, 500),
    "tray_gap_mm": Number(0, 500),
}

FACES: Mapping[str, int] = {"dice": 7, "cube": 8}
"""The classes that are told apart on a die and on the cube, nothing among them."""
HELD = Number(0, 1000)

MARGIN = 0.04
"""Of the board's size in the picture, left free on each side for the frame of the board and high piles."""


PointSegments = tuple[tuple[int, int, int, int], ...]
"""Where the 24 points lie in a picture cut to the board: x, y at edge and tip, in thousandths of its size."""


class BoardFileError(UserError):
    """A board file that cannot be used; the sentence names the file, the key and the remedy."""


@dataclass(frozen=True)
class Board:
    """One board under one fixed camera.

    ``lights`` says for each place the number of its lamp along the strip, or those of several; None for a board
    whose lights nobody calibrated. It is kept here as it is written, and understood by those who drive the lights.
    ``lens_position`` is where the lens was held for the calibration pictures, in dioptres; None for cameras that do
    not tell. It is for those who run the camera. ``checkers`` are those that are played with: the file tells how
    many a side has, where they bear off and whether some lie concealed only the game does. ``dice`` and ``cube`` are
    what was learned of the faces of this table's own; ``None`` where nobody showed them.
    """

    camera: CameraModel
    geometry: BoardGeometry
    appearance: Appearance
    lights: Mapping[str, int | list[int]] | None = field(default=None, hash=False)
    lens_position: float | None = None
    checkers: CheckerSet = FIFTEEN
    dice: LastLayer | None = None
    cube: LastLayer | None = None


def dump_board(board: Board) -> str:
    """The text of the board file."""
    look = board.appearance
    lines = [
        "# A calibrated board. Written by `pointsman calibrate board`; calibrate again rather than edit.",
        f"format = {FORMAT_VERSION}",
        "",
        *_table("camera", dataclasses.asdict(board.camera)),
        *_table("geometry", dataclasses.asdict(board.geometry)),
        *_table("appearance", {"bare_jpeg": _base64(look.bare_jpeg), "doubt_jpeg": _base64(look.doubt_jpeg)}),
        *_table("appearance.light", dataclasses.asdict(look.light)),
        *_table("appearance.dark", dataclasses.asdict(look.dark)),
        *_table("checkers", {"each": board.checkers.each}),
        *([] if board.lens_position is None else _table("lens", {"position": board.lens_position})),
        *([] if board.lights is None else _table("lights", board.lights)),
        *([] if board.dice is None else _table("dice", _learned(board.dice))),
        *([] if board.cube is None else _table("cube", _learned(board.cube))),
    ]
    return "\n".join(lines)


def load_board(text: str, name: str) -> Board:
    """Read a board file's text; ``name`` is what messages call the file. Raises ``BoardFileError``."""
    try:
        data = parse(text)
    except ValueError as error:
        raise BoardFileError(f"{name} is not a board file ({error}): {AGAIN}.") from None
    version = data.get("format")
    if version != FORMAT_VERSION or isinstance(version, bool):
        told = "has no format number" if version is None else f"has format {version}, not {FORMAT_VERSION}"
        raise BoardFileError(f"{name} {told}: {AGAIN}.")
    source = _Source(name, data)
    camera = CameraModel(**source.values("camera", CAMERA))
    geometry = BoardGeometry(**source.values("geometry", GEOMETRY))
    _check_view(source, camera, geometry)
    appearance = Appearance(
        _picture(source, "appearance.bare_jpeg", geometry),
        _picture(source, "appearance.doubt_jpeg", geometry),
        _shades(source, "appearance.light"),
        _shades(source, "appearance.dark"),
    )
    lens = source.value("lens.position", LENS_POSITION) if "lens" in data else None
    # Files of earlier versions do not tell: those boards had fifteen.
    each = source.value("checkers.each", CHECKERS) if "checkers" in data else SIDE
    board = Board(camera, geometry, appearance, _lights(source), lens, CheckerSet(each))
    learned = {name: _last_layer(source, name, classes) for name, classes in FACES.items()}
    return dataclasses.replace(board, dice=learned["dice"], cube=learned["cube"])


@dataclass(frozen=True)
class _Source:
    """A parsed file that complains by name and key."""

    name: str
    data: Mapping[str, Any]

    def bad(self, key: str, why: str) -> BoardFileError:
        return BoardFileError(f"{self.name}: {key} {why}; {AGAIN}.")

    def raw(self, key: str) -> Any:
        """The value of a key with its dots, as it is written."""
        node: Any = self.data
        for part in key.split("."):
            if not isinstance(node, Mapping) or part not in node:
                raise self.bad(key, "is missing")
            node = node[part]
        return node

    def value(self, key: str, check: Check) -> Any:
        """The same as the program uses it."""
        raw = self.raw(key)
        try:
            return check.value(raw)
        except ValueError:
            raise self.bad(key, f"cannot be {cut(shown(raw))}; {unfit(check, raw)}") from None

    def values(self, table: str, checks: Mapping[str, Check]) -> dict[str, Any]:
        """All keys of a table."""
        return {key: self.value(f"{table}.{key}", check) for key, check in checks.items()}


def _last_layer(source: _Source, name: str, classes: int) -> LastLayer | None:
    """What was learned of the faces of dice or cube; files of earlier versions have nothing of it."""
    if name not in source.data:
        return None
    network, text = source.raw(f"{name}.network"), source.raw(f"{name}.weights")
    # Files of earlier versions do not tell: then the weights were held loosely.
    held = source.value(f"{name}.held", HELD) if "held" in source.data[name] else LOOSELY
    if not isinstance(network, str) or not isinstance(text, str):
        raise source.bad(f"{name}.weights", "and its network should be texts")
    try:
        return LastLayer.from_text(network, classes, text, held)
    except ValueError:
        raise source.bad(f"{name}.weights", "is not what was learned of faces") from None


def _learned(layer: LastLayer) -> Mapping[str, str | float]:
    return {"network": layer.network, "weights": layer.text, "held": layer.held}


def _lights(source: _Source) -> Mapping[str, int | list[int]] | None:
    table = source.data.get("lights")
    if table is None:
        return None
    whole = isinstance(table, Mapping) and all(_is_lamp(lamp) for lamp in table.values())
    if not whole or any(not KEY.fullmatch(key) for key in table):
        raise BoardFileError(
            f"{source.name}: lights should hold a whole number for each place, such as point-1 = 0, or a list of "
            "them; correct it, or find the order again with pointsman calibrate lights."
        )
    return dict(table)


def _is_lamp(told: Any) -> bool:
    """Whether that is the number of a lamp, or those of several."""
    return type(told) is int or (isinstance(told, list) and all(type(lamp) is int for lamp in told))


def _check_view(source: _Source, camera: CameraModel, geometry: BoardGeometry) -> None:
    """Refuse a board that its camera does not see, or whose measures do not go together."""
    if not 20 < camera.centre_mm[2] < 1e5:
        raise source.bad("camera.translation", "does not put the camera above the board")
    size = np.array([camera.width, camera.height], float)
    spots = camera.project(np.vstack([geometry.corners(), np.zeros((1, 3))]))
    if not np.isfinite(spots).all() or not (np.abs(spots[-1] - size / 2) < FURTHEST_OUT * size).all():
        raise source.bad("camera", "does not see the board")
    for key, length, low, high in (
        ("geometry.checker_diameter_mm", geometry.checker_diameter_mm, 0.5, 1.2),
        ("geometry.row_pitch_mm", geometry.row_pitch_mm, 0.5, 1.6),
        ("geometry.checker_thickness_mm", geometry.checker_thickness_mm, 0.02, 0.9),
    ):
        if not low * geometry.pitch_mm <= length <= high * geometry.pitch_mm:
            raise source.bad(key, f"= {length} does not go with points {geometry.pitch_mm} mm apart")


def _picture(source: _Source, key: str, geometry: BoardGeometry) -> bytes:
    text = source.raw(key)
    try:
        data = base64.b64decode(text, validate=True)
    except (TypeError, ValueError, binascii.Error):
        raise source.bad(key, "is not a base64 string") from None
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR) if data else None
    grid = ground_grid(geometry)
    if picture is None or picture.shape != (grid.rows, grid.columns, 3):
        raise source.bad(key, "is not a picture of this board's surface")
    return data


def _shades(source: _Source, key: str) -> Shades:
    weights = source.value(f"{key}.weights", Several(Number(0, 1), 64, 1, repeat=True))
    if not 0.9 < sum(weights) < 1.1:
        raise source.bad(f"{key}.weights", "should add up to 1")
    count = len(weights)
    means, spreads = (Several(_triple(low, 255), count, count, repeat=True) for low in (0, 0.5))
    return Shades(weights, source.value(f"{key}.means", means), source.value(f"{key}.spreads", spreads))


def _base64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _table(name: str, values: Mapping[str, Any]) -> list[str]:
    return [f"[{name}]", *(f"{key} = {shown(value)}" for key, value in values.items()), ""]


def board_part(picture: Picture, board: Board) -> Picture:
    """The part of a picture, (h, w, 3), that shows playing surface and trays, as a view; all if it shows neither."""
    bounds = _bounds(board.camera, board.geometry, (picture.shape[1], picture.shape[0]))
    if bounds is None:
        return picture
    left, top, right, bottom = bounds
    part = picture[top:bottom, left:right]
    return part if part.size else picture


def point_segments(board: Board) -> PointSegments | None:
    """How the board lies in its pictures as `board_part` cuts them; `None` if they do not show it."""
    return _segments(board.camera, board.geometry)


# A table asks for those of its board whenever somebody looks at its state.
@lru_cache(maxsize=4)
def _segments(camera: CameraModel, geometry: BoardGeometry) -> PointSegments | None:
    bounds = _bounds(camera, geometry, (camera.width, camera.height))
    half = geometry.surface_height_mm / 2
    tip = max(half - FLAT_ROW * geometry.row_pitch_mm, 0.0)
    ends = np.array(
        [
            [geometry.column_x(point), geometry.side_of(point) * y, 0.0]
            for point in range(1, 25)
            for y in (half, tip)
        ]
    )
    pixels = camera.project(ends)
    if bounds is None or not np.isfinite(pixels).all():
        return None
    left, top, right, bottom = bounds
    if right <= left or bottom <= top:
        return None
    shares = (pixels - [left, top]) / [right - left, bottom - top]
    rows = np.rint(1000 * shares).astype(int).reshape(24, 4).tolist()
    return tuple((a, b, c, d) for a, b, c, d in rows)


def _bounds(
    camera: CameraModel, geometry: BoardGeometry, size: tuple[int, int]
) -> tuple[int, int, int, int] | None:
    """Left, top, right and bottom of the part of a picture, width by height, that shows surface and trays."""
    half = geometry.surface_height_mm / 2
    corners = np.array([[x, y, 0.0] for x in geometry.x_range() for y in (-half, half)])
    pixels = camera.project(corners)
    if not np.isfinite(pixels).all():
        return None
    low, high = pixels.min(axis=0), pixels.max(axis=0)
    free = MARGIN * (high - low)
    left, top = np.clip(np.floor(low - free), 0, size).astype(int).tolist()
    right, bottom = np.clip(np.ceil(high + free) + 1, 0, size).astype(int).tolist()
    return left, top, right, bottom
