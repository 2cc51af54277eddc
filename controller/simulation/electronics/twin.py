"""The board's chip as a program: answers to the byte as hardware_docs/protocol.md says, in virtual time.

It takes the firmware's place where there is no compiler for it, and where days have to go by in minutes. The same
tests run against both. Its noise is a generator's, so its dice are fit for simulated tables only.
"""

import struct
from collections.abc import Callable
from random import Random
from typing import Final

from controller.devices import DiceMode
from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.messages import (
    MAJOR,
    MAX_LAMPS,
    MAX_STEPS,
    MAX_WHITE_LAMPS,
    MINOR,
    BoardSettings,
    Cap,
    Effect,
    LampPicture,
    RequestFault,
    ResetCause,
    Type,
)
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.twin_parts import (
    BUTTONS,
    LEDS,
    Buttons,
    EventKind,
    EventQueue,
    Lamps,
    SerialLine,
    TwinDice,
)

FIRMWARE: Final = (1, 2, 0)
HARDWARE: Final = 1
FREE_RAM: Final = 700
ROLL: Final = 0
BOOT_MS: Final = 8
"""From power or reset to the greeting."""
RESTART_MS: Final = 2
"""From the answer to RESTART to the restart."""
EEPROM_MS: Final = 28
"""How long it takes to write the settings."""
PICTURE_MS: Final = 20
EVENTS_MS: Final = 100
EVENTS_PAUSE_MS: Final = 20
MS32: Final = 2**32


class Twin(Microcontroller):
    """A `Microcontroller` without a chip."""

    def __init__(self, *, noise_seed: int = 1) -> None:
        """The same seed throws the same dice."""
        self._chance = Random(noise_seed)
        self._board_id = self._chance.getrandbits(32)
        self._starts = 0
        self._t, self._ms, self._clock_ms = 0.0, 0, 0
        self._in, self._out = SerialLine(), SerialLine()
        self._closed: set[int] = set()
        self._deaf = False
        self._kept: BoardSettings | None = BoardSettings()
        self._keeping_until: int | None = None
        self._queue: EventQueue | None = None
        self._restarts = 0
        self._strip, self._pictures = b"", 0
        self._boot(ResetCause.POWER_ON)

    def close(self) -> None:
        """Nothing is held."""

    @property
    def now(self) -> float:
        return self._t

    def run_until(self, t: float) -> None:
        last = int(t * 1000 + 1e-6)
        while self._ms < last:
            due = max(self._ms + 1, min(self._due(), last))
            if self._running:
                self._clock_ms += due - self._ms
            self._ms = due
            self._t = due / 1000
            self._tick()
        self._t = max(self._t, t)

    def send(self, data: bytes) -> None:
        self._in.send(data, self._t)

    def take_timed(self) -> list[tuple[float, bytes]]:
        return self._out.receive(self._t)

    def unplug(self) -> None:
        self._in.cut(self._t)
        self._out.cut(self._t)

    def contact(self, button: int, closed: bool) -> None:
        (self._closed.add if closed else self._closed.discard)(button)

    def reset(self) -> None:
        self._boot(ResetCause.RESET_LINE)

    def power_cut(self) -> None:
        self._queue = None
        self._boot(ResetCause.POWER_ON)

    @property
    def strip(self) -> bytes:
        return self._lamps.shown or self._strip

    @property
    def pictures(self) -> int:
        return self._pictures + self._lamps.pictures

    @property
    def dice(self) -> tuple[int, int]:
        first, second = self._dice.faces
        return LEDS[first], LEDS[second]

    @property
    def tone(self) -> int:
        return 20 * self._tone

    def silence(self) -> None:
        self._deaf = self._dice.deaf = True

    # --- life -----------------------------------------------------------------------------------------------

    def _boot(self, cause: ResetCause) -> None:
        """The chip stands still for a moment; the rest is `_start`."""
        if self._keeping_until is not None:
            self._kept, self._keeping_until = None, None
        if hasattr(self, "_lamps"):
            self._strip, self._pictures = self.strip, self.pictures
        self._running, self._cause = False, cause
        self._start_at = self._ms + BOOT_MS
        self._restart_at: int | None = None
        self._in.cut(self._t)
        self._out.cut(self._t)
        self._parser = FrameParser()
        self._settings = self._kept or BoardSettings()
        self._dice = TwinDice(self._chance, self._deaf)
        self._lamps = Lamps(LampPicture((), ()))
        self._tone, self._tune, self._tune_until, self._buzz_id = 0, b"", 0, -1
        self._greeted, self._host_session = False, 0
        self._lights_answer = self._events_due = False
        self._lights_ms = self._events_ms = 0

    def _start(self) -> None:
        self._running = True
        if self._queue is None:
            self._starts += 1
            self._queue = EventQueue(self._starts)
            self._clock_ms, self._restarts = 0, 0
            self._buttons = Buttons(set(self._closed))
        else:
            self._restarts += 1
            self._push(EventKind.RESTARTED, self._clock_ms, bytes([self._cause, self._restarts & 255]))
            self._buttons = Buttons(self._buttons.down)
        self._dice.drawn_ms = self._clock_ms - 64
        self._lights_ms = self._clock_ms
        self._lamps.written_ms = self._clock_ms
        self._lamps.show_safe(self._settings)
        self._send_hello()

    def _due(self) -> int:
        """The millisecond in which something happens next."""
        if not self._running:
            return self._start_at
        ahead = self._ms - self._clock_ms
        line = self._in.next_s
        lights = (
            self._lights_ms + PICTURE_MS
            if self._moves() or self._lamps.must_show
            else self._lamps.written_ms + 1000
        )
        moments = [lights + ahead]
        if line is not None:
            moments.append(int(line * 1000) + 1)
        if self._lights_answer or self._events_due:
            moments.append(self._ms + 1)
        if self._lamps.held:
            moments.append(self._lamps.renewed_ms + self._lamps.lease_ms + ahead)
        for due in (
            self._buttons.due_ms(self._closed, self._clock_ms, self._settings.debounce_ms),
            self._dice.due_ms,
            self._tune_until if self._tone or self._tune else None,
            self._events_ms + EVENTS_MS if self._greeted and self._waiting() else None,
        ):
            if due is not None:
                moments.append(due + ahead)
        moments += [at for at in (self._restart_at, self._keeping_until) if at is not None]
        return min(moments)

    def _moves(self) -> bool:
        """Whether the lights have an effect, or wait to be shown."""
        return self._lights_answer or any(
            style.effect is not Effect.STEADY for style in self._lamps.picture.styles
        )

    def _tick(self) -> None:
        if not self._running:
            if self._ms >= self._start_at:
                self._start()
            return
        if self._keeping_until is not None and self._ms >= self._keeping_until:
            self._kept, self._keeping_until = self._settings, None
        if self._restart_at is not None:
            if self._ms >= self._restart_at and self._keeping_until is None:
                self._boot(ResetCause.ASKED)
            return
        self._tick_buttons()
        if (rolled := self._dice.tick(self._clock_ms)) is not None:
            self._push(EventKind.DICE, self._clock_ms, rolled)
        self._tick_buzzer()
        self._tick_lights()
        self._tick_events()
        received = b"".join(byte for _, byte in self._in.receive(self._t))
        for payload in self._parser.feed(received):
            if self._restart_at is None:
                self._handle(payload)

    def _tick_buttons(self) -> None:
        quiet_ms = self._settings.debounce_ms
        for button, down, since in self._buttons.update(self._closed, self._clock_ms, quiet_ms):
            self._push(EventKind.BUTTON, since, bytes([button, down]))
            if down and button == ROLL:
                self._dice.press(self._clock_ms)

    def _tick_buzzer(self) -> None:
        while (self._tone or self._tune) and self._clock_ms >= self._tune_until:
            step, self._tune = self._tune[:2], self._tune[2:]
            self._tone = step[0] if step else 0
            self._tune_until += 10 * step[1] if step else 0

    def _tick_lights(self) -> None:
        if self._lamps.expire(self._settings, self._clock_ms):
            self._push(EventKind.LEASE_OVER, self._clock_ms, struct.pack(">H", self._lamps.frame_id))
        if not self._lights_answer and self._clock_ms - self._lights_ms < PICTURE_MS:
            return
        self._lights_ms = self._clock_ms
        self._lamps.refresh(self._settings, self._clock_ms)
        if self._lights_answer:
            self._lights_answer = False
            self._send(self._lamps.answer(self._settings))

    def _tick_events(self) -> None:
        again = self._waiting() and self._clock_ms - self._events_ms >= EVENTS_MS
        pause = self._clock_ms - self._events_ms < EVENTS_PAUSE_MS
        if self._queue is not None and self._greeted and (self._events_due or again) and not pause:
            self._send(self._queue.payload(self._clock_ms % MS32))
            self._events_ms, self._events_due = self._clock_ms, False

    def _waiting(self) -> bool:
        return self._queue is not None and bool(self._queue.waiting)

    def _push(self, kind: EventKind, t_ms: int, data: bytes) -> None:
        if self._queue is not None:
            self._queue.push(kind, t_ms % MS32, data)
            self._events_due = True

    # --- the conversation -----------------------------------------------------------------------------------

    def _send(self, payload: bytes) -> None:
        self._out.send(frame(payload), self._t)

    def _send_hello(self) -> None:
        queue = self._queue
        if queue is None:
            return
        head = bytes([Type.HELLO_OK, MAJOR, MINOR, *FIRMWARE])
        who = struct.pack(">IBBB", 0, HARDWARE, self._settings.lamps, BUTTONS)
        events = (queue.next_seq, queue.oldest, queue.lost)
        session = self._host_session if self._greeted else 0
        ids = (self._board_id, queue.boot_id)
        where = struct.pack(">HIIBHHHI", sum(Cap), *ids, self._cause, *events, session)
        self._send(head + who + where)

    def _handle(self, payload: bytes) -> None:
        kind, body = payload[0], payload[1:]
        answer = self._answer(kind, body)
        if isinstance(answer, RequestFault):
            self._send(bytes([Type.ERR, kind, answer]))
        elif answer:
            self._send(answer)

    def _answer(self, kind: int, body: bytes) -> bytes | RequestFault:
        """The payload to answer with, none where the answer comes later or not at all."""
        if kind == Type.HELLO:
            return self._take_hello(body)
        if not self._greeted:
            return RequestFault.NO_HELLO
        requests: dict[int, tuple[Callable[[bytes], bytes | RequestFault], set[int]]] = {
            Type.PING: (self._take_ping, {2}),
            Type.LIGHTS: (self._take_lights, set()),
            Type.BUZZ: (self._take_buzz, set()),
            Type.DICE: (self._take_dice, {2}),
            Type.SETTINGS: (self._take_settings, {0, 6}),
            Type.RESTART: (self._take_restart, {4}),
            Type.EVENT_ACK: (self._take_ack, {6}),
        }
        if kind not in requests:
            return RequestFault.TYPE
        take, lengths = requests[kind]
        return RequestFault.LENGTH if lengths and len(body) not in lengths else take(body)

    def _take_hello(self, body: bytes) -> bytes | RequestFault:
        if len(body) < 2:
            return RequestFault.LENGTH
        if body[0] != MAJOR:
            return bytes([Type.HELLO_OK, MAJOR, MINOR])
        if len(body) < 6:
            return RequestFault.LENGTH
        (session,) = struct.unpack_from(">I", body, 2)
        if session == 0:
            return RequestFault.VALUE
        if session != self._host_session:
            self._host_session = session
            self._lamps.same_host, self._dice.arm_id, self._buzz_id = False, None, -1
        if not self._greeted:
            self._events_due = self._waiting()
        self._greeted = True
        self._send_hello()
        return b""

    def _take_ping(self, body: bytes) -> bytes:
        lost, bad = self._queue.lost if self._queue else 0, min(self._parser.bad, 0xFFFF)
        told = struct.pack(">IHHHH", self._clock_ms % MS32, bad, 0, lost, FREE_RAM)
        return bytes([Type.PONG]) + body + told

    def _take_lights(self, body: bytes) -> bytes | RequestFault:
        taken = self._lamps.set_picture(body, self._clock_ms)
        if isinstance(taken, RequestFault):
            return taken
        if taken:
            self._lights_answer = True
            return b""
        return self._lamps.answer(self._settings)

    def _take_buzz(self, body: bytes) -> bytes | RequestFault:
        if len(body) < 2 or len(body) != 2 + 2 * body[1]:
            return RequestFault.LENGTH
        if body[1] > MAX_STEPS:
            return RequestFault.VALUE
        if body[0] != self._buzz_id:
            self._buzz_id, self._tune, self._tone = body[0], body[2:], 0
            self._tune_until = self._clock_ms
        return bytes([Type.BUZZ_OK, body[0]])

    def _take_dice(self, body: bytes) -> bytes | RequestFault:
        if body[1] not in DiceMode._value2member_map_:
            return RequestFault.VALUE
        self._dice.arm(body[0], DiceMode(body[1]))
        return bytes([Type.DICE_OK]) + body

    def _take_settings(self, body: bytes) -> bytes | RequestFault:
        if body:
            asked = BoardSettings.from_body(body)
            if asked.lamps > (MAX_WHITE_LAMPS if asked.white else MAX_LAMPS):
                return RequestFault.VALUE
            if not 100 <= asked.limit_ma <= 2500 or not 1 <= asked.debounce_ms <= 50:
                return RequestFault.VALUE
            self._settings = asked
            self._keeping_until = self._ms + EEPROM_MS
            self._lamps.must_show = True
        return bytes([Type.SETTINGS_OK]) + self._settings.body()

    def _take_restart(self, body: bytes) -> bytes | RequestFault:
        if body != b"BOOT":
            return RequestFault.VALUE
        self._restart_at = self._ms + RESTART_MS
        return bytes([Type.RESTART_OK])

    def _take_ack(self, body: bytes) -> bytes:
        boot_id, through = struct.unpack(">IH", body)
        queue = self._queue
        if queue and queue.boot_id == boot_id and queue.acknowledge(through, self._clock_ms):
            self._events_due = self._waiting()
        return b""
