"""Lights that other packages bring, by the entry points `pointsman.lights`."""

import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol, Self

from controller.devices.lights.backends import REFRESH_S, Lights
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.lights.render import Rgb, render
from controller.plugins import PluginKind, load_plugin

_LOGGER: Final = logging.getLogger(__name__)
RETRY_S: Final = 2.0
"""How long lamps that are away are left alone."""


class LampDriver(Protocol):
    """What the function of a plug-in returns for an address. It may raise OSError where the lamps are away."""

    def show(self, colours: Sequence[Rgb]) -> None:
        """Show a colour on each lamp, 0 to 255 for red, green and blue; up to 20 times a second, it must not wait."""

    def close(self) -> None:
        """Let go of the lamps."""


class PluginLights(Lights):
    """The lamps of a plug-in, effects included; opened again for as long as they are away.

    Attributes:
        broken: why they show nothing; None where they do.
    """

    def __init__(
        self, name: str, open_lamps: Callable[[], LampDriver], order: StripOrder, dimming: Dimming
    ) -> None:
        """Nothing is opened yet; `name` is what people know them by."""
        self.broken: str | None = None
        self._name, self._open_lamps, self._order, self._dimming = name, open_lamps, order, dimming
        self._lamps: LampDriver | None = None
        self._last: tuple[Rgb, ...] | None = None
        self._try_at = self._sent_at = float("-inf")

    @classmethod
    def named(cls, told: str, order: StripOrder, dimming: Dimming) -> Self:
        """The lamps of a plug-in, `name` or `name:address`. Raises PluginError."""
        name, _, address = told.partition(":")
        return cls(told, partial(load_plugin(PluginKind.LIGHTS, name), address), order, dimming)

    def tick(self, now_s: float) -> None:
        """See `Lights`: shows the picture if it has changed, and after `REFRESH_S` in any case."""
        picture = self._order.picture(self.frame, self._dimming.level(at_night=self.at_night))
        colours = render(picture, round(now_s * 1000), limit_ma=self._dimming.limit_ma)
        if now_s < self._try_at or (colours == self._last and now_s - self._sent_at < REFRESH_S):
            return
        self._sent_at = now_s
        self._try_at = float("-inf") if self._show(colours) else now_s + RETRY_S

    def close(self) -> None:
        """See `Lights`."""
        if self._lamps is not None:
            self._show(((0, 0, 0),) * self._order.count)
        self._let_go()

    def _show(self, colours: tuple[Rgb, ...]) -> bool:
        """Whether they show it."""
        try:
            if self._lamps is None:
                self._lamps = self._open_lamps()
            self._lamps.show(colours)
        except OSError as error:
            self.broken = error.strerror or str(error)
        except Exception as error:  # a fault of somebody else's program must not end the match
            _LOGGER.exception("The plug-in %s failed.", self._name)
            self.broken = repr(error)
        else:
            self.broken, self._last = None, colours
            return True
        self._let_go()
        return False

    def _let_go(self) -> None:
        lamps, self._lamps, self._last = self._lamps, None, None
        if lamps is not None:
            try:
                lamps.close()
            except Exception:
                _LOGGER.exception("The plug-in %s cannot be closed.", self._name)
