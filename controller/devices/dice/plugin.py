"""Dice units that other packages bring, by the entry points `pointsman.dice`."""

import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final, Protocol, Self

from controller.devices.dice.news import BothSettled, DiceNews, DieBack, DieGone, DieNews
from controller.plugins import PluginKind, load_plugin

_LOGGER: Final = logging.getLogger(__name__)
RETRY_S: Final = 2.0
"""How long a unit that is away is left alone; as Bluetooth and networks need to be there again."""


class PluginUnit(Protocol):
    """What the function of a plug-in returns for an address. It may raise OSError where the unit is away."""

    def poll(self) -> Iterable[tuple[int, int] | DiceNews]:
        """What happened since the last call, in order; called 20 times a second, it must not wait.

        A roll is two faces. A unit that knows its dice one by one tells of each instead, as in
        `controller.devices.dice.news`; the host enters the times.
        """

    def close(self) -> None:
        """Let go of the unit."""


class PluginDice:
    """The dice unit of a plug-in; opened again for as long as it is away. See `DiceUnit`."""

    def __init__(self, name: str, open_unit: Callable[[], PluginUnit]) -> None:
        """Nothing is opened yet; `name` is what people know it by."""
        self._name, self._open_unit = name, open_unit
        self._unit: PluginUnit | None = None
        self._try_at = float("-inf")

    @classmethod
    def named(cls, told: str) -> Self:
        """The unit of a plug-in, `name` or `name:address`. Raises PluginError."""
        name, _, address = told.partition(":")
        return cls(told, partial(load_plugin(PluginKind.DICE, name), address))

    def poll(self, now_s: float) -> list[DiceNews]:
        """See `DiceUnit`."""
        if self._unit is None and now_s < self._try_at:
            return []
        news: list[DiceNews] = []
        try:
            if self._unit is None:
                self._unit = self._open_unit()
                news.append(DieBack())
            return news + [_news(told, now_s) for told in self._unit.poll()]
        except OSError as error:
            return [*news, self._away(now_s, error.strerror or str(error))]
        except Exception as error:  # a fault of somebody else's program must not end the match
            _LOGGER.exception("The plug-in %s failed.", self._name)
            return [*news, self._away(now_s, repr(error))]

    def close(self) -> None:
        """See `DiceUnit`."""
        unit, self._unit = self._unit, None
        if unit is not None:
            try:
                unit.close()
            except Exception:
                _LOGGER.exception("The plug-in %s cannot be closed.", self._name)

    def _away(self, now_s: float, why: str) -> DieGone:
        self.close()
        self._try_at = now_s + RETRY_S
        return DieGone(why=why)


def _news(told: tuple[int, int] | DiceNews, now_s: float) -> DiceNews:
    """What a plug-in told, at the host's time; it raises what ends badly where that is nothing of the kind."""
    if isinstance(told, BothSettled | DieNews):
        return replace(told, at_s=now_s)
    if isinstance(told, DiceNews):
        return told
    first, second = told
    return BothSettled((first, second), now_s)
