"""The judge: is what was done with a roll legal, and if not, which rule was broken."""

from collections.abc import Mapping
from typing import Final

from controller.messages.game_words import offence_words, reason_words
from controller.rules import reasons as rules
from controller.rules.judging.judge import Trays
from controller.rules.judging.judge import judge as judge_turn
from controller.rules.notation import format_play
from controller.rules.position import Position as Checkers
from controller.rules.position import RollError, Side
from pointsman.position import Position, position_of
from pointsman.spelling import RollLike, VariantLike, name_of, roll_of, two_of, whole_from
from pointsman.value import Value

NOBODY_COUNTED: Final = (None, None)
MOST_COUNTED: Final = 99
"""Borne-off checkers that anybody can have counted; more than a side has are for the judge to weigh."""
LANGUAGE: Final = ("The language", '"en"')


class Reason:
    """One broken rule. It prints as an English sentence.

    Attributes:
        code: such as `bar_first`; `hardware_docs/reasons.md` lists them all.
        arguments: the points and numbers it is about, by name; points are 1..24 from light's side.
    """

    __slots__ = ("_reason",)

    def __init__(self, reason: rules.Reason) -> None:
        """Of the reason that the rules give."""
        self._reason = reason

    @property
    def code(self) -> str:
        """Which rule it is."""
        return str(self._reason.code)

    @property
    def arguments(self) -> Mapping[str, object]:
        """What it is about."""
        return self._reason.arguments

    def text(self, language: str = "en") -> str:
        """The sentence in `en`, `hu`, `et` or `sk`, points numbered from the mover's side. Raises UserError."""
        return reason_words(self._reason, name_of(language, *LANGUAGE))

    def __str__(self) -> str:
        """The sentence in English."""
        return self.text()

    def __repr__(self) -> str:
        """Its code."""
        return f"<Reason {self.code}>"

    def __eq__(self, other: object) -> bool:
        """Whether it is the same rule, broken in the same way."""
        return isinstance(other, Reason) and self._reason == other._reason

    def __hash__(self) -> int:
        """By its code."""
        return hash(self.code)


class Verdict(Value):
    """What the judge says of a turn. It is true if the turn was legal, and prints as a sentence or several.

    Attributes:
        legal: whether it was.
        play: the play in notation, if legal; else `None`.
        reasons: every broken rule; empty if legal. Where several explanations are as likely, it holds those of all.
        nearest: the legal results that differ by the fewest checkers, nearest first; empty if legal.
    """

    __slots__ = ("_verdict", "legal", "nearest", "play", "reasons")

    legal: bool
    play: str | None
    reasons: tuple[Reason, ...]
    nearest: tuple[Position, ...]

    def __init__(self, before: Position, verdict: rules.Judgement) -> None:
        """Of the judgement that the rules give."""
        self._verdict = verdict
        self.legal = verdict.legal
        self.play = None if verdict.play is None else format_play(verdict.play)
        self.reasons = tuple(map(Reason, verdict.reasons))
        self.nearest = tuple(before.handed_over(checkers) for checkers in verdict.nearest)

    @property
    def codes(self) -> frozenset[str]:
        """The codes of all reasons."""
        return frozenset(reason.code for reason in self.reasons)

    def sentences(self, language: str = "en") -> tuple[str, ...]:
        """What was done wrong, one sentence for each offence, in `en`, `hu`, `et` or `sk`. Raises UserError."""
        return tuple(offence_words(self._verdict.reasons, name_of(language, *LANGUAGE)))

    def __bool__(self) -> bool:
        """Whether the turn was legal."""
        return self.legal

    def __str__(self) -> str:
        """The play, or what was done wrong, in English."""
        return f"Legal: {self.play}" if self.legal else " ".join(self.sentences())

    def __repr__(self) -> str:
        """The play, or the codes of the reasons."""
        said = f"legal: {self.play}" if self.legal else ", ".join(sorted(self.codes))
        return f"<Verdict {said}>"


def judge(
    before: Position,
    after: Position | str,
    roll: RollLike | None = None,
    profile: VariantLike | None = None,
    *,
    off: tuple[int | None, int | None] = NOBODY_COUNTED,
) -> Verdict:
    """Whether the side on turn in `before` may leave `after` with this roll, and if not, which rules that breaks.

    Args:
        before: the position before the turn.
        after: what lies on the board after it; a `Position`, or the 26 characters of a compact one, in which checkers
            may be missing or too many.
        roll: the dice; may be left out where `before` has them.
        profile: the rules to judge by; those of `before` if left out.
        off: the checkers of light and of dark that were counted in the trays after the turn, where they were.

    Raises:
        UserError: something of it cannot be read.
    """
    begun = position_of(before, "The position before the turn")
    if profile is not None:
        begun = begun.with_variant(profile)
    rolled = begun.roll if roll is None else roll_of(roll)
    if rolled is None:
        raise RollError("The position before the turn has no roll; give one, such as (6, 4).")
    if isinstance(after, str):
        seen = Checkers.seen_compact(after)
    else:
        seen = position_of(
            after, "The position after the turn", "a Position or a compact one of 26 characters"
        ).checkers
    trays = Trays(
        *map(_counted, two_of(off, "The checkers counted in the trays must be two, of light and of dark"))
    )
    return Verdict(
        begun, judge_turn(begun.checkers, Side(begun.turn), rolled, seen, begun.profile.movement, trays)
    )


def _counted(checkers: int | None) -> int | None:
    """The checkers that were counted in a tray. Raises PositionError."""
    return None if checkers is None else whole_from(checkers, "The count of a tray", 0, MOST_COUNTED)
