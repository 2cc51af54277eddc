"""The cube and resignations: offered and answered."""

from dataclasses import replace

from controller.referee.table.actions import Message
from controller.referee.table.fusion import Outcome
from controller.referee.table.games import Step, acted, refusal, told
from controller.referee.table.phase import Phase
from controller.referee.table.state import Table
from controller.referee.table.turns import confirmed, final, judged, overdue
from controller.rules import events as ruled
from controller.rules.position import Side

RESIGNABLE = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})


def doubled(table: Table, side: Side | None = None) -> Step:
    """A double of ``side``, or of the side on turn: it makes the turn before final."""
    if table.phase in (Phase.MOVING, Phase.TURN_ENDED) and side is not table.on_turn:
        return _doubled_at_end(table, side)
    on_turn = side or table.match.game.turn
    if table.phase not in (Phase.TO_ROLL, Phase.MOVING, Phase.CUBE_OFFERED) or on_turn is None:
        return table, (told(table, Message.NOT_NOW),)
    event = ruled.Doubled(on_turn)
    if (refused := refusal(table, event)) is not None:
        return table, (refused,)
    table, actions = final(table)
    table, more = acted(table, event)
    offer = table.match.game.offer
    value = offer.value if offer is not None else 0
    words = told(table, Message.DOUBLES, side=str(on_turn), value=value)
    return replace(table, phase=Phase.CUBE_OFFERED), (*actions, *more, words)


def doubled_before_roll(table: Table) -> Step:
    """The cube is seen with the opponent of the side whose roll is being played: it was doubled and taken before."""
    thrown, game = table.thrown, table.match.game
    assert thrown is not None
    assert game.turn is not None
    waiting = replace(table, match=replace(table.match, game=replace(game, dice=())))
    offer, take = ruled.Doubled(game.turn), ruled.Taken(game.turn.opponent)
    if (refused := refusal(waiting, offer)) is not None:
        return table, (refused,)
    waiting, actions = acted(waiting, offer)
    waiting, more = acted(waiting, take)
    value = waiting.match.game.cube.value
    words = (
        told(table, Message.DOUBLES, side=str(offer.side), value=value),
        told(table, Message.TAKES, side=str(take.side), value=value),
    )
    game = replace(waiting.match.game, dice=game.dice)
    return replace(waiting, match=replace(waiting.match, game=game)), (*actions, *more, *words)


def answered(table: Table, event: ruled.Taken | ruled.Passed | ruled.Beavered | ruled.Raccooned) -> Step:
    """An offer of the cube is answered."""
    offer, refused = table.match.game.offer, refusal(table, event)
    if refused is not None or offer is None:
        return table, (refused or told(table, Message.NOT_NOW),)
    raised = isinstance(event, ruled.Beavered | ruled.Raccooned)
    message = Message.BEAVERS
    if not raised:
        message = Message.TAKES if isinstance(event, ruled.Taken) else Message.DROPS
    value = offer.value * (2 if raised else 1)
    words = told(table, message, side=str(event.side), value=value)
    table, actions = acted(table, event)
    if isinstance(event, ruled.Taken):
        table = replace(table, phase=Phase.TO_ROLL)
    return table, (actions[0], words, *actions[1:])


def resigned(table: Table, event: ruled.Resigned) -> Step:
    """A side offers to lose."""
    if table.phase not in RESIGNABLE:
        return table, (told(table, Message.NOT_NOW),)
    if (refused := refusal(table, event)) is not None:
        return table, (refused,)
    back = table.phase
    table, actions = acted(table, event)
    words = told(table, Message.RESIGNS, side=str(event.side), amount=event.amount)
    return replace(table, phase=Phase.RESIGNATION_OFFERED, back=(*table.back, back)), (*actions, words)


def resignation_answered(table: Table, event: ruled.ResignationAccepted | ruled.ResignationRefused) -> Step:
    """A resignation is accepted, and the game over, or refused, and it goes on where it was."""
    if (refused := refusal(table, event)) is not None:
        return table, (refused,)
    if isinstance(event, ruled.ResignationAccepted):
        return acted(table, event)
    table, actions = acted(table, event)
    words = told(table, Message.RESIGNATION_REFUSED, side=str(event.side))
    return replace(table, phase=table.back[-1], back=table.back[:-1]), (*actions, words)


def _doubled_at_end(table: Table, side: Side | None) -> Step:
    """The opponent doubles while a turn is being judged: that ends it, if a legal play lies there."""
    verdict = judged(table)
    if verdict is None or (side is None and verdict.outcome is not Outcome.LEGAL):
        mover = table.on_turn
        assert mover is not None
        return table, (refusal(table, ruled.Doubled(mover)) or told(table, Message.NOT_NOW),)
    table, actions = confirmed(table, verdict) if verdict.outcome is Outcome.LEGAL else overdue(table)
    if table.phase is not Phase.TO_ROLL:
        return table, actions
    table, more = doubled(table, side)
    return table, actions + more
