from dataclasses import replace

import pytest

from controller.record.files.mat import mat_text
from controller.record.match.match import (
    GameRecord,
    MatchRecord,
    RecordedResult,
    RecordError,
)
from controller.rules.game.match import Form, Terms
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Roll, Side
from controller.rules.profile.profile import STANDARD
from tests.record.matches import misplayed, played


def test_a_try_that_was_put_right_does_not_count() -> None:
    roll = Roll.from_dice(3, 1)
    chosen = legal_plays(START, Side.LIGHT, roll)[0]
    wrong = misplayed(0, Side.LIGHT, roll, START, START, stands=False)
    right = played(0, Side.LIGHT, roll, START, chosen)
    game = GameRecord((wrong, right))
    assert list(game.played) == [right]
    assert game.end == chosen.after
    standing = replace(wrong, stands=True)
    assert list(GameRecord((standing,)).played) == [standing]


def test_a_turn_told_anew_takes_the_place_of_the_first() -> None:
    roll = Roll.from_dice(3, 1)
    first, other = legal_plays(START, Side.LIGHT, roll)[:2]
    told = played(0, Side.LIGHT, roll, START, first)
    told_anew = played(0, Side.LIGHT, roll, START, other)
    answer = played(1, Side.DARK, roll, other.after, legal_plays(other.after, Side.DARK, roll)[0])
    game = GameRecord((told, answer, told_anew))
    assert list(game.played) == [told_anew, answer]
    assert game.end == answer.after
    text = mat_text(MatchRecord("", "", games=(game,)))
    assert f"31: {told_anew.text}" in text
    assert "Note" not in text


def test_numbers_that_no_match_has_are_refused() -> None:
    with pytest.raises(RecordError, match="-1 points"):
        MatchRecord("A", "B", Terms(Form.MATCH, -1, (STANDARD,)))
    with pytest.raises(RecordError, match="scores 0"):
        RecordedResult(Side.LIGHT, 0)


def test_names_go_with_their_sides() -> None:
    match = MatchRecord("Anna", "Bela")
    assert (match.name(Side.LIGHT), match.name(Side.DARK)) == ("Anna", "Bela")
