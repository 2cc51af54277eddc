"""GNU Backgammon's ids: a position in 14 characters, and cube, score, dice and what waits for an answer in 12.

The bits are those that gnubg 1.07.001 writes (compared with the program). Light is gnubg's player 1, dark its
player 0, as in an XGID that it reads.
"""

import base64
import binascii
from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from controller.rules.forms.xgid import IdError, MatchState, OfferCode
from controller.rules.position import CHECKERS, Position, PositionError, Roll, Side

PLAYERS: Final = (Side.DARK, Side.LIGHT)
POSITION_BYTES: Final = 10
MATCH_BYTES: Final = 9
NOBODY: Final = 3
"""The owner of a cube in the middle."""
_WIDTHS: Final = {
    "cube": 4,
    "owner": 2,
    "on_roll": 1,
    "crawford": 1,
    "stage": 3,
    "turn": 1,
    "doubled": 1,
    "resigned": 2,
    "die": 3,
    "other": 3,
    "length": 15,
    "dark": 15,
    "light": 15,
    "no_jacoby": 1,
    "rest": 5,
}
"""The fields of a match id and their bits, the lowest first."""


class Stage(IntEnum):
    """Where a game stands, by gnubg's numbers."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    PASSED = 4


@dataclass(frozen=True, slots=True)
class GnuState:
    """Everything that a match id says.

    Attributes:
        on_roll: whose turn it is; the doubler, while a double, a beaver or a raccoon waits.
        turn: who has to act: the one on roll, or who must answer.
        dice: as they are written, `None` before the roll.
        cube: its value; after a beaver or a raccoon already the new one.
        owner: who may turn it next, `None` in the middle; after a beaver who beavered.
        doubled: whether a double, a beaver or a raccoon waits for its answer.
        resigned: the level of a resignation that waits or was accepted, 1 to 3, 0 for none.
        stage: where the game stands.
        length: points of the match, 0 for a money session.
        score: points of light and of dark.
        crawford: whether this is the Crawford game.
        jacoby: whether the Jacoby rule holds.
    """

    on_roll: Side = Side.LIGHT
    turn: Side = Side.LIGHT
    dice: tuple[int, int] | None = None
    cube: int = 1
    owner: Side | None = None
    doubled: bool = False
    resigned: int = 0
    stage: Stage = Stage.PLAYING
    length: int = 0
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    jacoby: bool = False

    @classmethod
    def from_match_state(cls, state: MatchState) -> Self:
        """The state of an XGID in which nothing but a double may wait."""
        waits = state.offer is OfferCode.DOUBLE
        return cls(
            on_roll=state.on_roll,
            turn=state.on_roll.opponent if waits else state.on_roll,
            dice=(state.roll.high, state.roll.low) if state.roll else None,
            cube=state.cube,
            owner=state.owner,
            doubled=waits,
            length=state.length,
            score=state.score,
            crawford=state.crawford,
            jacoby=state.jacoby,
        )

    @property
    def offer(self) -> OfferCode:
        """What waits for an answer."""
        if not self.doubled:
            return OfferCode.NONE
        if self.turn is self.on_roll:
            return OfferCode.BEAVER
        return OfferCode.RACCOON if self.owner is self.on_roll.opponent else OfferCode.DOUBLE

    def match_state(self) -> MatchState:
        """As much of it as an XGID says; a resignation and how a game ended are left out."""
        return MatchState(
            on_roll=self.on_roll,
            roll=Roll.from_dice(*self.dice) if self.dice and not self.doubled else None,
            cube=self.cube,
            owner=self.owner,
            offer=self.offer,
            length=self.length,
            score=self.score,
            crawford=self.crawford,
            jacoby=self.jacoby,
        )


def position_id(position: Position, on_roll: Side) -> str:
    """The 14 characters of a position; the opponent of the player on roll comes first.

    Raises:
        IdError: a side has more than fifteen checkers.
    """
    if min(position.off(side) for side in Side) < 0:
        raise IdError(f"A GNU position id cannot hold {position.compact()}: too many checkers.")
    bits = ""
    for side in (on_roll.opponent, on_roll):
        own = position if side is Side.LIGHT else position.mirrored()
        for count in (*own.points, own.bar(Side.LIGHT)):
            bits += "1" * max(count, 0) + "0"
    return _encode(int(bits[::-1], 2), POSITION_BYTES)


def from_position_id(text: str, on_roll: Side) -> Position:
    """The position of an id, given who is on roll.

    Raises:
        IdError: it is no id, or no position.
    """
    number = _decode(text, POSITION_BYTES, "position")
    counts = _runs(number)
    theirs, own = ([next(counts) for _ in range(25)] for _ in range(2))
    if sum(theirs) > CHECKERS or sum(own) > CHECKERS:
        raise IdError(f"The GNU position id {text!r} gives a side more than {CHECKERS} checkers.")
    points = [mine - other for mine, other in zip(own[:24], reversed(theirs[:24]), strict=True)]
    if any(mine and other for mine, other in zip(own[:24], reversed(theirs[:24]), strict=True)):
        raise IdError(f"The GNU position id {text!r} puts checkers of both sides on one point.")
    try:
        seen = Position.from_counts(points, own[24], theirs[24])
    except PositionError as error:
        raise IdError(f"The GNU position id {text!r} is no position: {error}") from None
    return seen if on_roll is Side.LIGHT else seen.mirrored()


def _runs(number: int) -> Iterator[int]:
    """How many ones stand before each zero, from the lowest bit."""
    while True:
        ones = 0
        while number & 1:
            ones, number = ones + 1, number >> 1
        number >>= 1
        yield ones


def match_id(state: GnuState) -> str:
    """The 12 characters of a state.

    Raises:
        IdError: the cube shows no power of two, or a number is too large.
    """
    if state.cube < 1 or state.cube & state.cube - 1:
        raise IdError(f"The cube shows {state.cube}, but must show a power of two.")
    die, other = state.dice or (0, 0)
    values = {
        "cube": state.cube.bit_length() - 1,
        "owner": NOBODY if state.owner is None else PLAYERS.index(state.owner),
        "on_roll": PLAYERS.index(state.on_roll),
        "crawford": int(state.crawford),
        "stage": int(state.stage),
        "turn": PLAYERS.index(state.turn),
        "doubled": int(state.doubled),
        "resigned": state.resigned,
        "die": die,
        "other": other,
        "length": state.length,
        "dark": state.score[1],
        "light": state.score[0],
        "no_jacoby": int(not state.jacoby),
        "rest": 0,
    }
    number = shift = 0
    for name, width in _WIDTHS.items():
        if not 0 <= values[name] < 1 << width:
            raise IdError(f"A GNU match id cannot hold {values[name]} as its {name}.")
        number |= values[name] << shift
        shift += width
    return _encode(number, MATCH_BYTES)


def from_match_id(text: str) -> GnuState:
    """The state of an id.

    Raises:
        IdError: it is no id, or says what cannot be.
    """
    number = _decode(text, MATCH_BYTES, "match")
    values: dict[str, int] = {}
    for name, width in _WIDTHS.items():
        values[name] = number & (1 << width) - 1
        number >>= width
    dice = (values["die"], values["other"])
    if dice != (0, 0) and not all(1 <= each <= 6 for each in dice):
        raise IdError(f"The GNU match id {text!r} has the dice {dice[0]} and {dice[1]}.")
    if values["owner"] == 2 or values["rest"] or values["stage"] > max(Stage):
        raise IdError(f"The GNU match id {text!r} says what no match can be; copy it once more.")
    owner = values["owner"]
    return GnuState(
        on_roll=PLAYERS[values["on_roll"]],
        turn=PLAYERS[values["turn"]],
        dice=None if dice == (0, 0) else dice,
        cube=1 << values["cube"],
        owner=None if owner == NOBODY else PLAYERS[owner],
        doubled=bool(values["doubled"]),
        resigned=values["resigned"],
        stage=Stage(values["stage"]),
        length=values["length"],
        score=(values["light"], values["dark"]),
        crawford=bool(values["crawford"]),
        jacoby=not values["no_jacoby"],
    )


def is_gnu_id(text: str) -> bool:
    """Whether a text has the form of both ids with a colon between them, as gnubg's users write them."""
    position, colon, match = text.strip().partition(":")
    return bool(colon) and (len(position), len(match)) == (14, 12)


def from_gnu_id(text: str) -> tuple[Position, GnuState]:
    """The position and the state of both ids with a colon between them.

    Raises:
        IdError: saying which of them is wrong.
    """
    position, _, match = text.strip().partition(":")
    state = from_match_id(match)
    return from_position_id(position, state.on_roll), state


def _encode(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")


def _decode(text: str, size: int, what: str) -> int:
    """The bits of an id of this many bytes."""
    padded = text + "=" * (-len(text) % 4)
    try:
        data = base64.b64decode(padded, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != size:
        raise IdError(
            f"The GNU {what} id {text!r} must be {-(-8 * size // 6)} characters; copy it once more."
        )
    return int.from_bytes(data, "little")
