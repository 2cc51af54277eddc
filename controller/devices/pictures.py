"""Pictures from files, and from a program that takes them, such as `rpicam-still` or `fswebcam`."""

import shlex
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from controller.arrays import Picture
from controller.errors import UserError

SMALLEST_SIDE = 120
LARGEST_PIXELS = 64_000_000
SNAPSHOT_S: Final = 20.0
LOGGING: Final = getattr(cv2.utils, "logging", cv2)
"""Where OpenCV sets how much it logs: OpenCV 4 has it in another place than OpenCV 5, and no name for a level."""
SILENT: Final = 0

# What picture files say about themselves before they are decoded. Layouts: PNG (W3C, 5 and 11.2), JPEG (ITU T.81, B.1
# and B.2), BMP and WebP (RFC 9649). Other formats say nothing here.
PNG, BMP, JPEG = b"\x89PNG\r\n\x1a\n", b"BM", b"\xff\xd8"
# HEIC files (ISO/IEC 14496-12, 4.3; 23008-12, 10) begin with a box that names a brand.
HEIC_BRANDS = (b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1")
PNG_END = b"IEND\xaeB`\x82"
JPEG_END, SCAN = b"\xff\xd9", 0xDA
# Start-of-frame markers but those for tables (C4), extensions (C8) and arithmetic conditioning (CC).
FRAMES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
ALONE = frozenset(range(0xD0, 0xD8)) | {0x01}


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

    A tag for its orientation is followed, as programs that show pictures do. Raises ``PictureError`` when it is no
    picture, is cut short, too small or too large.
    """
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        raise PictureError(
            f"{name} is a HEIC picture; save it as JPEG, or have the phone take JPEG "
            "(on an iPhone: Settings, Camera, Formats, Most Compatible)."
        )
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
    try:
        with hushed_opencv():
            picture = cv2.imdecode(data, cv2.IMREAD_COLOR)
    except cv2.error:
        return None
    return None if picture is None else np.asarray(picture, np.uint8)


@contextmanager
def hushed_opencv() -> Iterator[None]:
    """OpenCV says nothing on its own beside what messages and the status tell."""
    level = LOGGING.setLogLevel(SILENT)
    try:
        yield
    finally:
        LOGGING.setLogLevel(level)


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


def claimed_size(data: bytes) -> tuple[int, int] | None:
    """Width and height in pixels that a file claims to have, ``None`` if it does not tell."""
    if data.startswith(PNG) and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(BMP) and len(data) >= 26:
        width, height = (int.from_bytes(data[at : at + 4], "little", signed=True) for at in (18, 22))
        return abs(width), abs(height)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp_size(data)
    for marker, at in _jpeg_segments(data):
        if marker in FRAMES and at + 7 <= len(data):
            return int.from_bytes(data[at + 5 : at + 7], "big"), int.from_bytes(data[at + 3 : at + 5], "big")
    return None


def is_cut_short(data: bytes) -> bool:
    """Whether the end of a file is missing that says how it ends."""
    if data.startswith(PNG):
        return PNG_END not in data[-4096:]
    if data.startswith(BMP):
        return len(data) < 6 or int.from_bytes(data[2:6], "little") > len(data)
    if data[:4] == b"RIFF":
        return len(data) < 8 or int.from_bytes(data[4:8], "little") + 8 > len(data)
    scans = [at for marker, at in _jpeg_segments(data) if marker == SCAN]
    return data.startswith(JPEG) and (not scans or data.rfind(JPEG_END) < scans[0])


def _webp_size(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X" and len(data) >= 30:
        return int.from_bytes(data[24:27], "little") + 1, int.from_bytes(data[27:30], "little") + 1
    if kind == b"VP8L" and len(data) >= 25:
        bits = int.from_bytes(data[21:25], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if kind == b"VP8 " and len(data) >= 30:
        width, height = (int.from_bytes(data[at : at + 2], "little") & 0x3FFF for at in (26, 28))
        return width, height
    return None


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int]]:
    """Markers of a JPEG file with the place of their length, up to the first scan."""
    if not data.startswith(JPEG):
        return
    at = 2
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            return
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif marker in ALONE:
            at += 2
        else:
            yield marker, at + 2
            if marker == SCAN:
                return
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
