"""Lights as text in a terminal."""

from collections.abc import Callable
from typing import Final

from controller.devices.lights.backends import Lights
from controller.devices.lights.frame import LightFrame, Place, Signal
from controller.devices.lights.palette import PALETTE
from controller.devices.link.messages import Effect

LETTERS: Final = {
    Signal.DARK: ".",
    Signal.MOVABLE: "m",
    Signal.LANDING: "l",
    Signal.PLAYED: "p",
    Signal.WRONG: "X",
    Signal.TAKE: "-",
    Signal.PUT: "+",
    Signal.UNSURE: "?",
    Signal.WAITING: "w",
}
"""A letter for each signal, for screens without colours and people who do not see them."""

_TOP: Final[tuple[Place, ...]] = (*range(13, 19), "bar-dark", *range(19, 25), "tray-dark")
_BOTTOM: Final[tuple[Place, ...]] = (*range(12, 6, -1), "bar-light", *range(6, 0, -1), "tray-light")


def as_text(frame: LightFrame, *, colours: bool = False) -> str:
    """Three lines: the far row, the near row (as light sees the board), the status; with ANSI colours if wanted."""

    def shown(place: Place) -> str:
        signal = frame[place]
        letter = LETTERS[signal]
        if not colours or signal is Signal.DARK:
            return letter
        style = PALETTE[signal]
        blink = "5;" if style.effect is Effect.BLINK else ""
        return f"\x1b[{blink}38;2;{style.red};{style.green};{style.blue}m{letter}\x1b[0m"

    rows = [" ".join(shown(place) for place in row) for row in (_TOP, _BOTTOM)]
    return "\n".join([*rows, f"status {shown('status')}"])


class TerminalLights(Lights):
    """Writes a frame as text whenever it changes."""

    def __init__(self, write: Callable[[str], object], *, colours: bool = False) -> None:
        """`write` takes the text with a line end, such as `sys.stderr.write`."""
        self._write, self._colours = write, colours
        self._last: LightFrame | None = None

    def show(self, frame: LightFrame) -> None:
        """See `Lights`."""
        if frame != self._last:
            self._last = frame
            self._write(as_text(frame, colours=self._colours) + "\n")
