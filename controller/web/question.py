"""What stands in the way of play just now, and whom it asks."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from controller.record.journal.journal import Json
from controller.referee import Message, Phase, TurnJudged
from controller.referee.actions import Candidate
from controller.referee.belief.steps import moves_between
from controller.referee.seeing.cube_watch import Shown
from controller.referee.seeing.evidence import MOST
from controller.referee.table.games import refusal
from controller.referee.table.state import LEAD, Table, conduct_of
from controller.rules import Side
from controller.rules.game import events as ruled
from controller.rules.game.cube import OfferKind
from controller.rules.moves.movement import MovementRules
from controller.rules.profile.conduct import Remedy
from controller.telling.table import fault_words, way_back
from controller.web.wording import Wording

MOST_LIKELY: Final = 3
"""Of more numbers of checkers on a point nobody learns anything."""


@dataclass(frozen=True, slots=True)
class Question:
    """Something that people have to see to before play goes on.

    Attributes:
        kind: ``illegal``, ``unsure``, ``double``, ``resignation``, ``second_roll``, ``early_roll``, ``cube``,
            ``consent``, ``dispute``, ``paused``, ``set_up``, ``board_other``, ``put_back`` or ``undo``.
        heading: a sentence.
        text: more sentences.
        steps: what to do, each in a few words.
        moves: the same for the board; points in the numbering of the side that moves.
        points: those to look at, in light's numbering.
        counts: how many checkers may lie on those of them of which several numbers are likely.
        note: a last small sentence.
        position: the board as it lies meanwhile, compact; None for the position confirmed last.
        asks: whose answer it is; None for both.
        tone: ``warn``, ``ask`` or ``plain``.
    """

    kind: str
    heading: str
    text: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    moves: tuple[Mapping[str, Json], ...] = ()
    points: tuple[int, ...] = ()
    counts: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    note: str | None = None
    position: str | None = None
    asks: Side | None = None
    tone: str = "ask"

    def content(self) -> dict[str, Json]:
        """The question as plain values."""
        return {
            "kind": self.kind,
            "heading": self.heading,
            "text": [*self.text],
            "steps": [*self.steps],
            "moves": [dict(move) for move in self.moves],
            "points": [*self.points],
            "counts": {str(point): [*counts] for point, counts in self.counts.items()},
            "note": self.note,
            "position": self.position,
            "asks": self.asks and str(self.asks),
            "tone": self.tone,
        }


def question_of(table: Table, wording: Wording, answers: Sequence[Candidate] = ()) -> Question | None:
    """What the table asks of people; None if play goes on by itself. ``answers`` are what the turn may have been."""
    ask = _PHASES.get(table.phase)
    question = None if ask is None else ask(table, wording)
    if question is not None and question.kind == "unsure" and answers:
        return replace(question, note=wording.live("note", "which_play"))
    return question


def _set_up(table: Table, wording: Wording) -> Question:
    note = None
    if table.back[-1:] == (Phase.MOVING,) and table.on_turn is not None:
        note = wording.message(Message.PLAY_AGAIN, side=table.on_turn)
    heading = wording.message(Message.SET_UP)
    return Question("set_up", heading, note=note, position=_target(table), tone="plain")


def _target(table: Table) -> str | None:
    return None if table.target is None else table.target.compact()


def _open(table: Table, wording: Wording) -> Question | None:
    if not table.match.results and conduct_of(table).needs_consent() and not table.consent:
        return Question("consent", wording.message(Message.CONSENT_ASKED))
    return None


def _undo(table: Table, wording: Wording) -> Question | None:
    """A player asks the other to take back the last turn."""
    side, last = table.undo_asked, table.last_turn
    if side is None or last is None or last.turn is None:
        return None
    turn = last.turn
    told = {"side": side, "other": side.opponent, "player": turn.side, "dice": [*turn.roll.dice]}
    return Question("undo", wording.message(Message.UNDO_ASKED, **told), asks=side.opponent)


def _to_roll(table: Table, wording: Wording) -> Question | None:
    if (asked := _undo(table, wording)) is not None:
        return asked
    message, points, _ = _asked(table)
    if message is Message.BOARD_OTHER:
        return Question("board_other", wording.message(message), points=points)
    if message is Message.MOVED_OUT_OF_TURN:
        return Question("put_back", wording.message(message), points=points)
    return _cube_moved(table, wording)


def _moving(table: Table, wording: Wording) -> Question | None:
    side, thrown = table.on_turn, table.thrown
    if (asked := _undo(table, wording)) is not None:
        return asked
    if table.early is not None and side is not None:
        heading = wording.message(Message.ROLL_TOO_EARLY, side=side, dice=[*table.early], ask=True)
        return Question("early_roll", heading, asks=side)
    if thrown is not None and thrown.side is not None and thrown.roll_again is not None:
        first, again = [*thrown.roll.dice], [*thrown.roll_again.dice]
        heading = wording.message(
            Message.ROLLED_AGAIN, side=thrown.side, first="-".join(map(str, first)), dice=again
        )
        return Question("second_roll", heading, asks=thrown.side.opponent)
    return _cube_moved(table, wording)


def _cube_moved(table: Table, wording: Wording) -> Question | None:
    """A cube that lies otherwise than agreed, for as long as it does; players have a moment to turn it."""
    game, watch, caution = table.match.game, table.cube, table.caution
    due, shown = Shown.due_for(game.cube), watch.shown
    if not game.has_cube or shown is None or shown == due:
        return None
    so = wording.message(Message.CUBE_DUE, owner=due.owner, value=due.value)
    note = wording.live("note", "cube")
    if watch.was_moved(caution):
        moved = wording.message(Message.CUBE_MOVED, owner=shown.owner, value=shown.value)
        return Question("cube", moved, text=(so,), note=note)
    return Question("cube", so, note=note) if watch.is_overdue(caution) else None


def _turn_ended(table: Table, wording: Wording) -> Question | None:
    message, points, told = _asked(table)
    if message is None:
        return None
    kind = "put_back" if message is Message.MOVED_OUT_OF_TURN else "unsure"
    heading = wording.message(message, **told)
    return Question(kind, heading, points=points, counts=dict(_likely(table, points)))


def _likely(table: Table, points: tuple[int, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The numbers of checkers that the pictures leave open, at the points where these are few."""
    if not table.views:
        return
    lies = table.views[-1].visible.points
    for point in points:
        likely = np.flatnonzero(lies[point - 1] >= lies[point - 1].max() - LEAD) - MOST
        counts = tuple(sorted({abs(int(count)) for count in likely}))
        if 1 < len(counts) <= MOST_LIKELY:
            yield point, counts


def _asked(table: Table) -> tuple[Message | None, tuple[int, ...], Mapping[str, object]]:
    """What the people were asked to look at last, at which points, and of what the sentence tells."""
    message, points, told = (*table.warned, None, None, None)[:3]
    # That nothing was moved yet is told, and nobody asked.
    if not isinstance(message, Message) or message is Message.NOTHING_MOVED:
        return None, (), {}
    return message, points if isinstance(points, tuple) else (), told if isinstance(told, dict) else {}


def _put_right(table: Table, wording: Wording) -> Question | None:
    turn = table.flagged
    if turn is None:
        return None
    chooses = Remedy.LET_STAND in conduct_of(table).remedies()
    side = turn.side.opponent if chooses else turn.side
    heading = wording.message(Message.CHOOSE if chooses else Message.PUT_BACK, side=side)
    return Question(
        "illegal",
        heading,
        text=tuple(fault_words(turn, wording.language)),
        steps=tuple(way_back(turn, wording.language, wording.rules)),
        moves=tuple(_moves_back(turn, wording.rules)),
        note=None if chooses else wording.live("note", "illegal", roll=turn.roll),
        position=turn.after.compact(),
        asks=side,
        tone="warn",
    )


def _moves_back(turn: TurnJudged, rules: MovementRules) -> Iterator[Mapping[str, Json]]:
    for side in (turn.side, turn.side.opponent):
        for move in moves_between(turn.before, turn.after, side, turn.roll, rules):
            yield {"side": str(side), "from": move.target, "to": move.source}


def _cube(table: Table, wording: Wording) -> Question | None:
    offer = table.match.game.offer
    if offer is None:
        return None
    raised = offer.kind in (OfferKind.BEAVER, OfferKind.RACCOON)
    told = wording.message(Message.BEAVERS if raised else Message.DOUBLES, side=offer.by, value=offer.value)
    return Question("double", wording.live("heading", "double", side=offer.to), text=(told,), asks=offer.to)


def _resignation(table: Table, wording: Wording) -> Question | None:
    offered = table.match.game.resignation
    if offered is None:
        return None
    other = offered.by.opponent
    text = (resignation_words(table, wording),)
    if refusal(table.match, ruled.ResignationRefused(other)) is not None:
        return Question("resignation", text[0], asks=other)
    return Question("resignation", wording.live("heading", "resignation", side=other), text=text, asks=other)


def resignation_words(table: Table, wording: Wording) -> str:
    """The resignation that was offered, in words."""
    offered = table.match.game.resignation
    assert offered is not None
    return wording.message(Message.RESIGNS, side=offered.by, amount=offered.amount)


def _dispute(_: Table, wording: Wording) -> Question:
    return Question("dispute", wording.message(Message.DISPUTE))


def _paused(_: Table, wording: Wording) -> Question:
    return Question("paused", wording.message(Message.PAUSED), tone="plain")


_PHASES: Final[Mapping[Phase, Callable[[Table, Wording], Question | None]]] = {
    Phase.SET_UP: _set_up,
    Phase.OPENING_ROLL: _open,
    Phase.TO_ROLL: _to_roll,
    Phase.MOVING: _moving,
    Phase.TURN_ENDED: _turn_ended,
    Phase.PUT_RIGHT: _put_right,
    Phase.CUBE_OFFERED: _cube,
    Phase.RESIGNATION_OFFERED: _resignation,
    Phase.DISPUTE: _dispute,
    Phase.PAUSED: _paused,
}
