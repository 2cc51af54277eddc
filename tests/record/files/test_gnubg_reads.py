"""Many random whole matches as `.mat` and SGF, read by the real gnubg: not a word, and the same match."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from controller.record.files.mat import mat_text
from controller.record.files.sgf import sgf_text
from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.rules.game.events import Beavered, Doubled, OpeningRoll, Passed, Raccooned, Taken
from controller.rules.position import START
from tests.amounts import amount
from tests.record.gnubg import GnubgMatch, complaints, import_all
from tests.record.simulated import MIDDLE, Habits, simulated

TIDY = Habits(broken_off=0.1, longest=40)
WILD = replace(
    TIDY, illegal=0.06, corrected=0.04, told_anew=0.03, void=0.03, award=0.01, forfeit=0.002, resign=0.05
)
FROM_THE_MIDDLE = replace(WILD, start=MIDDLE)
KINDS = {
    "tidy match": ("standard-match", 5, TIDY),
    "wild match": ("hubgf-match", 3, WILD),
    "money": ("standard-money", 0, TIDY),
    "wild money": ("standard-money", 0, WILD),
    "automatic doubles": ("hubgf-money", 0, WILD),
    "from the middle": ("standard-match", 4, FROM_THE_MIDDLE),
}
SEEDS = amount((1000, 1001, 1004, 1006, 1009), range(1000, 1050))
"""These five of each kind have all acts and results that the first twelve have."""
WORDS = {Doubled: "double", Beavered: "double", Raccooned: "double", Taken: "take", Passed: "drop"}


@cache
def matches(kind: str) -> list[MatchRecord]:
    profile, length, habits = KINDS[kind]
    return [simulated(seed, profile, length, habits, games=2) for seed in SEEDS]


def course(game: GameRecord) -> Iterator[str]:
    """As `tests.record.gnubg.GnubgGame.course`."""
    for entry in game.course:
        if isinstance(entry, Turn):
            yield entry.after.compact()
        elif type(entry.event) in WORDS:
            yield f"{entry.event.side} {WORDS[type(entry.event)]}"


def answered(course: list[str]) -> list[str]:
    """Without a double at the end that nobody answered: gnubg forgets it when another game follows."""
    while course and course[-1].endswith("double"):
        course = course[:-1]
    return course


def has_automatic_doubles(game: GameRecord) -> bool:
    openings = [entry.event for entry in game.entries if isinstance(entry, Act)]
    return any(isinstance(event, OpeningRoll) and event.light == event.dark for event in openings)


def agrees(records: list[MatchRecord], understood: list[GnubgMatch], *, complete: bool) -> None:
    """`complete`: whether the form tells where a game began and of automatic doubles."""
    assert len(understood) == len(records)
    for record, theirs in zip(records, understood, strict=True):
        assert len(theirs.games) == len(record.games)
        for game, other in zip(record.games, theirs.games, strict=True):
            told = list(course(game))
            if complete and game.start != START:
                told.insert(0, game.start.compact())
            assert answered(list(other.course)) == answered(told)
            assert other.score == (game.light_score, game.dark_score)
            assert other.winner == (game.result.winner if game.result else None)
            automatic = has_automatic_doubles(game) and record.profile(0).opening.tie == "auto_double"
            if complete or not automatic:
                assert other.points == (game.result.points if game.result else None)


@pytest.mark.parametrize("kind", KINDS)
def test_gnubg_reads_mat_files_without_a_word_and_sees_the_same_match(kind: str, tmp_path: Path) -> None:
    records = matches(kind)
    said, understood = import_all([mat_text(record) for record in records], tmp_path)
    assert complaints(said) == []
    agrees(records, understood, complete=False)


@pytest.mark.parametrize("kind", KINDS)
def test_gnubg_reads_sgf_files_without_a_word_and_sees_the_same_match(kind: str, tmp_path: Path) -> None:
    records = matches(kind)
    said, understood = import_all([sgf_text(record) for record in records], tmp_path, "load match")
    assert complaints(said) == []
    agrees(records, understood, complete=True)


def test_the_matches_hold_everything_that_can_happen() -> None:
    texts = "".join(mat_text(record) for kind in KINDS for record in matches(kind))
    for feature in (
        "Doubles => 2",
        "Doubles => 4",
        " Beavers => 4",
        " Takes",
        " Drops",
        "????",
        "Illegal play",
        "Cannot Move",
        "was put right",
        "refused a resignation",
        "was awarded",
        "begins at",
        "was void",
    ):
        assert feature in texts, feature
    assert len(re.findall(r"^ \d+ point match$", texts, re.MULTILINE)) == len(KINDS) * len(SEEDS)
