"""What is told of a turn: a hypothesis put into words of the game."""

from typing import Final

from controller.referee.actions import Candidate, TurnJudged
from controller.referee.belief.branches import Hypothesis, Kind, weights
from controller.referee.belief.decision import Verdict
from controller.referee.belief.steps import change_text
from controller.rules import MovementRules, Play, Position, Roll, Side, format_play, judge, play_between

WORTH_OFFERING: Final = 0.01
"""What is less probable than this is no answer to offer: a referee accuses and writes nothing by one in a hundred."""


def turn_judged(
    entry: Hypothesis,
    frame: int | None,
    t: float,
    rules: MovementRules,
    probability: float = 1.0,
    *,
    confirmed: bool = True,
    revises: bool = False,
) -> TurnJudged:
    """One turn as it is told at ``t``; an illegal one as one that stands. Its side must be known.

    What was compared with pictures has its notation already; what somebody said has none yet.
    """
    assert entry.side is not None
    lawful = entry.kind is Kind.LEGAL
    play = play_to(entry, entry.after, rules) if lawful else None
    legal = lawful if confirmed and entry.kind in (Kind.LEGAL, Kind.ILLEGAL) else None
    done = entry.text or change_text(entry.before, entry.after, entry.side, entry.roll, rules=rules)
    return TurnJudged(
        ply=entry.ply,
        side=entry.side,
        roll=entry.roll,
        play=play,
        text=done if play is None else format_play(play),
        legal=legal,
        reasons=entry.reasons if confirmed else (),
        also=entry.also if confirmed else (),
        instead=play_to(entry, entry.nearest, rules) if confirmed and entry.nearest else None,
        stands=legal is False,
        before=entry.before,
        after=entry.end,
        frame=frame,
        t=t,
        revises=revises,
        probability=round(probability, 4),
    )


def hypothesis_as_said(
    ply: int, side: Side, roll: Roll, before: Position, after: Position, rules: MovementRules
) -> Hypothesis:
    """A play that somebody said was made, as the rules judge it; no picture speaks for or against it."""
    ruling = judge(before, side, roll, after, rules)
    return Hypothesis(
        ply,
        Kind.LEGAL if ruling.legal else Kind.ILLEGAL,
        side,
        roll=roll,
        before=before,
        after=after,
        prior=0.0,
        text="" if ruling.legal else change_text(before, after, side, roll, rules=rules),
        reasons=tuple(ruling.reasons),
        nearest=ruling.nearest[0] if ruling.nearest else None,
    )


def candidates_of(verdict: Verdict, rules: MovementRules, most: int = 3) -> tuple[Candidate, ...]:
    """What the turn may have been, the likeliest first, with how probable each is; the same board by the same side
    counts once.
    """
    totals: dict[tuple[Position, bool | None, Side], float] = {}
    which: dict[tuple[Position, bool | None, Side], TurnJudged] = {}
    for branch, share in zip(verdict.beam, weights(verdict.beam), strict=True):
        made = branch.last.last
        if made.side is None or made.kind is Kind.VOID:
            continue
        told = turn_judged(made, None, 0.0, rules)
        key = told.after, told.legal, told.side
        totals[key] = totals.get(key, 0.0) + share
        which.setdefault(key, told)
    best = sorted((key for key in totals if totals[key] >= WORTH_OFFERING), key=lambda key: -totals[key])
    return tuple(
        Candidate(which[key].text, which[key].legal, which[key].after, round(totals[key], 4), which[key].side)
        for key in best[:most]
    )


def play_to(entry: Hypothesis, after: Position, rules: MovementRules) -> Play:
    """The legal play of the entry's roll that leads to ``after``; no move at all where none does."""
    assert entry.side is not None
    return play_between(entry.before, entry.side, entry.roll, after, rules) or ()
