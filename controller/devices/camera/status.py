"""How a camera stands, in a word for programs and in words for people."""

from dataclasses import dataclass
from enum import StrEnum


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
    """A film is through."""
    CLOSED = "closed"
    """The program has closed it."""


@dataclass(frozen=True, slots=True)
class CameraStatus:
    """The state of a camera.

    Attributes:
        code: the reason in one word, for catalogues and tests: `starting`, `ok`, `no_camera`, `absent`, `denied`,
            `taken`, `no_library`, `no_pi_camera`, `unreachable`, `bad_film`, `silent`, `stuck`, `driver`, `lost`,
            `frozen`, `dark`, `wrong_size`, `ended`, `closed`.
        source: the camera it is about, as configured or found.
        reason: what is the matter, a sentence.
        remedy: what to do about it, a sentence; empty where there is nothing to do.
    """

    state: CameraState
    code: str
    source: str
    reason: str
    remedy: str = ""


class SourceError(Exception):
    """Pictures cannot be had from a source, or no longer; the status says why."""

    def __init__(self, status: CameraStatus) -> None:
        super().__init__(status.reason)
        self.status = status


def starting(source: str) -> CameraStatus:
    """Nothing is known yet."""
    return CameraStatus(CameraState.STARTING, "starting", source, f"The camera {source} is starting.")


def ok(source: str, width: int, height: int) -> CameraStatus:
    """All is well."""
    return CameraStatus(
        CameraState.OK, "ok", source, f"The camera {source} gives pictures of {width}x{height} pixels."
    )


def closed(source: str) -> CameraStatus:
    """The program is done with it."""
    return CameraStatus(CameraState.CLOSED, "closed", source, f"The camera {source} is closed.")


def ended(source: str) -> CameraStatus:
    """A film has no more pictures."""
    return CameraStatus(CameraState.ENDED, "ended", source, f"The film {source} is through.")


def no_camera() -> CameraStatus:
    """The automatic search found none."""
    return CameraStatus(
        CameraState.ABSENT,
        "no_camera",
        "auto",
        "No camera is plugged in.",
        "Plug a camera in by USB, or connect one to the ribbon; it is found by itself.",
    )


def absent(source: str) -> CameraStatus:
    """The device does not exist."""
    return CameraStatus(
        CameraState.ABSENT,
        "absent",
        source,
        f"There is no camera {source}.",
        "Plug it in, or name another one (ls /dev/v4l/by-id shows them, or auto).",
    )


def denied(source: str) -> CameraStatus:
    """The device may not be opened."""
    return CameraStatus(
        CameraState.ABSENT,
        "denied",
        source,
        f"This user may not open the camera {source}.",
        "Run: sudo usermod -a -G video $USER, then log out and in again.",
    )


def taken(source: str) -> CameraStatus:
    """The device exists, but cannot be made to give pictures."""
    return CameraStatus(
        CameraState.ABSENT,
        "taken",
        source,
        f"The camera {source} cannot be opened: another program is using it, or it is no camera.",
        f"Close the other program (fuser {source} names it); the camera is taken as soon as it is free.",
    )


def no_library(source: str, why: str) -> CameraStatus:
    """The program that reaches the Pi's own camera is missing."""
    return CameraStatus(
        CameraState.ABSENT,
        "no_library",
        source,
        f"The camera at the ribbon cannot be used: picamera2 cannot be loaded ({why}).",
        "Run: sudo apt install python3-picamera2, and make the virtual environment with --system-site-packages.",
    )


def no_pi_camera(source: str, why: str) -> CameraStatus:
    """Nothing answers at the ribbon."""
    return CameraStatus(
        CameraState.ABSENT,
        "no_pi_camera",
        source,
        f"No camera answers at the ribbon ({why}).",
        "Switch the Pi off, check both ends of the ribbon, and see what rpicam-hello --list-cameras says.",
    )


def unreachable(source: str) -> CameraStatus:
    """A stream cannot be opened."""
    return CameraStatus(
        CameraState.ABSENT,
        "unreachable",
        source,
        f"No pictures come from {source}.",
        "See that the sender is switched on and the address is right: it must open in a browser or in ffplay.",
    )


def bad_film(source: str, why: str) -> CameraStatus:
    """A film cannot be used; `why` is a sentence with its remedy."""
    return CameraStatus(CameraState.ABSENT, "bad_film", source, why)


def silent(source: str) -> CameraStatus:
    """It was opened, and nothing came."""
    return CameraStatus(
        CameraState.FAILING,
        "silent",
        source,
        f"The camera {source} is open but gives no picture.",
        "Unplug and replug it, on another socket if it has to share one; it is tried again by itself.",
    )


def stuck(source: str) -> CameraStatus:
    """Several attempts hang in the driver and do not come back."""
    return CameraStatus(
        CameraState.FAILING,
        "stuck",
        source,
        f"The driver of the camera {source} does not answer any more.",
        "Unplug and replug it; if this stays, restart the machine.",
    )


def driver(source: str, why: str) -> CameraStatus:
    """The driver raised an error that nobody expected."""
    return CameraStatus(
        CameraState.FAILING,
        "driver",
        source,
        f"The driver of the camera {source} fails ({why}).",
        "Unplug and replug it, and update OpenCV or picamera2 if this stays; it is tried again by itself.",
    )


def lost(source: str) -> CameraStatus:
    """It worked, and then no more pictures came."""
    return CameraStatus(
        CameraState.ABSENT,
        "lost",
        source,
        f"The camera {source} is gone.",
        "Check its cable; everything goes on by itself when it is back.",
    )


def frozen(source: str) -> CameraStatus:
    """The same picture comes over and over, to the last bit."""
    return CameraStatus(
        CameraState.FAILING,
        "frozen",
        source,
        f"The camera {source} repeats one and the same picture.",
        "Unplug and replug it; it is opened anew by itself.",
    )


def dark(source: str) -> CameraStatus:
    """Nothing is to be seen."""
    return CameraStatus(
        CameraState.FAILING,
        "dark",
        source,
        f"The pictures of the camera {source} are black.",
        "Take the cover off the lens, switch the light on, and see that its exposure is not fixed too short.",
    )


def wrong_size(source: str, size: tuple[int, int], wanted: tuple[int, int]) -> CameraStatus:
    """The pictures have another size than the board was calibrated with; sizes are width and height."""
    return CameraStatus(
        CameraState.FAILING,
        "wrong_size",
        source,
        f"The camera {source} gives pictures of {size[0]}x{size[1]} pixels, not of {wanted[0]}x{wanted[1]}.",
        "Set the size that the board was calibrated with, or calibrate the board with pictures of this camera.",
    )
