"""The whole self-test of one table."""

import os
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.util import find_spec

from controller.config.config import Config
from controller.devices.lights.spi_clock import core_clock
from controller.devices.pins import board_model
from controller.doctor import access, club, keys, machine, radio, reports, sight, software, wires
from controller.doctor.finding import Finding, ok


def examine(config: Config) -> Iterator[Finding]:
    """Everything, one after the other, each as soon as it is known.

    Devices that another program has open are not touched, so this may run while a match does.
    """
    yield ok("configuration", config.label or "none: everything as delivered")
    yield from sight.sight(config)
    yield from wires.electronics(config)
    yield reports.reports(config)
    model = board_model()
    yield wires.pins(config, model, has_lgpio=find_spec("lgpio") is not None)
    yield wires.strip(config)
    yield wires.spi_clock(config, model, core_clock(model))
    yield wires.wled(config)
    yield wires.dice_unit(config)
    yield from radio.radio_dice(config)
    yield from keys.keys(config)
    if sys.platform != "win32":  # which lends devices to everybody
        yield from access.groups(config, access.my_groups(), root=os.geteuid() == 0)
    yield machine.disk(config)
    yield machine.memory()
    yield machine.clock(datetime.now(UTC))
    yield machine.heat()
    yield machine.power()
    yield club.hub(config)
    yield software.python()
    yield from software.packages(software.needed_packages(), software.installed_version)
    yield software.networks(config)
    yield software.engine(config)
    yield software.voice(config)
