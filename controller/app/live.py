"""A live match: its referee, its record, and what becomes of all that happens and is said at the table."""

import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from queue import SimpleQueue
from typing import TYPE_CHECKING, Final

from controller.app.desk import TICK_S, Desk, Runner
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox, Item
from controller.app.screen import LineScreen
from controller.app.timekeeper import Timekeeper
from controller.devices import CameraStatus, EventMark
from controller.devices.camera.status import CameraState
from controller.errors import UserError
from controller.logs.defect import Defect
from controller.messages.device_words import LocalText, program_words, status_words
from controller.record import MatchFolder
from controller.record.filter.corrections import CORRECTIONS, correction_of
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import said_event
from controller.record.journal.journal import Json
from controller.record.match.corrections import after_play
from controller.record.match.history import CLOCK, INPUT
from controller.record.match.playthrough import Moment, moment_state
from controller.record.table.inputs import command_from
from controller.referee import Action, Event, Phase, Pressed, RollReported, Table, Ticked
from controller.referee.actions import BestPlayWanted, ClockRuns, GameEnded
from controller.referee.events import BestPlayFound, DeviceChanged, Resumed
from controller.referee.table.choices import told_refusal
from controller.referee.table.lamps import BEST
from controller.referee.table.state import audience, next_roller
from controller.rules import Roll, Side
from controller.rules.forms.xgid import MatchState
from controller.telling.table import told_text
from controller.web.table_service import Reply

if TYPE_CHECKING:
    from controller.analysis.advice import Advice, EngineName
    from controller.analysis.kept import KeptGnubg
    from controller.app.remote.table import RemoteTable
    from controller.partner.actor import SeatActor
    from controller.partner.remote.seat import HeardEvent

MARKS: Final = 256
"""This many events of the board are remembered, so that one that is sent twice counts once."""
COMMANDS: Final = 256
"""This many commands of pages are remembered, likewise."""
QUIET_S: Final = 5.0
"""How long nothing must have happened after a match until the table seals what came after it."""
MOST_RATED: Final = 40
"""As many plays of a roll are told at most: who plays a worse one need not know by how much."""
Wanted = tuple[BestPlayWanted, MatchState, bool]
Saying = Mapping[str, Json]
"""``what`` a person says, and the keys that belong to it."""


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

    def __init__(self, engine: "EngineName", inbox: Inbox, tell: Callable[[LocalText], None]) -> None:
        """``tell`` is called with what people are to be told."""
        self._engine, self._inbox, self._tell = engine, inbox, tell
        self._wanted: SimpleQueue[Wanted | None] = SimpleQueue()
        self._complained = False
        self._kept: KeptGnubg | None = None
        self._thread = threading.Thread(target=self._work, name="pointsman-engine", daemon=True)
        self._thread.start()

    def ask(self, wanted: BestPlayWanted, state: MatchState, *, quiet: bool = False) -> None:
        """The best play of a roll is wanted; ``state`` is everything but the checkers.

        With ``quiet`` nobody waits for it, and nobody is told that there is no engine.
        """
        self._wanted.put((wanted, state, quiet))

    def close(self) -> None:
        """Ask no more; an answer that is under way is not waited for."""
        self._wanted.put(None)

    def _work(self) -> None:
        while (asked := self._wanted.get()) is not None:
            # A table is ready sooner without it, and many never ask.
            from controller.analysis.advice import advise
            from controller.analysis.kept import KeptGnubg

            self._kept = self._kept or KeptGnubg()
            wanted, state, quiet = asked
            try:
                advice = advise(wanted.position, state, self._engine, kept=self._kept)
            except UserError as error:
                if not self._complained and not quiet:
                    self._tell(program_words("no_best_plays", why=error))
                    self._complained = True
                continue
            self._inbox.put(_found(wanted, advice))
        if self._kept is not None:
            self._kept.close()


def _found(wanted: BestPlayWanted, advice: "Advice") -> BestPlayFound:
    """What an engine says, as the referee takes it: to the thousandth, which is more than engines are right by."""
    best, *others = advice.plays[:MOST_RATED]
    return BestPlayFound(
        wanted.t,
        wanted.ply,
        best.after,
        others=tuple(each.after for each in others),
        losses=tuple(round(best.equity - each.equity, 3) for each in others),
    )


@dataclass(frozen=True)
class Parts:
    """What a match needs beside its desk; see the classes.

    Attributes:
        tell: is given all that came of one event, whenever anything did; safe on the disk.
        lines_up: has an event wait behind what was seen before it, if anything was; see `Inbox.line_up`.
    """

    folder: MatchFolder
    electronics: Electronics
    screen: LineScreen
    watch: Stopwatch
    names: Mapping[Side, str]
    tell: Callable[[tuple[Action, ...]], None] = lambda _: None
    lines_up: Callable[[Event], bool] = lambda _: False
    timekeeper: Timekeeper | None = None
    adviser: Adviser | None = None
    seats: "SeatActor | None" = None
    remote: "RemoteTable | None" = None


class LiveTable(Runner):
    """One match at a real table. For the thread that steps; devices are lent to it, and it closes none."""

    def __init__(self, desk: Desk, parts: Parts, first: tuple[Event, ...] = ()) -> None:
        """All parts are there; ``first`` are the events to begin with."""
        super().__init__(desk)
        self.parts, self._first = parts, first
        self._marks: deque[EventMark] = deque(maxlen=MARKS)
        self._replies: OrderedDict[str, Reply] = OrderedDict()
        self._ticked_at = float("-inf")
        self._written = True
        self._told: Table | None = None
        self._last_event = self._sealed_event = 0
        self._last_event_at = 0.0

    @property
    def state(self) -> Table:
        """What the referee knows now."""
        return self.desk.table

    @property
    def path(self) -> Path:
        """Where the match's files lie."""
        return self.parts.folder.path

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.state.phase is Phase.MATCH_OVER

    @property
    def goes_on(self) -> bool:
        """Whether the match was interrupted and goes on."""
        return any(isinstance(event, Resumed) for event in self._first)

    def note_defect(self, defect: Defect) -> None:
        """Write down a defect that came anywhere around the match."""
        self.desk.book.write_defect(self.parts.watch.now(), defect)

    def begin(self) -> None:
        """Play begins, or goes on."""
        parts, log = self.parts, self.desk.book.log
        if parts.remote is not None:
            parts.remote.restore(
                event.payload for event in log.journal.events(log.match) if event.kind == INPUT
            )
            parts.remote.tell_left(self._left)
            self.desk.other = parts.remote
        commands = (command_from(event.payload) for event in log.journal.events(log.match))
        for command in filter(None, commands):
            self._remember(command, Reply(True))
        parts.electronics.lights.show(self.state.lit)
        if parts.timekeeper is not None and self.state.clock is not None:
            parts.timekeeper.run(self.state.clock, self.state.t)
        for event in self._first:
            self.put(event)

    def end(self) -> None:
        """The files are written and let go of."""
        if self.parts.adviser is not None:
            self.parts.adviser.close()
        if self.parts.seats is not None:
            self.parts.seats.close()
        if self.parts.remote is not None:
            self.parts.remote.close()
        self.desk.seal_rest()
        self.parts.folder.write_match()
        self.parts.folder.close()

    def turn(self, item: Item | None = None) -> None:
        """One round: take what happened, if anything did, and whatever time brings."""
        if item is not None:
            self._handle(item)
        now = self.parts.watch.clock()
        for event in self._by_now(now):
            if not (isinstance(event, RollReported) and self.parts.lines_up(event)):
                self.put(event)
        self._hear_other_table(now)
        if self.over:
            self._seal_when_quiet(now)

    def _hear_other_table(self, now: float) -> None:
        """Take what the other table told, as far as this board is ready for it."""
        remote, timekeeper = self.parts.remote, self.parts.timekeeper
        if remote is None:
            return
        if remote.look() and timekeeper is not None:
            t = self.parts.watch.t(now if remote.up else min(now, remote.lost_at))
            for event in timekeeper.release(t) if remote.up else timekeeper.hold(t):
                self.put(event)
            self._write_clock(timekeeper, t)
        while (told := remote.next(self.state, self.parts.watch.t(now))) is not None:
            if timekeeper is not None and told.left_s is not None:
                timekeeper.correct(remote.side, told.left_s, self.parts.watch.t(now))
            self.carry_out_all(self._put_told(told))

    def _put_told(self, told: "HeardEvent") -> tuple[Action, ...]:
        """What the other table told, as if it had been said here."""
        if told.score is None:
            return self.desk.put(told.event, by=told.by, command=told.name)
        game, (light, dark) = self.state.match.number, told.score
        return self.desk.correct(
            lambda director: director.change_score(game, light, dark),
            told.event.t,
            by=told.by,
            command=told.name,
        )

    def _left(self, side: Side) -> float | None:
        """What the clock of a side has left."""
        timekeeper = self.parts.timekeeper
        if timekeeper is None:
            return None
        shown = timekeeper.reading(self.parts.watch.now())
        return shown.light_s if side is Side.LIGHT else shown.dark_s

    def _seal_when_quiet(self, now: float) -> None:
        """Seal what came after the match, such as checkers put away or a correction, once nothing more comes."""
        last = self.parts.folder.last_event
        if last != self._last_event:
            self._last_event, self._last_event_at = last, now
        elif last != self._sealed_event and now - self._last_event_at >= QUIET_S:
            self.desk.seal_rest()
            self._sealed_event = self._last_event = self.parts.folder.last_event
            self.parts.tell(())

    def say(self, saying: Saying, by: str, command: str = "") -> Reply:
        """A person says something.

        Args:
            saying: see `TableService.ask`.
            by: ``light``, ``dark`` or ``director``.
            command: the name that the asker gave it; said again, it has the reply that it had and no effect.
        """
        if command and command in self._replies:
            return self._replies[command]
        try:
            reply = self._say_recorded(Keys({**saying, "by": by}), by, command)
        except UserError as error:
            reply = Reply.refusing(error)
        reply = replace(reply, event=self.parts.folder.last_event)
        if command:
            self._remember(command, reply)
        return reply

    def _say_recorded(self, keys: Keys, by: str, command: str) -> Reply:
        desk, t = self.desk, self.parts.watch.now()
        what = keys.content.get("what")
        if what == "set_clock":
            return self._set_clock(keys, t, by)
        if isinstance(what, str) and what in CORRECTIONS:
            put_right = correction_of(keys, self.state.match.number)
            actions = desk.correct(put_right, t, by=by, command=command)
        else:
            actions = desk.put(self._event_of(keys, t), by=by, command=command)
        refused = told_refusal(actions)
        self.carry_out_all(tuple(action for action in actions if action is not refused))
        if refused is None:
            return Reply(True)
        names = self.parts.names
        return Reply(False, lambda language: told_text(refused, language, names))

    def _event_of(self, keys: Keys, t: float) -> Event:
        """What somebody said as an event; plays may be given in notation, buttons by name."""
        match keys.content.get("what"):
            case "pressed":
                keys.only(("what", "by", "kind", "button", "side"))
                side = keys.side() if keys.has("side") else None
                return Pressed(t, keys.button("button"), side)
            case "played" if keys.has("play"):
                side = keys.side() if keys.has("side") else keys.side("by")
                after = after_play(
                    self.state.position, side, keys.text("play"), self.state.match.game.profile.movement
                )
                told = {name: value for name, value in keys.content.items() if name != "play"}
                return said_event(t, Keys({**told, "side": str(side), "position": after.compact()}))
            case _:
                return said_event(t, keys)

    def _set_clock(self, keys: Keys, t: float, by: str) -> Reply:
        keys.only(("what", "by", "kind", "light_s", "dark_s"))
        left = {side: keys.number(f"{side}_s") for side in Side}
        timekeeper = self.parts.timekeeper
        if timekeeper is None:
            return Reply(False, program_words("no_clock"))
        for side, seconds in left.items():
            timekeeper.correct(side, seconds, t)
        self._write_clock(timekeeper, t, by)
        self.parts.tell(())
        return Reply(True)

    def _remember(self, command: str, reply: Reply) -> None:
        self._replies[command] = reply
        while len(self._replies) > COMMANDS:
            self._replies.popitem(last=False)

    def _handle(self, item: Item) -> None:
        try:
            if item.mark is None or item.mark not in self._marks:
                self.put(item.event, mark=item.mark, shot=item.shot)
        finally:
            if item.mark is not None:
                self._marks.append(item.mark)
            item.taken.set()

    def _by_now(self, now: float) -> Iterator[Event]:
        """What dice and buttons at the pins, the clock and the disk tell, and that time goes by."""
        parts, t = self.parts, self.parts.watch.t(now)
        opening = self.state.phase is Phase.OPENING_ROLL
        yield from parts.electronics.poll(now, opening=opening, side=next_roller(self.state))
        if parts.timekeeper is not None:
            yield from parts.timekeeper.tick(t)
        written = parts.folder.complete
        if written != self._written:
            self._written = written
            yield DeviceChanged(t, "journal", written)
        if now - self._ticked_at >= TICK_S:
            self._ticked_at = now
            yield Ticked(t)

    def carry_out_all(self, actions: tuple[Action, ...]) -> None:
        """See `Runner`; followers of the table get what comes of it."""
        self.parts.screen.show_roll(self.state)
        super().carry_out_all(actions)
        self.parts.screen.show_turn(self.state)
        # A tick that changed nothing is no news: each would have every page's state reckoned anew.
        if actions or self.state is not self._told:
            self._told = self.state
            self.parts.tell(actions)
            if self.parts.seats is not None:
                self.parts.seats.attend(self.state)

    def carry_out(self, action: Action) -> Iterable[Event]:
        """See `Runner`."""
        parts, table = self.parts, self.desk.table
        parts.electronics.carry_out(action, parts.watch.clock())
        parts.screen.print_action(action, audience(table))
        match action:
            case ClockRuns(t=t, side=side) if parts.timekeeper is not None:
                fallen = parts.timekeeper.run(side, t)
                self._write_clock(parts.timekeeper, t)
                return fallen
            case BestPlayWanted(side=side, dice=dice) if parts.adviser is not None:
                state = moment_state(Moment(0, None, table.match))
                state = replace(state, on_roll=side, roll=Roll.from_dice(dice[0], dice[-1]))
                parts.adviser.ask(action, state, quiet=table.hint < BEST)
            case GameEnded():
                if parts.timekeeper is not None:
                    parts.timekeeper.game_over()
                parts.folder.write_match_aside()
        return []

    def _write_clock(self, timekeeper: Timekeeper, t: float, by: str = "") -> None:
        log = self.desk.book.log
        shown = timekeeper.record(t)
        log.append(log.draft(CLOCK, {**shown, "by": by} if by else shown, t))


class CameraNews:
    """What the camera's state means at the table: words for people, and events when it comes or goes."""

    def __init__(self, inbox: Inbox, now: Callable[[], float], tell: Callable[[LocalText], None]) -> None:
        """``now`` tells the seconds of the match."""
        self._inbox, self._now, self._tell = inbox, now, tell
        self._ready: bool | None = None
        self._over = False

    def changed(self, status: CameraStatus) -> None:
        """The camera's status is another one; from its thread."""
        if not self._over:  # a film that has ended is not reported as a closed camera
            self._tell(status_words(status))
        self._over = status.state is CameraState.ENDED
        if status.state in (CameraState.STARTING, CameraState.CLOSED, CameraState.ENDED):
            return
        ready = status.state is CameraState.OK
        if ready != self._ready and (self._ready is not None or not ready):
            why = "" if ready else status.code
            self._inbox.put(DeviceChanged(self._now(), status.device, ready, why))
        self._ready = ready
