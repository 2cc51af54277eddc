"""Dice with Bluetooth: each by what it is, with its battery."""

import time
from collections.abc import Iterator
from typing import Final

from controller.config.config import Config
from controller.config.dice import open_dice, owners_of
from controller.config.sections import DiceAt
from controller.devices.dice.news import DiceNews, DieBack, DieBattery, DieGone
from controller.devices.dice.pairing import Outcome
from controller.devices.dice.status import DiceCode
from controller.devices.dice.unit_rolls import LOW_PERCENT
from controller.doctor.finding import Finding, absent, fail, ok, warn
from controller.errors import UserError
from controller.messages.device_words import reason_of, remedy_of

DICE: Final = "Bluetooth dice"
HEARD_S: Final = 10.0
"""Two searches and a connection to each of four dice fit into that time."""
LOOK_S: Final = 0.05


class _Heard:
    """What each die told so far."""

    def __init__(self) -> None:
        self.kinds: dict[str, str] = {}
        self.batteries: dict[str, int] = {}
        self.missed: set[str] = set()

    def listen(self, happened: DiceNews | Outcome) -> None:
        match happened:
            case DieBack(die=die, kind=kind) if die:
                self.kinds[die] = kind
                self.missed.discard(die)
            case DieGone(die=die) if die:
                self.missed.add(die)
            case DieBattery(die=die, percent=percent):
                self.batteries[die] = percent


def radio_dice(config: Config, heard_s: float = HEARD_S) -> Iterator[Finding]:
    """A finding for each of the dice, which are listened to for ``heard_s`` seconds at most."""
    if config.dice.source is not DiceAt.BLUETOOTH:
        yield absent(DICE, "the rolls come from elsewhere")
        return
    heard, names = _Heard(), tuple(owners_of(config.dice))
    try:
        rolls = open_dice(config.dice, listen=heard.listen)
    except UserError as error:
        reason, _, remedy = str(error).partition("; ")
        yield fail(DICE, reason, f"{remedy[:1].upper()}{remedy[1:]}")
        return
    assert rolls is not None
    ends = time.monotonic() + heard_s
    try:
        while time.monotonic() < ends and not set(names) <= heard.batteries.keys():
            rolls.poll(time.monotonic())
            if rolls.status is not None and rolls.status.code is DiceCode.RADIO:
                yield fail(DICE, reason_of(rolls.status), remedy_of(rolls.status))
                return
            time.sleep(LOOK_S)
    finally:
        rolls.close()
    yield from (_die(name, heard) for name in names)


def _die(name: str, heard: _Heard) -> Finding:
    kind, percent = heard.kinds.get(name), heard.batteries.get(name)
    if kind is None or name in heard.missed:
        return warn(
            name,
            "does not answer",
            "Shake it to wake it, and close the app of a phone that may hold it; a running match holds it too.",
        )
    if percent is None:
        return ok(name, f"a {kind} die, answers; its battery is not known")
    if percent <= LOW_PERCENT:
        return warn(name, f"a {kind} die, battery {percent} %", "Charge it before the match.")
    return ok(name, f"a {kind} die, battery {percent} %")
