"""The conversation with the chip: bytes and times in, bytes and happenings out, no input or output of its own."""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from controller.devices.link import messages
from controller.devices.link.event_place import EventPlace, behind
from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.happenings import (
    Answered,
    EventMark,
    Happening,
    SettingsKept,
    SettingsRefused,
)
from controller.devices.link.messages import BoardSettings, DiceMode, LampPicture, RequestFault, Type

RETRY_S: Final = 0.06
HELLO_RETRY_S: Final = 0.25
LIGHTS_S: Final = 0.5
"""How often the picture is sent again, so that its lease does not run out."""
PING_S: Final = 0.4
"""How often the chip's clock and counters are asked for; also a sign of life where no picture is shown."""
_NOT_REPEATED: Final = (Type.LIGHTS, Type.PING, Type.HELLO, Type.RESTART)
"""Requests that are not asked again after the chip started anew: they come of themselves, or have done their work."""
Adjust = Callable[[BoardSettings], BoardSettings]
"""What the chip is to keep, from what it keeps now."""


@dataclass(slots=True)
class _Request:
    payload: bytes
    sent_at: float | None = None
    first_sent_at: float | None = None

    @property
    def type(self) -> int:
        return self.payload[0]

    @property
    def patience(self) -> float:
        return HELLO_RETRY_S if self.type == Type.HELLO else RETRY_S


class Session:
    """One conversation, from the greeting on. Times are the host's monotonic seconds and never run backwards.

    Events are returned once, in order, and must be handed to `acknowledge` when they are in the journal; until
    then the chip keeps them. `EventPlace.undo` takes one back that could not be written.

    Attributes:
        ready: the chip was greeted and speaks our version.
        heard_at: when the last good frame came; None before the first.
        chip: who the chip is, None before the greeting.
        place: where in the chip's numbering of events we are.
        settled: nothing hinders the lights: the chip keeps the settings that it is to keep, if there are such.
    """

    def __init__(
        self, *, host_session: int, last: EventMark | None = None, adjust: Adjust | None = None
    ) -> None:
        """Nothing is said yet.

        Args:
            host_session: drawn at random, not 0.
            last: the last event in the journal.
            adjust: after every greeting the chip's settings are read and become what this says; before the chip has
                accepted them no picture is sent. None leaves them alone.
        """
        self.ready = False
        self.heard_at: float | None = None
        self.chip: messages.HelloOk | None = None
        self.place = EventPlace(last, written=last)
        self._host_session = host_session
        self._parser = FrameParser()
        self._clock = ChipClock()
        self._out: list[bytes] = []
        self._underway: _Request | None = None
        self._wanted: deque[bytes] = deque()
        self._picture: LampPicture | None = None
        self._picture_new = False
        self._frame_id = 0
        self._lights_at = float("-inf")
        self._ping_at = float("-inf")
        self._token = 0
        self._buzz_id = 0
        self._arm_id = 0
        self._dice: bytes | None = None
        self._refused_version = False
        self._adjust = adjust
        self._kept: BoardSettings | None = None
        self.settled = adjust is None

    def reopen(self) -> None:
        """The line was closed and opened again: begin with the greeting, go on with everything else."""
        if self.ready:
            self._greet_again()
        self._underway, self.heard_at, self.chip = None, None, None
        self._refused_version = False
        self._parser = FrameParser()
        self._out.clear()

    # --- what the program wants ---------------------------------------------------------------------------

    def show(self, picture: LampPicture) -> None:
        """Show this picture from now on; one that was not sent yet is passed over."""
        if picture != self._picture:
            self._picture, self._picture_new = picture, True

    def buzz(self, steps: Sequence[tuple[int, int]]) -> None:
        """Play a pattern once."""
        self._buzz_id = self._buzz_id % 255 + 1
        self._wanted.append(messages.buzz(self._buzz_id, steps))

    def arm_dice(self, mode: DiceMode) -> None:
        """Say what the roll button does; with `ONCE` every call allows one more roll."""
        self._arm_id = self._arm_id % 255 + 1
        self._dice = messages.dice(self._arm_id, mode)
        self._wanted.append(self._dice)

    def ask_settings(self, changed: BoardSettings | None = None) -> None:
        """Read the chip's settings or change them; they come as `Answered`."""
        self._wanted.append(messages.settings(changed))

    def settle(self) -> None:
        """Read the chip's settings and make them what they are to be, as after a greeting; no picture until then."""
        if self._adjust is not None and self.ready:
            self._begin_settling()

    def acknowledge(self, mark: EventMark) -> None:
        """This event and all before it are in the journal."""
        self.place.written = mark
        if self.chip and (mark.board_id, mark.boot_id) == (self.chip.board_id, self.chip.boot_id):
            self._out.append(frame(messages.event_ack(mark.boot_id, mark.seq)))

    # --- what goes out ------------------------------------------------------------------------------------

    def outgoing(self, now: float) -> bytes:
        """The bytes to write now."""
        if self._refused_version:
            return b""
        request = self._underway
        if request is None:
            request = self._underway = self._next(now)
        if request and (request.sent_at is None or now >= request.sent_at + request.patience):
            request.sent_at = now
            if request.first_sent_at is None:
                request.first_sent_at = now
            self._out.append(frame(request.payload))
        data = b"".join(self._out)
        self._out.clear()
        return data

    def next_at(self, now: float) -> float:
        """When `outgoing` will have something again, if nothing comes in before."""
        if self._out:
            return now
        request = self._underway
        if request and request.sent_at is not None:
            return request.sent_at + request.patience
        lit = self.settled and self._picture is not None
        if request or not self.ready or self._wanted or (lit and self._picture_new):
            return now
        lights = self._lights_at + LIGHTS_S if lit else float("inf")
        return max(now, min(lights, self._ping_at + PING_S))

    def stuck_since(self) -> float | None:
        """Since when the chip owes the answer to the request under way."""
        return self._underway.first_sent_at if self._underway else None

    def _next(self, now: float) -> _Request | None:
        if not self.ready:
            return _Request(messages.hello(self._host_session))
        if self._wanted:
            return _Request(self._wanted.popleft())
        if self.settled and self._picture and (self._picture_new or now >= self._lights_at + LIGHTS_S):
            if self._picture_new:
                self._frame_id = self._frame_id % 65535 + 1
            self._picture_new, self._lights_at = False, now
            return _Request(messages.lights(self._frame_id, self._picture))
        if now >= self._ping_at + PING_S:
            self._token = (self._token + 1) % 65536
            self._ping_at = now
            return _Request(messages.ping(self._token))
        return None

    # --- what comes in ------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> list[Happening]:
        """What the bytes mean that came in until `now`."""
        happenings: list[Happening] = []
        for payload in self._parser.feed(data):
            answer = messages.parse(payload)
            if answer is None:
                continue
            self.heard_at = now
            happenings += self._handle(answer, now)
        return happenings

    def _handle(self, answer: messages.ChipAnswer, now: float) -> list[Happening]:
        match answer:
            case messages.HelloOk():
                return self._take_hello(answer)
            case messages.OtherVersion():
                self._refused_version = True
                return [answer]
            case messages.Events():
                return self._take_events(answer, now)
            case messages.Refused():
                return self._take_refusal(answer)
            case messages.LightsOk():
                return self._settle(Type.LIGHTS, lambda: answer.frame_id == self._frame_id, Answered(answer))
            case messages.Pong():
                self._clock.saw(answer.now_ms, now)
                return self._settle(Type.PING, lambda: answer.token == self._token, Answered(answer))
            case messages.BoardSettings():
                return self._take_settings(answer)
            case messages.Done(kind, body):
                self._settle_done(kind, body)
        return []

    def _settle(self, asked: Type, fits: Callable[[], bool], happening: Happening) -> list[Happening]:
        """Close the request under way if this answers it; late answers to a request sent twice are passed over."""
        if self._underway is None or self._underway.type != asked or not fits():
            return []
        self._underway = None
        return [happening]

    def _fits(self, answer: BoardSettings) -> bool:
        """Whether these settings can answer the request under way: a change is answered by what it asked for."""
        asked = self._underway.payload if self._underway else b""
        return asked in (messages.settings(), messages.settings(answer))

    def _settle_done(self, kind: Type, body: bytes) -> None:
        request = self._underway
        if request and request.type == kind - 0x80 and request.payload[1 : 1 + len(body)] == body:
            self._underway = None

    def _take_settings(self, kept: BoardSettings) -> list[Happening]:
        """What the chip keeps now."""
        closed = self._settle(Type.SETTINGS, lambda: self._fits(kept), Answered(kept))
        if closed:
            self._kept = kept
            closed += self._adjust_settings(kept)
        return closed

    def _adjust_settings(self, kept: BoardSettings) -> list[Happening]:
        """Ask for what the chip is to keep, unless it keeps that: its memory bears a limited number of changes."""
        if self._adjust is None or self.settled:
            return []
        wanted = self._adjust(kept)
        self.settled = wanted == kept
        if not self.settled:
            self._wanted.appendleft(messages.settings(wanted))
        return [SettingsKept()] if self.settled else []

    def _take_refusal(self, refused: messages.Refused) -> list[Happening]:
        if refused.fault == RequestFault.NO_HELLO:
            self._greet_again()
            return []
        if self._underway is None or self._underway.type != refused.of:
            return []
        self._underway = None
        if refused.of == Type.SETTINGS and self._adjust is not None and not self.settled:
            wanted = None if self._kept is None else self._adjust(self._kept)
            return [SettingsRefused(wanted, self._kept, refused.fault)]
        return [refused]

    def _greet_again(self) -> None:
        """The chip started anew: what was under way is asked again after the greeting."""
        if not self.ready:
            return
        self.ready = False
        if self._underway and self._underway.type not in _NOT_REPEATED:
            self._wanted.appendleft(self._underway.payload)
        self._underway = None

    def _take_hello(self, chip: messages.HelloOk) -> list[Happening]:
        if chip.host_session != self._host_session:
            self._greet_again()
            return []
        if self.ready:
            return []
        self.ready, self.chip, self._underway = True, chip, None
        self._clock = ChipClock()
        self._picture_new = self._picture is not None
        self._ping_at = float("-inf")
        if self._adjust is not None:
            self._begin_settling()
        if self._dice is not None and self._dice not in self._wanted:
            self._wanted.appendleft(self._dice)
        found, known = self.place.find(chip)
        if known is not None:
            self.acknowledge(known)
        return found

    def _begin_settling(self) -> None:
        """Ask what the chip keeps, before anything else."""
        self._wanted = deque(payload for payload in self._wanted if payload[0] != Type.SETTINGS)
        self.settled, self._kept = False, None
        self._wanted.appendleft(messages.settings())

    def _take_events(self, events: messages.Events, now: float) -> list[Happening]:
        if not self.ready or self.chip is None or self.place.last is None:
            return []
        if events.boot_id != self.chip.boot_id:
            self._greet_again()
            return []
        self._clock.saw(events.now_ms, now)
        chip, now_ms = self.chip, events.now_ms
        taken = self.place.take(events, chip, lambda t_ms: self._clock.at(t_ms, now, now_ms))
        # What was returned a moment ago may not be in the journal yet: only what is there is acknowledged again.
        written = self.place.written
        if not taken and events.events and written and behind(events.first_seq, written.seq) <= 0:
            self.acknowledge(written)
        return taken


DRIFT: Final = 0.006
"""How fast the two clocks may run apart: the 0.5 % of a ceramic resonator (many Nanos have no crystal), with room."""
WRAP_MS: Final = 2**32


class ChipClock:
    """Maps the chip's milliseconds to the host's monotonic seconds.

    A message can arrive late but never early, so the smallest difference seen is the best one; it is allowed to
    grow slowly, because the clocks drift.
    """

    def __init__(self) -> None:
        self._offset: float | None = None
        self._seen_at = 0.0

    def saw(self, now_ms: int, received_s: float) -> None:
        """A message sent at `now_ms` by the chip arrived at `received_s`."""
        offset = received_s - now_ms / 1000
        if self._offset is not None:
            crept = self._offset + DRIFT * (received_s - self._seen_at)
            wrapped = offset - crept > WRAP_MS / 2000
            offset = offset if wrapped else min(offset, crept)
        self._offset, self._seen_at = offset, received_s

    def at(self, t_ms: int, received_s: float, now_ms: int) -> float:
        """Host seconds of `t_ms`, which came in a message sent at `now_ms`; never later than `received_s`."""
        offset = received_s - now_ms / 1000 if self._offset is None else self._offset
        age_ms = (now_ms - t_ms) % WRAP_MS
        return min(received_s, now_ms / 1000 + offset) - age_ms / 1000
