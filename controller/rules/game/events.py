"""What can happen in a game or a match: the events that advance it, and nothing else does."""

from dataclasses import dataclass

from controller.rules.notation import Play
from controller.rules.position import Position, Roll, Side


@dataclass(frozen=True, slots=True)
class _BySide:
    side: Side


@dataclass(frozen=True, slots=True)
class OpeningRoll:
    """One die each to decide who starts. A tie is an event of its own, followed by another."""

    light: int
    dark: int


@dataclass(frozen=True, slots=True)
class Rolled:
    """``side`` rolled two dice."""

    side: Side
    roll: Roll


class RollVoided(_BySide):
    """The last roll does not count (cocked, or off the board) and is made again."""


@dataclass(frozen=True, slots=True)
class Played:
    """``side`` ended its turn with the board at ``after``.

    Whether that was legal is the judge's matter: a play that stands is an event, legal or not.
    ``play`` tells its single moves, None if they are not known.
    """

    side: Side
    after: Position
    play: Play | None


class TakenBack(_BySide):
    """The last play of ``side`` is put back, to be played again with the same roll."""


class Doubled(_BySide):
    """``side`` offers a double or a redouble."""


class Taken(_BySide):
    """``side`` accepts the double, beaver or raccoon it was offered."""


class Passed(_BySide):
    """``side`` refuses the double, beaver or raccoon it was offered, and so loses the game."""


class Beavered(_BySide):
    """``side`` answers a double by doubling back at once, and keeps the cube."""


class Raccooned(_BySide):
    """``side`` answers a beaver by doubling once more; the cube stays with the other side."""


@dataclass(frozen=True, slots=True)
class Resigned:
    """``side`` offers to lose: ``amount`` is a level from 1 to 3, or points where the rules say so."""

    side: Side
    amount: int


class ResignationAccepted(_BySide):
    """``side`` accepts the other side's resignation."""


class ResignationRefused(_BySide):
    """``side`` refuses the other side's resignation; the game goes on where it was."""


@dataclass(frozen=True, slots=True)
class GameAwarded:
    """The director (or the house rule) gives the running game to ``winner`` for ``points``."""

    winner: Side
    points: int


@dataclass(frozen=True, slots=True)
class MatchForfeited:
    """``loser`` loses the match at once: its time is up, or it does not appear."""

    loser: Side


GameEvent = (
    OpeningRoll
    | Rolled
    | RollVoided
    | Played
    | TakenBack
    | Doubled
    | Taken
    | Passed
    | Beavered
    | Raccooned
    | Resigned
    | ResignationAccepted
    | ResignationRefused
    | GameAwarded
)
Event = GameEvent | MatchForfeited
