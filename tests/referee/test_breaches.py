"""What else may lie on the board than a legal play, in its order."""

from random import Random

import pytest

from controller.referee.belief.breaches import UNCHANGED, likely_positions
from controller.referee.seeing.evidence import evidence_of
from controller.rules.position import START, Position, Side
from tests.referee.staging import Film
from tests.rows import each_row

WRONG = Position.from_compact("b..A.D.B...eE...c.e....B..")
"""After 8/5 6/4, less one checker of light's that was taken off."""


@pytest.mark.parametrize("lies", [START, WRONG, Position.from_compact("....................aAB...")], ids=str)
def test_what_lies_there_is_the_likeliest(lies: Position) -> None:
    evidence = evidence_of(Film(Random(1)).read(lies)).weighed()
    assert next(likely_positions(evidence, START)) == lies


@each_row("seed", range(5))
def test_positions_come_by_falling_likelihood_and_each_once(seed: int) -> None:
    film = Film(Random(seed), noise=0.2)
    evidence = evidence_of(film.read(START)).weighed()
    ranked = list(likely_positions(evidence, START))
    favoured = [
        float(evidence.by_place(one)[:25].sum())
        + UNCHANGED * (sum(a == b for a, b in zip(one.points, START.points, strict=True)) + _same_bar(one))
        for one in ranked
    ]
    assert favoured == pytest.approx(sorted(favoured, reverse=True))
    assert len({one.code for one in ranked}) == len(ranked) > 10


def _same_bar(one: Position) -> bool:
    return all(one.bar(side) == START.bar(side) for side in Side)
