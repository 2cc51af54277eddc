"""What befalls the whole table: the board is pushed, the light changes."""

from dataclasses import dataclass, field

from controller.simulation.boards.scene import BoardPush
from controller.simulation.boards.setting import Bgr

SWITCH_S = 0.3
"""A lamp that is switched takes so long to change."""


@dataclass(slots=True)
class Room:
    """How the board stands and in what light, as factors on that of the setting."""

    push: BoardPush = field(default_factory=BoardPush)
    brightness: float = 1.0
    tint: Bgr = (1.0, 1.0, 1.0)
    _before: tuple[float, float, Bgr] | None = None

    def bump(self, x_mm: float, y_mm: float, turn: float) -> None:
        """The board is pushed by so much, with all that lies on it; ``turn`` in radians."""
        self.push = BoardPush(self.push.x_mm + x_mm, self.push.y_mm + y_mm, self.push.turn + turn)

    def lamp(self, brightness: float, tint: Bgr, t: float) -> None:
        """The light begins to change to this."""
        now, colour = self.light(t)
        self._before, self.brightness, self.tint = (t, now, colour), brightness, tint

    def light(self, t: float) -> tuple[float, Bgr]:
        """Brightness and tint at ``t``."""
        if self._before is None:
            return self.brightness, self.tint
        began, brightness, tint = self._before
        share = min(1.0, (t - began) / SWITCH_S)
        b, g, r = (a + (c - a) * share for a, c in zip(tint, self.tint, strict=True))
        return brightness + (self.brightness - brightness) * share, (b, g, r)
