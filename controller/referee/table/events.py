"""What the table's referee is told. Times are seconds since the match began, on a clock that never runs backwards.

Pictures and the rolls of an electronic dice set are the events of a film (`controller.referee.events`).
"""

from dataclasses import dataclass

from controller.devices.link.happenings import Button
from controller.referee.events import FrameLost, FrameMoving, FrameSeen, Rolled
from controller.rules import events as ruled
from controller.rules.position import Position, Side
from controller.rules.profile import Profile


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button was pressed."""

    t: float
    button: Button


@dataclass(frozen=True, slots=True)
class Said:
    """Something the rules know was said to the device: an offer, an answer, a resignation, an award, a typed roll.

    ``by`` is who said it: ``light``, ``dark``, ``director``.
    """

    t: float
    event: ruled.Event
    by: str = ""


@dataclass(frozen=True, slots=True)
class LetStand:
    """The opponent (or the director) lets an illegal play stand."""

    t: float


@dataclass(frozen=True, slots=True)
class Correct:
    """The opponent (or the director) wants an illegal play corrected."""

    t: float


@dataclass(frozen=True, slots=True)
class RollStands:
    """The player whose turn was cut short lets the opponent's premature roll stand, or not."""

    t: float
    stands: bool


@dataclass(frozen=True, slots=True)
class Pause:
    """The match is interrupted."""

    t: float


@dataclass(frozen=True, slots=True)
class GoOn:
    """A pause or a dispute is over, and play goes on from where it was."""

    t: float


@dataclass(frozen=True, slots=True)
class Disputed:
    """A player calls for a ruling."""

    t: float


@dataclass(frozen=True, slots=True)
class PositionRuled:
    """The director says how the board stands and who is on roll; the turn that was under way is void."""

    t: float
    position: Position
    on_roll: Side


@dataclass(frozen=True, slots=True)
class Rebuild:
    """The board is to be set up as it stood when it was last confirmed, or as ``position`` says."""

    t: float
    position: Position | None = None


@dataclass(frozen=True, slots=True)
class HintAsked:
    """From now on so much is shown to a learner: 0 nothing, 1 movable checkers, 2 landing points, 3 the best play."""

    t: float
    level: int


@dataclass(frozen=True, slots=True)
class BestPlayFound:
    """An engine's best play for the roll being played: the positions it leads through to its end."""

    t: float
    ply: int
    after: Position


@dataclass(frozen=True, slots=True)
class ConsentGiven:
    """Both players, or the director, agree that the device may tell of illegal plays to both (or no longer do)."""

    t: float
    given: bool


@dataclass(frozen=True, slots=True)
class ProfileChosen:
    """Other rules are asked for; they cannot change within a match."""

    t: float
    profile: Profile


@dataclass(frozen=True, slots=True)
class Stopped:
    """The players stop a money session, between two games."""

    t: float


@dataclass(frozen=True, slots=True)
class FlagFell:
    """The clock of a side ran out."""

    t: float
    side: Side


@dataclass(frozen=True, slots=True)
class DeviceChanged:
    """A device came or went; ``device`` is ``camera``, ``board``, ``journal``; ``why`` is for people."""

    t: float
    device: str
    ready: bool
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ticked:
    """Time has gone by."""

    t: float


@dataclass(frozen=True, slots=True)
class FilmEnded:
    """There are no more pictures: the last play is judged by what was seen."""

    t: float


@dataclass(frozen=True, slots=True)
class Resumed:
    """The program started again, in the middle of the match."""

    t: float


Asked = (
    LetStand
    | Correct
    | RollStands
    | Pause
    | GoOn
    | Disputed
    | PositionRuled
    | Rebuild
    | HintAsked
    | ConsentGiven
)
Event = (
    FrameSeen
    | FrameMoving
    | FrameLost
    | Rolled
    | Pressed
    | Said
    | Asked
    | BestPlayFound
    | ProfileChosen
    | Stopped
    | FlagFell
    | DeviceChanged
    | Ticked
    | FilmEnded
    | Resumed
)
