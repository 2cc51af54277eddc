"""Forty matches of each game of the family: honest plays pass, broken rules are named."""

from collections import Counter
from random import Random
from typing import Final

import pytest

from tests.referee.family_sitting import Sitting
from tests.rules.family_reference import GAMES

MATCHES: Final = 40
NAMED: Final = 0.99
"""So many of the plays against a rule must be named at least."""
RARELY: Final = frozenset({"acey-deucey"})
"""Games in which a search for every wrong play takes long."""


@pytest.mark.parametrize("name", GAMES)
def test_no_honest_play_is_accused_and_broken_rules_are_named(name: str) -> None:
    plays, cheats, accused = 0, Counter[str](), 0
    for seed in range(MATCHES):
        sitting = Sitting((name,), Random(seed), 1, cheating=0.03 if name in RARELY else 0.15)
        sitting.match()
        assert not sitting.failures
        plays += sitting.plays
        accused += len(sitting.accused)
        cheats.update("named" if cheat.named else "missed" for cheat in sitting.cheats)
    assert not accused, (name, plays, accused)
    assert cheats["named"] >= NAMED * cheats.total(), (name, plays, cheats)
