"""Everything a roll may have become: played, rolled again, played against a rule, or not what it seemed."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from controller.referee.caution import Caution
from controller.referee.seeing.evidence import Evidence
from controller.referee.weighing.breaches import breaches, likeliest
from controller.referee.weighing.courses import with_sequels
from controller.referee.weighing.proof import differing_points, is_unplayed
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    TurnEvidence,
    extend,
    lawful,
    level,
    prune,
)
from controller.referee.weighing.unseen import likeliest_results, plays_unseen, sides_of, turns_unseen
from controller.rules import Position, Roll, Side

# These limit the work; what the evidence is worth is in `Caution`.
ASKED = 3
"""So many of the likeliest explanations are continued by what is less usual."""
ACCUSING = 2
"""So many rolls are looked at for rules that may have been broken."""
PUSHES = 4
"""A push is looked for in so many of the latest moments in which the board lay still."""
ENDS = 4
"""So many results of a play after a push are followed."""


def grow_tracks(
    tracks: Sequence[Track], throw: RollEvidence, look: TurnEvidence, caution: Caution
) -> tuple[Track, ...]:
    """The tracks after a turn: each one continued by everything that its roll may have become.

    Dice misread are only thought of where no legal play of the roll explains what was seen, and rules broken and
    turns missed where that does not help either. What the best track scores is the surprise (0 or less).
    """
    tracks = level(tracks)
    likely = throw.likely(caution.likely_roll)
    children = [child for track in tracks for child in _play_or_void(track, throw, likely, look, caution)]
    leaders = sorted(tracks, key=lambda one: -one.score)[:ASKED]
    if max(child.score for child in children) < -caution.dice_lead:
        others = [roll for roll in throw.possible(caution.dice_certain) if roll not in likely]
        children += [child for track in leaders for child in _legal(track, throw, others, look, caution)]
    best = max(child.score for child in children)
    if best < -caution.misfit:
        if throw.sequels:
            for track in leaders:
                children += with_sequels(track, throw, likely[0], look, caution)
        for track in leaders:
            children += _after_putting_right(track, throw, likely, look, caution)
            children += _against_rules(track, throw, likely[:ACCUSING], look, caution)
    if best < -caution.surprise:
        for track in leaders:
            children += plays_unseen(track, throw, look, caution)
            children += _after_push(track, throw, likely[:ACCUSING], look, caution)
            if not throw.reported:
                children += turns_unseen(track, throw, look, caution)
    return prune(children, caution.kept, caution.kept_within)


def join_turns(
    parents: Sequence[Track], throw: RollEvidence, look: TurnEvidence, surprise: float, caution: Caution
) -> Iterator[Track]:
    """The tracks in which the roll before was none of its own: both are one turn, from ``parents`` on.

    Somebody moved the dice, or what was seen was no die. ``surprise`` is how badly two turns explained the first.
    """
    rolls = throw.likely(np.inf)
    for parent in level(parents)[:ASKED]:
        for track in _legal(parent, throw, rolls, look, caution):
            *history, entry = track.history
            none = replace(entry, kind=RollOutcome.NONE, after=entry.before, prior=0.0)
            base = track.base - surprise - caution.moved_dice
            score = track.score - surprise - caution.moved_dice
            yield replace(track, history=(*history, none, entry), base=base, score=score)


def _play_or_void(
    track: Track, throw: RollEvidence, rolls: list[Roll], look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The legal plays of some rolls, and the roll being void."""
    yield from _legal(track, throw, rolls, look, caution)
    same, sides = track.position, sides_of(track, throw)
    danced = all(
        lawful(same, side, roll, caution.rules) == (same,) for roll in rolls[:ACCUSING] for side in sides
    )
    handicap = caution.void_dance(throw.lay_s) if danced else caution.void
    handicap = handicap if throw.seen > 1 else min(handicap, caution.void_die)
    void = TrackEntry(track.ply, RollOutcome.VOID, track.side, rolls[0], same, same, -handicap)
    yield extend(track, void, float(look.since(same).scores([same])[0]))


def _legal(
    track: Track, throw: RollEvidence, rolls: list[Roll], look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The likeliest legal plays; each once, with the likeliest of the rolls that allow it."""
    evidence, before, shares = look.since(track.position), track.position, throw.shares(rolls)
    for side, chance in sides_of(track, throw).items():
        for after, (first, *more), seen in likeliest_results(
            before, side, shares, evidence, caution.kept, caution
        ):
            share = shares[first]
            doubted = (
                share < -caution.lead
                or not throw.seen
                or any(shares[other] > share - caution.dice_lead for other in more)
            )
            entry = TrackEntry(
                track.ply, RollOutcome.LEGAL, side, first, before, after, share + chance, doubted
            )
            yield extend(track, entry, seen)


def _after_push(
    track: Track, throw: RollEvidence, rolls: list[Roll], look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The legal plays from a board on which somebody had pushed checkers, as a picture showed before the end.

    Before the roll anybody may have done that; once it is being played only the other side's checkers tell of it.
    """
    start, before = look.start, track.position
    if start is None:
        return
    moments: list[tuple[Evidence, Side | None]] = [(pause, None) for pause in look.changed]
    moments += [(pause, side.opponent) for pause in look.between for side in sides_of(track, throw)]
    found: set[Position] = set()
    shares = throw.shares(rolls)
    for pause, whose in moments[-PUSHES:]:
        board, points = _pushed_board(pause.since(start, before), before, whose, caution)
        if not points or board in found:
            continue
        found.add(board)
        evidence = look.end.since(pause, board)
        for side, chance in sides_of(track, throw).items():
            idle = TrackEntry(
                track.ply,
                RollOutcome.VOID,
                track.side,
                rolls[0],
                board,
                board,
                -caution.pushed - caution.void,
                pushed=points,
                pushed_from=before,
            )
            yield extend(track, idle, float(evidence.scores([board])[0]))
            for after, (roll, *_), seen in likeliest_results(
                board, side, shares, evidence, ENDS, caution, weigh_rolls=False
            ):
                prior = shares[roll] + chance - caution.pushed
                entry = replace(idle, kind=RollOutcome.LEGAL, side=side, roll=roll, after=after, prior=prior)
                yield extend(track, entry, seen)


def _after_putting_right(
    track: Track, throw: RollEvidence, rolls: list[Roll], look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The legal plays from the board as it should have stood, where only others than the mover's checkers lay wrong.

    Whoever plays next puts them back, as people are asked to, and perhaps in the same go as his play.
    """
    if not track.history:
        return
    last = track.history[-1].last
    board = last.origin
    if board == track.position or not is_unplayed(replace(last, before=board)):
        return
    evidence, shares = look.since(track.position), throw.shares(rolls)
    for side, chance in sides_of(track, throw).items():
        for after, (roll, *_), seen in likeliest_results(
            board, side, shares, evidence, ENDS, caution, weigh_rolls=False
        ):
            entry = TrackEntry(track.ply, RollOutcome.LEGAL, side, roll, board, after, shares[roll] + chance)
            yield extend(track, entry, seen)


def _pushed_board(
    evidence: Evidence, before: Position, whose: Side | None, caution: Caution
) -> tuple[Position, tuple[int, ...]]:
    """The likeliest board, and the points that differ if only one side moved checkers (``whose``, or either).

    There are no points if other checkers moved as well, or more points differ than are pushed.
    """
    board = before
    for side in Side:
        board = likeliest(evidence, before, side, caution)
        points = differing_points(before, board)
        if not 0 < len(points) <= caution.most_pushed:
            break
        if whose in (None, side) and _moved_only(before, board, side):
            return board, points
    return board, ()


def _moved_only(before: Position, board: Position, side: Side) -> bool:
    """Whether only checkers of ``side`` lie otherwise, all of them on the points as before."""
    other = side.opponent
    return (
        all(before.bar(each) == board.bar(each) for each in Side)
        and before.off(side) == board.off(side)
        and before.hand(side) == board.hand(side)
        and all(before.checkers(other, point) == board.checkers(other, point) for point in range(1, 25))
    )


def _against_rules(
    track: Track, throw: RollEvidence, rolls: list[Roll], look: TurnEvidence, caution: Caution
) -> Iterator[Track]:
    """The plays of some rolls that break a rule."""
    evidence, before = look.since(track.position), track.position
    for (side, chance), roll in product(sides_of(track, throw).items(), rolls):
        for breach in breaches(before, side, roll, evidence, caution):
            entry = TrackEntry(
                track.ply,
                RollOutcome.ILLEGAL,
                side,
                roll,
                before,
                breach.after,
                throw.rolls[roll] + chance - breach.handicap,
                text=breach.text,
                reasons=breach.reasons,
                also=breach.also,
                nearest=breach.nearest,
            )
            yield extend(track, entry, float(evidence.scores([breach.after])[0]))
