"""The pins of a Raspberry Pi, through gpiozero, with the library under it chosen and never guessed.

gpiozero would try one library after the other and go on with whichever loads. On a Pi 5 that ends in RPi.GPIO, which
cannot work there, so the choice comes first here, and a missing library is an error that says what to install.
"""

import importlib
import importlib.util
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.errors import UserError

if TYPE_CHECKING:
    from gpiozero import Factory

MODEL_FILE: Final = Path("/proc/device-tree/model")


class PinsError(UserError):
    """The pins cannot be used."""


class PinLibrary(StrEnum):
    """What reaches the pins."""

    LGPIO = "lgpio"
    RPI_GPIO = "rpigpio"
    MOCK = "mock"
    """No pins at all, for tests."""


def board_model(model_file: Path = MODEL_FILE) -> str | None:
    """The name of the Raspberry Pi this runs on, None on other machines."""
    try:
        name = model_file.read_text(encoding="ascii", errors="replace").strip("\0\n ")
    except OSError:
        return None
    return name if "Raspberry Pi" in name else None


def library_for(model: str | None, *, has_lgpio: bool) -> PinLibrary:
    """The library for a model: lgpio wherever it is, always on a Pi 5; RPi.GPIO on older ones without it.

    Raises:
        PinsError: if this is no Raspberry Pi.
    """
    if model is None:
        raise PinsError(
            "This machine is not a Raspberry Pi, so it has no pins for lights, dice or buttons; connect them through "
            "the microcontroller board instead (hardware_docs/protocol.md)."
        )
    if has_lgpio or "Raspberry Pi 5" in model or "Compute Module 5" in model:
        return PinLibrary.LGPIO
    return PinLibrary.RPI_GPIO


def usual_factory() -> "Factory":
    """The pins of the machine that this runs on. Raises PinsError."""
    return pin_factory(library_for(board_model(), has_lgpio=importlib.util.find_spec("lgpio") is not None))


def pin_factory(library: PinLibrary) -> "Factory":
    """Access to the pins through this library and no other.

    Raises:
        PinsError: if gpiozero or the library is missing or cannot work here, with what to install.
    """
    module, name = _FACTORIES[library]
    try:
        made: Factory = getattr(importlib.import_module(module), name)()
    except ImportError as error:
        raise PinsError(
            f"The pins cannot be used because {error.name or library} is not installed; {_remedy(library)}."
        ) from error
    except Exception as error:  # each library has errors of its own, RPi.GPIO a bare RuntimeError
        raise PinsError(f"{library} cannot use the pins here ({error}); {_remedy(library)}.") from error
    return made


@contextmanager
def opening_pins(what: str) -> Iterator[ExitStack]:
    """A stack for the devices of gpiozero that are opened for `what`; `pop_all` keeps them once all are open.

    Whatever was opened before is closed again when one of them fails.

    Raises:
        PinsError: for a pin that cannot be used as wanted.
    """
    from gpiozero import GPIOZeroError

    try:
        with ExitStack() as opened:
            yield opened
    except GPIOZeroError as error:
        raise PinsError(f"The pins of the {what} cannot be used ({error}); give another pin.") from error


_FACTORIES = {
    PinLibrary.LGPIO: ("gpiozero.pins.lgpio", "LGPIOFactory"),
    PinLibrary.RPI_GPIO: ("gpiozero.pins.rpigpio", "RPiGPIOFactory"),
    PinLibrary.MOCK: ("gpiozero.pins.mock", "MockFactory"),
}
"""The module of each library's factory, and its name."""


def _remedy(library: PinLibrary) -> str:
    ways = "./install.sh, pip install 'pointsman[pi]', or in a checkout make pins"
    lgpio = f"get lgpio by {ways}, and put the user into the group gpio"
    return f"{lgpio}; a Pi 5 needs lgpio" if library is PinLibrary.RPI_GPIO else lgpio
