"""Payloads as values: requests to the chip and its answers. Numbers on the wire are big-endian."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

MAJOR: Final = 1
MINOR: Final = 2
WHITE_LED: Final = 0x80
"""In the byte of the lamps: each has a white LED as well."""
MAX_WHITE_LAMPS: Final = 30
"""So many of those make a strip as long as 40 others."""
MAX_LAMPS: Final = 40
MAX_STYLES: Final = 12
MAX_STEPS: Final = 16
LEASE_MS: Final = 2000

_HELLO_OK: Final = struct.Struct(">BB3BIBBBHIIBHHHI")
_PONG: Final = struct.Struct(">HIHHHH")
_SETTINGS: Final = struct.Struct(">BBHBB")
_EVENTS: Final = struct.Struct(">IIHHB")


class Type(IntEnum):
    """The first byte of a payload."""

    HELLO = 0x01
    PING = 0x02
    LIGHTS = 0x03
    BUZZ = 0x04
    DICE = 0x05
    SETTINGS = 0x06
    RESTART = 0x08
    EVENT_ACK = 0x10
    HELLO_OK = 0x81
    PONG = 0x82
    LIGHTS_OK = 0x83
    BUZZ_OK = 0x84
    DICE_OK = 0x85
    SETTINGS_OK = 0x86
    RESTART_OK = 0x88
    EVENTS = 0x90
    ERR = 0xFF


class RequestFault(IntEnum):
    """Why the chip could not use a request."""

    TYPE = 1
    LENGTH = 2
    VALUE = 3
    NO_HELLO = 4


class Cap(IntEnum):
    """Bits of `HelloOk.caps`."""

    LIGHTS = 1
    DICE = 2
    BUTTONS = 4
    BUZZER = 8
    WHITE = 16


class Effect(IntEnum):
    """What the chip does with a colour over time."""

    STEADY = 0
    BLINK = 1
    PULSE = 2
    CHASE = 3


class DiceMode(IntEnum):
    """What the roll button does."""

    OFF = 0
    FREE = 1
    ONCE = 2


class ResetCause(IntEnum):
    """Why the chip started."""

    UNKNOWN = 0
    POWER_ON = 1
    RESET_LINE = 2
    BROWN_OUT = 3
    WATCHDOG = 4
    ASKED = 5


@dataclass(frozen=True, slots=True)
class Style:
    """A colour (red, green, blue, 0 to 255 each) with its effect; `period` in 10 ms, 1 to 255."""

    red: int
    green: int
    blue: int
    effect: Effect = Effect.STEADY
    period: int = 100


@dataclass(frozen=True, slots=True)
class LampPicture:
    """What all lamps show.

    Attributes:
        styles: at most `MAX_STYLES`.
        lamps: for each lamp of the strip in its order the style (0 dark, 1 the first) and the phase (0 to 15).
        brightness: 0 to 255, scales everything.
    """

    styles: tuple[Style, ...]
    lamps: tuple[tuple[int, int], ...]
    brightness: int = 255


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """What the chip keeps in its EEPROM.

    `status_lamp` is None where there is none; with ``white`` each lamp has a white LED beside the three colours.
    """

    lamps: int = 29
    status_lamp: int | None = 28
    limit_ma: int = 500
    max_brightness: int = 255
    debounce_ms: int = 8
    white: bool = False

    def body(self) -> bytes:
        """The 6 bytes of the protocol."""
        lamps = self.lamps | (WHITE_LED if self.white else 0)
        status = 255 if self.status_lamp is None else self.status_lamp
        return _SETTINGS.pack(lamps, status, self.limit_ma, self.max_brightness, self.debounce_ms)

    @staticmethod
    def from_body(body: bytes) -> "BoardSettings":
        """The settings that 6 bytes tell; struct.error for another number of them."""
        lamps, status, limit_ma, max_brightness, debounce_ms = _SETTINGS.unpack(body)
        return BoardSettings(
            lamps & ~WHITE_LED,
            None if status == 255 else status,
            limit_ma,
            max_brightness,
            debounce_ms,
            white=bool(lamps & WHITE_LED),
        )


@dataclass(frozen=True, slots=True)
class HelloOk:
    """Who the chip is and where its events stand. `host_session` is 0 if nobody greeted it since it started."""

    major: int
    minor: int
    firmware: tuple[int, int, int]
    build: int
    hardware: int
    lamps: int
    buttons: int
    caps: int
    board_id: int
    boot_id: int
    reset_cause: int
    next_seq: int
    oldest_unacked: int
    lost: int
    host_session: int


@dataclass(frozen=True, slots=True)
class OtherVersion:
    """The chip speaks another major version: only the first two bytes of its HELLO_OK have a meaning."""

    major: int
    minor: int


@dataclass(frozen=True, slots=True)
class Pong:
    """The chip's state: `overruns` are bytes it lost, `rx_bad` frames it dropped."""

    token: int
    now_ms: int
    rx_bad: int
    overruns: int
    lost: int
    free_ram: int


@dataclass(frozen=True, slots=True)
class LightsOk:
    """A picture was shown: `shown` is the CRC-16 of the bytes in the strip."""

    frame_id: int
    lease_ms: int
    shown: int
    flags: int


@dataclass(frozen=True, slots=True)
class Done:
    """A request without a result was carried out; `body` repeats what it asked for."""

    type: Type
    body: bytes


@dataclass(frozen=True, slots=True)
class Refused:
    """The chip could not use a request of type `of`; `fault` is a number of `RequestFault`."""

    of: int
    fault: int


@dataclass(frozen=True, slots=True)
class RawEvent:
    """An event as it stands in the frame."""

    kind: int
    t_ms: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Events:
    """The events that wait in the chip; the first has the number `first_seq`."""

    boot_id: int
    now_ms: int
    lost: int
    first_seq: int
    events: tuple[RawEvent, ...]


ChipAnswer = HelloOk | OtherVersion | Pong | LightsOk | BoardSettings | Done | Refused | Events


def hello(host_session: int) -> bytes:
    """The greeting; `host_session` is not 0."""
    return struct.pack(">BBBI", Type.HELLO, MAJOR, MINOR, host_session)


def ping(token: int) -> bytes:
    """A sign of life."""
    return struct.pack(">BH", Type.PING, token)


def lights(frame_id: int, picture: LampPicture, lease_ms: int = LEASE_MS) -> bytes:
    """The whole picture. ValueError if it holds more than the chip takes or a number out of its range."""
    if len(picture.styles) > MAX_STYLES or len(picture.lamps) > MAX_LAMPS:
        raise ValueError(f"a picture of {len(picture.styles)} styles and {len(picture.lamps)} lamps")
    if any(style > len(picture.styles) or not 0 <= phase < 16 for style, phase in picture.lamps):
        raise ValueError("a lamp with a style or phase that does not exist")
    styles = b"".join(bytes([s.red, s.green, s.blue, s.effect, s.period]) for s in picture.styles)
    lamps = bytes(style << 4 | phase for style, phase in picture.lamps)
    head = struct.pack(">BHHBB", Type.LIGHTS, frame_id, lease_ms, picture.brightness, len(picture.styles))
    return head + styles + bytes([len(lamps)]) + lamps


def buzz(buzz_id: int, steps: Sequence[tuple[int, int]]) -> bytes:
    """Steps of tone (in 20 Hz, 0 is silence) and duration (in 10 ms); ValueError if there are too many."""
    if len(steps) > MAX_STEPS:
        raise ValueError(f"a pattern of {len(steps)} steps")
    return bytes([Type.BUZZ, buzz_id, len(steps)]) + b"".join(bytes(step) for step in steps)


def dice(arm_id: int, mode: DiceMode) -> bytes:
    """Arms the dice."""
    return bytes([Type.DICE, arm_id, mode])


def settings(changed: BoardSettings | None = None) -> bytes:
    """Asks for the settings, or changes them."""
    if changed is None:
        return bytes([Type.SETTINGS])
    return bytes([Type.SETTINGS]) + changed.body()


def restart() -> bytes:
    """Has the chip restart itself."""
    return bytes([Type.RESTART]) + b"BOOT"


def event_ack(boot_id: int, through_seq: int) -> bytes:
    """The host has the events up to this number."""
    return struct.pack(">BIH", Type.EVENT_ACK, boot_id, through_seq)


def parse(payload: bytes) -> ChipAnswer | None:
    """The answer in a payload; None for a type or a length that this version does not know."""
    if not payload:
        return None
    kind, body = payload[0], payload[1:]
    try:
        return _parse(kind, body)
    except (struct.error, IndexError, ValueError):
        return None


def _parse(kind: int, body: bytes) -> ChipAnswer | None:
    match kind:
        case Type.HELLO_OK:
            if body[0] != MAJOR:
                return OtherVersion(body[0], body[1])
            major, minor, a, b, c, *rest = _HELLO_OK.unpack_from(body)
            return HelloOk(major, minor, (a, b, c), *rest)
        case Type.PONG:
            return Pong(*_PONG.unpack_from(body))
        case Type.LIGHTS_OK:
            return LightsOk(*struct.unpack(">HHHB", body))
        case Type.SETTINGS_OK:
            return BoardSettings.from_body(body)
        case Type.BUZZ_OK | Type.DICE_OK | Type.RESTART_OK:
            return Done(Type(kind), body)
        case Type.ERR:
            of, fault = struct.unpack(">BB", body)
            return Refused(of, fault)
        case Type.EVENTS:
            return _events(body)
        case _:
            return None


def _events(body: bytes) -> Events:
    boot_id, now_ms, lost, first_seq, count = _EVENTS.unpack_from(body)
    events: list[RawEvent] = []
    at = _EVENTS.size
    for _ in range(count):
        kind, t_ms, length = struct.unpack_from(">BIB", body, at)
        data = body[at + 6 : at + 6 + length]
        if len(data) != length:
            raise ValueError("an event that ends too soon")
        events.append(RawEvent(kind, t_ms, data))
        at += 6 + length
    if at != len(body):
        raise ValueError("bytes behind the last event")
    return Events(boot_id, now_ms, lost, first_seq, tuple(events))
