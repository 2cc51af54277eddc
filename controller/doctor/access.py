"""What this user may open, and which program has a device open already."""

import os
from collections.abc import Iterator

from controller.config.config import Config
from controller.config.sections import DiceAt, LightsAt
from controller.devices.link.holders import Holder
from controller.doctor.finding import Finding, absent, ok, warn


def in_use(name: str, device: str, holder: Holder) -> Finding:
    """Another program has it, so it was not touched."""
    return warn(
        name,
        f"{device} is in use by {holder}",
        "If a match is running there, all is well; otherwise close that program.",
    )


def my_groups() -> frozenset[str]:
    """The names of the groups that this process is in."""
    import grp  # not on Windows

    names = set()
    for number in {*os.getgroups(), os.getegid()}:
        try:
            names.add(grp.getgrgid(number).gr_name)
        except KeyError:
            continue
    return frozenset(names)


def needed_groups(config: Config) -> dict[str, str]:
    """The groups that the configuration needs, each with what for."""
    needed = {"video": "the camera"}
    if config.port() is not None or config.dice.source is DiceAt.TEXT:
        needed["dialout"] = "the serial port"
    if config.pins():
        needed["gpio"] = "the pins"
    if config.lights_at() is LightsAt.STRIP:
        needed["spi"] = "the strip at the SPI line"
    if config.button_keys():
        needed["input"] = "keyboards and switches"
    if config.speech.use:
        needed["audio"] = "the sound card"
    return needed


def groups(config: Config, mine: frozenset[str], *, root: bool) -> Iterator[Finding]:
    """One line for each group that is needed."""
    for group, what in needed_groups(config).items():
        name = f"group {group}"
        if root:
            yield ok(name, "this is root, who may open everything")
        elif group in mine:
            yield ok(name, f"this user may open {what}")
        elif not _exists(group):
            yield absent(name, "this system has no such group")
        else:
            yield warn(
                name,
                f"this user may not open {what}",
                f"Run: sudo usermod -a -G {group} $USER, then log out and in again.",
            )


def _exists(group: str) -> bool:
    import grp

    try:
        grp.getgrnam(group)
    except KeyError:
        return False
    return True
