"""What a table makes of a fact of the other one: an event, as soon as its own board is ready for it."""

from collections.abc import Callable
from enum import Enum
from typing import Any, Final

from controller.partner.remote.told import Fact
from controller.referee import Event, Phase, Table
from controller.referee.events import (
    OTHER_TABLE,
    Disputed,
    FlagFell,
    GoOn,
    IllegalElsewhere,
    LetStand,
    OpeningDie,
    Pause,
    PlayAnnounced,
    PositionRuled,
    Said,
    Stopped,
)
from controller.referee.table.breaks import BROKEN_OFF
from controller.referee.table.cubes import RESIGNABLE
from controller.referee.table.elsewhere import is_played_elsewhere
from controller.referee.table.games import BETWEEN, refusal
from controller.referee.table.undo import UNDOABLE
from controller.rules import Position, Roll, Side
from controller.rules.game import events as ruled
from controller.rules.game.match_record import event_from_record


class NotYet(Enum):
    """Why a fact is no event now."""

    WAIT = "wait"
    """This board is not ready for it."""
    VOID = "void"
    """It has no meaning any more."""


WAIT: Final = NotYet.WAIT
VOID: Final = NotYet.VOID
Heard = Event | NotYet


def event_of(fact: Fact, table: Table, t: float) -> Heard:
    """The event that a fact is for this table at ``t``. Raises KeyError, TypeError, ValueError or UserError."""
    remote = table.settings.remote
    assert remote is not None
    what = str(fact["what"])
    if table.phase is Phase.MATCH_OVER:
        return VOID
    if what in _BREAKS:
        return _BREAKS[what](fact, table, t)
    if table.phase in BROKEN_OFF or (table.phase is Phase.SET_UP and table.back):
        return WAIT
    return _PLAY[what](fact, table, t)


def _remote(table: Table) -> Side:
    assert table.settings.remote is not None
    return table.settings.remote


def _die(fact: Fact, table: Table, t: float) -> Heard:
    ready = table.phase is Phase.OPENING_ROLL and _remote(table) not in table.opening
    return OpeningDie(t, _remote(table), int(fact["die"])) if ready else WAIT


def _rolled(fact: Fact, table: Table, t: float) -> Heard:
    if not is_their_roll(table):
        return WAIT
    return Said(t, ruled.Rolled(_remote(table), Roll.from_dice(*fact["dice"])), OTHER_TABLE)


def is_their_roll(table: Table) -> bool:
    """Whether the other table is to roll."""
    return table.phase is Phase.TO_ROLL and table.match.game.turn is _remote(table)


def _void(_: Fact, table: Table, t: float) -> Heard:
    return Said(t, ruled.RollVoided(_remote(table)), OTHER_TABLE) if _is_thinking(table) else WAIT


def _is_thinking(table: Table) -> bool:
    return table.phase is Phase.MOVING and is_played_elsewhere(table) and table.announced is None


def _played(fact: Fact, table: Table, t: float) -> Heard:
    after = Position.from_compact(fact["after"])
    passed = is_their_roll(table) and after == table.position
    if not passed and not _is_thinking(table):
        return WAIT
    legal = fact.get("legal", True)
    return PlayAnnounced(t, table.ply, _remote(table), after, legal is not False, legal is not None)


def _illegal(fact: Fact, table: Table, t: float) -> Heard:
    if not _is_thinking(table):
        return WAIT
    after = Position.seen_compact(fact["after"])
    return IllegalElsewhere(t, table.ply, _remote(table), after, bool(fact.get("back")))


def _said(fact: Fact, table: Table, t: float) -> Heard:
    event = event_from_record(fact["event"])
    game, remote = table.match.game, _remote(table)
    match event:
        case ruled.Resigned():
            if table.phase is Phase.CUBE_OFFERED:
                return VOID  # They resigned while the double was on its way: it is answered first.
            ready = table.phase in RESIGNABLE
        case ruled.Doubled() if table.phase is Phase.RESIGNATION_OFFERED and _is_ours(table):
            # The resignation crossed their double, and is void there.
            return Said(t, ruled.ResignationRefused(remote), OTHER_TABLE)
        case ruled.Doubled() | ruled.DoubleNamed():
            ready = is_their_roll(table)
        case ruled.ResignationAccepted() | ruled.ResignationRefused():
            ready = table.phase is Phase.RESIGNATION_OFFERED and _is_ours(table)
        case ruled.Taken() | ruled.Passed() | ruled.Beavered() | ruled.Raccooned():
            ready = table.phase is Phase.CUBE_OFFERED and game.offer is not None and game.offer.to is remote
        case _:
            ready = True
    if not ready:
        return WAIT
    return Said(t, event, OTHER_TABLE) if refusal(table.match, event) is None else VOID


def _is_ours(table: Table) -> bool:
    resignation = table.match.game.resignation
    return resignation is not None and resignation.by is not _remote(table)


def _undo(_: Fact, table: Table, t: float) -> Heard:
    return Said(t, ruled.TakenBack(_remote(table)), OTHER_TABLE) if table.phase in UNDOABLE else WAIT


def _let_stand(_: Fact, table: Table, t: float) -> Heard:
    return LetStand(t, OTHER_TABLE) if table.phase is Phase.PUT_RIGHT else VOID


def _flag(_: Fact, table: Table, t: float) -> Heard:
    return FlagFell(t, _remote(table))


def _pause(_: Fact, table: Table, t: float) -> Heard:
    return VOID if table.phase in BROKEN_OFF else Pause(t)


def _go_on(_: Fact, table: Table, t: float) -> Heard:
    return GoOn(t) if table.phase in BROKEN_OFF else VOID


def _dispute(_: Fact, table: Table, t: float) -> Heard:
    return VOID if table.phase is Phase.DISPUTE else Disputed(t)


def _stop(_: Fact, table: Table, t: float) -> Heard:
    return Stopped(t) if table.phase in BETWEEN else WAIT


def _ruled(fact: Fact, _: Table, t: float) -> Heard:
    return PositionRuled(t, Position.from_compact(fact["position"]), Side(fact["on_roll"]), OTHER_TABLE)


_Read = Callable[[dict[str, Any], Table, float], Heard]
_BREAKS: Final[dict[str, _Read]] = {"pause": _pause, "go_on": _go_on, "dispute": _dispute, "ruled": _ruled}
_PLAY: Final[dict[str, _Read]] = {
    "die": _die,
    "rolled": _rolled,
    "void": _void,
    "played": _played,
    "illegal": _illegal,
    "said": _said,
    "undo": _undo,
    "let_stand": _let_stand,
    "flag": _flag,
    "stop": _stop,
}
