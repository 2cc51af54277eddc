"""``pointsman referee``: the referee alone, as a filter of JSON lines."""

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Final

import typer

from controller.app.filter import Beginning, Filter
from controller.cli.options import STANDARD_NAME, Lines, ProfileName, file_name, read_lines
from controller.cli.output import complain
from controller.config.sections import MatchSection
from controller.errors import UserError
from controller.referee import Caution, Settings
from controller.rules import Position, Profile, Side, Terms, load_profile
from controller.rules.profile.conduct import DeviceRole, Leds
from controller.rules.profile.profile import MatchKind
from controller.signals import on_signals

LENGTH: Final = MatchSection().length
"""The length of a match where none is given, as in the configuration."""


def referee(
    file: Lines = Path("-"),
    profile: ProfileName = STANDARD_NAME,
    length: Annotated[
        int | None,
        typer.Option(
            metavar="POINTS",
            help="Points that win the match.",
            show_default=f"{LENGTH}; rules for money play have none",
        ),
    ] = None,
    position: Annotated[
        str | None,
        typer.Option(
            metavar="COMPACT", help="Begin in the middle of a game, at this position; needs --on-roll."
        ),
    ] = None,
    on_roll: Annotated[
        Side | None, typer.Option(help="Who is to roll at --position.", show_default="nobody")
    ] = None,
    clock: Annotated[bool, typer.Option("--clock", help="A tournament clock ends the turns.")] = False,
    role: Annotated[
        DeviceRole | None,
        typer.Option(help="What the device is to the players.", show_default="as the profile says"),
    ] = None,
) -> None:
    """Tell the referee what happens at a table, one JSON object a line; it answers in JSON lines at once."""
    rules = load_profile(profile)
    if role is not None:
        # Who has the device teach has agreed to what a teacher does.
        leds = Leds.TEACH if role is DeviceRole.TEACHER else rules.conduct.leds
        rules = replace(rules, conduct=replace(rules.conduct, device_role=role, leds=leds))
    terms = _terms(rules, length)
    settings = Settings(terms, clock=clock, caution=Caution(rules=rules.movement))
    failed = list[str]()

    def tell_failure(text: str) -> None:
        failed.append(text)
        complain(f"{file_name(file)}, {text}")

    filtered = Filter(settings, _beginning(position, on_roll), tell_failure)
    try:
        with on_signals(_end, (signal.SIGINT,)):
            for number, line in enumerate(read_lines(file), start=1):
                _answer(filtered, line, number, file_name(file))
    except BrokenPipeError:
        _let_go()
        return
    if failed:
        raise typer.Exit(1)


def _end() -> None:
    """Ctrl-C: the answers so far have been written, so there is nothing to say."""
    raise SystemExit(0)


def _answer(filtered: Filter, line: bytes, number: int, name: str) -> None:
    try:
        text = line.decode("utf-8-sig")
        for answer in filtered.put(text, number) if text.strip() else ():
            sys.stdout.write(answer + "\n")
            sys.stdout.flush()
    except UnicodeDecodeError as error:
        raise UserError(f"{name}, line {number}: The line is not UTF-8 ({error.reason}).") from None
    except UserError as error:
        raise UserError(f"{name}, line {number}: {error}") from None


def _terms(rules: Profile, length: int | None) -> Terms:
    if length is None and rules.match.kind is MatchKind.MONEY:
        return Terms.money(rules)
    return Terms.match(rules, LENGTH if length is None else length)


def _beginning(position: str | None, on_roll: Side | None) -> Beginning | None:
    if (position is None) != (on_roll is None):
        raise UserError("A game that is begun in its middle needs both --position and --on-roll.")
    if position is None or on_roll is None:
        return None
    return Position.from_compact(position), on_roll


def _let_go() -> None:
    """Nobody reads the answers any more: what is still to be written goes nowhere, so that the end is quiet."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)
