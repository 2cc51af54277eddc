"""A seat whose player sits at another table: its facts as events here, and what this table tells of its own side."""

import logging
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.partner.remote.heard import (
    MEANINGLESS,
    VOID,
    WAIT,
    brings_on,
    crosses_resignation,
    event_of,
    game_of,
    is_directors,
    is_play,
    is_request,
    is_their_roll,
    score_of,
)
from controller.partner.remote.line import PartnerLine
from controller.partner.remote.told import SCORE, Fact, facts_of
from controller.referee import Action, Event, Table
from controller.referee.events import (
    DIRECTOR,
    OTHER_TABLE,
    CameTooLate,
    Corrected,
    GoOn,
    PositionRuled,
    Said,
)
from controller.referee.table.breaks import BROKEN_OFF
from controller.rules import Position, Side
from controller.rules.game import events as ruled
from controller.rules.game.match import Score
from controller.rules.game.match_record import event_from_record

_LOGGER: Final = logging.getLogger(__name__)
DAY_S: Final = 86_400
"""No clock of a match shows a day."""
NAME: Final = "table-"
"""A fact of the other table has this name and its number in the journal."""


@dataclass(frozen=True, slots=True)
class HeardEvent:
    """What came from the other table.

    Attributes:
        event: for the referee.
        by: whose word it is.
        name: what it is called in the journal; empty where this table itself decides.
        left_s: what their clock has left; None without one.
        score: light's and dark's points before this game, which their director has put right; None if it is not that.
    """

    event: Event
    by: str
    name: str = ""
    left_s: float | None = None
    score: tuple[int, int] | None = None


class RemoteSeat:
    """The other table, for the thread that steps this one."""

    def __init__(self, side: Side, line: PartnerLine, *, decides: bool) -> None:
        """``side`` plays there; ``decides`` tells whether this table is the one whose referee decides."""
        self.side, self.line, self._decides = side, line, decides
        self._ruled_at, self._heard = 0, 0
        self._score: tuple[int, Score] | None = None
        """The game and the score before it, after the last step here; None before the first one."""

    def restore(self, payloads: Iterable[Mapping[str, Any]]) -> None:
        """Go on where the inputs in the journal of this match leave it."""
        sent: list[Fact] = []
        received = 0
        for payload in payloads:
            sent += payload.get("told", ())
            name = str(payload.get("command", ""))
            if name.startswith(NAME):
                received = max(received, int(name.removeprefix(NAME)))
        self._ruled_at = max(
            (at for at, fact in enumerate(sent, start=1) if fact["what"] == "ruled"), default=0
        )
        self._heard = received
        self.line.restore(sent, received)

    def facts(
        self, before: Table, event: Event, after: Table, actions: tuple[Action, ...], by: str
    ) -> list[Fact]:
        """What is to be told of a step; it is told with `tell` when it is on the disk."""
        facts = facts_of(before, event, after, actions, by)
        score = after.match.number, after.match.score
        if score == self._score:  # what was put right has left the score as it was
            facts = [fact for fact in facts if fact["what"] != SCORE]
        self._score = score
        return [{**fact, "heard": self._heard} for fact in facts]

    def tell(self, facts: list[Fact]) -> None:
        """Tell this; the journal has it."""
        self.line.tell(facts)
        if any(fact["what"] == "ruled" for fact in facts):
            self._ruled_at = self.line.told

    def next(self, table: Table, t: float) -> HeardEvent | None:
        """What is to happen here next, if this board is ready for it."""
        while (first := self.line.first()) is not None:
            number, fact = first
            try:
                found = self._happening(number, fact, table, t)
            except MEANINGLESS as error:
                _LOGGER.warning("What the other table told has no meaning here: %r", error)
                found = VOID
            if found is VOID and is_request(fact):
                found = HeardEvent(CameTooLate(t, here=True), OTHER_TABLE, f"{NAME}{number}")
            if found is WAIT:
                return self._brought_on(table, t)
            if not isinstance(found, HeardEvent) or found.name:
                self.line.drop_first()
                self._heard = number
            if isinstance(found, HeardEvent):
                return found
        return None

    def _brought_on(self, table: Table, t: float) -> HeardEvent | None:
        """Play goes on here, too, where it does there: what waits was told before they heard of a break here."""
        if table.phase in BROKEN_OFF and any(map(brings_on, self.line.waiting())):
            return HeardEvent(GoOn(t), OTHER_TABLE)
        return None

    def _happening(self, number: int, fact: Fact, table: Table, t: float) -> Any:
        if self._is_overruled(fact):
            return VOID
        if crosses_resignation(fact, table):
            return HeardEvent(Said(t, ruled.ResignationRefused(self.side), OTHER_TABLE), OTHER_TABLE)
        if self._is_crossed(fact):
            return VOID
        if fact["what"] == "rolled" and is_their_roll(table) and fact["from"] != table.position.compact():
            return self._agree(fact, table, t)
        if fact["what"] == SCORE:
            if self._decides and self._has_told_score(fact, table):
                return VOID
            score = score_of(fact, table)
            if not isinstance(score, tuple):
                return score
            return HeardEvent(Corrected(t), OTHER_TABLE, f"{NAME}{number}", seconds_left(fact), score)
        event = event_of(fact, table, t)
        if event is WAIT or event is VOID:
            return event
        by = DIRECTOR if is_directors(fact) else OTHER_TABLE
        return HeardEvent(event, by, f"{NAME}{number}", seconds_left(fact))

    def _is_overruled(self, fact: Fact) -> bool:
        """Whether they told this before they heard of a ruling here; of two rulings the listening table's holds."""
        late = int(fact.get("heard", 0)) < self._ruled_at
        return late and (fact["what"] != "ruled" or self._decides)

    def _is_crossed(self, fact: Fact) -> bool:
        """Whether they resigned before they heard of what was played here since: it is void at both tables."""
        resigned = fact["what"] == "said" and isinstance(event_from_record(fact["event"]), ruled.Resigned)
        return resigned and any(map(is_play, self._told_meanwhile(fact)))

    def _has_told_score(self, fact: Fact, table: Table) -> bool:
        """Whether another score of that game was told here, which they had not heard of: of the two one may hold."""
        return any(
            each["what"] == SCORE and game_of(each, table) == game_of(fact, table)
            for each in self._told_meanwhile(fact)
        )

    def _told_meanwhile(self, fact: Fact) -> list[Fact]:
        """What was told here, and not heard there yet when they told this."""
        return self.line.told_after(int(fact.get("heard", 0)))

    def _agree(self, fact: Fact, table: Table, t: float) -> HeardEvent:
        """The boards differ: both are laid out as the listening table has it, and the roll is made again."""
        position = table.position if self._decides else Position.from_compact(fact["from"])
        by = "" if self._decides else OTHER_TABLE
        return HeardEvent(PositionRuled(t, position, self.side, by), by)


def seconds_left(fact: Fact) -> float | None:
    """What their clock has left; None where they tell nothing that a clock can show."""
    left = fact.get("left")
    known = isinstance(left, int | float) and not isinstance(left, bool) and 0 <= left < DAY_S
    return float(left) if known and left is not None else None
