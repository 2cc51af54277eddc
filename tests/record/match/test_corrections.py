"""Corrections change how a match reads, and never what was written."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import UserError
from controller.record.files.mat import mat_text
from controller.record.journal.journal import Journal, JournalError
from controller.record.match.corrections import CUBE_TALKS, CorrectionError, Director, after_play
from controller.record.match.history import read_history
from controller.record.match.match import Act, MatchRecord, Note, Turn
from controller.record.match.match_log import MatchLog, read_match
from controller.rules.game.events import (
    Doubled,
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    Passed,
    ResignationAccepted,
    Resigned,
    Rolled,
    RulesEvent,
    Taken,
)
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from tests.record.match.test_match_log import logged, noon
from tests.record.matches import random_match


def recorded(seed: int = 3, games: int = 2) -> MatchRecord:
    """Two games of which only the beginnings are told."""
    match = random_match(seed, games=games, length=9, illegal=0.1, corrected=0.1)
    acts = (Act(OpeningRoll(3, 1)), Act(Doubled(Side.LIGHT)), Act(Taken(Side.DARK)))
    short = tuple(
        replace(game, entries=(acts[0], *game.entries[:6], *acts[1:], *game.entries[6:12]))
        for game in match.games
    )
    return replace(match, games=short)


class Corrected:
    """A recorded match, its journal and its director."""

    def __init__(self, path: Path, match: MatchRecord) -> None:
        self.journal = Journal(path)
        logged(self.journal, "1", match)
        self.original = read_match(self.journal, "1")
        self.director = Director(self.journal, "1", noon, by="Éva")

    def now(self) -> MatchRecord:
        return read_match(self.journal, "1")

    def turn(self, ply: int, game: int = 1) -> Turn:
        return next(turn for turn in self.now().games[game - 1].played if turn.ply == ply)


@pytest.fixture
def match(tmp_path: Path) -> Iterator[Corrected]:
    match = Corrected(tmp_path / "journal.db", recorded())
    yield match
    match.journal.close()


def test_undo_takes_back_a_ply_and_what_followed(match: Corrected) -> None:
    before = match.original.games[0]
    match.director.undo(1, 3)
    after = match.now().games[0]
    assert [turn.ply for turn in after.turns] == [turn.ply for turn in before.turns if turn.ply < 3]
    assert after.result is None
    assert match.now().games[1] == match.original.games[1]
    match.director.undo(1)
    assert max(turn.ply for turn in match.now().games[0].turns) == 1


def test_play_goes_on_after_an_undo(match: Corrected) -> None:
    turn = match.turn(3)
    match.director.undo(1, 3)
    match.director.void(2)
    MatchLog(match.journal, "1", noon).add(turn)
    assert match.turn(3) == turn


@pytest.mark.parametrize("games", [1, 2])
def test_what_is_still_played_in_a_game_that_is_void_belongs_to_no_other(tmp_path: Path, games: int) -> None:
    record = random_match(4, games=games, length=9, illegal=0.0, corrected=0.0)
    last = record.games[-1]
    turns = list(last.played)
    running = replace(last, entries=last.entries[: last.entries.index(turns[3])], result=None)
    match = Corrected(tmp_path / "journal.db", replace(record, games=(*record.games[:-1], running)))
    voided = match.director.void(games)
    MatchLog(match.journal, "1", noon).add(turns[3])
    assert match.now().games == match.original.games[:-1]
    match.director.revoke(voided.id)
    assert list(match.now().games[-1].played) == [*match.original.games[-1].played, turns[3]]
    match.journal.close()


def test_a_play_that_was_misread_is_replaced_and_judged(match: Corrected) -> None:
    was = match.turn(1)
    other = next(p for p in legal_plays(was.before, was.player, was.roll) if p.after != was.after)
    match.director.change_play(1, 1, other.after.compact(), "misread")
    now = match.turn(1)
    assert (now.legal, now.after, now.roll, now.frame) == (True, other.after, was.roll, was.frame)
    assert now.play
    match.director.change_play(1, 1, "Cannot Move")
    assert (match.turn(1).legal, match.turn(1).stands) == (False, True)
    assert match.turn(1).reasons
    correction = read_history(match.journal, "1").corrections[0]
    assert (correction.by, correction.why, correction.utc) == ("Éva", "misread", noon())


def test_notation_moves_the_checkers_it_names_from_the_players_own_side() -> None:
    assert after_play(START, Side.LIGHT, "8/5 6/5").compact() == "b...BD.B...eE...c.e....B.."
    dark = after_play(START, Side.DARK, "24/23 13/10")
    assert dark.mirrored() == after_play(START.mirrored(), Side.LIGHT, "24/23 13/10")
    hit = after_play(Position.from_compact("a...aE.C...eE...c.d....AAa"), Side.LIGHT, "bar/20 6/5*")
    assert (hit.bar(Side.DARK), hit.checkers(Side.LIGHT, 5), hit.bar(Side.LIGHT)) == (2, 1, 0)
    with pytest.raises(CorrectionError, match="no checker of light on the 7-point"):
        after_play(START, Side.LIGHT, "7/6")
    with pytest.raises(CorrectionError, match="held by the opponent"):
        after_play(START, Side.LIGHT, "13/12")
    with pytest.raises(UserError, match="nonsense"):
        after_play(START, Side.LIGHT, "nonsense")


def test_another_roll_changes_the_verdict(match: Corrected) -> None:
    was = next(turn for turn in match.original.games[0].played if turn.legal and turn.play)
    fits = {
        roll
        for roll in (Roll.from_dice(a, b) for a in range(1, 7) for b in range(1, 7))
        if was.after in {play.after for play in legal_plays(was.before, was.player, roll)}
    }
    other = next(
        roll for roll in (Roll.from_dice(a, b) for a in range(1, 7) for b in range(1, 7)) if roll not in fits
    )
    match.director.change_roll(1, was.ply, other)
    now = match.turn(was.ply)
    assert (now.roll, now.legal, now.stands, now.after) == (other, False, True, was.after)
    match.director.change_roll(1, was.ply, was.roll)
    assert match.turn(was.ply) == was


def test_the_cube_before_a_ply_is_what_the_director_says(match: Corrected) -> None:
    player = match.turn(2).player
    match.director.change_cube(1, 2, ("double", "drop"))
    acts = [entry.event for entry in match.now().games[0].entries if isinstance(entry, Act)]
    assert acts[:3] == [OpeningRoll(3, 1), Doubled(player), Passed(player.opponent)]
    match.director.change_cube(1, 2, ())
    assert match.now() == match.original
    with pytest.raises(CorrectionError, match="nothing that is done with a cube"):
        match.director.change_cube(1, 2, ("take",))


def test_the_cube_that_was_recorded_can_be_taken_out_and_put_after_the_last_ply(match: Corrected) -> None:
    for game in (1, 2):
        for turn in list(match.now().games[game - 1].played):
            match.director.change_cube(game, turn.ply, ())
    assert not any(
        isinstance(entry, Act) and isinstance(entry.event, Doubled)
        for game in match.now().games
        for entry in game.entries
    )
    match.director.change_cube(2, None, ("double", "take"))
    last = list(match.now().games[1].played)[-1].player
    assert match.now().games[1].entries[-1] == Act(Taken(last))


@pytest.mark.parametrize(
    "end",
    [
        (Resigned(Side.DARK, 1), ResignationAccepted(Side.LIGHT)),
        (Rolled(Side.DARK, Roll(2, 1)), Resigned(Side.DARK, 1), ResignationAccepted(Side.LIGHT)),
        (GameAwarded(Side.LIGHT, 2),),
        (MatchForfeited(Side.DARK),),
    ],
)
def test_the_cube_after_the_last_ply_is_turned_before_a_resignation_or_an_award_ends_the_game(
    tmp_path: Path, end: tuple[RulesEvent, ...]
) -> None:
    match = recorded(games=1)
    (game,) = match.games
    ended = replace(game, entries=(*game.entries, *(Act(event) for event in end)))
    corrected = Corrected(tmp_path / "journal.db", replace(match, games=(ended,)))
    player = list(game.played)[-1].player.opponent
    for words, offered in ((("double", "take"), [Doubled(player), Taken(player.opponent)]), ((), [])):
        corrected.director.change_cube(1, None, words)
        entries = corrected.now().games[0].entries[len(game.entries) :]
        assert [entry.event for entry in entries if isinstance(entry, Act)] == [*offered, *end]
    corrected.journal.close()


def test_score_result_and_void_change_the_match_and_its_exports(match: Corrected) -> None:
    match.director.change_score(2, 3, 4)
    assert (match.now().games[1].light_score, match.now().games[1].dark_score) == (3, 4)
    assert " : 3" in mat_text(match.now())
    match.director.change_result(1, Side.DARK, 4)
    result = match.now().games[0].result
    assert result
    assert (result.winner, result.points) == (Side.DARK, 4)
    match.director.change_result(1, None)
    assert match.now().games[0].result is None
    match.director.void(1)
    assert len(match.now().games) == 1
    assert "Game 2" not in mat_text(match.now())
    with pytest.raises(CorrectionError, match="less than the 9 points"):
        match.director.change_score(1, 9, 0)
    with pytest.raises(CorrectionError, match="at least 1"):
        match.director.change_result(1, Side.DARK, 0)


def test_a_ruling_stands_after_the_ply_it_is_about(match: Corrected) -> None:
    match.director.rule(1, 2, "Dice were cocked; the play stands.")
    entries = match.now().games[0].entries
    place = next(n for n, entry in enumerate(entries) if isinstance(entry, Note))
    before = entries[place - 1]
    assert isinstance(before, Turn)
    assert before.ply == 2
    assert entries[place] == Note(
        "ruling", None, None, {"text": "Dice were cocked; the play stands.", "by": "Éva"}
    )
    with pytest.raises(CorrectionError, match="needs words"):
        match.director.rule(1, 2, "  ")


def test_a_correction_can_be_taken_back_and_the_taking_back_too(match: Corrected) -> None:
    voided = match.director.void(1)
    revoked = match.director.revoke(voided.id)
    assert match.now() == match.original
    match.director.revoke(revoked.id)
    assert len(match.now().games) == 1
    with pytest.raises(CorrectionError, match=f"Correction {revoked.id} has been taken back"):
        match.director.revoke(revoked.id)
    with pytest.raises(CorrectionError, match="no correction 1 of"):
        match.director.revoke(1)


@pytest.mark.parametrize(
    ("game", "ply", "said"),
    [(3, 0, "no game 3 .* 1 to 2"), (0, 0, "no game 0"), (1, 99, "no ply 99 .* 0 to"), (1, -1, "no ply -1")],
)
def test_what_is_not_there_is_named_and_nothing_written(
    match: Corrected, game: int, ply: int, said: str
) -> None:
    before = match.journal.head()
    for change in (
        lambda: match.director.undo(game, ply),
        lambda: match.director.change_play(game, ply, "8/5 6/5"),
        lambda: match.director.change_roll(game, ply, Roll.from_dice(3, 1)),
        lambda: match.director.change_cube(game, ply, ()),
        lambda: match.director.rule(game, ply, "x"),
    ):
        with pytest.raises(CorrectionError, match=said):
            change()
    assert match.journal.head() == before


def test_a_correction_that_makes_no_sense_is_named(match: Corrected) -> None:
    match.journal.append("1", "correction", {"action": "paint", "by": "", "why": ""}, utc=noon())
    with pytest.raises(JournalError, match="is not a correction that can be read"):
        match.now()


KINDS = st.sampled_from(["undo", "play", "roll", "cube", "score", "result", "void", "rule", "revoke"])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(KINDS, st.integers(0, 10**6)), max_size=12))
def test_the_original_stays_under_any_sequence_of_corrections(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, int]]
) -> None:
    match = Corrected(tmp_path_factory.mktemp("any") / "journal.db", recorded(games=1))
    written = list(match.journal.events())
    for kind, seed in steps:
        try:
            correct(match.director, kind, random.Random(seed))
        except CorrectionError:
            continue
        mat_text(match.now())
    assert read_match(match.journal, "1", corrected=False) == match.original
    assert list(match.journal.events())[: len(written)] == written
    match.journal.verify()
    for correction in reversed(match.director.history().corrections):
        standing = {each.event for each in match.director.history().corrections if each.revoked is None}
        if correction.event in standing:
            match.director.revoke(correction.event)
    assert match.now() == match.original
    match.journal.close()


def correct(director: Director, kind: str, rng: random.Random) -> None:
    history = director.history()
    game = rng.randint(1, max(1, len(history.games)))
    ply = rng.randint(0, 11)
    roll = Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))
    if kind == "undo":
        director.undo(game, rng.choice([ply, None]))
    elif kind == "play":
        plays = legal_plays(START, Side.LIGHT, roll)
        director.change_play(game, ply, rng.choice(plays).after.compact())
    elif kind == "roll":
        director.change_roll(game, ply, roll)
    elif kind == "cube":
        director.change_cube(game, rng.choice([ply, None]), rng.choice(sorted(CUBE_TALKS)))
    elif kind == "score":
        director.change_score(game, rng.randint(0, 8), rng.randint(0, 8))
    elif kind == "result":
        director.change_result(game, rng.choice([None, *Side]), rng.randint(1, 3))
    elif kind == "void":
        director.void(game)
    elif kind == "rule":
        director.rule(game, rng.choice([ply, None]), "<b>stands</b>")
    elif history.corrections:
        director.revoke(rng.choice(history.corrections).event)
