"""The turn that is over: weighed, closed, opened again, and final."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise
from math import inf, log
from typing import Final

import numpy as np

from controller.referee.actions import Message, Phase, TurnJudged
from controller.referee.belief import rates
from controller.referee.belief.branches import (
    Beam,
    Branch,
    EndedBy,
    Hypothesis,
    Passage,
    Throw,
    Touched,
    TurnLook,
    first_beam,
    keep_latest,
    prune,
)
from controller.referee.belief.decision import Verdict, same, weigh
from controller.referee.belief.word import with_word
from controller.referee.seeing.evidence import Evidence
from controller.referee.seeing.settled import SettledView, SettledViews
from controller.referee.seeing.sightings import ANY_ROLL, Sightings
from controller.referee.table.games import act, at_game_start, end_game, refusal, void_roll
from controller.referee.table.sequels import follow_play, name_sides, sequels_of
from controller.referee.table.settings import DiceFrom
from controller.referee.table.smoothing import after_entry, forget, keep, revise
from controller.referee.table.state import (
    Answer,
    Closing,
    Table,
    Thrown,
    conduct_of,
    is_seen_since_end,
    shows,
)
from controller.rules import Roll, Side
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import FinalAt

KEPT_AFTER: Final = 9.0
"""Once a turn is certain, branches that are less likely by a factor of 8,000 are given up."""
NOTHING_SEEN: Final = Evidence(np.zeros((24, 31)), np.zeros((16, 16)), np.zeros((2, 16)), 0)


def throw_of(table: Table, views: SettledViews, ended_by: EndedBy = EndedBy.NOTHING) -> Throw:
    """The roll being played with everything that is open about it, where these settled views are its turn."""
    thrown, rolls, seen = table.playing, _rolls_of(table), table.sightings
    sequels = sequels_of(table.match.game)
    throw = Throw(
        rolls or ANY_ROLL,
        _sides_of(table),
        table.t - thrown.t,
        sequels=sequels,
        ended_by=ended_by,
        said_over=thrown.said_over,
    )
    if table.flagged is not None and ended_by is EndedBy.NOTHING:
        throw = replace(throw, wrong=table.flagged.after)
    if thrown.dice is not None:
        return throw
    stayed = bool(rolls) and seen.last_t >= (views[-1].first_t if views else table.t)
    throw = replace(throw, stayed=stayed, reported=False)
    if not rolls:
        return replace(throw, seen=0)
    # Each of its rolls loses what makes it likely that it was none.
    is_roll = seen.is_roll
    rolls = {roll: share + log(is_roll) for roll, share in rolls.items()}
    throw = replace(throw, rolls=rolls, seen=len(seen.rolled), is_roll=is_roll)
    if not seen.glimpsed:
        return throw
    since_s = seen.first_seen_t - seen.glimpsed[0].last_t
    return replace(throw, glimpsed=seen.glimpsed_rolls(table.caution), glimpsed_s=since_s)


def _rolls_of(table: Table) -> dict[Roll, float]:
    """What the roll being played may be, with log-probabilities; empty where no dice were seen."""
    thrown = table.playing
    if thrown.dice is not None:
        rolls = {thrown.roll: 0.0}
    else:
        rolls = dict(thrown.first or table.sightings.rolls(table.caution))
    again = thrown.roll_again
    if rolls and again is not None:
        rolls[again] = float(np.logaddexp(rolls.get(again, -inf), rates.ROLLED_AGAIN.log))
    return rolls


def _sides_of(table: Table) -> dict[Side, float]:
    """Who may have rolled, with log-probabilities.

    At an opening whose dice have an order the side with the lower die is the less likely one to start.
    """
    side, dice = table.playing.side, table.playing.dice
    if side is not None:
        return {side: 0.0}
    if dice is None or dice[0] == dice[1] or not at_game_start(table):
        return dict.fromkeys(Side, -log(2))
    lower = Side.LIGHT if dice[0] < dice[1] else Side.DARK
    return {lower.opponent: 0.0, lower: rates.OPENING_ORDER.log}


def look_of(views: SettledViews, first_t: float = inf, last_t: float = inf) -> TurnLook:
    """The look of a turn: how the board lay before it (if anything was moved) and how it lies now.

    The moments before its dice came to lie at ``first_t``, and those after they were last seen at ``last_t``, are
    kept apart: something else may have happened in them.
    """
    if not views:
        return TurnLook(NOTHING_SEEN, None)
    start = views[0].evidence.weighed() if len(views) > 1 else None
    before = tuple(view.visible for view in views[:-1] if view.first_t <= first_t)
    pauses = tuple(view.visible for view, then in pairwise(views) if then.first_t > last_t)
    once = views[-1].readings < 2 and len(views) > 1
    between = tuple(view.visible for view in views[1:-1])
    return TurnLook(
        views[-1].visible,
        start,
        None,
        earlier=views[-2].visible if once else None,
        between=between,
        between_s=tuple(view.stood_s for view in views[1:-1]),
        before=before,
        pauses=pauses,
        stale=views[-1].until is not None,
        stood_s=views[-1].last_t - views[-1].first_t,
        still_s=max(views[0].last_t - first_t, 0.0),
        passages=tuple(Passage(view.visible, touched_by((view,))) for view in views[1:]),
    )


def touched_by(views: SettledViews) -> Touched | None:
    """The points that the hands of each side covered; None where that is not known of all the time."""
    found: dict[Side | None, frozenset[int]] = {}
    for view in views:
        if view.hands is None:
            return None
        told = {Side(hand.side) for hand in view.hands if hand.side is not None}
        if len(told) != 1 and any(hand.side is None for hand in view.hands):
            return None
        for hand in view.hands:
            whose: set[Side | None] = {None, *told} if hand.side is None else {Side(hand.side)}
            for side in whose:
                found[side] = found.get(side, frozenset()) | hand.points
    return found


def hand_over(views: SettledViews, points: Iterable[int]) -> Side | None:
    """Whose hand was over all these points in these settled views, where the other's was over none; else None."""
    touched, all_of_them = touched_by(views) or {}, frozenset(points)
    sides = [side for side, covered in touched.items() if covered & all_of_them]
    return sides[0] if len(sides) == 1 and all_of_them <= touched[sides[0]] else None


def tell_disturbed(on: Answer, points: tuple[int, ...], by: Side | None, view: SettledView) -> None:
    """Say which points lie otherwise than after any play, since when, and by whose hand if that is certain."""
    whose = {} if by is None else {"side": str(by)}
    on.ask(points, Message.MOVED_OUT_OF_TURN, since_s=round(on.table.t - view.first_t), **whose)


class _Case:
    """A table to judge. It equals every other one that knows the same about the turn, whatever else differs."""

    def __init__(self, table: Table, ended_by: EndedBy) -> None:
        self.table, self.ended_by = table, ended_by
        what = (table.settings, table.match, table.beam, table.closings, table.thrown, table.sightings)
        since = is_seen_since_end(table)
        self._key = (ended_by, table.t, since, table.views, *(id(each) for each in what))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Case) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def judge_turn(
    table: Table, views: SettledViews | None = None, ended_by: EndedBy = EndedBy.NOTHING
) -> Verdict | None:
    """What became of the roll being played, as these settled views, all since the roll, show; or None."""
    views = table.views if views is None else views
    if table.thrown is None or not views:
        return None
    case = table if views is table.views else replace(table, views=views)
    return _judge_case(_Case(case, ended_by))


@lru_cache(maxsize=4)
def _judge_case(case: _Case) -> Verdict:
    """The verdict, which is asked for several times in one step: whether a turn is over, and what became of it."""
    table, views = case.table, case.table.views
    throw = throw_of(table, views, case.ended_by)
    look = look_of(views, *dice_times(table.playing, table.sightings))
    look = replace(look, stale=look.stale or not is_seen_since_end(table))
    verdict = weigh(table.beam, throw, look, table.caution)
    return replace(verdict, beam=name_sides(table.match, verdict.beam))


def close(on: Answer, verdict: Verdict, turn: TurnJudged | None, *, sure: bool, open_: bool = False) -> None:
    """The turn counts (until it is final); one that is not told yet has no ``turn``."""
    table = on.table
    hidden = table.views[-1].covered if table.views else frozenset()
    beam = prune(verdict.beam, len(verdict.beam), KEPT_AFTER) if sure else verdict.beam
    closing = _closing_of(table, verdict.throw, verdict.look, verdict.entry, turn)
    glimpsed = verdict.look.earlier is not None
    closing = replace(closing, sure=sure and not hidden, points=verdict.points, hidden=hidden)
    _end(on, replace(closing, open=open_, glimpsed=glimpsed), beam)


def close_void(on: Answer, verdict: Verdict) -> None:
    """The roll did not count; but it may have been played unseen, as what follows may show."""
    table = on.table
    closing = _closing_of(table, verdict.throw, verdict.look, verdict.entry, None)
    void_roll(on)
    # What is told stays among what is thought of until something else is certain.
    known = any(branch.position == table.position for branch in verdict.beam)
    if known and on.table.thrown is None and on.table.match.results == table.match.results:
        keep(on, replace(closing, final=True), verdict.beam)


def _closing_of(
    table: Table, throw: Throw, look: TurnLook, entry: Hypothesis, turn: TurnJudged | None
) -> Closing:
    """The turn being played as it was weighed, taken for certain."""
    return Closing(
        table.match,
        table.playing,
        throw,
        views=table.views,
        look=look,
        parents=table.beam,
        entry=entry,
        turn=turn,
        sure=True,
    )


def close_as_told(
    on: Answer, entry: Hypothesis, turn: TurnJudged, *, besides: Beam = (), open_: bool = False
) -> None:
    """The turn counts as people said, or left it standing; ``besides`` is what the pictures have it as.

    With ``open_`` the record does not have it yet.
    """
    table = on.table
    look = look_of(table.views, *dice_times(table.playing, table.sightings))
    closing = _closing_of(table, throw_of(table, table.views), look, entry, turn)
    forget(on, 0)
    branch = first_beam(turn.after, turn.side.opponent, turn.ply + 1)[0]
    known = max(table.beam, key=lambda one: one.score).bias
    word = replace(branch, history=(entry,), bias=known)
    beam = name_sides(table.match, with_word(word, besides) if besides else (word,))
    ahead = bool(besides) and not shows(table, turn.after)
    _end(on, replace(closing, open=open_, ahead=ahead), beam)


def _end(on: Answer, closing: Closing, beam: tuple[Branch, ...]) -> None:
    before, entry = on.table.match, closing.entry
    on.change(match=after_entry(before, entry, on.table.caution))
    if on.table.match.winner is not None or len(on.table.match.results) > len(before.results):
        end_game(on, before)
        return
    on.change(
        phase=Phase.TO_ROLL,
        ply=entry.last.ply + 1,
        views=on.table.views[-1:],
        thrown=None,
        warned=(),
    )
    keep(on, closing, beam)
    if on.table.settings.remote is None:
        revise(on)
    else:
        _settle(on)
    if entry.last.side is not None:
        follow_play(on, entry.last.side)


def _settle(on: Answer) -> None:
    """With the other side at another table a turn is what was told there: final, and nothing else is thought of."""
    finish_turn(on)
    game, known = on.table.match.game, max(on.table.beam, key=lambda one: one.score)
    forget(on, 0)
    (branch,) = first_beam(game.position, game.turn, on.table.ply)
    on.change(beam=(replace(branch, bias=known.bias),))


def reported_t(thrown: Thrown) -> float:
    """When a roll came that was reported; dice that are seen may have lain there before they were read."""
    return -inf if thrown.dice is None else thrown.t


def dice_times(thrown: Thrown, sightings: Sightings) -> tuple[float, float]:
    """When the dice of a roll came to lie there, and when they were seen last.

    Nobody need see those of a roll that was reported.
    """
    if thrown.dice is not None:
        return thrown.t, inf
    return sightings.first_seen_t, sightings.last_t


def weigh_again(table: Table, closing: Closing) -> Verdict:
    """The judgement of the last turn with what was seen since it was over."""
    views = _with_later(closing, table.views)
    throw, times = closing.throw, dice_times(closing.thrown, table.sightings)
    if not throw.reported:
        throw = replace(throw, stayed=throw.stayed and times[1] >= views[-1].first_t)
    look = look_of(views, *times)
    if closing.look.ended is not None:
        look = replace(look, ended=closing.look.ended)
    elif views[-1].first_t > closing.views[-1].first_t and not closing.ahead:
        look = replace(look, ended=closing.look.end)
    return _weigh_closed(table, closing, throw, look)


def _weigh_closed(table: Table, closing: Closing, throw: Throw, look: TurnLook) -> Verdict:
    """The judgement of the last turn, from how the game may have gone before it."""
    parents = keep_latest(closing.parents, len(table.closings) - 1)
    verdict = weigh(parents, throw, look, table.caution)
    return replace(verdict, beam=name_sides(closing.match, verdict.beam))


def look_closer(on: Answer, ended: Closing) -> None:
    """Weigh the last turn with how its end is seen before the next one is begun.

    Whatever lies there lay there then: the next player has touched nothing yet.
    """
    start = on.table.views[0]
    look = replace(ended.look, end=start.visible, earlier=None)
    verdict = _weigh_closed(on.table, ended, ended.throw, look)
    known = replace(ended, look=look, views=(*ended.views[:-1], start), glimpsed=False)
    on.change(closings=(*on.table.closings[:-1], known), beam=verdict.beam)


def learn(on: Answer, ended: Closing, verdict: Verdict) -> None:
    """The last turn as it was weighed again, with what was seen since: what it was told as is another matter."""
    views, glimpsed = _with_later(ended, on.table.views), verdict.look.earlier is not None
    known = replace(ended, views=views, throw=verdict.throw, look=verdict.look, glimpsed=glimpsed)
    on.change(
        closings=(*on.table.closings[:-1], known),
        views=on.table.views[-1:],
        beam=prune(verdict.beam, len(verdict.beam), KEPT_AFTER),
    )


def unwind(on: Answer, ended: Closing) -> None:
    """Go back to before the end of the last turn, with what was seen since."""
    number = len(on.table.closings) - 1
    on.change(
        match=ended.match,
        thrown=replace(ended.thrown, announced=None, flagged=None),
        views=_with_later(ended, on.table.views),
        beam=keep_latest(ended.parents, number),
        closings=on.table.closings[:-1],
        ply=ended.entry.ply,
    )


def _with_later(ended: Closing, later: SettledViews) -> SettledViews:
    """The settled views of a turn with those that were seen since; the first of them goes on with its last one."""
    if len(ended.views) > 1:
        return (*ended.views[:-1], *later)
    return (*ended.views, *later[1:])


def name_roll(on: Answer, entry: Hypothesis, beam: Beam = ()) -> None:
    """Set down the roll as the play shows it, where it was open what or whose it was.

    ``beam`` holds the branches with ``entry`` as the last of their histories, where it was weighed.
    """
    table, thrown, side = on.table, on.table.playing, entry.side
    assert side is not None
    if entry.roll == thrown.roll and side is thrown.side:
        return
    skips = thrown.side is side.opponent and entry.ply == table.ply + 1
    if thrown.side is not None and skips and not _has_rolled_before(beam, entry, table.ply):
        tell_pass(on, thrown.side)
    if thrown.side is None:
        high, low = entry.roll.dice
        opening = ruled.OpeningRoll(*((high, low) if side is Side.LIGHT else (low, high)))
        if high != low and refusal(table.match, opening) is None:
            act(on, opening)
        on.tell(Message.STARTS, side=str(side), dice=[high, low])
    game = replace(on.table.match.game, turn=side, dice=entry.roll.dice)
    on.change(match=replace(on.table.match, game=game))
    on.change_roll(side=side, roll=entry.roll)


def _has_rolled_before(beam: Beam, entry: Hypothesis, ply: int) -> bool:
    """Whether turn ``ply`` was played with a roll before that of ``entry``, as the likeliest course to it has it."""
    course = next((branch for branch in beam if same(branch.last, entry)), None)
    turns = [made for turn in course.history[:-1] for made in turn.chain] if course is not None else []
    return any(made.ply == ply and made.is_turn for made in turns)


def tell_pass(on: Answer, side: Side) -> None:
    """A side that is closed out left its turn to the other without rolling."""
    on.tell(Message.PASSES, side=str(side), ply=on.table.ply, position=on.table.position.compact())


def finish_turn(on: Answer) -> None:
    """The opponent rolled or doubled: the turn before stands as it is."""
    ended = on.table.ended
    if ended is None or ended.turn is None:
        return
    if ended.open:
        on.do(replace(ended.turn, t=on.table.t))
    conduct = conduct_of(on.table)
    kept = conduct.illegal_final_at is FinalAt.OPPONENT_PLAY_COMPLETE and ended.turn.legal is not True
    closings = (*on.table.closings[:-1], replace(ended, open=False, final=not kept))
    on.change(closings=closings)
    certain = all(each.sure for each in closings) and len(on.table.beam) == 1
    if certain and not kept and on.table.settings.dice is not DiceFrom.CAMERA:
        forget(on, 0)
