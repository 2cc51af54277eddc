"""How the link to the board stands: a code with arguments. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


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


class LinkCode(StrEnum):
    """Why the link is in its state; with the arguments that its words need beside `port`."""

    STARTING = "starting"
    READY = "ready"
    """`firmware`: its version."""
    CLOSED = "closed"
    NO_PORT = "no_port"
    """The automatic search found no candidate."""
    ABSENT = "absent"
    """The port does not exist."""
    DENIED = "denied"
    """This user may not open the port."""
    TAKEN = "taken"
    """Another program has the port."""
    OPEN_FAILED = "open_failed"
    """The port cannot be opened for another reason; `error`."""
    GREETING = "greeting"
    """The port is open and nothing is known yet."""
    SILENT = "silent"
    """Nothing ever came."""
    OTHER_DEVICE = "other_device"
    """Bytes came, but nothing that makes sense."""
    STUCK = "stuck"
    """The chip sends but leaves a request unanswered."""
    LOST = "lost"
    """It answered, and then the line went dead; `error` is for programs only."""
    VERSION = "version"
    """Another major version of the protocol: `theirs` and `ours`."""
    JOURNAL = "journal"
    """Events cannot be written down, so they are not acknowledged; `error`."""


_STATES = {
    LinkCode.READY: LinkState.READY,
    LinkCode.CLOSED: LinkState.CLOSED,
    LinkCode.GREETING: LinkState.GREETING,
    LinkCode.SILENT: LinkState.WRONG,
    LinkCode.OTHER_DEVICE: LinkState.WRONG,
    LinkCode.STUCK: LinkState.WRONG,
    LinkCode.VERSION: LinkState.WRONG,
    LinkCode.JOURNAL: LinkState.WRONG,
}
"""The state that follows from a code; with all others a port is looked for."""


@dataclass(frozen=True, slots=True)
class LinkStatus(DeviceStatus[LinkCode]):
    """The state of the link and the reason for it; `port` is the one it is about, as configured or found."""

    device = "board"

    @property
    def state(self) -> LinkState:
        """What the rest of the program has to know."""
        return _STATES.get(self.code, LinkState.SEARCHING)
