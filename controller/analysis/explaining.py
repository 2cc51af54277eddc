"""One sentence why: what an engine's play does that another one does not, as far as it can be seen on the board."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from controller.analysis.facts import BoardFacts, facts_of
from controller.messages.catalogue import catalogue
from controller.referee import TurnJudged
from controller.rules import Position, Roll, Side, format_play, play_between

GOOD: Final = 0.02
"""Points of equity that a play may lose and still be called as good as the best one; gnubg marks nothing below it."""
CLOSE: Final = 0.04
"""Up to here two plays are close; gnubg calls a play doubtful from there."""
FEWER_SHOTS: Final = 3
"""A difference of fewer throws than this tells a learner nothing."""
SHORT_PRIME: Final = 4
"""Points in a row that begin to be called a prime."""
MOST_FACTS: Final = 2
Fact = tuple[str, dict[str, object]]
"""A code and its arguments."""


def reason_words(turn: TurnJudged, plays: Sequence[tuple[Position, float]], language: str) -> str | None:
    """Why a play is good, or what another one does better, in one sentence. Raises LanguageError.

    Args:
        turn: what was played.
        plays: the ends of all plays that an engine weighed, with what each loses, the best first.
        language: one of the catalogues'.
    """
    if turn.legal is not True:
        return None
    made = PlayMade(turn.before, turn.side, turn.roll, turn.after)
    return play_reason(made, plays, language)


@dataclass(frozen=True, slots=True)
class PlayMade:
    """A legal play of a roll: the positions before and after it."""

    before: Position
    side: Side
    roll: Roll
    after: Position


def play_reason(made: PlayMade, plays: Sequence[tuple[Position, float]], language: str) -> str | None:
    """As `reason_words`, for a play that no referee judged. Raises LanguageError."""
    if not plays:
        return None
    texts = catalogue(language)
    loss = next((loss for after, loss in plays if after == made.after), plays[-1][1])
    mine, before = facts_of(made.after, made.side), facts_of(made.before, made.side)
    if loss < GOOD:
        rival = next((after for after, _ in plays if after != made.after), None)
        if rival is None:
            return None
        said = _listed(gains(mine, facts_of(rival, made.side), before), language)
        return texts.text("why", "good", facts=said) if said else texts.text("why", "good_close")
    best = plays[0][0]
    play = play_between(made.before, made.side, made.roll, best)
    named = format_play(play or ())
    said = _listed(gains(facts_of(best, made.side), mine, before), language)
    if said:
        return texts.text("why", "better", play=named, facts=said)
    return texts.text("why", "close" if loss < CLOSE else "unexplained", play=named)


def gains(best: BoardFacts, other: BoardFacts, before: BoardFacts) -> Iterator[Fact]:
    """What the end of one play has over that of another, from the same position; the weightiest first."""
    if best.sent > other.sent:
        yield "hits", {}
    if best.off > other.off:
        yield "bears_off", {"count": best.off - other.off}
    if other.shots - best.shots >= FEWER_SHOTS:
        yield (
            ("no_shots", {"other": other.shots})
            if not best.shots
            else (
                "fewer_shots",
                {"shots": best.shots, "other": other.shots},
            )
        )
    for point in sorted(best.points - other.points - before.points, reverse=True, key=_weight):
        yield "makes", {"point": point}
    for point in sorted((best.points & before.points) - other.points, reverse=True, key=_weight):
        yield "keeps", {"point": point}
    if best.prime > max(other.prime, SHORT_PRIME - 1):
        yield "prime", {"count": best.prime}
    if best.back < other.back:
        yield "escapes", {}
    if len(best.blots) < len(other.blots):
        yield "fewer_blots", {"count": len(best.blots), "other": len(other.blots)}


def risk_words(facts: BoardFacts, language: str) -> str:
    """What a position risks: with how many of the 36 throws a blot is hit."""
    texts = catalogue(language)
    return texts.text("why", "risk", shots=facts.shots) if facts.shots else texts.text("why", "no_risk")


def _weight(point: int) -> float:
    """How much a made point is worth naming: the home board and the bar-point first, the nearest of them best."""
    order = (5, 4, 7, 20, 6, 3, 21, 18, 8, 2)
    return -order.index(point) if point in order else -len(order) - point / 100


def _listed(found: Iterator[Fact], language: str) -> str:
    texts = catalogue(language)
    said = [texts.text("why", code, **told) for code, told in found]
    return "; ".join(said[:MOST_FACTS])
