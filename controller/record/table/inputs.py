"""The input of a live table's referee as plain values for JSON: how the table is run, and every event.

An input is written down before it acts, and the referee is given what can be read back from there: so the journal,
put through the referee again, gives the same actions to the letter. The terms of the match are in its own event.

Of readings, log-likelihoods are written in hundredths, two characters of base 36 each, cut below -12 (`CUT`): so
improbable is nothing that is still considered. Confidences are in thousandths, lengths to 0.1 pixel. What is read
back is rounded like that, and writing it again gives the same.
"""

from collections.abc import Mapping
from dataclasses import MISSING, fields, replace
from typing import Any, Final, get_args

from controller.devices import Button, EventMark
from controller.errors import UserError
from controller.record.journal.journal import Json, JsonObject
from controller.record.match.json_values import READING_ERRORS
from controller.referee import Caution, DiceFrom, Event, RollReported, Settings
from controller.referee.table.settings import End, Premature
from controller.rules import Position, Profile, Roll, Side, Terms
from controller.rules.game import events as ruled
from controller.rules.game.match_record import (
    event_from_record,
    event_record,
    profile_from_record,
    profile_record,
)
from controller.tomlfile.checks import keys_of
from controller.vision import Reading
from controller.vision.board.board import PointSegments
from controller.vision.reading import BoardDrift, Count, CubeSeen, DieSeen, HandSeen, Misplacement

PLACES: Final = 4
"""Decimals of a second to which times are kept."""


class InputError(UserError):
    """An input in a journal that cannot be read."""


def _name(kind: type) -> str:
    """`FrameSeen` is called `frame_seen`; a reported roll is `rolled`, as in every journal so far."""
    if kind is RollReported:
        return "rolled"
    return "".join(f"_{char.lower()}" if char.isupper() else char for char in kind.__name__).lstrip("_")


KINDS: Final[Mapping[str, type]] = {_name(kind): kind for kind in get_args(Event)}
"""Every kind of input by its name in the journal: ``frame_seen``, ``rolled``, ``pressed`` ..."""
_NAMES: Final = {kind: name for name, kind in KINDS.items()}


def input_record(
    event: Event, mark: EventMark | None = None, by: str = "", command: str = ""
) -> dict[str, Json]:
    """An input as plain values: ``{"input": "rolled", "t": 4.12, "dice": [5, 1]}``.

    Args:
        event: what happened.
        mark: the name that the board's electronics gave it, so that the next start goes on behind it.
        by: who said or did it: ``light``, ``dark`` or ``director``; empty where that is not known.
        command: the name that a page gave it, so that it counts once.
    """
    record: dict[str, Json] = {"input": _NAMES[type(event)]}
    record |= {item.name: _json_value(item.name, getattr(event, item.name)) for item in fields(event)}
    if mark is not None:
        record["mark"] = [mark.board_id, mark.boot_id, mark.seq]
    if by:
        record["by"] = by
    if command:
        record["command"] = command
    return record


def input_from(record: JsonObject) -> Event:
    """The input that `input_record` wrote, rounded as it was.

    Raises:
        InputError: if no writing function made it.
    """
    kind = KINDS.get(str(record.get("input")))
    if kind is None:
        raise InputError(
            f"There is no input {record.get('input')!r}; the journal is of a newer Pointsman or was changed."
        )
    try:
        event: Event = kind(
            **{
                item.name: _value(item.name, record[item.name])
                for item in fields(kind)
                if item.default is MISSING or record.get(item.name) is not None
            }
        )
    except READING_ERRORS as error:
        raise InputError(
            f"The input {record['input']} cannot be read ({error!r}); the journal was not written by Pointsman "
            "or was changed."
        ) from error
    return event


def mark_from(record: JsonObject) -> EventMark | None:
    """The name that the board's electronics gave an input, `None` where it came from elsewhere."""
    mark = record.get("mark")
    return None if mark is None else EventMark(*mark)


def command_from(record: JsonObject) -> str:
    """The name that a page gave an input, empty where it came from elsewhere."""
    return str(record.get("command", ""))


def _json_value(name: str, value: object) -> Json:
    match value:
        case Reading():
            return reading_record(value)
        case Profile():
            return profile_record(value)
        case Position():
            return value.compact()
        case Button():
            return value.name.lower()
        case tuple():
            return [each.compact() if isinstance(each, Position) else each for each in value]
        case str():
            return str(value)
        case None | bool():
            return value
        case float() | int():
            return round(float(value), PLACES) if name == "t" else value
        case _:
            assert isinstance(value, get_args(ruled.RulesEvent)), f"no input has a {value!r}"
            return event_record(value)


def _value(name: str, raw: Any) -> object:
    match name:
        case "t":
            return float(raw)
        case "reading":
            return reading_from(raw)
        case "profile":
            return profile_from_record(raw)
        case "position" | "after":
            return None if raw is None else Position.seen_compact(raw)
        case "others":
            return tuple(Position.from_compact(each) for each in raw)
        case "losses":
            return tuple(map(float, raw))
        case "event":
            return event_from_record(raw)
        case "button":
            return Button[raw.upper()]
        case "side" | "on_roll" | "owner":
            return Side(raw)
        case "dice":
            first, second = raw
            Roll.from_dice(first, second)
            return (first, second)
        case _:
            return raw


def settings_record(settings: Settings) -> dict[str, Json]:
    """The settings without their terms."""
    return {
        "clock": settings.clock,
        "dice": str(settings.dice),
        "ends": [*sorted(map(str, settings.ends))],
        "rest_s": settings.rest_s,
        "premature": str(settings.premature),
        "consent": settings.consent,
        "hint": settings.hint,
        "hindsight": settings.hindsight,
        "film": settings.film,
        "remote": settings.remote and str(settings.remote),
        "caution": {key.name: getattr(settings.caution, key.name) for key in keys_of(Caution)},
    }


def start_record(position: Position | None, segments: PointSegments | None = None) -> dict[str, Json]:
    """Where play begins, if not at the start of a game, and how the board lies in the pictures, if there are any.

    It stands beside the settings before the first game.
    """
    lying: dict[str, Json] = {} if segments is None else {"lie": [list(point) for point in segments]}
    begun: dict[str, Json] = {} if position is None else {"position": position.compact()}
    return begun | lying


def start_from(record: JsonObject) -> Position | None:
    """The position that `start_record` wrote. Raises UserError for anything else."""
    return Position.from_compact(record["position"]) if "position" in record else None


def settings_from(record: JsonObject, terms: Terms) -> Settings:
    """The settings that `settings_record` wrote; a threshold that it does not name is as delivered.

    Raises:
        KeyError, TypeError, ValueError, UserError: for anything else.
    """
    said = record["caution"]
    known: dict[str, Any] = {
        key.name: key.check.value(said[key.name]) for key in keys_of(Caution) if key.name in said
    }
    return Settings(
        terms,
        clock=record["clock"],
        dice=DiceFrom(record["dice"]),
        ends=frozenset(map(End, record["ends"])),
        rest_s=record["rest_s"],
        premature=Premature(record["premature"]),
        consent=record["consent"],
        hint=record["hint"],
        hindsight=record.get("hindsight"),
        film=record.get("film", False),
        remote=Side(record["remote"]) if record.get("remote") else None,
        caution=replace(Caution(rules=terms.profiles[0].movement), **known),
    )


CUT: Final = 12.0
MOST: Final = 15
CERTAIN: Final = (1000, 1000, 1000)
"""How sure bar and trays were in journals that do not tell."""
DIE_KEYS: Final = 6
"""How much such journals say of a die."""
NOTHING: Final = ".."
"""Stands for a count that is out of the question."""
_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_WRITTEN: Final = tuple(_DIGITS[n // 36] + _DIGITS[n % 36] for n in range(round(100 * CUT) + 1))
_READ: Final[Mapping[str, float]] = {
    text: -hundredths / 100 if hundredths else 0.0 for hundredths, text in enumerate(_WRITTEN)
}


def reading_record(reading: Reading) -> dict[str, Json]:
    """A reading as plain values; about 2.5 KB of JSON for one of the reader's."""
    cube, drift = reading.cube, reading.drift
    return {
        "points": list(reading.points),
        "bar": [reading.bar.light, reading.bar.dark],
        "off": [reading.off.light, reading.off.dark],
        "dice": [
            [
                die.value,
                round(die.x, 1),
                round(die.y, 1),
                round(die.confidence, 3),
                die.cocked,
                die.owner,
                [round(1000 * share) for share in die.shares],
            ]
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
        "beside": [round(1000 * each) for each in (reading.bar_confidence, *reading.off_confidence)],
        "unsure": [*sorted(reading.unsure)],
        "covered": [*sorted(reading.covered)],
        "rows": [_row(opinion, range(-MOST, MOST + 1)) for opinion in reading.likelihoods],
        "bar_row": "".join(
            f"{_DIGITS[light]}{_DIGITS[dark]}{_likelihood(value)}"
            for (light, dark), value in reading.bar_likelihoods.items()
        ),
        "trays": [
            None if opinion is None else _row(opinion, range(MOST + 1)) for opinion in reading.off_likelihoods
        ],
        "assumed_off": reading.assumed_off,
        "hands": None
        if reading.hands is None
        else [[hand.side, [*sorted(hand.points)]] for hand in reading.hands],
        "stance": None
        if drift is None
        else [
            round(drift.x_mm, 2),
            round(drift.y_mm, 2),
            round(drift.turn_deg, 3),
            *(round(each, 3) for each in drift.light),
            round(drift.likeness, 3),
            round(drift.sharpness, 3),
        ],
        "fault": reading.fault,
        "displacement": None if reading.displacement is None else _displacement_row(reading.displacement),
    }


def reading_from(record: JsonObject) -> Reading:
    """The reading that `reading_record` wrote, as it was rounded.

    Raises:
        KeyError, TypeError, ValueError: for anything else.
    """
    first, second = (None if row is None else _opinion(row, 0) for row in record["trays"])
    bar_sure, *off_sure = (each / 1000 for each in record.get("beside", CERTAIN))
    return Reading(
        points=tuple(record["points"]),
        bar=Count(*record["bar"]),
        off=Count(*record["off"]),
        dice=tuple(_die(*die) for die in record["dice"]),
        cube=None if record["cube"] is None else CubeSeen(*record["cube"]),
        hand=record["hand"],
        confidence=record["confidence"],
        point_confidence=tuple(each / 1000 for each in record["thousandths"]),
        unsure=frozenset(record["unsure"]),
        covered=frozenset(record["covered"]),
        likelihoods=tuple(_opinion(row, -MOST) for row in record["rows"]),
        bar_likelihoods=_bar_opinion(record["bar_row"]),
        bar_confidence=bar_sure,
        off_confidence=(off_sure[0], off_sure[1]),
        assumed_off=record["assumed_off"],
        off_likelihoods=(first, second),
        hands=_hands(record.get("hands")),
        drift=None if record["stance"] is None else _stance(*record["stance"]),
        fault=record["fault"],
        displacement=_displacement(record.get("displacement")),
    )


def _likelihood(value: float) -> str:
    return _WRITTEN[round(100 * min(max(-value, 0.0), CUT))]


def _row(opinion: Mapping[int, float], counts: range) -> str:
    """Two characters for each count in turn."""
    return "".join(_likelihood(opinion[count]) if count in opinion else NOTHING for count in counts)


def _opinion(row: str, first: int) -> dict[int, float]:
    """The log-likelihoods in a row whose first two characters are about the count ``first``."""
    pairs = (row[place : place + 2] for place in range(0, len(row), 2))
    return {count: _READ[pair] for count, pair in enumerate(pairs, start=first) if pair != NOTHING}


def _bar_opinion(row: str) -> dict[tuple[int, int], float]:
    fours = (row[place : place + 4] for place in range(0, len(row), 4))
    return {(int(four[0], 36), int(four[1], 36)): _READ[four[2:]] for four in fours}


def _die(*values: Any) -> DieSeen:
    """A die as it was written; journals of earlier versions do not tell the shares of its numbers."""
    seen, told = values[:DIE_KEYS], values[DIE_KEYS:]
    return DieSeen(*seen, *(tuple(share / 1000 for share in shares) for shares in told))


def _hands(hands: Any) -> tuple[HandSeen, ...] | None:
    """The hands as they were written; journals of earlier versions do not tell of them."""
    return None if hands is None else tuple(HandSeen(side, frozenset(points)) for side, points in hands)


def _displacement_row(displacement: Misplacement) -> list[Json]:
    return [
        displacement.kind,
        round(displacement.x_mm, 1),
        round(displacement.y_mm, 1),
        round(displacement.turn_deg, 2),
        round(displacement.tilt_deg, 2),
        round(displacement.nearer, 4),
        round(displacement.chance, 4),
    ]


def _displacement(row: Any) -> Misplacement | None:
    """How the board stood as it was written; journals of earlier versions do not tell."""
    return None if row is None else Misplacement(*row)


def _stance(*values: float) -> BoardDrift:
    x_mm, y_mm, turn_deg, blue, green, red, likeness, sharpness = values
    return BoardDrift(x_mm, y_mm, turn_deg, (blue, green, red), likeness, sharpness)
