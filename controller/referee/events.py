"""What the referee is told. Times are seconds since the match began, on a clock that never runs backwards."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.devices import Button
from controller.rules import Position, Profile, Roll, Side
from controller.rules.game import events as ruled
from controller.vision import Reading

DIRECTOR: Final = "director"
"""Who is neither of the players; the players are called by their sides."""
OTHER_TABLE: Final = "other_table"
"""Who says what came from the table at which the other side plays."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Something that happens at ``t``."""

    t: float


@dataclass(frozen=True)
class FrameSeen(Timed):
    """A picture was taken at ``t`` and read; ``frame`` is its number in the film."""

    frame: int
    reading: Reading


@dataclass(frozen=True)
class FrameSame(Timed):
    """A picture was taken at ``t`` that shows the board at rest as it was read last: it was not read again."""

    frame: int


@dataclass(frozen=True)
class FrameMoving(Timed):
    """A picture was taken at ``t`` in which something moves: it was not read."""

    frame: int


@dataclass(frozen=True)
class FrameLost(Timed):
    """A picture could not be had or not be decoded; ``why`` is for people."""

    frame: int
    name: str
    why: str


@dataclass(frozen=True)
class RollReported(Timed):
    """An electronic dice set reported a roll, in its order: at the opening light's die comes first.

    ``cocked`` tells that a die leans: the roll is void. ``owner`` is the side whose own dice they are, None where
    both sides use them or nobody knows.
    """

    dice: tuple[int, int]
    cocked: bool = False
    owner: Side | None = None

    @property
    def roll(self) -> Roll:
        """The roll without its order."""
        return Roll.from_dice(*self.dice)


@dataclass(frozen=True, slots=True)
class Pressed(Timed):
    """A button was pressed; ``side`` is whose button it is, None for one that both use."""

    button: Button
    side: Side | None = None


@dataclass(frozen=True, slots=True)
class Said(Timed):
    """Something the rules know was said to the device: an offer, an answer, a resignation, an award, a typed roll.

    ``by`` is who said it: ``light``, ``dark``, ``director``, or `OTHER_TABLE`.
    """

    event: ruled.RulesEvent
    by: str = ""


@dataclass(frozen=True, slots=True)
class LetStand(Timed):
    """The opponent (or the director) lets an illegal play stand; ``by`` is who said so, where that is known."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class Correct(Timed):
    """The opponent (or the director) wants an illegal play corrected."""


@dataclass(frozen=True, slots=True)
class RollStands(Timed):
    """The player whose turn was cut short lets the opponent's premature roll stand, or not."""

    stands: bool


@dataclass(frozen=True, slots=True)
class Pause(Timed):
    """The match is interrupted."""


@dataclass(frozen=True, slots=True)
class GoOn(Timed):
    """A pause or a dispute is over, and play goes on from where it was."""


@dataclass(frozen=True, slots=True)
class Disputed(Timed):
    """A player calls for a ruling."""


@dataclass(frozen=True, slots=True)
class PositionRuled(Timed):
    """The director says how the board stands and who is on roll; the turn that was under way is void.

    ``by`` is who said so, where that is known; a player's word does nothing. ``ply`` is the number of the next turn
    where the other table ruled: later turns of this one do not count.
    """

    position: Position
    on_roll: Side
    by: str = ""
    ply: int | None = None


@dataclass(frozen=True, slots=True)
class Rebuild(Timed):
    """The board is to be set up as it stood when it was last confirmed, or as ``position`` says."""

    position: Position | None = None


@dataclass(frozen=True, slots=True)
class HintAsked(Timed):
    """From now on so much is shown to a learner: 0 nothing, 1 movable checkers, 2 landing points, 3 the best play."""

    level: int


@dataclass(frozen=True, slots=True)
class BestPlayFound(Timed):
    """What an engine would play of the roll being played, by where each play ends.

    Attributes:
        after: the end of the best play.
        others: the ends of those that come next, the better ones first.
        losses: what each of the others loses against the best one, points of equity.
    """

    ply: int
    after: Position
    others: tuple[Position, ...] = ()
    losses: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class PlayAnnounced(Timed):
    """An engine in a seat, or the other table, says how it plays its roll, by where that ends.

    A person moves its checkers. At the other table an illegal play may have been let stand; then it is not ``legal``.
    One that nobody could tell for certain is not ``sure``, and counts at both tables unconfirmed.
    """

    ply: int
    side: Side
    after: Position
    legal: bool = True
    sure: bool = True


@dataclass(frozen=True, slots=True)
class OpeningDie(Timed):
    """The die that a side rolled to start, where each side sits at a table of its own."""

    side: Side
    die: int


@dataclass(frozen=True, slots=True)
class IllegalElsewhere(Timed):
    """At the other table the board shows ``after``, which is no legal play of the roll that ``side`` is playing.

    With ``back`` the checkers were put back, and the roll is played again.
    """

    ply: int
    side: Side
    after: Position
    back: bool = False


@dataclass(frozen=True, slots=True)
class UndoneElsewhere(Timed):
    """The other table took back the turn ``ply``, and all that came after it; ``word`` is whose word that was."""

    ply: int
    word: str


@dataclass(frozen=True, slots=True)
class CameTooLate(Timed):
    """What one table asked of the other came when play there had gone on, and has no effect.

    With ``here`` this table was asked, and is to say so to the other one.
    """

    here: bool


@dataclass(frozen=True, slots=True)
class ConsentGiven(Timed):
    """Both players, or the director, agree that the device may tell of illegal plays to both (or no longer do)."""

    given: bool


@dataclass(frozen=True, slots=True)
class ProfileChosen(Timed):
    """Other rules are asked for; they cannot change within a match."""

    profile: Profile


@dataclass(frozen=True, slots=True)
class Stopped(Timed):
    """The players stop a money session, between two games; ``by`` is who said so, where that is known."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class FlagFell(Timed):
    """The clock of a side ran out."""

    side: Side


@dataclass(frozen=True, slots=True)
class DeviceChanged(Timed):
    """A device came or went: camera, board, lights, keys or journal; ``why`` is a code of its state, or words."""

    device: str
    ready: bool
    why: str = ""


class BoardTrouble(StrEnum):
    """What may be the matter with the board's electronics while they are there."""

    POWER_CUT = "power_cut"
    """They had no power: what they had not told is lost, if there was anything."""
    QUEUE_FULL = "queue_full"
    """They could not keep this many events."""
    TAKEN = "taken"
    """Another program took this many events."""
    RESTART = "restart"
    """They started anew and still have all their events."""
    REQUEST_REFUSED = "request_refused"
    """They could not use a request."""
    SETTINGS_REFUSED = "settings_refused"
    """They do not keep the settings that they are to keep, and the lights stay dark."""


LOSSES: Final = frozenset({BoardTrouble.POWER_CUT, BoardTrouble.QUEUE_FULL, BoardTrouble.TAKEN})
"""Troubles after which a press or a roll may be missing."""
PORT_OPENED: Final = "port_opened"
"""Why electronics start anew when a program opens their port, as many do: nobody needs to hear of it."""


@dataclass(frozen=True, slots=True)
class BoardTroubled(Timed):
    """Something is the matter with the board's electronics.

    ``trouble`` is a `BoardTrouble`, ``count`` the number of events that it is about. ``why`` is the cause of a
    restart (``power_on``, ``reset_line``, ``brown_out``, ``watchdog``, ``unknown`` or `PORT_OPENED`), or what was
    refused.
    """

    trouble: str
    count: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Ticked(Timed):
    """Time has gone by."""


@dataclass(frozen=True, slots=True)
class FilmEnded(Timed):
    """The film that is followed is over; ``t`` is the time of its last picture."""


@dataclass(frozen=True, slots=True)
class Resumed(Timed):
    """The program started again, in the middle of the match."""


@dataclass(frozen=True, slots=True)
class Corrected(Timed):
    """The director put the record right, and the table stands where that leaves it.

    ``ended`` tells that the running game is over by what was put right, and has no result yet.
    """

    ended: bool = False


Instruction = (
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
    | FrameSame
    | FrameMoving
    | FrameLost
    | RollReported
    | Pressed
    | Said
    | Instruction
    | BestPlayFound
    | PlayAnnounced
    | OpeningDie
    | IllegalElsewhere
    | UndoneElsewhere
    | CameTooLate
    | ProfileChosen
    | Stopped
    | FlagFell
    | DeviceChanged
    | BoardTroubled
    | Ticked
    | FilmEnded
    | Resumed
    | Corrected
)
