"""The turns of a whole game, as an audience may see them."""

from collections.abc import Iterator
from dataclasses import replace

from controller.record import MatchRecord
from controller.record.journal.journal import Json
from controller.record.match.json_values import turn_object
from controller.record.match.match import Turn
from controller.referee.table.state import audience as may_know
from controller.rules import Party
from controller.telling.table import played_words
from controller.web.audience import Audience
from controller.web.table_service import Role, RoomView


def games_of(record: MatchRecord, view: RoomView, *, late: bool) -> int:
    """The number of games that there are to be seen; for those who see everything ``late`` as they are shown it."""
    if not late:
        return len(record.games)
    return 0 if view.referee is None else min(len(record.games), view.referee.match.number)


def plies_of(
    record: MatchRecord, game: int, view: RoomView, audience: Audience, *, late: bool = False
) -> Iterator[dict[str, Json]]:
    """The turns of a game, counted from 1, as lines of `events.jsonl` with ``words`` and the position ``before``.

    Those who may not know of illegal plays see them as any others, and only the director sees how probable a turn is.
    Those who see everything ``late`` get the turns before the one that they are shown.
    """
    to = frozenset(Party) if view.referee is None else may_know(view.referee)
    for turn in record.games[game - 1].entries:
        if not isinstance(turn, Turn):
            continue
        if late and (
            view.referee is None or (game, turn.ply) >= (view.referee.match.number, view.referee.ply)
        ):
            continue
        shown = turn
        if turn.legal is False and not audience.hears(to, turn.player):
            if not turn.stands:
                continue
            shown = replace(turn, legal=True, stands=False, reasons=())
        if audience.role is not Role.DIRECTOR:
            shown = replace(shown, probability=None)
        words = played_words(shown, audience.language)
        yield {**turn_object(shown), "words": words, "before": turn.before.compact()}
