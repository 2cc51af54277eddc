"""A process that plays a match until it is killed."""

from multiprocessing.connection import Connection
from pathlib import Path
from random import Random

from controller.app.desk import Desk
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import NAME
from controller.referee.actions import Action, Phase
from controller.referee.events import Event, Resumed
from tests.app.opened import FIVE, book_in, play, standing
from tests.app.playing import Players


def play_until_killed(folder: Path, seed: int, told: Connection) -> None:
    """Go on with the match in the folder, or begin one; tell how it stands after everything that happened.

    What is told is the number of the last event of the journal and what must be the same afterwards.
    """
    with Journal(folder / "journal.db") as journal:
        book = book_in(journal)
        if NAME in journal.matches():
            desk = Desk.resume(book)
            desk.put(Resumed(desk.table.t))
        else:
            desk = Desk.open(FIVE, book)
        board = desk.table.position if desk.table.flagged is None else desk.table.flagged.after
        players = Players(Random(seed), t=desk.table.t, board=board, resigns=0.03, doubles=0.08)

        def tell(_: Event, __: tuple[Action, ...]) -> None:
            told.send((journal.head()[0], repr(standing(desk.table)), desk.table.phase is Phase.MATCH_OVER))

        play(desk, players, tell=tell)
        told.close()
