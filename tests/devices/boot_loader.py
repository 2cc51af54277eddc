"""Boot loaders behind a pseudo terminal, as avrdude speaks with them: STK500 (Atmel's notes AVR061 and AVR068)."""

import contextlib
import os
import pty
import select
import termios
import threading
import tty
from pathlib import Path
from types import TracebackType
from typing import Final, Self

FLASH_BYTES: Final = 32 * 1024
IN_SYNC, OK, END = b"\x14", b"\x10", b"\x20"
ARGUMENTS: Final = {0x30: 0, 0x41: 1, 0x42: 20, 0x45: 5, 0x50: 0, 0x51: 0, 0x55: 2, 0x56: 4, 0x74: 3, 0x75: 0}
"""How many bytes follow a command, before the end."""
PROG_PAGE: Final = 0x64
ATMEGA328P: Final = bytes([0x1E, 0x95, 0x0F])
ATMEGA2560: Final = bytes([0x1E, 0x98, 0x01])
START, TOKEN = b"\x1b", b"\x0e"
"""Of a message of STK500 version 2: how it begins, and what stands before its body."""


def hex_bytes(path: Path) -> bytes:
    """What a file in Intel's HEX format holds, from address 0 on."""
    data = bytearray()
    for line in path.read_text().splitlines():
        record = bytes.fromhex(line[1:])
        if record[3] == 0:
            assert int.from_bytes(record[1:3], "big") == len(data)
            data += record[4:-1]
    return bytes(data)


class PortLoader:
    """What listens at a serial port and answers there, at one rate only.

    Attributes:
        port: what a serial port would be.
    """

    def __init__(self, baud: int) -> None:
        self._baud = baud
        self._master, self._slave = pty.openpty()
        tty.setraw(self._master)
        self.port = os.ttyname(self._slave)
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._work)

    def __enter__(self) -> Self:
        # `holders` would find this process: whoever has a port open is another program.
        os.close(self._slave)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ending.set()
        self._thread.join()
        os.close(self._master)

    def answer(self) -> None:
        raise NotImplementedError

    def hears(self) -> bool:
        """Whether who speaks does so at its rate."""
        return bool(termios.tcgetattr(self._master)[4] == getattr(termios, f"B{self._baud}"))

    def take(self, count: int) -> bytes:
        """Raises OSError while nobody is at the other end, or says nothing."""
        got = b""
        while len(got) < count:
            ready, _, _ = select.select([self._master], [], [], 0.1)
            if self._ending.is_set() or not ready:
                raise TimeoutError
            got += os.read(self._master, count - len(got))
        return got

    def say(self, data: bytes) -> None:
        os.write(self._master, data)

    def _work(self) -> None:
        while not self._ending.is_set():
            with contextlib.suppress(OSError):
                self.answer()


class BootLoader(PortLoader):
    """A board in its boot loader, at one rate; at another it hears noise and says nothing.

    Attributes:
        flash: what was written.
    """

    def __init__(self, baud: int, signature: bytes = ATMEGA328P, keeps: int = FLASH_BYTES) -> None:
        """Of what comes after `keeps` bytes it keeps nothing, as a chip that is worn out."""
        super().__init__(baud)
        self._signature, self._left = signature, keeps
        self.flash = bytearray(b"\xff" * FLASH_BYTES)
        self._address = 0

    def answer(self) -> None:
        command = self.take(1)[0]
        if not self.hears():
            return
        if command == PROG_PAGE:
            self._write_page()
        elif command in ARGUMENTS:
            told = self.take(ARGUMENTS[command])
            if self.take(1) == END:
                self.say(IN_SYNC + self._reply(command, told) + OK)

    def _reply(self, command: int, told: bytes) -> bytes:
        match command:
            case 0x41:
                return b"\x03"
            case 0x55:
                self._address = 2 * int.from_bytes(told, "little")
            case 0x56:
                return b"\x00"
            case 0x74:
                return bytes(self.flash[self._address : self._address + int.from_bytes(told[:2], "big")])
            case 0x75:
                return self._signature
        return b""

    def _write_page(self) -> None:
        size = int.from_bytes(self.take(2), "big")
        self.take(1)
        page = self.take(size)
        self.take(1)
        self._left -= size
        if self._left >= 0:
            self.flash[self._address : self._address + size] = page
        self.say(IN_SYNC + OK)


class MegaBootLoader(PortLoader):
    """A Mega in its boot loader, as avrdude speaks with one: STK500 version 2 (AVR068).

    Attributes:
        flash: what was written.
    """

    def __init__(self) -> None:
        super().__init__(115_200)
        self.flash = bytearray(b"\xff" * 256 * 1024)
        self._address = 0

    def answer(self) -> None:
        if self.take(1) != START or not self.hears():
            return
        head = self.take(4)
        body = self.take(int.from_bytes(head[1:3], "big"))
        if self.take(1)[0] == checksum(START + head + body):
            answer = body[:1] + b"\x00" + self._reply(body)
            whole = START + head[:1] + len(answer).to_bytes(2, "big") + TOKEN + answer
            self.say(whole + bytes([checksum(whole)]))

    def _reply(self, body: bytes) -> bytes:
        match body[0]:
            case 0x01:
                return b"\x08AVRISP_2"
            case 0x03:
                return b"\x02"
            case 0x06:
                self._address = 2 * (int.from_bytes(body[1:5], "big") & 0x7FFFFFFF)
            case 0x13:
                return self._write(body[10:])
            case 0x14:
                return self._read(int.from_bytes(body[1:3], "big")) + b"\x00"
            case 0x1B:
                return bytes([ATMEGA2560[body[4]], 0])
        return b""

    def _write(self, page: bytes) -> bytes:
        self.flash[self._address : self._address + len(page)] = page
        self._address += len(page)
        return b""

    def _read(self, count: int) -> bytes:
        found = bytes(self.flash[self._address : self._address + count])
        self._address += count
        return found


def checksum(data: bytes) -> int:
    total = 0
    for byte in data:
        total ^= byte
    return total
