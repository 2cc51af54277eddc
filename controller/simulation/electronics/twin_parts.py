"""The parts of the twin: serial line, events that wait, buttons, dice and lights (hardware_docs/protocol.md)."""

import struct
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from random import Random
from typing import Final

from controller.devices import DiceMode
from controller.devices.lights.render import levels, render, render_white
from controller.devices.link.framing import crc16
from controller.devices.link.messages import (
    MAX_LAMPS,
    MAX_STEPS,
    MAX_STYLES,
    BoardSettings,
    Effect,
    LampPicture,
    RequestFault,
    Style,
    Type,
)

BYTE_S: Final = 10 / 250_000

SLOTS: Final = 16
MAX_PAYLOAD: Final = 112
MOST_LOST: Final = 0xFFFF
SEQ: Final = 2**16

BUTTONS: Final = 8

TUMBLE_MS: Final = 600
FACE_MS: Final = 60
ENOUGH_SAMPLES: Final = 64
MOST_SAMPLES: Final = 255 * 16
"""One of noise is taken every millisecond."""
LEDS: Final = (0, 1, 2, 3, 6, 7, 14)
"""The LED groups of the faces, from 1 on; 0 is dark."""

LEASE_MAX_MS: Final = 2000
REPEAT_MS: Final = 1000
AMBER: Final = Style(255, 120, 0, Effect.BLINK, 200)
SAFE_BRIGHTNESS: Final = 64
LIMITLESS_MA: Final = 10**6
OVER_CURRENT, OVER_BRIGHTNESS = 1, 2

EVENTS_MS: Final = 100
EVENTS_PAUSE_MS: Final = 20
EEPROM_MS: Final = 28
"""How long it takes to write the settings."""
MS32: Final = 2**32


@dataclass(slots=True)
class SerialLine:
    """One direction of the line."""

    _bytes: deque[tuple[float, int]] = field(default_factory=deque)
    _free_at: float = 0.0

    def send(self, data: bytes, now: float) -> None:
        """Begin to send bytes behind those under way."""
        at = max(self._free_at, now)
        for byte in data:
            at += BYTE_S
            self._bytes.append((at, byte))
        self._free_at = at

    def receive(self, now: float) -> list[tuple[float, bytes]]:
        """What has arrived by now."""
        taken: list[tuple[float, bytes]] = []
        while self._bytes and self._bytes[0][0] <= now:
            at, byte = self._bytes.popleft()
            taken.append((at, bytes([byte])))
        return taken

    @property
    def next_s(self) -> float | None:
        """When the next byte will have arrived."""
        return self._bytes[0][0] if self._bytes else None

    def cut(self, now: float) -> None:
        """What is under way is lost; what has arrived by now is not."""
        while self._bytes and self._bytes[-1][0] > now:
            self._bytes.pop()
        self._free_at = now


class EventKind(IntEnum):
    """Of an event."""

    DICE = 1
    BUTTON = 2
    RESTARTED = 3
    LOST = 4
    LEASE_OVER = 5


@dataclass(slots=True)
class EventQueue:
    """Up to 16 events that were not acknowledged; what finds no room is counted, and told when there is room again.

    ``boot_id`` names the numbering; ``lost`` counts all that were dropped, ``untold`` those no event tells of yet.
    """

    boot_id: int
    next_seq: int = 1
    lost: int = 0
    untold: int = 0
    waiting: deque[bytes] = field(default_factory=deque)

    @property
    def oldest(self) -> int:
        """The number of the first event that waits, or of the next one."""
        return (self.next_seq - len(self.waiting)) % SEQ

    def push(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        """Append an event or count it as lost."""
        self._tell_lost(t_ms)
        if len(self.waiting) < SLOTS:
            self._append(kind, t_ms, data)
            return
        self.lost = min(self.lost + 1, MOST_LOST)
        self.untold = min(self.untold + 1, MOST_LOST)

    def acknowledge(self, through: int, now_ms: int) -> bool:
        """Forget the events up to this number; whether there were any. Numbers never sent are passed over."""
        done = (through - self.oldest + 1) % SEQ
        if not 0 < done <= len(self.waiting):
            return False
        for _ in range(done):
            self.waiting.popleft()
        self._tell_lost(now_ms)
        return True

    def payload(self, now_ms: int) -> bytes:
        """The EVENTS message: as many of those that wait as fit."""
        head = struct.pack(">BIIHH", 0x90, self.boot_id, now_ms, self.lost, self.oldest)
        body, count = b"", 0
        for event in self.waiting:
            if len(head) + 1 + len(body) + len(event) > MAX_PAYLOAD:
                break
            body += event
            count += 1
        return head + bytes([count]) + body

    def _tell_lost(self, t_ms: int) -> None:
        if self.untold and len(self.waiting) < SLOTS:
            self._append(EventKind.LOST, t_ms, struct.pack(">H", self.untold))
            self.untold = 0

    def _append(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        self.waiting.append(struct.pack(">BIB", kind, t_ms, len(data)) + data)
        self.next_seq = (self.next_seq + 1) % SEQ


@dataclass(slots=True)
class Buttons:
    """``down`` are those that were reported as down; ``since`` when the contact of a button began to differ."""

    down: set[int] = field(default_factory=set)
    since: dict[int, int] = field(default_factory=dict)

    def update(self, closed: set[int], now_ms: int, quiet_ms: int) -> list[tuple[int, bool, int]]:
        """What changed: button, whether it is down, and when its contact closed or opened for good."""
        changed: list[tuple[int, bool, int]] = []
        for button in range(BUTTONS):
            is_closed = button in closed
            if is_closed == (button in self.down):
                self.since.pop(button, None)
                continue
            began = self.since.setdefault(button, now_ms)
            if now_ms - began < quiet_ms:
                continue
            del self.since[button]
            (self.down.add if is_closed else self.down.remove)(button)
            changed.append((button, is_closed, began))
        return changed

    def due_ms(self, closed: set[int], now_ms: int, quiet_ms: int) -> int | None:
        """When `take` will have something to do."""
        if closed == self.down and not self.since:
            return None
        differing = closed ^ self.down
        return now_ms + 1 if differing != self.since.keys() else min(self.since.values()) + quiet_ms


@dataclass(slots=True)
class TwinDice:
    """Two dice. ``chance`` is the noise they are drawn from; ``deaf``: the input of the noise hears nothing."""

    chance: Random
    deaf: bool = False
    mode: DiceMode = DiceMode.FREE
    arm_id: int | None = None
    used: bool = False
    until_ms: int | None = None
    next_face_ms: int = 0
    drawn_ms: int = 0
    faces: tuple[int, int] = (0, 0)

    def arm(self, arm_id: int, mode: DiceMode) -> None:
        """What the roll button does from now on; an ``arm_id`` that is known already changes nothing."""
        if (arm_id, mode) != (self.arm_id, self.mode):
            self.arm_id, self.mode, self.used = arm_id, mode, False

    def press(self, now_ms: int) -> None:
        """The roll button was pressed."""
        locked = self.mode is DiceMode.OFF or (self.mode is DiceMode.ONCE and self.used)
        if self.until_ms is None and not locked:
            self.used = True
            self.until_ms = now_ms + TUMBLE_MS
            self.next_face_ms = now_ms

    def tick(self, now_ms: int) -> bytes | None:
        """Move the dice on; the data of a roll when they have come to rest."""
        if self.until_ms is None:
            return None
        if now_ms < self.until_ms:
            if now_ms >= self.next_face_ms:
                self.next_face_ms = now_ms + FACE_MS
                self.faces = (self.faces[0] % 6 + 1, (self.faces[1] + 3) % 6 + 1)
            return None
        raw, self.faces = self._draw()
        samples = 0 if self.deaf else min(now_ms - self.drawn_ms, MOST_SAMPLES)
        self.until_ms, self.drawn_ms = None, now_ms
        first, second = self.faces
        return struct.pack(">BBIB", first << 4 | second, int(samples < ENOUGH_SAMPLES), raw, samples // 16)

    @property
    def due_ms(self) -> int | None:
        """When `tick` will have something to do."""
        return None if self.until_ms is None else min(self.until_ms, self.next_face_ms)

    def _draw(self) -> tuple[int, tuple[int, int]]:
        while True:
            raw = self.chance.getrandbits(32)
            faces = [group + 1 for shift in range(29, 0, -3) if (group := raw >> shift & 7) < 6]
            if len(faces) >= 2:
                return raw, (faces[0], faces[1])


@dataclass(slots=True)
class Lamps:
    """What the lights show. ``shown`` is on the strip: green, red, blue for each lamp; ``pictures`` were written,
    the last one with ``driven`` bytes."""

    picture: LampPicture
    frame_id: int = 0
    lease_ms: int = 0
    renewed_ms: int = 0
    held: bool = False
    same_host: bool = False
    must_show: bool = True
    flags: int = 0
    shown: bytes = b""
    written_ms: int = -REPEAT_MS
    pictures: int = 0
    driven: int = 0
    _asked: tuple[LampPicture, tuple[int, ...], BoardSettings] | None = None
    _painted: tuple[bytes, int] = (b"", 0)
    """What was asked for last, and what came of it: it is asked for many times a second and seldom changes."""

    def show_safe(self, settings: BoardSettings) -> None:
        """All dark, the status lamp blinking amber."""
        lamps = [(0, 0)] * MAX_LAMPS
        if settings.status_lamp is not None and settings.status_lamp < MAX_LAMPS:
            lamps[settings.status_lamp] = (1, 0)
        self.picture = LampPicture((AMBER,), tuple(lamps), SAFE_BRIGHTNESS)
        self.held, self.must_show = False, True

    def set_picture(self, body: bytes, now_ms: int) -> bool | RequestFault:
        """A LIGHTS request; true for a new picture, false for one more lease of the one that is shown."""
        picture = _picture(body)
        if isinstance(picture, RequestFault):
            return picture
        frame_id, lease = struct.unpack(">HH", body[:4])
        self.lease_ms = lease if 0 < lease < LEASE_MAX_MS else LEASE_MAX_MS
        self.renewed_ms = now_ms
        if self.held and self.same_host and frame_id == self.frame_id:
            return False
        self.frame_id, self.picture = frame_id, picture
        self.held = self.same_host = self.must_show = True
        return True

    def expire(self, settings: BoardSettings, now_ms: int) -> bool:
        """Go to the safe pattern if the lease is over; true in that moment."""
        if not self.held or now_ms - self.renewed_ms < self.lease_ms:
            return False
        self.show_safe(settings)
        return True

    def refresh(self, settings: BoardSettings, now_ms: int) -> None:
        """Write the strip if the picture changed, is new, or was last written a second ago."""
        asked = (self.picture, levels(self.picture, now_ms), settings)
        if asked != self._asked:
            self._asked, self._painted = asked, self._paint(settings, now_ms)
        picture, self.flags = self._painted
        due = self.must_show or now_ms - self.written_ms >= REPEAT_MS
        if due or picture != self.shown[: len(picture)]:
            self.write(picture, now_ms)

    def _paint(self, settings: BoardSettings, now_ms: int) -> tuple[bytes, int]:
        """What is to be on the strip, and what was taken off for brightness and current, as flags."""
        over = self.picture.brightness > settings.max_brightness
        brightness = min(self.picture.brightness, settings.max_brightness)
        lowered = LampPicture(self.picture.styles, self.picture.lamps, brightness)
        lamps, limit = settings.lamps, settings.limit_ma
        paint = render_white if settings.white else render
        flags = OVER_BRIGHTNESS if over else 0
        free = sum(map(sum, paint(lowered, now_ms, limit_ma=LIMITLESS_MA, lamps=lamps)))
        if free > limit * 51 // 4:
            flags |= OVER_CURRENT
        return _bytes(paint(lowered, now_ms, limit_ma=limit, lamps=lamps)), flags

    def write(self, picture: bytes, now_ms: int) -> None:
        """Send bytes down the strip; lamps beyond them, driven until now, go dark."""
        self.shown = picture + bytes(max(0, self.driven - len(picture)))
        self.driven = len(picture)
        self.written_ms, self.must_show = now_ms, False
        self.pictures += 1

    def answer(self, settings: BoardSettings) -> bytes:
        """LIGHTS_OK for what is shown."""
        shown = crc16(self.shown[: (4 if settings.white else 3) * settings.lamps])
        return struct.pack(">BHHHB", Type.LIGHTS_OK, self.frame_id, self.lease_ms, shown, self.flags)


@dataclass(slots=True)
class EventSender:
    """Sends the events that wait, again and again until they are acknowledged.

    ``due`` tells that there is something new, ``sent_ms`` when they were sent last.
    """

    queue: EventQueue
    due: bool = False
    sent_ms: int = 0

    @property
    def waiting(self) -> bool:
        """Whether any event waits."""
        return bool(self.queue.waiting)

    @property
    def due_ms(self) -> int | None:
        """When those that wait are sent again."""
        return self.sent_ms + EVENTS_MS if self.waiting else None

    def push(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        """Something happened."""
        self.queue.push(kind, t_ms % MS32, data)
        self.due = True

    def take(self, now_ms: int) -> bytes | None:
        """The message to send now, if it is time for one."""
        since = now_ms - self.sent_ms
        again = self.waiting and since >= EVENTS_MS
        if since < EVENTS_PAUSE_MS or not (self.due or again):
            return None
        self.sent_ms, self.due = now_ms, False
        return self.queue.payload(now_ms % MS32)

    def acknowledge(self, body: bytes, now_ms: int) -> None:
        """An EVENT_ACK request."""
        boot_id, through = struct.unpack(">IH", body)
        if self.queue.boot_id == boot_id and self.queue.acknowledge(through, now_ms):
            self.due = self.waiting


@dataclass(slots=True)
class Buzzer:
    """Plays a tune. ``tone`` is what it plays now, in 20 Hz; 0 is silence."""

    tone: int = 0
    known_id: int = -1
    _tune: bytes = b""
    _until_ms: int = 0

    @property
    def due_ms(self) -> int | None:
        """When `tick` will have something to do."""
        return self._until_ms if self.tone or self._tune else None

    def tick(self, now_ms: int) -> None:
        """Go on to the next step, if it is time for it."""
        while (self.tone or self._tune) and now_ms >= self._until_ms:
            step, self._tune = self._tune[:2], self._tune[2:]
            self.tone = step[0] if step else 0
            self._until_ms += 10 * step[1] if step else 0

    def take(self, body: bytes, now_ms: int) -> bytes | RequestFault:
        """The answer to a BUZZ request; a tune that is known already is not played again."""
        if len(body) < 2 or len(body) != 2 + 2 * body[1]:
            return RequestFault.LENGTH
        if body[1] > MAX_STEPS:
            return RequestFault.VALUE
        if body[0] != self.known_id:
            self.known_id, self._tune, self.tone = body[0], body[2:], 0
            self._until_ms = now_ms
        return bytes([Type.BUZZ_OK, body[0]])


@dataclass(slots=True)
class Eeprom:
    """Keeps the settings while the power is off; None if they were lost. ``until_ms``: when a write will be done."""

    kept: BoardSettings | None = field(default_factory=BoardSettings)
    until_ms: int | None = None
    _written: BoardSettings | None = None

    def write(self, settings: BoardSettings, now_ms: int) -> None:
        """Begin to write."""
        self._written, self.until_ms = settings, now_ms + EEPROM_MS

    def tick(self, now_ms: int) -> None:
        """End the write that is under way, if it is time."""
        if self.until_ms is not None and now_ms >= self.until_ms:
            self.kept, self.until_ms = self._written, None

    def break_off(self) -> None:
        """The chip starts anew: what was being written is spoiled."""
        if self.until_ms is not None:
            self.kept, self.until_ms = None, None


@dataclass(slots=True)
class Hardware:
    """What outlasts a start of the chip's program.

    Attributes:
        board_id: who the board is.
        chance: the noise.
        ms: milliseconds since the simulation began; ``t_s`` is the same in seconds.
        clock_ms: those of the chip's own clock, which stands while it starts.
        received, sent: the serial line, as the chip sees it.
        closed: the contacts that are closed.
        deaf: whether the input of the noise hears nothing.
        memory: the settings.
    """

    board_id: int
    chance: Random
    ms: int = 0
    clock_ms: int = 0
    t_s: float = 0.0
    received: SerialLine = field(default_factory=SerialLine)
    sent: SerialLine = field(default_factory=SerialLine)
    closed: set[int] = field(default_factory=set)
    deaf: bool = False
    memory: Eeprom = field(default_factory=Eeprom)


def _bytes(colours: Iterable[tuple[int, ...]]) -> bytes:
    return bytes([channel for red, green, *others in colours for channel in (green, red, *others)])


def _picture(body: bytes) -> LampPicture | RequestFault:
    """The picture in the body of a LIGHTS request, or what is wrong with it."""
    if len(body) < 7:
        return RequestFault.LENGTH
    count = body[5]
    if count > MAX_STYLES:
        return RequestFault.VALUE
    lamps_at = 6 + 5 * count
    if len(body) <= lamps_at or len(body) != lamps_at + 1 + body[lamps_at]:
        return RequestFault.LENGTH
    if body[lamps_at] > MAX_LAMPS:
        return RequestFault.VALUE
    styles: list[Style] = []
    for at in range(6, lamps_at, 5):
        red, green, blue, effect, period = body[at : at + 5]
        if effect not in Effect._value2member_map_ or period == 0:
            return RequestFault.VALUE
        styles.append(Style(red, green, blue, Effect(effect), period))
    lamps = tuple((byte >> 4, byte & 15) for byte in body[lamps_at + 1 :])
    if any(style > count for style, _ in lamps):
        return RequestFault.VALUE
    lamps += ((0, 0),) * (MAX_LAMPS - len(lamps))
    return LampPicture(tuple(styles), lamps, body[4])
