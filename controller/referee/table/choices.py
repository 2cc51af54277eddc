"""What people may say to a table now: the buttons of a page and the words at a keyboard are made of it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from controller.referee.actions import Action, Message, Phase, Told
from controller.referee.events import DIRECTOR
from controller.referee.table.breaks import BROKEN_OFF
from controller.referee.table.cubes import RESIGNABLE
from controller.referee.table.elsewhere import can_let_stand
from controller.referee.table.games import OVER, is_between, refusal
from controller.referee.table.rolls import can_roll_be_played
from controller.referee.table.sequels import NUMBERS, is_double_due
from controller.referee.table.state import Table, Thrown, can_be_counted, conduct_of
from controller.referee.table.turns import can_reopen
from controller.rules import Form, Side
from controller.rules.game import events as ruled
from controller.rules.profile.conduct import Remedy
from controller.rules.profile.profile import ResignForm
from controller.rules.reasons import Argument

LEVELS: Final = range(1, 4)
"""A single game, a gammon, a backgammon."""
REFUSALS: Final = frozenset(
    {
        Message.REFUSED,
        Message.NOT_NOW,
        Message.DIRECTOR_ONLY,
        Message.NO_AIDS,
        Message.PROFILE_FIXED,
        Message.ANSWER_IS_OTHERS,
        Message.NOT_YOUR_CLOCK,
        Message.TOO_LATE,
    }
)
"""What is told where nothing came of what somebody said."""


class Need(StrEnum):
    """What must be told with a choice."""

    OPENING_DICE = "opening_dice"
    """``light`` and ``dark``: a die each."""
    DICE = "dice"
    """``dice``: both of them."""
    PLAY = "play"
    """``position``: the board after the play; or its moves in words."""
    AMOUNT = "amount"
    """``amount``: points."""
    POSITION = "position"
    """``position`` and ``on_roll``."""
    POINTS = "points"
    """``winner`` and ``points``."""


@dataclass(frozen=True, slots=True)
class Choice:
    """Something that may be said now.

    Attributes:
        what: its name among the sayings of `pointsman referee`, or ``pressed``.
        side: whose deed it is; None where it is nobody's in particular.
        needs: what must be told with it.
        arguments: its other keys, as they are to be told.
    """

    what: str
    side: Side | None = None
    needs: Need | None = None
    arguments: Mapping[str, Argument] = field(default_factory=dict)


def choices_of(table: Table, by: str) -> tuple[Choice, ...]:
    """What ``light``, ``dark`` or ``director`` may say now, for a side that plays at this table.

    None of it is refused, whoever says it, as long as what a choice needs is told rightly. The director speaks for
    both players and has a few words more; corrections of the record are not among them.
    """
    remote = table.settings.remote
    found = tuple(choice for choice in _of_phase(table) if remote is None or choice.side is not remote)
    if by == DIRECTOR:
        return found + tuple(_of_director(table))
    own = Side(by)
    return tuple(choice for choice in found if choice.side in (None, own))


def told_refusal(actions: tuple[Action, ...]) -> Told | None:
    """What was told where nothing came of what somebody said; None if something did."""
    told = (action for action in actions if isinstance(action, Told))
    return next((action for action in told if action.message in REFUSALS), None)


def _of_phase(table: Table) -> Iterator[Choice]:
    if table.phase in _PHASES:
        yield from _PHASES[table.phase](table)
    if table.phase in RESIGNABLE:
        yield from _resignations(table)
    if table.phase in BROKEN_OFF or (table.phase is Phase.SET_UP and table.back):
        yield Choice("go_on")
    if table.phase not in OVER | BROKEN_OFF:
        yield Choice("pause")
    if table.phase not in (Phase.MATCH_OVER, Phase.DISPUTE):
        yield Choice("dispute")
    if table.phase not in OVER and table.match.game.turn is not None:
        yield Choice("rebuild")
    if table.match.terms.form is Form.MONEY and is_between(table):
        yield Choice("stop")
    if not table.consent and conduct_of(table).needs_consent() and table.phase is not Phase.MATCH_OVER:
        yield Choice("consent", arguments={"given": True})


def _lay_out(table: Table) -> Iterator[Choice]:
    if not table.back and table.views:
        yield Choice("pressed", arguments={"button": "done"})


def _roll_to_start(table: Table) -> Iterator[Choice]:
    """Both dice; where the other side rolls at another table, the one die of whoever sits here."""
    remote = table.settings.remote
    if remote is not None:
        numbers = () if remote.opponent in table.opening else NUMBERS
        yield from (Choice("opening_roll", arguments={"light": each, "dark": each}) for each in numbers)
        return
    yield Choice("opening_roll", needs=Need.OPENING_DICE)


def _to_roll(table: Table) -> Iterator[Choice]:
    side = table.match.game.turn
    if side is None:
        return
    if is_double_due(table):
        for number in NUMBERS:
            yield Choice("name_double", side, arguments={"number": number})
    elif can_roll_be_played(table, side):
        yield Choice("roll", side, Need.DICE)
    else:
        yield Choice("pressed", side, arguments={"button": "done"})
    if refusal(table.match, ruled.Doubled(side)) is None:
        yield Choice("double", side)
    if can_reopen(table):
        yield Choice("correct")
    yield from _undo(table)


def _undo(table: Table) -> Iterator[Choice]:
    """To ask for the last turn to be taken back, or to agree to that; where the device teaches to have it done."""
    if table.last_turn is not None:
        for side in Side:
            if side is not table.undo_asked:
                yield Choice("undo", side)


def _move(table: Table) -> Iterator[Choice]:
    side = table.on_turn
    yield Choice("pressed", side, arguments={"button": "done"})
    thrown = table.thrown
    if can_let_stand(table):
        yield Choice("let_stand", table.settings.remote and table.settings.remote.opponent)
    if table.announced is None:
        yield from _play(table)
    if thrown is not None:
        yield from _starters(table, thrown)
        yield Choice("roll_void", side)
    if thrown is not None and thrown.side is not None and thrown.again is not None:
        other = thrown.side.opponent
        yield Choice("pressed", other, arguments={"button": "take"})
    if table.early is not None:
        yield Choice("roll_stands", side, arguments={"stands": True})
        yield Choice("roll_stands", side, arguments={"stands": False})
    yield from _undo(table)


def _play(table: Table) -> Iterator[Choice]:
    """To say what was played: for both sides where nobody knows who started."""
    if table.thrown is not None:
        for side in Side if table.thrown.side is None else (table.thrown.side,):
            yield Choice("played", side, Need.PLAY)


def _starters(table: Table, thrown: Thrown) -> Iterator[Choice]:
    """To say who starts, where only the pictures tell the opening roll: dice that are seen have no order."""
    if thrown.side is not None or table.match.game.turn is not None or thrown.roll.is_double:
        return
    high, low = thrown.roll.dice
    yield Choice("opening_roll", arguments={"light": high, "dark": low})
    yield Choice("opening_roll", arguments={"light": low, "dark": high})


def _settle(table: Table) -> Iterator[Choice]:
    yield from _play(table)
    if can_be_counted(table):
        yield Choice("pressed", table.on_turn, arguments={"button": "done"})


def _put_right(table: Table) -> Iterator[Choice]:
    flagged = table.flagged
    if flagged is None:
        return
    if Remedy.LET_STAND in conduct_of(table).remedies():
        yield Choice("let_stand", flagged.side.opponent)
    yield from _play(table)


def _answer_cube(table: Table) -> Iterator[Choice]:
    offer = table.match.game.offer
    if offer is None:
        return
    for what, answer in _ANSWERS.items():
        if refusal(table.match, answer(offer.to)) is None:
            yield Choice(what, offer.to)


def _answer_resignation(table: Table) -> Iterator[Choice]:
    offered = table.match.game.resignation
    if offered is None:
        return
    other = offered.by.opponent
    yield Choice("accept", other)
    if refusal(table.match, ruled.ResignationRefused(other)) is None:
        yield Choice("refuse", other)


def _resignations(table: Table) -> Iterator[Choice]:
    free = table.match.game.profile.resign.form is ResignForm.FREE_POINTS
    for side in Side:
        if free:
            yield Choice("resign", side, Need.AMOUNT)
            continue
        for amount in LEVELS:
            if refusal(table.match, ruled.Resigned(side, amount)) is None:
                yield Choice("resign", side, arguments={"amount": amount})


def _of_director(table: Table) -> Iterator[Choice]:
    """The director's own words; letting an illegal play stand among them, whatever the policy."""
    if table.phase is Phase.PUT_RIGHT and Remedy.LET_STAND not in conduct_of(table).remedies():
        yield Choice("let_stand")
    if table.phase in OVER or table.match.game.turn is None:
        return
    yield Choice("ruling", needs=Need.POSITION)
    yield Choice("award", needs=Need.POINTS)
    for side in Side:
        yield Choice("forfeit", arguments={"loser": str(side)})


_Offered = Callable[[Table], Iterator[Choice]]
_PHASES: Final[Mapping[Phase, _Offered]] = {
    Phase.SET_UP: _lay_out,
    Phase.GAME_OVER: _lay_out,
    Phase.OPENING_ROLL: _roll_to_start,
    Phase.TO_ROLL: _to_roll,
    Phase.MOVING: _move,
    Phase.TURN_ENDED: _settle,
    Phase.PUT_RIGHT: _put_right,
    Phase.CUBE_OFFERED: _answer_cube,
    Phase.RESIGNATION_OFFERED: _answer_resignation,
}
_ANSWERS: Final[Mapping[str, Callable[[Side], ruled.RulesEvent]]] = {
    "take": ruled.Taken,
    "pass": ruled.Passed,
    "beaver": ruled.Beavered,
    "raccoon": ruled.Raccooned,
}
