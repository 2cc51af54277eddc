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
class Bumped:
    """The board was pushed, or the camera moved, and it is followed from there.

    By ``shift_mm`` and ``turn_deg`` against where it stood before; ``x_mm`` and ``y_mm`` (nominal mm, board frame)
    are all pushes since the calibration together.
    """

    t: float
    frame: int
    shift_mm: float
    turn_deg: float
    x_mm: float
    y_mm: float


@dataclass(frozen=True)
class LightChanged:
    """The light is another one: by these factors brighter than it was at the calibration."""

    t: float
    frame: int
    red: float
    green: float
    blue: float


@dataclass(frozen=True)
class BoardLost:
    """The board is not seen any more: it was moved too far to be followed, the camera was, or it is dark."""

    t: float
    frame: int


@dataclass(frozen=True)
class BoardBack:
    """A board that was lost is seen again."""

    t: float
    frame: int


@dataclass(frozen=True)
class CubeUnclear:
    """The cube lies differently, and no double that was taken explains how; a person should be asked."""

    t: float
    frame: int
    owner: Owner
    value: int


Surrounding = Bumped | LightChanged | BoardLost | BoardBack
Action = TurnJudged | Unsure | DiceVoid | FrameSkipped | Surrounding | CubeUnclear
