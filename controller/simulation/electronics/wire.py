"""The program's conversation with a simulated chip, in virtual time, over a cable that can be pulled."""

from collections.abc import Callable
from typing import Final

from controller.devices import DiceMode, EventMark
from controller.devices.link.happenings import BoardEvent
from controller.devices.link.messages import LampPicture
from controller.devices.link.session import Session
from controller.simulation.electronics.microcontroller import PRESS_S, Microcontroller

STEP_S: Final = 0.01
"""How often the line is looked at."""
IDLE_S: Final = 0.05
"""The same while nothing is under way."""
INSTANT_S: Final = 1e-6
"""Shorter than this is no time: a chip stops within a few of its instructions."""


class Wire:
    """A session with a chip. Times are the chip's own seconds.

    Attributes:
        chip: what it is wired to.
        plugged: whether the cable is in.
    """

    def __init__(
        self,
        chip: Microcontroller,
        *,
        host_session: int,
        deliver: Callable[[BoardEvent], None],
        last: EventMark | None = None,
    ) -> None:
        """``deliver`` takes each event into the journal; the chip forgets it when that returns.

        ``host_session`` (not 0) and ``last`` are as for a `Session`.
        """
        self.chip, self.plugged = chip, True
        self._host_session = host_session
        self._session = Session(host_session=host_session, last=last)
        self._deliver = deliver
        self._contacts: list[tuple[float, int, bool]] = []

    @property
    def ready(self) -> bool:
        """Whether the chip was greeted and the cable is in."""
        return self.plugged and self._session.ready

    def show(self, picture: LampPicture) -> None:
        """Have the lights show this from now on."""
        self._session.show(picture)

    def arm_dice(self, mode: DiceMode) -> None:
        """Say what the roll button does; with `ONCE` every call allows one more roll."""
        self._session.arm_dice(mode)

    def press(self, button: int, at: float, seconds: float = PRESS_S) -> None:
        """A finger presses a button at ``at``."""
        self._contacts += [(at, button, True), (at + seconds, button, False)]
        self._contacts.sort()

    def pull(self) -> None:
        """The cable comes off; the chip goes on."""
        self.plugged = False
        self.chip.unplug()

    def plug(self) -> None:
        """The cable is put back."""
        self.plugged = True
        self._session.reopen()

    def restart(self) -> None:
        """The program at this end starts anew, and knows of the events before only which was the last."""
        self._host_session += 1
        self._session = Session(host_session=self._host_session, last=self._session.place.last)
        self._session.arm_dice(DiceMode.OFF)

    def run_until(self, t: float) -> None:
        """Let time go by for the chip and the line; events are delivered on the way."""
        while (now := self.chip.now) < t - INSTANT_S:
            while self._contacts and self._contacts[0][0] <= now + INSTANT_S:
                _, button, closed = self._contacts.pop(0)
                self.chip.contact(button, closed)
            self._talk(now)
            ahead = max(STEP_S, min(IDLE_S, self._session.next_at(now) - now)) if self.plugged else IDLE_S
            self.chip.run_until(min(t, now + ahead, *(at for at, _, _ in self._contacts[:1])))
            self._listen()

    def _talk(self, now: float) -> None:
        data = self._session.outgoing(now)
        if data and self.plugged:
            self.chip.send(data)

    def _listen(self) -> None:
        timed = self.chip.take_timed()
        if not timed or not self.plugged:
            return
        data, through = b"".join(byte for _, byte in timed), timed[-1][0]
        for happening in self._session.receive(data, through):
            if isinstance(happening, BoardEvent):
                self._deliver(happening)
                self._session.acknowledge(happening.mark)
