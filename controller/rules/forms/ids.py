"""The short texts that programs exchange positions in: XGID, and GNU Backgammon's position and match ids.

Light is XGID's player X (bottom) and GNU Backgammon's player 1; dark is O and player 0. The forms are those
of GNU Backgammon 1.07 and of eXtreme Gammon as it reads them.
"""

import base64
import binascii
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Final

from controller.errors import UserError
from controller.rules import packed
from controller.rules.position import CHECKERS, Position, Roll, Side

POSITION_BYTES: Final = 10
MATCH_BYTES: Final = 9
_PLAYERS: Final = (Side.DARK, Side.LIGHT)
_TURN: Final = {Side.LIGHT: 1, Side.DARK: -1}


class IdError(UserError):
    """A text that is not the id it should be, with the reason."""


class OfferCode(StrEnum):
    """A cube decision that waits for an answer. The doubler stays on roll."""

    NONE = "none"
    DOUBLE = "double"
    BEAVER = "beaver"
    RACCOON = "raccoon"


class GameState(IntEnum):
    """The state of the game as GNU Backgammon's match id has it."""

    NONE = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchState:
    """Everything but the checkers that an id can carry.

    Attributes:
        on_roll: whose turn it is (the doubler, while an offer waits).
        roll: the dice, `None` before the roll.
        cube: value of the cube, a power of two.
        owner: who may turn it next, `None` in the middle.
        offer: a cube decision that waits; a GNU match id knows only a double.
        length: points of the match, 0 for a money session.
        score: points of light and of dark.
        crawford: whether this is the Crawford game.
        jacoby: whether the Jacoby rule holds (money sessions).
        beavers: whether beavers are allowed (money sessions; only XGID carries it).
        max_cube: largest value of the cube (only XGID carries it).
        state: how the game stands (only the GNU match id carries it).
        resigned: 0, or 1..3 for a single game, gammon or backgammon offered (only the GNU match id carries
            it).
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
    state: GameState = GameState.PLAYING
    resigned: int = 0


def position_id(position: Position, on_roll: Side) -> str:
    """GNU Backgammon's 14 characters for a position; the opponent of the player on roll comes first.

    Raises:
        IdError: if a side has more than fifteen checkers.
    """
    bits = ""
    for side in (on_roll.opponent, on_roll):
        if position.off(side) < 0:
            raise IdError(
                f"A GNU position id cannot hold the position {position.compact()}: too many checkers."
            )
        for count in _places(position, side):
            bits += "1" * count + "0"
    return _encoded(int(bits[::-1], 2), POSITION_BYTES)


def position_from_id(text: str, on_roll: Side) -> Position:
    """The position of a GNU position id, `on_roll` being the player on roll.

    Raises:
        IdError: with what is wrong in the text.
    """
    number = _decoded(text, POSITION_BYTES, "GNU position id")
    counts: list[list[int]] = []
    for side in (on_roll.opponent, on_roll):
        places = []
        for _ in range(packed.BAR):
            ones = (~number & number + 1).bit_length() - 1
            places.append(ones)
            number >>= ones + 1
        if sum(places) > CHECKERS:
            raise IdError(
                f"The GNU position id {text!r} gives {side} {sum(places)} checkers, more than {CHECKERS}."
            )
        counts.append(places)
    if number:
        raise IdError(f"The GNU position id {text!r} holds more than two sides' checkers.")
    opponent, mover = counts
    points = [ours - theirs for ours, theirs in zip(mover[:24], reversed(opponent[:24]), strict=True)]
    if any(ours and theirs for ours, theirs in zip(mover[:24], reversed(opponent[:24]), strict=True)):
        raise IdError(f"The GNU position id {text!r} puts checkers of both sides on one point.")
    seen = Position.of(points, mover[24], opponent[24])
    return seen if on_roll is Side.LIGHT else seen.mirrored()


def match_id(state: MatchState) -> str:
    """GNU Backgammon's 12 characters for the score, the cube, the dice and whose turn it is.

    Raises:
        IdError: if a value does not fit into its place.
    """
    answering = state.on_roll.opponent if state.offer is not OfferCode.NONE else state.on_roll
    fields = (
        (_log2(state.cube), 4, "cube"),
        (3 if state.owner is None else _PLAYERS.index(state.owner), 2, "owner"),
        (_PLAYERS.index(state.on_roll), 1, "on_roll"),
        (int(state.crawford), 1, "crawford"),
        (int(state.state), 3, "state"),
        (_PLAYERS.index(answering), 1, "turn"),
        (int(state.offer is not OfferCode.NONE), 1, "offer"),
        (state.resigned, 2, "resigned"),
        (state.roll.high if state.roll else 0, 3, "die"),
        (state.roll.low if state.roll else 0, 3, "die"),
        (state.length, 15, "length"),
        (state.score[1], 15, "score of dark"),
        (state.score[0], 15, "score of light"),
        (int(not state.jacoby), 1, "jacoby"),
    )
    number, shift = 0, 0
    for value, width, name in fields:
        if not 0 <= value < 1 << width:
            raise IdError(f"A GNU match id cannot hold {value} as {name}.")
        number |= value << shift
        shift += width
    return _encoded(number, MATCH_BYTES)


def match_from_id(text: str) -> MatchState:
    """What a GNU match id says; the 67th bit, which old programs leave out, tells that Jacoby is off.

    Raises:
        IdError: with what is wrong in the text.
    """
    number = _decoded(text, MATCH_BYTES, "GNU match id")

    def take(width: int) -> int:
        nonlocal number
        value = number & (1 << width) - 1
        number >>= width
        return value

    cube, owner, on_roll, crawford, state, _, doubled, resigned = (take(n) for n in (4, 2, 1, 1, 3, 1, 1, 2))
    dice = (take(3), take(3))
    length, dark, light, jacoby_off = (take(n) for n in (15, 15, 15, 1))
    if owner == 2:
        raise IdError(f"The GNU match id {text!r} gives the cube to a player who is not at the board.")
    if state > max(GameState):
        raise IdError(f"The GNU match id {text!r} has the unknown game state {state}.")
    return MatchState(
        on_roll=_PLAYERS[on_roll],
        roll=_dice(dice, f"The GNU match id {text!r}"),
        cube=1 << cube,
        owner=None if owner == 3 else _PLAYERS[owner],
        offer=OfferCode.DOUBLE if doubled else OfferCode.NONE,
        length=length,
        score=(light, dark),
        crawford=bool(crawford),
        jacoby=not jacoby_off and not length,
        state=GameState(state),
        resigned=resigned,
    )


def _places(position: Position, side: Side) -> list[int]:
    """The counts of one side on its own points 1..24 and its bar."""
    view = packed.view(position.code, dark=side is Side.DARK)
    return [max(value - packed.EMPTY, 0) for value in view[1:]]


def _dice(dice: tuple[int, int], where: str) -> Roll | None:
    if dice == (0, 0):
        return None
    if not all(1 <= die <= 6 for die in dice):
        raise IdError(f"{where} shows the dice {dice[0]} and {dice[1]}, but a die shows 1 to 6.")
    return Roll.of(*dice)


def _log2(value: int) -> int:
    if value < 1 or value & value - 1:
        raise IdError(f"The cube shows {value}, but must show a power of two.")
    return value.bit_length() - 1


def _encoded(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode("ascii").rstrip("=")


def _decoded(text: str, size: int, name: str) -> int:
    length = -(-size * 8 // 6)
    if len(text) != length:
        raise IdError(f"The {name} {text!r} has {len(text)} characters, but must have {length}.")
    try:
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (binascii.Error, ValueError) as error:
        raise IdError(f"The {name} {text!r} has characters other than letters, digits, + and /.") from error
    number = int.from_bytes(data, "little")
    if _encoded(number, size) != text:
        raise IdError(f"The {name} {text!r} ends in {text[-1]!r}, which says more than it can hold.")
    return number
