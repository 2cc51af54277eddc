"""The referee's step: a state and an event in, the next state and the actions out."""

from collections.abc import Mapping
from dataclasses import replace
from itertools import pairwise

import numpy as np

from controller.referee.actions import Action, CubeUnclear, FrameSkipped, GameBegun
from controller.referee.cube_watch import CubeWatch, Shown
from controller.referee.events import Ended, Event, FrameLost, FrameMoving, FrameSeen, Rolled
from controller.referee.evidence import Evidence, evidence_of
from controller.referee.growth import grown, joined
from controller.referee.ledger import settled
from controller.referee.rests import GLITCHES, Rests, interrupted, with_reading
from controller.referee.set_up import set_up_anew
from controller.referee.sightings import ANY_ROLL, Sightings
from controller.referee.state import Closing, State, Turn, begin
from controller.referee.surroundings import surveyed
from controller.referee.tracks import Look, Throw, Track, pruned, rescored
from controller.rules.position import START, Side
from controller.rules.roll import Roll

Step = tuple[State, tuple[Action, ...]]


def step(state: State, event: Event) -> Step:
    """What becomes of the state, and what is to be told."""
    if isinstance(event, FrameLost):
        return state, (FrameSkipped(event.t, event.frame, event.name, event.why),)
    if isinstance(event, FrameMoving):
        return replace(state, rests=interrupted(state.rests, event.t)), ()
    if isinstance(event, FrameSeen):
        return _seen(state, event)
    if isinstance(event, Rolled):
        return _rolled(state, event.t, event.dice, event.t)
    return _ended(state, event)


def _seen(state: State, event: FrameSeen) -> Step:
    if event.reading.hand:
        return replace(state, rests=interrupted(state.rests, event.t)), ()
    surroundings, told = surveyed(state.surroundings, event)
    state = replace(state, surroundings=surroundings)
    if not event.reading.recognised:
        return replace(state, rests=interrupted(state.rests, event.t)), told
    state, actions = _read(state, event)
    return state, told + actions


def _read(state: State, event: FrameSeen) -> Step:
    """A picture without a hand in which the board is seen."""
    state, asked = _cube_seen(_rested(state, event), event)
    if set_up_anew(state):
        state, actions = _next_game(state, event)
        return state, asked + actions
    state, actions = _dice_seen(state, event)
    return state, asked + actions


def _cube_seen(state: State, event: FrameSeen) -> Step:
    """The cube after one more picture; what is no double that was taken is asked about at once."""
    cube, turned = state.cube.with_cube(event.reading.cube, event.t, event.frame)
    state = replace(state, cube=cube)
    put_back = turned is not None and turned.shown == Shown() and not state.closings
    if turned is None or state.over or put_back:
        return state, ()
    if turned.doubler is None:
        shown = turned.shown
        return state, (CubeUnclear(turned.t, turned.frame, shown.owner, shown.value),)
    return replace(state, turned=(*state.turned, turned)), ()


def _next_game(state: State, event: FrameSeen) -> Step:
    """The checkers lie at the start position again: whatever was left of the game before is told."""
    actions: tuple[Action, ...] = ()
    shown, turn = state.rests[-1], state.turn
    broken_off = not state.over
    if broken_off:
        state, actions = _closed(
            replace(state, rests=state.rests[:-1]), state.rests[:-1], event.t, final=True
        )
        broken_off = not state.over
    ply = _next_ply(state)
    game = replace(
        begin(START, None, state.read_dice, state.caution, ply),
        rests=(shown,),
        sightings=state.sightings,
        surroundings=state.surroundings,
        cube=CubeWatch(state.cube.shown),
        turn=turn if turn is not None and turn.t >= shown.first_t else None,
    )
    game, more = _dice_seen(game, event)
    return game, (*actions, GameBegun(event.t, event.frame, ply, broken_off), *more)


def _next_ply(state: State) -> int:
    """The number of the turn after the last one that was told."""
    entries = [told.entry.last for told in state.told]
    return max((entry.ply + entry.is_turn for entry in entries), default=state.tracks[0].ply)


def _dice_seen(state: State, event: FrameSeen) -> Step:
    if state.read_dice:
        before = state.sightings
        after, since = before.with_dice(event.reading.dice, event.t, state.caution)
        if since is not None and not (after.repeats(before) and _being_played(state, since, event.t)):
            state, actions = _rolled(state, since, None, event.t)
            return replace(state, sightings=after), actions
        state = replace(state, sightings=after)
    return _looked_again(state, event.t)


def _rested(state: State, event: FrameSeen) -> State:
    """One more picture at rest; it may show that the last one before the roll was a glitch."""
    evidence = evidence_of(event.reading, state.caution)
    known = state.doubted + state.rests
    rests = with_reading(known, evidence, event.t, event.frame, state.caution, event.reading.covered)
    glitch = 0 < len(rests) <= len(state.doubted)
    state = replace(state, rests=rests[-1:] if glitch else rests[len(state.doubted) :], doubted=())
    if glitch and state.closings:
        last = state.closings[-1]
        tracks = grown(
            last.parents, last.throw, _look(last.rests[:1] + state.rests, Sightings()), state.caution
        )
        return replace(state, tracks=tracks)
    return state


def _looked_again(state: State, t: float) -> Step:
    """While nothing has moved since the roll, pictures still show how the turn before it ended."""
    if state.over or len(state.rests) != 1 or len(state.told) == len(state.closings):
        return state, ()
    last = state.closings[-1]
    look = replace(last.look, end=state.rests[0].lies)
    closings = (*state.closings[:-1], replace(last, look=look))
    return settled(replace(state, closings=closings, tracks=rescored(state.tracks, look)), t, final=False)


def _rolled(state: State, since: float, dice: tuple[int, int] | None, t: float) -> Step:
    """A new roll at ``since``: the turn before it is over. ``t`` is now."""
    if state.over:
        return replace(state, turn=Turn(since, dice)), ()
    over, ended = _until(state, since, t)
    lifted = state.sightings.lifted_t if dice is None else None
    if lifted is not None and any(lifted < rest.first_t for rest in over):
        earlier, ended_earlier = _until(state, lifted, t)
        if ended_earlier.tracks[0].score > ended.tracks[0].score:
            over, ended = earlier, ended_earlier
    rests = over[-1:] + state.rests[len(over) :]
    once = len(rests) == 1 and rests[0].readings == 1
    doubted = over[-1 - GLITCHES : -1] if once else ()
    state, actions = settled(ended, t, final=False)
    return replace(state, rests=rests, doubted=doubted, turn=Turn(since, dice)), actions


def _being_played(state: State, since: float, t: float) -> bool:
    """Whether the turn was not over at ``since``, as far as the board shows."""
    _, ended = _until(state, since, t)
    return state.turn is not None and ended.tracks[0].score < -state.caution.dice_lead


def _until(state: State, end: float, t: float) -> tuple[Rests, State]:
    """The rests that had begun at ``end``, and the state when the turn was over then."""
    over = tuple(rest for rest in state.rests if rest.first_t <= end)
    return over, _turn_over(state, over, t)


def _ended(state: State, event: Ended) -> Step:
    return (state, ()) if state.over else _closed(state, state.rests, event.t, final=True)


def _closed(state: State, rests: Rests, t: float, final: bool) -> Step:
    return settled(_turn_over(state, rests, t), t, final)


def _turn_over(state: State, rests: Rests, t: float) -> State:
    """The state after the turn that these rests show, if there was one."""
    turn = state.turn or _turn_unseen(state, rests)
    if turn is None:
        return state
    throw = _throw(state, turn, rests, t)
    look = _look(rests, state.sightings)
    tracks = grown(state.tracks, throw, look, state.caution)
    if state.read_dice and state.closings and tracks[0].score < -state.caution.surprise:
        tracks = _with_joined(state, throw, rests, tracks)
    closing = Closing(turn.t, rests, look, state.tracks, throw, tracks[0].score)
    closings = (*state.closings, closing)
    return replace(state, tracks=tracks, closings=closings, turn=None)


def _with_joined(state: State, throw: Throw, rests: Rests, tracks: tuple[Track, ...]) -> tuple[Track, ...]:
    """The tracks and those in which this turn and the one before are the same."""
    last, caution = state.closings[-1], state.caution
    look = _look(last.rests[:-1] + rests, state.sightings)
    one = joined(last.parents, last.throw, look, last.surprise, caution)
    other = joined(last.parents, throw, look, last.surprise, caution)
    return pruned([*tracks, *one, *other], caution.kept, caution.kept_within)


def _turn_unseen(state: State, rests: Rests) -> Turn | None:
    """A first turn of the film whose roll was not seen, if the board is not any more as it was."""
    if not state.read_dice or len(rests) < 2 or rests[-1].readings < state.caution.readings:
        return None
    look = _look(rests, state.sightings)
    gone = all(
        look.since(track.position).scores([track.position])[0] < -state.caution.surprise
        for track in state.tracks
    )
    return Turn(rests[1].first_t, None) if gone else None


def _look(rests: Rests, sightings: Sightings) -> Look:
    """The look of a turn by these dice."""
    if not rests:
        nothing = Evidence(np.zeros((24, 31)), np.zeros((16, 16)), np.zeros((2, 16)), 0)
        return Look(nothing, None)
    start = rests[0].evidence.weighed() if len(rests) > 1 else None
    first_t, last_t = sightings.first_seen_t, sightings.last_t
    before = tuple(rest.lies for rest in rests[:-1] if rest.first_t <= first_t)
    pauses = tuple(rest.lies for rest, then in pairwise(rests) if then.first_t > last_t)
    return Look(rests[-1].lies, start, before, pauses)


def _throw(state: State, turn: Turn, rests: Rests, t: float) -> Throw:
    both = {Side.LIGHT: 0.0, Side.DARK: 0.0}
    dice, lay_s = turn.dice, t - turn.t
    if dice is None:
        return _throw_seen(state, both, lay_s, rests[-1].first_t if rests else t)
    if state.tracks[0].position == START and dice[0] != dice[1]:
        lower = Side.LIGHT if dice[0] < dice[1] else Side.DARK
        both[lower] = -state.caution.opening_order
    return Throw({Roll.of(*dice): 0.0}, both, lay_s)


def _throw_seen(state: State, sides: Mapping[Side, float], lay_s: float, settled_t: float) -> Throw:
    """The roll as the pictures show it, if they show it at all."""
    sightings = state.sightings
    if state.turn is None or not sightings.rolled:
        return Throw(ANY_ROLL, sides, lay_s, stayed=False, reported=False, seen=0, sure=False)
    stayed = sightings.last_t >= settled_t
    rolls = sightings.rolls(state.caution)
    return Throw(rolls, sides, lay_s, stayed, False, len(sightings.rolled), sightings.sure)
