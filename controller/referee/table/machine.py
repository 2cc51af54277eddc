"""The step of the table's referee: a state and an event in, the next state and the actions out."""

from dataclasses import replace

from controller.devices.link.happenings import Button
from controller.referee.events import FrameLost, FrameMoving, FrameSeen, Rolled
from controller.referee.table import breaks, cubes, sights
from controller.referee.table.actions import Message
from controller.referee.table.consequences import consequences
from controller.referee.table.events import (
    BestPlayFound,
    ConsentGiven,
    Correct,
    DeviceChanged,
    Disputed,
    Event,
    FlagFell,
    GoOn,
    HintAsked,
    LetStand,
    Pause,
    PositionRuled,
    Pressed,
    ProfileChosen,
    Rebuild,
    Resumed,
    RollStands,
    Said,
    Stopped,
    Ticked,
)
from controller.referee.table.games import Step, refusal, stopped, told, voided
from controller.referee.table.lesson import followed
from controller.referee.table.phase import Phase
from controller.referee.table.rolls import released, rolled
from controller.referee.table.state import Table
from controller.referee.table.turns import (
    conduct_of,
    let_stand,
    overdue,
    reopened,
    said,
    turn_over,
)
from controller.rules import events as ruled
from controller.rules.position import Position, Side
from controller.rules.roll import Roll

CLOCKS = {Button.CLOCK_LIGHT: Side.LIGHT, Button.CLOCK_DARK: Side.DARK}


def step(table: Table, event: Event) -> Step:
    """What becomes of the table, and what is to be done.

    An event from before the latest one counts as now: no clock runs backwards.
    """
    now = replace(table, t=max(table.t, event.t))
    after, actions = _taken(now, event)
    after, more = consequences(now, followed(now, after, event))
    return after, actions + more


def _taken(table: Table, event: Event) -> Step:
    match event:
        case FrameSeen():
            return sights.seen(table, event)
        case FrameMoving() | FrameLost():
            return sights.unread(table, event)
        case Ticked():
            return sights.waited(table)
        case Rolled(dice=dice):
            return rolled(replace(table, allowed=False), dice, event.t)
        case Pressed(button=button):
            return _pressed(table, button)
        case Said(event=saying):
            return _said(table, saying)
        case _:
            return _asked(table, event)


def _pressed(table: Table, button: Button) -> Step:
    match button:
        case Button.CLOCK_LIGHT | Button.CLOCK_DARK:
            return _clock(table, CLOCKS[button])
        case Button.DONE:
            return _done(table)
        case Button.DOUBLE:
            return cubes.doubled(table)
        case Button.TAKE:
            return _yes(table)
        case Button.DROP:
            return _no(table)
        case Button.PAUSE:
            return breaks.gone_on(table) if table.phase in breaks.BROKEN_OFF else breaks.paused(table)
        case _:
            return table, ()


def _clock(table: Table, side: Side) -> Step:
    """A side pressed its clock: that ends its own turn, and nothing else."""
    if table.phase is Phase.MOVING and side is table.on_turn:
        return turn_over(table)
    if table.phase in (Phase.MOVING, Phase.TO_ROLL):
        return table, (told(table, Message.NOT_YOUR_CLOCK, side=str(side)),)
    return table, ()


def _done(table: Table) -> Step:
    """The button that says a turn is over; where the board stays unclear, that it is as it should be."""
    match table.phase:
        case Phase.MOVING:
            return turn_over(table)
        case Phase.TURN_ENDED if table.rests:
            table, actions = overdue(table)
            table, more = released(table)
            return table, actions + more
        case Phase.SET_UP | Phase.GAME_OVER if not table.back:
            return sights.laid_out(table)
        case Phase.DISPUTE | Phase.PAUSED:
            return breaks.gone_on(table)
        case _:
            return table, (told(table, Message.NOT_NOW),)


def _yes(table: Table) -> Step:
    game = table.match.game
    match table.phase:
        case Phase.CUBE_OFFERED if game.offer is not None:
            return cubes.answered(table, ruled.Taken(game.offer.to))
        case Phase.RESIGNATION_OFFERED if game.resignation is not None:
            return cubes.resignation_answered(table, ruled.ResignationAccepted(game.resignation.by.opponent))
        case Phase.PUT_RIGHT:
            return _let_stand(table)
        case _:
            return table, (told(table, Message.NOT_NOW),)


def _no(table: Table) -> Step:
    game = table.match.game
    match table.phase:
        case Phase.CUBE_OFFERED if game.offer is not None:
            return cubes.answered(table, ruled.Passed(game.offer.to))
        case Phase.RESIGNATION_OFFERED if game.resignation is not None:
            return cubes.resignation_answered(table, ruled.ResignationRefused(game.resignation.by.opponent))
        case Phase.TO_ROLL:
            return reopened(table)
        case _:
            return table, (told(table, Message.NOT_NOW),)


def _said(table: Table, saying: ruled.Event) -> Step:
    interrupted = table.phase in breaks.BROKEN_OFF or (table.phase is Phase.SET_UP and table.back)
    if interrupted and not isinstance(saying, ruled.GameAwarded | ruled.MatchForfeited):
        return table, (told(table, Message.NOT_NOW),)
    match saying:
        case ruled.OpeningRoll(light, dark):
            return rolled(table, (light, dark), table.t)
        case ruled.Rolled(roll=roll):
            return _typed(table, saying, roll)
        case ruled.RollVoided():
            return _void(table)
        case ruled.Played(side=side, after=after):
            return _played(table, side, after)
        case ruled.TakenBack():
            return reopened(table)
        case ruled.Doubled(side=side):
            return cubes.doubled(table, side)
        case ruled.Taken() | ruled.Passed() | ruled.Beavered() | ruled.Raccooned():
            return cubes.answered(table, saying)
        case ruled.Resigned():
            return cubes.resigned(table, saying)
        case ruled.ResignationAccepted() | ruled.ResignationRefused():
            return cubes.resignation_answered(table, saying)
        case ruled.GameAwarded() | ruled.MatchForfeited():
            return breaks.awarded(table, saying)


def _typed(table: Table, saying: ruled.Event, roll: Roll) -> Step:
    """A roll that somebody typed, who says whose it was."""
    if table.phase is Phase.TO_ROLL and (refused := refusal(table, saying)) is not None:
        return table, (refused,)
    return rolled(table, roll.dice, table.t)


def _void(table: Table) -> Step:
    if table.phase is not Phase.MOVING:
        return table, (told(table, Message.NOT_NOW),)
    return voided(table)


def _played(table: Table, side: Side, after: Position) -> Step:
    """A person says how the board stands: that settles what the pictures leave open."""
    playing = table.phase in (Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT)
    if not playing or table.thrown is None or table.thrown.side is not side:
        return table, (told(table, Message.NOT_NOW),)
    table, actions = said(table, side, after)
    table, more = released(table)
    return table, actions + more


def _let_stand(table: Table) -> Step:
    if table.phase is not Phase.PUT_RIGHT:
        return table, (told(table, Message.NOT_NOW),)
    return let_stand(table)


def _asked(table: Table, event: Event) -> Step:
    match event:
        case LetStand():
            return _let_stand(table)
        case Correct():
            return (table, ()) if table.phase is Phase.PUT_RIGHT else reopened(table)
        case RollStands(stands=stands):
            return _decided(table, stands)
        case Pause():
            return breaks.paused(table)
        case GoOn():
            return breaks.gone_on(table)
        case Disputed():
            return breaks.disputed(table)
        case PositionRuled():
            return breaks.position_ruled(table, event)
        case Rebuild(position=position):
            return breaks.rebuilding(table, position)
        case HintAsked(level=level):
            return _hint(table, level)
        case BestPlayFound(ply=ply, after=after):
            current = table.phase is Phase.MOVING and ply == table.ply
            return (replace(table, best=after), ()) if current else (table, ())
        case ConsentGiven(given=given):
            return replace(table, consent=given), ()
        case ProfileChosen(profile=profile):
            same = profile == table.match.game.profile
            return table, () if same else (told(table, Message.PROFILE_FIXED, profile=profile.name),)
        case Stopped():
            return stopped(table)
        case FlagFell(side=side):
            return table, (told(table, Message.TIME_OVER, side=str(side)),)
        case DeviceChanged():
            return breaks.device_changed(table, event)
        case Resumed():
            return breaks.resumed(table)
        case _:
            return table, ()


def _decided(table: Table, stands: bool) -> Step:
    """Whether a premature roll stands: then the turn that it cut short is over."""
    if table.early is None or table.phase is not Phase.MOVING:
        return table, (told(table, Message.NOT_NOW),)
    if not stands:
        return replace(table, early=None), ()
    table, actions = turn_over(table)
    table, more = released(table)
    return table, actions + more


def _hint(table: Table, level: int) -> Step:
    if level > 0 and not conduct_of(table).shows_landing_points():
        return table, (told(table, Message.NO_AIDS),)
    return replace(table, hint=max(0, min(level, 3))), ()
