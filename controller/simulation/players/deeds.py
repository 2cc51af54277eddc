"""What a player does, one after the other: with the hands, at the buttons, and in words."""

from dataclasses import dataclass

from controller.devices.link.happenings import Button
from controller.rules.game.events import Event
from controller.simulation.tabletop.gestures import Gesture


@dataclass(frozen=True, slots=True)
class PressButton:
    """Press a button."""

    button: Button


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for so many seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the device something there is no button for."""

    event: Event


@dataclass(frozen=True, slots=True)
class Cast:
    """Throw electronic dice of one's own, that show this and that no lock holds."""

    dice: tuple[int, int]


Deed = Gesture | PressButton | Wait | Say | Cast
