"""Which camera a configuration means, also when it comes back under another number."""

from importlib.util import find_spec
from pathlib import Path
from typing import Final

AUTO: Final = "auto"
BY_ID: Final = Path("/dev/v4l/by-id")
DEVICES: Final = Path("/dev")
STREAMS: Final = ("http://", "https://", "rtsp://", "rtmp://", "tcp://", "udp://")
RIBBON: Final = "picamera2"
"""The package that reaches the Pi's own camera at the ribbon, and what the configuration calls that camera."""

PHONE: Final = "phone"
"""What the configuration calls a phone that sends its pictures through the table's pages."""

Mark = tuple[int, int, int]
"""Tells one plugging-in of a device from the next: its file is another one."""


def cameras(by_id: Path = BY_ID) -> tuple[str, ...]:
    """The cameras at USB that are there now, by names that stay the same over replugging."""
    try:
        found = sorted(path for path in by_id.iterdir() if path.name.endswith("-video-index0"))
    except OSError:
        return ()
    return tuple(map(str, found))


def is_film(source: str, devices: Path = DEVICES) -> bool:
    """Whether this names recorded pictures, no camera and no stream."""
    named = source in (AUTO, PHONE) or is_ribbon(source) or source.startswith(STREAMS)
    return not named and device_path(source, devices) is None


def is_ribbon(source: str) -> bool:
    """Whether this names a camera at the ribbon."""
    return source.partition(":")[0] == RIBBON


def gives_its_own_size(source: str) -> bool:
    """Whether this is a film, a stream or a phone, whose pictures are of the size that they are of."""
    return is_film(source) or source == PHONE or source.startswith(STREAMS)


def device_path(source: str, devices: Path = DEVICES) -> Path | None:
    """The device that a number or a path in `/dev` names; None where it names none.

    In `/dev/shm` lie files that are kept in memory, and no devices.
    """
    if source.isascii() and source.isdigit():
        return devices / f"video{source}"
    is_device = source.startswith(f"{devices}/") and not source.startswith(f"{devices}/shm/")
    return Path(source) if is_device else None


class CameraChoice:
    """The sources that a configured camera may be found at.

    A camera that gave pictures is known by its name from then on, and looked for under that name first, wherever it
    comes back. What `auto` passed over for it never takes its place: a laptop's own camera does not stand in for the
    one above the board.
    """

    def __init__(self, source: str, by_id: Path = BY_ID, devices: Path = DEVICES) -> None:
        """Nothing was found yet.

        Args:
            source: the camera as configured.
            by_id: the folder of links that udev keeps, one for each camera at USB.
            devices: the folder of the devices themselves.
        """
        self._source, self._by_id, self._devices = source, by_id, devices
        self._known = ""
        self._passed_over: frozenset[str] = frozenset()

    @property
    def film(self) -> bool:
        """Whether it is no camera at all, but recorded pictures."""
        return is_film(self._source, self._devices)

    def candidates(self) -> tuple[str, ...]:
        """What to try now, in this order; empty where there is nothing to try."""
        if self._source == AUTO:
            fit = [name for name in self._found() if name not in self._passed_over]
            return tuple(sorted(fit, key=lambda name: name != self._known))
        return (self._known if self._known in cameras(self._by_id) else self._source,)

    def settle(self, name: str) -> None:
        """This one gave pictures."""
        if self._source == AUTO:
            self._known, self._passed_over = name, frozenset(self._found()) - {name}
        elif self._is_numbered() and name == self._source:
            node = self._node(name)
            links = (link for link in cameras(self._by_id) if Path(link).resolve() == node)
            self._known = next(links, "")

    def mark(self, source: str) -> Mark | None:
        """The mark of the device that a source names; None where it is no device, or is not there."""
        node = self._node(source)
        try:
            told = None if node is None else node.stat()
        except OSError:
            return None
        return None if told is None else (told.st_dev, told.st_ino, told.st_rdev)

    def _found(self) -> tuple[str, ...]:
        ribbon = (RIBBON,) if find_spec(RIBBON) is not None else ()
        return (*cameras(self._by_id), *ribbon)

    def _is_numbered(self) -> bool:
        """Whether the configuration names a device by the number that the system happens to give it."""
        path = device_path(self._source, self._devices)
        return path is not None and path.parent == self._devices

    def _node(self, source: str) -> Path | None:
        path = Path(source) if Path(source).parent == self._by_id else device_path(source, self._devices)
        return None if path is None else path.resolve()
