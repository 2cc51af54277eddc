"""`.mat` files, judged by the real gnubg: it says nothing, and it sees every board as we do."""

import dataclasses
import random
import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from controller.record.files.mat import mat_text
from controller.record.files.match_text import mat_name, mat_names
from controller.record.match.match import Facts, GameRecord, MatchRecord, RecordedResult
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play
from controller.rules.position import START, Position, Roll, Side
from tests.record.gnubg import GnubgMatch, complaints, import_all
from tests.record.matches import misplayed, played, random_game, random_match, terms_of


def gnubg_agrees(matches: list[MatchRecord], folder: Path) -> list[GnubgMatch]:
    said, understood = import_all([mat_text(match) for match in matches], folder)
    assert complaints(said) == []
    assert len(understood) == len(matches)
    for match, other in zip(matches, understood, strict=True):
        assert len(other.games) == len(match.games)
        for game, theirs in zip(match.games, other.games, strict=True):
            assert [board.compact() for board in theirs.boards] == [
                turn.after.compact() for turn in game.played
            ]
            assert theirs.score == (game.light_score, game.dark_score)
            assert theirs.winner == (game.result.winner if game.result else None)
            if match.length or not game.result:  # in money play gnubg counts by the Jacoby rule
                assert theirs.points == (game.result.points if game.result else None)
    return understood


def one_game(game: GameRecord, light: str = "Anna", dark: str = "Bela", length: int = 0) -> MatchRecord:
    return MatchRecord(light, dark, terms_of(length), (game,), Facts(date(2026, 11, 21)))


def test_gnubg_reads_every_turn_of_legal_matches(tmp_path: Path) -> None:
    matches = [random_match(seed, games=2) for seed in range(12)]
    texts = "".join(map(mat_text, matches))
    for feature in ("Cannot Move", "bar/", "*", "/off", "(2)", "Wins 1 point\n", "Wins 2 points"):
        assert feature in texts
    gnubg_agrees(matches, tmp_path)


def test_gnubg_reads_a_match_to_its_length(tmp_path: Path) -> None:
    matches = [random_match(seed, games=9, length=5) for seed in (1, 2)]
    assert all(len(match.games) >= 2 for match in matches)
    gnubg_agrees(matches, tmp_path)


def test_gnubg_reads_illegal_plays_that_stand(tmp_path: Path) -> None:
    matches = [random_match(seed, games=2, length=seed % 2 * 7, illegal=0.12) for seed in range(10)]
    played_turns = [turn for match in matches for game in match.games for turn in game.played]
    illegal = [turn for turn in played_turns if not turn.legal]
    assert {turn.player for turn in illegal} == set(Side)
    for side in Side:
        assert any(turn.after.bar(side) and not turn.after.bar(side.opponent) for turn in illegal)
        assert any(turn.after.off(side) for turn in illegal)
    gnubg_agrees(matches, tmp_path)


def test_a_play_that_was_put_right_is_a_remark_and_only_the_right_one_is_in_the_columns(
    tmp_path: Path,
) -> None:
    matches = [random_match(seed, games=1, corrected=0.1) for seed in range(6)]
    gnubg_agrees(matches, tmp_path)
    for match in matches:
        corrected = sum(not turn.counts for turn in match.games[0].turns)
        text = mat_text(match)
        assert corrected
        assert text.count("was put right") == corrected
        assert "Illegal play" not in text


def test_gnubg_reads_games_that_were_broken_off_anywhere(tmp_path: Path) -> None:
    rng = random.Random(5)
    matches = [one_game(random_game(rng, longest=turns, illegal=0.2)) for turns in (1, 1, 2, 2, 3, 4, 7, 30)]
    assert {match.games[0].turns[0].player for match in matches} == set(Side)
    gnubg_agrees(matches, tmp_path)


def test_gnubg_reads_the_next_game_after_one_that_was_broken_off(tmp_path: Path) -> None:
    rng = random.Random(8)
    games = tuple(random_game(rng, longest=11) for _ in range(3))
    gnubg_agrees([MatchRecord("A", "B", games=games)], tmp_path)


def test_a_match_without_turns_is_read(tmp_path: Path) -> None:
    gnubg_agrees([one_game(GameRecord(()))], tmp_path)


@pytest.mark.parametrize("winner", list(Side))
def test_gnubg_takes_a_game_that_was_resigned(tmp_path: Path, winner: Side) -> None:
    rng = random.Random(3)
    games = [
        dataclasses.replace(random_game(rng, longest=longest), result=RecordedResult(winner, points))
        for longest, points in ((9, 1), (10, 2), (11, 3), (12, 1))
    ]
    gnubg_agrees([one_game(game) for game in games], tmp_path)


def test_a_film_that_begins_in_the_middle_is_read(tmp_path: Path) -> None:
    start = Position.from_compact("A.c.bBBB..a.AaaC..bAb.BaAa")
    rng = random.Random(4)
    games = [random_game(rng, start=start, longest=9) for _ in range(4)]
    gnubg_agrees([one_game(game) for game in games], tmp_path)
    assert f"the game begins at {start.compact()}" in mat_text(one_game(games[0]))


def test_turns_that_were_not_seen_leave_an_empty_column(tmp_path: Path) -> None:
    rng = random.Random(6)
    whole = random_game(rng, longest=20)
    for gap in (slice(3, 4), slice(4, 5), slice(5, 7), slice(0, 1), slice(18, 20)):
        turns = [turn for turn in whole.turns if turn not in whole.turns[gap]]
        gnubg_agrees([one_game(GameRecord(tuple(turns)))], tmp_path)


def test_nothing_moved_by_mistake_is_not_a_dance(tmp_path: Path) -> None:
    turn = misplayed(0, Side.LIGHT, Roll.from_dice(3, 1), START, START, stands=True)
    answer = legal_plays(START, Side.DARK, Roll.from_dice(6, 4))[0]
    game = GameRecord((turn, played(1, Side.DARK, Roll.from_dice(6, 4), START, answer)))
    text = mat_text(one_game(game))
    assert "Cannot Move" not in text
    gnubg_agrees([one_game(game)], tmp_path)


def test_a_board_with_a_checker_too_many_is_left_out_and_the_game_goes_on(tmp_path: Path) -> None:
    crowded = Position.seen_compact("b....E.C...eE...c.e....C..")
    roll = Roll.from_dice(6, 4)
    answer = legal_plays(START, Side.DARK, roll)[0]
    turns = (
        misplayed(0, Side.LIGHT, Roll.from_dice(3, 1), START, crowded, stands=True),
        played(1, Side.DARK, roll, START, answer),
    )
    text = mat_text(one_game(GameRecord(turns)))
    assert "more than fifteen checkers" in text
    assert text.endswith("64: " + format_play(answer.play) + "\n")
    gnubg_agrees([one_game(GameRecord(turns[1:]))], tmp_path)
    said, [understood] = import_all([text], tmp_path)
    assert complaints(said) == []
    assert understood.games[0].boards == (answer.after,)


def test_a_hit_on_the_way_is_written_as_two_moves(tmp_path: Path) -> None:
    before = Position.from_compact("b....E.C...eE...c.d...aB..")
    opening = misplayed(0, Side.DARK, Roll.from_dice(2, 1), START, before, stands=True)
    roll = Roll.from_dice(5, 1)
    [hitting] = [
        play
        for play in legal_plays(before, Side.LIGHT, roll)
        if play.after.bar(Side.DARK) and play.after.checkers(Side.LIGHT, 18)
    ]
    game = GameRecord((opening, played(1, Side.LIGHT, roll, before, hitting)))
    assert "24/23* 23/18" in mat_text(one_game(game))
    gnubg_agrees([one_game(game)], tmp_path)


NAMES = [
    ("Kovács Béla", "Šimečková: Žofia"),
    ("Anna; (1)", "Anna (1)"),
    ("", ""),
    ("\u4e2d\u6587", "\u05d0\u05d1"),
    ("Game 1", "5 point match"),
    ("the Game 2", "Cannot Move"),
    ("Wins 3 points", "Doubles => 2"),
    ("x" * 80, "x" * 80),
    ("  two   blanks ", "tab\tand\nline"),
    ("A 0", "7"),
    ("O'Neil-Smith Jr.", '"quoted" [Player 2 "x"]'),
]


def test_gnubg_reads_any_names(tmp_path: Path) -> None:
    rng = random.Random(9)
    matches = [one_game(random_game(rng, longest=8, illegal=0.3), *names, length=3) for names in NAMES]
    understood = gnubg_agrees(matches, tmp_path)
    for (light, dark), match in zip(NAMES, understood, strict=True):
        assert match.names == mat_names(light, dark)


def test_the_true_names_and_the_day_stand_in_the_header() -> None:
    text = mat_text(MatchRecord("Kovács Béla", "\u4e2d\n", terms_of(5), (), Facts(date(2026, 11, 21))))
    assert '; [Player 1 "Kovács Béla"]' in text
    assert '; [Player 2 "\u4e2d"]' in text
    assert '; [EventDate "2026.11.21"]' in text
    assert re.search(r"^ 5 point match$", text, re.MULTILINE)


@given(st.text(), st.text())
def test_names_in_the_columns_are_short_plain_and_different(light: str, dark: str) -> None:
    names = mat_names(light, dark)
    assert names[0].casefold() != names[1].casefold()
    for name in names:
        assert re.fullmatch(r"[A-Za-z0-9.,_' -]{1,31}", name)
        assert "  " not in name
        assert name == name.strip()


@given(st.from_regex(r"[A-Za-z0-9]{1,15} [A-Za-z0-9]{1,15}", fullmatch=True))
def test_a_plain_name_stays_as_it_is(name: str) -> None:
    assume(not re.search(r"game \d", name, re.IGNORECASE))
    assert mat_name(name, "Light") == name
