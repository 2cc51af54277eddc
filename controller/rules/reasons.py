"""Why a result is not legal: codes with arguments, no sentences."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from controller.rules.notation import Play
from controller.rules.position import Position

Argument = str | int | None | list[int] | list[list[int]] | list[str]
"""Plain values that go into JSON as they are."""


class ReasonCode(StrEnum):
    """The rules that a result can break; each has an example in `hardware_docs/reasons.md`."""

    BAR_FIRST = "bar_first"
    BLOCKED_POINT = "blocked_point"
    STACK_LIMIT = "stack_limit"
    BEAR_OFF_EARLY = "bear_off_early"
    BEAR_OFF_HIGHER_EXISTS = "bear_off_higher_exists"
    BEAR_OFF_NUMBER_TOO_SMALL = "bear_off_number_too_small"
    BEAR_OFF_REARMOST_ONLY = "bear_off_rearmost_only"
    BEAR_OFF_EXACT_REQUIRED = "bear_off_exact_required"
    BEAR_OFF_NUMBER_TOO_LARGE = "bear_off_number_too_large"
    BEAR_OFF_PINNED = "bear_off_pinned"
    FIRST_CHECKER_FIRST = "first_checker_first"
    HEAD_LIMIT = "head_limit"
    PRIME_LIMIT = "prime_limit"
    PRIME_KEPT = "prime_kept"
    TABLE_LIMIT = "table_limit"
    HIT_AND_RUN = "hit_and_run"
    PINNED_MOVED = "pinned_moved"
    UNUSED_DIE = "unused_die"
    LARGER_DIE = "larger_die"
    NOTHING_MOVED = "nothing_moved"
    BACKWARDS = "backwards"
    WRONG_DISTANCE = "wrong_distance"
    DICE_MISMATCH = "dice_mismatch"
    EXTRA_CHECKER_MOVED = "extra_checker_moved"
    EXTRA_CHECKER_OFF = "extra_checker_off"
    HIT_NOT_ON_BAR = "hit_not_on_bar"
    OPPONENT_MOVED = "opponent_moved"
    CHECKER_MISSING = "checker_missing"
    CHECKER_EXTRA = "checker_extra"


COUNT_CODES: Final = frozenset({ReasonCode.CHECKER_MISSING, ReasonCode.CHECKER_EXTRA})
"""Codes that do not accuse a player: the board does not hold the checkers it must."""


@dataclass(frozen=True, slots=True)
class Reason:
    """One broken rule.

    `arguments` always holds `side`, whose checker it is about. Places are numbered 1..24 from light's side,
    or are `"bar"` and `"off"`. The other arguments of each code are listed in `hardware_docs/reasons.md`.
    """

    code: ReasonCode
    arguments: Mapping[str, Argument]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of one turn.

    Attributes:
        legal: whether the result is one of a complete legal play.
        play: such a play, if legal, else `None`.
        reasons: every broken rule of the explanations below, in their order, each once; empty if legal.
        nearest: the legal results that differ from what was seen by the fewest checkers, nearest first; empty
            if legal.
        explanations: each a set of reasons that by itself explains the result; if several explain it with
            equally few broken rules, all are given.
    """

    legal: bool
    play: Play | None
    reasons: tuple[Reason, ...]
    nearest: tuple[Position, ...]
    explanations: tuple[tuple[Reason, ...], ...] = field(default=())

    @property
    def codes(self) -> frozenset[ReasonCode]:
        """The codes of all reasons."""
        return frozenset(reason.code for reason in self.reasons)
