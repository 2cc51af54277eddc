"""What follows a play in the same turn, in games in which a side may play more than one roll."""

from dataclasses import replace
from typing import Final

from controller.referee.actions import Message, Phase
from controller.referee.belief.branches import Beam, Branch, lawful
from controller.referee.belief.emission import emission
from controller.referee.table.games import act, allow, refuse_event
from controller.referee.table.smoothing import game_before
from controller.referee.table.state import SURPRISE, Answer, Table, Thrown
from controller.rules import Match, Position, Roll, Side
from controller.rules.game import events as ruled
from controller.rules.game.game import RISING_FROM, Game, advance_game
from controller.rules.profile.profile import AfterRoll

NUMBERS: Final = range(1, 7)


def name_sides(match: Match, beam: Beam) -> Beam:
    """The branches with the side that is next by the rules, where it may be the one that has just played.

    ``match`` is the one before the turn that they have as their last.
    """
    if match.game.profile.opening.after_roll is AfterRoll.NONE:
        return beam
    return tuple(replace(branch, side=_next_side(match, branch)) for branch in beam)


def _next_side(match: Match, branch: Branch) -> Side | None:
    last = branch.last.last
    if last.side is None or not last.is_turn:
        return branch.side
    game = match.game
    for entry in branch.last.chain:
        assert entry.side is not None
        # What is offered meanwhile says nothing of whose turn it is.
        game = replace(game_before(game, entry), offer=None, resignation=None, result=None)
        game = advance_game(game, ruled.Played(entry.side, entry.after, None))
    return game.turn


def sequels_of(game: Game) -> tuple[tuple[Roll, ...], ...]:
    """The lines of doubles of which one is played in the same turn, once all of the roll being played is."""
    if len(game.dice) != 2:
        return ()
    high, low = game.dice
    match game.profile.opening.after_roll:
        case AfterRoll.RISING_DOUBLES if high == low and game.turns >= RISING_FROM:
            rising = tuple(Roll.from_dice(number, number) for number in NUMBERS if number > high)
            return (rising,) if rising else ()
        case AfterRoll.NAMED_DOUBLE if {high, low} == {1, 2}:
            return tuple((Roll.from_dice(number, number),) for number in NUMBERS)
    return ()


def follow_play(on: Answer, side: Side) -> None:
    """Have the same turn go on, if the rules give ``side`` more to play after what it has played."""
    game = on.table.match.game
    if on.table.phase is not Phase.TO_ROLL or game.turn is not side:
        return
    if game.names_double:
        on.tell(Message.NAME_DOUBLE, side=str(side))
    elif game.dice:
        begin_sequel(on, side, game.dice)
    else:
        on.tell(Message.ROLLS_AGAIN, side=str(side))


def begin_sequel(on: Answer, side: Side, dice: tuple[int, ...]) -> None:
    """The double that is played next, without a roll."""
    high, low = dice
    on.change(
        phase=Phase.MOVING,
        thrown=Thrown(side, Roll.from_dice(high, low), on.table.t, (high, low)),
        warned=(),
    )
    on.tell(Message.PLAYS_DOUBLE, side=str(side), dice=[high, low])


def name_double(on: Answer, event: ruled.DoubleNamed) -> bool:
    """A side names the double that it plays; whether the rules allow that now."""
    table = on.table
    if table.phase is not Phase.TO_ROLL:
        refuse_event(on, event)
        return False
    if not allow(on, event):
        return False
    act(on, event)
    begin_sequel(on, event.side, on.table.match.game.dice)
    return True


def read_double(on: Answer) -> bool:
    """The double that was played although nobody named it counts as named, if the board shows which one it is."""
    table, caution = on.table, on.table.caution
    side = table.match.game.turn
    if not table.match.game.names_double or side is None or len(table.views) < 2:
        return False
    start, known = table.views[0].evidence.weighed(), table.beam[0]
    seen = emission(table.views[-1].visible, start, known.lies, known.bias)
    fits: dict[int, tuple[Position, float]] = {}
    for number in NUMBERS:
        ends = lawful(table.position, side, Roll.from_dice(number, number), caution.rules)
        scores = seen.scores(ends)
        fits[number] = ends[int(scores.argmax())], float(scores.max())
    likeliest = max(fits, key=lambda number: fits[number][1])
    end, fit = fits[likeliest]
    if fit < -SURPRISE or end == table.position:
        return False
    return name_double(on, ruled.DoubleNamed(side, likeliest))


def is_double_due(table: Table) -> bool:
    """Whether the side on turn must name a double before anybody rolls."""
    return table.phase is Phase.TO_ROLL and table.match.game.names_double
