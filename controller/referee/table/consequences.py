"""What follows from a change of the table for its devices: phase, clock, dice, lights, a learner's best play."""

from controller.referee.actions import Action, BestPlayWanted, ClockRuns, Lit, PhaseBegun, RollAllowed
from controller.referee.phase import Phase
from controller.referee.table.answer import Answer
from controller.referee.table.lamps import frame_of
from controller.referee.table.rolls import is_roll_due
from controller.referee.table.settings import DiceFrom
from controller.referee.table.state import Table, conduct_of
from controller.rules import Side

RUNNING = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT, Phase.CUBE_OFFERED})
BEST_PLAY = 3
"""The hint level that shows the best play."""


def see_to_consequences(on: Answer, before: Table) -> None:
    """Have everything seen to that changed since ``before``."""
    after, actions = on.table, list[Action]()
    t = after.t
    if after.phase is not before.phase or after.on_turn is not before.on_turn:
        actions.append(PhaseBegun(t, after.phase, after.on_turn))
    running = clock_of(after)
    if after.settings.clock and running is not after.clock:
        actions.append(ClockRuns(t, running))
    allowed = after.settings.dice is DiceFrom.ELECTRONIC and (
        after.allowed or (_changed(before, after) and is_roll_due(after))
    )
    if allowed and not after.allowed:
        actions.append(RollAllowed(t))
    thrown = after.thrown
    if thrown is not None and thrown is not before.thrown and thrown.side is not None and _wants_best(after):
        actions.append(BestPlayWanted(t, after.ply, after.position, thrown.side, thrown.roll.dice))
    frame = frame_of(after)
    if frame == before.lit:
        frame = before.lit  # the same object, by which whoever compares two tables sees that nothing changed
    else:
        actions.append(Lit(frame))
    on.change(clock=running, allowed=allowed, lit=frame)
    on.do(*actions)


def clock_of(table: Table) -> Side | None:
    """Whose clock runs: who has to act; after a turn that is not judged yet the opponent."""
    if table.phase not in RUNNING:
        return None
    turn = table.on_turn
    return turn.opponent if turn is not None and table.phase is Phase.TURN_ENDED else turn


def _changed(before: Table, after: Table) -> bool:
    """Whether anything happened that a roll may be due for: asking is not cheap."""
    return (
        before.phase is not after.phase
        or before.rests is not after.rests
        or before.thrown is not after.thrown
        or before.warned != after.warned
        or before.allowed
    )


def _wants_best(table: Table) -> bool:
    return table.hint >= BEST_PLAY and conduct_of(table).shows_landing_points()
