"""What interrupts play: pauses, disputes, rebuilding, devices that fail, a program that starts again."""

from collections.abc import Set
from dataclasses import replace
from typing import Final

from controller.referee.actions import Cause, Message, Phase
from controller.referee.events import (
    DIRECTOR,
    LOSSES,
    PORT_OPENED,
    BoardTroubled,
    DeviceChanged,
    PositionRuled,
)
from controller.referee.table.closing import finish_turn
from controller.referee.table.games import OVER, act, allow, is_begun, tell_begun
from controller.referee.table.state import Answer
from controller.referee.table.turns import look_back_at_last
from controller.referee.table.undo import void_turns
from controller.rules import Position
from controller.rules.game import events as ruled
from controller.rules.game.game import lay_out

BROKEN_OFF: Final = frozenset({Phase.PAUSED, Phase.DISPUTE})


def pause(on: Answer) -> None:
    """Interrupt the match."""
    _break_off(on, Phase.PAUSED, Message.PAUSED, unless=OVER | BROKEN_OFF)


def dispute(on: Answer) -> None:
    """A player calls for a ruling; the clock stands, nothing is judged."""
    _break_off(on, Phase.DISPUTE, Message.DISPUTE, unless={Phase.MATCH_OVER, Phase.DISPUTE})


def go_on(on: Answer) -> None:
    """Go on from where play was interrupted; where checkers were to be laid out, people say that they are."""
    table = on.table
    if table.phase is Phase.SET_UP and table.back:
        leave_set_up(on)
        return
    if table.phase not in BROKEN_OFF or not table.back:
        on.refuse(Cause.NOT_INTERRUPTED)
        return
    views = table.views if len(table.views) < 2 else table.views[:1] + table.views[-1:]
    on.change(phase=table.back[-1], back=table.back[:-1], views=views)
    on.tell(Message.GOES_ON)


def leave_set_up(on: Answer) -> None:
    """The checkers stand as they should, and play goes on."""
    table = on.table
    on.change(phase=table.back[-1], back=table.back[:-1], target=None, views=table.views[-1:], warned=())
    on.tell(Message.GOES_ON)


def rule_position(on: Answer, event: PositionRuled) -> None:
    """The director says how the board stands: it is laid out like that, and ``on_roll`` rolls."""
    if on.table.phase in OVER or (on.table.match.game.turn is None and on.table.thrown is None):
        on.refuse()
        return
    finish_turn(on)
    on.change(phase=Phase.SET_UP)
    look_back_at_last(on, event.position)
    if event.ply is not None:
        void_turns(on, event.ply, DIRECTOR)
    game = lay_out(on.table.match.game, event.position, event.on_roll)
    on.begin_from(
        event.position,
        event.on_roll,
        on.table.ply if event.ply is None else event.ply,
        match=replace(on.table.match, game=game),
        phase=Phase.SET_UP,
        back=(Phase.TO_ROLL,),
        target=event.position,
    )
    on.tell(Message.RULED, side=str(event.on_roll), position=event.position.compact())


def rebuild(on: Answer, position: Position | None) -> None:
    """Guide the players to the position confirmed last, or to another one to look at."""
    table = on.table
    if table.phase in OVER or (position is None and table.match.game.turn is None):
        on.change(target=position or table.position)
    else:
        back = table.back if table.phase in BROKEN_OFF | {Phase.SET_UP} else (*table.back, table.phase)
        target = position or table.position
        # What lies there now is what they do not want: only what is laid out from now on can be it.
        views = table.views[-1:]
        on.change(phase=Phase.SET_UP, back=back, target=target, warned=(), views=views, asked_t=table.t)
    on.tell(Message.SET_UP, points=[])


def award(on: Answer, event: ruled.GameAwarded | ruled.MatchForfeited) -> None:
    """The director ends the game, or the match."""
    if allow(on, event):
        finish_turn(on)
        look_back_at_last(on)
        if not is_begun(on.table):
            tell_begun(on)
        act(on, event)


def change_device(on: Answer, event: DeviceChanged) -> None:
    """A device came or went; play goes on with those that are left."""
    message = Message.DEVICE_BACK if event.ready else Message.DEVICE_GONE
    on.tell(message, device=event.device, why=event.why)


def tell_trouble(on: Answer, event: BoardTroubled) -> None:
    """Something is the matter with the board; a roll that is awaited is asked for again if it may be lost."""
    if event.why == PORT_OPENED:
        return
    on.tell(Message.BOARD_TROUBLE, trouble=event.trouble, count=event.count, why=event.why)
    if event.trouble in LOSSES and on.table.allowed:
        on.change(allowed=False)  # so that the dice are armed anew
        on.tell(Message.ROLL_AGAIN)


def resume(on: Answer) -> None:
    """The program starts again: what was agreed, how the turn began and where its dice lie is known.

    Later pictures are taken anew. Between two turns the board must be seen to stand as it is known before anything is
    judged.
    """
    table = on.table
    begun = table.views[:1] if table.phase is Phase.MOVING else ()
    if table.phase is Phase.TO_ROLL:
        on.change(phase=Phase.SET_UP, back=(*table.back, table.phase), target=table.position)
    on.change(views=begun, allowed=False, warned=())
    on.tell(Message.RESUMED)


def _break_off(on: Answer, phase: Phase, message: Message, unless: Set[Phase]) -> None:
    table = on.table
    if table.phase in unless:
        on.refuse()
        return
    back = table.back if table.phase in BROKEN_OFF else (*table.back, table.phase)
    on.change(phase=phase, back=back, warned=())
    on.tell(message)
