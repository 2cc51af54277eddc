"""Readings as plain values for JSON: small, and to the letter what the referee is told.

Log-likelihoods are written in hundredths, two characters of base 36 each, cut below -12 (`CUT`): so improbable is
nothing that is still considered. Confidences are in thousandths, lengths to 0.1 pixel. What is read back is rounded
like that, and writing it again gives the same.
"""

from collections.abc import Mapping
from typing import Final, cast

from controller.record.journal.schema import Json, JsonObject
from controller.vision.reading import Count, CubeSeen, DieSeen, Fault, Owner, Reading, Stance

CUT: Final = 12.0
MOST: Final = 15
NOTHING: Final = ".."
"""Stands for a count that is out of the question."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_WRITTEN: Final = tuple(_DIGITS[n // 36] + _DIGITS[n % 36] for n in range(round(100 * CUT) + 1))
_READ: Final[Mapping[str, float]] = {
    text: -hundredths / 100 if hundredths else 0.0 for hundredths, text in enumerate(_WRITTEN)
}


def reading_record(reading: Reading) -> dict[str, Json]:
    """A reading as plain values; about 2.5 KB of JSON for one of the reader's."""
    cube, stance = reading.cube, reading.stance
    return {
        "points": list(reading.points),
        "bar": [reading.bar.light, reading.bar.dark],
        "off": [reading.off.light, reading.off.dark],
        "dice": [
            [die.value, round(die.x, 1), round(die.y, 1), round(die.confidence, 3), die.cocked, die.owner]
            for die in reading.dice
        ],
        "cube": None
        if cube is None
        else [
            cube.value,
            str(cube.owner),
            round(cube.confidence, 3),
            cube.face,
            round(cube.x, 1),
            round(cube.y, 1),
        ],
        "hand": reading.hand,
        "confidence": round(reading.confidence, 3),
        "thousandths": [round(1000 * each) for each in reading.point_confidence],
        "unsure": [*sorted(reading.unsure)],
        "covered": [*sorted(reading.covered)],
        "rows": [_row(opinion, range(-MOST, MOST + 1)) for opinion in reading.likelihoods],
        "bar_row": "".join(
            f"{_DIGITS[light]}{_DIGITS[dark]}{_value(value)}"
            for (light, dark), value in reading.bar_likelihoods.items()
        ),
        "trays": [
            None if opinion is None else _row(opinion, range(MOST + 1)) for opinion in reading.off_likelihoods
        ],
        "assumed_off": reading.assumed_off,
        "stance": None
        if stance is None
        else [
            round(stance.x_mm, 2),
            round(stance.y_mm, 2),
            round(stance.turn_deg, 3),
            *(round(each, 3) for each in stance.light),
            round(stance.likeness, 3),
            round(stance.sharpness, 3),
        ],
        "fault": reading.fault,
    }


def reading_from(record: JsonObject) -> Reading:
    """The reading that `reading_record` wrote, as it was rounded.

    Raises:
        KeyError, TypeError, ValueError: for anything else.
    """
    first, second = (None if row is None else _opinion(row, 0) for row in record["trays"])
    return Reading(
        points=tuple(record["points"]),
        bar=Count(*record["bar"]),
        off=Count(*record["off"]),
        dice=tuple(DieSeen(*die) for die in record["dice"]),
        cube=None if record["cube"] is None else _cube(*record["cube"]),
        hand=record["hand"],
        confidence=record["confidence"],
        point_confidence=tuple(each / 1000 for each in record["thousandths"]),
        unsure=frozenset(record["unsure"]),
        covered=frozenset(record["covered"]),
        likelihoods=tuple(_opinion(row, -MOST) for row in record["rows"]),
        bar_likelihoods=_bar_opinion(record["bar_row"]),
        assumed_off=record["assumed_off"],
        off_likelihoods=(first, second),
        stance=None if record["stance"] is None else _stance(*record["stance"]),
        fault=cast("Fault | None", record["fault"]),
    )


def _value(value: float) -> str:
    return _WRITTEN[round(100 * min(max(-value, 0.0), CUT))]


def _row(opinion: Mapping[int, float], counts: range) -> str:
    """Two characters for each count in turn."""
    return "".join(_value(opinion[count]) if count in opinion else NOTHING for count in counts)


def _opinion(row: str, first: int) -> dict[int, float]:
    """The log-likelihoods in a row whose first two characters are about the count ``first``."""
    pairs = (row[place : place + 2] for place in range(0, len(row), 2))
    return {count: _READ[pair] for count, pair in enumerate(pairs, start=first) if pair != NOTHING}


def _bar_opinion(row: str) -> dict[tuple[int, int], float]:
    fours = (row[place : place + 4] for place in range(0, len(row), 4))
    return {(int(four[0], 36), int(four[1], 36)): _READ[four[2:]] for four in fours}


def _cube(value: int, owner: str, confidence: float, face: int, x: float, y: float) -> CubeSeen:
    return CubeSeen(value, cast("Owner", owner), confidence, face, x, y)


def _stance(
    x_mm: float,
    y_mm: float,
    turn_deg: float,
    blue: float,
    green: float,
    red: float,
    likeness: float,
    sharpness: float,
) -> Stance:
    return Stance(x_mm, y_mm, turn_deg, (blue, green, red), likeness, sharpness)
