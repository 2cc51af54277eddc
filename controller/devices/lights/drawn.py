"""Lights on a screen: as text in a terminal, and as a picture for a web page."""

from collections.abc import Callable
from typing import Final

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

_CELL: Final = 20
_PERIODS: Final = {Effect.BLINK: "blink", Effect.PULSE: "pulse"}


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


class TerminalLights:
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

    def night(self, on: bool) -> None:
        """A terminal is as bright as it is."""

    def tick(self, now_s: float) -> None:
        """The terminal blinks by itself where it can."""

    def close(self) -> None:
        """Nothing to let go of."""


def as_svg(frame: LightFrame) -> str:
    """The frame as an SVG picture of its own, animated; each lamp has its place and signal as a title."""
    lamps = [
        _lamp(frame, place, x * _CELL, y)
        for y, row in ((0, _TOP), (2 * _CELL, _BOTTOM))
        for x, place in enumerate(row)
    ]
    lamps.append(_lamp(frame, "status", len(_TOP) * _CELL, _CELL))
    width, height = (len(_TOP) + 1) * _CELL, 3 * _CELL
    style = (
        "<style>.blink{animation:b steps(1) infinite}.pulse{animation:p ease-in-out infinite}"
        "@keyframes b{0%{opacity:1}50%{opacity:.05}}@keyframes p{0%,100%{opacity:.15}50%{opacity:1}}"
        "@media(prefers-reduced-motion:reduce){circle{animation:none!important}}</style>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">'
        f"{style}{''.join(lamps)}</svg>"
    )


def _lamp(frame: LightFrame, place: Place, x: int, y: int) -> str:
    signal = frame[place]
    centre = f'cx="{x + _CELL // 2}" cy="{y + _CELL // 2}" r="{_CELL // 3}"'
    title = f"<title>{place}: {signal}</title>"
    if signal is Signal.DARK:
        return f'<circle {centre} fill="none" stroke="#888">{title}</circle>'
    style = PALETTE[signal]
    colour = f"#{style.red:02x}{style.green:02x}{style.blue:02x}"
    rhythm = _PERIODS.get(style.effect)
    moving = f' class="{rhythm}" style="animation-duration:{style.period / 100}s"' if rhythm else ""
    return f'<circle {centre} fill="{colour}" stroke="#888"{moving}>{title}</circle>'


class WebLights:
    """Keeps the newest frame as a picture for whoever asks."""

    def __init__(self) -> None:
        self.svg = as_svg(LightFrame())

    def show(self, frame: LightFrame) -> None:
        """See `Lights`."""
        self.svg = as_svg(frame)

    def night(self, on: bool) -> None:
        """A screen is as bright as it is."""

    def tick(self, now_s: float) -> None:
        """The browser moves the effects."""

    def close(self) -> None:
        """Nothing to let go of."""
