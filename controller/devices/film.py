"""What was recorded of a match: the pictures of a folder or a video, each with its time, and a dice set's rolls."""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.arrays import Picture
from controller.devices.pictures import PictureError, load_picture
from controller.errors import UserError

TIMES = "times.jsonl"
SUFFIXES = frozenset({".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff"})
SPACING_S = 0.5


class FilmError(UserError):
    """Recorded frames that cannot be used."""


@dataclass(frozen=True, eq=False)
class FilmFrame:
    """One picture of a film: its number, its time in seconds, and the picture or why there is none."""

    number: int
    name: str
    t: float
    picture: Picture | None
    fault: str = ""


class RollFileError(UserError):
    """A file of rolls that cannot be used."""


@dataclass(frozen=True, slots=True)
class ReportedRoll:
    """Two dice in the order they were reported, and when, in seconds on the film's clock."""

    t: float
    dice: tuple[int, int]


def open_film(path: Path) -> Iterator[FilmFrame]:
    """The frames of a folder or a video in their order.

    In a folder ``times.jsonl`` gives the times; without it two pictures a second are assumed. What is wrong
    with the film as a whole is raised here, before the first frame; a picture that cannot be decoded comes as
    a frame without one.

    Raises:
        FilmError: no such file, no pictures, times that are missing, run backwards or cannot be read.
    """
    if path.is_dir():
        return _from_folder(path, _shots(path))
    if not path.exists():
        raise FilmError(f"{path}: there is no such folder or video; check the path.")
    video = cv2.VideoCapture(str(path))
    if not video.isOpened():
        raise FilmError(f"{path} is not a video that can be decoded; give a video or a folder of pictures.")
    return _from_video(video, path.name)


def _shots(folder: Path) -> list[FilmFrame]:
    """The frames of a folder in their order, without their pictures."""
    found = sorted(path for path in folder.iterdir() if path.suffix.lower() in SUFFIXES)
    if not found:
        raise FilmError(
            f"{folder} holds no pictures; name the folder with the numbered pictures of the film."
        )
    numbers = [_number(path) for path in found]
    if -1 in numbers or len(set(numbers)) < len(numbers):
        numbers = list(range(len(found)))
    times = _times(folder / TIMES, {path.name for path in found})
    shots = [
        FilmFrame(number, path.name, times[path.name] if times else index * SPACING_S, None)
        for index, (number, path) in enumerate(sorted(zip(numbers, found, strict=True)))
    ]
    for earlier, later in pairwise(shots):
        if later.t < earlier.t:
            raise FilmError(
                f"{folder / TIMES}: {later.name} at {later.t} s comes before {earlier.name} at "
                f"{earlier.t} s; number the pictures in the order they were taken."
            )
    return shots


def _number(path: Path) -> int:
    """The number in a file's name, -1 if there is none."""
    digits = re.findall(r"\d+", path.stem)
    return int(digits[-1]) if digits else -1


def _times(path: Path, names: set[str]) -> dict[str, float]:
    """The time of each picture, empty if there is no file of times."""
    times: dict[str, float] = {}
    try:
        for where, entry in _entries(path):
            name, t = entry.get("file"), _seconds(entry.get("t"))
            if not isinstance(name, str) or t is None:
                raise FilmError(
                    f'{where}: write a picture and its time in seconds, as {{"file": "00012.jpg", "t": 14.2}}.'
                )
            name = Path(name).name
            if name not in names:
                raise FilmError(f"{where}: there is no picture {name}; add it or take the line out.")
            if name in times:
                raise FilmError(f"{where}: {name} has a time already; take one of the lines out.")
            times[name] = t
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError):
        raise FilmError(f"{path} cannot be read as text; write it anew or remove it.") from None
    missing = sorted(names - set(times))
    if missing:
        raise FilmError(f"{path} gives no time for {missing[0]}; add a line for it or remove the picture.")
    return times


def _from_folder(folder: Path, shots: list[FilmFrame]) -> Iterator[FilmFrame]:
    for shot in shots:
        try:
            yield replace(shot, picture=load_picture(folder / shot.name))
        except PictureError as error:
            yield replace(shot, fault=str(error))


def _from_video(video: cv2.VideoCapture, name: str) -> Iterator[FilmFrame]:
    try:
        number, t = 0, 0.0
        while video.grab():
            t = max(t, video.get(cv2.CAP_PROP_POS_MSEC) / 1000)
            decoded, picture = video.retrieve()
            label = f"{name}, picture {number}"
            if decoded and picture is not None:
                yield FilmFrame(number, label, t, np.asarray(picture, np.uint8))
            else:
                yield FilmFrame(number, label, t, None, f"{label} cannot be decoded")
            number += 1
    finally:
        video.release()


def load_rolls(path: Path) -> tuple[ReportedRoll, ...]:
    """The rolls that an electronic dice set reported during a film: `dice.jsonl`, one roll a line, in their order.

    Raises:
        RollFileError: naming the line that is no roll, shows a number no die has, or runs backwards in time.
    """
    rolls: list[ReportedRoll] = []
    try:
        for where, entry in _entries(path):
            roll = _roll(entry, where)
            if rolls and roll.t < rolls[-1].t:
                raise RollFileError(
                    f"{where}: the roll at {roll.t} s comes after one at {rolls[-1].t} s; "
                    "put the rolls in the order they were thrown."
                )
            rolls.append(roll)
    except FileNotFoundError:
        raise RollFileError(f"{path}: there is no such file of rolls; check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise RollFileError(f"{path} cannot be read as text; give the dice set's file of rolls.") from None
    return tuple(rolls)


def _roll(entry: Mapping[str, Any], where: str) -> ReportedRoll:
    t, dice = _seconds(entry.get("t")), entry.get("dice")
    if t is None:
        raise RollFileError(f'{where}: write a roll as {{"t": 14.2, "dice": [3, 1]}}, with t in seconds.')
    if not isinstance(dice, list) or len(dice) != 2:
        raise RollFileError(f'{where}: write both dice as "dice": [3, 1].')
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise RollFileError(f"{where}: a die shows {die!r}, but must show 1 to 6; correct the roll.")
    return ReportedRoll(t, (dice[0], dice[1]))


def _entries(path: Path) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each line of a file of JSON objects, with where it stands; a line that is none comes empty.

    Raises OSError and UnicodeDecodeError.
    """
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            entry = None
        yield f"{path}, line {number}", entry if isinstance(entry, dict) else {}


def _seconds(value: object) -> float | None:
    """A time as a file gives it; None if it is no finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number with hundreds of digits
        return None
