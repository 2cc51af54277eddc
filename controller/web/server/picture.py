"""Pictures for a browser: what the camera sees, and an address to be photographed."""

import io
from collections.abc import Sequence
from typing import Final

import cv2
import segno

from controller.arrays import Picture
from controller.vision import Board
from controller.vision.board.straight import straight_board
from controller.vision.reading import DieSeen
from controller.web.jpeg import jpeg_of

DICE_ROOM: Final = 0.03
"""Around the dice, as a part of the picture's width."""
DICE_WIDTH: Final = 320
MOST_WIDTH: Final = 960


def board_jpeg(picture: Picture, board: Board, light_home: str) -> bytes:
    """The board in a camera's picture, drawn straight with light's home where the pages draw it, as JPEG."""
    return jpeg_of(straight_board(picture, board, light_home), MOST_WIDTH)


def dice_jpeg(picture: Picture, dice: Sequence[DieSeen]) -> bytes:
    """The part of a picture in which the dice lie, with room around them, at least ``DICE_WIDTH`` pixels wide."""
    height, width = picture.shape[:2]
    room = max(DICE_ROOM * width, 12.0)
    left, right = (
        int(max(0.0, min(each.x for each in dice) - room)),
        int(max(each.x for each in dice) + room),
    )
    top, bottom = (
        int(max(0.0, min(each.y for each in dice) - room)),
        int(max(each.y for each in dice) + room),
    )
    part = picture[min(top, height - 2) : bottom, min(left, width - 2) : right]
    scale = max(1.0, DICE_WIDTH / part.shape[1])
    enlarged: Picture = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)  # type: ignore[assignment]
    return jpeg_of(enlarged, MOST_WIDTH)


def svg_of(text: str) -> bytes:
    """A text as QR code, SVG: black on white with the margin that phones need, in light and in dark pages."""
    drawn = io.BytesIO()
    segno.make(text, micro=False).save(drawn, kind="svg", border=4, light="white", omitsize=True)
    return drawn.getvalue()
