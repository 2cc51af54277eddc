"""How a WLED stands: a code with arguments. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


class WledCode(StrEnum):
    """What is known of a WLED; with the arguments that its words need beside `port`, which is its address."""

    SEEKING = "seeking"
    """It is being looked for."""
    READY = "ready"
    """It answers; `title`, `version`, `pixels`."""
    SHORT = "short"
    """It answers, and has fewer pixels than are used; `pixels`, `needed`."""
    NONE = "none"
    """None told the network that it is there."""
    MANY = "many"
    """Several did; `found`."""
    AWAY = "away"
    """It does not answer; `why`."""
    STRANGE = "strange"
    """What answers is no WLED."""


@dataclass(frozen=True, slots=True)
class WledStatus(DeviceStatus[WledCode]):
    """The state of a WLED and the reason for it; `port` is its address."""

    device = "lights"

    @property
    def ready(self) -> bool:
        """Whether it shows what it is told."""
        return self.code in (WledCode.READY, WledCode.SHORT)
