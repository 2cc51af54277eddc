"""What an electronic dice set reported during a film: ``dice.jsonl``, one roll a line."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

from controller.errors import UserError


class RollFileError(UserError):
    """A file of rolls that cannot be used."""


@dataclass(frozen=True, slots=True)
class ReportedRoll:
    """Two dice in the order they were reported, and when, in seconds on the film's clock."""

    t: float
    dice: tuple[int, int]


def load_rolls(path: Path) -> tuple[ReportedRoll, ...]:
    """The rolls of a file in their order.

    Raises:
        RollFileError: naming the line that is no roll, shows a number no die has, or runs backwards in time.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise RollFileError(f"{path}: there is no such file of rolls; check the path.") from None
    except (OSError, UnicodeDecodeError):
        raise RollFileError(f"{path} cannot be read as text; give the dice set's file of rolls.") from None
    rolls: list[ReportedRoll] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        roll = _roll(line, f"{path}, line {number}")
        if rolls and roll.t < rolls[-1].t:
            raise RollFileError(
                f"{path}, line {number}: the roll at {roll.t} s comes after one at {rolls[-1].t} s; "
                "put the rolls in the order they were thrown."
            )
        rolls.append(roll)
    return tuple(rolls)


def _roll(line: str, where: str) -> ReportedRoll:
    try:
        entry = json.loads(line)
        t, dice = entry["t"], entry["dice"]
    except (ValueError, TypeError, KeyError):
        t, dice = None, None
    if isinstance(t, bool) or not isinstance(t, int | float) or not math.isfinite(t):
        raise RollFileError(f'{where}: write a roll as {{"t": 14.2, "dice": [3, 1]}}, with t in seconds.')
    if not isinstance(dice, list) or len(dice) != 2:
        raise RollFileError(f'{where}: write both dice as "dice": [3, 1].')
    for die in dice:
        if type(die) is not int or not 1 <= die <= 6:
            raise RollFileError(f"{where}: a die shows {die!r}, but must show 1 to 6; correct the roll.")
    return ReportedRoll(float(t), (dice[0], dice[1]))
