"""Ways that bytes take to a device: a serial port (or a pseudo terminal) or a socket, and the ports it may be on."""

import contextlib
import errno
import os
import select
import socket
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from controller.devices.link.holders import holders

if TYPE_CHECKING:
    import serial


def _terminal_errors() -> tuple[type[Exception], ...]:
    try:
        import termios
    except ImportError:  # Windows, whose ports raise nothing of the kind
        return ()
    return (termios.error,)


_TERMINAL_ERRORS: Final[tuple[type[Exception], ...]] = _terminal_errors()
"""What pyserial 3.5 lets through from below it when a port is torn away."""
_TORN_AWAY: Final[tuple[type[Exception], ...]] = (*_TERMINAL_ERRORS, TypeError)
"""What it raises then where something is written."""
BAUD: Final = 250_000
"""The rate of the board's own chip."""
SOCKETS: Final = ("socket://", "unix:")
"""How addresses begin that are no serial ports."""
WRITE_TIMEOUT_S: Final = 0.3
CONNECT_S: Final = 1.0
Opened = TypeVar("Opened")
READ_BYTES: Final = 4096


class Transport:
    """An open line. Everything but `close` and `wake` raises OSError once the other end is gone."""

    def __init__(self, port: "serial.Serial | socket.socket", send: Callable[[bytes], object]) -> None:
        """`port` is open and belongs to this line from now on; `send` writes bytes to it, all of them."""
        self._port, self._send = port, send
        self._woken, self._waker = os.pipe()
        os.set_blocking(self._woken, False)
        os.set_blocking(self._waker, False)
        self._open = True

    def read(self, timeout_s: float) -> bytes:
        """What has come in, at least one byte; empty after `timeout_s` or `wake`."""
        descriptor = self._port.fileno()
        ready, _, _ = select.select([descriptor, self._woken], [], [], max(0.0, timeout_s))
        if self._woken in ready:
            os.read(self._woken, READ_BYTES)
        if descriptor not in ready:
            return b""
        data = os.read(descriptor, READ_BYTES)
        if not data:
            raise OSError(errno.EIO, "the other end closed the line")
        return data

    def write(self, data: bytes) -> None:
        """Send everything, or raise OSError if that takes too long."""
        try:
            self._send(data)
        except _TORN_AWAY as error:  # what pyserial 3.5 raises when the port is torn away
            raise OSError(errno.EIO, str(error)) from error

    def wake(self) -> None:
        """Have a `read` in another thread return at once."""
        with contextlib.suppress(BlockingIOError):  # it has been woken often enough
            os.write(self._waker, b"!")

    def close(self) -> None:
        """Let go of the line; calling it again does nothing."""
        if not self._open:
            return
        self._open = False
        with contextlib.suppress(OSError, *_TERMINAL_ERRORS):  # it may be gone already
            self._port.close()
        os.close(self._woken)
        os.close(self._waker)


def open_transport(address: str, baud: int = BAUD, *, dtr: bool = True) -> Transport:
    """A line to `address`, for this program alone where it is a serial port; many boards restart when one is opened.

    Args:
        address: a path of a serial port or pseudo terminal, `socket://host:port` or `unix:/path`.
        baud: the rate of a serial port, in bits a second; it has 8 data bits, no parity, 1 stop bit.
        dtr: whether the line DTR of a serial port is raised; the system raises it for a moment in any case.

    Raises:
        OSError: as the system says it; for a serial port with `errno` ENOENT (no such port), EACCES (not allowed),
            EAGAIN or EBUSY (in use).
    """
    port: serial.Serial | socket.socket
    if address.startswith(SOCKETS):
        port = _open_socket(address)
        send: Callable[[bytes], object] = port.sendall
    else:
        port = _open_serial(address, baud, dtr=dtr)
        send = port.write
    try:
        return Transport(port, send)
    except OSError:
        port.close()
        raise


class OpeningAside(Generic[Opened]):
    """Opens a line in a thread of its own, for whoever cannot wait: in the network an answer may take long."""

    def __init__(self, open_line: Callable[[], Opened]) -> None:
        """``open_line`` may take its time; it raises OSError."""
        self._open_line = open_line
        self._thread: threading.Thread | None = None
        self._line: Opened | OSError | None = None

    def __call__(self) -> Opened:
        """The line. Raises OSError with EINPROGRESS as long as it is being opened, then what opening raised."""
        if self._thread is None:
            self._line = None
            self._thread = threading.Thread(target=self._work, name="pointsman-opening", daemon=True)
            self._thread.start()
        if self._thread.is_alive() or self._line is None:
            raise OSError(errno.EINPROGRESS, os.strerror(errno.EINPROGRESS))
        self._thread = None
        if isinstance(self._line, OSError):
            raise self._line
        return self._line

    def _work(self) -> None:
        try:
            self._line = self._open_line()
        except OSError as error:
            self._line = error


def _open_serial(path: str, baud: int, *, dtr: bool) -> "serial.Serial":
    import serial

    port = serial.Serial(None, baud, timeout=0, write_timeout=WRITE_TIMEOUT_S, exclusive=True)
    port.port, port.dtr = path, dtr
    try:
        port.open()
    except (serial.SerialException, ValueError, *_TERMINAL_ERRORS) as error:
        raise _os_error(error) from error
    return port


def _open_socket(address: str) -> socket.socket:
    if address.startswith("unix:"):
        line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        line.settimeout(CONNECT_S)
        try:
            line.connect(address.removeprefix("unix:"))
        except OSError:
            line.close()
            raise
    else:
        host, _, port = address.removeprefix("socket://").rpartition(":")
        if not host or not port.isdigit():
            raise OSError(errno.EINVAL, "write it as socket://host:port")
        line = socket.create_connection((host, int(port)), timeout=CONNECT_S)
    line.settimeout(WRITE_TIMEOUT_S)
    return line


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

TERMINALS: Final = Path("/sys/class/tty")
VENDORS: Final = frozenset({"2341", "2a03", "1a86", "0403", "10c4"})
"""The makers of those chips: Arduino (two numbers), QinHeng (CH340), FTDI, Silicon Labs (CP210x)."""


class PortName:
    """The name that a port is opened by: a device that is named by a number is followed when it gets another one.

    Two devices that are torn away together by a bad cable may come back with each other's numbers.
    """

    def __init__(self, port: str, by_id: Path = BY_ID) -> None:
        """``port`` is as configured; ``by_id`` the folder of links that udev keeps, one for each device at USB."""
        self._port, self._by_id, self._known = port, by_id, ""

    def __call__(self) -> str:
        """What to open now."""
        return self._known if self._known and Path(self._known).exists() else self._port

    def settle(self) -> None:
        """What is open now is the right device."""
        if not self._port.startswith(SOCKETS) and self() == self._port:
            there = os.path.realpath(self._port)
            self._known = next(
                (str(link) for link in _links(self._by_id) if str(link.resolve()) == there), ""
            )


def candidates(by_id: Path = BY_ID, by_path: Path = BY_PATH) -> tuple[str, ...]:
    """Ports that are there now, the likeliest first.

    Names by id stay the same over replugging. A port without one (some clones have no serial number, so two of
    them share a name) is listed by its socket instead.
    """
    named = _links(by_id)
    known = {link.resolve() for link in named}
    others = [link for link in _links(by_path) if link.resolve() not in known]
    likely = [link for link in named if _is_likely(link)]
    return tuple(str(link) for link in dict.fromkeys([*likely, *named, *others]))


def likely_ports(
    by_id: Path = BY_ID, by_path: Path = BY_PATH, terminals: Path = TERMINALS
) -> tuple[str, ...]:
    """Of `candidates` those that look like a board: by their names, or else by the maker of their USB chip.

    A printer may have the same chip. What does not look like a board is never opened unless it is named.
    """
    return tuple(
        port
        for port in candidates(by_id, by_path)
        if _is_likely(Path(port)) or _vendor(Path(port).resolve().name, terminals) in VENDORS
    )


def other_ports(ports: Iterable[str], taken: str) -> tuple[str, ...]:
    """Of ``ports`` those that lead to another device than ``taken``, whatever names it goes by; empty takes none."""
    there = os.path.realpath(taken) if taken else ""
    return tuple(port for port in ports if os.path.realpath(port) != there)


def free_ports() -> tuple[str, ...]:
    """Of `likely_ports` those that no other program has open, as far as this user may see."""
    return tuple(port for port in likely_ports() if not holders(Path(port)))


def _is_likely(port: Path) -> bool:
    return any(word in port.name.casefold() for word in LIKELY)


def _vendor(terminal: str, terminals: Path) -> str:
    """The maker of the USB chip behind `ttyUSB0` or the like, four hexadecimal digits; empty if there is none."""
    device = (terminals / terminal / "device").resolve()
    for folder in (device, *device.parents):
        with contextlib.suppress(OSError):
            return (folder / "idVendor").read_text().strip().casefold()
    return ""


def _links(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []
