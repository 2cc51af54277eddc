"""XGID: a position with cube, score and dice in one line, as eXtreme Gammon and GNU Backgammon write and read it.

Light is XGID's player X (bottom), dark is O.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.errors import UserError
from controller.rules import packed
from controller.rules.position import CHECKERS, Position, Roll, Side

PREFIX: Final = "XGID="
_FIELDS: Final = (
    "position",
    "cube",
    "owner",
    "turn",
    "dice",
    "score X",
    "score O",
    "flags",
    "length",
    "max cube",
)


class IdError(UserError):
    """A text that is not the id it should be, with the reason."""


class OfferCode(StrEnum):
    """A cube decision that waits for an answer. The doubler stays on roll."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything but the checkers that an id can carry.

    Attributes:
        on_roll: whose turn it is (the doubler, while an offer waits).
        roll: the dice, `None` before the roll.
        cube: value of the cube, a power of two.
        owner: who may turn it next, `None` in the middle.
        offer: a cube decision that waits.
        length: points of the match, 0 for a money session.
        score: points of light and of dark.
        crawford: whether this is the Crawford game.
        jacoby: whether the Jacoby rule holds (money sessions).
        beavers: whether beavers are allowed (money sessions).
        max_cube: largest value of the cube.
    """

    on_roll: Side = Side.LIGHT
    roll: Roll | None = None
    cube: int = 1
    owner: Side | None = None
    offer: OfferCode = OfferCode.NONE
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    max_cube: int = 1024


_SIGNS: Final = {Side.LIGHT: 1, Side.DARK: -1, None: 0}
_SIDES: Final = {sign: side for side, sign in _SIGNS.items()}
_OFFERS: Final = {OfferCode.DOUBLE: "D", OfferCode.BEAVER: "B", OfferCode.RACCOON: "R"}
_CRAWFORD: Final = 1
_JACOBY: Final = 1
_BEAVERS: Final = 2


def xgid(position: Position, state: MatchState) -> str:
    """The XGID of a position; light is player X, at the bottom, dark is O.

    Raises:
        IdError: if a side has more than fifteen checkers or the cube shows no power of two.
    """
    if min(position.off(side) for side in Side) < 0:
        raise IdError(f"An XGID cannot hold the position {position.compact()}: too many checkers.")
    flags = int(state.crawford) if state.length else _JACOBY * state.jacoby + _BEAVERS * state.beavers
    dice = _OFFERS.get(state.offer, "00" if state.roll is None else f"{state.roll.high}{state.roll.low}")
    compact = position.compact()
    fields = (
        (compact[25] + compact[:25]).replace(".", "-"),
        _power(state.cube),
        _SIGNS[state.owner],
        _SIGNS[state.on_roll],
        dice,
        *state.score,
        flags,
        state.length,
        _power(state.max_cube),
    )
    return PREFIX + ":".join(map(str, fields))


def from_xgid(text: str) -> tuple[Position, MatchState]:
    """The position and the rest of an XGID; the leading `XGID=` may be missing.

    Raises:
        IdError: naming the field that is wrong.
    """
    fields = text.strip().removeprefix(PREFIX).split(":")
    if len(fields) != len(_FIELDS):
        raise IdError(
            f"The XGID {text!r} has {len(fields)} fields, but must have {len(_FIELDS)} between colons."
        )
    position = _position(fields[0], text)
    numbers = {
        name: _number(value, name, text)
        for name, value in zip(_FIELDS, fields, strict=True)
        if name not in ("position", "dice")
    }
    turn = _SIDES.get(numbers["turn"])
    if turn is None:
        raise IdError(f"The turn in the XGID {text!r} is {fields[3]}, but must be 1 or -1.")
    if numbers["owner"] not in _SIDES:
        raise IdError(f"The owner of the cube in the XGID {text!r} is {fields[2]}, but must be 1, 0 or -1.")
    for name in ("cube", "max cube", "score X", "score O", "length"):
        most = 20 if "cube" in name else 9999
        if not 0 <= numbers[name] <= most:
            raise IdError(f"The {name} in the XGID {text!r} is {numbers[name]}, but must be 0 to {most}.")
    flags = numbers["flags"]
    if not 0 <= flags <= (_CRAWFORD if numbers["length"] else _JACOBY + _BEAVERS):
        raise IdError(f"The flags in the XGID {text!r} are {flags}: 0 or 1 in a match, 0 to 3 for money.")
    offer = next((offer for offer, letter in _OFFERS.items() if letter == fields[4]), OfferCode.NONE)
    return position, MatchState(
        on_roll=turn,
        roll=None if offer is not OfferCode.NONE else _roll(fields[4], text),
        cube=1 << numbers["cube"],
        owner=_SIDES[numbers["owner"]],
        offer=offer,
        length=numbers["length"],
        score=(numbers["score X"], numbers["score O"]),
        crawford=bool(numbers["length"] and flags),
        jacoby=not numbers["length"] and bool(flags & _JACOBY),
        beavers=not numbers["length"] and bool(flags & _BEAVERS),
        max_cube=1 << numbers["max cube"],
    )


def _position(places: str, text: str) -> Position:
    """The position of an XGID's first field: O's bar, X's points 1..24, X's bar."""
    code = packed.from_compact((places[1:] + places[:1]).replace(".", "?").replace("-", "."))
    if code is None:
        raise IdError(
            f"The position in the XGID {text!r} cannot be read: it must be 26 characters, '-', 'A' to 'O' or "
            "'a' to 'o', with O's bar first and X's bar last."
        )
    position = Position(code)
    for side, letter in ((Side.LIGHT, "X"), (Side.DARK, "O")):
        if position.off(side) < 0:
            seen = CHECKERS - position.off(side)
            raise IdError(f"The XGID {text!r} gives {letter} {seen} checkers, more than {CHECKERS}.")
    return position


def _roll(dice: str, text: str) -> Roll | None:
    if dice == "00":
        return None
    if len(dice) != 2 or not set(dice) <= set("123456"):
        raise IdError(
            f"The dice in the XGID {text!r} are {dice!r}: 00, two numbers 1 to 6, D, B or R are read."
        )
    return Roll.from_dice(int(dice[0]), int(dice[1]))


def _number(value: str, name: str, text: str) -> int:
    try:
        return int(value)
    except ValueError as error:
        raise IdError(f"The {name} in the XGID {text!r} is {value!r}, but must be a whole number.") from error


def _power(value: int) -> int:
    if value < 1 or value & value - 1:
        raise IdError(f"The cube shows {value}, but must show a power of two.")
    return value.bit_length() - 1
