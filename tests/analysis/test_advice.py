"""What real engines would play: they know the same plays as the rules, and prefer what everybody knows."""

import shutil
import sys
from random import Random

import pytest

from controller.analysis import advice
from controller.analysis.advice import EngineName, advise
from controller.analysis.engine import EngineError
from controller.rules.forms.xgid import MatchState
from controller.rules.moves.plays import results
from controller.rules.position import START, Position, Roll, Side
from tests.analysis.engines import ENGINES

LIGHT, DARK = Side.LIGHT, Side.DARK
POINT = Position.from_compact("b...BD.B...eE...c.e....B..")


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("side", [LIGHT, DARK])
def test_the_best_opening_of_three_and_one_makes_the_five_point(engine: EngineName, side: Side) -> None:
    position, after = (START, POINT) if side is LIGHT else (START.mirrored(), POINT.mirrored())
    found = advise(position, MatchState(on_roll=side, roll=Roll(3, 1)), engine)
    assert (found.best.text, found.best.after) == ("8/5 6/5", after)
    assert found.loss(after) == 0
    assert found.loss(position) is None
    assert [each.equity for each in found.plays] == sorted(
        (each.equity for each in found.plays), reverse=True
    )


@pytest.mark.parametrize("engine", ENGINES)
def test_an_engine_names_exactly_the_legal_plays(engine: EngineName) -> None:
    rng, position, side = Random(5), START, LIGHT
    for _ in range(12):
        roll = Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))
        lawful = {Position(code) for code in results(position, side, roll)[0]}
        if lawful != {position}:
            found = advise(position, MatchState(on_roll=side, roll=roll), engine)
            assert {each.after for each in found.plays} == lawful
        position, side = rng.choice(sorted(lawful, key=Position.compact)), side.opponent


@pytest.mark.parametrize("engine", ENGINES)
def test_the_score_is_minded(engine: EngineName) -> None:
    """At double match point only the win counts: the equity is that of the plain chances, between -1 and 1."""
    decided = Position.from_compact("AA................dd......")
    state = MatchState(on_roll=LIGHT, roll=Roll(2, 1), length=3, score=(2, 2))
    assert advise(decided, state, engine).best.equity == pytest.approx(1.0, abs=0.02)


def test_without_a_roll_there_is_nothing_to_ask() -> None:
    with pytest.raises(EngineError, match="no roll"):
        advise(START, MatchState(on_roll=LIGHT))


@pytest.mark.parametrize("engine", ENGINES)
def test_where_nothing_can_be_played_no_engine_is_asked(engine: EngineName) -> None:
    closed = Position.from_compact("A.................bbbbbbA.")
    with pytest.raises(EngineError, match="Nothing can be played"):
        advise(closed, MatchState(on_roll=LIGHT, roll=Roll(6, 6)), engine)


def test_without_any_engine_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda *_, **__: None)
    monkeypatch.setitem(sys.modules, "bgsage", None)
    with pytest.raises(EngineError, match="install Debian's gnubg"):
        advise(START, MatchState(on_roll=LIGHT, roll=Roll(3, 1)))


def test_an_engine_that_does_not_answer_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    if "gnubg" not in ENGINES:
        pytest.skip("there is no gnubg on this machine")
    monkeypatch.setattr(advice, "TIMEOUT_S", 0.0)
    with pytest.raises(EngineError, match="did not answer in time"):
        advise(START, MatchState(on_roll=LIGHT, roll=Roll(3, 1)), "gnubg")
