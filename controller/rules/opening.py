"""How a game begins: the start position, and what the opening roll decides."""

from collections.abc import Mapping
from dataclasses import dataclass

from controller.rules.position import START, Position, Side
from controller.rules.profile import Layout, OpeningRules, RollUses
from controller.rules.refusal import Refusal, RefusedError

HALVES: Mapping[Layout, Mapping[int, int]] = {
    Layout.NACKGAMMON: {24: 2, 23: 2, 13: 4, 8: 3, 6: 4},
    Layout.LONGGAMMON: {24: 15},
}


def start_position(layout: Layout) -> Position:
    """The position a game with this layout begins with.

    Sources: GNU Backgammon for nackgammon, the Backgammon Galore variants pages for longgammon.
    """
    if layout is Layout.BACKGAMMON:
        return START
    points = [0] * 24
    for point, count in HALVES[layout].items():
        points[point - 1] += count
        points[24 - point] -= count
    return Position.of(points)


@dataclass(frozen=True, slots=True)
class Start:
    """Who starts, and the dice he has to play; no dice if he rolls (again) first."""

    side: Side
    dice: tuple[int, ...]


def opening(light: int, dark: int, rules: OpeningRules) -> Start | None:
    """What an opening roll decides; None for a tie.

    Raises RefusedError for a number that no die shows.
    """
    for number in (light, dark):
        if not 1 <= number <= 6:
            raise RefusedError(Refusal.NOT_A_DIE, number=number)
    if light == dark:
        return None
    side = Side.LIGHT if light > dark else Side.DARK
    high, low = max(light, dark), min(light, dark)
    match rules.roll_uses:
        case RollUses.BOTH_DICE:
            return Start(side, (high, low))
        case RollUses.OWN_DIE:
            return Start(side, (high,))
        case RollUses.REROLL_TWO:
            return Start(side, ())
