"""A hundred games of every game of the family on the simulated table, with cheats of its own kinds.

`FAMILY_GAMES` is how many are played of each (100); with `-s` the table of what came out is shown.
"""

import os
import sys
from collections import Counter
from pathlib import Path

import pytest

from controller.demo.ledger import Ledger
from controller.demo.show import Evening, Plan
from controller.rules.profile.catalogue import load_profile

GAMES = int(os.environ.get("FAMILY_GAMES", "100"))
CHEATS, LENGTH, NAMED = 5.0, 5, 0.99
SINGLE = (
    *("portes", "nackgammon", "hypergammon", "longgammon", "tavla", "plakoto", "fevga", "moultezim"),
    *("narde", "gul-bara", "jacquet", "jacquet-hit", "acey-deucey"),
)


def evening_of(names: tuple[str, ...], folder: Path, games: int) -> tuple[Evening, list[tuple[int, int]]]:
    """The evening, and the score of each of its matches."""
    first, *others = (load_profile(name) for name in names)
    plan = Plan(games, LENGTH, first, 11, CHEATS, firmware=False, others=tuple(others))
    evening, scores = Evening(plan, None), []
    while evening.played < games:
        with evening.folder(folder / str(len(scores))) as match:
            show = evening.match(len(scores), match, lambda _: None, lambda _: None)
        score = show.desk.table.match.score
        scores.append((score.light, score.dark))
    return evening, scores


def row(name: str, games: int, ledger: Ledger) -> str:
    noticed = ledger.list_noticed()
    kinds = Counter(truth.cheat.wrong for truth, _ in noticed if truth.cheat is not None)
    right, turns = ledger.count_concluded()
    named = sum(right for _, right in noticed)
    told = ", ".join(f"{wrong} {count}" for wrong, count in kinds.most_common())
    return f"| {name} | {games} | {right}/{turns} | {named}/{len(noticed)} | {len(ledger.list_accused())} | {told} |"


@pytest.mark.parametrize("name", SINGLE)
def test_a_hundred_games_accuse_nobody_honest_and_name_what_was_wrong(name: str, tmp_path: Path) -> None:
    evening, _ = evening_of((name,), tmp_path, GAMES)
    ledger = evening.ledger
    sys.stdout.write(row(name, evening.played, ledger) + "\n")
    noticed = ledger.list_noticed()
    assert ledger.list_accused() == []
    assert sum(named for _, named in noticed) >= NAMED * len(noticed)


def test_tavli_is_a_series_with_its_score(tmp_path: Path) -> None:
    evening, scores = evening_of(("portes", "plakoto", "fevga"), tmp_path, GAMES)
    sys.stdout.write(row("tavli", evening.played, evening.ledger) + "\n")
    assert evening.ledger.list_accused() == []
    assert all(max(score) >= LENGTH for score in scores[:-1])
