"""A board in a picture, read with the board file that `pointsman calibrate board` made."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from controller.rules.position import Position as Checkers
from controller.rules.position import Side
from pointsman.position import Position
from pointsman.spelling import STANDARD, VariantLike, path_of, profile_of
from pointsman.value import Value

if TYPE_CHECKING:  # OpenCV is loaded where a picture is read: `import pointsman` stays quick
    from controller.vision import Board as CalibratedBoard
    from controller.vision import Reading


class BoardReading(Value):
    """What is to be seen in one picture.

    Attributes:
        position: the checkers, as they most likely lie; a side may have more or fewer than it should.
        dice: the numbers on the dice that were seen.
        cube: the value of the cube, `None` if none is seen.
        cube_owner: on whose side it lies, `None` in the middle or if none is seen.
        off: the borne-off checkers of light and of dark; `None` where that cannot be told.
        confidence: how likely the whole position is right, 0 to 1.
        point_confidence: the same for each of the 24 points.
        unsure: the points, 1..24 from light's side, that the reader would not swear to.
        hand: whether something covers part of the board.
    """

    __slots__ = (
        *(
            "confidence",
            "cube",
            "cube_owner",
            "dice",
            "hand",
            "off",
            "point_confidence",
            "position",
            "unsure",
        ),
    )

    position: Position
    dice: tuple[int, ...]
    cube: int | None
    cube_owner: Side | None
    off: tuple[int | None, int | None]
    confidence: float
    point_confidence: tuple[float, ...]
    unsure: tuple[int, ...]
    hand: bool

    def __init__(self, reading: "Reading", variant: VariantLike = STANDARD) -> None:
        """Of a reading of `controller.vision`."""
        checkers = Checkers.seen(reading.points, reading.bar.light or 0, reading.bar.dark or 0)
        position = Position.start(variant).handed_over(checkers).with_turn(Side.LIGHT)
        owner = None if reading.cube is None or reading.cube.owner == "center" else Side(reading.cube.owner)
        self.cube = None if reading.cube is None else reading.cube.value
        self.cube_owner = owner
        self.position = position if self.cube is None else position.with_cube(self.cube, owner)
        self.dice = tuple(die.value for die in reading.dice)
        self.off = (reading.off.light, reading.off.dark)
        self.confidence = reading.confidence
        self.point_confidence = reading.point_confidence
        self.unsure = tuple(sorted(reading.unsure))
        self.hand = reading.hand

    def __str__(self) -> str:
        """The board in letters."""
        return str(self.position)

    def __repr__(self) -> str:
        """The position and how sure it is."""
        return f"<BoardReading {self.position.compact()}, confidence {self.confidence:.2f}>"

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        return self.position.svg()


def read_board(
    picture: "str | Path | bytes | Any",
    board: "str | Path | CalibratedBoard",
    variant: VariantLike | None = None,
) -> BoardReading:
    """What lies on a board in a picture.

    Args:
        picture: a picture file, its bytes, or an array as OpenCV gives it: height x width x 3, blue, green, red.
        board: the board file that `pointsman calibrate board` made with the same camera in the same place.
        variant: the game that is played, where it has other checkers than backgammon.

    Raises:
        UserError: a file is missing or damaged, or the board cannot be seen in the picture.
    """
    from controller.app.eyes import board_of
    from controller.config.board import read_board_file
    from controller.vision import read_board as read
    from controller.vision.board.board import Board as CalibratedBoard

    known = board if isinstance(board, CalibratedBoard) else read_board_file(path_of(board, "the board file"))
    if variant is not None:
        known = board_of(known, [profile_of(variant)])
    reading = read(_picture(picture), known)
    if reading.fault is not None:
        from controller.devices.pictures import PictureError
        from controller.messages.sight_words import unread_words

        raise PictureError(unread_words(reading))
    return BoardReading(reading, STANDARD if variant is None else variant)


def _picture(picture: "str | Path | bytes | Any") -> Any:
    from controller.devices.pictures import PictureError, load_picture, picture_in

    if isinstance(picture, str | Path):
        return load_picture(path_of(picture, "the picture"))
    if isinstance(picture, bytes):
        return picture_in(picture, "The picture")
    if getattr(picture, "ndim", 0) != 3 or picture.shape[2] != 3 or str(picture.dtype) != "uint8":
        raise PictureError(
            "The picture must be a file, its bytes, or an array of height x width x 3 numbers from 0 to 255."
        )
    return picture
