"""What the board's electronics report, as values for the rest of the program."""

from dataclasses import dataclass
from enum import IntEnum
from typing import TypeVar

from controller.devices.link.messages import (
    BoardSettings,
    HelloOk,
    LightsOk,
    OtherVersion,
    Pong,
    RawEvent,
    Refused,
    ResetCause,
)

Meaning = TypeVar("Meaning", bound=IntEnum)


class Button(IntEnum):
    """The buttons by their numbers on the wire."""

    ROLL = 0
    CLOCK_LIGHT = 1
    CLOCK_DARK = 2
    DOUBLE = 3
    TAKE = 4
    DROP = 5
    PAUSE = 6
    DONE = 7


@dataclass(frozen=True, slots=True)
class DiceRolled:
    """The chip threw its dice.

    Attributes:
        dice: the faces in the order they were drawn.
        raw: the 32 random bits that the faces follow from.
        samples: noise samples behind them since the roll before, at least that many.
        doubtful: fewer samples than the chip wants: its noise input may be dead.
    """

    dice: tuple[int, int]
    raw: int
    samples: int
    doubtful: bool


@dataclass(frozen=True, slots=True)
class ButtonChanged:
    """A button was pressed or let go of. `button` is a plain number where the chip has one more than we know."""

    button: Button | int
    down: bool


@dataclass(frozen=True, slots=True)
class ChipRestarted:
    """The chip started anew and still had its waiting events; `restarts` counts those since its power came on."""

    cause: ResetCause | int
    restarts: int


@dataclass(frozen=True, slots=True)
class EventsLost:
    """The chip's queue was full: how many events before this one were dropped."""

    count: int


@dataclass(frozen=True, slots=True)
class LeaseOver:
    """The host was silent for too long: the lights went to their safe pattern."""

    frame_id: int


@dataclass(frozen=True, slots=True)
class UnknownEvent:
    """An event of a kind that a newer chip has."""

    kind: int
    data: bytes


What = DiceRolled | ButtonChanged | ChipRestarted | EventsLost | LeaseOver | UnknownEvent


@dataclass(frozen=True, slots=True)
class EventMark:
    """An event's name for all time: which board, which life of its memory, which number (16 bits)."""

    board_id: int
    boot_id: int
    seq: int


@dataclass(frozen=True, slots=True)
class BoardEvent:
    """Something happened at the board.

    Attributes:
        mark: what to write into the journal, so that the next start goes on behind this event.
        at_s: when it happened, on the host's monotonic clock.
        t_ms: the same on the chip's clock.
        what: what happened.
    """

    mark: EventMark
    at_s: float
    t_ms: int
    what: What


@dataclass(frozen=True, slots=True)
class Greeted:
    """The chip answered the greeting. `memory_lost`: it had no power since the events that were journaled last."""

    chip: HelloOk
    memory_lost: bool


@dataclass(frozen=True, slots=True)
class EventsMissing:
    """How many events the chip no longer has and the journal does not know: another program took them."""

    count: int


@dataclass(frozen=True, slots=True)
class Answered:
    """A request was carried out: a picture shown, settings read, a sign of life."""

    answer: LightsOk | Pong | BoardSettings


@dataclass(frozen=True, slots=True)
class SettingsRefused:
    """The chip does not keep the settings that it is to keep, so that no picture is sent.

    Attributes:
        wanted: what it was asked to keep; None if it does not even tell what it keeps.
        kept: what it keeps, None likewise.
        fault: a number of `RequestFault`.
    """

    wanted: BoardSettings | None
    kept: BoardSettings | None
    fault: int


@dataclass(frozen=True, slots=True)
class SettingsKept:
    """The chip keeps the settings that it is to keep: pictures are sent."""


Happening = (
    BoardEvent | Greeted | OtherVersion | EventsMissing | Answered | Refused | SettingsRefused | SettingsKept
)


def _known(meanings: type[Meaning], number: int) -> Meaning | int:
    return meanings(number) if number in meanings._value2member_map_ else number


def what_of(event: RawEvent) -> What:
    """The meaning of an event; one with another kind or length than this version knows stays as it is."""
    data = event.data
    match event.kind, len(data):
        case 1, 7:
            raw = int.from_bytes(data[2:6], "big")
            return DiceRolled((data[0] >> 4, data[0] & 15), raw, data[6] * 16, bool(data[1] & 1))
        case 2, 2:
            return ButtonChanged(_known(Button, data[0]), bool(data[1]))
        case 3, 2:
            return ChipRestarted(_known(ResetCause, data[0]), data[1])
        case 4, 2:
            return EventsLost(int.from_bytes(data, "big"))
        case 5, 2:
            return LeaseOver(int.from_bytes(data, "big"))
        case _:
            return UnknownEvent(event.kind, data)
