"""What is told of a turn: the explanation of a board put into words of the game."""

from dataclasses import replace

from controller.referee.actions import TurnJudged
from controller.referee.caution import Caution
from controller.referee.seeing.rests import Rests
from controller.referee.weighing.proof import stood_illegal
from controller.referee.weighing.steps import change_text
from controller.referee.weighing.tracks import RollEvidence, RollOutcome, TrackEntry
from controller.rules import MovementRules, Play, Position, format_play, play_between


def turn_judged(
    entry: TrackEntry, frame: int | None, t: float, rules: MovementRules, *, revises: bool = False
) -> TurnJudged:
    """One turn as it is told at ``t``; an illegal one as one that stands. Its side must be known.

    What was weighed against pictures has its notation already; what somebody said has none yet.
    """
    assert entry.side is not None
    legal = entry.kind is RollOutcome.LEGAL
    play = play_to(entry, entry.after, rules) if legal else None
    done = entry.text or change_text(entry.before, entry.after, entry.side, entry.roll, rules=rules)
    return TurnJudged(
        ply=entry.ply,
        side=entry.side,
        roll=entry.roll,
        play=play,
        text=done if play is None else format_play(play),
        legal=legal,
        reasons=entry.reasons,
        also=entry.also,
        instead=play_to(entry, entry.nearest, rules) if entry.nearest else None,
        stands=not legal,
        before=entry.before,
        after=entry.after,
        frame=frame,
        t=t,
        revises=revises,
    )


def wrong_try(
    entry: TrackEntry,
    judged: TurnJudged,
    rests: Rests,
    throw: RollEvidence,
    rolled_t: float,
    caution: Caution,
) -> TurnJudged | None:
    """The illegal play that stood on the board before the legal turn ``judged``, if one did after the roll."""
    stood = stood_illegal(entry, rests, throw, rolled_t, caution)
    if stood is None:
        return None
    return replace(
        judged,
        play=None,
        text=stood.breach.text,
        legal=False,
        reasons=stood.breach.reasons,
        also=stood.breach.also,
        instead=play_to(entry, stood.breach.nearest or entry.after, caution.rules),
        after=stood.breach.after,
        frame=stood.rest.last_frame,
    )


def play_to(entry: TrackEntry, after: Position, rules: MovementRules) -> Play:
    """The legal play of the entry's roll that leads to ``after``; no move at all where none does."""
    assert entry.side is not None
    return play_between(entry.before, entry.side, entry.roll, after, rules) or ()
