"""What the real bgsage says of a match, beside what gnubg says."""

import sys

import pytest

from controller.analysis import gnubg
from controller.analysis.bgsage import analyse
from controller.analysis.engine import EngineError
from tests.record.matches import random_match

pytest.importorskip("bgsage", reason="there is no bgsage for this machine")

MATCH = random_match(11, games=1, length=5, illegal=0.06)


def test_both_engines_find_the_same_luck_and_the_same_mistakes() -> None:
    one, other = (engine(MATCH, lambda _done, _of: None) for engine in (analyse, gnubg.analyse))
    assert one.left_out == other.left_out > 0
    assert (one.light.moves, one.dark.moves) == (other.light.moves, other.dark.moves)
    for mine, theirs in ((one.light, other.light), (one.dark, other.dark)):
        assert mine.luck == pytest.approx(theirs.luck, abs=0.15 * theirs.moves**0.5)
    worst = {(mistake.ply, mistake.played) for mistake in other.mistakes[:10]}
    assert len(worst & {(mistake.ply, mistake.played) for mistake in one.mistakes[:20]}) >= 7
    rates = (one.light.play_rate, one.dark.play_rate)
    assert all(rate is not None and rate > 0 for rate in rates)


def test_without_the_packages_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvanalysis", None)
    with pytest.raises(EngineError, match="install gammonview and bgsage"):
        analyse(MATCH, lambda _done, _of: None)
