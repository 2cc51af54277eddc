"""One sentence why: what an engine's play does that another one does not, as far as it can be seen on the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.analysis.why.facts import BoardFacts, facts_of
from controller.analysis.why.worth import FactKind, Gain, gains, stage_of, supported
from controller.messages.catalogue import catalogue
from controller.referee import TurnJudged
from controller.rules import Position, Roll, Side, format_play, play_between

GOOD: Final = 0.02
"""Points of equity that a play may lose and still be called as good as the best one; gnubg marks nothing below it."""
CLOSE: Final = 0.04
"""Up to here two plays are close; gnubg calls a play doubtful from there."""
MOST_FACTS: Final = 2


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


@dataclass(frozen=True, slots=True)
class Compared:
    """Two ends of a roll, and what the better one has over the other.

    Attributes:
        better: the better end.
        other: the other one.
        loss: what the play that was made loses, in points of equity; it is the better one below `GOOD`.
        gains: the weightiest first; none where nothing that can be seen explains it.
    """

    better: Position
    other: Position
    loss: float
    gains: tuple[Gain, ...]


def compare(made: PlayMade, plays: Sequence[tuple[Position, float]]) -> Compared | None:
    """A good play beside the best other one, any other play beside the best; None where there is no other.

    ``plays`` are the ends of all plays that an engine weighed, with what each loses, the best first.
    """
    if not plays:
        return None
    loss = next((loss for after, loss in plays if after == made.after), plays[-1][1])
    rival = next((after for after, _ in plays if after != made.after), None)
    if rival is None:
        return None
    better, other = (made.after, rival) if loss < GOOD else (plays[0][0], made.after)
    seen = gains(facts_of(better, made.side), facts_of(other, made.side), stage_of(made.before, made.side))
    return Compared(better, other, loss, tuple(supported(seen, plays, made.side)))


def play_reason(made: PlayMade, plays: Sequence[tuple[Position, float]], language: str) -> str | None:
    """As `reason_words`, for a play that no referee judged. Raises LanguageError."""
    found = compare(made, plays)
    if found is None:
        return None
    texts, loss = catalogue(language), found.loss
    better, other, before = (facts_of(each, made.side) for each in (found.better, found.other, made.before))
    said = _listed(found.gains, better, other, before, language)
    if loss < GOOD:
        return texts.text("why", "good", facts=said) if said else texts.text("why", "good_close")
    play = format_play(play_between(made.before, made.side, made.roll, found.better) or ())
    if said:
        return texts.text("why", "better", play=play, facts=said)
    return texts.text("why", "close" if loss < CLOSE else "unexplained", play=play)


def risk_words(facts: BoardFacts, language: str) -> str:
    """What a position risks: with how many of the 36 throws a blot is hit."""
    texts = catalogue(language)
    return texts.text("why", "risk", shots=facts.shots) if facts.shots else texts.text("why", "no_risk")


def _listed(
    found: Sequence[Gain], better: BoardFacts, other: BoardFacts, before: BoardFacts, language: str
) -> str:
    texts = catalogue(language)
    said = []
    for gain in found[:MOST_FACTS]:
        code, told = _fact(gain, better, other, before)
        said.append(texts.text("why", code, **told))
    return "; ".join(said)


def _fact(
    gain: Gain, better: BoardFacts, other: BoardFacts, before: BoardFacts
) -> tuple[str, dict[str, object]]:
    """The entry of the catalogue that says a gain, with its arguments."""
    match gain.kind:
        case FactKind.SHOTS:
            return "fewer_shots" if better.shots else "no_shots", {
                "shots": better.shots,
                "other": other.shots,
            }
        case FactKind.POINT:
            return "keeps" if gain.point in before.points else "makes", {"point": gain.point}
        case FactKind.BEARS_OFF:
            return "bears_off", {"count": better.off - other.off}
        case FactKind.PRIME:
            return "prime", {"count": better.prime}
        case FactKind.BLOTS:
            return "fewer_blots", {"count": len(better.blots), "other": len(other.blots)}
        case _:
            return str(gain.kind), {}
