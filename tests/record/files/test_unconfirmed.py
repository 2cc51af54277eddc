"""A turn that nobody confirmed, in every form that a match is written in: likeliest, marked, and accusing nobody."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.record.files.foreign import rejudge
from controller.record.files.mat import mat_text, read_mat
from controller.record.files.ogxmfile import plain_document
from controller.record.files.scoresheet import scoresheet
from controller.record.files.sgf import read_sgf, sgf_text
from controller.record.files.transcript import transcript_text
from controller.record.match.match import MatchRecord, Turn
from controller.record.match.playthrough import objections
from controller.rules.profile.catalogue import load_profile
from tests.record.files.test_mat import gnubg_agrees
from tests.record.matches import random_match


def doubted(turn: Turn, probability: float | None = 0.87) -> Turn:
    """The same turn, but nobody is sure of it."""
    return replace(turn, legal=None, reasons=(), stands=False, probability=probability)


def doubtful_match() -> tuple[MatchRecord, Turn, Turn]:
    """A match of which nobody confirmed a turn that looks legal, and one that does not."""
    match = random_match(2, games=1, illegal=0.1)
    (game,) = match.games
    lawful = next(turn for turn in game.turns[4:] if turn.legal and turn.play)
    unlawful = next(turn for turn in game.turns[4:] if not turn.legal)
    turns = tuple(doubted(turn) if turn in (lawful, unlawful) else turn for turn in game.turns)
    return replace(match, games=(replace(game, entries=turns),)), lawful, unlawful


def unconfirmed(match: MatchRecord) -> list[Turn]:
    return [turn for game in match.games for turn in game.turns if turn.legal is None]


def test_the_mat_file_has_the_likeliest_play_and_a_note_that_says_how_probable_it_is(tmp_path: Path) -> None:
    match, lawful, unlawful = doubtful_match()
    text = mat_text(match)
    assert f"ply {lawful.ply}, {lawful.player} {lawful.roll.high}{lawful.roll.low}: {lawful.text}" in text
    assert text.count("is not confirmed (0.87)") == 2
    assert f"{lawful.roll.high}{lawful.roll.low}: {lawful.text}" in text.split("Game 1\n", 1)[1]
    assert (
        f"ply {unlawful.ply}, {unlawful.player} {unlawful.roll.high}{unlawful.roll.low}: 24/23 ? was"
        not in text
    )
    gnubg_agrees([match], tmp_path)


@pytest.mark.parametrize("form", ["mat", "sgf"])
def test_a_file_that_is_read_again_accuses_nobody_of_what_nobody_confirmed(form: str) -> None:
    match, lawful, unlawful = doubtful_match()
    text = mat_text(match) if form == "mat" else sgf_text(match)
    read = read_mat(text, "a") if form == "mat" else read_sgf(text, "a")
    found = unconfirmed(read)
    assert [(turn.ply, turn.after, turn.reasons, turn.stands, turn.probability) for turn in found] == [
        (turn.ply, turn.after, (), False, 0.87)
        for turn in sorted((lawful, unlawful), key=lambda turn: turn.ply)
    ]
    assert (mat_text(read) if form == "mat" else sgf_text(read)) == text


def test_a_probability_that_is_not_known_is_not_made_up() -> None:
    match, _, _ = doubtful_match()
    (game,) = match.games
    turns = tuple(replace(turn, probability=None) if turn.legal is None else turn for turn in game.turns)
    text = mat_text(replace(match, games=(replace(game, entries=turns),)))
    assert text.count('is not confirmed"]') == 2
    assert [turn.probability for turn in unconfirmed(read_mat(text, "a"))] == [None, None]


def test_ogxm_flags_no_turn_as_illegal_that_nobody_confirmed() -> None:
    match, _, unlawful = doubtful_match()
    for legal, flags in ((None, 0), (False, 1)):
        turns = [
            replace(turn, legal=legal, stands=True) if turn.ply == unlawful.ply else turn
            for turn in match.games[0].turns
        ]
        alone = replace(match, games=(replace(match.games[0], entries=tuple(turns[: unlawful.ply + 1])),))
        before = sum(turn.legal is False for turn in turns[: unlawful.ply])
        plies = plain_document(alone)["games"][0]["plies"]
        assert sum("illegal" in ply for ply in plies) == before + flags


def test_sheet_and_transcript_mark_it_and_call_nobody_illegal() -> None:
    match, _, _ = doubtful_match()
    others = sum(turn.legal is False for turn in match.games[0].played)
    assert transcript_text(match).count("(not confirmed)") == 2
    assert transcript_text(match).count("ILLEGAL") == others
    assert scoresheet(match).count("(not confirmed)") == 2
    assert scoresheet(match).count("(illegal)") == others


def test_the_rules_object_to_it_as_not_confirmed_where_it_is_no_play_and_else_not_at_all() -> None:
    match, lawful, unlawful = doubtful_match()
    found = {objection.ply: objection for objection in objections(match)}
    assert lawful.ply not in found
    assert (found[unlawful.ply].fault, found[unlawful.ply].reasons) == ("unconfirmed", ())
    assert "not confirmed" in found[unlawful.ply].text


def test_other_rules_do_not_judge_what_nobody_confirmed() -> None:
    match, _, _ = doubtful_match()
    assert unconfirmed(rejudge(match, load_profile("standard-match"))) == unconfirmed(match)
