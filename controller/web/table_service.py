"""What the pages need of the program that they belong to; whoever runs a table fills it in."""

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Protocol, Self

from controller.arrays import Picture
from controller.devices import LightFrame
from controller.errors import UserError
from controller.messages.device_words import LocalText
from controller.record.journal.journal import Json
from controller.referee import Action, Table
from controller.rules import Position, Side
from controller.speech.announcement import TimeLeft
from controller.vision import Board, Reading
from controller.web.health import Health


class RoomState(StrEnum):
    """How far a table has come."""

    NO_CAMERA = "no_camera"
    """No camera delivers pictures, and no board is known."""
    NO_BOARD = "no_board"
    """The camera is there; the board has not been found under it."""
    CALIBRATING = "calibrating"
    """The board is being looked for in pictures of it."""
    READY = "ready"
    """The board is known; a match can begin."""
    PLAYING = "playing"
    """A match is on."""
    OVER = "over"
    """A match is over, and the next one can begin."""


class Role(StrEnum):
    """What a person at a page may do."""

    VIEWER = "viewer"
    PLAYER = "player"
    DIRECTOR = "director"


@dataclass(frozen=True, slots=True)
class DeviceShown:
    """One device of the table.

    Attributes:
        name: ``camera``, ``board``, ``dice``, ``lights``, ``journal`` or ``club``.
        ready: whether it works.
        words: what it does, or what is wrong and the remedy.
    """

    name: str
    ready: bool
    words: LocalText


@dataclass(frozen=True, slots=True)
class Notice:
    """Something that the director is to know of, though nobody waits for them.

    Attributes:
        id: its name, which no other notice has.
        words: what it is, and what is to be done.
    """

    id: str
    words: LocalText


@dataclass(frozen=True, slots=True)
class ClockShown:
    """The tournament clock at ``t_s``.

    Attributes:
        reserve_s: what is left of each side's reserve.
        delay_s: what is left of the delay of the side whose clock runs.
        runs: that side; None while both stand.
        t_s: seconds of the match.
    """

    reserve_s: Mapping[Side, float]
    delay_s: float
    runs: Side | None
    t_s: float


@dataclass(frozen=True, slots=True)
class MatchShown:
    """A match on a page, beside what its referee knows.

    Attributes:
        id: the name of its folder.
        folder: where its files lie.
        names: what the players are called.
        event, round, place, table: for the record; empty where not told.
    """

    id: str
    folder: Path
    names: Mapping[Side, str]
    event: str = ""
    round: str = ""
    place: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The newest picture of the camera, and what was read last.

    Attributes:
        picture: BGR, uint8, height x width x 3; not to be written to.
        number: of the picture.
        t_s: when it was taken, seconds of the match.
        reading: the last reading, of this picture or an earlier one; None if there was none.
        age_s: how old the picture is.
        behind_s: by how much the last picture that the reading holds for is older than this one.
        moving: whether something has been moving since.
        board: the board under the camera; None where nobody knows it.
    """

    picture: Picture
    number: int
    t_s: float
    reading: Reading | None
    age_s: float
    behind_s: float = 0.0
    moving: bool = False
    board: Board | None = None


@dataclass(frozen=True, slots=True)
class HandsShown:
    """Simulated hands at a table of a demo, which people at its pages move.

    Attributes:
        position: how the checkers lie once the hands have done what they were told.
        side: whose hands they are.
    """

    position: Position
    side: Side


@dataclass(frozen=True, slots=True)
class DemoShown:
    """What a demo shows beside its table.

    Attributes:
        words: what there is to see, or what somebody at the page is asked to do; None for nothing in particular.
        hands: the hands that do what people at the pages do with the checkers; None while nobody's do.
    """

    words: LocalText | None = None
    hands: HandsShown | None = None


@dataclass(frozen=True, slots=True)
class RoomView:
    """A table as it is at one moment; nothing in it changes any more.

    Attributes:
        state: how far it has come.
        event: the newest event of the journal that is in it; 0 without a match.
        referee: what the referee knows; None without a match.
        match: the match; None without one.
        clock: None where no clock is used.
        devices: all that there are.
        light_home: where light's home lies in the camera's picture, such as ``bottom-right``.
        t_s: seconds of the match.
        notices: what the director is to know of, the oldest first.
        demo: what is told at a simulated table; None at a real one.
    """

    state: RoomState
    event: int = 0
    referee: Table | None = None
    match: MatchShown | None = None
    clock: ClockShown | None = None
    devices: tuple[DeviceShown, ...] = ()
    light_home: str = "bottom-right"
    t_s: float = 0.0
    notices: tuple[Notice, ...] = ()
    demo: DemoShown | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What became of a command.

    Attributes:
        done: whether the table did it; else ``words`` say why not, and nothing has changed.
        words: what is to be said to whoever asked; None if nothing is.
        event: the newest event of the journal after it.
        stale: whether it was not done because the table had come further than whoever asked had seen.
    """

    done: bool
    words: LocalText | None = None
    event: int = 0
    stale: bool = False

    @classmethod
    def refusing(cls, why: UserError) -> Self:
        """The reply to what cannot be done, in the words of the error."""
        text = str(why)
        return cls(False, lambda _: text)


@dataclass(frozen=True, slots=True)
class News:
    """Something that a table tells its pages.

    Attributes:
        actions: what the referee wanted done, all that came of one event; safe on the disk.
        words: a sentence of a device or of the program, told to everybody.
        view: the table after it.
        left: the clock has come down so far just now; None for all other news.
    """

    view: RoomView
    actions: tuple[Action, ...] = ()
    words: tuple[LocalText, ...] = field(default=())
    left: TimeLeft | None = None


StillHolds = Callable[[RoomView], bool]
"""Whether a table stands in all that matters as somebody saw it; asked by the thread that steps it."""
NewsListener = Callable[[News], None]
"""Takes news; called from threads of the table. It returns at once and never raises."""


class Demo(Protocol):
    """Somebody who shows people round at a simulated table, for any thread."""

    def shown(self) -> DemoShown:
        """What is told now; at once."""

    def move_hands(self, saying: Mapping[str, Json]) -> Reply:
        """Have simulated hands carry a checker ``from`` a place ``to`` another, or press a ``button``."""


class TableService(Protocol):
    """A table and the room around it. Every method may be called from any thread."""

    def view(self) -> RoomView:
        """The table as it is now."""

    def subscribe(self, hear: NewsListener) -> None:
        """Call ``hear`` with all news from now on."""

    def ask(
        self, saying: Mapping[str, Json], by: str, command: str = "", holds: StillHolds | None = None
    ) -> "Future[Reply]":
        """Have the table told something by a person.

        Args:
            saying: ``what`` and the keys that belong to it, as in a ``said`` line of `pointsman referee`, or one of
                `corrections`; ``kind`` and ``by`` are not needed.
            by: who says it: ``light``, ``dark`` or ``director``.
            command: a name that the asker gave it, so that the same command sent again counts once; the answer is
                then the one that was given before.
            holds: whether what the asker had seen still holds, asked just before it is done, when nothing can come
                between; where it does not, nothing is done.
        """

    def health(self) -> Health:
        """How the program does, in figures; at once."""

    def glimpse(self) -> Glimpse | None:
        """The newest picture; None where no camera delivers any."""

    def light(self, frame: LightFrame) -> None:
        """Have the lights show this for some seconds, where no match is on; at once."""
