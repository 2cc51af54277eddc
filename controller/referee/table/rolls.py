"""Rolls: due and not due, too early, again, and to start."""

from dataclasses import replace
from typing import Final

from controller.referee.cube_watch import Shown
from controller.referee.table.actions import Message
from controller.referee.table.cubes import answered
from controller.referee.table.fusion import Outcome
from controller.referee.table.games import Step, acted, opened, told, voided
from controller.referee.table.phase import Phase
from controller.referee.table.settings import End, Premature
from controller.referee.table.state import Table, Thrown
from controller.referee.table.turns import (
    conduct_of,
    differences,
    ends_of,
    final,
    judged,
    let_stand,
    mover_of,
    overdue,
)
from controller.referee.tracks import lawful
from controller.rules import events as ruled
from controller.rules.conduct import Remedy
from controller.rules.match import advance
from controller.rules.position import Position, Side
from controller.rules.roll import Roll

WRONG: Final = 12.0
"""A board so much unlike the position to be laid out is certainly another one."""


def rolled(table: Table, dice: tuple[int, int], t: float, seen: bool = False) -> Step:
    """Two dice were thrown at ``t``, in their order: at the opening light's comes first.

    ``seen`` tells that they were seen in pictures, which show them better as time goes on and whose order
    means nothing.
    """
    match table.phase:
        case Phase.SET_UP | Phase.GAME_OVER:
            return _before_start(table, dice, t, seen)
        case Phase.OPENING_ROLL:
            return _opening(table, dice, t, seen)
        case Phase.TO_ROLL:
            table, actions = final(table)
            table, more = _thrown(table, dice, t, seen)
            return table, actions + more
        case Phase.MOVING:
            return _while_moving(table, dice, t, seen)
        case Phase.TURN_ENDED:
            return _overtaken(table, dice, t, seen)
        case Phase.PUT_RIGHT:
            return _while_put_right(table, dice, t, seen)
        case Phase.CUBE_OFFERED:
            return _before_answer(table, dice, t, seen)
        case _:
            return table, (told(table, Message.ROLL_NOT_DUE, dice=list(dice)),)


def released(table: Table) -> Step:
    """The premature roll that was waiting counts now, if there is one and it is its turn."""
    if table.early is None or table.phase is not Phase.TO_ROLL:
        return table, ()
    return rolled(replace(table, early=None), table.early, table.t)


def roll_due(table: Table) -> bool:
    """Whether somebody may roll now.

    Where nothing but the next roll ends a turn, it may be made as soon as a complete play lies there, or
    nobody can say that none does.
    """
    if table.phase in (Phase.OPENING_ROLL, Phase.TO_ROLL):
        return True
    if table.phase is Phase.TURN_ENDED:
        return bool(table.warned)
    if table.phase is not Phase.MOVING or ends_of(table) & {End.CLOCK}:
        return False
    verdict = judged(table)
    return verdict is not None and verdict.outcome in (Outcome.LEGAL, Outcome.UNSURE)


def can_move(table: Table) -> bool:
    """Whether there is a legal play of the roll being played."""
    if table.thrown is None or table.thrown.side is None:
        return table.thrown is not None
    ends = lawful(table.position, table.thrown.side, table.thrown.roll, table.caution.rules)
    return ends != (table.position,)


def _before_start(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """A roll before the checkers were seen to stand rightly: in doubt they do."""
    target = table.target or table.position
    if table.back or (table.rests and _wrong(table, target)):
        points = differences(table, target) if table.rests else ()
        return table, (told(table, Message.SET_UP_WRONG, points=list(points)),)
    table, actions = opened(table)
    table, more = rolled(table, dice, t, seen)
    return table, actions + more


def _wrong(table: Table, target: Position) -> bool:
    last = table.rests[-1]
    return last.until is None and float(last.lies.scores([target])[0]) < -WRONG


def _opening(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    if seen:
        return _playing(table, None, Roll.of(*dice), dice, t, seen)
    event = ruled.OpeningRoll(*dice)
    table, actions = acted(table, event)
    game = table.match.game
    if game.turn is None:
        return table, (*actions, told(table, Message.TIE, dice=list(dice), value=game.cube.value))
    side = str(game.turn)
    actions = (*actions, told(table, Message.STARTS, side=side, dice=list(dice)))
    table = replace(table, tracks=tuple(replace(track, side=game.turn) for track in table.tracks))
    if not game.dice:
        return replace(table, phase=Phase.TO_ROLL), actions
    table, more = _playing(table, game.turn, Roll.of(*dice), dice, t, seen)
    return table, actions + more


def _thrown(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    side = table.match.game.turn
    assert side is not None
    roll = Roll.of(*dice)
    match = advance(table.match, ruled.Rolled(side, roll))
    return _playing(replace(table, match=match), side, roll, dice, t, seen)


def _playing(
    table: Table, side: Side | None, roll: Roll, dice: tuple[int, int], t: float, seen: bool
) -> Step:
    """The roll is to be played from how the board lies."""
    over = tuple(rest for rest in table.rests if rest.first_t <= t)
    table = replace(
        table,
        phase=Phase.MOVING,
        thrown=Thrown(side, roll, t, None if seen else dice),
        rests=over[-1:] + table.rests[len(over) :],
        warned=(),
    )
    if can_move(table):
        return table, ()
    return table, (told(table, Message.NO_PLAY, side=str(side), dice=list(dice)),)


def _while_moving(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """Another roll while one is being played: the turn is over, or the first one did not count."""
    verdict = judged(table)
    if verdict is None:
        if can_move(table):
            return _again(table, dice, t, seen)
        return _overtaken(table, dice, t, seen)
    if verdict.outcome is Outcome.IDLE:
        return _again(table, dice, t, seen)
    if table.settings.clock and End.CLOCK in ends_of(table):
        if table.settings.premature is Premature.VOID:
            return table, (told(table, Message.ROLL_TOO_EARLY, side=mover_of(table), dice=list(dice)),)
        if table.settings.premature is Premature.ASK:
            waiting = replace(table, early=dice)
            asked = told(table, Message.ROLL_TOO_EARLY, side=mover_of(table), dice=list(dice), ask=1)
            return waiting, (asked,)
    return _overtaken(table, dice, t, seen)


def _again(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """Nothing was moved: the roll before was void, and this one takes its place."""
    table, actions = voided(table)
    table, more = rolled(table, dice, t, seen)
    return table, actions + more


def _overtaken(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """The opponent rolled before the turn was judged: it is judged now, and is final with it."""
    if not table.rests:
        held = replace(table, phase=Phase.TURN_ENDED, early=dice)
        return held, (told(table, Message.LOOK, points=[]),)
    later = tuple(rest for rest in table.rests if rest.first_t > t)
    table = replace(table, rests=tuple(rest for rest in table.rests if rest.first_t <= t) or table.rests)
    table, actions = overdue(table)
    table = replace(table, rests=table.rests[-1:] + later)
    table, more = rolled(table, dice, t, seen)
    return table, actions + more


def _while_put_right(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """Where the opponent may choose, his roll lets the play stand; else it was pointed out in time."""
    if Remedy.LET_STAND not in conduct_of(table).remedies():
        return table, (told(table, Message.ROLL_NOT_DUE, dice=list(dice)),)
    table, actions = let_stand(table)
    table, more = rolled(table, dice, t, seen)
    return table, actions + more


def _before_answer(table: Table, dice: tuple[int, int], t: float, seen: bool) -> Step:
    """A cube that was seen to be taken lies with its new owner: then the roll is the doubler's."""
    offer = table.match.game.offer
    if offer is None or table.cube.shown != Shown.of(offer):
        return table, (told(table, Message.ROLL_BEFORE_ANSWER, dice=list(dice)),)
    table, actions = answered(table, ruled.Taken(offer.to))
    table, more = rolled(table, dice, t, seen)
    return table, actions + more
