"""A match that a table was sent: the command, and the answer."""

from concurrent.futures import Future
from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

from controller.club.messages import TableReply
from controller.hub.evening.shown_match import shown_match
from controller.hub.hall import TableShown
from controller.hub.tables.commands import TableAskError
from controller.record.journal.journal import Json
from controller.tournament.entry import same
from controller.tournament.format import EventClock
from controller.tournament.sheets.wording import TournamentWords
from controller.tournament.tournament import DrawnMatch, Tournament

LANGUAGE: Final = "en"
"""Of what is written into records: the name of a round."""


class SendingState(StrEnum):
    """What became of a match that a table was sent."""

    SENT = "sent"
    """The table has not answered yet."""
    TAKEN = "taken"
    """It plays the match next."""
    REFUSED = "refused"
    """It does not, and says why."""


class SaidInAnyLanguage(Protocol):
    """A sentence that readers get in their own language."""

    def in_language(self, language: str) -> str:
        """The sentence in `language`, one of `LANGUAGES`."""


@dataclass(frozen=True, slots=True)
class SentMatch:
    """A match that a table was sent.

    Attributes:
        table: to which.
        state: what became of it.
        reason: what the table said, empty if nothing; or why it was not asked.
    """

    table: str
    state: SendingState = SendingState.SENT
    reason: str | SaidInAnyLanguage = ""

    def text(self, language: str) -> str:
        """What the table said, as it said it; or why it was not asked, in `language`."""
        return self.reason if isinstance(self.reason, str) else self.reason.in_language(language)


def match_body(tournament: Tournament, state: DrawnMatch) -> dict[str, Json]:
    """The command that makes a table play a match next: ``start_match`` and its keys."""
    match, rules = state.match, tournament.format.clock
    light, dark = (tournament.entries[each].name for each in state.players)
    clock: Json = None
    if rules.kind is not EventClock.NONE:
        clock = {
            "kind": str(rules.kind),
            "reserve_s": rules.reserve_for(match.length, match.round),
            "delay_s": rules.delay_for(match.round),
        }
    return {
        "what": "start_match",
        "light": light,
        "dark": dark,
        "length": match.length,
        "event": tournament.name,
        "round": TournamentWords(tournament, LANGUAGE).round_name(match),
        "clock": clock,
        "profile": tournament.format.rules.profile,
    }


def score_body(tournament: Tournament, state: DrawnMatch, table: TableShown) -> dict[str, Json]:
    """The command that gives the match at a table the points that its players begin with."""
    light, dark = tournament.start(state)
    sits_light = shown_match(table).get("light")
    if isinstance(sits_light, str) and same(sits_light) == same(tournament.entries[state.players[1]].name):
        light, dark = dark, light
    return {"what": "change_score", "game": 1, "light": light, "dark": dark}


def read_answer(table: str, done: "Future[TableReply]") -> SentMatch:
    """What a table answered."""
    error = done.exception()
    if isinstance(error, TableAskError):
        return SentMatch(table, SendingState.REFUSED, error)
    if error is not None:
        return SentMatch(table, SendingState.REFUSED, str(error))
    reply = done.result()
    return SentMatch(table, SendingState.TAKEN if reply.done else SendingState.REFUSED, reply.text)
