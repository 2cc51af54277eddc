"""The cube and resignations: offered and answered."""

from dataclasses import replace

from controller.referee.actions import Cause, Message, Phase
from controller.referee.belief.decision import Outcome
from controller.referee.table.carrying import ask_for_announced, is_carried_out
from controller.referee.table.closing import finish_turn, judge_turn
from controller.referee.table.elsewhere import awaits_other_table
from controller.referee.table.games import act, allow, end_game, refuse_event, set_down
from controller.referee.table.state import Answer
from controller.referee.table.turns import (
    count_as_likeliest,
    count_elsewhere,
    count_turn,
    let_stand,
    look_back_at_last,
    settle_announced,
)
from controller.rules import Side
from controller.rules.game import events as ruled

RESIGNABLE = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})


def offer_double(on: Answer, side: Side | None = None) -> None:
    """A double of ``side``, or of the side on turn: it makes the turn before final."""
    table = on.table
    if awaits_other_table(table) and table.phase is not Phase.TO_ROLL:
        on.refuse(Cause.OTHER_TABLE)
        return
    if table.phase is Phase.PUT_RIGHT and table.on_turn is not None and side is table.on_turn.opponent:
        let_stand(on)
        table = on.table
    if table.phase in (Phase.MOVING, Phase.TURN_ENDED) and side is not table.on_turn:
        _double_at_end(on, side)
        return
    on_turn = side or table.match.game.turn
    if on_turn is None:
        on.refuse()
        return
    event = ruled.Doubled(on_turn)
    if table.phase not in (Phase.TO_ROLL, Phase.MOVING, Phase.CUBE_OFFERED):
        refuse_event(on, event)
        return
    if not allow(on, event):
        return
    finish_turn(on)
    act(on, event)
    offer = on.table.match.game.offer
    on.tell(Message.DOUBLES, side=str(on_turn), value=offer.value if offer is not None else 0)
    on.change(phase=Phase.CUBE_OFFERED)


def double_before_roll(on: Answer) -> None:
    """The cube is seen with the opponent of the side whose roll is being played: it was doubled and taken before."""
    game = on.table.match.game
    assert game.turn is not None
    rolled = on.table.match
    waiting = replace(rolled, game=replace(game, dice=()))
    offer, take = ruled.Doubled(game.turn), ruled.Taken(game.turn.opponent)
    on.change(match=waiting)
    if not allow(on, offer):
        on.change(match=rolled)
        return
    act(on, offer)
    act(on, take)
    value = on.table.match.game.cube.value
    on.tell(Message.DOUBLES, side=str(offer.side), value=value)
    on.tell(Message.TAKES, side=str(take.side), value=value)
    match = on.table.match
    on.change(match=replace(match, game=replace(match.game, dice=game.dice)))


def answer_offer(on: Answer, event: ruled.Taken | ruled.Passed | ruled.Beavered | ruled.Raccooned) -> None:
    """An offer of the cube is answered."""
    offer = on.table.match.game.offer
    if not allow(on, event):
        return
    if offer is None:
        on.refuse()
        return
    before = on.table.match
    set_down(on, event)
    match event:
        case ruled.Taken(side=side):
            on.change(phase=Phase.TO_ROLL)
            on.tell(Message.TAKES, side=str(side), value=offer.value)
        case ruled.Passed(side=side):
            on.tell(Message.DROPS, side=str(side), value=offer.value)
        case _:
            on.tell(Message.BEAVERS, side=str(event.side), value=2 * offer.value)
    end_game(on, before)


def resign(on: Answer, event: ruled.Resigned) -> None:
    """A side offers to lose."""
    if on.table.phase not in RESIGNABLE:
        refuse_event(on, event)
        return
    if not allow(on, event):
        return
    if not count_elsewhere(on) or not allow(on, event):
        return
    back = on.table.phase
    act(on, event)
    on.tell(Message.RESIGNS, side=str(event.side), amount=event.amount)
    on.change(phase=Phase.RESIGNATION_OFFERED, back=(*on.table.back, back))


def answer_resignation(on: Answer, event: ruled.ResignationAccepted | ruled.ResignationRefused) -> None:
    """A resignation is accepted, and the game over, or refused, and it goes on where it was."""
    if not allow(on, event):
        return
    if isinstance(event, ruled.ResignationAccepted):
        look_back_at_last(on)
    act(on, event)
    if isinstance(event, ruled.ResignationRefused):
        on.tell(Message.RESIGNATION_REFUSED, side=str(event.side))
        on.change(phase=on.table.back[-1], back=on.table.back[:-1])


def _double_at_end(on: Answer, side: Side | None) -> None:
    """The opponent doubles while a turn is being judged: that ends it, if a legal play lies there.

    A play that was announced is carried out first.
    """
    verdict = judge_turn(on.table)
    if on.table.announced is not None and (verdict is None or not is_carried_out(on.table, verdict)):
        ask_for_announced(on)
        return
    if verdict is None or (side is None and verdict.outcome is not Outcome.LEGAL):
        mover = on.table.on_turn
        assert mover is not None
        if allow(on, ruled.Doubled(mover)):
            on.refuse()
        return
    if on.table.announced is not None:
        settle_announced(on, verdict)
    elif verdict.outcome is Outcome.LEGAL:
        count_turn(on, verdict)
    else:
        count_as_likeliest(on)
    if on.table.phase is Phase.TO_ROLL:
        offer_double(on, side)
