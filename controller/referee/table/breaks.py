"""What interrupts play: pauses, disputes, rebuilding, devices that fail, a program that starts again."""

from dataclasses import replace
from typing import Final

from controller.referee.sightings import Sightings
from controller.referee.table.actions import Message
from controller.referee.table.events import DeviceChanged, PositionRuled
from controller.referee.table.games import OVER, Step, acted, refusal, told
from controller.referee.table.phase import Phase
from controller.referee.table.state import Table
from controller.referee.table.turns import final
from controller.referee.tracks import first_tracks
from controller.rules import events as ruled
from controller.rules.position import Position

BROKEN_OFF: Final = frozenset({Phase.PAUSED, Phase.DISPUTE})


def paused(table: Table) -> Step:
    """The match is interrupted."""
    if table.phase in OVER | BROKEN_OFF:
        return table, (told(table, Message.NOT_NOW),)
    return _broken_off(table, Phase.PAUSED), (told(table, Message.PAUSED),)


def disputed(table: Table) -> Step:
    """A player calls for a ruling; the clock stands, nothing is judged."""
    if table.phase in (Phase.MATCH_OVER, Phase.DISPUTE):
        return table, (told(table, Message.NOT_NOW),)
    return _broken_off(table, Phase.DISPUTE), (told(table, Message.DISPUTE),)


def gone_on(table: Table) -> Step:
    """Play goes on from where it was interrupted."""
    if table.phase not in BROKEN_OFF or not table.back:
        return table, (told(table, Message.NOT_NOW),)
    return (
        replace(table, phase=table.back[-1], back=table.back[:-1], rests=table.rests[:1] + table.rests[-1:]),
        (told(table, Message.GOES_ON),),
    )


def position_ruled(table: Table, event: PositionRuled) -> Step:
    """The director says how the board stands: it is laid out like that, and ``on_roll`` rolls."""
    game = table.match.game
    if table.phase in OVER or game.turn is None:
        return table, (told(table, Message.NOT_NOW),)
    table, actions = final(replace(table, flagged=None))
    game = replace(
        game,
        position=event.position,
        turn=event.on_roll,
        dice=(),
        opening_dice=False,
        offer=None,
        resignation=None,
        undo=None,
    )
    laid = replace(
        table,
        match=replace(table.match, game=game),
        phase=Phase.SET_UP,
        back=(Phase.TO_ROLL,),
        target=event.position,
        tracks=first_tracks(event.position, event.on_roll, table.ply),
        thrown=None,
        ended=None,
        early=None,
        best=None,
        warned=(),
    )
    words = told(table, Message.RULED, side=str(event.on_roll), position=event.position.compact())
    return laid, (*actions, words)


def rebuilding(table: Table, position: Position | None) -> Step:
    """The lights guide the players to the position confirmed last, or to another one to look at."""
    if table.phase in OVER or (position is None and table.match.game.turn is None):
        target = position or table.position
        return replace(table, target=target), (told(table, Message.SET_UP, points=[]),)
    back = table.back if table.phase in BROKEN_OFF | {Phase.SET_UP} else (*table.back, table.phase)
    guided = replace(table, phase=Phase.SET_UP, back=back, target=position or table.position, warned=())
    return guided, (told(table, Message.SET_UP, points=[]),)


def awarded(table: Table, event: ruled.GameAwarded | ruled.MatchForfeited) -> Step:
    """The director ends the game, or the match."""
    if (refused := refusal(table, event)) is not None:
        return table, (refused,)
    table, actions = final(table)
    table, more = acted(table, event)
    return table, actions + more


def device_changed(table: Table, event: DeviceChanged) -> Step:
    """A device came or went; play goes on with those that are left."""
    message = Message.DEVICE_BACK if event.ready else Message.DEVICE_GONE
    return table, (told(table, message, device=event.device, why=event.why),)


def resumed(table: Table) -> Step:
    """The program starts again: what the pictures had shown is forgotten, what was agreed is not."""
    fresh = replace(table, rests=(), sightings=Sightings(), allowed=False, warned=())
    return fresh, (told(table, Message.RESUMED),)


def _broken_off(table: Table, phase: Phase) -> Table:
    back = table.back if table.phase in BROKEN_OFF else (*table.back, table.phase)
    return replace(table, phase=phase, back=back, warned=())
