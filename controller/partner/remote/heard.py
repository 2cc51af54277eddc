"""What a table makes of a fact of the other one: an event, as soon as its own board is ready for it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from enum import Enum
from typing import Any, Final

from controller.errors import UserError
from controller.partner.remote.told import Fact
from controller.referee import Event, Phase, Table
from controller.referee.events import (
    DIRECTOR,
    OTHER_TABLE,
    CameTooLate,
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
    UndoneElsewhere,
)
from controller.referee.table.breaks import BROKEN_OFF
from controller.referee.table.cubes import RESIGNABLE
from controller.referee.table.elsewhere import decides_here, is_played_elsewhere
from controller.referee.table.games import is_between, refusal
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
MEANINGLESS: Final = (ArithmeticError, AttributeError, KeyError, TypeError, ValueError, UserError)
"""What comes of a fact that no table tells."""
Heard = Event | NotYet


def event_of(fact: Fact, table: Table, t: float) -> Heard:
    """The event that a fact is for this table at ``t``. Raises one of `MEANINGLESS`."""
    remote = table.settings.remote
    assert remote is not None
    what = str(fact["what"])
    if what == "too_late":  # said of any game, also of one that is over here
        return CameTooLate(t, here=False)
    game = game_of(fact, table)
    if table.phase is Phase.MATCH_OVER or (what not in BREAKS and game < table.match.number):
        return VOID
    if what in _AT_ONCE:
        return _AT_ONCE[what](fact, table, t)
    return WAIT if _is_interrupted(table, game) else _PLAY[what](fact, table, t)


def score_of(fact: Fact, table: Table) -> tuple[int, int] | NotYet:
    """The score before this game as the other table has it now. Raises one of `MEANINGLESS`."""
    game, score, length = game_of(fact, table), table.match.score, table.match.terms.length
    light, dark = int(fact["light"]), int(fact["dark"])
    impossible = min(light, dark) < 0 or (length is not None and max(light, dark) >= length)
    over = table.phase is Phase.MATCH_OVER or game < table.match.number
    if impossible or over or (light, dark) == (score.light, score.dark):
        return VOID
    unbegun = table.phase in (Phase.SET_UP, Phase.GAME_OVER) and not table.back
    return WAIT if unbegun or game > table.match.number else (light, dark)


def game_of(fact: Fact, table: Table) -> int:
    """The number of the game that a fact is about; those of older journals do not tell."""
    return int(fact.get("game", table.match.number))


def _is_interrupted(table: Table, game: int) -> bool:
    """Whether nobody plays here now, or this table has not come to that game yet."""
    laid_out = table.phase is Phase.SET_UP and bool(table.back)
    return laid_out or table.phase in BROKEN_OFF or game > table.match.number


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
    if getattr(event, "side", remote) is not remote:
        return VOID  # who sits here speaks here, and nobody at the other table for them
    match event:
        case ruled.GameAwarded() | ruled.MatchForfeited():
            ready = True
        case _ if _is_interrupted(table, game_of(fact, table)):
            ready = False
        case ruled.Resigned():
            ready = table.phase in RESIGNABLE and table.announced is None
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


def _undo(fact: Fact, table: Table, t: float) -> Heard:
    """A wish is about one turn; once play has gone on it is forgotten, as at one table."""
    last, ply, by = table.last_turn, int(fact["ply"]), str(fact.get("by", ""))
    if table.announced is not None and ply == table.ply:
        return WAIT
    if table.phase not in UNDOABLE or last is None or last.entry.ply != ply:
        return VOID
    if by:
        return Said(t, ruled.TakenBack(_remote(table).opponent), DIRECTOR) if decides_here(table) else VOID
    return Said(t, ruled.TakenBack(_remote(table)), OTHER_TABLE)


def _undone(fact: Fact, table: Table, t: float) -> Heard:
    ready = table.phase in UNDOABLE
    return UndoneElsewhere(t, int(fact["ply"]), str(fact["word"])) if ready else WAIT


def _asked(fact: Fact, table: Table, t: float) -> Heard:
    """The director says at the other table what is decided here."""
    if not decides_here(table):
        return VOID
    if "said" in fact:
        return Said(t, event_from_record(fact["said"]), DIRECTOR)
    if "position" not in fact:
        return Stopped(t, DIRECTOR) if is_between(table) else VOID
    ruling, counted = _ruled(fact, table, t), table.ply + (table.announced is not None)
    return replace(ruling, by=DIRECTOR, ply=None) if ruling.ply == counted else VOID


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
    return Stopped(t, OTHER_TABLE) if is_between(table) else WAIT


def _ruled(fact: Fact, _: Table, t: float) -> PositionRuled:
    position, on_roll = Position.from_compact(fact["position"]), Side(fact["on_roll"])
    return PositionRuled(t, position, on_roll, OTHER_TABLE, int(fact["ply"]))


def is_request(fact: Fact) -> bool:
    """Whether it asks this table for something: who asked is told where nothing comes of it."""
    return fact.get("what") in ("asked", "undo", "let_stand")


def crosses_resignation(fact: Fact, table: Table) -> bool:
    """Whether a fact was told before the resignation that is offered here was heard there: that one is void then."""
    offered = table.phase is Phase.RESIGNATION_OFFERED and _is_ours(table)
    return offered and is_play(fact) and game_of(fact, table) == table.match.number


def is_play(fact: Fact) -> bool:
    """Whether a fact carries the game on; to answer a resignation does not."""
    if fact["what"] == "said":
        return not isinstance(
            event_from_record(fact["event"]), ruled.ResignationAccepted | ruled.ResignationRefused
        )
    return fact["what"] in _PLAY and fact["what"] not in WISHES


def is_directors(fact: Fact) -> bool:
    """Whether it is the director's word, which counts here as if it had been said here."""
    return fact["what"] == "asked" or (fact["what"] == "undo" and bool(fact.get("by")))


def brings_on(fact: Fact) -> bool:
    """Whether play goes on at the other table, or was decided there: then it does here, too."""
    if fact["what"] == "said":
        with suppress(*MEANINGLESS):
            return isinstance(event_from_record(fact["event"]), ruled.GameAwarded | ruled.MatchForfeited)
    return fact["what"] in ("go_on", "ruled")


_Read = Callable[[dict[str, Any], Table, float], Heard]
BREAKS: Final = frozenset({"pause", "go_on", "dispute"})
WISHES: Final = frozenset({"undo", "let_stand", "flag", "stop"})
_AT_ONCE: Final[dict[str, _Read]] = {
    "pause": _pause,
    "go_on": _go_on,
    "dispute": _dispute,
    "ruled": _ruled,
    "asked": _asked,
    "said": _said,
}
_PLAY: Final[dict[str, _Read]] = {
    "die": _die,
    "rolled": _rolled,
    "void": _void,
    "played": _played,
    "illegal": _illegal,
    "said": _said,
    "undo": _undo,
    "undone": _undone,
    "let_stand": _let_stand,
    "flag": _flag,
    "stop": _stop,
}
