from pathlib import Path

import pytest

from controller.record.mat import mat_text
from controller.record.transcript import MatchRecord
from tests.record.gnubg import complaints, import_all
from tests.record.matches import random_match


def assert_gnubg_agrees(matches: list[MatchRecord], folder: Path) -> None:
    said, understood = import_all([mat_text(match) for match in matches], folder)
    assert complaints(said) == []
    for match, other in zip(matches, understood, strict=True):
        assert len(other.games) == len(match.games)
        for game, theirs in zip(match.games, other.games, strict=True):
            assert [b.compact() for b in theirs.boards] == [turn.after.compact() for turn in game.played]


def test_gnubg_reads_every_turn_of_legal_matches(tmp_path: Path) -> None:
    assert_gnubg_agrees([random_match(seed, games=3) for seed in range(20)], tmp_path)


def test_gnubg_reads_illegal_plays_that_stand(tmp_path: Path) -> None:
    assert_gnubg_agrees([random_match(seed, games=2, illegal=0.15) for seed in range(20)], tmp_path)
