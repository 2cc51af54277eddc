"""Whether a contribution can be taken: nothing private in it, a board that is found, a film that shows the match."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from calibration.calibrate import CalibrationError, CalibrationPicture, calibrate
from controller.boardset.folder import Contribution, ContributionError
from controller.boardset.truth import KnownMoment, truths
from controller.vision import Board, read_board

MOST_BYTES = 200_000_000
LEAST_WIDTH, LEAST_HEIGHT = 640, 360
# What phones write into films: where it was taken (QuickTime's, Android's), and a track of sound (ISO/IEC 14496-12).
PLACE = re.compile(rb"com\.apple\.quicktime\.location|\xa9xyz.{4}[+-]\d", re.DOTALL)
SOUND = re.compile(rb"hdlr.{8}soun", re.DOTALL)
# The tag of the place in a picture's Exif, in either order of bytes (Exif 2.3, 4.6.3: GPSInfo, one LONG).
EXIF_PLACE = re.compile(rb"\x88\x25\x00\x04\x00\x00\x00\x01|\x25\x88\x04\x00\x01\x00\x00\x00")
HEAD = 65536
"""A picture's Exif lies in its first part."""


def check(given: Contribution) -> Iterator[str]:
    """What is worth another look, in sentences; none where the program sees what the match says.

    Raises:
        ContributionError: it cannot be taken; the sentence says why and what to do.
        UserError: the film cannot be decoded.
    """
    _refuse_private(given.film)
    shown = truths(given)
    height, width = shown[0].picture.shape[:2]
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        raise ContributionError(
            f"{given.film} has {width}x{height} pixels; at least {LEAST_WIDTH}x{LEAST_HEIGHT} are needed."
        )
    board = calibrated(given, shown)
    for one in shown:
        yield from _differences(one, board)


def calibrated(given: Contribution, shown: Sequence[KnownMoment]) -> Board:
    """The board, learned from the picture of the first moment. Raises ContributionError where it is not found."""
    first = shown[0]
    view = CalibrationPicture.reduced(
        f"{given.film.name} at {first.moment.t:g} s", first.picture, first.position.points
    )
    try:
        return calibrate([view], given.board.light_home).board
    except CalibrationError as error:
        raise ContributionError(f"{given.folder}: {error}") from None


def _refuse_private(film: Path) -> None:
    """Refuse a film that tells where it was taken, or has sound, or is too large to be kept."""
    files = sorted(file for file in film.iterdir() if file.is_file()) if film.is_dir() else [film]
    if sum(file.stat().st_size for file in files) > MOST_BYTES:
        raise ContributionError(
            f"{film} is larger than {MOST_BYTES // 1_000_000} MB; give one minute of it, or a smaller size."
        )
    clean = "ffmpeg -i FILM -c copy -an -map_metadata -1 film.mp4"
    for file in files:
        data = file.read_bytes()
        if (EXIF_PLACE.search(data[:HEAD]) if film.is_dir() else PLACE.search(data)) is not None:
            raise ContributionError(f"{file} says where it was taken; take that out, such as with {clean}.")
        if not film.is_dir() and SOUND.search(data):
            raise ContributionError(f"{file} has sound; take it out, such as with {clean}.")


def _differences(one: KnownMoment, board: Board) -> Iterator[str]:
    """Where the program sees something else than the match says: one of the two is wrong."""
    reading = read_board(one.picture, board)
    at = f"At {one.moment.t:g} s, after {one.moment.turns} turns"
    if reading.fault is not None:
        yield f"{at}: the program cannot read the picture ({reading.fault}); see whether the board stood still."
        return
    points = one.position.points
    other = [str(point) for point in range(1, 25) if reading.points[point - 1] != points[point - 1]]
    if reading.hand:
        yield f"{at}: something covers a part of the board; take a moment when it is at rest."
    elif other:
        yield f"{at}: the program sees something else on {', '.join(other)}; see who is right, the match or it."
    elif one.moment.dice is not None and sorted(one.moment.dice) != sorted(die.value for die in reading.dice):
        seen = "-".join(str(die.value) for die in reading.dice) or "none"
        yield f"{at}: the program sees other dice, {seen}; see who is right, the line or it."
