"""How a camera stands: a code with arguments. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


class CameraState(StrEnum):
    """What the rest of the program has to know."""

    STARTING = "starting"
    """It is being opened, or has not given a picture yet."""
    OK = "ok"
    """It gives pictures."""
    ABSENT = "absent"
    """It is not there, or not for this program; it is looked for again and again."""
    FAILING = "failing"
    """It is there, but gives nothing that can be used; it is opened anew again and again."""
    ENDED = "ended"
    """A film is over."""
    CLOSED = "closed"
    """The program has closed it."""


class CameraCode(StrEnum):
    """Why a camera is in its state; with the arguments that its words need beside `source`."""

    STARTING = "starting"
    OK = "ok"
    """`size`: the width and height of its pictures."""
    OK_STILLS = "ok_stills"
    """It has stills for the dice, too: `size` as above, and `stills`, their width and height."""
    CLOSED = "closed"
    ENDED = "ended"
    NO_CAMERA = "no_camera"
    """The automatic search found none."""
    ABSENT = "absent"
    """The device does not exist."""
    DENIED = "denied"
    """This user may not open it."""
    TAKEN = "taken"
    """It exists but cannot be made to give pictures."""
    NO_LIBRARY = "no_library"
    """The package that reaches the Pi's own camera is missing; `why`."""
    NO_PI_CAMERA = "no_pi_camera"
    """Nothing answers at the ribbon; `why`."""
    UNREACHABLE = "unreachable"
    """A stream cannot be opened."""
    BAD_FILM = "bad_film"
    """A film cannot be used; `why` is a sentence with its remedy."""
    SILENT = "silent"
    """It was opened, and nothing came."""
    STUCK = "stuck"
    """Several attempts hang in the driver and do not come back."""
    DRIVER = "driver"
    """The driver raised an error that nobody expected; `why`."""
    LOST = "lost"
    """It worked, and then no more pictures came."""
    PHONE_AWAY = "phone_away"
    """No phone sends pictures yet."""
    PHONE_LOST = "phone_lost"
    """A phone sent pictures, and then no more came."""
    PHONE_SLOW = "phone_slow"
    """A phone sends pictures, but each takes too long on its way."""
    STALLED = "stalled"
    """A stream gave pictures, and then no more came."""
    FROZEN = "frozen"
    """The same picture comes over and over, to the last bit."""
    INCOMPLETE = "incomplete"
    """None of its pictures comes whole."""
    DARK = "dark"
    """Its pictures are black."""
    WRONG_SIZE = "wrong_size"
    """Its pictures are not of the size the board was calibrated with; `size` and `wanted`."""


_STATES = {
    CameraCode.STARTING: CameraState.STARTING,
    CameraCode.OK: CameraState.OK,
    CameraCode.OK_STILLS: CameraState.OK,
    CameraCode.CLOSED: CameraState.CLOSED,
    CameraCode.ENDED: CameraState.ENDED,
    CameraCode.SILENT: CameraState.FAILING,
    CameraCode.STUCK: CameraState.FAILING,
    CameraCode.DRIVER: CameraState.FAILING,
    CameraCode.FROZEN: CameraState.FAILING,
    CameraCode.INCOMPLETE: CameraState.FAILING,
    CameraCode.DARK: CameraState.FAILING,
    CameraCode.WRONG_SIZE: CameraState.FAILING,
}
"""The state that follows from a code; for all others the camera is absent."""


@dataclass(frozen=True, slots=True)
class CameraStatus(DeviceStatus[CameraCode]):
    """The state of a camera and the reason for it."""

    device = "camera"

    @property
    def source(self) -> str:
        """The camera as configured or found."""
        return self.port

    @property
    def state(self) -> CameraState:
        """What the rest of the program has to know."""
        return _STATES.get(self.code, CameraState.ABSENT)


class SourceError(Exception):
    """Pictures cannot be had from a source, or no longer; the status says why."""

    def __init__(self, code: CameraCode, source: str, **arguments: str) -> None:
        super().__init__(code, source, arguments)
        self.status = CameraStatus(code, source, arguments)
