"""The latest turns stay open for a while: what follows may show that one of them was something else."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from controller.referee.actions import Acted, Action, Candidate, DiceVoid, Phase, TurnJudged, Unsure
from controller.referee.belief.branches import (
    Branch,
    Hypothesis,
    Kind,
    differing_points,
    keep_latest,
    weights,
)
from controller.referee.belief.decision import alike, is_certain, most_alike, most_probable, same, share_of
from controller.referee.belief.report import play_to, turn_judged
from controller.referee.caution import Caution
from controller.referee.table.games import end_game
from controller.referee.table.state import Answer, Closing, hidden_still
from controller.rules import Game, Match, Position, ReasonCode, Roll, Side, advance
from controller.rules.game import events as ruled
from controller.rules.game.game import advance_game
from controller.rules.profile.profile import AfterRoll

MOST_SETTLED: Final = 40
"""As many turns in a row can be taken back, beside those that are open. A limit of memory: what was seen
of them is let go."""


def keep(on: Answer, closing: Closing, beam: tuple[Branch, ...]) -> None:
    """One more turn is over. ``beam`` has it as the last of its histories; the oldest turn may drop out."""
    closings = (*on.table.closings, closing)
    on.change(closings=closings, beam=beam)
    forget(on, max(on.table.settings.open_turns, 1))


def forget(on: Answer, most: int) -> None:
    """Leave only the latest turns open. What older ones were is asked no more; what the board may be stays."""
    drop = len(on.table.closings) - most
    if drop > 0:
        told = [
            replace(closing, views=(), parents=())
            for closing in on.table.closings[:drop]
            if closing.turn is not None
        ]
        on.change(settled=(*on.table.settled, *told)[-MOST_SETTLED:])
        for closing in on.table.closings[:drop]:
            if closing.entry.kind is Kind.UNFINISHED and closing.turn is None:
                on.do(*_tell_anew(on, closing, closing.entry, 0.0, confirmed=False)[1])
        left = on.table.closings[drop:]
        on.change(closings=left, beam=keep_latest(on.table.beam, len(left)))


def revise(on: Answer, beam: Sequence[Branch] | None = None) -> None:
    """Tell anew what was told, where another course of the game has become likelier, and what is certain by now.

    ``beam`` holds the branches that have the roll being played as the last of their histories, where there is one.
    """
    if not on.table.closings:
        return
    table = on.table
    number_of_turns = len(table.closings)
    beam = table.beam if beam is None else beam
    shares = weights(beam)
    course = _likeliest_course(beam, shares, number_of_turns)
    closings, actions = list(table.closings), list[Action]()
    for number, (closing, entry) in enumerate(zip(table.closings, course.history, strict=False)):
        made = _with_likeliest_roll(beam, shares, number, entry, closing.entry)
        probability = share_of(beam, shares, number, partial(alike, made))
        certain = is_certain(made, probability, table.caution) and not _may_be_unseen(
            table.closings, number, made
        )
        other = not same(made, closing.entry) or made.roll != closing.entry.roll
        settled = certain and not closing.sure and not hidden_still(table, closing)
        if other or (settled and closing.turn is not None and closing.turn.legal is None):
            closings[number], news = _tell_anew(on, closing, made, probability, confirmed=certain)
            actions += news
        elif settled:
            closings[number] = replace(closing, sure=True)
    on.change(closings=tuple(closings))
    on.do(*actions)
    if len(course.history) == number_of_turns:
        on.change(ply=course.ply)
        follow(on, course.position, course.side)
        _see_to_double(on)
        _see_to_end(on)
    else:
        now = course.history[number_of_turns]
        on.change(ply=now.ply)
        follow(on, now.origin, now.side)


def _may_be_unseen(closings: Sequence[Closing], number: int, made: Hypothesis) -> bool:
    """Whether somebody who seems to have moved nothing may have played unseen.

    Nobody saw the board while the next roll was played, either: then the camera was away, or a hand lay there. That a
    play which nobody saw shows only after one more turn is among nothing that is weighed.
    """
    if ReasonCode.NOTHING_MOVED not in [reason.code for reason in made.reasons]:
        return False
    following = closings[number + 1 : number + 2]
    return any(not each.views or each.views[-1].last_t < each.thrown.t for each in following)


def _see_to_double(on: Answer) -> None:
    """Whether the side that played the last turn is to name a double, as that turn is told now."""
    table, last = on.table, on.table.closings[-1]
    named = table.match.game.profile.opening.after_roll is AfterRoll.NAMED_DOUBLE
    made = last.entry.last
    if not named or table.phase is not Phase.TO_ROLL or made.side is None or not made.is_turn:
        return
    match = after_entry(last.match, last.entry, table.caution)
    if len(match.results) == len(last.match.results):
        game = replace(table.match.game, names_double=match.game.names_double)
        on.change(match=replace(table.match, game=game))


def _see_to_end(on: Answer) -> None:
    """The last turn may have ended the game, as it is told now."""
    before, made = on.table.match, on.table.closings[-1].entry
    if on.table.phase is not Phase.TO_ROLL or not made.is_turn:
        return
    match = after_entry(before, made, on.table.caution)
    if len(match.results) > len(before.results):
        on.change(match=match)
        end_game(on, before)


def _likeliest_course(beam: Sequence[Branch], shares: Sequence[float], number: int) -> Branch:
    """The likeliest board, and of what led there the likeliest thing to tell of this many of the latest turns."""
    lies = most_probable([branch.history[number - 1].end for branch in beam], shares)
    there = [
        (branch, share)
        for branch, share in zip(beam, shares, strict=True)
        if branch.history[number - 1].end == lies
    ]
    return most_alike(there, lambda one, other: all(map(same, one.history[:number], other.history[:number])))


def _with_likeliest_roll(
    beam: Sequence[Branch], shares: Sequence[float], number: int, entry: Hypothesis, told: Hypothesis
) -> Hypothesis:
    """The same turn with its likeliest roll: the one that was told, unless another is twice as likely."""
    rolls: dict[Roll, float] = {}
    which: dict[Roll, Hypothesis] = {}
    for branch, share in zip(beam, shares, strict=True):
        made = branch.history[number]
        if same(made, entry):
            rolls[made.roll] = rolls.get(made.roll, 0.0) + float(share)
            which.setdefault(made.roll, made)
    best = max(rolls, key=lambda roll: rolls[roll])
    keeps = same(entry, told) and rolls.get(told.roll, 0.0) * 2 > rolls[best]
    return which[told.roll if keeps else best]


def follow(on: Answer, position: Position, side: Side | None) -> None:
    """Go on from a board, and with a side to roll or to play, that are not what was told."""
    table, game = on.table, on.table.match.game
    if position == game.position and side is game.turn:
        return
    on.change(match=replace(table.match, game=replace(game, position=position, turn=side, undo=None)))
    if table.thrown is not None:
        on.change_roll(side=side)


def after_entry(match: Match, entry: Hypothesis, caution: Caution) -> Match:
    """The match after a turn, and after those that followed before another roll was seen."""
    for one in entry.chain:
        assert one.side is not None
        game = game_before(match.game, one)
        play = play_to(one, one.after, caution.rules) if one.kind is Kind.LEGAL else None
        match = advance(replace(match, game=game), ruled.Played(one.side, one.after, play))
    return match


def game_before(game: Game, entry: Hypothesis) -> Game:
    """The game with the roll of a turn to be played; a double that it had to name first is named."""
    if game.names_double and game.turn is entry.side and entry.roll.is_double:
        assert entry.side is not None
        game = advance_game(game, ruled.DoubleNamed(entry.side, entry.roll.high))
    return replace(game, position=entry.before, turn=entry.side, dice=entry.roll.dice)


def verdicts_of(
    entry: Hypothesis,
    frame: int | None,
    t: float,
    caution: Caution,
    probability: float,
    *,
    from_ply: int,
    confirmed: bool = True,
    roll_sure: bool = True,
    points: tuple[int, ...] = (),
    candidates: tuple[Candidate, ...] = (),
) -> tuple[list[Action], TurnJudged]:
    """What is told of a turn and those that followed it, the last one by itself; one that is not certain has its
    doubt before it.

    ``from_ply`` is the number that the next turn has: earlier ones are told anew. ``points`` are those to look at
    if the turn is not ``confirmed``, and ``candidates`` what it may have been; a roll that is doubted has none. A
    double played after another roll was named.
    """
    told = list[Action]()
    sequel = False
    for one in entry.chain:
        if sequel and one.side is not None and one.roll.is_double:
            told.append(Acted(t, ruled.DoubleNamed(one.side, one.roll.high)))
        sequel = one.then is not None and one.then.side is one.side and not one.roll.is_double
        last = one is entry.last
        if last and (not confirmed or points):
            told.append(Unsure(t, frame, one.ply, points, candidates))
        elif one.unseen or not roll_sure:
            told.append(Unsure(t, frame, one.ply, ()))
        judged = turn_judged(
            replace(one, then=None),
            frame,
            t,
            caution.rules,
            probability,
            confirmed=confirmed or not last,
            revises=one.ply < from_ply,
        )
        told.append(judged)
    return told[:-1], judged


def _tell_anew(
    on: Answer, closing: Closing, entry: Hypothesis, probability: float, *, confirmed: bool
) -> tuple[Closing, list[Action]]:
    """A turn that was something else, and what is told of it."""
    t, caution = on.table.t, on.table.caution
    frame = closing.views[-1].last_frame if closing.views else None
    changed = replace(closing, entry=entry, sure=confirmed, points=(), open=False)
    if entry.kind is Kind.NONE:
        return replace(changed, turn=None), []
    if entry.kind is Kind.VOID:
        return replace(changed, turn=None), [DiceVoid(t, entry.roll)]
    points = () if confirmed else differing_points(entry.end, closing.entry.end)
    before, judged = verdicts_of(
        entry,
        frame,
        t,
        caution,
        probability,
        from_ply=entry.ply if closing.turn is None or closing.open else entry.last.ply + 1,
        confirmed=confirmed,
        points=points,
    )
    sure = confirmed and not hidden_still(on.table, closing)
    return replace(changed, turn=judged, sure=sure, points=points), [*before, judged]
