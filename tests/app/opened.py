"""Desks for tests: a match in a folder, played by scripted players."""

from collections.abc import Callable

from controller.app.desk import Desk
from controller.record.evidence.store import EvidenceStore
from controller.record.evidence.turn_pictures import PictureRecorder
from controller.record.journal.journal import EventLog
from controller.record.match.match_log import MatchLog
from controller.record.table.table_log import TableLog
from controller.referee.actions import Action, Phase
from controller.referee.events import Event
from controller.referee.table.settings import Settings
from controller.referee.table.state import Table
from controller.rules.game.match import Terms
from controller.rules.profile.profile import STANDARD
from tests.app.playing import Players

UTC = "2026-11-21T12:00:00+00:00"
NAME = "1"
FIVE = Settings(Terms.match(STANDARD, 5))


def book_in(journal: EventLog, store: EvidenceStore | None = None) -> TableLog:
    """The record of a match in a journal, and its pictures in a store, if they are kept."""
    return TableLog(PictureRecorder(MatchLog(journal, NAME, lambda: UTC), store))


def play(
    desk: Desk,
    players: Players,
    most: int | None = None,
    tell: Callable[[Event, tuple[Action, ...]], None] = lambda _, __: None,
) -> None:
    """Play on until the match is over, or for so many inputs."""
    done = 0
    while desk.table.phase is not Phase.MATCH_OVER and (most is None or done < most):
        for event in players.next(desk.table):
            tell(event, desk.put(event))
            done += 1


def standing(table: Table) -> tuple[object, ...]:
    """What must be the same after the program was interrupted."""
    game = table.match.game
    return (
        table.phase,
        table.back,
        table.match.game.position,
        table.match.score,
        table.match.crawford,
        table.match.winner,
        table.match.number,
        game.cube,
        game.offer,
        game.resignation,
        game.dice,
        table.on_turn,
        table.ply,
        table.target,
        table.thrown and (table.thrown.side, table.thrown.roll, table.thrown.t, table.thrown.dice),
        table.ended and (table.ended.turn, table.ended.sure, table.ended.open),
        table.flagged,
        table.early,
        table.hint,
        table.consent,
    )
