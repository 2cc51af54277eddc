"""A game that went on as the director ruled is in order in every match file that it is written to."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from controller.record.files.mat import mat_text, read_mat
from controller.record.files.match_text import MatchFileError
from controller.record.files.sgf import read_sgf, sgf_text
from controller.record.match.match import RULED, Act, Entry, GameRecord, MatchRecord, Note, Turn
from controller.record.match.playthrough import objections
from controller.rules.game.events import Doubled, Rolled, Taken
from controller.rules.moves.plays import legal_plays
from controller.rules.position import Position, Roll, Side
from tests.record.gnubg import complaints, import_all
from tests.record.matches import played, random_game, random_roll, terms_of

OTHER_BOARD = Position.from_compact("A.c.bBBB..a.AaaC..bAb.BaAa")
FORMS = {"mat": (mat_text, read_mat), "sgf": (sgf_text, read_sgf)}
FORM = pytest.mark.parametrize("form", FORMS)
Acts = Callable[[Side], list[Entry]]


def ruled_game(
    seed: int,
    *,
    same_side: bool,
    board: Position | None = None,
    left: Roll | None = None,
    after: Acts = lambda _: [],
) -> MatchRecord:
    """Some turns, perhaps a roll that is not played, a ruling, and turns from the board that was ruled."""
    rng = random.Random(seed)
    entries: list[Entry] = [*random_game(rng, longest=7).turns]
    last = entries[-1]
    assert isinstance(last, Turn)
    if left is not None:
        entries.append(Act(Rolled(last.player.opponent, left), 7.0))
    side = last.player if same_side else last.player.opponent
    board = board or last.after
    entries.append(Note(RULED, None, 8.0, {"side": str(side), "position": board.compact()}))
    entries += after(side)
    for ply in range(last.ply + 1, last.ply + 6):
        roll = random_roll(rng)
        turn = played(ply, side, roll, board, rng.choice(legal_plays(board, side, roll)))
        entries.append(turn)
        side, board = side.opponent, turn.after
    return MatchRecord("Anna", "Bela", terms_of(7), (GameRecord(tuple(entries)),))


def doubled(side: Side) -> list[Entry]:
    return [Act(Doubled(side)), Act(Taken(side.opponent))]


GAMES = {
    "the same side again": ruled_game(1, same_side=True),
    "another board": ruled_game(2, same_side=False, board=OTHER_BOARD),
    "both": ruled_game(3, same_side=True, board=OTHER_BOARD),
    "after a roll": ruled_game(4, same_side=True, left=Roll.from_dice(6, 5)),
    "before a double": ruled_game(5, same_side=True, board=OTHER_BOARD, after=doubled),
}


@FORM
@pytest.mark.parametrize("game", GAMES)
def test_a_game_goes_on_as_it_was_ruled_in_a_file_that_is_read_again(form: str, game: str) -> None:
    write, read = FORMS[form]
    record = GAMES[game]
    assert list(objections(record)) == []
    text = write(record)
    again = read(text, f"x.{form}")
    assert list(objections(again)) == []
    assert [(turn.player, turn.before, turn.after, turn.legal) for turn in again.games[0].turns] == [
        (turn.player, turn.before, turn.after, True) for turn in record.games[0].turns
    ]
    assert write(again) == text


def test_gnubg_reads_such_games_without_a_word(tmp_path: Path) -> None:
    said, understood = import_all([mat_text(record) for record in GAMES.values()], tmp_path)
    assert complaints(said) == []
    for record, other in zip(GAMES.values(), understood, strict=True):
        assert [board.compact() for board in other.games[0].boards] == [
            turn.after.compact() for turn in record.games[0].turns
        ]


@FORM
def test_a_side_that_plays_twice_without_a_ruling_is_still_told(form: str) -> None:
    write, read = FORMS[form]
    record = GAMES["the same side again"]
    course = tuple(entry for entry in record.games[0].entries if not isinstance(entry, Note))
    twice = replace(record, games=(GameRecord(course),))
    (told,) = objections(read(write(twice), f"x.{form}"))
    assert told.text.endswith("turn is missing.")


@FORM
def test_a_ruling_on_a_board_that_is_none_is_told_in_a_sentence(form: str) -> None:
    write, read = FORMS[form]
    text = write(GAMES["another board"]).replace(OTHER_BOARD.compact(), "zzz")
    with pytest.raises(MatchFileError):
        read(text, f"x.{form}")
