"""Ways that bytes take to the chip: a serial port (or a pseudo terminal) or a socket, and the ports it may be on."""

import contextlib
import errno
import os
import select
import socket
import termios
from pathlib import Path
from typing import Final, Protocol

BAUD: Final = 250_000
WRITE_TIMEOUT_S: Final = 0.3
READ_BYTES: Final = 4096


class Transport(Protocol):
    """An open line. Everything but `close` and `wake` raises OSError once the other end is gone."""

    def read(self, timeout_s: float) -> bytes:
        """What has come in, at least one byte; empty after `timeout_s` or `wake`."""

    def write(self, data: bytes) -> None:
        """Send everything, or raise OSError if that takes too long."""

    def wake(self) -> None:
        """Have a `read` in another thread return at once."""

    def close(self) -> None:
        """Let go of the line; calling it again does nothing."""


class _Waiting:
    """Waits for a file descriptor, and can be woken from another thread."""

    def __init__(self) -> None:
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)

    def wake(self) -> None:
        try:
            os.write(self._waker, b"!")
        except BlockingIOError:  # it has been woken often enough
            return

    def readable(self, descriptor: int, timeout_s: float) -> bool:
        ready, _, _ = select.select([descriptor, self._woken], [], [], max(0.0, timeout_s))
        if self._woken in ready:
            os.read(self._woken, READ_BYTES)
        return descriptor in ready

    def close(self) -> None:
        os.close(self._woken)
        os.close(self._waker)


class SerialTransport:
    """A serial port or a pseudo terminal, opened for this program alone.

    Raises:
        OSError: on opening, with `errno` ENOENT (no such port), EACCES (not allowed), EAGAIN or EBUSY (in use).
    """

    def __init__(self, path: str, baud: int = BAUD) -> None:
        """Open the port; many boards restart when that happens."""
        import serial

        try:
            self._port = serial.Serial(path, baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
        except (serial.SerialException, termios.error, ValueError) as error:
            raise _os_error(error) from error
        try:
            self._waiting = _Waiting()
        except OSError:
            self._port.close()
            raise
        self._open = True

    def read(self, timeout_s: float) -> bytes:
        """See `Transport`."""
        descriptor = self._port.fileno()
        if not self._waiting.readable(descriptor, timeout_s):
            return b""
        data = os.read(descriptor, READ_BYTES)
        if not data:
            raise OSError(errno.EIO, "the line hung up")
        return data

    def write(self, data: bytes) -> None:
        """See `Transport`."""
        try:
            self._port.write(data)
        except (termios.error, TypeError) as error:  # what pyserial 3.5 raises when the port is torn away
            raise OSError(errno.EIO, str(error)) from error

    def wake(self) -> None:
        """See `Transport`."""
        self._waiting.wake()

    def close(self) -> None:
        """See `Transport`."""
        if not self._open:
            return
        self._open = False
        with contextlib.suppress(OSError, termios.error):  # it may be gone already
            self._port.close()
        self._waiting.close()


class SocketTransport:
    """A TCP connection (`socket://host:port`) or a Unix socket (`unix:/path`).

    Raises:
        OSError: on opening, as the system says it.
    """

    def __init__(self, address: str) -> None:
        """Connect within a second."""
        path = address.removeprefix("unix:")
        if path != address:
            self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        else:
            host, _, port = address.removeprefix("socket://").rpartition(":")
            if not host or not port.isdigit():
                raise OSError(errno.EINVAL, "write it as socket://host:port")
            self._socket = socket.create_connection((host, int(port)), timeout=1.0)
        try:
            if path != address:
                self._socket.settimeout(1.0)
                self._socket.connect(path)
            self._socket.settimeout(WRITE_TIMEOUT_S)
            self._waiting = _Waiting()
        except OSError:
            self._socket.close()
            raise
        self._open = True

    def read(self, timeout_s: float) -> bytes:
        """See `Transport`."""
        if not self._waiting.readable(self._socket.fileno(), timeout_s):
            return b""
        data = self._socket.recv(READ_BYTES)
        if not data:
            raise OSError(errno.EIO, "the other end closed the connection")
        return data

    def write(self, data: bytes) -> None:
        """See `Transport`."""
        self._socket.sendall(data)

    def wake(self) -> None:
        """See `Transport`."""
        self._waiting.wake()

    def close(self) -> None:
        """See `Transport`."""
        if self._open:
            self._open = False
            self._socket.close()
            self._waiting.close()


def open_transport(address: str) -> Transport:
    """A line to `address`: a path of a serial port, `socket://host:port` or `unix:/path`. OSError if it fails."""
    if address.startswith(("socket://", "unix:")):
        return SocketTransport(address)
    return SerialTransport(address)


def _os_error(error: Exception) -> OSError:
    """The same with a number to go by: pyserial hides it in various places."""
    number = error.args[0] if error.args and isinstance(error.args[0], int) else None
    cause = error.__context__
    if number is None and isinstance(cause, OSError):
        number = cause.errno
    return OSError(number or errno.EIO, str(error))


BY_ID: Final = Path("/dev/serial/by-id")
BY_PATH: Final = Path("/dev/serial/by-path")
LIKELY: Final = (
    "pointsman",
    "arduino",
    "1a86",
    "ch340",
    "usb_serial",
    "usb2.0-serial",
    "ftdi",
    "ft232",
    "cp210",
)
"""Words in the names of the USB chips that such boards have."""


def candidates(by_id: Path = BY_ID, by_path: Path = BY_PATH) -> tuple[str, ...]:
    """Ports that are there now, the likeliest first.

    Names by id stay the same over replugging. A port without one (some clones have no serial number, so two of
    them share a name) is listed by its socket instead.
    """
    named = _links(by_id)
    known = {link.resolve() for link in named}
    others = [link for link in _links(by_path) if link.resolve() not in known]
    return tuple(str(link) for link in sorted(named, key=_unlikely) + others)


def _links(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _unlikely(link: Path) -> bool:
    name = link.name.casefold()
    return not any(word in name for word in LIKELY)
