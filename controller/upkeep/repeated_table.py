"""A table that is put through its journal once more: the same desk, record, words and pages, without its devices."""

import asyncio
import json
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from starlette.types import ASGIApp

from controller.app.club import RoomClub
from controller.app.desk import Desk
from controller.app.inbox import Errand, Item, NotTakenError
from controller.app.live import Adviser, LiveTable, Parts, Stopwatch
from controller.app.opening import ENGINES
from controller.app.room import Room
from controller.app.timekeeper import Timekeeper
from controller.club.membership import Membership
from controller.club.messages import TableCommand
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.config import Config
from controller.devices import EventMark
from controller.devices.camera.camera import Wish
from controller.devices.link import happenings
from controller.devices.link.happenings import BoardEvent
from controller.errors import UserError
from controller.json_object import parse_object
from controller.logs.defect import Defect
from controller.record import MatchFolder
from controller.record.journal.journal import JournalError, JournalEvent
from controller.record.journal.seal import KEY_FILE, SigningKey
from controller.record.match.history import CORRECTION, INPUT, MATCH, TABLE
from controller.record.match.json_values import READING_ERRORS, facts_from
from controller.record.table.inputs import InputError, input_from, settings_from, start_from
from controller.record.table.resume import LiveMatch
from controller.referee import Action, Event, step
from controller.referee.events import Corrected, Resumed
from controller.rules import Side
from controller.rules.game.match_record import terms_from_record
from controller.web.audience import Audience
from controller.web.outlet import Outlet
from controller.web.server.application import make_inner_app
from controller.web.server.asking import ask_app
from controller.web.server.guard import Guard
from controller.web.server.site import Site
from controller.web.settings import WebSettings
from controller.web.table_service import Role

_LOGGER: Final = logging.getLogger(__name__)

MATCH_FOLDER: Final = "match"
QUIET_S: Final = 10.0
"""How long threads of the table may take for what they were asked."""
TRIED_AS: Final = (Role.DIRECTOR, Role.PLAYER, Role.VIEWER)
"""Who a request may have come from; the bundle does not say."""


NUMBERS: Final = frozenset({"of", "game", "from", "before", "revokes"})
"""Keys of a correction that name an event by its number."""


class BundleError(UserError):
    """A bundle from which no match can be replayed."""


class RepeatedTable:
    """One match that is played again from the events of its journal. For one thread.

    What goes wrong is logged as at the table; whoever wants to know listens to the log.
    """

    def __init__(self, config: Config, events: Sequence[JournalEvent], place: Path) -> None:
        """The match begins as the journal says.

        Args:
            config: the table's; its devices are left alone.
            events: of the journal, in their order.
            place: an empty folder for the files of the match.

        Raises:
            BundleError: if the events are not those of a live match.
        """
        self._events = events
        self._now = 0.0
        config = replace(config, folder=place, record=replace(config.record, folder="."))
        heading = next((event for event in events if event.kind == MATCH), None)
        table = next((event for event in events if event.kind == TABLE), None)
        if heading is None or table is None:
            raise BundleError("The bundle holds no match that was played at a live table.")
        light, dark = str(heading.payload["light"]), str(heading.payload["dark"])
        self._config = replace(config, match=replace(config.match, light=light, dark=dark))
        self._room = Room(self._config, None, lambda _: None, clock=lambda: self._now, open_camera=_no_camera)
        self._table = self._open_table(place / MATCH_FOLDER, heading, table)
        self._room.match.table = self._table
        self._room.subscribe(lambda _: None)
        self._loop = asyncio.new_event_loop()
        self._sites: dict[Role, tuple[Site, ASGIApp]] = {}
        self._outlet = Outlet(self._room, lambda: round(1000 * self._now))
        self._loop.run_until_complete(self._open_outlet())

    def play(self) -> Iterator[JournalEvent]:
        """Put all events through the table; gives each when it has been."""
        self._round(self._table.begin)
        for number, event in enumerate(self._events):
            match event.kind:
                case _ if event.kind == INPUT:
                    self._repeat_input(event)
                case _ if event.kind == CORRECTION:
                    self._correct(event, self._events[number + 1 :])
            yield event

    def do(self, task: Mapping[str, Any]) -> bool:
        """Do again what was being done when a defect came; false if that cannot be done from a bundle."""
        if "path" in task and task.get("method") not in (None, "WS"):
            self._request(task)
        elif "saying" in task:
            self._repeat_saying(task["saying"], str(task.get("by", "")))
        elif "command" in task:
            self._command(task["command"])
        elif "kind" in task and "mark" in task:
            self._happen(task)
        else:
            return False
        return True

    def close(self) -> None:
        """Write the files of the match, as at its end, and let go of everything."""
        self._round(self._table.end)
        self._outlet.close()
        for site, _ in self._sites.values():
            site.close()
        self._loop.close()

    # --- the match ------------------------------------------------------------------------------------------

    def _open_table(self, path: Path, heading: JournalEvent, begun: JournalEvent) -> LiveTable:
        payload: Any = heading.payload
        try:
            terms, facts = terms_from_record(payload["terms"]), facts_from(payload["facts"])
        except READING_ERRORS:
            raise BundleError("The bundle does not say what was agreed for the match.") from None
        config = self._config
        key = SigningKey.make(path.parent / KEY_FILE)
        folder = MatchFolder(path, lambda: heading.utc, self._room.tell, lambda: self._now, key=key)
        desk = Desk.open(
            settings_from(begun.payload, terms),
            folder.book,
            folder.follow,
            step,
            self._room.tell,
            names=(config.match.light, config.match.dark),
            facts=facts,
            t=begun.t or 0.0,
            position=start_from(begun.payload),
        )
        control = None
        with suppress(UserError):
            control = config.time_control()
        engine = ENGINES.get(config.engine.use)
        names = {Side.LIGHT: config.match.light, Side.DARK: config.match.dark}
        parts = Parts(
            folder,
            self._room.electronics,
            self._room.screen,
            watch=Stopwatch(lambda: self._now),
            names=names,
            tell=self._room.news.hear_actions,
            timekeeper=None if control is None else Timekeeper(control, lambda _: None),
            adviser=None if engine is None else Adviser(engine, self._room.inbox, self._room.tell),
        )
        return _Repeated(desk, parts)

    def _repeat_input(self, event: JournalEvent) -> None:
        """Put an input through the table."""
        try:
            happened = input_from(event.payload)
        except InputError:
            return  # of a newer version
        if isinstance(happened, Corrected):
            return  # comes with its correction
        self._now = max(self._now, happened.t)
        if isinstance(happened, Resumed):
            self._round(self._resume)
        self._repeat_event(happened)

    def _repeat_event(self, happened: Event) -> None:
        item = Item(happened)
        self._room.turn(item)
        self._settle()

    def _resume(self) -> None:
        """The program was started anew: the table stands where the journal says."""
        book = self._table.desk.book
        self._table.desk.table = LiveMatch.read(book.log.journal, book.log.match).table(step)

    def _correct(self, event: JournalEvent, later: Sequence[JournalEvent]) -> None:
        """Put the record right as it was put right."""
        corrected = next((each for each in later if each.kind == INPUT), None)
        t = event.t or (0.0 if corrected is None else corrected.t or 0.0)
        log = self._table.desk.book.log

        def put_right(_: object) -> JournalEvent:
            told = self._renumbered(event.payload)
            return log.append(log.draft(CORRECTION, told, event.t))[0]

        self._round(lambda: self._table.carry_out_all(self._table.desk.correct(put_right, t)))

    def _renumbered(self, correction: Mapping[str, Any]) -> dict[str, Any]:
        """A correction with the numbers of events as they are here: those of seals and commands are missing."""
        log = self._table.desk.book.log
        here, there = _by_kind(log.journal.events(log.match)), _by_kind(self._events)
        number = {
            old: new
            for kind, olds in there.items()
            for old, new in zip(olds, here.get(kind, ()), strict=False)
        }
        return {
            name: [number.get(each, each) for each in value]
            if name == "replaces"
            else number.get(value, value)
            if name in NUMBERS
            else value
            for name, value in correction.items()
        }

    def _round(self, do: Any) -> None:
        """Do something as the table's loop does it: nothing ends it."""
        errand: Errand[object] = Errand(do)
        self._room.turn(errand)
        self._settle()

    def _settle(self) -> None:
        """Have done what waits for the thread that steps, and for the pages."""
        while (item := self._room.inbox.get(0.0)) is not None:
            if isinstance(item, Errand):
                self._room.turn(item)
            else:
                item.taken.set()
        self._loop.run_until_complete(asyncio.sleep(0))

    # --- the pages, the club, the board ---------------------------------------------------------------------

    def _open_site(self, role: Role) -> tuple[Site, ASGIApp]:
        site = Site(self._room, WebSettings(at_table=role, names=("localhost",)))

        async def begin() -> None:
            site.open()

        self._loop.run_until_complete(begin())
        return site, Guard(make_inner_app(site), frozenset({"localhost"}))

    async def _open_outlet(self) -> None:
        """Have a channel for everybody who may follow the table, as if all of them did."""
        self._outlet.open()
        language = self._config.table.languages[0]
        for audience in (
            Audience(language=language),
            Audience(Role.DIRECTOR, None, language),
            Audience(Role.PLAYER, None, language),
            *(Audience(Role.PLAYER, side, language) for side in Side),
        ):
            try:
                self._outlet.channel(audience)
            except Exception:
                _LOGGER.exception("A defect in what the pages show.")

    def _repeat_saying(self, saying: Mapping[str, Any], by: str) -> None:
        """Have somebody say the same again."""
        self._room.ask(saying, by)
        self._settle()

    def _request(self, task: Mapping[str, Any]) -> None:
        """Ask the pages for the same again, as everybody who may have asked."""
        path = _with_match(str(task["path"]), MATCH_FOLDER)
        body = _fresh(str(task.get("body", "")))
        self._sites = self._sites or {role: self._open_site(role) for role in TRIED_AS}
        for _, app in self._sites.values():
            asked = self._loop.create_task(
                ask_app(app, str(task["method"]), path, str(task.get("query", "")), body)
            )
            until = time.monotonic() + QUIET_S
            while not asked.done() and time.monotonic() < until:
                self._settle()
                self._loop.run_until_complete(asyncio.sleep(0.001))
            asked.cancel()

    def _command(self, content: Mapping[str, Any]) -> None:
        """Have a command of the hub done again."""
        address = TableAddress("club", "table")
        club = RoomClub(self._room, Membership(address, BrokerAddress("localhost", 0)))
        done = club.carry_out(TableCommand(**{**content, "seen": None}))
        self._settle()
        done.cancel()

    def _happen(self, task: Mapping[str, Any]) -> None:
        """Have the board report the same again."""
        kind = getattr(happenings, str(task["kind"]), None)
        if kind is None:
            return
        told = {
            name: tuple(value) if isinstance(value, list) else value for name, value in task["what"].items()
        }
        if "button" in told:
            told["button"] = happenings.Button(int(task["what"]["button"]))
        event = BoardEvent(EventMark(**task["mark"]), float(task["at_s"]), int(task["t_ms"]), kind(**told))
        electronics = self._room.electronics
        electronics.board_dice = True
        thread = threading.Thread(target=_deliver, args=(electronics.deliver, event), daemon=True)
        thread.start()
        until = time.monotonic() + QUIET_S
        while thread.is_alive() and time.monotonic() < until:
            self._settle()


class _Repeated(LiveTable):
    """A table to which nothing happens but what the journal tells: what would follow by itself is in there, too."""

    def carry_out(self, action: Action) -> Iterable[Event]:
        list(super().carry_out(action))
        return []

    def _by_now(self, now: float) -> Iterator[Event]:
        list(super()._by_now(now))
        return iter(())


def read_events(text: str) -> list[JournalEvent]:
    """The events in the lines of a bundle. Raises BundleError for a line that is none."""
    events = []
    for number, line in enumerate(text.splitlines(), start=1):
        try:
            told = json.loads(line)
            if "fault" not in told:
                events.append(JournalEvent(**told))
        except (ValueError, TypeError, RecursionError) as error:
            raise BundleError(f"Line {number} of the bundle's match is no event ({error}).") from None
    return events


def read_defects(text: str) -> list[Defect]:
    """The defects in the lines of a file of defects; what is none is passed over."""
    found = []
    for line in text.splitlines():
        with suppress(ValueError, TypeError, RecursionError):
            found.append(Defect.from_record(json.loads(line)))
    return found


def _by_kind(events: Iterable[JournalEvent]) -> dict[str, list[int]]:
    """The numbers of events, for each kind in their order."""
    found = defaultdict[str, list[int]](list)
    for event in events:
        found[event.kind].append(event.id)
    return found


def _no_camera(_: Wish, __: object) -> Any:
    raise JournalError("A table that is replayed has no camera.")


def _with_match(path: str, name: str) -> str:
    """An address with the match that is replayed in the place of the one it was about."""
    parts = path.split("/")
    for number, part in enumerate(parts[:-1]):
        if part == "matches":
            _, dot, form = parts[number + 1].partition(".")
            parts[number + 1] = f"{name}{dot}{form}"
    return "/".join(parts)


def _fresh(body: str) -> bytes:
    """What a page said, as if nothing had happened since it looked."""
    with suppress(ValueError):
        told = parse_object(body)
        return json.dumps({name: told[name] for name in told if name not in ("seen", "run")}).encode()
    return body.encode()


def _deliver(deliver: Any, event: BoardEvent) -> None:
    with suppress(NotTakenError):
        deliver(event)
