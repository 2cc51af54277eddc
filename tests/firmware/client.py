"""A host written from the protocol page alone: it shares no code with the program, so that the two can differ."""

from typing import Final

from controller.simulation.electronics.microcontroller import Microcontroller

REPEAT_S: Final = 0.06
HELLO, PING, LIGHTS, BUZZ, DICE, SETTINGS, RESTART, EVENT_ACK = 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x08, 0x10
EVENTS, ERR = 0x90, 0xFF


def crc_by_the_bit(data: bytes) -> int:
    """CRC-16/CCITT-FALSE as the page defines it."""
    register = 0xFFFF
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1) ^ (0x1021 if register & 0x8000 else 0)
            register &= 0xFFFF
    return register


def wrap(payload: bytes) -> bytes:
    """The bytes on the wire."""
    rest = payload + crc_by_the_bit(payload).to_bytes(2, "big") + b"\0"
    stuffed = bytearray()
    while rest:
        end = rest.index(0)
        stuffed.append(end + 1)
        stuffed += rest[:end]
        rest = rest[end + 1 :]
    return b"\0" + bytes(stuffed) + b"\0"


def unwrap(stuffed: bytes) -> bytes | None:
    """The payload of what stood between two delimiters; None if it is none."""
    at, plain = 0, b""
    while at < len(stuffed):
        plain += stuffed[at + 1 : at + stuffed[at]] + b"\0"
        at += stuffed[at]
    checked = plain[:-1]
    if at != len(stuffed) or len(checked) < 3:
        return None
    payload, check = checked[:-2], int.from_bytes(checked[-2:], "big")
    return payload if crc_by_the_bit(payload) == check else None


class Client:
    """Keeps one request open, matches answers as the page says, acknowledges events once they are in its list."""

    def __init__(self, chip: Microcontroller, session: int) -> None:
        self.chip, self.session = chip, session
        self.events: list[tuple[int, int, bytes]] = []
        """Number, kind and data of each."""
        self.unasked: list[bytes] = []
        self.boot_id = self.last = 0
        self._open = b""

    def listen(self, seconds: float) -> list[bytes]:
        """What comes in, events aside."""
        answers: list[bytes] = []
        end = self.chip.now + seconds
        while self.chip.now < end:
            self.chip.run(0.001)
            *frames, self._open = (self._open + self.chip.read_output()).split(b"\0")
            for payload in filter(None, map(unwrap, filter(None, frames))):
                if payload[0] == EVENTS:
                    self._take_events(payload[1:])
                else:
                    answers.append(payload)
        return answers

    def ask(self, request: bytes) -> bytes:
        """The answer to a request, which is repeated until there is one; the body of ERR with its type."""
        for _ in range(50):
            self.chip.send(wrap(request))
            for answer in self.listen(REPEAT_S):
                if self._fits(request, answer):
                    return answer
                self.unasked.append(answer)
        raise AssertionError(f"no answer to {request.hex(' ')}")

    def greet(self) -> bytes:
        """HELLO_OK; the numbering of events begins where it says."""
        answer = self.ask(bytes([HELLO, 1, 1]) + self.session.to_bytes(4, "big"))
        boot_id, oldest = int.from_bytes(answer[19:23], "big"), int.from_bytes(answer[26:28], "big")
        if boot_id != self.boot_id:
            self.boot_id, self.last = boot_id, (oldest - 1) % 65536
        return answer

    def _fits(self, request: bytes, answer: bytes) -> bool:
        kind = request[0]
        if answer[0] == ERR:
            return answer[1] == kind
        if answer[0] != kind + 0x80:
            return False
        match kind:
            case 0x01:
                return answer[-4:] == request[3:7]
            case 0x02 | 0x03:
                return answer[1:3] == request[1:3]
            case 0x04:
                return answer[1] == request[1]
            case 0x05:
                return answer[1:3] == request[1:3]
            case 0x06:
                return len(request) == 1 or answer[1:] == request[1:]
            case _:
                return True

    def _take_events(self, body: bytes) -> None:
        boot_id, first, count = body[:4], int.from_bytes(body[10:12], "big"), body[12]
        if int.from_bytes(boot_id, "big") != self.boot_id:
            return
        at = 13
        for n in range(count):
            length = body[at + 5]
            if (first + n) % 65536 == (self.last + 1) % 65536:
                self.last = (first + n) % 65536
                self.events.append((self.last, body[at], body[at + 6 : at + 6 + length]))
            at += 6 + length
        self.chip.send(wrap(bytes([EVENT_ACK]) + boot_id + self.last.to_bytes(2, "big")))
