"""The dice that a configuration names, opened; a board's own and the camera's come by other ways."""

import time
from collections.abc import Callable
from typing import Final

from controller.config.sections import DiceAt, DiceSection
from controller.devices.dice.bluetooth import BluetoothDice
from controller.devices.dice.lines import way_to, without_login
from controller.devices.dice.news import DiceNews, DiceUnit
from controller.devices.dice.pairing import Outcome
from controller.devices.dice.patterns import find_pattern
from controller.devices.dice.pins import PinDice
from controller.devices.dice.plugin import PluginDice
from controller.devices.dice.status import DiceStatus
from controller.devices.dice.textdice import TextDice
from controller.devices.dice.textline import LinePattern
from controller.devices.dice.unit_rolls import UnitRolls
from controller.devices.pins import usual_factory

ELSEWHERE: Final = (DiceAt.CAMERA, DiceAt.BOARD)
"""Rolls that no dice unit of their own tells."""


def open_dice(
    dice: DiceSection,
    tell: Callable[[DiceStatus], None] = lambda _: None,
    listen: Callable[[DiceNews | Outcome], None] = lambda _: None,
) -> UnitRolls | None:
    """The dice unit that is configured, None if the rolls come from elsewhere; `UnitRolls` says what is called.

    Raises:
        UserError: for a plug-in, a pin or a pattern that cannot be used.
    """
    if dice.source in ELSEWHERE:
        return None
    return UnitRolls(
        _unit(dice), name_dice(dice), dice.source.value, tell, owners=owners_of(dice), listen=listen
    )


def name_dice(dice: DiceSection) -> str:
    """What people know the configured dice unit by; empty where there is none."""
    match dice.source:
        case DiceAt.TEXT:
            return without_login(dice.port)
        case DiceAt.PLUGIN:
            return dice.plugin
        case DiceAt.PINS:
            return "GPIO"
        case DiceAt.BLUETOOTH:
            return "Bluetooth"
        case _:
            return ""


def owners_of(dice: DiceSection) -> dict[str, str]:
    """Whose each named die is, as in `Pair`, in their order."""
    sets = {"light": dice.light, "dark": dice.dark, "": dice.shared}
    return {die: owner for owner, names in sets.items() for die in names}


def _unit(dice: DiceSection) -> DiceUnit:
    match dice.source:
        case DiceAt.PINS:
            first, second = dice.first, dice.second
            return PinDice(
                usual_factory(),
                first=(first[0], first[1], first[2]),
                second=(second[0], second[1], second[2]),
                ready=dice.ready,
            )
        case DiceAt.PLUGIN:
            return PluginDice.named(dice.plugin)
        case DiceAt.BLUETOOTH:
            return BluetoothDice(tuple(owners_of(dice)), time.monotonic)
        case _:
            way, pattern = way_to(dice.port), find_pattern(dice.pattern)
            if way is None:
                return TextDice.at(dice.port, dice.baud, pattern, dtr=dice.dtr)
            return TextDice(way, LinePattern(pattern), baud=dice.baud, whole=True)
