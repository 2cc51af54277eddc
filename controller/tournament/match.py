"""A match of a tournament as a node with two sources, and what was reported of it."""

from dataclasses import dataclass
from enum import StrEnum

NOBODY = 0
"""In a seat: it stays empty."""


class SourceKind(StrEnum):
    """Where a player of a match comes from."""

    SEED = "seed"
    """The seed with this number; in templates only."""
    ENTRY = "entry"
    """The player with this number."""
    WINNER = "winner"
    LOSER = "loser"
    """Of the match with this number, which is smaller than that of the match itself."""
    BYE = "bye"
    """Nobody."""


@dataclass(frozen=True, slots=True)
class MatchSource:
    """One of the two sources of a match."""

    kind: SourceKind
    number: int = NOBODY


BYE = MatchSource(SourceKind.BYE)


class Bracket(StrEnum):
    """What a match belongs to."""

    MAIN = "main"
    CONSOLATION = "consolation"
    LAST_CHANCE = "last_chance"
    TITLE = "title"
    """The winner of the main bracket against the one who came back from the consolation."""
    ROUNDS = "rounds"
    GROUP = "group"
    KNOCKOUT = "knockout"
    """What follows groups or rounds."""
    PLAY_OFF = "play_off"
    """Between two who would share a place after groups or rounds; it is nothing else's result."""


@dataclass(frozen=True, slots=True)
class TournamentMatch:
    """A match.

    Attributes:
        number: from 1, unique in the event.
        bracket: what it belongs to.
        round: in its bracket, from 1.
        first, second: where its players come from.
        length: points.
        group: from 1, 0 where there are none.
        decider: played only if the second player of the match that both come from has won it.
    """

    number: int
    bracket: Bracket
    round: int
    first: MatchSource
    second: MatchSource
    length: int = 0
    group: int = 0
    decider: bool = False

    @property
    def sources(self) -> tuple[MatchSource, MatchSource]:
        """Both."""
        return self.first, self.second


class MatchEnding(StrEnum):
    """How a match came to an end."""

    PLAYED = "played"
    WALKOVER = "walkover"
    """One did not come, or left; the other goes on."""
    DOUBLE_WALKOVER = "double_walkover"
    """Neither came: both have lost, and the empty place goes on."""


@dataclass(frozen=True, slots=True)
class Lateness:
    """How many minutes each of two players came late to their match; more than any event waits for: never."""

    players: tuple[int, int]
    minutes: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ReportedResult:
    """What was reported of a match: both players in their order, and the points of both.

    Of a walk-over the points are 1 for whoever goes on and 0.
    """

    players: tuple[int, int]
    score: tuple[int, int]
    ending: MatchEnding = MatchEnding.PLAYED

    @property
    def winner(self) -> int:
        """Who goes on, `NOBODY` after a double walk-over."""
        if self.ending is MatchEnding.DOUBLE_WALKOVER:
            return NOBODY
        return self.players[self.score[1] > self.score[0]]

    @property
    def loser(self) -> int:
        """Who has lost and may drop into another bracket; of a double walk-over nobody."""
        if self.ending is MatchEnding.DOUBLE_WALKOVER:
            return NOBODY
        return self.players[self.score[1] < self.score[0]]
