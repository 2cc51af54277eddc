"""How a dice unit of another maker stands: a code with arguments. What it means in words is in the catalogues."""

from dataclasses import dataclass
from enum import StrEnum

from controller.devices.status.status import DeviceStatus


class DiceCode(StrEnum):
    """What is known of a dice unit; with the arguments that its words need beside `port`."""

    READY = "ready"
    """Its port is open, and nothing hinders it."""
    AWAY = "away"
    """Its port cannot be opened, or is gone; `why`."""
    ENDED = "ended"
    """Whoever wrote into standard input has ended; `why`."""
    RADIO = "radio"
    """Bluetooth itself cannot be used; `why`."""
    RUBBISH = "rubbish"
    """What comes is no text, as with another rate at each end; `line`, `baud`."""
    STRANGE = "strange"
    """Its lines are text, but the pattern finds no dice in them; `line`."""
    ALONE = "alone"
    """One die has reported its face, and the other one did not follow; `die` is that face."""
    GONE = "gone"
    """Single dice cannot be reached; `dice` names them."""
    BATTERY = "battery"
    """The battery of a die is nearly empty; `die`, `percent`."""
    ROLLED_TWICE = "rolled_twice"
    """A die was rolled again before the other one lay still; `die`."""
    PICKED_UP = "picked_up"
    """A die was picked up before the other one lay still; `die`."""
    TURNED = "turned"
    """A die came to rest without a roll: turned, pushed or put down; `die`."""
    UNSETTLED = "unsettled"
    """Dice roll and have not come to rest; `die` names them. What they show counts all the same, once it comes."""

    @property
    def lasts(self) -> bool:
        """Whether it holds until something changes; the others happened once, while a roll was waited for."""
        return self in (
            DiceCode.READY,
            DiceCode.AWAY,
            DiceCode.ENDED,
            DiceCode.RADIO,
            DiceCode.RUBBISH,
            DiceCode.STRANGE,
            DiceCode.GONE,
        )


@dataclass(frozen=True, slots=True)
class DiceStatus(DeviceStatus[DiceCode]):
    """The state of a dice unit and the reason for it; `port` is its address as configured."""

    device = "dice"

    @property
    def which(self) -> str:
        """The dice that it is about; empty where it is about the whole unit."""
        return self.arguments.get("dice", "")
