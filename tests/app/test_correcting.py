"""The director puts the record right while play goes on."""

from random import Random

import pytest

from controller.app.desk import Desk
from controller.record.journal.journal import Journal
from controller.record.match.corrections import CorrectionError
from controller.record.match.match_log import read_match
from controller.record.table.resume import LiveMatch
from controller.referee.actions import Phase
from controller.referee.events import GoOn
from tests.amounts import amount
from tests.app.opened import FIVE, NAME, book_in, play, standing
from tests.app.playing import Players


def played_desk(journal: Journal, seed: int, most: int) -> tuple[Desk, Players]:
    desk, players = Desk.open(FIVE, book_in(journal)), Players(Random(seed), resigns=0.0, doubles=0.05)
    play(desk, players, most=most)
    return desk, players


def see_that_the_journal_tells_the_same(desk: Desk) -> None:
    again = LiveMatch.read(desk.book.log.journal, NAME).table()
    assert standing(again) == standing(desk.table)


@pytest.mark.parametrize("most", amount([60, 133], [60, 90, 133, 200]))
def test_another_score_leaves_the_turn_under_way_as_it_was(journal: Journal, most: int) -> None:
    desk, players = played_desk(journal, 3, most)
    before = desk.table
    game = before.match.number
    desk.correct(lambda director: director.change_score(game, 3, 2), before.t, by="director")
    after = desk.table
    assert (after.match.score.light, after.match.score.dark) == (3, 2)
    assert (after.phase, after.ply, after.thrown, after.position) == (
        before.phase,
        before.ply,
        before.thrown,
        before.position,
    )
    see_that_the_journal_tells_the_same(desk)
    play(desk, players, most=150)
    see_that_the_journal_tells_the_same(desk)


def test_a_ply_taken_back_has_the_board_laid_out_as_it_was_before_it(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, amount(150, 400))
    record = read_match(desk.book.log.journal, NAME)
    game = len(record.games)
    played = list(record.games[-1].played)
    assert played
    last = played[-1]
    desk.correct(lambda director: director.undo(game), desk.table.t, by="director")
    assert desk.table.position == last.before
    assert desk.table.ply == last.ply
    assert desk.table.phase is Phase.SET_UP
    see_that_the_journal_tells_the_same(desk)
    desk.put(GoOn(desk.table.t))
    assert desk.table.phase is Phase.TO_ROLL
    assert desk.table.match.game.turn is last.player
    see_that_the_journal_tells_the_same(desk)


def test_what_cannot_be_put_right_changes_nothing(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, 60)
    before = desk.table
    with pytest.raises(CorrectionError, match="ply 900"):
        desk.correct(lambda director: director.undo(1, 900), before.t)
    assert desk.table is before


def test_a_correction_names_who_made_it(journal: Journal) -> None:
    desk, _ = played_desk(journal, 5, 60)
    desk.correct(lambda director: director.change_score(1, 1, 0), desk.table.t, by="director", command="c1")
    last = [event for event in desk.book.log.journal.events(NAME) if event.kind == "input"][-1]
    assert (last.payload["input"], last.payload["by"], last.payload["command"]) == (
        "corrected",
        "director",
        "c1",
    )
