"""What a table tells the other one: facts about the side that plays here, as its referee has concluded them."""

from collections.abc import Iterator
from typing import Any, Final

from controller.referee import Action, Event, Phase, Table
from controller.referee.actions import (
    Acted,
    DiceVoid,
    Flagged,
    GameEnded,
    Message,
    Told,
    TurnJudged,
    TurnUndone,
)
from controller.referee.events import (
    DIRECTOR,
    OTHER_TABLE,
    CameTooLate,
    Corrected,
    Disputed,
    FlagFell,
    GoOn,
    LetStand,
    Pause,
    PositionRuled,
    Said,
    Stopped,
)
from controller.referee.table.elsewhere import can_let_stand
from controller.referee.table.games import OVER
from controller.rules import Position, Roll, Side
from controller.rules.game import events as ruled
from controller.rules.game.match_record import event_record

Fact = dict[str, Any]
"""Plain data for JSON: ``what`` happened, and what belongs to it."""
SCORE: Final = "score"
PLAYING: Final = frozenset({Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})
WORDS: Final = {Pause: "pause", GoOn: "go_on", Disputed: "dispute", Stopped: "stop"}


def facts_of(before: Table, event: Event, after: Table, actions: tuple[Action, ...], by: str) -> list[Fact]:
    """What the other table is to know of one step of this one; ``by`` is who said or did it."""
    remote = after.settings.remote
    if remote is None:
        return []
    own = remote.opponent
    facts = [
        *_dice(before, after, actions, own),
        *_judged(before, after, actions, own),
        *_undone(event, actions),
    ]
    if isinstance(event, CameTooLate) and event.here:
        facts.append({"what": "too_late"})
    if by != OTHER_TABLE:
        facts += _asked(before, event) if _is_asked(actions) else _words(before, event, after, actions, own)
    return [{"game": before.match.number, **fact} for fact in facts]


def _dice(before: Table, after: Table, actions: tuple[Action, ...], own: Side) -> Iterator[Fact]:
    """The die of the opening, and the rolls of the side that sits here."""
    opening = _opening_in(actions)
    if own not in before.opening:
        if own in after.opening:
            yield {"what": "die", "die": after.opening[own]}
        elif opening is not None:
            yield {"what": "die", "die": opening.light if own is Side.LIGHT else opening.dark}
    if opening is not None or any(isinstance(each, TurnUndone) for each in actions):
        return
    was, now = _roll(before, own), _roll(after, own)
    if now is not None and now != was:
        if was is not None:
            yield {"what": "void"}
        yield _rolled(after, now)
    elif was is not None and now is None and any(isinstance(each, DiceVoid) for each in actions):
        yield {"what": "void"}


def _opening_in(actions: tuple[Action, ...]) -> ruled.OpeningRoll | None:
    acted = (each.event for each in actions if isinstance(each, Acted))
    return next((event for event in acted if isinstance(event, ruled.OpeningRoll)), None)


def _roll(table: Table, own: Side) -> Roll | None:
    return None if table.thrown is None or table.thrown.side is not own else table.thrown.roll


def _rolled(table: Table, roll: Roll) -> Fact:
    return {"what": "rolled", "dice": list(roll.dice), "from": table.position.compact()}


def _judged(before: Table, after: Table, actions: tuple[Action, ...], own: Side) -> Iterator[Fact]:
    """What the referee here has concluded about the turn of the side that sits here."""
    thrown = before.thrown
    if any(
        isinstance(each, Told) and each.message is Message.PASSES and _is_of(each, own) for each in actions
    ):
        yield _played(before, before.position)
    elif thrown is not None and thrown.side is own and before.phase in PLAYING:
        judged = [each for each in actions if isinstance(each, TurnJudged) and each.side is own]
        last = judged[-1] if judged else None
        flagged = next((each.turn for each in actions if isinstance(each, Flagged)), None)
        if last is not None and not last.revises and (last.legal is not False or last.stands):
            if last.roll != thrown.roll:
                yield {"what": "void"}
                yield _rolled(before, last.roll)
            yield {**_played(before, last.after), "legal": last.legal}
        elif after.closings and after.closings[-1].open and after.thrown is None:
            yield {**_played(before, after.position), "legal": False}
        elif flagged is not None:
            yield {"what": "illegal", "ply": before.ply, "after": flagged.after.compact()}
        elif last is not None and after.phase is Phase.MOVING:
            yield {"what": "illegal", "ply": before.ply, "after": before.position.compact(), "back": True}


def _is_of(told: Told, side: Side) -> bool:
    return told.arguments.get("side") == str(side)


def _played(before: Table, after: Position) -> Fact:
    return {"what": "played", "ply": before.ply, "after": after.compact()}


def _words(
    before: Table, event: Event, after: Table, actions: tuple[Action, ...], own: Side
) -> Iterator[Fact]:
    """What people at this table said or decided, or its director."""
    for action in actions:
        if isinstance(action, Acted) and not isinstance(action.event, ruled.OpeningRoll):
            yield {"what": "said", "event": event_record(action.event)}
    match event:
        case Said(event=ruled.TakenBack()) if after.undo_asked is own and before.undo_asked is not own:
            yield _wish(before, "")
        case LetStand() if can_let_stand(before):
            yield {"what": "let_stand"}
        case FlagFell(side=side) if side is own:
            yield {"what": "flag"}
        case Corrected(ended=True):
            yield from _ended(before, actions)
        case Corrected() if after.phase not in OVER:
            if after.phase is Phase.SET_UP and after.match.game.turn is not None:
                yield _ruled(after)
            yield {"what": SCORE, "light": after.match.score.light, "dark": after.match.score.dark}
        case PositionRuled() if any(
            isinstance(each, Told) and each.message is Message.RULED for each in actions
        ):
            yield _ruled(after)
        case Pause() | GoOn() | Disputed() | Stopped() if after.phase is not before.phase:
            yield {"what": WORDS[type(event)]}
        case _ if any(isinstance(each, TurnJudged) and each.revises for each in actions):
            yield _ruled(after)


def _ended(after: Table, actions: tuple[Action, ...]) -> Iterator[Fact]:
    """The game is over by what was put right; ``after`` counts it already."""
    for each in actions:
        if isinstance(each, GameEnded) and not each.result.is_drawn:
            won = ruled.GameAwarded(each.result.winner, each.result.points)
            yield {"what": "said", "event": event_record(won), "game": len(after.match.results)}


def _undone(event: Event, actions: tuple[Action, ...]) -> Iterator[Fact]:
    """A turn that was taken back here, whoever wished it."""
    undone = [each for each in actions if isinstance(each, TurnUndone)]
    if undone and isinstance(event, Said):
        yield {"what": "undone", "ply": undone[-1].ply, "word": undone[-1].by}


def _is_asked(actions: tuple[Action, ...]) -> bool:
    return any(isinstance(each, Told) and each.message is Message.OTHER_ASKED for each in actions)


def _asked(before: Table, event: Event) -> Iterator[Fact]:
    """What was said here, and is decided at the other table."""
    match event:
        case Said(event=ruled.TakenBack(), by=by):
            yield _wish(before, "" if by in set(Side) else DIRECTOR)
        case Said(event=saying):
            yield {"what": "asked", "said": event_record(saying)}
        case PositionRuled():
            yield {**_ruled(before, event.position, event.on_roll), "what": "asked"}
        case Stopped():
            yield {"what": "asked"}


def _wish(before: Table, by: str) -> Fact:
    """Somebody wants the last turn taken back; the director's word alone is enough."""
    last = before.last_turn
    assert last is not None
    return {"what": "undo", "ply": last.entry.ply, "by": by}


def _ruled(table: Table, position: Position | None = None, on_roll: Side | None = None) -> Fact:
    position, on_roll = position or table.position, on_roll or table.match.game.turn
    return {"what": "ruled", "position": position.compact(), "on_roll": str(on_roll), "ply": table.ply}
