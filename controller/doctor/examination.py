"""The whole self-test of one table."""

from collections.abc import Iterator

from controller.config.config import Config
from controller.doctor.access import access
from controller.doctor.finding import Finding, ok
from controller.doctor.machine import machine
from controller.doctor.sight import sight
from controller.doctor.software import software
from controller.doctor.wires import wires


def examine(config: Config) -> Iterator[Finding]:
    """Everything, one after the other, each told as soon as it is known.

    Devices that another program has open are not touched, so this may run while a match does.
    """
    yield ok("configuration", config.label or "none: everything as delivered")
    yield from sight(config)
    yield from wires(config)
    yield from access(config)
    yield from machine(config)
    yield from software(config)
