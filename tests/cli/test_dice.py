"""The audit of the dice, as a director types it."""

import random
from dataclasses import replace
from functools import cache
from pathlib import Path

from controller.record.journal.journal import Journal
from controller.record.match.match import MONEY, Facts, GameRecord
from controller.record.match.match_log import MatchLog
from controller.rules.position import Roll
from tests.cli.conftest import Run
from tests.record.matches import random_match


@cache
def game() -> GameRecord:
    return random_match(4, games=1, length=0).games[0]


def journal_of(path: Path, *, games: int, dice: tuple[int, int] | None = None) -> int:
    """A game over and over with other rolls, or with one, and with every fifth play put right at the second try;
    returns how many plies follow an opening roll.
    """
    chance = random.Random(3)
    plies = {turn.ply for turn in game().turns}
    with Journal(path) as journal:
        log = MatchLog(journal, "evening", lambda: "2026-11-21T12:00:00Z")
        log.begin_match("Anna", "Béla", MONEY, Facts())
        for _ in range(games):
            log.begin_game(game().start)
            rolls = {ply: dice or (chance.randint(1, 6), chance.randint(1, 6)) for ply in plies}
            for turn in game().turns:
                thrown = replace(turn, roll=Roll.from_dice(*rolls[turn.ply]))
                if turn.ply % 5 == 1:
                    log.add(replace(thrown, legal=False, play=None))
                log.add(thrown)
    return games * (len(plies) - 1)


def test_fair_dice_of_a_journal_look_fair_and_each_ply_counts_once(tmp_path: Path, run: Run) -> None:
    plies = journal_of(tmp_path / "journal.db", games=8)
    said = run("dice", "audit", tmp_path / "journal.db")
    assert f"of each face in {plies} rolls" in said
    assert said.count("as fair dice do") == 4
    assert "All tests as one" in said


def test_dice_that_show_one_face_are_suspicious(tmp_path: Path, run: Run) -> None:
    journal_of(tmp_path / "journal.db", games=8, dice=(6, 6))
    said = run("dice", "audit", tmp_path / "journal.db", "--match", "evening")
    assert said.count("suspicious") == 2
    assert "Fair dice do so less than once in a hundred times" in said


def test_few_rolls_are_said_to_tell_little(tmp_path: Path, run: Run) -> None:
    journal_of(tmp_path / "journal.db", games=1)
    assert "rolls tell little" in run("dice", "audit", tmp_path / "journal.db")


def test_a_journal_that_is_not_there_is_one_sentence(tmp_path: Path, run: Run) -> None:
    assert "there is no" in run("dice", "audit", tmp_path / "none.db", status=2).lower()
