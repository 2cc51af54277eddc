"""Dice, buttons and lights of a table: what they report becomes events, what the referee wants is sent to them."""

from collections.abc import Callable
from typing import Final

from controller.app.inbox import Inbox
from controller.devices import Button, DiceMode
from controller.devices.buttons import PinButtons
from controller.devices.dice.source import DeviceRoll, DiceSource, RollGate, RollVerdict, roll_of
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.keys.buttons import KeyButtons
from controller.devices.keys.status import KeysCode, KeysStatus
from controller.devices.lights.backends import Lights
from controller.devices.lights.wled_status import WledCode, WledStatus
from controller.devices.link.happenings import (
    BoardEvent,
    ButtonChanged,
    ChipRestarted,
    DiceRolled,
    EventsLost,
    EventsMissing,
    Greeted,
    Happening,
    SettingsKept,
    SettingsRefused,
)
from controller.devices.link.link import GREETING_S, Link
from controller.devices.link.messages import Refused, RequestFault, ResetCause, Type
from controller.devices.link.session import Adjust
from controller.devices.link.status import LinkCode, LinkState, LinkStatus
from controller.messages.device_words import LocalText, status_words
from controller.messages.table_words import trouble_words
from controller.referee import Action, Event, Pressed, RollReported
from controller.referee.actions import Lit, RollAllowed
from controller.referee.events import PORT_OPENED, BoardTrouble, BoardTroubled, DeviceChanged
from controller.rules import Side
from controller.web.table_service import DeviceShown

BEEP: Final = ((50, 15), (0, 10), (50, 15))
"""Twice 1000 Hz for 150 ms; see `messages.buzz`."""
USELESS: Final = (RollVerdict.DUPLICATE, RollVerdict.IMPOSSIBLE)
"""Rolls that the referee need not hear of; what is late or unasked the rules judge."""


class Electronics:
    """The devices of one table. All but `deliver`, `link_changed` and `notice` is for the thread that steps.

    Attributes:
        link, link_status: the board's microcontroller, if there is one, and how the link to it stands.
        dice: dice that are asked; the board's report by themselves.
        dice_port, dice_status: where a dice unit of another maker is, empty without one, and how it stands.
        buttons: buttons that are asked, likewise.
        keys, keys_status: keys that are buttons, and how each of their devices stands, by its name.
        lights: the lights, wherever they are.
        lights_status: how lights in the network stand; None without any.
        board_dice: whether rolls of the board count.
        goes_on: whether the match that is on began before this start of the program: only then can the board have
            lost something of it before it is greeted first.
        adjust: what the board's settings are to be, from what they are.
        met: whether the board said something in the match that is on, before this start of the program.
        trouble: why the board's lights stay dark; None if nothing hinders them.
    """

    def __init__(
        self,
        inbox: Inbox,
        t: Callable[[float], float],
        tell: Callable[[LocalText], None],
        clock: Callable[[], float],
    ) -> None:
        """Nothing is wired yet.

        Args:
            inbox: where events of the board go.
            t: turns seconds of ``clock`` into those of the match.
            tell: called with what people are to be told.
            clock: monotonic seconds.
        """
        self.link: Link | None = None
        self.link_status: LinkStatus | None = None
        self.dice: DiceSource | None = None
        self.dice_status: DiceStatus | None = None
        self.dice_port = ""
        self.buttons: PinButtons | None = None
        self.keys: KeyButtons | None = None
        self.keys_status: dict[str, KeysStatus] = {}
        self.lights = Lights()
        self.lights_status: WledStatus | None = None
        self.board_dice = False
        self.goes_on = self.met = False
        self.adjust: Adjust = lambda kept: kept
        self.trouble: BoardTroubled | None = None
        self._inbox, self._t, self._tell, self._clock = inbox, t, tell, clock
        self._gate = RollGate()
        self._ready: bool | None = None
        self._told: LinkStatus | None = None
        self._greeted = False
        self._opened_at = float("-inf")

    def start(self) -> None:
        """Begin to look for the board."""
        if self.link is not None:
            self.link.start()

    def carry_out(self, action: Action, now_s: float) -> None:
        """What the referee wants of lights and dice."""
        if isinstance(action, Lit):
            self.lights.show(action.frame)
        elif isinstance(action, RollAllowed):
            self._gate.open(now_s)
            if self.link is not None and self.board_dice:
                self.link.arm_dice(DiceMode.ONCE)

    def shown(self) -> list[DeviceShown]:
        """All that are known of, with how they stand."""
        link, dice, lights, trouble = self.link_status, self.dice_status, self.lights_status, self.trouble
        shown: list[DeviceShown] = []
        if link is not None and (link.code is not LinkCode.NO_PORT or self._is_missed()):
            shown.append(DeviceShown("board", link.state is LinkState.READY, status_words(link)))
        if dice is not None:
            shown.append(DeviceShown("dice", dice.code is DiceCode.READY, status_words(dice)))
        if lights is not None:
            shown.append(DeviceShown("lights", lights.ready, status_words(lights)))
        shown += [DeviceShown("keys", each.ready, status_words(each)) for each in self.keys_status.values()]
        if trouble is not None:
            words = trouble_words(trouble.trouble, trouble.count, trouble.why)
            shown.append(DeviceShown("lights", False, words))
        return shown

    def beep(self) -> None:
        """Have the board call for attention, if there is one."""
        if self.link is not None:
            self.link.buzz(BEEP)

    def poll(self, now_s: float, *, opening: bool = False, side: Side | None = None) -> list[Event]:
        """What dice, buttons at the pins and keys did since the last call; lights move on. Call it often.

        ``opening`` tells that the opening roll is due, when each side may throw one of its own dice; ``side`` is who
        rolls next, None where nobody knows.
        """
        events: list[Event] = []
        if self.dice is not None:
            self.dice.expect(opening=opening, side=str(side or ""))
            events += [
                RollReported(
                    self._t(roll.at_s), roll.dice, roll.cocked, Side(roll.owner) if roll.owner else None
                )
                for roll in self.dice.poll(now_s)
                if self._counts(roll)
            ]
        for source in (self.buttons, self.keys):
            presses = [] if source is None else source.poll(now_s)
            events += [Pressed(self._t(press.at_s), press.button) for press in presses if press.down]
        self.lights.tick(now_s)
        return sorted(events, key=lambda event: event.t)

    def deliver(self, event: BoardEvent) -> None:
        """An event of the board, from the link's thread; it is on the disk when this returns.

        Raises:
            NotTakenError: if it is not; then the board tells it again.
        """
        happened = self._meaning(event)
        if happened is not None:
            self._inbox.hand_in(happened, event.mark)

    def link_changed(self, status: LinkStatus) -> None:
        """The link's state, from its thread: people see it, and the referee learns when the board comes or goes."""
        self.link_status = status
        if status.code is LinkCode.GREETING:
            self._opened_at = self._clock()
        if status != self._told and self._concerns(status):
            self._told = status
            self._tell(status_words(status))
        ready = status.state is LinkState.READY
        if status.state is LinkState.CLOSED or ready == self._ready or (self._ready is None and not ready):
            return
        if self._ready is not None:
            why = "" if ready else status.code
            self._inbox.put(DeviceChanged(self._t(self._clock()), status.device, ready, why))
        self._ready = ready

    def lights_changed(self, status: WledStatus) -> None:
        """How lights in the network stand, from a thread of theirs; play goes on without them."""
        before, self.lights_status = self.lights_status, status
        if status.code is WledCode.SEEKING:
            return
        self._tell(status_words(status))
        if before is not None and before.code is not WledCode.SEEKING and before.ready != status.ready:
            why = "" if status.ready else status.code
            self._inbox.put(DeviceChanged(self._t(self._clock()), status.device, status.ready, why))

    def keys_changed(self, status: KeysStatus) -> None:
        """How a device with keys stands; the first time only trouble is told."""
        before = self.keys_status.get(status.port)
        self.keys_status[status.port] = status
        if before is not None or status.code is not KeysCode.READY:
            self._tell(status_words(status))
        if before is not None and before.ready != status.ready:
            why = "" if status.ready else status.code
            self._inbox.put(DeviceChanged(self._t(self._clock()), status.device, status.ready, why))

    def dice_changed(self, status: DiceStatus) -> None:
        """How a dice unit stands; people are told of trouble once, not again with each try to open its port."""
        if not status.code.lasts:
            self._dice_happened(status)
            return
        before, self.dice_status = self.dice_status, status
        known = before is not None and (before.code, before.which) == (status.code, status.which)
        if status.code is not DiceCode.READY and not known:
            self._tell(status_words(status))

    def _dice_happened(self, status: DiceStatus) -> None:
        """Something that is no roll. Dice are picked up and turned over all the time: it matters while one is due."""
        if status.code is not DiceCode.BATTERY:
            if not self._gate.is_open:
                return
            if self.dice_status is None or self.dice_status.code is not DiceCode.GONE:
                self.dice_status = status
        self._tell(status_words(status))

    def notice(self, happening: Happening) -> None:
        """Something else that the link noticed, from its thread; what is the matter becomes an event."""
        match happening:
            case Greeted(memory_lost=memory_lost):
                if memory_lost and (self._greeted or self.goes_on):
                    self._report(BoardTrouble.POWER_CUT)
                self._greeted = True
            case EventsMissing(count=count):
                self._report(BoardTrouble.TAKEN, count)
            case SettingsRefused(fault=fault):
                # Known before it is handed in: whoever reads of it asks what is amiss, in another thread.
                self.trouble = self._event(BoardTrouble.SETTINGS_REFUSED, why=_refusal(Type.SETTINGS, fault))
                self._inbox.put(self.trouble)
            case Refused(of=of, fault=fault):
                self._report(BoardTrouble.REQUEST_REFUSED, why=_refusal(of, fault))
            case SettingsKept():
                self.trouble = None

    def close(self) -> None:
        """Go dark and let go of everything."""
        self.lights.close()
        for device in (self.dice, self.buttons, self.keys):
            if device is not None:
                device.close()
        if self.link is not None:
            self.link.arm_dice(DiceMode.OFF)
            self.link.close()

    def _report(self, trouble: BoardTrouble, count: int = 0, why: str = "") -> None:
        self._inbox.put(self._event(trouble, count, why))

    def _event(self, trouble: BoardTrouble, count: int = 0, why: str = "") -> BoardTroubled:
        return BoardTroubled(self._t(self._clock()), trouble, count, why)

    def _meaning(self, event: BoardEvent) -> RollReported | Pressed | BoardTroubled | None:
        match event.what:
            case DiceRolled() as rolled if self.board_dice:
                if self._counts(roll_of(rolled, event.at_s, event.mark)):
                    return RollReported(self._t(event.at_s), rolled.dice)
            case ButtonChanged(button=Button() as button, down=True):
                return Pressed(self._t(event.at_s), button)
            case EventsLost(count=count):
                return BoardTroubled(self._t(event.at_s), BoardTrouble.QUEUE_FULL, count)
            case ChipRestarted(cause=cause):
                return BoardTroubled(
                    self._t(event.at_s), BoardTrouble.RESTART, why=self._cause(cause, event.at_s)
                )
        return None

    def _cause(self, cause: ResetCause | int, at_s: float) -> str:
        """Why the chip started anew. Many do when their port is opened, and some boot loaders forget the cause."""
        opened = abs(at_s - self._opened_at) <= GREETING_S
        if opened and cause in (ResetCause.UNKNOWN, ResetCause.RESET_LINE):
            return PORT_OPENED
        return cause.name.lower() if isinstance(cause, ResetCause) else str(cause)

    def _concerns(self, status: LinkStatus) -> bool:
        """Whether to tell people of it."""
        if status.code in (LinkCode.NO_PORT, LinkCode.CLOSED):
            return self._is_missed()
        return status.state is not LinkState.GREETING

    def _is_missed(self) -> bool:
        """Whether the board is missed where none is plugged in: one that nobody has is not."""
        return self.board_dice or self.met or self._ready is not None

    def _counts(self, roll: DeviceRoll) -> bool:
        """Whether the referee is to hear of a roll."""
        return self._gate.judge(roll) not in USELESS


def _refusal(request: int, fault: int) -> str:
    """What was refused, for people who look it up in the protocol: the type of the request and why."""
    known = request in Type._value2member_map_, fault in RequestFault._value2member_map_
    name = Type(request).name if known[0] else f"{request:02x}"
    return f"{name}: {RequestFault(fault).name if known[1] else fault}"
