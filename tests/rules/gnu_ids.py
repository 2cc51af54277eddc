"""GNU Backgammon's position and match ids, to compare what is read here with what that program prints."""

import base64

from controller.rules.forms.xgid import MatchState
from controller.rules.position import Position, Side

PLAYERS = (Side.DARK, Side.LIGHT)


def position_id(position: Position, on_roll: Side) -> str:
    """The 14 characters for a position; the opponent of the player on roll comes first."""
    bits = ""
    for side in (on_roll.opponent, on_roll):
        own = position if side is Side.LIGHT else position.mirrored()
        for count in (*own.points, own.bar(Side.LIGHT)):
            bits += "1" * max(count, 0) + "0"
    return _encoded(int(bits[::-1], 2), 10)


def match_id(state: MatchState) -> str:
    """The 12 characters for the score, the cube, the dice and whose turn it is, while nothing is offered."""
    fields = (
        (state.cube.bit_length() - 1, 4),
        (3 if state.owner is None else PLAYERS.index(state.owner), 2),
        (PLAYERS.index(state.on_roll), 1),
        (int(state.crawford), 1),
        (1, 3),  # being played
        (PLAYERS.index(state.on_roll), 1),
        (0, 1),  # no double offered
        (0, 2),  # no resignation
        (state.roll.high if state.roll else 0, 3),
        (state.roll.low if state.roll else 0, 3),
        (state.length, 15),
        (state.score[1], 15),
        (state.score[0], 15),
        (int(not state.jacoby), 1),
    )
    number = shift = 0
    for value, width in fields:
        number |= value << shift
        shift += width
    return _encoded(number, 9)


def _encoded(number: int, size: int) -> str:
    return base64.b64encode(number.to_bytes(size, "little")).decode().rstrip("=")
