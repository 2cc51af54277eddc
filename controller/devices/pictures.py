"""Pictures from files, and from a program that takes them, such as `rpicam-still` or `fswebcam`."""

import shlex
import subprocess
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import Picture
from controller.devices.headers import claimed_size, is_cut_short
from controller.errors import UserError

SMALLEST_SIDE = 120
LARGEST_PIXELS = 25_000_000


class PictureError(UserError):
    """A picture file that cannot be used."""


def load_picture(path: Path) -> Picture:
    """The picture in a file, (h, w, 3) BGR uint8.

    Raises ``PictureError`` when there is no such file, or as ``picture_in`` does.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise PictureError(f"{path}: there is no such file; check the path.") from None
    except OSError as error:
        raise PictureError(
            f"{path} cannot be read ({error.strerror}); check the file and its permissions."
        ) from None
    return picture_in(data, str(path))


def picture_in(data: bytes, name: str) -> Picture:
    """The picture in the bytes of a file, (h, w, 3) BGR uint8; ``name`` is what messages call it.

    Raises ``PictureError`` when it is no picture, is cut short, too small or too large.
    """
    _check_size(claimed_size(data), name)
    if is_cut_short(data):
        raise PictureError(f"{name} is cut short; copy or save the picture again.")
    picture = decode(np.frombuffer(data, np.uint8))
    if picture is None:
        raise PictureError(f"{name} is not a picture that can be decoded; give a whole JPEG or PNG file.")
    _check_size((picture.shape[1], picture.shape[0]), name)
    return picture


def _check_size(size: tuple[int, int] | None, name: str) -> None:
    if size is None:
        return
    width, height = size
    if min(width, height) < SMALLEST_SIDE:
        raise PictureError(f"{name} has only {width}x{height} pixels; a board needs at least 640x480.")
    if width * height > LARGEST_PIXELS:
        raise PictureError(f"{name} has {width}x{height} pixels; scale it down to 1920 pixels across.")


def decode(data: NDArray[np.uint8]) -> Picture | None:
    """A picture from the bytes of a file, or ``None`` if they are not one."""
    if not data.size:
        return None
    # OpenCV would tell of broken files on its own, beside the sentence that is told of them.
    level = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
    try:
        # IGNORE_ORIENTATION: a tag that turns the picture would turn it against the board file.
        picture = cv2.imdecode(data, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)
    except cv2.error:
        return None
    finally:
        cv2.utils.logging.setLogLevel(level)
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


SNAPSHOT_S: Final = 20.0


class SnapshotError(PictureError):
    """The program took no picture."""


class Snapshots:
    """Each call runs the program anew and reads the one picture (JPEG or PNG) that it writes to standard output."""

    def __init__(self, command: str) -> None:
        """`command` is split as a shell would, but no shell runs it. Raises SnapshotError if that cannot be."""
        try:
            self._words = shlex.split(command)
        except ValueError:
            self._words = []
        if not self._words:
            raise SnapshotError(
                f"{command!r} is no command that takes a picture; give one such as 'rpicam-still -n -o -'."
            )

    def __call__(self) -> Picture:
        """A picture, shape (height, width, 3), BGR.

        Raises:
            SnapshotError: if the program cannot be run, fails, or takes too long.
            PictureError: if what it writes is not a picture that can be used.
        """
        name = self._words[0]
        try:
            ran = subprocess.run(self._words, capture_output=True, timeout=SNAPSHOT_S, check=False)
        except FileNotFoundError:
            raise SnapshotError(f"There is no program {name} to take pictures with; install it.") from None
        except OSError as error:
            raise SnapshotError(f"{name} cannot be run ({error.strerror}); name another program.") from None
        except subprocess.TimeoutExpired:
            raise SnapshotError(
                f"{name} took no picture within {SNAPSHOT_S:.0f} s; see that no other program uses the camera."
            ) from None
        if ran.returncode != 0:
            told = ran.stderr.decode(errors="replace").strip().splitlines()[-1:]
            raise SnapshotError(
                f"{name} took no picture ({''.join(told) or f'status {ran.returncode}'}); try the command by itself."
            )
        return picture_in(ran.stdout, f"What {name} wrote")
