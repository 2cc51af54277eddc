"""A hundred games of every game of the family on the simulated table, with cheats of its own kinds.

`FAMILY_GAMES` is how many are played of each (100); with `-s` the table of what came out is shown.
"""

import os
import sys
from collections import Counter
from itertools import cycle
from pathlib import Path

import pytest

from controller.demo.ledger import Ledger
from controller.demo.show import Evening, Plan
from controller.referee.actions import Action, GameEnded, GameOpened
from controller.rules.game.game import start_position
from controller.rules.position import Position, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import Profile
from controller.simulation.players.cheating import FAMILY
from tests.demo.truthful import truthful

GAMES = int(os.environ.get("FAMILY_GAMES", "100"))
CHEATS, LENGTH, NAMED = 5.0, 5, 0.99
SINGLE = (
    *("portes", "nackgammon", "hypergammon", "longgammon", "tavla", "plakoto", "fevga", "moultezim"),
    *("narde", "gul-bara", "jacquet", "jacquet-hit", "acey-deucey"),
)
TAVLI = ("portes", "plakoto", "fevga")
Score = tuple[int, int]


def evening_of(
    names: tuple[str, ...], folder: Path, games: int
) -> tuple[Evening, list[list[Action]], list[Score]]:
    """The evening, what was told in each of its matches, and the score of each."""
    first, *others = (load_profile(name) for name in names)
    plan = Plan(games, LENGTH, first, 11, CHEATS, firmware=False, others=tuple(others))
    evening, told, scores = Evening(plan, truthful(plan)), list[list[Action]](), list[Score]()
    while evening.played < games:
        told.append([])
        with evening.folder(folder / str(len(scores))) as match:
            show = evening.match(len(scores), match, told[-1].append, lambda _: None)
        score = show.desk.table.match.score
        scores.append((score.light, score.dark))
    return evening, told, scores


def row(name: str, games: int, ledger: Ledger) -> str:
    noticed = ledger.list_noticed()
    kinds = Counter(truth.cheat.wrong for truth, _ in noticed if truth.cheat is not None)
    own = [right for truth, right in noticed if truth.cheat is not None and truth.cheat.wrong in FAMILY]
    right, turns = ledger.count_concluded()
    named = sum(right for _, right in noticed)
    told = ", ".join(f"{wrong} {count}" for wrong, count in kinds.most_common())
    return (
        f"| {name} | {games} | {right}/{turns} | {named}/{len(noticed)} | {sum(own)}/{len(own)} "
        f"| {len(ledger.list_accused())} | {told} |"
    )


@pytest.mark.parametrize("name", SINGLE)
def test_a_hundred_games_accuse_nobody_honest_and_name_what_was_wrong(name: str, tmp_path: Path) -> None:
    evening, _, _ = evening_of((name,), tmp_path, GAMES)
    ledger = evening.ledger
    sys.stdout.write(row(name, evening.played, ledger) + "\n")
    noticed = ledger.list_noticed()
    assert ledger.list_accused() == []
    assert sum(named for _, named in noticed) >= NAMED * len(noticed)


def start_of(profile: Profile) -> Position:
    """How the checkers stand at the start of a game."""
    return start_position(profile.opening.layout, profile.movement.direction)


def test_tavli_is_a_series_with_its_score(tmp_path: Path) -> None:
    evening, told, scores = evening_of(TAVLI, tmp_path, GAMES)
    ledger = evening.ledger
    sys.stdout.write(row("tavli", evening.played, ledger) + "\n")
    noticed = ledger.list_noticed()
    assert ledger.list_accused() == []
    assert sum(named for _, named in noticed) >= NAMED * len(noticed)
    for actions, score in zip(told, scores, strict=True):
        starts = [action.start for action in actions if isinstance(action, GameOpened)]
        assert starts == [start_of(load_profile(name)) for name, _ in zip(cycle(TAVLI), starts, strict=False)]
        results = [action.result for action in actions if isinstance(action, GameEnded)]
        assert score == tuple(sum(one.points for one in results if one.winner is side) for side in Side)
    assert all(max(score) >= LENGTH for score in scores[:-1])
