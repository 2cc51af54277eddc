"""What runs on the twin's chip, from its greeting until it starts anew (hardware_docs/protocol.md)."""

import struct
from collections.abc import Callable
from typing import Final

from controller.devices import DiceMode
from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.messages import (
    MAJOR,
    MAX_LAMPS,
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
from controller.simulation.electronics.twin_parts import (
    BUTTONS,
    MS32,
    Buttons,
    Buzzer,
    EventKind,
    EventSender,
    Hardware,
    Lamps,
    TwinDice,
)

FIRMWARE: Final = (1, 2, 0)
HARDWARE: Final = 1
FREE_RAM: Final = 700
ROLL: Final = 0
RESTART_MS: Final = 2
"""From the answer to RESTART to the restart."""
PICTURE_MS: Final = 20


class Program:
    """One run of the program.

    Attributes:
        lamps, dice, buzzer: what is shown and played.
    """

    def __init__(self, hardware: Hardware, events: EventSender, buttons: Buttons, cause: ResetCause) -> None:
        """It does nothing yet; ``cause`` is why the chip started."""
        self._hardware, self._events, self._buttons, self._cause = hardware, events, buttons, cause
        self._parser = FrameParser()
        self._settings = hardware.memory.kept or BoardSettings()
        self.dice = TwinDice(hardware.chance, hardware.deaf, drawn_ms=hardware.clock_ms - 64)
        self.lamps = Lamps(LampPicture((), ()), written_ms=hardware.clock_ms)
        self.buzzer = Buzzer()
        self._greeted, self._host_session = False, 0
        self._lights_answer = False
        self._lights_ms = hardware.clock_ms
        self._restart_at: int | None = None

    def begin(self) -> None:
        """Show the safe pattern and greet."""
        self.lamps.show_safe(self._settings)
        self._send_hello()

    def due(self) -> int:
        """The millisecond in which something happens next."""
        hardware, lamps = self._hardware, self.lamps
        ahead = hardware.ms - hardware.clock_ms
        line = hardware.received.next_s
        changing = self._moves() or lamps.must_show
        moments = [(self._lights_ms + PICTURE_MS if changing else lamps.written_ms + 1000) + ahead]
        if line is not None:
            moments.append(int(line * 1000) + 1)
        if self._lights_answer or self._events.due:
            moments.append(hardware.ms + 1)
        if lamps.held:
            moments.append(lamps.renewed_ms + lamps.lease_ms + ahead)
        for due in (
            self._buttons.due_ms(hardware.closed, hardware.clock_ms, self._settings.debounce_ms),
            self.dice.due_ms,
            self.buzzer.due_ms,
            self._events.due_ms if self._greeted else None,
        ):
            if due is not None:
                moments.append(due + ahead)
        moments += [at for at in (self._restart_at, hardware.memory.until_ms) if at is not None]
        return min(moments)

    def tick(self) -> bool:
        """Do what is due; whether the chip is to start anew now."""
        hardware = self._hardware
        hardware.memory.tick(hardware.ms)
        if self._restart_at is not None:
            return hardware.ms >= self._restart_at and hardware.memory.until_ms is None
        self._tick_buttons()
        if (rolled := self.dice.tick(hardware.clock_ms)) is not None:
            self._events.push(EventKind.DICE, hardware.clock_ms, rolled)
        self.buzzer.tick(hardware.clock_ms)
        self._tick_lights()
        if self._greeted and (events := self._events.take(hardware.clock_ms)) is not None:
            self._send(events)
        received = b"".join(byte for _, byte in hardware.received.receive(hardware.t_s))
        for payload in self._parser.feed(received):
            if self._restart_at is None:
                self._handle(payload)
        return False

    def _moves(self) -> bool:
        """Whether the lights have an effect, or wait to be shown."""
        return self._lights_answer or any(
            style.effect is not Effect.STEADY for style in self.lamps.picture.styles
        )

    def _tick_buttons(self) -> None:
        clock_ms, quiet_ms = self._hardware.clock_ms, self._settings.debounce_ms
        for button, down, since in self._buttons.update(self._hardware.closed, clock_ms, quiet_ms):
            self._events.push(EventKind.BUTTON, since, bytes([button, down]))
            if down and button == ROLL:
                self.dice.press(clock_ms)

    def _tick_lights(self) -> None:
        clock_ms = self._hardware.clock_ms
        if self.lamps.expire(self._settings, clock_ms):
            self._events.push(EventKind.LEASE_OVER, clock_ms, struct.pack(">H", self.lamps.frame_id))
        if not self._lights_answer and clock_ms - self._lights_ms < PICTURE_MS:
            return
        self._lights_ms = clock_ms
        self.lamps.refresh(self._settings, clock_ms)
        if self._lights_answer:
            self._lights_answer = False
            self._send(self.lamps.answer(self._settings))

    # --- the conversation -----------------------------------------------------------------------------------

    def _send(self, payload: bytes) -> None:
        self._hardware.sent.send(frame(payload), self._hardware.t_s)

    def _send_hello(self) -> None:
        queue = self._events.queue
        head = bytes([Type.HELLO_OK, MAJOR, MINOR, *FIRMWARE])
        who = struct.pack(">IBBB", 0, HARDWARE, self._settings.lamps, BUTTONS)
        events = (queue.next_seq, queue.oldest, queue.lost)
        session = self._host_session if self._greeted else 0
        ids = (self._hardware.board_id, queue.boot_id)
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
            Type.BUZZ: (lambda body: self.buzzer.take(body, self._hardware.clock_ms), set()),
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
            self.lamps.same_host, self.dice.arm_id, self.buzzer.known_id = False, None, -1
        if not self._greeted:
            self._events.due = self._events.waiting
        self._greeted = True
        self._send_hello()
        return b""

    def _take_ping(self, body: bytes) -> bytes:
        lost, bad = self._events.queue.lost, min(self._parser.bad, 0xFFFF)
        told = struct.pack(">IHHHH", self._hardware.clock_ms % MS32, bad, 0, lost, FREE_RAM)
        return bytes([Type.PONG]) + body + told

    def _take_lights(self, body: bytes) -> bytes | RequestFault:
        taken = self.lamps.set_picture(body, self._hardware.clock_ms)
        if isinstance(taken, RequestFault):
            return taken
        if taken:
            self._lights_answer = True
            return b""
        return self.lamps.answer(self._settings)

    def _take_dice(self, body: bytes) -> bytes | RequestFault:
        if body[1] not in DiceMode._value2member_map_:
            return RequestFault.VALUE
        self.dice.arm(body[0], DiceMode(body[1]))
        return bytes([Type.DICE_OK]) + body

    def _take_settings(self, body: bytes) -> bytes | RequestFault:
        if body:
            asked = BoardSettings.from_body(body)
            if asked.lamps > (MAX_WHITE_LAMPS if asked.white else MAX_LAMPS):
                return RequestFault.VALUE
            if not 100 <= asked.limit_ma <= 2500 or not 1 <= asked.debounce_ms <= 50:
                return RequestFault.VALUE
            self._settings = asked
            self._hardware.memory.write(asked, self._hardware.ms)
            self.lamps.must_show = True
        return bytes([Type.SETTINGS_OK]) + self._settings.body()

    def _take_restart(self, body: bytes) -> bytes | RequestFault:
        if body != b"BOOT":
            return RequestFault.VALUE
        self._restart_at = self._hardware.ms + RESTART_MS
        return bytes([Type.RESTART_OK])

    def _take_ack(self, body: bytes) -> bytes:
        self._events.acknowledge(body, self._hardware.clock_ms)
        return b""
