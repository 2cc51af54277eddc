"""Matches in the whole family of games: what files keep of them, what they refuse, and who may judge them."""

from pathlib import Path

import pytest

from controller.analysis.engine import EngineError, check_turns
from controller.errors import UserError
from controller.record import Journal
from controller.record.files.foreign import rejudge
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.match_text import MatchFileError
from controller.record.files.transcript import transcript_text
from controller.record.match.match import Facts, GameRecord, MatchRecord, RecordedResult
from controller.record.match.match_log import MatchLog, read_match
from controller.record.match.playthrough import RecordFault, objections
from controller.rules import Ending, Side, Terms, load_profile
from tests.record.family_matches import FAMILY, FOREIGN, family_match
from tests.record.gnubg import complaints, import_all
from tests.rows import each_row

NOW = "2026-11-22T20:00:00Z"


def boards(match: MatchRecord) -> list[list[str]]:
    return [[turn.after.compact() for turn in game.played] for game in match.games]


def points(match: MatchRecord) -> list[int | None]:
    return [None if game.result is None else game.result.points for game in match.games]


@each_row("name", FAMILY)
def test_a_match_of_any_game_keeps_its_boards_in_mat_and_json(name: str) -> None:
    played = family_match(3, name, illegal=0.1)
    for form in (Format.MAT, Format.JSON):
        read = read_match_file(format_match(played, form), name)
        assert (boards(read), points(read)) == (boards(played), points(played)), form
        assert read.profile(0) == played.profile(0)


@pytest.mark.parametrize("name", FOREIGN)
def test_a_journal_keeps_pins_hands_and_named_doubles(name: str, tmp_path: Path) -> None:
    played = family_match(1, name, illegal=0.1)
    with Journal(tmp_path / "journal.db") as journal:
        MatchLog(journal, "m", lambda: NOW).write(played)
        read = read_match(journal, "m")
    assert read.games == played.games
    assert {objection.fault for objection in objections(read)} <= {RecordFault.ILLEGAL_PLAY}


CLUB_FEVGA = """
inherits = "fevga"
[stated]
move.prime_limit = "one_ahead"
move.head_limit = 1
"""


def test_rules_of_a_club_for_a_game_that_nobody_knows_are_read_as_that_game_and_judged_by_their_file(
    tmp_path: Path,
) -> None:
    """A `.mat` file has only the name of the rules; `json` has them all."""
    club = tmp_path / "club-fevga.toml"
    club.write_text(CLUB_FEVGA)
    played = family_match(3, str(club))
    read = read_match_file(format_match(played, Format.MAT), "club")
    assert boards(read) == boards(played)
    assert (read.profile(0).name, read.profile(0).movement) == ("club-fevga", load_profile("fevga").movement)
    assert not list(objections(rejudge(read, load_profile(club))))
    whole = read_match_file(format_match(played, Format.JSON), "club")
    assert whole.profile(0).movement == load_profile(club).movement


def test_rules_of_a_club_in_a_series_whose_game_the_file_does_not_tell_are_refused(tmp_path: Path) -> None:
    club = tmp_path / "club-fevga.toml"
    club.write_text(CLUB_FEVGA)
    terms = Terms.series(5, *map(load_profile, ("portes", "plakoto", "fevga", str(club))))
    text = format_match(MatchRecord("Anna", "Béla", terms, ()), Format.MAT)
    with pytest.raises(MatchFileError, match="which of the games Backgammon, Plakoto, Fevga"):
        read_match_file(text, "series")


@each_row("name", [*FOREIGN, "hypergammon"])
def test_no_engine_is_asked_about_a_game_that_none_plays(name: str) -> None:
    with pytest.raises(EngineError, match="nothing that it could say"):
        check_turns(family_match(1, name))


def test_the_event_of_a_match_stands_in_its_transcript() -> None:
    facts = Facts(event="Budapest Open")
    played = MatchRecord("Anna", "Béla", family_match(1, "portes", games=0).terms, (), facts)
    assert "\nEvent: Budapest Open\n" in transcript_text(played)


def test_tavli_is_written_and_read_as_a_series_of_its_three_games() -> None:
    played = family_match(5, "portes", "plakoto", "fevga", games=3)
    text = format_match(played, Format.MAT)
    read = read_match_file(text, "tavli")
    assert boards(read) == boards(played)
    assert b"No other program knows plakoto and fevga" in text


@each_row("name", FOREIGN)
@each_row("form", [Format.SGF, Format.SNOWIE, Format.OGXM])
def test_forms_made_of_backgammon_positions_refuse_games_that_nobody_knows(name: str, form: Format) -> None:
    played = MatchRecord("Anna", "Béla", family_match(1, name, games=0).terms)
    with pytest.raises(MatchFileError, match="choose the format json"):
        format_match(played, form)


@each_row("name", FOREIGN)
def test_no_match_is_judged_by_the_rules_of_another_game(name: str) -> None:
    played = family_match(1, name, games=0)
    played = MatchRecord("Anna", "Béla", played.terms, (GameRecord(()),))
    with pytest.raises(UserError, match="cannot judge it"):
        rejudge(played, load_profile("standard-match"))


def test_an_illegal_play_of_a_game_is_found_by_its_own_rules() -> None:
    """Two checkers off the head of narde in one turn: backgammon would see nothing wrong."""
    played = family_match(2, "narde", illegal=1.0)
    wrong = [turn for game in played.games for turn in game.turns if not turn.legal]
    found = [each for each in objections(played) if each.fault is RecordFault.ILLEGAL_PLAY]
    assert len(found) == len(wrong) > 0


def test_a_drawn_game_scores_nothing_and_is_read_again() -> None:
    played = next(
        match
        for match in (family_match(seed, "plakoto") for seed in range(200))
        if match.games[0].result is not None and match.games[0].result.is_drawn
    )
    assert not list(objections(played))
    assert b"drawn, no points" in format_match(played, Format.TEXT)
    read = read_match_file(format_match(played, Format.MAT), "drawn")
    assert read.games[0].result == RecordedResult(
        Side(played.games[0].result.winner), 0, Ending.DRAWN, "drawn, no points"
    )


@pytest.mark.parametrize(("form", "command"), [(Format.MAT, "import mat"), (Format.SGF, "load match")])
def test_gnubg_reads_the_games_that_differ_in_their_start(form: Format, command: str, tmp_path: Path) -> None:
    played = [family_match(4, name) for name in ("nackgammon", "hypergammon", "longgammon", "portes")]
    said, found = import_all([format_match(each, form).decode() for each in played], tmp_path, command)
    assert complaints(said) == []
    for ours, theirs in zip(played, found, strict=True):
        assert set(boards(ours)[0]) <= {board.compact() for board in theirs.games[0].boards}
