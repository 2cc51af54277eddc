"""A live table: one thread steps the referee, and everything else comes and goes around it."""

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from controller.app.adviser import Adviser
from controller.app.desk import TICK_S, Desk
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox, Item
from controller.app.screen import LineScreen
from controller.app.stopwatch import Stopwatch
from controller.app.timekeeper import Timekeeper
from controller.app.watcher import Watcher
from controller.devices.camera.camera import Camera
from controller.devices.camera.status import CameraState, CameraStatus
from controller.devices.link.happenings import EventMark
from controller.messages.device_words import Words, program_words, status_words
from controller.record.match.history import CLOCK
from controller.record.match.playthrough import Moment, moment_state
from controller.record.table.match_folder import MatchFolder
from controller.referee.actions import Action, BestPlayWanted, ClockRuns, GameEnded
from controller.referee.events import DeviceChanged, Event, Ticked
from controller.referee.phase import Phase
from controller.referee.table.state import Table
from controller.rules.forms.xgid import MatchState
from controller.rules.position import Roll

POLL_S: Final = 0.02
"""How often dice, buttons and lights at the pins are looked after."""
FAREWELL_S: Final = 2.0
"""How long a finished match is still listened to."""
MARKS: Final = 256
"""So many events of the board are remembered, so that one that is told twice counts once."""

COMPLAINTS: Final = 16
"""What went wrong lately is not told again."""


@dataclass
class Parts:
    """What a table is made of; see the classes."""

    desk: Desk
    folder: MatchFolder
    inbox: Inbox
    electronics: Electronics
    camera: Camera
    watcher: Watcher
    screen: LineScreen
    watch: Stopwatch
    timekeeper: Timekeeper | None = None
    adviser: Adviser | None = None


class LiveTable:
    """Runs one match until it is over, the film is through, or somebody says stop."""

    def __init__(self, parts: Parts, pending: tuple[Action, ...] = ()) -> None:
        """All parts are there, electronics and watcher not started yet; ``pending`` is to be carried out first."""
        self._parts, self._pending = parts, pending
        self._marks: deque[EventMark] = deque(maxlen=MARKS)
        self._ticked_at = float("-inf")
        self._over_at: float | None = None
        self._written = True
        self._complaints: deque[str] = deque(maxlen=COMPLAINTS)

    @property
    def state(self) -> Table:
        """What the referee knows now."""
        return self._parts.desk.table

    @property
    def path(self) -> Path:
        """Where the match's files lie."""
        return self._parts.folder.path

    def run(self, stop: threading.Event) -> None:
        """Returns when the match is over or ``stop`` is set; the devices are let go of, the files are written."""
        parts = self._parts
        parts.electronics.start()
        parts.watcher.start()
        parts.electronics.lights.show(self.state.lit)
        if parts.timekeeper is not None and self.state.clock is not None:
            parts.timekeeper.run(self.state.clock, self.state.t)
        self._carry_out(self._pending)
        try:
            while not stop.is_set() and not self._done():
                self._safe_turn(parts.inbox.get(POLL_S))
        finally:
            parts.inbox.close()
            parts.watcher.stop()
            parts.camera.close()
            parts.electronics.close()
            if parts.adviser is not None:
                parts.adviser.close()
            parts.folder.write_match()
            parts.folder.close()

    def _safe_turn(self, item: Item | None) -> None:
        """One round that nothing can end: whatever goes wrong in it is told, and play goes on."""
        try:
            self.turn(item)
        except Exception as error:
            self._parts.screen.tell(program_words("failed", why=f"{type(error).__name__}: {error}"))

    def turn(self, item: Item | None) -> None:
        """One round: something that happened, if anything did, and whatever time brings."""
        if item is not None:
            self._take(item)
        now = self._parts.watch.clock()
        for event in self._parts.electronics.poll(now):
            self.put(event)
        if self._parts.timekeeper is not None:
            for event in self._parts.timekeeper.tick(self._parts.watch.t(now)):
                self.put(event)
        if now - self._ticked_at >= TICK_S:
            self._ticked_at = now
            self.put(Ticked(self._parts.watch.t(now)))

    def put(self, event: Event, item: Item | None = None) -> None:
        """Something happened; all that comes of it is carried out."""
        mark, shot = (None, None) if item is None else (item.mark, item.shot)
        self._carry_out(self._parts.desk.put(event, mark=mark, shot=shot))
        self._look_after_journal()

    def _look_after_journal(self) -> None:
        """Let the referee know when the disk takes nothing any more, and when it does again."""
        written = self._parts.folder.complete
        if written != self._written:
            self._written = written
            changed = DeviceChanged(self._parts.watch.now(), "journal", written)
            self._carry_out(self._parts.desk.put(changed))

    def _take(self, item: Item) -> None:
        try:
            if item.mark is None or item.mark not in self._marks:
                self.put(item.event, item)
        finally:
            if item.mark is not None:
                self._marks.append(item.mark)
            item.taken.set()

    def _carry_out(self, actions: tuple[Action, ...]) -> None:
        """What the referee wants done is done, and what follows from that, such as a flag that falls, is told it."""
        follows = [event for action in actions for event in self._do(action)]
        for event in follows:
            self._carry_out(self._parts.desk.put(event))

    def _do(self, action: Action) -> list[Event]:
        """Do one thing; returns what happened by it."""
        parts = self._parts
        now = parts.watch.clock()
        parts.electronics.carry_out(action, now)
        conduct = parts.desk.table.match.game.profile.conduct
        parts.screen.show(action, conduct.may_tell(consent=parts.desk.table.consent))
        match action:
            case ClockRuns(t=t, side=side) if parts.timekeeper is not None:
                fallen = parts.timekeeper.run(side, t)
                parts.folder.book.log.append(
                    parts.folder.book.log.draft(CLOCK, parts.timekeeper.record(t), t)
                )
                return fallen
            case BestPlayWanted() if parts.adviser is not None:
                parts.adviser.ask(action, self._state(action))
            case GameEnded():
                if parts.timekeeper is not None:
                    parts.timekeeper.game_over()
                parts.folder.write_match_aside()
        return []

    def _state(self, wanted: BestPlayWanted) -> MatchState:
        state = moment_state(Moment(0, None, self._parts.desk.table.match))
        return replace(state, on_roll=wanted.side, roll=Roll.of(wanted.dice[0], wanted.dice[-1]))

    def _done(self) -> bool:
        """Whether there is nothing to wait for any more."""
        parts = self._parts
        if parts.watcher.through and parts.inbox.empty:
            return True
        if parts.desk.table.phase is not Phase.MATCH_OVER:
            self._over_at = None
            return False
        self._over_at = self._over_at or parts.watch.clock()
        return parts.watch.clock() - self._over_at >= FAREWELL_S


class CameraNews:
    """What the camera's state means at the table: words for people, and events when it comes or goes."""

    def __init__(self, inbox: Inbox, now: Callable[[], float], tell: Callable[[Words], None]) -> None:
        """``now`` tells the seconds of the match."""
        self._inbox, self._now, self._tell = inbox, now, tell
        self._ready: bool | None = None

    def changed(self, status: CameraStatus) -> None:
        """The camera's status is another one; from its thread."""
        self._tell(status_words(status))
        if status.state in (CameraState.STARTING, CameraState.CLOSED, CameraState.ENDED):
            return
        ready = status.state is CameraState.OK
        if ready != self._ready and (self._ready is not None or not ready):
            why = "" if ready else status.code
            self._inbox.put(DeviceChanged(self._now(), status.device, ready, why))
        self._ready = ready
