"""Frames on the serial line: 00 | COBS(payload, CRC-16) | 00, both delimiters always sent."""

from binascii import crc_hqx
from typing import Final

MAX_PAYLOAD: Final = 128
"""Bytes of a payload at most, its type included."""
MAX_ENCODED: Final = MAX_PAYLOAD + 2 + 1
"""Bytes between two delimiters at most: payload, CRC and the one byte that COBS adds to so short a frame."""
CRC_START: Final = 0xFFFF


def crc16(data: bytes) -> int:
    """CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected; `b"123456789"` gives 0x29B1."""
    return crc_hqx(data, CRC_START)


def frame(payload: bytes) -> bytes:
    """The bytes on the wire for a payload of 1 to `MAX_PAYLOAD` bytes; ValueError for any other length."""
    if not 1 <= len(payload) <= MAX_PAYLOAD:
        raise ValueError(f"a payload of {len(payload)} bytes")
    checked = payload + crc16(payload).to_bytes(2, "big")
    stuffed = b"".join(bytes([len(block) + 1]) + block for block in checked.split(b"\0"))
    return b"\0" + stuffed + b"\0"


def _unstuff(encoded: bytes) -> bytes | None:
    """What COBS hid; None for what is no COBS. Blocks of 254 bytes do not occur in so short a frame."""
    blocks: list[bytes] = []
    at = 0
    while at < len(encoded):
        end = at + encoded[at]
        if end > len(encoded):
            return None
        blocks.append(encoded[at + 1 : end])
        at = end
    return b"\0".join(blocks)


class FrameParser:
    """Takes bytes as they come and returns payloads as they are completed.

    Attributes:
        good: payloads returned so far.
        bad: frames dropped so far: not COBS, too long, or with a wrong CRC.
    """

    def __init__(self) -> None:
        self.good = 0
        self.bad = 0
        self._open = bytearray()
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes]:
        """The payloads that `data` completes, in order. Never raises, never keeps more than one frame."""
        payloads: list[bytes] = []
        *closed, rest = data.split(b"\0")
        for part in closed:
            self._append(part)
            payload = self._close()
            if payload is not None:
                payloads.append(payload)
        self._append(rest)
        return payloads

    def _append(self, part: bytes) -> None:
        room = MAX_ENCODED - len(self._open)
        self._open += part[:room]
        self._too_long |= len(part) > room

    def _close(self) -> bytes | None:
        encoded, too_long = bytes(self._open), self._too_long
        self._open.clear()
        self._too_long = False
        if not encoded:
            return None
        checked = None if too_long else _unstuff(encoded)
        if checked is None or len(checked) < 3 or crc16(checked[:-2]) != int.from_bytes(checked[-2:], "big"):
            self.bad += 1
            return None
        self.good += 1
        return checked[:-2]
