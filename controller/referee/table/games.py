"""Games and the match: what the rules make of an event, and how games begin and end."""

from dataclasses import replace

from controller.referee.actions import (
    Acted,
    Cause,
    DiceVoid,
    GameEnded,
    GameOpened,
    MatchEnded,
    Message,
    Phase,
)
from controller.referee.seeing.cube_watch import CubeWatch, Shown
from controller.referee.table.state import Answer, Table
from controller.rules import Form, Match, Position, advance, new_game
from controller.rules.game import events as ruled
from controller.rules.game.events import RefusedError

OVER = frozenset({Phase.GAME_OVER, Phase.MATCH_OVER})
BETWEEN = frozenset({Phase.SET_UP, Phase.OPENING_ROLL, Phase.GAME_OVER})
INTERRUPTED = OVER | {Phase.SET_UP, Phase.PAUSED, Phase.DISPUTE}
"""Phases in which nobody plays: what the table waits for is the cause, whatever the rules would say besides."""


def allow(on: Answer, event: ruled.RulesEvent) -> bool:
    """Whether the rules allow ``event`` now; if not, that is said."""
    refused = refusal(on.table.match, event)
    if refused is not None:
        on.tell(Message.REFUSED, code=str(refused.code), **refused.arguments)
    return refused is None


def refuse_event(on: Answer, event: ruled.RulesEvent) -> None:
    """Say why something that the rules know makes no sense now: as the rules have it, or what the table waits for."""
    if on.table.phase in INTERRUPTED or allow(on, event):
        on.refuse()


def refusal(match: Match, event: ruled.RulesEvent) -> RefusedError | None:
    """Why the rules do not allow ``event`` now; None if they do."""
    try:
        advance(match, event)
    except RefusedError as refused:
        return refused
    return None


def act(on: Answer, event: ruled.RulesEvent) -> None:
    """Set down an event of the rules beside the turns, which must be possible; it may end the game."""
    before = on.table.match
    set_down(on, event)
    end_game(on, before)


def set_down(on: Answer, event: ruled.RulesEvent) -> None:
    """Set down an event of the rules, which must be possible, before anything is said of what it leads to."""
    on.change(match=advance(on.table.match, event))
    on.do(Acted(on.table.t, event))


def end_game(on: Answer, before: Match) -> None:
    """See to the end of the game and the match, where what happened since ``before`` brought them about."""
    match = on.table.match
    if len(match.results) == len(before.results):
        if match.winner is not None:
            _end_match(on)
        return
    result = match.results[-1]
    side = str(result.winner)
    on.do(GameEnded(on.table.t, result, match.score))
    if result.is_drawn:
        on.tell(Message.GAME_DRAWN)
    else:
        on.tell(Message.GAME_WON, side=side, points=result.points)
    if match.winner is None:
        _clear(on, Phase.GAME_OVER)
        return
    _end_match(on)
    on.tell(Message.MATCH_WON, side=side, light=match.score.light, dark=match.score.dark)


def stop(on: Answer) -> None:
    """End a money session, which nobody wins."""
    if on.table.match.terms.form is not Form.MONEY:
        on.refuse(Cause.NO_SESSION)
    elif not is_between(on.table):
        on.refuse(None if on.table.phase is Phase.MATCH_OVER else Cause.BETWEEN_GAMES)
    else:
        _end_match(on)


def is_between(table: Table) -> bool:
    """Whether no game is being played; a board that is laid out again in the middle of one is."""
    return table.phase in BETWEEN and not table.back


def is_begun(table: Table) -> bool:
    """Whether a game has begun that is not over, be it interrupted or not."""
    phase = table.back[0] if table.back else table.phase
    return phase not in (*OVER, Phase.SET_UP)


def tell_begun(on: Answer) -> None:
    """The next game begins, and its record."""
    match = on.table.match
    on.do(GameOpened(on.table.t, match.number, match.game.position, match.score))


def open_game(on: Answer) -> None:
    """Begin a game: the checkers stand as they should."""
    table = on.table
    game = table.match.game
    first = not table.match.results and table.phase is Phase.SET_UP
    cube = table.cube
    if not cube.was_seen and cube.shown is not None:
        cube = CubeWatch(Shown.due_for(game.cube))
    if table.match.results:
        # One that was seen with its last owner is still there: taken for back, it would seem to be turned anew.
        cube = cube.after_agreement(table.t)
    _clear(on, Phase.OPENING_ROLL if game.turn is None else Phase.TO_ROLL)
    on.change(views=table.views[-1:], cube=cube)
    tell_begun(on)
    on.tell(Message.SET_UP_RIGHT)
    if first and game.profile.conduct.needs_consent() and not table.consent:
        on.tell(Message.CONSENT_ASKED)
    if game.turn is None:
        on.tell(Message.ROLL_TO_START)
    else:
        on.tell(Message.TO_ROLL, side=str(game.turn))


def give_up_game(on: Answer) -> None:
    """Leave a game without a result: nobody told how it ended, and another one begins."""
    match = on.table.match
    game = new_game(match.game.profile, cube_in_play=match.game.cube_in_play, away=match.game.away)
    on.change(match=replace(match, game=game))


def void_roll(on: Answer) -> None:
    """The roll being played does not count and is made again."""
    table = on.table
    thrown, match = table.playing, table.match
    tie = ruled.OpeningRoll(thrown.roll.high, thrown.roll.low)
    if thrown.side is not None and match.game.opening_dice:
        # Who starts is in the record already, and is to be found out anew.
        set_down(on, ruled.RollVoided(thrown.side))
        match = on.table.match
    elif thrown.side is not None:
        match = advance(match, ruled.RollVoided(thrown.side))
    elif thrown.roll.is_double and refusal(match, tie) is None:
        act(on, tie)
        on.change(phase=Phase.OPENING_ROLL, thrown=None, warned=())
        return
    on.change(
        match=match,
        phase=Phase.OPENING_ROLL if match.game.turn is None else Phase.TO_ROLL,
        thrown=None,
        warned=(),
    )
    on.name_next(match.game.turn)
    on.do(DiceVoid(table.t, thrown.roll))


def start_of(table: Table) -> Position:
    """How the checkers stand when a game by these rules begins."""
    return new_game(table.match.game.profile).position


def at_game_start(table: Table) -> bool:
    """Whether the board stands as the game begins."""
    return table.position == start_of(table)


def _end_match(on: Answer) -> None:
    match = on.table.match
    on.do(MatchEnded(on.table.t, match.winner, match.score))
    _clear(on, Phase.MATCH_OVER)


def _clear(on: Answer, phase: Phase) -> None:
    """Forget everything of the game before."""
    game = on.table.match.game
    cube = CubeWatch(Shown.due_for(game.cube))
    on.begin_from(game.position, game.turn, phase=phase, target=game.position, back=(), opening={}, cube=cube)
