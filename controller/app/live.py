"""A live table: one thread steps the referee, and everything else comes and goes around it."""

import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import Final

from controller.analysis.advice import EngineName, advise
from controller.app.desk import TICK_S, Desk, Runner
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox, Item
from controller.app.screen import LineScreen
from controller.app.timekeeper import Timekeeper
from controller.app.watcher import Watcher
from controller.devices import CameraStatus, EventMark
from controller.devices.camera.camera import Camera
from controller.devices.camera.status import CameraState
from controller.errors import UserError
from controller.messages.device_words import Words, program_words, status_words
from controller.record import MatchFolder
from controller.record.match.history import CLOCK
from controller.record.match.playthrough import Moment, moment_state
from controller.referee import Action, Event, Phase, Table, Ticked
from controller.referee.actions import BestPlayWanted, ClockRuns, GameEnded
from controller.referee.events import BestPlayFound, DeviceChanged
from controller.referee.table.state import audience
from controller.rules import Roll
from controller.rules.forms.xgid import MatchState

POLL_S: Final = 0.02
"""How often dice, buttons and lights at the pins are looked after."""
FAREWELL_S: Final = 2.0
"""How long a finished match is still listened to."""
MARKS: Final = 256
"""So many events of the board are remembered, so that one that is told twice counts once."""
Wanted = tuple[BestPlayWanted, MatchState]


class Stopwatch:
    """Seconds of a match, from seconds of the machine; runs on from where the match stood."""

    def __init__(self, clock: Callable[[], float], t: float = 0.0) -> None:
        """``clock`` tells monotonic seconds; ``t`` is what the match has come to."""
        self.clock = clock
        self._ahead = t - clock()

    def t(self, at_s: float) -> float:
        """Seconds of the match at ``at_s`` of the machine's clock, never below 0."""
        return max(0.0, at_s + self._ahead)

    def now(self) -> float:
        """Seconds of the match."""
        return self.t(self.clock())


class Adviser:
    """Answers what the best play is. Without an engine it says so once and keeps silent."""

    def __init__(self, engine: EngineName, inbox: Inbox, tell: Callable[[Words], None]) -> None:
        """``tell`` hears what people are to be told."""
        self._engine, self._inbox, self._tell = engine, inbox, tell
        self._wanted: SimpleQueue[Wanted | None] = SimpleQueue()
        self._complained = False
        self._thread = threading.Thread(target=self._work, name="pointsman-engine", daemon=True)
        self._thread.start()

    def ask(self, wanted: BestPlayWanted, state: MatchState) -> None:
        """The best play of a roll is wanted; ``state`` is everything but the checkers."""
        self._wanted.put((wanted, state))

    def close(self) -> None:
        """Ask no more; an answer that is under way is not waited for."""
        self._wanted.put(None)

    def _work(self) -> None:
        while (asked := self._wanted.get()) is not None:
            wanted, state = asked
            try:
                best = advise(wanted.position, state, self._engine).best
            except UserError as error:
                if not self._complained:
                    self._tell(program_words("no_best_plays", why=error))
                self._complained = True
                continue
            self._inbox.put(BestPlayFound(wanted.t, wanted.ply, best.after))


@dataclass(frozen=True)
class Parts:
    """What stands around the desk of a table; see the classes."""

    folder: MatchFolder
    inbox: Inbox
    electronics: Electronics
    camera: Camera
    watcher: Watcher
    screen: LineScreen
    watch: Stopwatch
    timekeeper: Timekeeper | None = None
    adviser: Adviser | None = None


class LiveTable(Runner):
    """Runs one match until it is over, the film has ended, or somebody says stop."""

    def __init__(self, desk: Desk, parts: Parts, first: tuple[Event, ...] = ()) -> None:
        """All parts are there, electronics and watcher not started yet; ``first`` are the events to begin with."""
        super().__init__(desk)
        self._parts, self._first = parts, first
        self._marks: deque[EventMark] = deque(maxlen=MARKS)
        self._ticked_at = float("-inf")
        self._over_at: float | None = None
        self._written = True

    @property
    def state(self) -> Table:
        """What the referee knows now."""
        return self.desk.table

    @property
    def path(self) -> Path:
        """Where the match's files lie."""
        return self._parts.folder.path

    def wake(self) -> None:
        """Have `run` look at once whether it is to stop; for the handler of a signal."""
        self._parts.inbox.wake()

    def run(self, stop: threading.Event) -> None:
        """Returns when the match is over or ``stop`` is set; the devices are let go of, the files are written."""
        parts = self._parts
        parts.electronics.start()
        parts.watcher.start()
        parts.electronics.lights.show(self.state.lit)
        if parts.timekeeper is not None and self.state.clock is not None:
            parts.timekeeper.run(self.state.clock, self.state.t)
        try:
            for event in self._first:
                self.put(event)
            while not stop.is_set() and not self._is_done():
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
        """One round: take what happened, if anything did, and whatever time brings."""
        if item is not None:
            self._take(item)
        for event in self._by_now(self._parts.watch.clock()):
            self.put(event)

    def _take(self, item: Item) -> None:
        try:
            if item.mark is None or item.mark not in self._marks:
                self.put(item.event, mark=item.mark, shot=item.shot)
        finally:
            if item.mark is not None:
                self._marks.append(item.mark)
            item.taken.set()

    def _by_now(self, now: float) -> Iterator[Event]:
        """What dice and buttons at the pins, the clock and the disk tell, and that time goes by."""
        parts, t = self._parts, self._parts.watch.t(now)
        yield from parts.electronics.poll(now)
        if parts.timekeeper is not None:
            yield from parts.timekeeper.tick(t)
        written = parts.folder.complete
        if written != self._written:
            self._written = written
            yield DeviceChanged(t, "journal", written)
        if now - self._ticked_at >= TICK_S:
            self._ticked_at = now
            yield Ticked(t)

    def carry_out(self, action: Action) -> list[Event]:
        """See `Runner`."""
        parts, table = self._parts, self.desk.table
        parts.electronics.carry_out(action, parts.watch.clock())
        parts.screen.show(action, audience(table))
        match action:
            case ClockRuns(t=t, side=side) if parts.timekeeper is not None:
                fallen = parts.timekeeper.run(side, t)
                log = self.desk.book.log
                log.append(log.draft(CLOCK, parts.timekeeper.record(t), t))
                return fallen
            case BestPlayWanted(side=side, dice=dice) if parts.adviser is not None:
                state = moment_state(Moment(0, None, table.match))
                parts.adviser.ask(action, replace(state, on_roll=side, roll=Roll.of(dice[0], dice[-1])))
            case GameEnded():
                if parts.timekeeper is not None:
                    parts.timekeeper.game_over()
                parts.folder.write_match_aside()
        return []

    def _is_done(self) -> bool:
        """Whether there is nothing to wait for any more."""
        parts = self._parts
        if parts.watcher.through and parts.inbox.empty:
            return True
        if self.desk.table.phase is not Phase.MATCH_OVER:
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
