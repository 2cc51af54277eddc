"""``pointsman dice watch``, ``pointsman dice find`` and ``pointsman dice patterns``."""

import time
from typing import Annotated, Final

import typer

from controller.cli.options import ConfigFile
from controller.cli.output import note, put
from controller.config import load_config
from controller.config.dice import open_dice
from controller.devices.dice.bluetooth import find_dice
from controller.devices.dice.news import (
    BothSettled,
    DiceNews,
    DieBack,
    DieBattery,
    DieColour,
    DieGone,
    DieNews,
)
from controller.devices.dice.pairing import NoRoll, Outcome, Pair
from controller.devices.dice.patterns import PATTERNS
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.errors import UserError
from controller.messages.device_words import status_words

LOOK_S: Final = 0.02


def watch(
    config: ConfigFile = None,
    seconds: Annotated[
        float | None,
        typer.Option(metavar="NUMBER", min=0, help="End after this time.", show_default="until Ctrl-C"),
    ] = None,
    opening: Annotated[
        bool, typer.Option("--opening", help="Each side throws one of its own dice, as to begin a game.")
    ] = False,
) -> None:
    """Print what the configured dice tell as it comes, and the rolls that it makes."""
    dice = load_config(config).dice
    began = time.monotonic()

    def say(text: str) -> None:
        put(f"{time.monotonic() - began:8.2f}  {text}")

    def tell(status: DiceStatus) -> None:
        if status.code is not DiceCode.READY:
            say(status_words(status)("en"))

    def listen(happened: DiceNews | Outcome) -> None:
        if (text := _said(happened)) is not None:
            say(text)

    rolls = open_dice(dice, tell, listen)
    if rolls is None:
        raise UserError(
            f'No dice unit is to be watched: dice.source is "{dice.source.value}"; try these dice on the set-up '
            "page, or name a unit under [dice]."
        )
    note("Roll; Ctrl-C ends.")
    rolls.expect(opening=opening)
    try:
        while seconds is None or time.monotonic() - began < seconds:
            rolls.poll(time.monotonic())
            if rolls.status is not None and rolls.status.code is DiceCode.ENDED:
                break
            time.sleep(LOOK_S)
    except KeyboardInterrupt:
        note("")
    finally:
        rolls.close()


def find(
    seconds: Annotated[float, typer.Option(metavar="NUMBER", min=0.1, help="How long to listen.")] = 5.0,
) -> None:
    """List GoDice and Pixels within reach, to be named under [dice]; shake them, so that they are awake."""
    found = find_dice(seconds)
    if not found:
        raise UserError(
            f"No GoDice or Pixels called within {seconds:g} s; shake them, take them out of their box, close the app "
            "of a phone that may hold them, and try again."
        )
    for address, name in found:
        put(f"{address}  {name}")


def patterns() -> None:
    """List the patterns that dice.pattern may name, each with lines that it fits."""
    for name, pattern in PATTERNS.items():
        put(f"{name:12}{', then '.join(pattern.examples)}")


def _said(happened: DiceNews | Outcome) -> str | None:
    """A line for what a unit told or what came of it; None for what is told in a sentence of its own."""
    match happened:
        case DieNews(die=die, state=state, face=face):
            return f"{die or 'a die'}: {state.value}{'' if face is None else f' {face}'}"
        case BothSettled(faces=faces):
            return f"both dice: settled {faces[0]} {faces[1]}"
        case DieBattery(die=die, percent=percent):
            return f"{die}: battery {percent} %"
        case DieColour(die=die, colour=colour):
            return f"{die}: {colour.replace('_', ' ')}"
        case DieGone(die=die) if die:
            return f"{die}: out of reach"
        case DieBack(die=die, kind=kind):
            return f"{die or 'the unit'}: there{f', a {kind} die' if kind else ''}"
        case Pair(faces=faces, cocked=cocked, owner=owner):
            whose = f" of {owner.capitalize()}" if owner else ""
            return f"ROLL {faces[0]}-{faces[1]}{whose}{', a die leans' if cocked else ''}"
        case NoRoll(code=code):
            return f"NO ROLL ({code.value})"
    return None
