"""How the link stands, in a word for programs and in words for people."""

from dataclasses import dataclass
from enum import StrEnum

FLASH_COMMAND = "make flash PORT={port}"


class LinkState(StrEnum):
    """What the rest of the program has to know."""

    SEARCHING = "searching"
    """No usable port yet, or none any more; it goes on looking."""
    GREETING = "greeting"
    """A port is open, nothing there has answered the greeting yet."""
    READY = "ready"
    """The electronics answer."""
    WRONG = "wrong"
    """A port is open, but what is there cannot be used; it goes on trying."""
    CLOSED = "closed"
    """The program has closed the link."""


@dataclass(frozen=True, slots=True)
class LinkStatus:
    """The state of the link.

    Attributes:
        code: the reason in one word, for catalogues and tests: `ready`, `absent`, `denied`, `taken`, `no_port`,
            `open_failed`, `greeting`, `silent`, `other_device`, `stuck`, `lost`, `version`, `journal`, `closed`.
        port: the port it is about, as configured or found.
        reason: what is the matter, a sentence.
        remedy: what to do about it, a sentence; empty where there is nothing to do.
    """

    state: LinkState
    code: str
    port: str
    reason: str
    remedy: str = ""


def ready(port: str, firmware: tuple[int, int, int]) -> LinkStatus:
    """All is well."""
    version = ".".join(map(str, firmware))
    return LinkStatus(LinkState.READY, "ready", port, f"The board on {port} answers (firmware {version}).")


def closed(port: str) -> LinkStatus:
    """The program is done with it."""
    return LinkStatus(LinkState.CLOSED, "closed", port, f"The link to {port} is closed.")


def no_port() -> LinkStatus:
    """The automatic search found no candidate."""
    return LinkStatus(
        LinkState.SEARCHING,
        "no_port",
        "auto",
        "No serial device is plugged in.",
        "Plug the board in by USB; it should then appear under /dev/serial/by-id.",
    )


def absent(port: str) -> LinkStatus:
    """The port does not exist."""
    return LinkStatus(
        LinkState.SEARCHING,
        "absent",
        port,
        f"There is no {port}.",
        "Plug the board in, or name another port (ls /dev/serial/by-id shows them, or auto).",
    )


def denied(port: str) -> LinkStatus:
    """The port may not be opened."""
    return LinkStatus(
        LinkState.SEARCHING,
        "denied",
        port,
        f"This user may not open {port}.",
        "Run: sudo usermod -a -G dialout $USER, then log out and in again.",
    )


def taken(port: str) -> LinkStatus:
    """Another program has the port."""
    return LinkStatus(
        LinkState.SEARCHING,
        "taken",
        port,
        f"Another program is using {port}.",
        f"Close it (fuser {port} names it); this program takes the port as soon as it is free.",
    )


def open_failed(port: str, error: str) -> LinkStatus:
    """The port cannot be opened for another reason."""
    return LinkStatus(
        LinkState.SEARCHING,
        "open_failed",
        port,
        f"{port} cannot be opened ({error}).",
        "Check that it is the board's serial port, and unplug and replug it.",
    )


def greeting(port: str) -> LinkStatus:
    """The port is open and nothing is known yet."""
    return LinkStatus(LinkState.GREETING, "greeting", port, f"Waiting for the board on {port}.")


def silent(port: str) -> LinkStatus:
    """Nothing ever came."""
    return LinkStatus(
        LinkState.WRONG,
        "silent",
        port,
        f"Nothing on {port} answers.",
        f"Check the board's power and its cable; a new board needs its firmware: {_flash(port)}.",
    )


def other_device(port: str) -> LinkStatus:
    """Bytes came, but nothing that makes sense."""
    return LinkStatus(
        LinkState.WRONG,
        "other_device",
        port,
        f"What is on {port} is not a Pointsman board: it sends something else.",
        f"Name the board's own port, or flash the board: {_flash(port)}.",
    )


def stuck(port: str) -> LinkStatus:
    """The chip sends but leaves a request unanswered."""
    return LinkStatus(
        LinkState.WRONG,
        "stuck",
        port,
        f"The board on {port} no longer answers what it is asked.",
        "Press its reset button if this stays.",
    )


def lost(port: str, error: str) -> LinkStatus:
    """It worked, and then the line went dead."""
    return LinkStatus(
        LinkState.SEARCHING,
        "lost",
        port,
        f"The board on {port} is gone ({error}).",
        "Check the cable; everything goes on by itself when it is back.",
    )


def version(port: str, major: int, minor: int, ours: tuple[int, int]) -> LinkStatus:
    """Another major version of the protocol."""
    return LinkStatus(
        LinkState.WRONG,
        "version",
        port,
        f"The board on {port} speaks protocol {major}.{minor}, this program {ours[0]}.{ours[1]}.",
        f"Flash the firmware that came with this program: {_flash(port)}.",
    )


def journal(port: str, error: str) -> LinkStatus:
    """Events cannot be written down, so they are not acknowledged."""
    return LinkStatus(
        LinkState.WRONG,
        "journal",
        port,
        f"What the board on {port} reports cannot be written down ({error}).",
        "Free some space or mend the journal; the board keeps its last 16 events until then.",
    )


def _flash(port: str) -> str:
    return FLASH_COMMAND.format(port=port)
