"""Games of the family at the table, by the plain rules of the tests: honest plays pass, broken rules are named."""

from collections.abc import Sequence
from random import Random

import pytest

from tests.referee.family_sitting import Sitting
from tests.rules.family_reference import GAMES

TAVLI = ("portes", "plakoto", "fevga")


def sit(names: Sequence[str], seed: int, length: int = 1, cheating: float = 0.12) -> Sitting:
    """A match as it was played and told."""
    sitting = Sitting(tuple(names), Random(seed), length, cheating=cheating)
    sitting.match()
    return sitting


def told_score(sitting: Sitting) -> dict[str, int]:
    """The score at the end, as the referee tells it."""
    over = [line for line in sitting.told if line.get("kind") == "match_over"]
    return {side: over[-1][side] for side in ("light", "dark")}


@pytest.mark.parametrize("name", GAMES)
def test_a_game_of_the_family_is_refereed_to_its_end(name: str) -> None:
    sitting = sit([name], 5, cheating=0.02 if name == "acey-deucey" else 0.12)
    assert not sitting.failures
    assert not sitting.accused
    assert all(cheat.named for cheat in sitting.cheats), sitting.cheats
    judged = [line for line in sitting.told if line.get("legal") is True]
    assert len({line["ply"] for line in judged}) == sitting.plays
    assert told_score(sitting) == sitting.score


def test_each_game_of_a_series_is_refereed_by_its_own_rules() -> None:
    sitting = sit(TAVLI, 5, length=5, cheating=0.05)
    assert not sitting.failures
    assert not sitting.accused
    begun = [line["game"] for line in sitting.told if line.get("kind") == "game_begun"]
    assert len(begun) > 1
    assert told_score(sitting) == sitting.score
