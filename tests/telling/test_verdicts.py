"""A wrong play is explained in the player's language, with the way back."""

import re
from dataclasses import replace

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.referee.actions import TurnJudged
from controller.referee.belief.steps import change_text
from controller.rules.judging.judge import judge
from controller.rules.notation import format_play, parse_play
from controller.rules.position import START, Position, Roll, Side
from controller.telling.table import played_words, verdict_text
from controller.telling.transcript import transcript_line
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
POINT = Position.from_compact("b...BD.B...eE...c.e....B..")
TWO_PIPS = Position.from_compact("b..AAD.B...eE...c.e....B..")
OPENED = Position.from_compact("b....E.C...eE...c.e...AA..")


def turn(before: Position, after: Position, side: Side, roll: Roll, stands: bool = False) -> TurnJudged:
    verdict = judge(before, side, roll, after)
    text = format_play(verdict.play) if verdict.play is not None else change_text(before, after, side, roll)
    instead = None if verdict.legal else parse_play("8/5 6/5")
    legal = verdict.legal
    return TurnJudged(
        0, side, roll, verdict.play, text, legal, verdict.reasons, (), instead, stands, before, after, 1, 2.0
    )


@each_row("language", LANGUAGES)
@each_row("side", [LIGHT, DARK])
def test_a_legal_play_is_told_as_its_player_writes_it(language: str, side: Side) -> None:
    before, after = (START, POINT) if side is LIGHT else (START.mirrored(), POINT.mirrored())
    assert "3-1: 8/5 6/5" in verdict_text(turn(before, after, side, Roll(3, 1)), language)


@each_row("language", LANGUAGES)
@each_row("side", [LIGHT, DARK])
def test_an_illegal_play_is_told_with_reason_example_and_way_back(language: str, side: Side) -> None:
    before, after = (START, OPENED) if side is LIGHT else (START.mirrored(), OPENED.mirrored())
    told = verdict_text(turn(before, after, side, Roll(3, 1)), language, back=True)
    assert "24/23 24/21" in told
    assert "23 → 24" in told
    assert re.search(r"\b3\b", told)


@each_row("language", LANGUAGES)
@each_row("side", [LIGHT, DARK])
def test_a_hit_is_taken_back_with_both_checkers(language: str, side: Side) -> None:
    before = Position.from_compact("b....E.C.a.dE...c.e....B..")
    after = Position.from_compact("b....E.C.A.dD...c.e....B.a")
    if side is DARK:
        before, after = before.mirrored(), after.mirrored()
    told = verdict_text(turn(before, after, side, Roll(5, 1)), language, back=True)
    assert "8/5 6/5" in told
    assert "10 → 13" in told
    assert re.search(r"→ 10\.|→ 10$", told)


def _dancing() -> Position:
    """Light is on the bar against a closed board."""
    return Position.from_counts([14, *[0] * 17, *[-2] * 6], bar_light=1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_verdict_has_no_hole_where_nothing_was_moved_or_it_cannot_be_written(language: str) -> None:
    nothing = turn(START, START, LIGHT, Roll(6, 4))
    pinned = replace(nothing, after=OPENED, text="")
    for wrong in (nothing, pinned):
        told = verdict_text(wrong, language, back=True)
        assert "6-4:  " not in told
        assert "  " not in told
        assert ": ." not in told
        assert ": ." not in transcript_line(wrong, language)
        assert "6-4    " not in transcript_line(wrong, language)
    assert "24/23" not in verdict_text(pinned, language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_dance_is_told_in_the_players_language_and_nothing_else_is_called_one(language: str) -> None:
    before = _dancing()
    dance = turn(before, before, LIGHT, Roll(6, 4))
    words = catalogue(language).text("play", "dance")
    assert dance.legal
    assert dance.text == "Cannot Move"
    assert played_words(dance, language) == words
    assert words in transcript_line(dance, language)
    assert "Cannot Move" not in verdict_text(dance, language) + transcript_line(dance, language)
    nothing = turn(START, START, LIGHT, Roll(6, 4))
    others = {
        played_words(replace(nothing, text=text, after=after), language)
        for text in ("", "Cannot Move")
        for after in (START, OPENED)
    }
    assert len(others) == 2
    assert words not in others


@pytest.mark.parametrize("language", LANGUAGES)
def test_names_take_the_place_of_the_colours(language: str) -> None:
    told = verdict_text(turn(START, POINT, LIGHT, Roll(3, 1)), language, {LIGHT: "Kati"})
    assert told.startswith("Kati, 3-1")


@each_row("language", LANGUAGES)
@each_row("stands", [False, True])
def test_a_line_of_the_transcript_exists_in_every_language(language: str, stands: bool) -> None:
    line = transcript_line(turn(START, OPENED, LIGHT, Roll(3, 1), stands), language)
    assert line.startswith("   0  ")
    assert "24/23" in line
    assert "24/23 24/21" in line
    assert "8/5 6/5" not in line


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_legal_play_is_told_where_no_broken_rule_names_one(language: str) -> None:
    wrong = turn(START, TWO_PIPS, LIGHT, Roll(3, 1))
    assert "8/5 6/5" in transcript_line(wrong, language)
    assert "8/5 6/5" in verdict_text(wrong, language)


def test_the_transcript_is_english_unless_another_language_is_asked_for() -> None:
    line = transcript_line(turn(START, OPENED, LIGHT, Roll(3, 1)))
    assert line.startswith(
        "   0  Light  3-1  24/23  ILLEGAL, corrected: Only 1 of the 2 playable numbers was used"
    )
    assert line.endswith("A legal play is 24/23 24/21.")


@each_row("language", LANGUAGES)
@each_row("side", [LIGHT, DARK])
def test_a_turn_that_nobody_confirmed_is_told_as_likeliest_in_words_and_accuses_nobody(
    language: str, side: Side
) -> None:
    before, after = (START, OPENED) if side is LIGHT else (START.mirrored(), OPENED.mirrored())
    wrong = turn(before, after, side, Roll(3, 1))
    unconfirmed = replace(wrong, legal=None, reasons=(), instead=None, probability=0.61)
    marked = catalogue(language).text("play", "unconfirmed", play="24/23")
    assert played_words(unconfirmed, language) == marked
    told = verdict_text(unconfirmed, language, back=True)
    assert told.endswith(f"3-1: {marked}.")
    line = transcript_line(unconfirmed, language)
    assert line.endswith(marked)
    assert "61" not in told + line


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_is_said_to_have_danced_or_not_as_long_as_nobody_confirmed_it(language: str) -> None:
    nothing = replace(
        turn(START, START, LIGHT, Roll(6, 4)), legal=None, text="Cannot Move", reasons=(), instead=None
    )
    words = catalogue(language).text("play", "nothing")
    assert played_words(nothing, language) == catalogue(language).text("play", "unconfirmed", play=words)
