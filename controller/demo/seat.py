"""A player at the table: does its deeds one after the other, with its hands and at the buttons."""

from collections import deque
from collections.abc import Callable, Iterable

from controller.rules.game.events import RulesEvent as Saying
from controller.simulation.boards.arranging import colour_of
from controller.simulation.players.player import Cast, Deed, Player, PressButton, Say, Wait
from controller.simulation.tabletop.gestures import Gesture
from controller.simulation.tabletop.tabletop import Tabletop

BUTTON_S = 0.12
"""From one press to whatever comes next."""


class Seat:
    """One side's seat. A deed begins when the one before is done."""

    def __init__(
        self,
        player: Player,
        table: Tabletop,
        press: Callable[[int, float], None],
        say: Callable[[Saying], None],
        cast: Callable[[tuple[int, int]], None] = lambda _: None,
    ) -> None:
        """``press`` presses a button at a time, ``say`` tells the device something, ``cast`` throws other dice."""
        self.player = player
        self._table, self._press, self._say, self._cast = table, press, say, cast
        self._side = colour_of(player.side)
        self._deeds: deque[Deed] = deque()
        self._until = 0.0

    @property
    def idle(self) -> bool:
        """Whether it has nothing left to do."""
        return not self._deeds and not self._table.busy(self._side) and self._table.t >= self._until

    def assign(self, deeds: Iterable[Deed]) -> None:
        """Do this, after what it is doing now."""
        self._deeds.extend(deeds)

    def go_on(self) -> None:
        """Begin whatever can begin now."""
        now = self._table.t
        while self._deeds and not self._table.busy(self._side) and now >= self._until:
            deed = self._deeds.popleft()
            match deed:
                case Wait(seconds):
                    self._until = now + seconds
                case PressButton(button):
                    self._press(button, now)
                    self._until = now + BUTTON_S
                case Say(event):
                    self._say(event)
                case Cast(dice):
                    self._cast(dice)
                case _:
                    self._table.do(self._side, [deed, *self._following()])

    def _following(self) -> list[Gesture]:
        """What the hand does next without a break."""
        gestures: list[Gesture] = []
        while self._deeds and not isinstance(deed := self._deeds[0], Wait | PressButton | Say | Cast):
            gestures.append(deed)
            self._deeds.popleft()
        return gestures
