"""What was agreed for a table before the first roll, beside the rules of the games."""

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final

from controller.errors import UserError
from controller.referee.caution import USUAL, Caution
from controller.rules import MovementRules, Side, Terms
from controller.rules.profile.conduct import EndOfTurn
from controller.rules.profile.profile import RollUses

MOST_HINT: Final = 4
"""The highest hint level: the best plays, with what each risks."""


class DiceFrom(StrEnum):
    """Who tells the rolls."""

    ELECTRONIC = "electronic"
    CAMERA = "camera"


class End(StrEnum):
    """What may end a turn."""

    CLOCK = "clock"
    BUTTON = "button"
    DICE_LIFTED = "dice_lifted"
    NEXT_ROLL = "next_roll"
    REST = "rest"


class Premature(StrEnum):
    """What becomes of a roll that was made before the opponent's turn was over."""

    STANDS = "stands"
    VOID = "void"
    ASK = "ask"


class SettingsError(UserError):
    """Settings that contradict each other."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How one table is run.

    Attributes:
        terms: what is played, and by which rules.
        clock: whether a tournament clock is used.
        dice: who tells the rolls.
        ends: what may end a turn beside the act that the rules name; empty for the usual ones.
        rest_s: with `End.REST`, how many seconds at rest end a turn.
        premature: what becomes of a premature roll.
        hindsight: how many turns stay open to be told anew; None for as many as the dice need.
        remote: the side that plays at another table: its rolls and words come from there, and its checkers are moved
            here as it announced; None where both sit here.
        film: a film is followed, and nobody hears what is said: the first play shows who starts, and a game whose
            checkers are set up anew was given up.
        consent: both players, or the director, have agreed that the device acts as a monitor.
        hint: how much a learner is shown from the beginning, 0 to `MOST_HINT`; only where the rules allow aids.
        caution: how careful the referee is; its rules of movement are those of each game.
    """

    terms: Terms
    clock: bool = False
    dice: DiceFrom = DiceFrom.ELECTRONIC
    ends: frozenset[End] = frozenset()
    rest_s: float = 4.0
    premature: Premature = Premature.STANDS
    consent: bool = False
    hint: int = 0
    hindsight: int | None = None
    film: bool = False
    remote: Side | None = None
    caution: Caution = USUAL
    _cautions: tuple[Caution, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Raises SettingsError for a hint level or a rest that there is not, or rules that cannot be watched."""
        # Asked for many times a picture; copying all of them each time would cost more than weighing does.
        made = tuple(replace(self.caution, rules=profile.movement) for profile in self.terms.profiles)
        object.__setattr__(self, "_cautions", made)
        if any(profile.opening.roll_uses is RollUses.OWN_DIE for profile in self.terms.profiles):
            raise SettingsError(
                "Rules by which the starter plays only their own die cannot be refereed at a table; choose a profile "
                'whose opening.roll_uses is "both_dice" or "reroll_two".'
            )
        if not 0 <= self.hint <= MOST_HINT:
            raise SettingsError(f"The hint level is {self.hint}; give 0 to {MOST_HINT}.")
        if self.hindsight is not None and not 0 <= self.hindsight <= 8:
            raise SettingsError(f"{self.hindsight} turns cannot stay open; give 0 to 8.")
        if not 0.5 <= self.rest_s <= 60:
            raise SettingsError(f"A turn ends after {self.rest_s} s at rest; give 0.5 to 60.")

    @property
    def open_turns(self) -> int:
        """How many of the latest turns stay open to be told anew."""
        if self.hindsight is not None:
            return self.hindsight
        seen = self.dice is DiceFrom.CAMERA
        return self.caution.open_turns_seen if seen else self.caution.open_turns

    def caution_under(self, rules: MovementRules) -> Caution:
        """How careful the referee is in a game in which checkers are moved by these rules."""
        for each in self._cautions:
            if each.rules is rules or each.rules == rules:
                return each
        return replace(self.caution, rules=rules)

    def ending(self, rule: EndOfTurn) -> frozenset[End]:
        """What ends a turn at this table, where the rules name ``rule``.

        The next roll and the button always do: nobody rolls or presses it in the middle of their own turn.
        """
        named = End.CLOCK if rule is EndOfTurn.CLOCK else End.DICE_LIFTED
        return self.ends | {named, End.NEXT_ROLL, End.BUTTON}
