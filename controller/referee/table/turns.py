"""The end of a turn: judged, confirmed, flagged, let stand, put right, and final."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import TurnJudged, Unsure
from controller.referee.ledger import turn_judged, wrong_try
from controller.referee.proof import BOARD
from controller.referee.table.actions import Action, Flagged, Message
from controller.referee.table.fusion import Outcome, Verdict, settled, verdict_of
from controller.referee.table.games import Step, acted, over, told, voided
from controller.referee.table.phase import Phase
from controller.referee.table.settings import End
from controller.referee.table.state import Ended, Table, Thrown
from controller.referee.tracks import Entry, Throw, Track, first_tracks
from controller.rules import events as ruled
from controller.rules.conduct import Conduct, FinalAt, Party, Remedy
from controller.rules.judge import judge
from controller.rules.match import advance
from controller.rules.notation import Play, format_play
from controller.rules.plays import play_between
from controller.rules.position import Position, Side
from controller.rules.reasons import Argument, ReasonCode

PLAYERS: Final = frozenset({Party.MOVER, Party.OPPONENT})
OTHER: Final = 7
"""Where so many points differ, no play did that."""
FITS: Final = 7.0
"""A position is what lies there when nothing seen speaks against it by more than this."""


def conduct_of(table: Table) -> Conduct:
    """How the table behaves, by the rules of the game being played."""
    return table.match.game.profile.conduct


def told_of(table: Table) -> frozenset[Party]:
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
    lies = table.rests[-1].lies
    places = lies.by_place(position)
    once = lies.readings < table.caution.readings
    return float(places.sum()) > -FITS and not (once and float(places[:BOARD].min()) < -table.caution.lead)


def differences(table: Table, position: Position) -> tuple[int, ...]:
    """The points (1..24) at which the board, as it was seen last, does not look like this position."""
    lies = table.rests[-1].lies.by_place(position)[:24]
    return tuple(point for point in range(1, 25) if lies[point - 1] < -table.caution.witness)


def judged(table: Table) -> Verdict | None:
    """What became of the roll being played, as far as the pictures show; None if none does."""
    if table.thrown is None or not table.rests:
        return None
    return verdict_of(table.tracks, throw_of(table), table.rests, table.caution)


def throw_of(table: Table) -> Throw:
    """The roll being played."""
    assert table.thrown is not None
    return table.thrown.seen_by(table.sightings, table.rests, table.t, table.caution)


def turn_over(table: Table) -> Step:
    """The turn was ended: it is judged now, or as soon as the board is seen at rest."""
    ended = replace(table, phase=Phase.TURN_ENDED, warned=())
    return judged_again(ended) if at_rest(table) else (ended, ())


def judged_again(table: Table) -> Step:
    """A turn that is over, after one more picture."""
    verdict = judged(table)
    if verdict is None:
        return table, ()
    match verdict.outcome:
        case Outcome.LEGAL:
            return confirmed(table, verdict)
        case Outcome.ILLEGAL:
            return _flagged(table, verdict)
        case Outcome.IDLE:
            idle = replace(table, phase=Phase.MOVING, warned=())
            return idle, (told(table, Message.NOTHING_MOVED, side=mover_of(table)),)
    if table.rests[-1].readings < table.caution.readings:
        return table, ()
    if (short := _short(verdict)) is not None:
        return asked(table, verdict.points, Message.CHECKER_MISSING, side=str(short))
    return asked(table, verdict.points)


def asked(
    table: Table, points: tuple[int, ...], message: Message = Message.LOOK, **arguments: Argument
) -> Step:
    """A person is asked to look at these points, once."""
    warning = (message, points)
    if table.warned == warning:
        return table, ()
    return replace(table, warned=warning), (told(table, message, points=list(points), **arguments),)


def confirmed(table: Table, verdict: Verdict, revises: bool = False) -> Step:
    """The turn counts as ``verdict`` says (a legal one, or the likeliest one if it is not certain)."""
    assert table.thrown is not None
    sure = verdict.outcome is Outcome.LEGAL
    entry, before, throw = verdict.entry, table.match, throw_of(table)
    table, rolled = _as_rolled(table, entry)
    actions = list(rolled)
    while entry.then is not None:
        table, more = _followed(table, entry, entry.then)
        actions += more
        entry = entry.then
    turn = _turn_of(table, entry, revises)
    if sure and not revises and table.flagged is None:
        wrong = wrong_try(entry, turn, table.rests, throw, table.caution)
        actions += [wrong] if wrong is not None else []
    if table.flagged is not None:
        actions.append(replace(table.flagged, stands=False, t=table.t))
    step = _counted(table, turn, settled(verdict), sure, verdict.points)
    return over((step, (*actions, turn)), before)


def said(table: Table, side: Side, after: Position) -> Step:
    """Somebody says how the board stands after the turn: it is judged by the rules alone."""
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
    tracks = first_tracks(after, side.opponent, table.ply + 1)
    return over((_counted(table, turn, tracks, True, ()), (turn,)), table.match)


def let_stand(table: Table) -> Step:
    """The illegal play that was flagged is left standing."""
    assert table.flagged is not None
    turn = replace(table.flagged, stands=True, t=table.t)
    tracks = first_tracks(turn.after, turn.side.opponent, turn.ply + 1)
    step = _counted(table, turn, tracks, True, ())
    return over((step, (turn, told(table, Message.STANDS, side=str(turn.side)))), table.match)


def put_back(table: Table) -> Step:
    """The checkers are back where they were before the turn, which is played again with the same roll."""
    assert table.flagged is not None
    wrong = replace(table.flagged, stands=False, t=table.t)
    again = replace(table, phase=Phase.MOVING, flagged=None, warned=(), rests=table.rests[-1:])
    return again, (wrong, told(table, Message.PLAY_AGAIN, side=str(wrong.side)))


def correcting(table: Table) -> Step:
    """One more picture while an illegal play is being put right."""
    assert table.flagged is not None
    before, wrong = table.flagged.before, table.flagged.after
    if shows(table, before) and _likelier(table, before, wrong):
        return put_back(table)
    verdict = judged(table)
    if verdict is None:
        return table, ()
    if verdict.outcome is Outcome.LEGAL:
        return confirmed(table, verdict)
    now = verdict.entry.after
    on_the_way = _apart(now, before) < _apart(wrong, before)
    if verdict.outcome is Outcome.ILLEGAL and now != wrong and not on_the_way:
        return _flagged(table, verdict)
    return table, ()


def reopened(table: Table) -> Step:
    """An illegal play that had passed is to be corrected after all, as long as it is not final."""
    ended = table.ended
    if ended is None or ended.turn.legal or Remedy.CORRECT not in conduct_of(table).remedies():
        return table, (told(table, Message.NOT_NOW),)
    taken_back = replace(
        table,
        match=ended.match,
        thrown=ended.thrown,
        rests=(*ended.rests, *table.rests[1:]),
        tracks=ended.parents,
        ply=ended.turn.ply,
        phase=Phase.PUT_RIGHT,
        flagged=ended.turn,
        ended=None,
        warned=(),
    )
    return taken_back, (Flagged(table.t, ended.turn, frozenset(Party)),)


def looked_again(table: Table) -> Step:
    """One more picture while the turn before can still be corrected: it may show another end of it."""
    ended = table.ended
    if ended is None or not at_rest(table):
        return table, ()
    if ended.sure and shows(table, table.position):
        return replace(table, warned=()), ()
    if ended.sure and len(table.rests) == 1:
        return table, ()
    rests = ended.rests[:-1] + table.rests if len(ended.rests) > 1 else (*ended.rests, *table.rests[1:])
    verdict = verdict_of(ended.parents, ended.throw, rests, table.caution)
    same = verdict.entry.after == ended.turn.after
    if verdict.outcome is Outcome.LEGAL and not (same and ended.sure):
        before = replace(
            table,
            match=ended.match,
            thrown=ended.thrown,
            rests=rests,
            tracks=ended.parents,
            ply=ended.turn.ply,
        )
        return confirmed(before, verdict, revises=not (ended.open or same))
    if ended.sure and not same and table.rests[-1].readings >= table.caution.readings:
        return _out_of_turn(table)
    return table, ()


def final(table: Table) -> Step:
    """The opponent rolled or doubled: the turn before stands as it is."""
    ended = table.ended
    if ended is None:
        return table, ()
    actions: list[Action] = []
    if not ended.sure:
        actions.append(Unsure(table.t, ended.turn.frame, ended.turn.ply, ended.points))
    if ended.open:
        actions.append(replace(ended.turn, t=table.t))
    kept = conduct_of(table).illegal_final_at is FinalAt.OPPONENT_PLAY_COMPLETE and not ended.turn.legal
    return replace(table, ended=replace(ended, open=False) if kept else None), tuple(actions)


def overdue(table: Table) -> Step:
    """The next roll came although the turn was not judged yet: what is likeliest counts.

    Where nothing was moved the roll before was void.
    """
    verdict = judged(table)
    if verdict is None:
        return table, (told(table, Message.LOOK, points=[]),)
    if verdict.outcome is Outcome.IDLE:
        return voided(table)
    if verdict.outcome is Outcome.ILLEGAL:
        table, rolled = _as_rolled(table, verdict.entry)
        table, actions = let_stand(replace(table, flagged=_turn_of(table, verdict.entry)))
        return table, rolled + actions
    return confirmed(table, verdict)


def _flagged(table: Table, verdict: Verdict) -> Step:
    """An illegal play: to be corrected, to be chosen about, or only noted down."""
    table, rolled = _as_rolled(table, verdict.entry)
    turn, to = _turn_of(table, verdict.entry), told_of(table)
    flag = Flagged(table.t, turn, to)
    if not to >= PLAYERS:
        tracks = settled(verdict)
        return over((_counted(table, turn, tracks, True, (), open_=True), (*rolled, flag)), table.match)
    choice = Remedy.LET_STAND in conduct_of(table).remedies()
    side = str(turn.side.opponent if choice else turn.side)
    message = told(table, Message.CHOOSE if choice else Message.PUT_BACK, side=side)
    return replace(table, phase=Phase.PUT_RIGHT, flagged=turn, warned=()), (*rolled, flag, message)


def _counted(
    table: Table,
    turn: TurnJudged,
    tracks: tuple[Track, ...],
    sure: bool,
    points: tuple[int, ...],
    open_: bool = False,
) -> Table:
    """The table after a turn that counts (until it is final)."""
    assert table.thrown is not None
    match = advance(table.match, ruled.Played(turn.side, turn.after, turn.play))
    ended = Ended(
        table.match, table.thrown, throw_of(table), table.rests, table.tracks, turn, sure, points, open_
    )
    return replace(
        table,
        match=match,
        phase=Phase.TO_ROLL,
        tracks=tracks,
        ply=turn.ply + 1,
        rests=table.rests[-1:],
        thrown=None,
        ended=ended,
        best=None,
        flagged=None,
        warned=(),
    )


def _as_rolled(table: Table, entry: Entry) -> Step:
    """The table with the roll as the play shows it, where the pictures had left open what or whose it was."""
    thrown, side = table.thrown, entry.side
    assert thrown is not None
    assert side is not None
    if entry.roll == thrown.roll and side is thrown.side:
        return table, ()
    actions: tuple[Action, ...] = ()
    if thrown.side is None:
        high, low = entry.roll.dice
        light, dark = (high, low) if side is Side.LIGHT else (low, high)
        table, actions = acted(table, ruled.OpeningRoll(light, dark))
        words = told(table, Message.STARTS, side=str(side), dice=[high, low])
        actions = (*actions, words)
    game = replace(table.match.game, turn=side, dice=entry.roll.dice)
    return replace(
        table,
        match=replace(table.match, game=game),
        thrown=replace(thrown, side=side, roll=entry.roll),
        ply=entry.ply,
    ), actions


def _followed(table: Table, entry: Entry, then: Entry) -> tuple[Table, list[Action]]:
    """The table after the first of two turns of which only one roll was seen."""
    assert then.side is not None
    assert table.thrown is not None
    first = _turn_of(table, entry)
    match = advance(table.match, ruled.Played(first.side, first.after, first.play))
    match = advance(match, ruled.Rolled(then.side, then.roll))
    thrown = Thrown(then.side, then.roll, table.thrown.t, then.roll.dice)
    unseen = then if then.dice_doubted else entry
    doubt = Unsure(table.t, first.frame, unseen.ply, ())
    actions: list[Action] = [first, doubt] if unseen is then else [doubt, first]
    return replace(table, match=match, thrown=thrown, ply=then.ply), actions


def _turn_of(table: Table, entry: Entry, revises: bool = False) -> TurnJudged:
    assert entry.side is not None
    frame = table.rests[-1].last_frame if table.rests else None
    return turn_judged(replace(entry, then=None), entry.side, frame, table.t, revises, table.caution.rules)


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


def _out_of_turn(table: Table) -> Step:
    """Checkers were moved although no roll is to be played, or this is another board: it is shown, once."""
    points = differences(table, table.position)
    if not points:
        return table, ()
    return asked(table, points, Message.MOVED_OUT_OF_TURN if len(points) < OTHER else Message.BOARD_OTHER)


def _short(verdict: Verdict) -> Side | None:
    """Whose checker is missing, where that explains the board best."""
    entry = verdict.tracks[0].history[-1]
    missing = any(reason.code is ReasonCode.CHECKER_MISSING for reason in entry.reasons)
    return (
        next((side for side in Side if entry.after.off(side) > entry.before.off(side)), None)
        if missing
        else None
    )
