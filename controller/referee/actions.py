"""What the referee concludes. Sentences are made at the edge from the codes in ``reasons``."""

from dataclasses import dataclass

from controller.rules.notation import Play
from controller.rules.position import Position, Side
from controller.rules.reasons import Reason
from controller.rules.roll import Roll


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
class GameOver:
    """All checkers of the winner are off; ``points`` is 1 single, 2 gammon, 3 backgammon (without cube)."""

    t: float
    winner: Side
    points: int


Action = TurnJudged | Unsure | DiceVoid | FrameSkipped | GameOver
