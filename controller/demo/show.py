"""The main loop of a demo: table, camera, electronics, referee and players, all on one virtual clock."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from controller.app.desk import Desk
from controller.app.runner import Runner
from controller.demo.floor import Floor, Mischief
from controller.demo.ledger import Ledger
from controller.demo.looks import PaintedLooks, TruthfulLooks
from controller.demo.seat import Seat
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged, DiceRolled, EventMark
from controller.devices.link.messages import DiceMode
from controller.record.table.match_folder import MatchFolder
from controller.referee.actions import (
    Action,
    Flagged,
    GameEnded,
    Lit,
    RollAllowed,
    TurnJudged,
)
from controller.referee.events import DeviceChanged, Event, Pressed, Resumed, RollReported, Said, Ticked
from controller.referee.phase import Phase
from controller.referee.table.settings import DiceFrom
from controller.rules.game.events import Event as Saying
from controller.rules.position import Side
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.probe import Probe
from controller.simulation.electronics.wire import Wire
from controller.simulation.players.player import Player
from controller.simulation.tabletop.tabletop import Tabletop

TICK_S: Final = 0.5
ENDING = {Button.CLOCK_LIGHT, Button.CLOCK_DARK, Button.DONE}
STUCK_S: Final = 300.0
"""A table at which nothing is judged for so long is stuck."""


MakeMischief = Callable[[Mapping[Side, Seat], Tabletop, Ledger, np.random.Generator], Mischief]
"""Makes what players do beside their plays, with luck of its own, so that the plays stay the same without it."""


class StuckError(RuntimeError):
    """The table does not come any further: a defect, with where it stood."""


@dataclass(frozen=True)
class Room:
    """What stands around the desk of a simulated table.

    Attributes:
        folder: of the match.
        table: what truly lies there.
        looks: the camera and what reads it.
        chip: the electronics.
        players: light's and dark's.
        ledger: what truly happened.
        rng: whether somebody cheats, and when.
        cheats: illegal plays in a turn, on average.
        mischief: makes what players do beside their plays; None if they do nothing.
        fps: pictures a second.
    """

    folder: MatchFolder
    table: Tabletop
    looks: PaintedLooks | TruthfulLooks
    chip: Microcontroller
    players: Mapping[Side, Player]
    ledger: Ledger
    rng: np.random.Generator
    cheats: float
    fps: float
    mischief: MakeMischief | None = None


class Show(Runner):
    """A table with everything around it; `step` lets one picture's time go by.

    Attributes:
        room, table, looks: what stands around the desk; see `Room`.
        wire: the electronics.
        floor: the players.
        probe: what the lamps show.
        dice: those thrown last.
        ended: results of games so far.
        t: seconds since the match began.
    """

    def __init__(self, desk: Desk, room: Room, host_session: int, tell: Callable[[Action], None]) -> None:
        """``tell`` is given every action, for people to see; ``host_session`` is as for a `Wire`."""
        super().__init__(desk)
        self.room, self.table, self.looks, self._tell = room, room.table, room.looks, tell
        self.order = StripOrder.as_delivered()
        self.probe = Probe(self.order)
        self.dice: tuple[int, int] | None = None
        self.ended, self.t = 0, 0.0
        self._ticked = self._judged_t = 0.0
        self._sayings: list[Saying] = []
        self._casts: list[tuple[int, int]] = []
        self.wire = Wire(room.chip, host_session=host_session, deliver=self.deliver)
        seats = {
            side: Seat(player, room.table, self.wire.press, self._sayings.append, self._casts.append)
            for side, player in room.players.items()
        }
        mischief = room.mischief and room.mischief(seats, room.table, room.ledger, room.rng.spawn(1)[0])
        self.floor = Floor(seats, room.table, room.ledger, room.rng, room.cheats, mischief)
        # The roll button is a button only until a roll is due.
        self.wire.arm_dice(DiceMode.OFF)

    def step(self) -> None:
        """One picture's time. Raises StuckError if nothing goes on any more."""
        self.t += 1.0 / self.room.fps
        for seat in self.floor.seats.values():
            seat.go_on()
        while self._sayings:
            self.put(Said(self.t, self._sayings.pop(0)))
        while self._casts:
            self._report_roll(self.t, self._casts.pop(0))
        self.table.run_until(self.t)
        self.wire.run_until(self.t)
        self.probe.look(self.wire.chip.strip, self.t)
        for news, shot in self.looks.look(self.table, self.t):
            self.put(news, shot=shot)
        if self.t - self._ticked >= TICK_S:
            self._ticked = self.t
            self.put(Ticked(self.t))
        self.floor.attend(self.desk.table, self._dice_thrown(), self.probe.frame, self.t)
        if self.t - self._judged_t > STUCK_S:
            known = self.desk.table
            raise StuckError(f"nothing judged since {self._judged_t:.0f} s: {known.phase}, ply {known.ply}")

    def deliver(self, event: BoardEvent) -> None:
        """The electronics report something."""
        match event.what:
            case DiceRolled(dice=dice):
                self._report_roll(event.at_s, dice, event.mark)
            case ButtonChanged(button=Button() as button, down=True):
                if button in ENDING:
                    self.floor.turn_ends(self.desk.table, event.at_s)
                self.put(Pressed(event.at_s, button), mark=event.mark)

    def carry_out(self, action: Action) -> Iterable[Event]:
        """See `Runner`."""
        self.floor.ledger.hear(action, self.table.position())
        match action:
            case Lit(frame=frame):
                self.wire.show(self.order.picture(frame, Dimming().level(at_night=False)))
                self.probe.forget()
            case RollAllowed():
                self.wire.arm_dice(DiceMode.ONCE)
            case TurnJudged() | Flagged():
                self._judged_t = self.t
            case GameEnded():
                self._judged_t = self.t
                self.ended += 1
        self._tell(action)
        return ()

    def unplug(self, pulled: bool) -> None:
        """The cable of the electronics comes off, or is put back."""
        if pulled:
            self.wire.pull()
        else:
            self.wire.plug()
        self.put(DeviceChanged(self.t, "board", not pulled, "the cable was pulled" if pulled else ""))

    def blind(self, lost: bool) -> None:
        """The camera is pulled out, or put back."""
        self.looks.lose(lost)
        self.put(DeviceChanged(self.t, "camera", not lost, "the camera was pulled out" if lost else ""))

    def cut_power(self) -> None:
        """The computer loses its power: all that is known afterwards is in the journal."""
        self.wire.restart()
        self.looks.forget()
        self.desk = Desk.resume(self.room.folder.new_book(), self.room.folder.follow)
        self.put(Resumed(max(self.t, self.desk.table.t)))
        self.wire.show(self.order.picture(self.desk.table.lit, Dimming().level(at_night=False)))

    def _report_roll(self, t: float, dice: tuple[int, int], mark: EventMark | None = None) -> None:
        self.dice = dice
        self.floor.ledger.roll(t)
        self.put(RollReported(t, dice), mark=mark)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.desk.table.phase is Phase.MATCH_OVER

    def _dice_thrown(self) -> tuple[int, int] | None:
        if self.desk.table.settings.dice is DiceFrom.ELECTRONIC:
            return self.dice
        values = [die.value for die in self.table.dice]
        return (values[0], values[1]) if len(values) == 2 else None
