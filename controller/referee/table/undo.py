"""The last turn taken back: both players agree to that, or the director says so; of learners one is enough."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import Cause, DiceVoid, Message, Phase, TurnUndone
from controller.referee.events import DIRECTOR
from controller.referee.table.elsewhere import ask_other_table
from controller.referee.table.smoothing import game_before
from controller.referee.table.state import Answer, Closing, Thrown, conduct_of
from controller.rules import Side

UNDOABLE: Final = frozenset({Phase.TO_ROLL, Phase.MOVING})
"""While the next roll is awaited or played. Before that the turn is not over, and an offer is answered first."""
AGREED: Final = "players"
"""Whose word it is where both players want a turn taken back."""


def take_back(on: Answer, by: str) -> None:
    """Somebody wants the last turn taken back: the first player who does asks, the other one agrees.

    Where the device teaches, nobody need agree.
    """
    table = on.table
    last = table.last_turn
    if table.phase not in UNDOABLE:
        on.refuse()
    elif last is None or last.turn is None:
        on.refuse(Cause.NOTHING_TO_UNDO)
    elif by not in set(Side):
        _decide(on, last, DIRECTOR)
    elif table.undo_asked is Side(by).opponent or conduct_of(table).takes_back_alone():
        _decide(on, last, AGREED)
    else:
        asker, turn = Side(by), last.turn
        on.change(undo_asked=asker)
        on.tell(
            Message.UNDO_ASKED,
            side=str(asker),
            other=str(asker.opponent),
            player=str(turn.side),
            dice=list(turn.roll.dice),
        )


def undo_as_told(on: Answer, ply: int, by: str) -> None:
    """The other table took back the turn ``ply``: it is taken back here, with those that were counted since."""
    later = [each for each in on.table.counted if each.entry.ply >= ply]
    if later and on.table.settings.remote is not None:
        _undo(on, later[0], by)


def void_turns(on: Answer, ply: int, by: str) -> tuple[Closing, ...]:
    """The turns from ``ply`` on do not count any more, told from the latest on; those that are left.

    ``by`` is whose word that is.
    """
    counted = on.table.counted
    for each in reversed([each for each in counted if each.entry.ply >= ply]):
        entry = each.entry
        assert each.turn is not None
        assert entry.side is not None
        if each.open:
            on.do(replace(each.turn, stands=False, t=on.table.t))
        on.do(TurnUndone(on.table.t, entry.ply, entry.side, entry.roll, entry.origin, by))
    return tuple(each for each in counted if each.entry.ply < ply)


def _decide(on: Answer, last: Closing, by: str) -> None:
    """Take the last turn back, or have the other table do it."""
    if not ask_other_table(on):
        _undo(on, last, by)


def _undo(on: Answer, first: Closing, by: str) -> None:
    """Go back to before a turn: the board is laid out as it stood, and the same roll is played again.

    Later turns do not count either. A roll that was made since is void, and so is what was done with the cube.
    """
    table, entry = on.table, first.entry
    assert entry.side is not None
    before = entry.origin
    game = game_before(first.match.game, replace(entry, before=before))
    if table.thrown is not None:
        on.do(DiceVoid(table.t, table.thrown.roll))
    left = void_turns(on, entry.ply, by)
    on.begin_from(
        before,
        entry.side,
        entry.ply,
        settled=left,
        match=replace(first.match, game=game),
        phase=Phase.MOVING,
        # The dice need not lie there any more: what was rolled is known.
        thrown=Thrown(entry.side, entry.roll, table.t, entry.roll.dice),
        views=table.views[-1:],
        undo_asked=None,
    )
    if on.table.views:
        on.change(phase=Phase.SET_UP, back=(Phase.MOVING,), target=before)
    on.tell(Message.UNDONE, side=str(entry.side), dice=list(entry.roll.dice))
