"""All results of a roll under any `MovementRules`, one step at a time: the plain way, for rules without a
fast one.
"""

from functools import cache

from controller.rules import packed
from controller.rules.moves import law
from controller.rules.moves.movement import BearoffOversize, LargerDie, MaxDice, MovementRules
from controller.rules.packed import BAR, EMPTY

Line = tuple[int, tuple[int, ...]]
"""A position on the way and the numbers still to play."""


def results(
    code: int, dark: bool, numbers: tuple[int, ...], rules: MovementRules
) -> tuple[set[int], tuple[int, ...]]:
    """All distinct positions after a complete play, and the numbers that must be played.

    `numbers` are the dice, larger first, or the number of a double four times. Where the larger number is not
    required and either can be played but not both, the larger is named.
    """
    search = _Search(dark, rules)
    ends = search.ends(code, numbers)
    most = search.most(code, numbers)
    needed = most if rules.max_dice is MaxDice.STRICT else 0
    complete = {
        line
        for line in ends
        if len(numbers) - len(line[1]) >= needed
        and (rules.max_dice is MaxDice.ADVISORY or not search.compulsory(*line))
    }
    used = numbers[:most]
    if most == 1 and len(numbers) == 2 and numbers[0] != numbers[1]:
        can_play_larger = any(left == numbers[1:] for _, left in complete)
        used = numbers[:1] if can_play_larger else numbers[1:]
        if can_play_larger and rules.larger_die is LargerDie.REQUIRED and rules.max_dice is MaxDice.STRICT:
            complete = {line for line in complete if line[1] != numbers[:1]}
    return {position for position, _ in complete}, used


class _Search:
    """One side's steps under one set of rules."""

    def __init__(self, dark: bool, rules: MovementRules) -> None:
        self._dark = dark
        self._rules = rules
        self._steps = packed.steps(dark=dark)
        self._hits = packed.hits(dark=dark)
        self.most = cache(self._most)

    def ends(self, code: int, numbers: tuple[int, ...]) -> set[Line]:
        """Every line that legal steps lead to, the start included."""
        seen = {(code, numbers)}
        waiting = [(code, numbers)]
        while waiting:
            for line in self._after(*waiting.pop(), oversize=True):
                if line not in seen:
                    seen.add(line)
                    waiting.append(line)
        return seen

    def _most(self, code: int, numbers: tuple[int, ...]) -> int:
        """How many numbers can be played at most, those apart that the rules let a player decline."""
        return max((1 + self.most(*line) for line in self._after(code, numbers, oversize=False)), default=0)

    def compulsory(self, code: int, numbers: tuple[int, ...]) -> bool:
        """Whether a number that may not be declined can still be played."""
        return bool(self._after(code, numbers, oversize=False))

    def _after(self, code: int, numbers: tuple[int, ...], *, oversize: bool) -> list[Line]:
        """The lines one legal step further; without `oversize` those apart that a player may decline."""
        view = packed.view(code, dark=self._dark)
        declinable = not oversize and self._rules.bearoff_oversize is BearoffOversize.OPTIONAL
        lines: list[Line] = []
        for index, die in enumerate(numbers):
            if die in numbers[:index]:
                continue
            left = numbers[:index] + numbers[index + 1 :]
            for source in range(1, BAR + 1):
                if view[source] <= EMPTY or (declinable and source < die):
                    continue
                if not law.breaches(view, source, die, self._rules):
                    hit = self._hits[source - die] if law.hits(view, source - die) else 0
                    lines.append((code + self._steps[die][source] + hit, left))
        return lines
