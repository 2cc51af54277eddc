"""The main loop of a demo: table, camera, electronics, referee and players, all on one virtual clock."""

from collections.abc import Callable
from dataclasses import InitVar, dataclass, field
from typing import Final

from controller.app.desk import Desk
from controller.demo.floor import Floor
from controller.demo.looks import PaintedLooks, TruthfulLooks
from controller.devices.lights.order import StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged, DiceRolled, EventMark
from controller.devices.link.messages import DiceMode
from controller.record.evidence.turn_pictures import TurnPicture
from controller.referee.actions import (
    Action,
    Flagged,
    GameEnded,
    Lit,
    RollAllowed,
    TurnJudged,
)
from controller.referee.events import DeviceChanged, Event, Pressed, RollReported, Said, Ticked
from controller.referee.phase import Phase
from controller.referee.table.settings import DiceFrom
from controller.rules.game.events import Event as Saying
from controller.simulation.electronics.probe import Probe
from controller.simulation.electronics.wire import Wire
from controller.simulation.tabletop.tabletop import Tabletop

Deliver = Callable[[BoardEvent], None]
Press = Callable[[int, float], None]
Say = Callable[[Saying], None]
Cast = Callable[[tuple[int, int]], None]

TICK_S: Final = 0.5
ENDING = {Button.CLOCK_LIGHT, Button.CLOCK_DARK, Button.DONE}
STUCK_S: Final = 300.0
"""A table at which nothing is judged for so long is stuck."""


class StuckError(RuntimeError):
    """The table does not come any further: a defect, with where it stood."""


@dataclass(slots=True)
class Show:
    """A table with everything around it; `step` lets one picture's time go by.

    Attributes:
        desk: the referee and the record.
        table: what truly lies there.
        looks: the camera and what reads it.
        fps: pictures a second.
        tell: is given every action, for people to see.
        resume: makes a desk from the journal, as after a power cut, at this time, with what is to be carried out.
        connect: makes the electronics, which deliver their events to the function given.
        seat: makes the players, who press, say and throw dice that no lock holds by the functions given.
        wire: the electronics.
        floor: the players.
        ended: results of games so far.
    """

    desk: Desk
    table: Tabletop
    looks: PaintedLooks | TruthfulLooks
    fps: float
    tell: Callable[[Action], None]
    resume: Callable[[float], tuple[Desk, tuple[Action, ...]]]
    connect: InitVar[Callable[[Deliver], Wire]]
    seat: InitVar[Callable[[Press, Say, Cast], Floor]]
    order: StripOrder = field(default_factory=StripOrder.as_delivered)
    ended: int = 0
    t: float = 0.0
    dice: tuple[int, int] | None = None
    wire: Wire = field(init=False)
    floor: Floor = field(init=False)
    probe: Probe = field(init=False)
    _ticked: float = 0.0
    _judged_t: float = 0.0
    _said: list[Saying] = field(default_factory=list)
    _cast: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(
        self, connect: Callable[[Deliver], Wire], seat: Callable[[Press, Say, Cast], Floor]
    ) -> None:
        """The roll button is a button only until a roll is due."""
        self.wire = connect(self.deliver)
        self.floor = seat(self.wire.press, self._said.append, self._cast.append)
        self.probe = Probe(self.order)
        self.wire.arm_dice(DiceMode.OFF)

    def step(self) -> None:
        """One picture's time. Raises StuckError if nothing goes on any more."""
        self.t += 1.0 / self.fps
        for seat in self.floor.seats.values():
            seat.go_on()
        while self._said:
            self.put(Said(self.t, self._said.pop(0)))
        while self._cast:
            self.dice = self._cast.pop(0)
            self.floor.ledger.roll(self.t)
            self.put(RollReported(self.t, self.dice))
        self.table.run_until(self.t)
        self.wire.run_until(self.t)
        self.probe.look(self.wire.chip.strip, self.t)
        for news, shot in self.looks.look(self.table, self.t):
            self.put(news, shot=shot)
        if self.t - self._ticked >= TICK_S:
            self._ticked = self.t
            self.put(Ticked(self.t))
        self.floor.attend(self.desk.table, self._thrown(), self.probe.frame, self.t)
        if self.t - self._judged_t > STUCK_S:
            known = self.desk.table
            raise StuckError(f"nothing judged since {self._judged_t:.0f} s: {known.phase}, ply {known.ply}")

    def put(self, event: Event, *, mark: EventMark | None = None, shot: TurnPicture | None = None) -> None:
        """Something happened; what comes of it is carried out."""
        for action in self.desk.put(event, mark=mark, shot=shot):
            self.carry_out(action)

    def deliver(self, event: BoardEvent) -> None:
        """The electronics report something."""
        match event.what:
            case DiceRolled(dice=dice):
                self.dice = dice
                self.floor.ledger.roll(event.at_s)
                self.put(RollReported(event.at_s, dice), mark=event.mark)
            case ButtonChanged(button=Button() as button, down=True):
                if button in ENDING:
                    self.floor.turn_ends(self.desk.table, event.at_s)
                self.put(Pressed(event.at_s, button), mark=event.mark)

    def carry_out(self, action: Action) -> None:
        """What the referee wants done is done."""
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
        self.tell(action)

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
        self.desk, pending = self.resume(self.t)
        for action in pending:
            self.carry_out(action)
        self.wire.show(self.order.picture(self.desk.table.lit, Dimming().level(at_night=False)))

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.desk.table.phase is Phase.MATCH_OVER

    def _thrown(self) -> tuple[int, int] | None:
        if self.desk.table.settings.dice is DiceFrom.ELECTRONIC:
            return self.dice
        values = [die.value for die in self.table.dice]
        return (values[0], values[1]) if len(values) == 2 else None
