"""The board of any game of the family as the mover sees it: bytes that also tell pins and the mover's hand.

The first 26 bytes are those of `controller.rules.packed.view`: the mover's own numbering, own checkers above 16,
the opponent's below, 25 the mover's bar and 0 the opponent's. Checkers in hand enter like those on the bar and are
counted with them. Behind these bytes stand, for each point, whether a checker lies under those of the other side
(`PIN` + point), and how many of the checkers at 25 and at 0 are in hand.
"""

from functools import lru_cache
from typing import Final

from controller.rules import hidden, packed
from controller.rules.moves.movement import Contact, MovementRules
from controller.rules.packed import BAR, BLOT, EMPTY, OFF
from controller.rules.position import Direction, Position, Side, side_point

PIN: Final = 25
"""`view[PIN + point]` is 1 if a checker lies under those on ``point``."""
HAND: Final = 50
_OTHER_HAND: Final = 51
_KEPT: Final = 4096


@lru_cache(maxsize=_KEPT)
def view(code: int, dark: bool, direction: Direction) -> bytes:
    """The board as the mover sees it, of a position's number with its pins and hands."""
    places = packed.view(hidden.board(code), dark=dark)
    if dark and direction is Direction.PARALLEL:
        places = _with_halves_reversed(places)
    side, other = (hidden.hand(code, dark=of) for of in (dark, not dark))
    pins = bytearray(24)
    for point in hidden.pinned(code):
        pins[side_point(point, Side.DARK if dark else Side.LIGHT, direction) - 1] = 1
    return bytes((places[0] - other, *places[1:BAR], places[BAR] + side, *pins, side, other))


def code_of(board: bytes, dark: bool, direction: Direction) -> int:
    """The number of the position that `view` shows so."""
    places = bytes((board[0] + board[_OTHER_HAND], *board[1:BAR], board[BAR] - board[HAND]))
    if dark and direction is Direction.PARALLEL:
        places = _with_halves_reversed(places)
    code = int.from_bytes(places, "little")
    hands = board[HAND], board[_OTHER_HAND]
    side = Side.DARK if dark else Side.LIGHT
    pins = tuple(side_point(point, side, direction) for point in range(1, BAR) if board[PIN + point])
    light_hand, dark_hand = hands[::-1] if dark else hands
    return hidden.with_hidden(packed.mirror(code) if dark else code, pins, light_hand, dark_hand)


def _with_halves_reversed(places: bytes) -> bytes:
    """Dark's view of an opposed game from its view of a parallel one, and the other way round."""
    return places[:1] + places[12:0:-1] + places[24:12:-1] + places[25:]


def waiting(board: bytes) -> int:
    """How many of the mover's checkers are on the bar; those in hand do not wait."""
    return board[BAR] - EMPTY - board[HAND]


def after_step(board: bytes, source: int, target: int, contact: Contact) -> bytes:
    """The board after the mover's checker has gone from `source` (25 the bar or the hand) to `target` (0 off).

    A single checker of the opponent on `target` is hit or pinned. On a closed point, where no checker may land, all
    that stand there go the same way. A checker that was pinned on `source` is free when the last one leaves it.
    """
    places = bytearray(board)
    places[source] -= 1
    if source == BAR:
        places[HAND] = min(places[HAND], places[BAR] - EMPTY)
    elif places[source] == EMPTY and places[PIN + source]:
        places[source], places[PIN + source] = BLOT, 0
    if target != OFF:
        standing = EMPTY - places[target]
        if standing > 0:
            places[target] = EMPTY
            if contact is Contact.PIN:
                places[PIN + target] = 1
            else:
                places[OFF] -= standing
        places[target] += 1
    return bytes(places)


def without_pin(board: bytes, point: int) -> bytes:
    """The board on which a pinned checker of the mover counts as one that may leave: its step restores the count."""
    places = bytearray(board)
    places[PIN + point] = 0
    places[point] += 1
    return bytes(places)


def rearmost(board: bytes) -> int:
    """The highest place that holds a checker of the mover, a pinned one too; 0 if all are off."""
    for place in range(BAR, 0, -1):
        if board[place] > EMPTY or (place < BAR and board[place] < EMPTY and board[PIN + place]):
            return place
    return 0


def own_pins(board: bytes) -> list[int]:
    """The points on which a checker of the mover is pinned, the highest first."""
    return [point for point in range(BAR - 1, 0, -1) if board[PIN + point] and board[point] < EMPTY]


def carried(before: Position, seen: Position, side: Side, rules: MovementRules) -> Position:
    """What was seen after a turn of `side`, with the pins and hands that nobody sees but that follow from `before`.

    A checker of the opponent that stood alone, or lay alone under one of `side`, lies under those of `side` that are
    now there; what the opponent pins stays pinned. A checker more of a side on the board came from that side's hand.
    """
    if before.code <= hidden.BOARD and rules.contact is Contact.HIT:
        return seen.open_board()
    opponent = side.opponent
    held = set(before.pins(opponent))
    stays = [point for point in before.pins(side) if seen.checkers(opponent, point)]
    stays += [
        point
        for point in range(1, BAR)
        if rules.contact is Contact.PIN
        and seen.checkers(side, point)
        and (point in held or before.checkers(opponent, point) == 1)
    ]
    hands = {
        each: max(0, before.hand(each) - max(0, _in_sight(seen, each) - _in_sight(before, each)))
        for each in Side
    }
    return seen.with_hidden(sorted(stays), hands[Side.LIGHT], hands[Side.DARK])


def _in_sight(position: Position, side: Side) -> int:
    return position.bar(side) + sum(position.checkers(side, point) for point in range(1, BAR))
