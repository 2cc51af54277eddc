"""How the voice stands: a code with arguments. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


class VoiceCode(StrEnum):
    """What is known of the programs that speak; `port` is the program."""

    MISSING = "missing"
    """The program is not installed."""
    FAILED = "failed"
    """The program ended with an error; `why`."""


@dataclass(frozen=True, slots=True)
class VoiceStatus(DeviceStatus[VoiceCode]):
    """Why nothing is heard; `port` is the program that was to be run."""

    device = "voice"
