"""What the referee concludes. Sentences are made at the edge from the codes in ``reasons``."""

from dataclasses import dataclass

from controller.rules.notation import Play
from controller.rules.position import Position, Side
from controller.rules.reasons import Reason
from controller.rules.roll import Roll
from controller.vision.reading import Owner


@dataclass(frozen=True)
class TurnJudged:
    """A turn is over and judged.

    A legal turn carries its ``play``. An illegal one carries ``reasons`` (``also`` those of explanations that
    are as simple), the change on the board in words of notation (``text``) and a legal play that would have
    been possible (``instead``); ``stands`` is true when
    the game goes on from it and false when it was put right (another ``TurnJudged`` with the same ``ply``
    follows). ``frame`` is the last picture in which ``after`` was seen, ``t`` the time of the judgement.
    ``revises`` marks a turn that was told before and was something else in the light of what followed.
    """

    ply: int
    side: Side
    roll: Roll
    play: Play | None
    text: str
    legal: bool
    reasons: tuple[Reason, ...]
    also: tuple[Reason, ...]
    instead: Play | None
    stands: bool
    before: Position
    after: Position
    frame: int | None
    t: float
    revises: bool = False


@dataclass(frozen=True)
class Unsure:
    """The turn could not be told for certain: a person should look at these points (1..24)."""

    t: float
    frame: int | None
    ply: int
    points: tuple[int, ...]


@dataclass(frozen=True)
class DiceVoid:
    """A roll that did not count: it was rolled again before anything moved."""

    t: float
    roll: Roll


@dataclass(frozen=True)
class FrameSkipped:
    """A picture was lost; the game goes on without it."""

    t: float
    frame: int
    name: str
    why: str


@dataclass(frozen=True)
class CubeTaken:
    """``doubler`` doubled before its roll of turn ``ply`` and the other side took: the cube counts ``value`` now.

    ``t`` and ``frame`` are those of the first picture in which it lay on the other side.
    """

    t: float
    frame: int
    ply: int
    doubler: Side
    value: int


@dataclass(frozen=True)
class CubeUnclear:
    """The cube lies differently, and no double that was taken explains how; a person should be asked."""

    t: float
    frame: int
    owner: Owner
    value: int


@dataclass(frozen=True)
class GameOver:
    """All checkers of the winner are off in ``position``; what that is worth the rules of scoring tell."""

    t: float
    winner: Side
    position: Position


@dataclass(frozen=True)
class GameBegun:
    """The checkers were set up anew for another game.

    ``broken_off`` tells that the one before it had not been played to its end: somebody passed a double or
    resigned, which no picture shows. ``ply`` is the number of the first turn to come.
    """

    t: float
    frame: int
    ply: int
    broken_off: bool


Action = TurnJudged | Unsure | DiceVoid | FrameSkipped | CubeTaken | CubeUnclear | GameOver | GameBegun
