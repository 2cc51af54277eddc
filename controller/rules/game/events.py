"""What can happen in a game or a match: the events that advance it, and nothing else does."""

from dataclasses import dataclass

from controller.rules.notation import Play
from controller.rules.position import Position, Roll, Side


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


@dataclass(frozen=True, slots=True)
class RollVoided:
    """The last roll does not count (cocked, or off the board) and is made again."""

    side: Side


@dataclass(frozen=True, slots=True)
class Played:
    """``side`` ended its turn with the board at ``after``.

    Whether that was legal is the judge's matter: a play that stands is an event, legal or not.
    ``play`` tells its single moves, None if they are not known.
    """

    side: Side
    after: Position
    play: Play | None


@dataclass(frozen=True, slots=True)
class TakenBack:
    """The last play of ``side`` is put back, to be played again with the same roll."""

    side: Side


@dataclass(frozen=True, slots=True)
class Doubled:
    """``side`` offers a double or a redouble."""

    side: Side


@dataclass(frozen=True, slots=True)
class Taken:
    """``side`` accepts the double, beaver or raccoon it was offered."""

    side: Side


@dataclass(frozen=True, slots=True)
class Passed:
    """``side`` refuses the double, beaver or raccoon it was offered, and so loses the game."""

    side: Side


@dataclass(frozen=True, slots=True)
class Beavered:
    """``side`` answers a double by doubling back at once, and keeps the cube."""

    side: Side


@dataclass(frozen=True, slots=True)
class Raccooned:
    """``side`` answers a beaver by doubling once more; the cube stays with the other side."""

    side: Side


@dataclass(frozen=True, slots=True)
class Resigned:
    """``side`` offers to lose: ``amount`` is a level from 1 to 3, or points where the rules say so."""

    side: Side
    amount: int


@dataclass(frozen=True, slots=True)
class ResignationAccepted:
    """``side`` accepts the other side's resignation."""

    side: Side


@dataclass(frozen=True, slots=True)
class ResignationRefused:
    """``side`` refuses the other side's resignation; the game goes on where it was."""

    side: Side


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
