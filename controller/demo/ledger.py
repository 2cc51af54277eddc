"""What truly happened at the table, turn by turn, to hold the referee's verdicts against."""

from dataclasses import dataclass, field

from controller.referee.actions import TurnJudged
from controller.rules.position import Position, Side
from controller.rules.reasons import COUNT_CODES, ReasonCode
from controller.rules.roll import Roll


@dataclass(frozen=True, slots=True)
class Truth:
    """A turn as it was ended: ``breaks`` is the rule that was broken on purpose, None for a legal play."""

    game: int
    ply: int
    side: Side
    roll: Roll
    before: Position
    after: Position
    breaks: ReasonCode | None
    ended_t: float


@dataclass(slots=True)
class Ledger:
    """Truths and verdicts in their order."""

    truths: list[Truth] = field(default_factory=list)
    verdicts: list[tuple[int, TurnJudged]] = field(default_factory=list)
    """The referee's, each with its game; also of illegal plays that can still be corrected."""
    asked: set[tuple[int, int]] = field(default_factory=set)
    """Game and ply of turns in which the device asked somebody to look at the board."""
    helped: int = 0
    """How often a person had to say how the board stands."""

    def accused(self) -> list[TurnJudged]:
        """Verdicts of illegal on turns in which no rule was broken."""
        broken = {(truth.game, truth.ply) for truth in self.truths if truth.breaks is not None}
        return [one for game, one in self.verdicts if not one.legal and (game, one.ply) not in broken]

    def noticed(self) -> list[tuple[Truth, bool]]:
        """Every illegal turn, and whether it was called illegal with its reason among those given.

        Where the number of checkers is wrong nobody is accused: there it is enough that somebody was asked to look.
        """
        found: list[tuple[Truth, bool]] = []
        for truth in self.truths:
            if truth.breaks is None:
                continue
            codes = {
                reason.code
                for game, verdict in self.verdicts
                if (game, verdict.ply) == (truth.game, truth.ply) and not verdict.legal
                for reason in (*verdict.reasons, *verdict.also)
            }
            asked = truth.breaks in COUNT_CODES and (truth.game, truth.ply) in self.asked
            found.append((truth, truth.breaks in codes or asked))
        return found

    def concluded(self) -> tuple[int, int]:
        """How many turns were concluded as they truly ended, and how many there were.

        Those with a wrong number of checkers, which are asked about until it is right, are left out.
        """
        told = {(game, one.ply, one.after, one.legal) for game, one in self.verdicts}
        counted = [truth for truth in self.truths if truth.breaks not in COUNT_CODES]
        right = sum((each.game, each.ply, each.after, each.breaks is None) in told for each in counted)
        return right, len(counted)
