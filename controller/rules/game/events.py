"""What can happen in a game or a match: the events that advance it, and nothing else does."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from controller.errors import UserError
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


@dataclass(frozen=True, slots=True)
class DoubleNamed:
    """``side`` names the double it plays as if it had been rolled, after 2-1 in acey-deucey."""

    side: Side
    number: int


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
    | DoubleNamed
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
RulesEvent = GameEvent | MatchForfeited


class Refusal(StrEnum):
    """Everything a cube, a game or a match refuses."""

    NO_CUBE = "no_cube"
    CRAWFORD_GAME = "crawford_game"
    CUBE_NOT_OWNED = "cube_not_owned"
    CUBE_AT_MAXIMUM = "cube_at_maximum"
    CUBE_DEAD = "cube_dead"
    ROLL_BEFORE_DOUBLE = "roll_before_double"
    NOT_ON_TURN = "not_on_turn"
    OFFER_PENDING = "offer_pending"
    NO_OFFER = "no_offer"
    OWN_OFFER = "own_offer"
    BEAVER_NOT_PLAYED = "beaver_not_played"
    RACCOON_NOT_PLAYED = "raccoon_not_played"
    BEAVER_MUST_BE_ACCEPTED = "beaver_must_be_accepted"
    NOT_A_DIE = "not_a_die"
    ROLL_NOT_DUE = "roll_not_due"
    PLAY_NOT_DUE = "play_not_due"
    DOUBLE_NOT_DUE = "double_not_due"
    DOUBLE_DUE = "double_due"
    OPENING_ROLL_DUE = "opening_roll_due"
    OPENING_ROLL_NOT_DUE = "opening_roll_not_due"
    NOTHING_TO_TAKE_BACK = "nothing_to_take_back"
    RESIGNATION_TOO_SMALL = "resignation_too_small"
    RESIGNATION_TOO_LARGE = "resignation_too_large"
    RESIGNATION_MUST_BE_ACCEPTED = "resignation_must_be_accepted"
    AWARD_TOO_SMALL = "award_too_small"
    GAME_OVER = "game_over"
    MATCH_OVER = "match_over"


class RefusedError(UserError):
    """An event that the rules do not allow now. The state it was meant for is unchanged.

    `code` and `arguments` say why; `controller.messages` has the sentences.
    """

    def __init__(self, code: Refusal, **arguments: str | int) -> None:
        """`arguments` are those that the text of `code` in the catalogues names."""
        self.code = code
        self.arguments: Mapping[str, str | int] = arguments
        told = ", ".join([str(code), *(f"{name} {value}" for name, value in arguments.items())])
        super().__init__(f"The rules do not allow this now ({told}).")
