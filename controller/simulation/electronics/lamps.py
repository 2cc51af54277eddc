"""The twin's lights: the picture asked for, its lease, and what lies on the strip (hardware_docs/protocol.md)."""

import struct
from dataclasses import dataclass, field
from typing import Final

from controller.devices.lights.render import render
from controller.devices.link.framing import crc16
from controller.devices.link.messages import (
    MAX_LAMPS,
    MAX_STYLES,
    BoardSettings,
    Effect,
    LampPicture,
    RequestFault,
    Style,
    Type,
)

LEASE_MAX_MS: Final = 2000
REPEAT_MS: Final = 1000
AMBER: Final = Style(255, 120, 0, Effect.BLINK, 200)
SAFE_BRIGHTNESS: Final = 64
OVER_CURRENT, OVER_BRIGHTNESS = 1, 2


@dataclass(slots=True)
class Lamps:
    """What the lights show. ``shown`` is on the strip: green, red, blue for each lamp; ``pictures`` were written."""

    picture: LampPicture
    frame_id: int = 0
    lease_ms: int = 0
    renewed_ms: int = 0
    held: bool = False
    same_host: bool = False
    must_show: bool = True
    flags: int = 0
    shown: bytes = b""
    written_ms: int = field(default=-REPEAT_MS)
    pictures: int = 0

    def show_safe(self, settings: BoardSettings) -> None:
        """All dark, the status lamp blinking amber."""
        lamps = [(0, 0)] * MAX_LAMPS
        if settings.status_lamp is not None and settings.status_lamp < MAX_LAMPS:
            lamps[settings.status_lamp] = (1, 0)
        self.picture = LampPicture((AMBER,), tuple(lamps), SAFE_BRIGHTNESS)
        self.held, self.must_show = False, True

    def take(self, body: bytes, now_ms: int) -> bool | RequestFault:
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
        over = self.picture.brightness > settings.max_brightness
        brightness = min(self.picture.brightness, settings.max_brightness)
        lowered = LampPicture(self.picture.styles, self.picture.lamps, brightness)
        lamps, limit = settings.lamps, settings.limit_ma
        picture = _bytes(render(lowered, now_ms, limit_ma=limit, lamps=lamps))
        self.flags = OVER_BRIGHTNESS if over else 0
        free = sum(map(sum, render(lowered, now_ms, limit_ma=LIMITLESS_MA, lamps=lamps)))
        if free > limit * 51 // 4:
            self.flags |= OVER_CURRENT
        due = self.must_show or now_ms - self.written_ms >= REPEAT_MS
        if due or picture != self.shown[: len(picture)]:
            self.write(picture, now_ms)

    def write(self, picture: bytes, now_ms: int) -> None:
        """Send bytes down the strip; lamps beyond them keep what they show."""
        self.shown = picture + self.shown[len(picture) :]
        self.written_ms, self.must_show = now_ms, False
        self.pictures += 1

    def answer(self, settings: BoardSettings) -> bytes:
        """LIGHTS_OK for what is shown."""
        shown = crc16(self.shown[: 3 * settings.lamps])
        return struct.pack(">BHHHB", Type.LIGHTS_OK, self.frame_id, self.lease_ms, shown, self.flags)


LIMITLESS_MA: Final = 10**6


def _bytes(colours: tuple[tuple[int, int, int], ...]) -> bytes:
    return bytes(channel for red, green, blue in colours for channel in (green, red, blue))


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
