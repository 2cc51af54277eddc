"""The last turn taken back: both players agree to that, or the director says so; of learners one is enough."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import Cause, DiceVoid, Message, Phase, TurnUndone
from controller.referee.table.elsewhere import ask_other_table
from controller.referee.table.smoothing import game_before
from controller.referee.table.state import Answer, Closing, Thrown, conduct_of
from controller.rules import Side

UNDOABLE: Final = frozenset({Phase.TO_ROLL, Phase.MOVING})
"""While the next roll is awaited or played. Before that the turn is not over, and an offer is answered first."""
PLAYERS: Final = "players"
DIRECTOR: Final = "director"


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
        _decide(on, last, PLAYERS)
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
    linked = on.table.settings.remote is not None
    while linked and (last := on.table.last_turn) is not None and last.entry.ply >= ply:
        _undo(on, last, by)


def _decide(on: Answer, last: Closing, by: str) -> None:
    """Take the last turn back, or have the other table do it."""
    if not ask_other_table(on):
        _undo(on, last, by)


def _undo(on: Answer, last: Closing, by: str) -> None:
    """Go back to before the last turn: the board is laid out as it stood, and the same roll is played again.

    A roll that was made since is void, and so is what was done with the cube.
    """
    table, entry = on.table, last.entry
    assert last.turn is not None
    assert entry.side is not None
    before, t = entry.origin, table.t
    game = game_before(last.match.game, replace(entry, before=before))
    if table.thrown is not None:
        on.do(DiceVoid(t, table.thrown.roll))
    if last.open:
        on.do(replace(last.turn, stands=False, t=t))
    on.do(TurnUndone(t, entry.ply, entry.side, entry.roll, before, by))
    on.begin_from(
        before,
        entry.side,
        entry.ply,
        match=replace(last.match, game=game),
        phase=Phase.MOVING,
        # The dice need not lie there any more: what was rolled is known.
        thrown=Thrown(entry.side, entry.roll, t, entry.roll.dice),
        views=table.views[-1:],
        settled=_turns_before(on, last),
        undo_asked=None,
    )
    if on.table.views:
        on.change(phase=Phase.SET_UP, back=(Phase.MOVING,), target=before)
    on.tell(Message.UNDONE, side=str(entry.side), dice=list(entry.roll.dice))


def _turns_before(on: Answer, last: Closing) -> tuple[Closing, ...]:
    """The turns before the last one, as far as they are remembered: they may be taken back as well."""
    known = (*on.table.settled, *on.table.closings)
    return tuple(each for each in known[: known.index(last)] if each.turn is not None)
