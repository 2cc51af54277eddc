"""All results of a roll in any game of the family, one step at a time, on boards of `controller.rules.moves.wide`."""

from functools import cache, lru_cache
from typing import Final

from controller.rules.moves import law, restrictions, wide
from controller.rules.moves.movement import BearoffOversize, LargerDie, MaxDice, MovementRules
from controller.rules.moves.restrictions import Start
from controller.rules.packed import BAR, EMPTY

Line = tuple[bytes, tuple[int, ...]]
"""A board on the way and the numbers still to play."""
_KEPT: Final = 64


@lru_cache(maxsize=_KEPT)
def results(
    code: int, dark: bool, numbers: tuple[int, ...], rules: MovementRules
) -> tuple[frozenset[int], tuple[int, ...]]:
    """The numbers of all distinct positions after a complete play, and the numbers of the dice that must be played.

    `numbers` are the dice, larger first, or the number of a double four times. A rule on the whole turn (a prime that
    must be opened) binds where some complete play obeys it.
    """
    board = wide.view(code, dark, rules.direction)
    ends, used = _results(board, numbers, rules)
    opened = [end for end in ends if not restrictions.keeps_prime(end, rules)]
    return frozenset([wide.code_of(end, dark, rules.direction) for end in opened or ends]), used


def _results(
    board: bytes, numbers: tuple[int, ...], rules: MovementRules
) -> tuple[set[bytes], tuple[int, ...]]:
    """The boards after a complete play, those too that keep a prime, and the numbers that must be played."""
    walk = _TurnSearch(Start(board, numbers[0] if len(set(numbers)) == 1 else 0), rules)
    ends = walk.ends(board, numbers)
    most = walk.most(board, numbers)
    if rules.max_dice is MaxDice.ADVISORY:
        return {end for end, _ in ends}, numbers[:most]
    complete = {line for line in ends if len(numbers) - len(line[1]) >= most and not walk.compulsory(*line)}
    used = numbers[:most]
    if most == 1 and len(set(numbers)) == 2:
        can_play_larger = any(left == numbers[1:] for _, left in complete)
        used = numbers[:1] if can_play_larger else numbers[1:]
        if can_play_larger and rules.larger_die is LargerDie.REQUIRED:
            complete = {line for line in complete if line[1] != numbers[:1]}
    return {end for end, _ in complete}, used


class _TurnSearch:
    """One side's steps in one turn."""

    def __init__(self, start: Start, rules: MovementRules) -> None:
        self._start = start if restrictions.restrict(rules) else None
        self._rules = rules
        self._may_decline = rules.bearoff_oversize is BearoffOversize.OPTIONAL
        self.after = cache(self._after)
        self.most = cache(self._most)

    def ends(self, board: bytes, numbers: tuple[int, ...]) -> set[Line]:
        """Every line that legal steps lead to, the start included."""
        seen = {(board, numbers)}
        waiting = [(board, numbers)]
        while waiting:
            for line, _ in self.after(*waiting.pop()):
                if line not in seen:
                    seen.add(line)
                    waiting.append(line)
        return seen

    def _most(self, board: bytes, numbers: tuple[int, ...]) -> int:
        """How many numbers can be played at most, those apart that the rules let a player decline."""
        most = 0
        for line, declinable in self.after(board, numbers):
            if not declinable:
                most = max(most, 1 + self.most(*line))
                if most == len(numbers):
                    break
        return most

    def compulsory(self, board: bytes, numbers: tuple[int, ...]) -> bool:
        """Whether a number that may not be declined can still be played."""
        return any(not declinable for _, declinable in self.after(board, numbers))

    def _after(self, board: bytes, numbers: tuple[int, ...]) -> list[tuple[Line, bool]]:
        """The lines one legal step further, and of each whether the step may be declined."""
        rules, lines = self._rules, []
        own = [place for place in range(1, BAR + 1) if board[place] > EMPTY]
        for index, die in enumerate(numbers):
            if die in numbers[:index]:
                continue
            left = numbers[:index] + numbers[index + 1 :]
            for source in own:
                if not law.breaches(board, source, die, rules, self._start):
                    after = wide.after_step(board, source, max(source - die, 0), rules.contact)
                    lines.append(((after, left), self._may_decline and source < die))
        return lines
