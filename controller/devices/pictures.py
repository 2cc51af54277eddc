"""Pictures from files."""

from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.errors import UserError

Picture = NDArray[np.uint8]

SMALLEST_SIDE = 120
LARGEST_PIXELS = 50_000_000


class PictureError(UserError):
    """A picture file that cannot be used."""


def load_picture(path: Path) -> Picture:
    """The picture in a file, (h, w, 3) BGR uint8.

    Raises ``PictureError`` when there is no such file, it is no picture, or it is too small or too large.
    """
    try:
        data = np.frombuffer(path.read_bytes(), np.uint8)
    except FileNotFoundError:
        raise PictureError(f"{path}: there is no such file; check the path.") from None
    except OSError as error:
        raise PictureError(
            f"{path} cannot be read ({error.strerror}); check the file and its permissions."
        ) from None
    picture = decode(data)
    if picture is None:
        raise PictureError(f"{path} is not a picture that can be decoded; give a whole JPEG or PNG file.")
    height, width = picture.shape[:2]
    if min(height, width) < SMALLEST_SIDE:
        raise PictureError(f"{path} has only {width}x{height} pixels; a board needs at least 640x480.")
    if height * width > LARGEST_PIXELS:
        raise PictureError(f"{path} has {width}x{height} pixels; scale it down to 1920 pixels across.")
    return picture


def decode(data: NDArray[np.uint8]) -> Picture | None:
    """A picture from the bytes of a file, or ``None`` if they are not one."""
    if not data.size:
        return None
    try:
        # IGNORE_ORIENTATION: a tag that turns the picture would turn it against the board file.
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


def encode_jpeg(picture: Picture, widest: int, quality: int) -> bytes:
    """A picture as a JPEG file, scaled down if it is wider than `widest` pixels; `quality` is 0 to 100."""
    height, width = picture.shape[:2]
    if width > widest:
        size = (widest, max(1, round(height * widest / width)))
        picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    encoded, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not encoded:
        raise PictureError(
            f"A picture of {width}x{height} pixels cannot be written as JPEG; take a smaller one."
        )
    return data.tobytes()
