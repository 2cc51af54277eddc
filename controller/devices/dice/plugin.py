"""Dice units that other packages bring, by the entry points `pointsman.dice`."""

import logging
from collections.abc import Callable, Iterable
from functools import partial
from typing import Final, Protocol, Self

from controller.devices.dice.source import DeviceRoll
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.plugins import PluginKind, load_plugin

_LOGGER: Final = logging.getLogger(__name__)
RETRY_S: Final = 2.0
"""How long a unit that is away is left alone; as Bluetooth and networks need to be there again."""


class DiceUnit(Protocol):
    """What the function of a plug-in returns for an address. It may raise OSError where the unit is away."""

    def poll(self) -> Iterable[tuple[int, int]]:
        """The rolls since the last call, in order, two faces each; called 20 times a second, it must not wait."""

    def close(self) -> None:
        """Let go of the unit."""


class PluginDice:
    """The dice unit of a plug-in; opened again for as long as it is away.

    Attributes:
        status: how the unit stands; None before it was tried.
    """

    def __init__(
        self,
        name: str,
        open_unit: Callable[[], DiceUnit],
        tell: Callable[[DiceStatus], None] = lambda _: None,
    ) -> None:
        """Nothing is opened yet; `name` is what people know it by, `tell` hears of each change of the status."""
        self.status: DiceStatus | None = None
        self._name, self._open_unit, self._tell = name, open_unit, tell
        self._unit: DiceUnit | None = None
        self._try_at = float("-inf")

    @classmethod
    def named(cls, told: str, tell: Callable[[DiceStatus], None] = lambda _: None) -> Self:
        """The unit of a plug-in, `name` or `name:address`. Raises PluginError."""
        name, _, address = told.partition(":")
        return cls(told, partial(load_plugin(PluginKind.DICE, name), address), tell)

    def poll(self, now_s: float) -> list[DeviceRoll]:
        """See `DiceSource`."""
        if self._unit is None and now_s < self._try_at:
            return []
        try:
            if self._unit is None:
                self._unit = self._open_unit()
            dice = [(first, second) for first, second in self._unit.poll()]
        except OSError as error:
            self._away(now_s, error.strerror or str(error))
            return []
        except Exception as error:  # a fault of somebody else's program must not end the match
            _LOGGER.exception("The plug-in %s failed.", self._name)
            self._away(now_s, repr(error))
            return []
        self._set(DiceStatus(DiceCode.READY, self._name))
        return [DeviceRoll(each, now_s, "plugin") for each in dice]

    def close(self) -> None:
        """See `DiceSource`."""
        unit, self._unit = self._unit, None
        if unit is not None:
            try:
                unit.close()
            except Exception:
                _LOGGER.exception("The plug-in %s cannot be closed.", self._name)

    def _away(self, now_s: float, why: str) -> None:
        self.close()
        self._try_at = now_s + RETRY_S
        self._set(DiceStatus(DiceCode.AWAY, self._name, {"why": why}))

    def _set(self, status: DiceStatus) -> None:
        if status != self.status:
            self.status = status
            self._tell(status)
