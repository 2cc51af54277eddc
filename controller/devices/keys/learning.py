"""Learns which key is to be a button: whichever is pressed first, on any device."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from controller.devices.keys.inputs import Inputs
from controller.devices.keys.learned import LearnedKey

TOUCHES: Final = range(0x140, 0x150)
"""The kernel's numbers for fingers and pens on a screen or pad: people touch those to get about the page."""


class KeyLearning:
    """Listens to all keys until one was pressed and let go of. For one thread."""

    def __init__(self, folder: Path | None = None) -> None:
        """``folder`` as in `Inputs`. Raises LearnedKeyError without the library."""
        self._inputs = Inputs(folder=folder)
        self._down: LearnedKey | None = None

    def poll(self, now_s: float) -> LearnedKey | None:
        """The key, as soon as it is known; call it often.

        Some foot switches press several keys at once, such as control and another one: the last one is learned.
        """
        for change in self._inputs.poll(now_s):
            if change.code in TOUCHES:
                continue
            if change.down:
                self._down = change.key
            elif self._down == change.key:
                return self._named(change.key)
        return None

    def can_hear(self) -> bool:
        """Whether all devices may be read; known from the first `poll` on."""
        return not self._inputs.forbidden

    def close(self) -> None:
        """Let go of the devices."""
        self._inputs.close()

    def _named(self, key: LearnedKey) -> LearnedKey:
        """The key with its device's place only if another device of the same make is there."""
        return key if len(self._inputs.of_make(key.maker)) > 1 else replace(key, place="")
