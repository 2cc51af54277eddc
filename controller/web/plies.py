"""The turns of a whole game, as an audience may see them."""

from collections.abc import Iterator

from controller.record import MatchRecord
from controller.record.journal.journal import Json
from controller.record.match.json_values import turn_object
from controller.record.match.match import Turn
from controller.referee.table.state import audience as may_know
from controller.rules import Party
from controller.web.audience import Audience
from controller.web.house import RoomView


def plies_of(record: MatchRecord, game: int, view: RoomView, audience: Audience) -> Iterator[dict[str, Json]]:
    """The turns of a game, counted from 1, as lines of `events.jsonl`.

    Those who may not know of illegal plays see them as any others.
    """
    to = frozenset(Party) if view.referee is None else may_know(view.referee)
    for turn in record.games[game - 1].entries:
        if not isinstance(turn, Turn):
            continue
        content = turn_object(turn)
        if not turn.legal and not audience.hears(to, turn.player):
            if not turn.stands:
                continue
            content |= {"legal": True, "reasons": []}
            content.pop("stands", None)
        yield content
