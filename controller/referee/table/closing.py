"""The turn that is over: weighed, closed, opened again, and final."""

from dataclasses import replace
from functools import lru_cache
from math import inf

from controller.referee.actions import Message, Phase, TurnJudged
from controller.referee.seeing.rests import Rests
from controller.referee.table.games import (
    act,
    at_game_start,
    end_game,
    refusal,
    void_roll,
)
from controller.referee.table.hindsight import (
    after_entry,
    forget,
    is_calm,
    keep,
    revise,
    verdicts_of,
)
from controller.referee.table.sequels import follow_play, name_sides, sequels_of
from controller.referee.table.settings import DiceFrom
from controller.referee.table.state import Answer, Closing, Table, Thrown, conduct_of
from controller.referee.table.verdict import Outcome, Verdict, decide, look_of, weigh
from controller.referee.weighing.growth import join_turns
from controller.referee.weighing.report import wrong_try
from controller.referee.weighing.tracks import (
    RollEvidence,
    RollOutcome,
    Track,
    TrackEntry,
    extend,
    first_tracks,
    keep_entries,
    prune,
    rescore,
)
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import FinalAt


def throw_of(table: Table, rests: Rests) -> RollEvidence:
    """The roll being played, where these rests are its turn."""
    assert table.thrown is not None
    opening = at_game_start(table)
    throw = table.thrown.seen_by(table.sightings, rests, table.t, table.caution, opening=opening)
    return replace(throw, sequels=sequels_of(table.match.game))


class _Case:
    """A table to judge. It equals every other one that knows the same about the turn, whatever else differs."""

    def __init__(self, table: Table) -> None:
        self.table = table
        what = (table.settings, table.match, table.tracks, table.closings, table.thrown, table.sightings)
        self._key = (table.t, table.rests, *(id(each) for each in what))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Case) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)


def judge_turn(table: Table, rests: Rests | None = None) -> Verdict | None:
    """What became of the roll being played, as these rests show (all since the roll); None if there is none."""
    rests = table.rests if rests is None else rests
    if table.thrown is None or not rests:
        return None
    return _judge_case(_Case(table if rests is table.rests else replace(table, rests=rests)))


@lru_cache(maxsize=4)
def _judge_case(case: _Case) -> Verdict:
    """The verdict, which is asked for several times in one step: whether a turn is over, and what became of it."""
    table, rests = case.table, case.table.rests
    assert table.thrown is not None
    caution, throw = table.caution, throw_of(table, rests)
    calm = is_calm(table)
    seen = table.sightings
    look = (
        look_of(rests, table.thrown.t) if throw.reported else look_of(rests, seen.first_seen_t, seen.last_t)
    )
    verdict = weigh(table.tracks, throw, look, caution, calm=calm)
    if not throw.reported and table.closings and verdict.tracks[0].score < -caution.surprise:
        tracks = _with_one_turn(table, throw, rests, verdict.tracks)
        verdict = decide(tracks, throw, look, caution, calm=calm)
    if verdict.outcome is Outcome.ILLEGAL and verdict.entry.ply != table.ply:
        # It would take another course of the game than the one that was told, such as somebody who could not move and
        # rolled again: nobody is accused on top of that.
        verdict = decide(verdict.tracks, throw, look, caution, calm=False)
    return replace(verdict, tracks=name_sides(table.match, verdict.tracks))


def _with_one_turn(
    table: Table, throw: RollEvidence, rests: Rests, tracks: tuple[Track, ...]
) -> tuple[Track, ...]:
    """The explanations and those in which this turn and the one before are the same."""
    last, caution, seen = table.closings[-1], table.caution, table.sightings
    look = look_of(last.rests[:-1] + rests, seen.first_seen_t, seen.last_t)
    parents = keep_entries(last.parents, len(table.closings) - 1)
    one = join_turns(parents, last.throw, look, last.surprise, caution)
    other = join_turns(parents, throw, look, last.surprise, caution)
    return prune([*tracks, *one, *other], caution.kept, caution.kept_within)


def close(
    on: Answer, verdict: Verdict, entry: TrackEntry, turn: TurnJudged, *, sure: bool, open_: bool = False
) -> None:
    """The turn counts (until it is final)."""
    table = on.table
    assert table.thrown is not None
    caution = table.caution
    hidden = table.rests[-1].covered if table.rests else frozenset()
    tracks = prune(verdict.tracks, caution.kept, caution.kept_after) if sure else verdict.tracks
    weighed = _closing_of(table, verdict, entry, turn)
    closing = replace(weighed, sure=sure and not hidden, points=verdict.points, hidden=hidden, open=open_)
    _end(on, closing, entry, tracks)


def close_void(on: Answer, verdict: Verdict) -> None:
    """The roll did not count; but it may have been played unseen, as what follows may show."""
    table = on.table
    assert table.thrown is not None
    entries = [track.history[-1] for track in verdict.tracks]
    void = next((one for one in entries if one.kind is RollOutcome.VOID and not one.pushed), verdict.entry)
    closing = replace(_closing_of(table, verdict, void, None), final=True)
    void_roll(on)
    if on.table.thrown is None and on.table.match.results == table.match.results:
        kept = prune(verdict.tracks, table.caution.kept, table.caution.kept_after)
        if not any(_agrees(track, table) for track in kept):
            # Whatever else may have happened, that the roll was void stays thought of: it is what was decided.
            here, side = table.position, table.thrown.side
            nothing = TrackEntry(table.ply, RollOutcome.VOID, side, void.roll, here, here, 0.0)
            agreeing = (track for track in table.tracks if _agrees(track, table))
            kept += tuple(extend(track, nothing, kept[-1].score - track.score) for track in agreeing)
        keep(on, closing, kept)


def _agrees(track: Track, table: Table) -> bool:
    """Whether an explanation ends where the game stands."""
    return track.position == table.position and track.side is table.match.game.turn


def _closing_of(table: Table, verdict: Verdict, entry: TrackEntry, turn: TurnJudged | None) -> Closing:
    """The turn being played as it was weighed, taken for certain."""
    assert table.thrown is not None
    return Closing(
        table.match,
        table.thrown,
        verdict.throw,
        table.rests,
        verdict.look,
        table.tracks,
        verdict.tracks[0].score,
        entry,
        turn,
        sure=True,
        dice_t=dice_times(table),
    )


def close_as_told(on: Answer, entry: TrackEntry, turn: TurnJudged, *, open_: bool = False) -> None:
    """The turn counts as people said, or left it standing: nothing else is thought of.

    With ``open_`` the record does not have it yet.
    """
    table = on.table
    assert table.thrown is not None
    position, side, last = turn.after, turn.side.opponent, turn.ply + 1
    rests = table.rests
    closing = Closing(
        table.match,
        table.thrown,
        throw_of(table, rests),
        rests,
        look_of(rests, table.thrown.t),
        table.tracks,
        0.0,
        entry,
        turn,
        sure=True,
        open=open_,
    )
    forget(on, 0)
    track = replace(first_tracks(position, side, last)[0], history=(entry,))
    _end(on, closing, entry, name_sides(table.match, (track,)))


def _end(on: Answer, closing: Closing, entry: TrackEntry, tracks: tuple[Track, ...]) -> None:
    before = on.table.match
    on.change(match=after_entry(before, entry, on.table.caution))
    if on.table.match.winner is not None or len(on.table.match.results) > len(before.results):
        end_game(on, before)
        return
    on.change(
        phase=Phase.TO_ROLL,
        ply=entry.last.ply + 1,
        rests=on.table.rests[-1:],
        thrown=None,
        best=None,
        flagged=None,
        warned=(),
    )
    keep(on, closing, tracks)
    revise(on)
    if entry.last.side is not None:
        follow_play(on, entry.last.side)


def reported_t(thrown: Thrown) -> float:
    """When a roll came that was reported; dice that are seen may have lain there before they were read."""
    return -inf if thrown.dice is None else thrown.t


def dice_times(table: Table) -> tuple[float, float]:
    """When a die of the latest roll was first seen, and when last."""
    return table.sightings.first_seen_t, table.sightings.last_t


def weigh_again(table: Table, closing: Closing, rests: Rests) -> Verdict:
    """The judgement of a turn that is over, with more rests."""
    parents = keep_entries(closing.parents, len(table.closings) - 1)
    calm = is_calm(table, len(table.closings) - 1)
    if closing.throw.reported:
        look, throw = look_of(rests, closing.thrown.t), closing.throw
    else:
        first_t, last_t = closing.dice_t if table.thrown is not None else dice_times(table)
        look = look_of(rests, first_t, last_t)
        stayed = closing.throw.stayed and last_t >= rests[-1].first_t
        throw = replace(closing.throw, stayed=stayed)
    verdict = weigh(parents, throw, look, table.caution, calm=calm)
    return replace(verdict, tracks=name_sides(closing.match, verdict.tracks))


def recount(on: Answer, ended: Closing, verdict: Verdict) -> None:
    """The turn before was something else, or is certain now."""
    told = ended.turn
    unwind(on, ended, with_later(ended, on.table.rests))
    entry, table = verdict.entry, on.table
    if told is None or ended.open or entry.last.key != ended.entry.last.key:
        ply = table.ply if ended.open else entry.last.ply + 1
        frame = table.rests[-1].last_frame
        judged = verdicts_of(entry, frame, table.t, table.caution, from_ply=ply)
        turn = next(one for one in reversed(judged) if isinstance(one, TurnJudged))
        if ended.open and verdict.outcome is Outcome.LEGAL:
            wrong = wrong_try(
                entry, turn, table.rests, verdict.throw, reported_t(ended.thrown), table.caution
            )
            judged[-1:-1] = [wrong] if wrong is not None else []
        on.do(*judged)
    else:
        turn = told
    close(on, verdict, entry, turn, sure=verdict.outcome is Outcome.LEGAL)


def unwind(on: Answer, ended: Closing, rests: Rests) -> None:
    """Go back to before the end of the last turn."""
    number = len(on.table.closings) - 1
    on.change(
        match=ended.match,
        thrown=ended.thrown,
        rests=rests,
        tracks=keep_entries(ended.parents, number),
        closings=on.table.closings[:-1],
        ply=ended.entry.ply,
    )


def with_later(ended: Closing, later: Rests) -> Rests:
    """The rests of a turn with those that were seen since; the first of them goes on with its last one."""
    if len(ended.rests) > 1:
        return (*ended.rests[:-1], *later)
    return (*ended.rests, *later[1:])


def name_roll(on: Answer, entry: TrackEntry) -> None:
    """Set down the roll as the play shows it, where it was open what or whose it was."""
    table, side = on.table, entry.side
    thrown = table.thrown
    assert thrown is not None
    assert side is not None
    if entry.roll == thrown.roll and side is thrown.side:
        return
    if thrown.side is side.opponent and entry.ply == table.ply + 1:
        tell_pass(on, thrown.side)
    if thrown.side is None:
        high, low = entry.roll.dice
        opening = ruled.OpeningRoll(*((high, low) if side is Side.LIGHT else (low, high)))
        if high != low and refusal(table.match, opening) is None:
            act(on, opening)
        on.tell(Message.STARTS, side=str(side), dice=[high, low])
    game = replace(on.table.match.game, turn=side, dice=entry.roll.dice)
    on.change(
        match=replace(on.table.match, game=game),
        thrown=replace(thrown, side=side, roll=entry.roll),
    )


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
    kept = conduct.illegal_final_at is FinalAt.OPPONENT_PLAY_COMPLETE and not ended.turn.legal
    closings = (*on.table.closings[:-1], replace(ended, open=False, final=not kept))
    on.change(closings=closings)
    certain = all(each.sure for each in closings) and len(on.table.tracks) == 1
    if certain and not kept and on.table.settings.dice is not DiceFrom.CAMERA:
        forget(on, 0)


def weigh_before(on: Answer, over: Rests) -> bool:
    """Weigh the turn before anew, with all that was seen until a new roll came to lie.

    Whether that explains the board better than what was told. Dice that were overlooked, or taken up in between, may
    belong to turns of their own.
    """
    ended = on.table.ended
    if ended is None or len(over) < 2:
        return False
    verdict = weigh_again(on.table, ended, with_later(ended, over))
    if verdict.tracks[0].score <= on.table.tracks[0].score:
        return False
    if verdict.outcome in (Outcome.IDLE, Outcome.DISTURBED):
        return False
    if verdict.outcome is Outcome.ILLEGAL and not ended.open:
        return False
    recount(on, ended, verdict)
    return True


def look_back(on: Answer) -> None:
    """Nothing has moved since the turn before: what is seen still shows how it ended.

    Points that were hidden then may come to light now, and with them a play that broke a rule.
    """
    table = on.table
    if not table.closings or not table.rests:
        return
    last, now = table.closings[-1], table.rests[0]
    if last.hidden - now.covered:
        verdict = weigh_again(table, last, with_later(last, table.rests))
        look, tracks = verdict.look, verdict.tracks
    else:
        look = replace(last.look, end=now.lies)
        tracks = rescore(table.tracks, look)
    seen = replace(last, look=look, hidden=last.hidden & now.covered)
    on.change(closings=(*table.closings[:-1], seen), tracks=tracks)
    revise(on)


def doubted_rests(table: Table) -> Rests:
    """The rests before the one that the roll being played began from, if that one was seen in one picture only."""
    if table.phase is not Phase.MOVING or not table.closings or len(table.rests) != 1:
        return ()
    last, earlier = table.rests[0], table.closings[-1].rests
    if last.readings > 1 or not earlier or earlier[-1].first_t != last.first_t:
        return ()
    return earlier[-1 - table.caution.glitches : -1]


def drop_glitch(on: Answer, shown: Rests) -> None:
    """The one picture that the turn before was judged by was a glitch: the board lies as it did earlier."""
    last = on.table.closings[-1]
    on.change(rests=shown)
    verdict = weigh_again(on.table, last, last.rests[:1] + shown)
    closings = (*on.table.closings[:-1], replace(last, look=verdict.look, sure=False))
    on.change(closings=closings, tracks=verdict.tracks)
    revise(on)
