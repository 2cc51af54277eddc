"""Games and the match: what the rules make of an event, and how games begin and end."""

from dataclasses import replace

from controller.referee.actions import DiceVoid
from controller.referee.cube_watch import CubeWatch, Shown
from controller.referee.table.actions import Acted, Action, GameEnded, GameOpened, MatchEnded, Message, Told
from controller.referee.table.phase import Phase
from controller.referee.table.state import Table
from controller.referee.tracks import first_tracks
from controller.rules import events as ruled
from controller.rules.match import Form, Match, advance
from controller.rules.reasons import Argument
from controller.rules.refusal import RefusedError

Step = tuple[Table, tuple[Action, ...]]

OVER = frozenset({Phase.GAME_OVER, Phase.MATCH_OVER})
BETWEEN = frozenset({Phase.SET_UP, Phase.OPENING_ROLL, Phase.GAME_OVER})


def refusal(table: Table, event: ruled.Event) -> Told | None:
    """What is to be said if the rules do not allow ``event`` now; None if they do."""
    try:
        advance(table.match, event)
    except RefusedError as refused:
        return Told(table.t, Message.REFUSED, {"code": str(refused.code), **refused.arguments})
    return None


def told(table: Table, message: Message, **arguments: Argument) -> Told:
    """A message for everybody."""
    return Told(table.t, message, arguments)


def acted(table: Table, event: ruled.Event) -> Step:
    """An event of the rules beside the turns, set down; it may end the game. It must be possible."""
    match = advance(table.match, event)
    step = replace(table, match=match), (Acted(table.t, event),)
    return over(step, table.match)


def over(step: Step, before: Match) -> Step:
    """The step, with the end of the game and the match where it brought them about."""
    table, actions = step
    match = table.match
    if match.winner is not None and len(match.results) == len(before.results):
        ended: tuple[Action, ...] = (MatchEnded(table.t, match.winner, match.score),)
        return _cleared(table, Phase.MATCH_OVER), (*actions, *ended)
    if len(match.results) == len(before.results):
        return step
    result = match.results[-1]
    side = str(result.winner)
    actions += (
        GameEnded(table.t, result, match.score),
        told(table, Message.GAME_WON, side=side, points=result.points, working=result.working),
    )
    if match.winner is None:
        return _cleared(table, Phase.GAME_OVER), actions
    actions += (
        MatchEnded(table.t, match.winner, match.score),
        told(table, Message.MATCH_WON, side=side, light=match.score.light, dark=match.score.dark),
    )
    return _cleared(table, Phase.MATCH_OVER), actions


def stopped(table: Table) -> Step:
    """The end of a money session, which nobody wins."""
    if table.match.terms.form is not Form.MONEY or table.phase not in BETWEEN:
        return table, (told(table, Message.NOT_NOW),)
    return _cleared(table, Phase.MATCH_OVER), (MatchEnded(table.t, None, table.match.score),)


def opened(table: Table) -> Step:
    """A game begins: the checkers stand at its start position."""
    game = table.match.game
    begun = replace(
        _cleared(table, Phase.OPENING_ROLL if game.turn is None else Phase.TO_ROLL),
        rests=table.rests[-1:],
    )
    actions: tuple[Action, ...] = (
        GameOpened(table.t, table.match.number, game.position, table.match.score),
        told(table, Message.SET_UP_RIGHT),
    )
    message = Message.ROLL_TO_START if game.turn is None else Message.TO_ROLL
    arguments = {} if game.turn is None else {"side": str(game.turn)}
    return begun, (*actions, told(table, message, **arguments))


def voided(table: Table) -> Step:
    """The roll being played does not count and is made again."""
    assert table.thrown is not None
    thrown = table.thrown
    if thrown.side is None:
        match = table.match
        tie = ruled.OpeningRoll(thrown.roll.high, thrown.roll.low)
        if thrown.roll.is_double:
            table, actions = acted(table, tie)
            return replace(table, phase=Phase.OPENING_ROLL, thrown=None, warned=()), actions
    else:
        match = advance(table.match, ruled.RollVoided(thrown.side))
    phase = Phase.OPENING_ROLL if match.game.turn is None else Phase.TO_ROLL
    tracks = tuple(replace(track, side=match.game.turn) for track in table.tracks)
    return (
        replace(table, match=match, phase=phase, thrown=None, tracks=tracks, best=None, warned=()),
        (DiceVoid(table.t, thrown.roll),),
    )


def _cleared(table: Table, phase: Phase) -> Table:
    """The table without anything of the game before."""
    game = table.match.game
    return replace(
        table,
        phase=phase,
        tracks=first_tracks(game.position, game.turn),
        ply=0,
        target=game.position,
        thrown=None,
        ended=None,
        early=None,
        back=(),
        best=None,
        flagged=None,
        warned=(),
        cube=CubeWatch(Shown.of(game.cube)),
    )
