"""How a keyboard, foot switch or presenter stands: a code. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


class KeysCode(StrEnum):
    """What is known of a device whose keys are buttons."""

    READY = "ready"
    """It is there, with the keys that were learned."""
    AWAY = "away"
    """It is not plugged in, or out of reach."""
    FORBIDDEN = "forbidden"
    """It may be there, but this user may not read it."""
    TAKEN = "taken"
    """It is there, and another program has it for itself alone; that is known only where it was to be the table's."""


@dataclass(frozen=True, slots=True)
class KeysStatus(DeviceStatus[KeysCode]):
    """The state of one device; `port` is what it calls itself."""

    device = "keys"

    @property
    def ready(self) -> bool:
        """Whether its keys are heard."""
        return self.code is KeysCode.READY
