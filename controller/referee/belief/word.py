"""What people say was played, and the director rules: one more observation, which is believed, and may be wrong."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Final

import numpy as np

from controller.referee.belief import rates
from controller.referee.belief.branches import Beam, Branch, Kind, keep_latest, weights
from controller.referee.belief.breaches import played_prior
from controller.rules import MovementRules, Position, Roll, Side
from controller.rules.moves.wide import carried

MADE: Final = (Kind.LEGAL, Kind.ILLEGAL, Kind.UNCLEAR)
"""What may have been done instead: a part of a play is no other play than was said."""


def with_word(word: Branch, beam: Sequence[Branch]) -> Beam:
    """The branches after somebody said that the turn went as in ``word``, and the pictures have it as in ``beam``.

    The board that they speak about does not overturn what they say: they may say it before they move, and the camera
    may err. But what lies there is thought of besides, so that whoever plays on from it breaks no rule.
    """
    besides = keep_latest(beam, 1)
    # Where the pictures allow for what is said, the reader errs there for good as they tell.
    known = next((branch.bias for branch in besides if branch.lies == word.lies), word.bias)
    return (replace(word, bias=known), *_besides(word, besides))


def with_play(
    beam: Sequence[Branch], side: Side, rolls: Mapping[Roll, float], after: Position, rules: MovementRules
) -> Beam:
    """The branches after somebody said that ``side`` left this board with its roll: as likely as it did so in each.

    What the players before did is not told by it alone: who played by the rules on one course may have broken one on
    another that is a thousand times likelier. Its roll may be any of ``rolls`` (log-probabilities).
    """

    def said_from(before: Position) -> float:
        board = carried(before, after, side, rules) if after == after.open_board() else after
        ways = [share + played_prior(before, side, roll, board, rules) for roll, share in rolls.items()]
        return float(np.logaddexp.reduce(ways))

    said = (replace(each, score=each.score + said_from(each.lies)) for each in beam)
    return tuple(sorted(said, key=lambda one: -one.score))


def with_ruling(beam: Sequence[Branch], position: Position) -> Beam:
    """The branches after the director ruled that the checkers lie so: most likely they lay so by what was played.

    A ruling says nothing of what was played. But it mostly names what lies there, and may name anything else.
    """
    ruled = (
        each if each.lies == position else replace(each, score=each.score + rates.RULED_OTHERWISE.log)
        for each in beam
    )
    return tuple(sorted(ruled, key=lambda one: -one.score))


def _besides(word: Branch, beam: Beam) -> Iterator[Branch]:
    """What the pictures show instead, each as probable as they say, where the word may be wrong."""
    for branch, share in zip(beam, weights(beam), strict=True):
        if branch.lies == word.lies:
            continue
        score = rates.WORD_WRONG.log + log(share)
        if branch.last.is_idle:
            said = replace(word.last, lies=branch.lies)
            yield replace(word, lies=branch.lies, base=0.0, score=score, history=(said,))
        elif branch.last.kind in MADE:
            yield replace(branch, base=0.0, fit=0.0, score=score)
