"""The end of a turn: judged, counted, flagged, let stand, put right, and final."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import TurnJudged
from controller.referee.growth import joined
from controller.referee.proof import BOARD
from controller.referee.report import turn_judged, wrong_try
from controller.referee.rests import Rests
from controller.referee.steps import begins
from controller.referee.table.actions import Flagged, Message
from controller.referee.table.answer import Answer
from controller.referee.table.games import (
    act,
    at_game_start,
    end_game,
    give_up_game,
    open_game,
    refusal,
    void_roll,
)
from controller.referee.table.hindsight import (
    after_entry,
    forget,
    is_calm,
    keep,
    revise,
    told_of_entry,
)
from controller.referee.table.phase import Phase
from controller.referee.table.settings import DiceFrom, End
from controller.referee.table.state import Closing, Table
from controller.referee.table.verdict import Outcome, Verdict, decide, look_of, weigh
from controller.referee.tracks import Entry, Kind, Throw, Track, aligned, first_tracks, pruned
from controller.rules import events as ruled
from controller.rules.conduct import Conduct, FinalAt, Party, Remedy
from controller.rules.judge import judge
from controller.rules.notation import Play, format_play
from controller.rules.plays import play_between
from controller.rules.position import Position, Side
from controller.rules.reasons import ReasonCode

PLAYERS: Final = frozenset({Party.MOVER, Party.OPPONENT})


def conduct_of(table: Table) -> Conduct:
    """How the table behaves, by the rules of the game being played."""
    return table.match.game.profile.conduct


def audience(table: Table) -> frozenset[Party]:
    """Whom the device may tell of an illegal play."""
    return conduct_of(table).may_tell(consent=table.consent)


def ends_of(table: Table) -> frozenset[End]:
    """What may end a turn at this table."""
    return table.settings.ending(conduct_of(table).turn_ends_by(clock_in_use=table.settings.clock))


def mover_of(table: Table) -> str:
    """Whose turn it is, for a message; empty while that is not known."""
    return str(table.on_turn or "")


def at_rest(table: Table) -> bool:
    """Whether the last picture showed the board at rest."""
    return bool(table.rests) and table.rests[-1].until is None


def shows(table: Table, position: Position) -> bool:
    """Whether the board at rest may well show this position.

    A single picture must not contradict it for certain anywhere on the board.
    """
    if not at_rest(table):
        return False
    lies, caution = table.rests[-1].lies, table.caution
    places = lies.by_place(position)
    once = lies.readings < caution.readings
    return float(places.sum()) > -caution.fits and not (once and float(places[:BOARD].min()) < -caution.lead)


def differences(table: Table, position: Position) -> tuple[int, ...]:
    """The points (1..24) at which the board, as it was seen last, does not look like this position."""
    lies = table.rests[-1].lies.by_place(position)[:24]
    return tuple(point for point in range(1, 25) if lies[point - 1] < -table.caution.witness)


def throw_of(table: Table, rests: Rests) -> Throw:
    """The roll being played, where these rests are its turn."""
    assert table.thrown is not None
    opening = at_game_start(table)
    return table.thrown.seen_by(table.sightings, rests, table.t, table.caution, opening=opening)


def judge_turn(table: Table, rests: Rests | None = None) -> Verdict | None:
    """What became of the roll being played, as these rests show (all since the roll); None if there is none."""
    rests = table.rests if rests is None else rests
    if table.thrown is None or not rests:
        return None
    caution, throw = table.caution, throw_of(table, rests)
    calm = is_calm(table)
    if throw.reported:
        return weigh(table.tracks, throw, look_of(rests, table.thrown.t), caution, calm=calm)
    seen = table.sightings
    look = look_of(rests, seen.first_seen_t, seen.last_t)
    verdict = weigh(table.tracks, throw, look, caution, calm=calm)
    if not table.closings or verdict.tracks[0].score >= -caution.surprise:
        return verdict
    tracks = _with_joined(table, throw, rests, verdict.tracks)
    return decide(tracks, throw, look, caution, calm=calm)


def end_turn(on: Answer) -> None:
    """The turn was ended: it is judged now, or as soon as the board is seen at rest."""
    on.change(phase=Phase.TURN_ENDED, warned=())
    if at_rest(on.table):
        settle_turn(on)


def settle_turn(on: Answer) -> None:
    """Say what became of a turn that is over, if that is clear by now; else ask."""
    verdict = judge_turn(on.table)
    if verdict is None:
        return
    match verdict.outcome:
        case Outcome.LEGAL:
            count_turn(on, verdict)
            return
        case Outcome.ILLEGAL:
            flag_play(on, verdict)
            return
        case Outcome.IDLE:
            on.change(phase=Phase.MOVING, warned=(Message.NOTHING_MOVED,))
            on.tell(Message.NOTHING_MOVED, side=mover_of(on.table))
            return
    if on.table.rests[-1].readings < on.table.caution.readings:
        return
    if verdict.outcome is Outcome.DISTURBED:
        tell_disturbed(on, verdict.points)
    elif (short := _short(verdict)) is not None:
        on.ask(verdict.points, Message.CHECKER_MISSING, side=str(short))
    else:
        on.ask(verdict.points)


def tell_disturbed(on: Answer, points: tuple[int, ...]) -> None:
    """Say which points lie otherwise than after any play, and since when; nobody is blamed for them."""
    since = round(on.table.t - on.table.rests[-1].first_t)
    on.ask(points, Message.MOVED_OUT_OF_TURN, since_s=since)


def count_turn(on: Answer, verdict: Verdict) -> None:
    """Set down the turn as ``verdict`` says: a legal one, or the likeliest one if it is not certain."""
    table = on.table
    assert table.thrown is not None
    sure = verdict.outcome is Outcome.LEGAL
    entry, frame = verdict.entry, table.rests[-1].last_frame
    _name_roll(on, entry)
    hidden = tuple(sorted(table.rests[-1].covered))
    doubt = None if sure and not hidden else verdict.points or hidden
    told = told_of_entry(entry, frame, table.t, table.caution, from_ply=on.table.ply, doubt=doubt)
    judged = next(turn for turn in reversed(told) if isinstance(turn, TurnJudged))
    if table.flagged is not None:
        on.do(replace(table.flagged, stands=False, t=table.t))
    elif sure and not judged.revises and (is_calm(table) or verdict.throw.reported):
        wrong = wrong_try(entry, judged, table.rests, verdict.throw, table.caution)
        told[-1:-1] = [wrong] if wrong is not None else []
    on.do(*told)
    _close(on, verdict, entry, judged, sure=sure)


def count_as_likeliest(on: Answer, rests: Rests | None = None) -> None:
    """The next roll came although the turn was not judged yet: what is likeliest counts, and the doubt is told.

    Where nothing was moved the roll before was void.
    """
    verdict = judge_turn(on.table, rests)
    if verdict is None:
        on.tell(Message.LOOK, points=[])
        return
    if verdict.outcome is Outcome.IDLE:
        _close_void(on, verdict)
    elif verdict.outcome is Outcome.ILLEGAL:
        _name_roll(on, verdict.entry)
        on.change(flagged=_turn_of(on.table, verdict.entry))
        let_stand(on)
    else:
        if verdict.outcome is Outcome.DISTURBED:
            tell_disturbed(on, verdict.points)
        count_turn(on, verdict)


def tell_pass(on: Answer, side: Side) -> None:
    """A side that is closed out left its turn to the other without rolling."""
    on.tell(Message.PASSES, side=str(side), ply=on.table.ply, position=on.table.position.compact())


def say_played(on: Answer, side: Side, after: Position) -> None:
    """Somebody says how the board stands after the turn: it is judged by the rules alone."""
    table = on.table
    assert table.thrown is not None
    roll, before = table.thrown.roll, table.position
    ruling = judge(before, side, roll, after, table.caution.rules)
    play = ruling.play if ruling.legal else None
    turn = TurnJudged(
        table.ply,
        side,
        roll,
        play,
        format_play(play) if play is not None else "",
        ruling.legal,
        tuple(ruling.reasons),
        (),
        _legal_instead(table, side, ruling.nearest[0] if ruling.nearest else None),
        not ruling.legal,
        before,
        after,
        None,
        table.t,
    )
    on.do(turn)
    kind = Kind.LEGAL if ruling.legal else Kind.ILLEGAL
    _close_told(on, Entry(table.ply, kind, side, roll, before, after, 0.0), turn)


def let_stand(on: Answer) -> None:
    """The illegal play that was flagged is left standing."""
    assert on.table.flagged is not None
    turn = replace(on.table.flagged, stands=True, t=on.table.t)
    on.do(turn)
    on.tell(Message.STANDS, side=str(turn.side))
    entry = Entry(turn.ply, Kind.ILLEGAL, turn.side, turn.roll, turn.before, turn.after, 0.0)
    _close_told(on, entry, turn)


def put_back(on: Answer) -> None:
    """The checkers are back where they were before the turn, which is played again with the same roll."""
    assert on.table.flagged is not None
    wrong = replace(on.table.flagged, stands=False, t=on.table.t)
    on.change(phase=Phase.MOVING, flagged=None, warned=(), rests=on.table.rests[-1:])
    on.do(wrong)
    on.tell(Message.PLAY_AGAIN, side=str(wrong.side))


def watch_correction(on: Answer) -> None:
    """One more picture while an illegal play is being put right."""
    flagged = on.table.flagged
    assert flagged is not None
    before, wrong = flagged.before, flagged.after
    if shows(on.table, before) and _likelier(on.table, before, wrong):
        put_back(on)
        return
    verdict = judge_turn(on.table)
    if verdict is None:
        return
    if verdict.outcome is Outcome.LEGAL:
        count_turn(on, verdict)
        return
    now = verdict.entry.after
    on_the_way = _apart(now, before) < _apart(wrong, before)
    if verdict.outcome is Outcome.ILLEGAL and now != wrong and not on_the_way:
        flag_play(on, verdict)


def reopen_turn(on: Answer) -> None:
    """Have an illegal play that had passed corrected after all, as long as it is not final."""
    ended = on.table.ended
    if (
        ended is None
        or ended.turn is None
        or ended.turn.legal
        or Remedy.CORRECT not in conduct_of(on.table).remedies()
    ):
        on.refuse()
        return
    _unwind(on, ended, (*ended.rests, *on.table.rests[1:]))
    on.change(phase=Phase.PUT_RIGHT, flagged=ended.turn, warned=())
    on.do(Flagged(on.table.t, ended.turn, frozenset(Party)))


def look_again(on: Answer) -> None:
    """One more picture while the turn before can still be corrected: it may show another end of it."""
    table, ended = on.table, on.table.ended
    if not at_rest(table):
        return
    fits = shows(table, table.position)
    if ended is None:
        if not fits:
            _tell_out_of_turn(on)
        return
    if ended.sure and fits:
        on.change(warned=())
        return
    if ended.sure and len(table.rests) == 1:
        return
    verdict = _weigh_again(table, ended, _with_later(ended, table.rests))
    same = verdict.entry.key == ended.entry.key
    if verdict.outcome is Outcome.LEGAL and not (same and ended.sure):
        _recount(on, ended, verdict)
    elif verdict.outcome is Outcome.ILLEGAL and not ended.sure and not ended.open:
        _unwind(on, ended, _with_later(ended, table.rests))
        flag_play(on, verdict)
    elif not fits:
        _tell_out_of_turn(on)


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
    verdict = _weigh_again(on.table, ended, _with_later(ended, over))
    if verdict.tracks[0].score <= on.table.tracks[0].score:
        return False
    if verdict.outcome in (Outcome.IDLE, Outcome.DISTURBED):
        return False
    if verdict.outcome is Outcome.ILLEGAL and not ended.open:
        return False
    _recount(on, ended, verdict)
    return True


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
    verdict = _weigh_again(on.table, last, last.rests[:1] + shown)
    closings = (*on.table.closings[:-1], replace(last, look=verdict.look, sure=False))
    on.change(closings=closings, tracks=verdict.tracks)
    revise(on)


def flag_play(on: Answer, verdict: Verdict) -> None:
    """Have an illegal play corrected, chosen about, or only noted down."""
    _name_roll(on, verdict.entry)
    table = on.table
    turn, to = _turn_of(table, verdict.entry), audience(table)
    on.do(Flagged(table.t, turn, to))
    if not to >= PLAYERS:
        _close(on, verdict, verdict.entry, turn, sure=True, open_=True)
        return
    choice = Remedy.LET_STAND in conduct_of(table).remedies()
    side = str(turn.side.opponent if choice else turn.side)
    on.change(phase=Phase.PUT_RIGHT, flagged=turn, warned=())
    on.tell(Message.CHOOSE if choice else Message.PUT_BACK, side=side)


def end_film(on: Answer) -> None:
    """No more pictures come: the last turn is judged as it lies, unless it was broken off."""
    table = on.table
    if table.phase is Phase.PUT_RIGHT:
        let_stand(on)
    elif table.phase in (Phase.MOVING, Phase.TURN_ENDED) and _is_finished(table):
        count_as_likeliest(on)
    finish_turn(on)


def begin_anew(on: Answer) -> None:
    """The checkers of a film were set up anew: the game before ends as it was seen last, and the next one begins."""
    shown = on.table.rests[-1:]
    on.change(rests=on.table.rests[:-1])
    if on.table.phase in (Phase.MOVING, Phase.TURN_ENDED) and _is_finished(on.table):
        count_as_likeliest(on)
    finish_turn(on)
    if on.table.phase is not Phase.GAME_OVER:
        give_up_game(on)
    on.change(rests=shown)
    open_game(on)


def _is_finished(table: Table) -> bool:
    """Whether the turn being played was not broken off before or in the middle of its play."""
    verdict = judge_turn(table)
    if verdict is None or verdict.outcome is Outcome.IDLE or verdict.entry.side is None:
        return False
    entry = verdict.best
    if entry.kind is Kind.ILLEGAL and entry.side is not None:
        return not begins(entry.before, entry.side, entry.roll, entry.after)
    fit = verdict.look.since(verdict.entry.before).scores([verdict.entry.last.after])[0]
    return float(fit) > -table.caution.fits


def _close(
    on: Answer, verdict: Verdict, entry: Entry, turn: TurnJudged, *, sure: bool, open_: bool = False
) -> None:
    """The turn counts (until it is final)."""
    table = on.table
    assert table.thrown is not None
    caution = table.caution
    hidden = table.rests[-1].covered if table.rests else frozenset()
    tracks = pruned(verdict.tracks, caution.kept, caution.kept_after) if sure else verdict.tracks
    closing = Closing(
        table.match,
        table.thrown,
        verdict.throw,
        table.rests,
        verdict.look,
        table.tracks,
        verdict.tracks[0].score,
        entry,
        turn,
        sure and not hidden,
        verdict.points,
        hidden,
        open_,
    )
    _end(on, closing, entry, tracks)


def _close_void(on: Answer, verdict: Verdict) -> None:
    """The roll did not count; but it may have been played unseen, as what follows may show."""
    table = on.table
    assert table.thrown is not None
    closing = Closing(
        table.match,
        table.thrown,
        verdict.throw,
        table.rests,
        verdict.look,
        table.tracks,
        verdict.tracks[0].score,
        verdict.entry,
        None,
        True,
        final=True,
    )
    void_roll(on)
    if on.table.thrown is None and on.table.match.results == table.match.results:
        keep(on, closing, pruned(verdict.tracks, table.caution.kept, table.caution.kept_after))


def _close_told(on: Answer, entry: Entry, turn: TurnJudged) -> None:
    """The turn counts as people said, or left it standing: nothing else is thought of."""
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
        True,
    )
    forget(on, 0)
    track = replace(first_tracks(position, side, last)[0], history=(entry,))
    _end(on, closing, entry, (track,))


def _end(on: Answer, closing: Closing, entry: Entry, tracks: tuple[Track, ...]) -> None:
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


def _weigh_again(table: Table, closing: Closing, rests: Rests) -> Verdict:
    """The judgement of a turn that is over, with more rests."""
    parents = aligned(closing.parents, len(table.closings) - 1)
    calm = is_calm(table, len(table.closings) - 1)
    seen = table.sightings
    if closing.throw.reported:
        look = look_of(rests, closing.thrown.t)
    else:
        look = look_of(rests, seen.first_seen_t, seen.last_t)
    stayed = closing.throw.stayed and seen.last_t >= rests[-1].first_t
    throw = closing.throw if closing.throw.reported else replace(closing.throw, stayed=stayed)
    return weigh(parents, throw, look, table.caution, calm=calm)


def _recount(on: Answer, ended: Closing, verdict: Verdict) -> None:
    """The turn before was something else, or is certain now."""
    told = ended.turn
    _unwind(on, ended, _with_later(ended, on.table.rests))
    entry, table = verdict.entry, on.table
    if told is None or ended.open or entry.last.key != ended.entry.last.key:
        ply = table.ply if ended.open else entry.last.ply + 1
        frame = table.rests[-1].last_frame
        judged = told_of_entry(entry, frame, table.t, table.caution, from_ply=ply)
        turn = next(one for one in reversed(judged) if isinstance(one, TurnJudged))
        if ended.open and verdict.outcome is Outcome.LEGAL:
            wrong = wrong_try(entry, turn, table.rests, verdict.throw, table.caution)
            judged[-1:-1] = [wrong] if wrong is not None else []
        on.do(*judged)
    else:
        turn = told
    _close(on, verdict, entry, turn, sure=verdict.outcome is Outcome.LEGAL)


def _unwind(on: Answer, ended: Closing, rests: Rests) -> None:
    """Go back to before the end of the last turn."""
    number = len(on.table.closings) - 1
    on.change(
        match=ended.match,
        thrown=ended.thrown,
        rests=rests,
        tracks=aligned(ended.parents, number),
        closings=on.table.closings[:-1],
        ply=ended.entry.ply,
    )


def _with_later(ended: Closing, later: Rests) -> Rests:
    """The rests of a turn with those that were seen since; the first of them goes on with its last one."""
    if len(ended.rests) > 1:
        return (*ended.rests[:-1], *later)
    return (*ended.rests, *later[1:])


def _with_joined(table: Table, throw: Throw, rests: Rests, tracks: tuple[Track, ...]) -> tuple[Track, ...]:
    """The explanations and those in which this turn and the one before are the same."""
    last, caution, seen = table.closings[-1], table.caution, table.sightings
    look = look_of(last.rests[:-1] + rests, seen.first_seen_t, seen.last_t)
    parents = aligned(last.parents, len(table.closings) - 1)
    one = joined(parents, last.throw, look, last.surprise, caution)
    other = joined(parents, throw, look, last.surprise, caution)
    return pruned([*tracks, *one, *other], caution.kept, caution.kept_within)


def _name_roll(on: Answer, entry: Entry) -> None:
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


def _turn_of(table: Table, entry: Entry) -> TurnJudged:
    frame = table.rests[-1].last_frame if table.rests else None
    return turn_judged(replace(entry, then=None), frame, table.t, table.caution.rules)


def _legal_instead(table: Table, side: Side, nearest: Position | None) -> Play | None:
    if nearest is None or table.thrown is None:
        return None
    return play_between(table.position, side, table.thrown.roll, nearest, table.caution.rules)


def _apart(one: Position, other: Position) -> int:
    """By how many checkers on the points two positions differ."""
    return sum(abs(a - b) for a, b in zip(one.points, other.points, strict=True))


def _likelier(table: Table, one: Position, other: Position) -> bool:
    scores = table.rests[-1].lies.scores([one, other])
    return float(scores[0] - scores[1]) >= table.caution.lead


def _tell_out_of_turn(on: Answer) -> None:
    """Checkers were moved although no roll is to be played, or this is another board: it is shown, once."""
    if on.table.rests[-1].readings < on.table.caution.readings:
        return
    points = differences(on.table, on.table.position)
    if len(points) >= on.table.caution.other_board:
        on.ask(points, Message.BOARD_OTHER)
    elif points:
        tell_disturbed(on, points)


def _short(verdict: Verdict) -> Side | None:
    """Whose checker is missing, where that explains the board best."""
    entry = verdict.tracks[0].history[-1]
    if all(reason.code is not ReasonCode.CHECKER_MISSING for reason in entry.reasons):
        return None
    return next((side for side in Side if entry.after.off(side) > entry.before.off(side)), None)
