"""Writes the released firmware from the set-up page, while the table leaves the board alone."""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Final

from controller.devices.firmware.flashing import (
    Flashed,
    FlashError,
    FlashFault,
    FlashProgress,
    FlashStep,
    flash,
)
from controller.devices.firmware.image import FirmwareImage
from controller.messages.device_words import LocalText, flash_words
from controller.web.setup.set_up import Trial, TrialState

_LOGGER: Final = logging.getLogger(__name__)
Flash = Callable[[str, Mapping[str, FirmwareImage], Callable[[FlashProgress], None]], Flashed]
_BEGINNING: Final = FlashProgress(FlashStep.SEEKING)


class FirmwareErrand:
    """One at a time; `view` may be asked from any thread."""

    def __init__(self, images: Mapping[str, FirmwareImage], write: Flash = flash) -> None:
        """Nothing is written yet; ``write`` does it. Without images there is nothing to write."""
        self._images, self._write = images, write
        self._state, self._progress = TrialState.READY, _BEGINNING
        self._said: LocalText | None = None

    @property
    def running(self) -> bool:
        """Whether it is under way."""
        return self._state is TrialState.RUNNING

    def view(self) -> Trial:
        """How far it is."""
        if self.running:
            now = self._progress
            return Trial(self._state, flash_words("step", now.step, percent=round(100 * now.done)))
        if not self._images:
            return Trial()
        version = next(iter(self._images.values())).version
        return Trial(self._state, self._said or flash_words("text", "released", version=version))

    def begin(self, port: str, done: Callable[[], None]) -> None:
        """Write it onto the chip at a serial port that nobody has open; ``done`` is called at the end."""
        self._state, self._progress = TrialState.RUNNING, _BEGINNING
        threading.Thread(target=self._work, args=(port, done), name="pointsman-firmware", daemon=True).start()

    def _work(self, port: str, done: Callable[[], None]) -> None:
        try:
            flashed = self._write(port, self._images, self._hear)
            self._said = flash_words("text", "done", version=flashed.image.version)
        except FlashError as error:
            self._said = flash_words("fault", error.fault, port=port, about=error.about)
        except Exception as error:  # a fault of ours must not keep the table from its board
            _LOGGER.exception("The firmware could not be written.")
            self._said = flash_words("fault", FlashFault.BROKEN, port=port, about=repr(error))
        finally:
            done()
            self._state = TrialState.DONE

    def _hear(self, now: FlashProgress) -> None:
        self._progress = now
