"""The end of a turn: judged, counted, flagged, let stand, and put right."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import Cause, Flagged, Message, Phase, TurnAsked, TurnJudged, Unsure
from controller.referee.belief.branches import (
    EndedBy,
    Hypothesis,
    Kind,
    keep_latest,
    points_apart,
    weights,
)
from controller.referee.belief.breaches import without_moved_pins
from controller.referee.belief.decision import (
    Outcome,
    Verdict,
    alike,
    decide,
    is_guilt_certain,
    is_worth_telling,
    same,
    share_of,
)
from controller.referee.belief.rates import HIT_LATE_S
from controller.referee.belief.report import candidates_of, hypothesis_as_said, turn_judged
from controller.referee.belief.steps import begins
from controller.referee.belief.trial import stood_illegal
from controller.referee.belief.word import with_play, with_ruling
from controller.referee.caution import Caution
from controller.referee.events import OTHER_TABLE
from controller.referee.seeing.settled import SettledViews
from controller.referee.seeing.sightings import DICE, DICE_CERTAIN, as_sixes
from controller.referee.table.carrying import (
    ask_for_announced,
    counts_there,
    is_carried_out,
    take_dice_in_hand,
)
from controller.referee.table.closing import (
    close,
    close_as_told,
    close_void,
    finish_turn,
    hand_over,
    judge_turn,
    learn,
    look_closer,
    name_roll,
    reported_t,
    tell_disturbed,
    throw_of,
    unwind,
    weigh_again,
)
from controller.referee.table.elsewhere import awaits_other_table
from controller.referee.table.games import give_up_game, open_game
from controller.referee.table.sequels import follow_play, is_double_due
from controller.referee.table.smoothing import revise, verdicts_of
from controller.referee.table.state import (
    LEAD,
    PLAYERS,
    Answer,
    Closing,
    Table,
    at_rest,
    audience,
    conduct_of,
    is_seen_better,
    is_seen_often,
    is_seen_since_end,
    mover_of,
    shows,
    wrong_points,
)
from controller.rules import Party, Position, ReasonCode, Roll, Side, judge
from controller.rules.moves.wide import carried
from controller.rules.profile.conduct import Remedy, Reroll
from controller.vision.watch import LOOKS

ALMOST: Final = 1.0
"""What a single picture of the end shows is believed if it looks so but for this (log-likelihood); else one more is
awaited, however probable the explanation is: it may be that this picture errs, and the next one will tell."""
POORLY: Final = 3.0
"""Where two pictures speak so much against the best explanation, too (log-likelihood), one more is awaited unless
that is decided: one of 24 places that lies otherwise speaks as loudly, and two pictures of the same moment may err
alike. No more than one, and none that never comes: of a board that lies still and is seen well the eyes read
`LOOKS` pictures, and a referee who waits for a fourth says nothing until the next roll."""
DECIDED: Final = 0.999
"""What is so probable after two pictures is told however poorly it is seen: nothing else explains it."""
OTHER_BOARD: Final = 7
"""Where this many points differ although no roll is to be played, this is another board: a sleeve, or who tidies up,
moves fewer checkers."""
LIKELY_ROLL: Final = 2.5
"""A roll is taken to be what was seen if no other is likelier by more than this (log-odds): twelve to one."""
VIEWS_OF_A_MOVE: Final = 2
"""Views of the board at rest, before and after, of which a move consists."""
REMINDED: Final = (Message.NOTHING_MOVED,)
"""What was told last where somebody ended a turn in which nothing was moved."""


def end_turn(on: Answer, ended_by: EndedBy) -> None:
    """The turn was ended: it is judged now, or as soon as the board is seen at rest.

    One that is played at the other table does not end here before that has said how it was played.
    """
    if awaits_other_table(on.table):
        return
    reminded = on.table.warned == REMINDED
    on.change(
        phase=Phase.TURN_ENDED,
        ended_by=ended_by,
        ended_t=on.table.t,
        warned=REMINDED if reminded else (),
    )
    if at_rest(on.table):
        settle_turn(on)


def settle_turn(on: Answer) -> None:
    """Say what became of a turn that is over, if that is clear by now; else ask.

    Who says that the turn is over, and has moved nothing although they could, is told so first, and may still play.
    Who only takes up the dice may have them in hand while they play.
    """
    table = on.table
    verdict = judge_turn(table, ended_by=table.ended_by)
    if verdict is None or (_awaits_picture(table, verdict) and table.announced is None):
        return
    if table.announced is not None:
        if is_seen_often(table):
            settle_announced(on, verdict)
    elif verdict.entry.is_idle and table.ended_by is not EndedBy.ACT:
        take_dice_in_hand(on)
    elif verdict.entry.is_idle and table.warned != REMINDED:
        on.change_roll(said_over=True)
        _remind(on)
    elif verdict.outcome is Outcome.LEGAL and _rolls_in_doubt(verdict) is None:
        count_turn(on, verdict)
    elif verdict.outcome is Outcome.ILLEGAL:
        flag_play(on, verdict)
    elif verdict.outcome is Outcome.IDLE:
        on.change(phase=Phase.MOVING)
    elif verdict.inherited and is_seen_often(table):
        count_turn(on, verdict)
    elif is_seen_often(table):
        _ask_about(on, verdict)


def _remind(on: Answer) -> None:
    """Tell whoever ends a turn that nothing was moved: they may still play."""
    on.change(phase=Phase.MOVING, warned=REMINDED)
    on.tell(Message.NOTHING_MOVED, side=mover_of(on.table))


def _ask_about(on: Answer, verdict: Verdict) -> None:
    """Ask people for what would tell most about a turn that is not clear.

    A checker that was hit and is in somebody's hand is waited for a while.
    """
    table, entry = on.table, verdict.entry
    if entry.in_hand:
        assert entry.side is not None
        if verdict.look.stood_s >= HIT_LATE_S:
            on.ask((), Message.CHECKER_MISSING, side=str(entry.side.opponent))
    elif verdict.outcome is Outcome.DISTURBED:
        tell_disturbed(on, verdict.points, verdict.by, table.views[-1])
    elif (rolls := _rolls_in_doubt(verdict)) is not None:
        looks, played = (list(roll.dice) for roll in rolls)
        on.tell_once(Message.WHICH_ROLL, first=looks, dice=played)
    elif _ask_about_points(on, verdict):
        candidates = candidates_of(verdict, table.caution.rules)
        on.do(TurnAsked(table.t, table.ply, verdict.points, candidates))


def _ask_about_points(on: Answer, verdict: Verdict) -> bool:
    """Ask people to look at the points of a doubt, and say whose checker seems to be missing; whether it was now."""
    short = _short(verdict)
    if short is None:
        return on.ask(verdict.points)
    return on.ask(verdict.points, Message.CHECKER_MISSING, side=str(short))


def _awaits_picture(table: Table, verdict: Verdict) -> bool:
    """Whether one more picture may change what is said of a turn that is over.

    What is said must explain this one, and not only be a little likelier than what does. By a picture from before
    the end nobody is told that they did anything wrong, or nothing: they may have played since.
    """
    if verdict.outcome is not Outcome.LEGAL and not is_seen_since_end(table):
        return True
    fit = next(branch.fit for branch in verdict.beam if branch.last is verdict.entry)
    readings, enough = table.views[-1].readings, table.caution.readings
    if readings < enough:
        return fit < -ALMOST
    return readings < min(enough + 1, LOOKS) and fit < -POORLY and verdict.probability < DECIDED


def settle_announced(on: Answer, verdict: Verdict) -> None:
    """The turn of an engine is over: it counts as announced if the board shows that, and goes on if it does not."""
    table = on.table
    if verdict.entry.is_idle and table.ended_by is not EndedBy.ACT:
        # Who takes up the dice before they move anything may have them in hand.
        take_dice_in_hand(on)
    elif not is_carried_out(table, verdict):
        ask_for_announced(on)
    elif counts_there(table):
        let_stand(on)
    elif verdict.outcome is Outcome.LEGAL:
        count_turn(on, verdict)
    else:
        assert table.playing.side is not None
        assert table.announced is not None
        say_played(on, table.playing.side, table.announced)


def count_elsewhere(on: Answer) -> bool:
    """Have a play that was made at the other table count, though its checkers were not moved here.

    What is decided now comes after it, if the same game goes on, which is answered. Then the board is laid out as it
    stands by then.
    """
    table = on.table
    if table.announced is None or table.settings.remote is None or table.playing.side is None:
        return True
    if counts_there(table):
        let_stand(on)
    else:
        say_played(on, table.playing.side, table.announced, OTHER_TABLE)
    after = on.table
    if after.phase is Phase.TO_ROLL and not (after.views and shows(after, after.position)):
        on.change(phase=Phase.SET_UP, back=(*table.back, Phase.TO_ROLL), target=after.position)
    return after.match.number == table.match.number


def watch_carrying(on: Answer) -> None:
    """One more picture while a person moves an engine's checkers: when they lie rightly its turn is over."""
    table = on.table
    if not at_rest(table) or len(table.views) < VIEWS_OF_A_MOVE or not is_seen_often(table):
        return
    verdict = judge_turn(table, ended_by=EndedBy.ACT)
    if verdict is not None and is_carried_out(table, verdict):
        settle_announced(on, verdict)


def count_turn(on: Answer, verdict: Verdict) -> None:
    """Set down the turn as ``verdict`` says: for certain, or as one that nobody has confirmed."""
    table = on.table
    entry, view = verdict.entry, table.views[-1]
    sure = verdict.outcome in (Outcome.LEGAL, Outcome.DISTURBED)
    name_roll(on, entry, verdict.beam)
    before, judged = verdicts_of(
        entry,
        view.last_frame,
        table.t,
        table.caution,
        verdict.probability,
        from_ply=table.ply,
        confirmed=sure,
        roll_sure=verdict.roll_sure
        and entry.roll != table.playing.roll_again
        and _rolls_in_doubt(verdict) is None,
        candidates=() if sure else candidates_of(verdict, table.caution.rules),
        points=verdict.points or tuple(sorted(view.covered)),
    )
    if table.flagged is not None:
        on.do(replace(table.flagged, stands=False))
    elif sure:
        wrong = wrong_try(table, verdict, judged)
        before += [] if wrong is None else [wrong]
    on.do(*before, judged)
    _tell_thrown_again(on, verdict)
    close(on, verdict, judged, sure=sure)


def _tell_thrown_again(on: Answer, verdict: Verdict) -> None:
    """The same player had rolled before, and played nothing of that roll: only now it is certain, and told."""
    table, entry = on.table, verdict.entry
    free = table.settings.film or conduct_of(table).reroll is Reroll.FREE
    if free or len(verdict.beam[0].history) < 2 or not table.closings or verdict.outcome is Outcome.UNSURE:
        return
    shares = weights(verdict.beam)
    again = [
        (branch.history[-2], share)
        for branch, share in zip(verdict.beam, shares, strict=True)
        if same(branch.last, entry) and _is_for_same_turn(branch.history[-2], entry)
    ]
    throw = table.closings[-1].throw
    if throw.seen < DICE or not is_guilt_certain(sum(share for _, share in again), table.caution):
        return
    first = again[0][0]
    if first.roll != entry.roll:
        dice = {"dice": list(entry.roll.dice), "first": list(first.roll.dice)}
        on.tell(Message.ROLLED_AGAIN, side=str(entry.side), **dice)


def _is_for_same_turn(first: Hypothesis, entry: Hypothesis) -> bool:
    """Whether a roll was made for the turn that another one was played in, and nothing of it was played.

    Whoever rolls again since the other side took that roll for its own has no other roll to play.
    """
    assert entry.side is not None
    unplayed = first.kind in (Kind.VOID, Kind.NONE) and first.by is not entry.side.opponent
    return unplayed and first.ply == entry.ply and first.side is entry.side


def wrong_try(table: Table, verdict: Verdict, judged: TurnJudged) -> TurnJudged | None:
    """The illegal play that stood on the board before the legal turn ``judged``, if one did after the roll.

    At a table players may try and take back as they like; of a film it is asked, since nobody could be told then.
    """
    if not table.settings.film:
        return None
    entry, caution = verdict.entry, table.caution
    rolled_t = reported_t(table.playing)
    stood = stood_illegal(table.beam, entry, table.views, verdict.throw, rolled_t, caution)
    if stood is None:
        return None
    wrong, view = stood
    wrong = replace(wrong, ply=entry.ply, roll=entry.roll)
    turn = turn_judged(wrong, view.last_frame, table.t, caution.rules, judged.probability)
    return replace(turn, stands=False)


def count_as_likeliest(on: Answer, ended_by: EndedBy = EndedBy.ROLL) -> None:
    """The turn is over although it was not judged yet: what is likeliest counts, not confirmed if not certain.

    Where nothing was moved the roll before was void.
    """
    verdict = judge_turn(on.table, ended_by=ended_by)
    if verdict is None:
        on.tell(Message.LOOK, points=[])
    elif on.table.announced is not None and verdict.entry.kind is not Kind.VOID:
        settle_announced(on, verdict)
    elif verdict.entry.kind is Kind.VOID:
        if verdict.entry.displaced:
            tell_disturbed(on, verdict.entry.displaced, verdict.by, on.table.views[-1])
        close_void(on, verdict)
    elif verdict.outcome is Outcome.ILLEGAL:
        name_roll(on, verdict.entry, verdict.beam)
        on.change_roll(flagged=_turn_of(on.table, verdict))
        let_stand(on)
    elif verdict.entry.kind is Kind.UNFINISHED:
        name_roll(on, verdict.entry, verdict.beam)
        close(on, verdict, None, sure=False)
    else:
        if verdict.outcome is Outcome.DISTURBED:
            tell_disturbed(on, verdict.points, verdict.by, on.table.views[-1])
        count_turn(on, verdict)


def say_played(on: Answer, side: Side, after: Position, by: str = "") -> None:
    """Somebody (``by``, if that is known) says how the board stands after the turn.

    A legal play counts. So does what is likelier than a breach where it is open how the board stood before. An
    illegal one is put right or decided about as one that was seen; if it is flagged already, whoever is not its
    player lets it stand by that. That nothing was moved, or that the checkers of an illegal play are back where they
    were, is no play and no breach. Where nobody knew who started, whoever says what they played did.
    """
    _go_by_word(on, side, after)
    table = on.table
    before, rules = table.position, table.caution.rules
    roll = _roll_played(table, side, after)
    ruling = judge(before, side, roll, after, rules)
    # After a legal play nobody need tell what is hidden, and after another one who tells of it knows.
    if ruling.legal or after == after.open_board():
        after = without_moved_pins(carried(before, after, side, rules), ruling.reasons)
    if after == before and not ruling.legal:
        _say_unmoved(on)
        return
    if not ruling.legal and (verdict := _excuse(table, after)) is not None:
        count_turn(on, verdict)
        return
    entry = hypothesis_as_said(table.ply, side, roll, before, after, rules)
    turn = turn_judged(entry, None, table.t, rules)
    if table.playing.side is None:
        name_roll(on, entry)
    if not ruling.legal:
        _flag_told(on, entry, turn, by)
        return
    if table.flagged is not None:
        on.do(replace(table.flagged, stands=False))
    if roll != table.playing.roll:
        name_roll(on, entry)
        on.do(Unsure(table.t, None, table.ply, ()))
    on.do(turn)
    verdict = judge_turn(table, ended_by=EndedBy.ACT)
    close_as_told(on, entry, turn, besides=() if verdict is None else verdict.beam)
    if not shows(table, before):
        _compare_word(on)


def _go_by_word(on: Answer, side: Side, after: Position) -> None:
    """Where it is open how the board stood before, what is said to be played tells: it is likelier to be legal."""
    table, roll, rules = on.table, on.table.playing.roll, on.table.caution.rules
    if judge(table.position, side, roll, after, rules).legal:
        return
    throw = throw_of(table, table.views)
    rolls = {each: throw.rolls[each] for each in throw.likely(DICE_CERTAIN)}
    revise(on, with_play(table.beam, side, rolls, after, rules))


def _compare_word(on: Answer) -> None:
    """Ask people to look if the board lies otherwise than they have just said; one point may be misread."""
    table = on.table
    if table.phase is not Phase.TO_ROLL or not at_rest(table) or not is_seen_often(table):
        return
    points = wrong_points(table, table.position)
    if len(points) > 1:
        on.ask(points, Message.BOARD_OTHER)


def _excuse(table: Table, after: Position) -> Verdict | None:
    """The verdict on a turn of which somebody says that it left this board, unless a rule was broken for certain.

    That tells how the checkers lie now, not how they lay before: somebody may have displaced some.
    """
    verdict = judge_turn(table, ended_by=EndedBy.ACT)
    there = () if verdict is None else tuple(branch for branch in verdict.beam if branch.lies == after)
    if verdict is None or not there:
        return None
    told = decide(there, verdict.throw, verdict.look, table.caution)
    return told if told.entry.kind is Kind.LEGAL else None


def _roll_played(table: Table, side: Side, after: Position) -> Roll:
    """The roll of which somebody says that it led to ``after``.

    It is the one being played. Where only pictures tell that one, it may be another that they leave open, if the play
    is legal by that.
    """
    thrown, rules, before = table.playing, table.caution.rules, table.position
    if thrown.dice is not None:
        return thrown.roll
    open_ = throw_of(table, table.views).likely(DICE_CERTAIN)
    allow = (roll for roll in (thrown.roll, *open_) if judge(before, side, roll, after, rules).legal)
    return next(allow, thrown.roll)


def _say_unmoved(on: Answer) -> None:
    """Somebody says that the checkers lie as before the turn, although something could be moved."""
    if on.table.flagged is not None:
        put_back(on)
    else:
        _remind(on)


def _flag_told(on: Answer, entry: Hypothesis, turn: TurnJudged, by: str) -> None:
    """An illegal play that ``by`` says was made; if the board shows that it was not, it is put right already."""
    flagged, to = on.table.flagged, audience(on.table)
    if flagged is None and to >= PLAYERS and _lies_as_before(on.table, turn):
        on.change_roll(flagged=turn)
        put_back(on)
        return
    if flagged is not None and flagged.after == turn.after and by != str(turn.side):
        let_stand(on)
        return
    if flagged is None or flagged.after != turn.after:
        on.do(Flagged(on.table.t, turn, to))
        flagged = turn
    if to >= PLAYERS:
        _have_put_right(on, flagged)
    else:
        close_as_told(on, replace(entry, reasons=(), nearest=None), turn, open_=True)


def let_stand(on: Answer) -> None:
    """The illegal play that was flagged is left standing; it was judged when it was flagged."""
    assert on.table.flagged is not None
    turn = replace(on.table.flagged, stands=on.table.flagged.legal is False)
    on.do(turn)
    if turn.stands and (not counts_there(on.table) or audience(on.table) >= PLAYERS):
        on.tell(Message.STANDS, side=str(turn.side))
    entry = Hypothesis(
        turn.ply, Kind.ILLEGAL, turn.side, roll=turn.roll, before=turn.before, after=turn.after, prior=0.0
    )
    close_as_told(on, entry, turn)


def put_back(on: Answer) -> None:
    """The checkers are back where they were before the turn, which is played again with the same roll.

    What had ended it, such as that its dice were taken up, does not end it once more.
    """
    assert on.table.flagged is not None
    wrong = replace(on.table.flagged, stands=False)
    lifted = on.table.ended_by is EndedBy.LIFTED
    on.change(phase=Phase.MOVING, warned=(), views=on.table.views[-1:], ended_by=EndedBy.NOTHING)
    on.change_roll(flagged=None, in_hand=lifted, said_over=False)
    on.do(wrong)
    on.tell(Message.PLAY_AGAIN, side=str(wrong.side))


def go_on_playing(on: Answer) -> None:
    """A turn that seemed to be over is not: what was asked or flagged about it is withdrawn."""
    told = on.table.flagged is not None or bool(on.table.warned)
    on.change(phase=Phase.MOVING, ended_by=EndedBy.NOTHING, warned=())
    on.change_roll(flagged=None)
    if told:
        on.tell(Message.GOES_ON)


def watch_correction(on: Answer) -> None:
    """One more picture while an illegal play is being put right."""
    flagged = on.table.flagged
    assert flagged is not None
    if _lies_as_before(on.table, flagged):
        put_back(on)
        return
    before, wrong = flagged.before, flagged.after
    verdict = judge_turn(on.table)
    if verdict is None:
        return
    if verdict.outcome is Outcome.LEGAL:
        count_turn(on, verdict)
        return
    now = verdict.entry.after
    on_the_way = sum(points_apart(now, before).values()) < sum(points_apart(wrong, before).values())
    if verdict.outcome is Outcome.ILLEGAL and now != wrong and not on_the_way:
        flag_play(on, verdict)


def end_correction(on: Answer, ended_by: EndedBy) -> bool:
    """An illegal play that was to be put right is over as the board lies now; whether it is another play than before.

    What lies there is judged by itself: it may be legal by now, or break another rule.
    """
    flagged, verdict = on.table.flagged, judge_turn(on.table, ended_by=ended_by)
    assert flagged is not None
    if verdict is None or verdict.entry.end in (flagged.after, flagged.before):
        return False
    match verdict.outcome:
        case Outcome.LEGAL:
            count_turn(on, verdict)
        case Outcome.ILLEGAL:
            flag_play(on, verdict)
        case _:
            return False
    return True


def reopen_turn(on: Answer) -> None:
    """Have an illegal play that had passed corrected after all, as long as it is not final."""
    ended = on.table.ended
    if ended is None or ended.turn is None or not can_reopen(on.table):
        on.refuse(Cause.NOTHING_TO_CORRECT)
        return
    unwind(on, ended)
    on.change(phase=Phase.PUT_RIGHT, warned=())
    on.change_roll(flagged=ended.turn)
    on.do(Flagged(on.table.t, ended.turn, frozenset(Party)))


def can_reopen(table: Table) -> bool:
    """Whether the turn before was illegal and passed, and may still be corrected."""
    ended = table.ended
    if ended is None or ended.turn is None or ended.turn.legal is not False:
        return False
    return Remedy.CORRECT in conduct_of(table).remedies()


def look_again(on: Answer) -> None:
    """One more picture while the turn before can still be corrected: it may show another end of it."""
    table, ended = on.table, on.table.ended
    if not at_rest(table):
        return
    fits, better = shows(table, table.position), is_seen_better(table)
    settled = ended is not None and ended.sure and (fits or len(table.views) == 1)
    if ended is not None and (better or not settled):
        _weigh_turn_again(on, ended, better=better)
    if on.table.phase is not table.phase:
        return
    if settled and fits:
        on.change(warned=())
    elif not settled and not fits:
        _tell_out_of_turn(on, table.views)


def _weigh_turn_again(on: Answer, ended: Closing, *, better: bool = False) -> None:
    """What later pictures show of the turn before; what was told of it stays until something else is certain.

    A turn that is certain is weighed again where its end is seen ``better`` by now: no picture stays a glitch that
    the next one shows again.
    """
    verdict = weigh_again(on.table, ended)
    certain = verdict.outcome in (Outcome.LEGAL, Outcome.DISTURBED)
    if verdict.outcome is Outcome.ILLEGAL and not ended.sure and not ended.open:
        unwind(on, ended)
        flag_play(on, verdict)
    elif certain and (better or not (same(verdict.entry, ended.entry) and ended.sure)):
        due, side = is_double_due(on.table), verdict.entry.last.side
        learn(on, ended, verdict)
        revise(on)
        if side is not None and is_double_due(on.table) is not due:
            follow_play(on, side)
    elif any(branch.position == on.table.position for branch in verdict.beam):
        on.change(beam=keep_latest(verdict.beam, len(on.table.closings)))


def look_back(on: Answer) -> None:
    """One more picture while a roll is being played: it may show what the turns before it were."""
    if is_seen_better(on.table):
        look_closer(on, on.table.closings[-1])
    elif all(closing.sure for closing in on.table.closings):
        return
    verdict = judge_turn(on.table)
    if verdict is not None and is_seen_often(on.table):
        revise(on, verdict.beam)


def look_back_at_last(on: Answer, ruled: Position | None = None) -> None:
    """Tell the turns before a play that is cut short anew, if what was seen of it shows that they were others.

    So may where the director has ``ruled`` that the checkers lie. Later nobody can tell any more.
    """
    table = on.table
    verdict = judge_turn(table) if table.views and is_seen_often(table) else None
    beam = table.beam if verdict is None else verdict.beam
    if ruled is not None:
        revise(on, with_ruling(beam, ruled))
    elif verdict is not None:
        revise(on, beam)


def flag_play(on: Answer, verdict: Verdict) -> None:
    """Have an illegal play corrected, chosen about, or only noted down."""
    name_roll(on, verdict.entry, verdict.beam)
    table = on.table
    turn, to = _turn_of(table, verdict), audience(table)
    on.do(Flagged(table.t, turn, to))
    if not to >= PLAYERS:
        close(on, verdict, turn, sure=True, open_=True)
        return
    _have_put_right(on, turn)


def _have_put_right(on: Answer, turn: TurnJudged) -> None:
    """Have people correct an illegal play, or choose about it."""
    choice = Remedy.LET_STAND in conduct_of(on.table).remedies()
    side = str(turn.side.opponent if choice else turn.side)
    on.change(phase=Phase.PUT_RIGHT, warned=())
    on.change_roll(flagged=turn)
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
    shown = on.table.views[-1:]
    on.change(views=on.table.views[:-1])
    end_film(on)
    if on.table.phase is not Phase.GAME_OVER:
        give_up_game(on)
    on.change(views=shown)
    open_game(on)


def _is_finished(table: Table) -> bool:
    """Whether the turn being played was not broken off before or in the middle of its play."""
    ended_by = table.ended_by if table.phase is Phase.TURN_ENDED else EndedBy.NOTHING
    verdict = judge_turn(table, ended_by=ended_by)
    if verdict is None or verdict.entry.side is None:
        return False
    entry = verdict.entry
    return entry.kind is Kind.LEGAL or (entry.kind is Kind.ILLEGAL and not is_begun(entry, table.caution))


def is_begun(entry: Hypothesis, caution: Caution) -> bool:
    """Whether what breaks a rule is the beginning of a play that may still become legal."""
    if entry.kind is not Kind.ILLEGAL or entry.side is None:
        return False
    return begins(entry.before, entry.side, entry.roll, entry.after, caution.rules)


def _turn_of(table: Table, verdict: Verdict) -> TurnJudged:
    frame = table.views[-1].last_frame if table.views else None
    entry = replace(verdict.entry, then=None)
    return turn_judged(entry, frame, table.t, table.caution.rules, verdict.probability)


def _lies_as_before(table: Table, wrong: TurnJudged) -> bool:
    """Whether the checkers are seen to lie where they did before an illegal play, and none is on its way back yet.

    It may be open where that was, as after a turn that nobody confirmed, and a place may be misread for good.
    """
    if not at_rest(table):
        return False
    before, after = table.views[-1].visible.scores([wrong.before, wrong.after])
    if float(before - after) < LEAD:
        return False
    verdict = judge_turn(table)
    if verdict is None:
        return False
    shares = weights(verdict.beam)
    back = share_of(verdict.beam, shares, -1, lambda made: made.end in (made.before, wrong.before))
    return is_worth_telling(back, table.caution.costs.wrong_record, table.caution.costs)


def _tell_out_of_turn(on: Answer, views: SettledViews) -> None:
    """Checkers were moved although no roll is to be played, or this is another board: it is shown, once."""
    if not is_seen_often(on.table) or is_double_due(on.table):
        return
    points = wrong_points(on.table, on.table.position)
    if len(views) == 1 and len(points) == 1:
        return  # nothing has moved since the turn was judged, and no checker leaves one point alone
    if len(points) >= OTHER_BOARD:
        on.ask(points, Message.BOARD_OTHER)
    elif points:
        last = on.table.last_turn
        # Whoever puts the checkers of the turn before back means to undo that, and it is not held against them.
        undone = last is not None and shows(on.table, last.entry.origin)
        by = None if undone else hand_over(views[1:], points)
        tell_disturbed(on, points, by, on.table.views[-1])


def _rolls_in_doubt(verdict: Verdict) -> tuple[Roll, Roll] | None:
    """What the dice look like, and what they show if a four is a six: where the play was legal only then."""
    entry, throw = verdict.entry, verdict.throw
    if throw.reported or entry.kind is not Kind.LEGAL:
        return None
    looks = throw.likely(0.0)[0]
    if entry.roll not in as_sixes(looks) or throw.rolls[entry.roll] - throw.rolls[looks] >= -LIKELY_ROLL:
        return None
    return looks, entry.roll


def _short(verdict: Verdict) -> Side | None:
    """Whose checker is missing, where that explains the board best, or best of all that is thought of besides."""
    if (side := _lacks(verdict.entry)) is not None:
        return side
    besides, missing = 0.0, dict.fromkeys(Side, 0.0)
    for branch, share in zip(verdict.beam, weights(verdict.beam), strict=True):
        if not alike(branch.last, verdict.entry):
            besides += share
            if (side := _lacks(branch.last)) is not None:
                missing[side] += share
    likeliest = max(Side, key=lambda side: missing[side])
    return likeliest if 2 * missing[likeliest] > besides else None


def _lacks(made: Hypothesis) -> Side | None:
    """Whose checker left the board so that no number accounts for it: it is missing, or the opponent took it."""
    for reason in made.reasons:
        side = reason.arguments.get("side")
        if reason.code is ReasonCode.CHECKER_MISSING:
            return Side(str(side))
        if reason.code is ReasonCode.OPPONENT_MOVED and reason.arguments.get("target") == "off":
            return Side(str(side)).opponent
    return None
