"""What has been told of the game, and when a turn is certain enough to be told."""

from dataclasses import dataclass, replace

from controller.referee.actions import Action, CubeTaken, DiceVoid, GameOver, TurnJudged, Unsure
from controller.referee.caution import Caution
from controller.referee.proof import best_lawful, proven, stood_illegal
from controller.referee.rests import Rests
from controller.referee.state import Closing, State, Told
from controller.referee.steps import begins
from controller.referee.tracks import Entry, Kind, Look, Throw, pruned
from controller.rules.movement import MovementRules
from controller.rules.notation import Play, format_play
from controller.rules.plays import play_between
from controller.rules.position import CHECKERS, Position, Side

LOOKED_BACK = 4
FITS = 7.0
CALM = 3
"""Where dice are read from pictures, so many turns before it must be certain for a turn to be called illegal."""


@dataclass(frozen=True)
class Decision:
    """The entry to tell, whether it is sure, and the points to look at if it is not.

    Nobody is accused where what came just before was not ``calm``, but uncertain.
    """

    entry: Entry
    sure: bool
    points: tuple[int, ...] = ()
    calm: bool = True


def settled(state: State, t: float, final: bool) -> tuple[State, tuple[Action, ...]]:
    """The state after everything was told that can be told at ``t``.

    With ``final`` nothing more will be seen, so that doubtful turns are told, too; a turn that was broken off
    by the end of the film is not.
    """
    state, actions = _revised(state, t)
    while not state.over and len(state.told) < len(state.closings):
        index = len(state.told)
        last = index == len(state.closings) - 1
        overdue = final or len(state.closings) - index > state.caution.patience
        decision = _decision(state, index, overdue)
        if decision is None or (final and last and not _finished(state, decision)):
            break
        state = replace(
            state, told=(*state.told, Told(decision.entry, decision.sure and decision.entry.then is None))
        )
        if decision.sure and last:
            kept = pruned(state.tracks, state.caution.kept, state.caution.kept_after)
            state = replace(state, tracks=kept)
        state, doubles = _doubles(state, index)
        actions += doubles
        revises = any(told.entry.is_turn and told.entry.ply >= decision.entry.ply for told in state.told[:-1])
        actions += _telling(decision, state, state.closings[index], t, revises)
        if (ended := _game_over(decision.entry.last, t)) is not None:
            actions.append(ended)
            state = replace(state, over=True)
    return state, tuple(actions)


def _decision(state: State, index: int, overdue: bool) -> Decision | None:
    best = state.tracks[0]
    entry = best.history[index]
    rival = next((one for one in state.tracks if rivals(entry, one.history[index])), None)
    lead = best.score - rival.score if rival else float("inf")
    closing = state.closings[index]
    calm = _calm(state, index)
    seen_once = index == len(state.closings) - 1 and closing.look.end.readings < 2 and not overdue
    if seen_once:
        return None
    if lead >= state.caution.lead and (
        entry.kind is not Kind.ILLEGAL or (calm and proven(entry, closing.look, closing.throw, state.caution))
    ):
        return Decision(entry, True, calm=calm)
    if not overdue:
        return None
    if entry.kind is Kind.ILLEGAL:
        other = next((one for one in state.tracks if one.history[index].kind is Kind.LEGAL), None)
        if other is not None and best.score - other.score < state.caution.lead:
            lawful = other.history[index]
        else:
            lawful = lawful_instead(entry, closing.look, state.caution)
        return Decision(lawful, False, differing(entry.after, lawful.after))
    return Decision(entry, False, differing(entry.after, rival.history[index].after) if rival else ())


def _calm(state: State, index: int) -> bool:
    """Whether the turns just before this one were certain; of dice in pictures, that nothing odd was seen, too."""
    if state.closings[index].throw.reported:
        return all(told.sure for told in state.told[-1:])
    lately = state.closings[max(0, index - CALM) : index]
    odd = any(closing.surprise < -state.caution.lead for closing in lately)
    return not odd and all(told.sure for told in state.told[-CALM:])


def _same(entry: Entry, other: Entry) -> bool:
    return entry.key == other.key and entry.before == other.before


def rivals(entry: Entry, other: Entry) -> bool:
    """Whether telling one entry would be wrong if the other were true; which rule was broken comes second."""
    if entry.kind is Kind.ILLEGAL and other.kind is Kind.ILLEGAL:
        return False
    return entry.key != other.key


def lawful_instead(entry: Entry, look: Look, caution: Caution) -> Entry:
    """The legal turn that comes nearest to what was seen, where an illegal one is likely but not proven."""
    assert entry.side is not None
    after, _ = best_lawful(entry.before, entry.side, entry.roll, look.since(entry.before), caution)
    return replace(entry, kind=Kind.LEGAL, after=after, text="", reasons=(), also=(), nearest=None)


def differing(one: Position, other: Position) -> tuple[int, ...]:
    """The points (1..24) on which two positions differ."""
    pairs = zip(one.points, other.points, strict=True)
    return tuple(point for point, (a, b) in enumerate(pairs, start=1) if a != b)


def _finished(state: State, decision: Decision) -> bool:
    """Whether the last turn of a film was finished: not broken off before or in the middle of a play."""
    entry = decision.entry
    if not entry.is_turn or entry.side is None:
        return False
    look = state.closings[-1].look
    if entry.kind is Kind.ILLEGAL:
        return not begins(entry.before, entry.side, entry.roll, entry.after)
    return float(look.since(entry.before).scores([entry.after])[0]) > -FITS


def _revised(state: State, t: float) -> tuple[State, list[Action]]:
    """Turns that were told and turn out to have been something else in the light of what followed."""
    actions: list[Action] = []
    told = list(state.told)
    best = state.tracks[0]
    for index in range(max(0, len(told) - LOOKED_BACK), len(told)):
        entry = best.history[index]
        old = told[index].entry
        if _same(entry, old):
            continue
        as_told = next((one for one in state.tracks if _same(one.history[index], old)), None)
        if as_told is not None and best.score - as_told.score < state.caution.lead:
            continue
        told[index] = Told(entry, entry.kind is not Kind.ILLEGAL)
        if entry.kind is not Kind.ILLEGAL:
            actions += _telling(Decision(entry, True), state, state.closings[index], t, revises=True)
    return replace(state, told=tuple(told)), actions


def _telling(
    decision: Decision, state: State, closing: Closing, t: float, revises: bool = False
) -> list[Action]:
    entry, rules = decision.entry, state.caution.rules
    frame = closing.rests[-1].last_frame if closing.rests else None
    if entry.kind is Kind.NONE:
        return []
    if entry.kind is Kind.VOID:
        doubt = [] if decision.sure else [Unsure(t, frame, entry.ply, decision.points)]
        return [*doubt, DiceVoid(t, entry.roll)]
    actions: list[Action] = []
    for one in entry.chain:
        assert one.side is not None
        if one is entry and not decision.sure:
            actions.append(Unsure(t, frame, one.ply, decision.points))
        elif one.dice_doubted:
            actions.append(Unsure(t, frame, one.ply, ()))
        judged = turn_judged(one, one.side, frame, t, revises, rules)
        actions.append(judged)
    calm = decision.calm or closing.throw.reported
    if decision.sure and calm and entry.kind is Kind.LEGAL and not revises:
        wrong = wrong_try(entry, judged, closing.rests, closing.throw, state.caution)
        actions[-1:-1] = [wrong] if wrong is not None else []
    return actions


def wrong_try(
    entry: Entry, judged: TurnJudged, rests: Rests, throw: Throw, caution: Caution
) -> TurnJudged | None:
    """The illegal play that stood on the board before the legal turn ``judged``, if one did."""
    stood = stood_illegal(entry, rests, throw, caution)
    if stood is None:
        return None
    return replace(
        judged,
        play=None,
        text=stood.breach.text,
        legal=False,
        reasons=stood.breach.reasons,
        also=stood.breach.also,
        instead=play_to(entry, stood.breach.nearest or entry.after, caution.rules),
        after=stood.breach.after,
        frame=stood.rest.last_frame,
    )


def turn_judged(
    entry: Entry, side: Side, frame: int | None, t: float, revises: bool, rules: MovementRules
) -> TurnJudged:
    """How a turn is told; an illegal one as one that stands."""
    legal = entry.kind is Kind.LEGAL
    play = play_to(entry, entry.after, rules) if legal else None
    return TurnJudged(
        ply=entry.ply,
        side=side,
        roll=entry.roll,
        play=play,
        text=entry.text if play is None else format_play(play),
        legal=legal,
        reasons=entry.reasons,
        also=entry.also,
        instead=play_to(entry, entry.nearest, rules) if entry.nearest else None,
        stands=not legal,
        before=entry.before,
        after=entry.after,
        frame=frame,
        t=t,
        revises=revises,
    )


def play_to(entry: Entry, after: Position, rules: MovementRules) -> Play:
    """The legal play of the entry's roll that leads to ``after``."""
    assert entry.side is not None
    return play_between(entry.before, entry.side, entry.roll, after, rules) or ()


def _doubles(state: State, index: int) -> tuple[State, list[Action]]:
    """The doubles before the turn that is told next: those of its side that were seen before the next roll."""
    entry = state.told[index].entry
    until = state.closings[index + 1].t if index + 1 < len(state.closings) else float("inf")
    here = [turned for turned in state.turned if turned.doubler is entry.side and turned.t < until]
    taken: list[Action] = [
        CubeTaken(turned.t, turned.frame, entry.ply, turned.doubler, turned.shown.value)
        for turned in here
        if turned.doubler is not None
    ]
    return replace(state, turned=tuple(turned for turned in state.turned if turned not in here)), taken


def _game_over(entry: Entry, t: float) -> GameOver | None:
    side = entry.side
    if side is None or entry.after.off(side) < CHECKERS:
        return None
    return GameOver(t, side, entry.after)
