"""Which serial ports the board may be on."""

from pathlib import Path
from typing import Final

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
