"""What pictures say to each state of the table."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import CubeUnclear, FrameSkipped
from controller.referee.cube_watch import Shown, Turned
from controller.referee.events import FrameLost, FrameMoving, FrameSeen
from controller.referee.evidence import evidence_of
from controller.referee.rests import interrupted, with_reading
from controller.referee.surroundings import surveyed
from controller.referee.table.actions import Action, Message
from controller.referee.table.cubes import doubled, doubled_before_roll
from controller.referee.table.fusion import Outcome
from controller.referee.table.games import Step, opened, told
from controller.referee.table.phase import Phase
from controller.referee.table.rolls import released, rolled
from controller.referee.table.settings import DiceFrom, End
from controller.referee.table.state import Table
from controller.referee.table.turns import (
    asked,
    at_rest,
    correcting,
    differences,
    ends_of,
    judged,
    judged_again,
    looked_again,
    shows,
    turn_over,
)
from controller.rules.position import Position

DICE: Final = 2
LIFTED: Final = 2
"""In so many pictures at rest a die must be gone to have been lifted."""
SEEN_LATE_S: Final = 3.0
"""A cube is believed to have been turned before a roll if it was seen so no later than this after it."""
LEGAL_REST, OTHER_REST = 1.0, 2.0
"""Share of the time at rest that ends a turn: of one that is legal, and of one that is not."""


def unread(table: Table, event: FrameMoving | FrameLost) -> Step:
    """A picture that shows nothing of the board at rest."""
    if isinstance(event, FrameLost):
        return table, (FrameSkipped(event.t, event.frame, event.name, event.why),)
    return replace(table, rests=interrupted(table.rests, event.t)), ()


def seen(table: Table, event: FrameSeen) -> Step:
    """A picture that was read."""
    reading = event.reading
    if reading.hand:
        return replace(table, rests=interrupted(table.rests, event.t)), ()
    surroundings, news = surveyed(table.surroundings, event)
    table, actions = replace(table, surroundings=surroundings), tuple[Action, ...](news)
    if not reading.recognised:
        return replace(table, rests=interrupted(table.rests, event.t)), actions
    caution = table.caution
    evidence = evidence_of(reading, caution)
    rests = with_reading(table.rests, evidence, event.t, event.frame, caution, reading.covered)
    table, more = _cube(replace(table, rests=rests), event)
    table, others = _rested(table)
    actions = (*actions, *more, *others)
    if table.settings.dice is DiceFrom.CAMERA:
        table, more = _dice(table, event)
        actions += more
    return table, actions


def waited(table: Table) -> Step:
    """Time has gone by without a new picture."""
    if table.phase is not Phase.MOVING or End.REST not in ends_of(table) or not at_rest(table):
        return table, ()
    stood = table.t - table.rests[-1].first_t
    if stood < LEGAL_REST * table.settings.rest_s:
        return table, ()
    verdict = judged(table)
    if verdict is None or verdict.outcome is Outcome.IDLE:
        return table, ()
    if verdict.outcome is not Outcome.LEGAL and stood < OTHER_REST * table.settings.rest_s:
        return table, ()
    return turn_over(table)


def _rested(table: Table) -> Step:
    """The board at rest, by what the table waits for."""
    match table.phase:
        case Phase.SET_UP if table.back:
            return _rebuilt(table)
        case Phase.SET_UP | Phase.GAME_OVER:
            return laid_out(table)
        case Phase.TO_ROLL | Phase.CUBE_OFFERED:
            return looked_again(table)
        case Phase.TURN_ENDED:
            table, actions = judged_again(table)
            table, more = released(table)
            return table, actions + more
        case Phase.PUT_RIGHT:
            return correcting(table)
        case _:
            return table, ()


def laid_out(table: Table) -> Step:
    """The game begins when the board at rest shows the position to begin with."""
    if not table.rests:
        return table, ()
    if table.target is None or table.rests[-1].readings < table.caution.readings:
        return table, ()
    return opened(table) if shows(table, table.target) else _guided(table, table.target)


def _rebuilt(table: Table) -> Step:
    if table.target is None:
        return table, ()
    if not shows(table, table.target):
        return _guided(table, table.target)
    again = replace(
        table, phase=table.back[-1], back=table.back[:-1], target=None, rests=table.rests[-1:], warned=()
    )
    return again, (told(table, Message.GOES_ON),)


def _guided(table: Table, target: Position) -> Step:
    """What is still to be laid out differently."""
    points = differences(table, target)
    return asked(table, points, Message.SET_UP) if at_rest(table) and points else (table, ())


def _cube(table: Table, event: FrameSeen) -> Step:
    cube, turned = table.cube.with_cube(event.reading.cube, event.t, event.frame)
    table = replace(table, cube=cube)
    if turned is None or table.phase in (Phase.SET_UP, Phase.GAME_OVER, Phase.MATCH_OVER):
        return table, ()
    return _cube_turned(table, turned)


def _cube_turned(table: Table, turned: Turned) -> Step:
    """The cube lies differently: as the rules say it should, as a double, or as something to ask about."""
    game, shown = table.match.game, turned.shown
    due = Shown.of(game.cube)
    offered = game.offer and Shown.of(game.offer)
    if shown in (due, offered):
        return table, ()
    if turned.doubler is game.turn and turned.before == due:
        if table.phase is Phase.TO_ROLL:
            return doubled(table, game.turn)
        if table.thrown is not None and turned.t <= table.thrown.t + SEEN_LATE_S:
            return doubled_before_roll(table)
    asked = told(table, Message.CUBE_MOVED, owner=shown.owner, value=shown.value)
    return table, (CubeUnclear(turned.t, turned.frame, shown.owner, shown.value), asked)


def _dice(table: Table, event: FrameSeen) -> Step:
    """Dice seen in the picture: a new roll, or the one being played lifted off the board."""
    before = table.sightings
    after, since = before.with_dice(event.reading.dice, event.t, table.caution)
    table = replace(table, sightings=after)
    came = since is not None or len(before.rolled) < len(after.rolled)
    if came and len(after.rolled) == DICE:
        high, low = max(after.rolls(table.caution).items(), key=lambda one: one[1])[0].dice
        return rolled(table, (high, low), after.first_seen_t, seen=True)
    lifted = len(after.rolled) == DICE and all(spot.missed >= LIFTED for spot in after.rolled)
    if lifted and table.phase is Phase.MOVING and End.DICE_LIFTED in ends_of(table):
        return turn_over(table)
    return table, ()
