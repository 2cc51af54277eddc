"""Keyboards, foot switches and presenters whose keys are buttons: each by what it calls itself."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.config.config import Config
from controller.devices.keys.buttons import KeyButtons
from controller.devices.keys.status import KeysStatus
from controller.doctor.finding import Finding, absent, fail, ok
from controller.errors import UserError
from controller.messages.device_words import reason_of, remedy_of

KEYS: Final = "keys as buttons"


def keys(config: Config, folder: Path | None = None) -> Iterator[Finding]:
    """A finding for each device that a key was learned of; none is taken away from whoever uses it."""
    learned = config.button_keys()
    if not learned:
        yield absent(KEYS, "none were learned")
        return
    told: dict[str, KeysStatus] = {}
    try:
        buttons = KeyButtons(learned, lambda status: told.update({status.port: status}), folder=folder)
    except UserError as error:
        reason, _, remedy = str(error).partition("; ")
        yield fail(KEYS, reason, f"{remedy[:1].upper()}{remedy[1:]}")
        return
    buttons.poll(time.monotonic())
    buttons.close()
    for device, status in told.items():
        names = [button.name.lower() for button, key in learned.items() if key.device == device]
        if status.ready:
            yield ok(device, f"is there; its keys are the buttons {', '.join(names)}")
        else:
            yield fail(device, reason_of(status), remedy_of(status))
