"""What the director decreed or corrected, in files that are read again: nobody resigned, nobody played illegally."""

import random
from collections.abc import Callable
from dataclasses import replace

import pytest

from controller.record.files.builder import all_remarks
from controller.record.files.mat import mat_text, read_mat
from controller.record.files.sgf import read_sgf, sgf_text
from controller.record.match.match import (
    PASSES,
    RULED,
    Act,
    Entry,
    GameRecord,
    MatchRecord,
    Note,
    RecordedResult,
    Turn,
)
from controller.record.match.playthrough import RecordFault, objections
from controller.rules.game.events import (
    GameAwarded,
    MatchForfeited,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    RulesEvent,
)
from controller.rules.game.scoring import Ending
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from tests.record.files.test_unconfirmed import doubted
from tests.record.matches import played, random_game, random_match, terms_of

Form = tuple[Callable[[MatchRecord], str], Callable[[str, str], MatchRecord]]
FORMS = {"mat": (mat_text, read_mat), "sgf": (sgf_text, read_sgf)}
CLOSED = Position.from_compact("BBBBBBC...........dddb...a")
"""Dark has a checker on the bar, and no number brings it in."""


@pytest.fixture(params=FORMS)
def form(request: pytest.FixtureRequest) -> Form:
    return FORMS[request.param]


def again(form: Form, match: MatchRecord) -> MatchRecord:
    """The match as it comes back from a file; writing it once more gives the same file."""
    write, read = form
    text = write(match)
    found = read(text, "x")
    assert write(found) == text
    return found


def ended(seed: int, *events: RulesEvent, result: RecordedResult | None = None) -> MatchRecord:
    """The first turns of a match to 3, and what ended it."""
    turns: list[Entry] = [*random_game(random.Random(seed), longest=6).turns]
    return MatchRecord(
        "Anna",
        "Bela",
        terms_of(3),
        (GameRecord((*turns, *map(Act, events)), result=result),),
    )


def acts(match: MatchRecord) -> list[RulesEvent]:
    return [entry.event for entry in match.games[0].entries if isinstance(entry, Act)]


@pytest.mark.parametrize("points", [1, 2, 5, 6])
@pytest.mark.parametrize("winner", Side)
def test_a_game_that_was_awarded_comes_back_as_awarded_with_its_points(
    form: Form, winner: Side, points: int
) -> None:
    award = GameAwarded(winner, points)
    result = RecordedResult(winner, points, Ending.AWARDED, f"awarded for {points} points")
    found = again(form, ended(1, award, result=result))
    assert acts(found) == [award]
    assert found.games[0].result is not None
    assert (found.games[0].result.winner, found.games[0].result.points) == (winner, points)


def test_a_match_that_was_forfeited_comes_back_as_forfeited(form: Form) -> None:
    forfeit = MatchForfeited(Side.DARK)
    found = again(form, ended(2, forfeit))
    assert acts(found) == [forfeit]
    assert found.games[0].result is None


def test_a_result_that_only_the_director_gave_comes_back_as_an_award_and_no_resignation(form: Form) -> None:
    found = again(form, ended(3, result=RecordedResult(Side.LIGHT, 2)))
    assert acts(found) == [GameAwarded(Side.LIGHT, 2)]


def test_two_resignations_for_as_much_that_were_refused_before_one_turn_stay_two(form: Form) -> None:
    refused = (Resigned(Side.DARK, 1), ResignationRefused(Side.LIGHT))
    accepted = (Resigned(Side.DARK, 2), ResignationAccepted(Side.LIGHT))
    match = ended(4, *refused, *refused, *accepted, result=RecordedResult(Side.LIGHT, 2))
    assert form[0](match).count("refused a resignation for 1") == 2
    again(form, match)


def test_other_remarks_that_are_told_twice_are_kept_once() -> None:
    assert all_remarks(["Rain", "Rain", "Game 1, ply 3: x", "Game 1, ply 3: x"], ()) == (
        "Rain",
        "Game 1, ply 3: x",
        "Game 1, ply 3: x",
    )


def corrected_match() -> tuple[MatchRecord, Turn]:
    """A match in which the director put another play where later turns are; and the turn that follows it."""
    match = random_match(1, games=1)
    (game,) = match.games
    turns = list(game.turns)
    for at in range(4, len(turns) - 1):
        turn = turns[at]
        others = [
            play for play in legal_plays(turn.before, turn.player, turn.roll) if play.after != turn.after
        ]
        if others:
            turns[at] = played(turn.ply, turn.player, turn.roll, turn.before, others[0])
            return replace(match, games=(replace(game, entries=tuple(turns)),)), turns[at + 1]
    raise AssertionError("no turn had a choice")


def test_the_turn_after_a_play_that_was_corrected_is_not_read_as_illegal(form: Form) -> None:
    match, after = corrected_match()
    found = again(form, match)
    (same,) = (turn for turn in found.games[0].turns if turn.ply == after.ply)
    assert (same.legal, same.before, same.after) == (True, after.before, after.after)
    assert [each.fault for each in objections(found)] == [each.fault for each in objections(match)]
    assert {each.fault for each in objections(found)} == {RecordFault.GAP}


def test_a_board_that_a_remark_has_a_turn_begin_from_must_be_one() -> None:
    match, after = corrected_match()
    text = mat_text(match)
    assert after.before.compact() in text
    with pytest.raises(Exception, match="the note about the start of the game is wrong"):
        read_mat(text.replace(after.before.compact(), "zzz"), "x")


def passing_match() -> tuple[MatchRecord, Turn]:
    """Dark is closed out and leaves a turn without rolling; the turn after it is not confirmed."""
    entries: list[Entry] = []
    board, roll = CLOSED, Roll.from_dice(2, 1)
    for ply, side in enumerate((Side.LIGHT, Side.DARK, Side.LIGHT, Side.DARK)):
        if ply == 1:
            entries.append(
                Note(PASSES, None, None, {"ply": 1, "player": "dark", "position": board.compact()})
            )
        else:
            turn = played(ply, side, roll, board, legal_plays(board, side, roll)[0])
            entries.append(doubted(turn) if ply == 2 else turn)
            board = turn.after
    (doubtful,) = (entry for entry in entries if isinstance(entry, Turn) and entry.legal is None)
    return MatchRecord("Anna", "Bela", terms_of(5), (GameRecord(tuple(entries), CLOSED),)), doubtful


def test_a_turn_that_was_left_without_rolling_comes_back_and_moves_no_doubt_to_another_turn(
    form: Form,
) -> None:
    match, doubtful = passing_match()
    found = again(form, match)
    assert [entry.kind for entry in found.games[0].entries if isinstance(entry, Note)] == [PASSES]
    assert [turn.ply for turn in found.games[0].turns] == [turn.ply for turn in match.games[0].turns]
    assert [turn.ply for turn in found.games[0].turns if turn.legal is None] == [doubtful.ply]
    assert not list(objections(found))


def test_a_board_that_was_ruled_before_the_first_turn_is_not_where_the_game_began(form: Form) -> None:
    board = Position.from_compact("A.c.bBBB..a.AaaC..bAb.BaAa")
    roll = Roll.from_dice(3, 1)
    turn = played(0, Side.DARK, roll, board, legal_plays(board, Side.DARK, roll)[0])
    ruled = Note(RULED, None, 1.0, {"side": "dark", "position": board.compact()})
    match = MatchRecord("Anna", "Bela", terms_of(5), (GameRecord((ruled, turn)),))
    found = again(form, match)
    assert found.games[0].start == START
    assert not list(objections(found))
