"""What the real bgsage says of a match, beside what gnubg says."""

import sys
from dataclasses import replace
from functools import cache

import pytest

from controller.analysis import gnubg
from controller.analysis.bgsage import analyse
from controller.analysis.engine import EngineError, PlayDecision
from controller.record.match.match import GameRecord, MatchRecord
from tests.record.matches import random_match

pytest.importorskip("bgsage", reason="there is no bgsage for this machine")


@cache
def match() -> MatchRecord:
    """The beginning of a game: bgsage takes its time."""
    whole = random_match(11, games=1, length=5, illegal=0.2)
    return replace(whole, games=(GameRecord(whole.games[0].entries[:11]),))


def test_both_engines_judge_the_same_turns_and_find_the_same_mistakes() -> None:
    one, other = (engine(match(), lambda _done, _of: None) for engine in (analyse, gnubg.analyse))
    assert one.left_out == other.left_out > 0
    assert (one.light.moves, one.dark.moves) == (other.light.moves, other.dark.moves)
    losses = {each.ply: each.loss for each in other.mistakes if isinstance(each, PlayDecision)}
    found = [mistake for mistake in one.mistakes if isinstance(mistake, PlayDecision)]
    worst = [mistake for mistake in found[:5] if mistake.ply in losses]
    assert len(worst) >= 4
    for mistake in worst:
        assert mistake.loss == pytest.approx(losses[mistake.ply], abs=0.05 + 0.3 * mistake.loss)
    rates = (one.light.play_rate, one.dark.play_rate)
    assert all(rate is not None and rate > 0 for rate in rates)


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvanalysis", None)
    with pytest.raises(EngineError, match="install gammonview and bgsage"):
        analyse(match(), lambda _done, _of: None)


def test_after_a_turn_of_which_only_the_board_is_known_the_others_are_judged_all_the_same() -> None:
    (game,) = match().games
    sure = {
        each.ply for each in analyse(match(), lambda *_: None).decisions if isinstance(each, PlayDecision)
    }
    ply = min(sure)
    turns = tuple(
        replace(turn, play=None, legal=None, text="", probability=0.8) if turn.ply == ply else turn
        for turn in game.turns
    )
    found = analyse(replace(match(), games=(replace(game, entries=turns),)), lambda *_: None)
    assert {each.ply for each in found.decisions if isinstance(each, PlayDecision)} == sure - {ply}
    assert found.light.moves + found.dark.moves == len(sure) - 1
