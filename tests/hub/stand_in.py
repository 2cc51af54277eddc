"""A hall whose tables do what a test says: they show real snapshots, and send records as a journal has them."""

import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from controller.club.messages import TableReply, journal_name
from controller.hub.hall import Hall, HubTrouble, StoredEvent, TableShown
from controller.hub.service import TableAskError, TableSilence
from controller.record import Journal
from controller.record.journal.journal import Draft, Json, Row
from controller.record.journal.seal import Signer, SigningKey, countersign, state
from controller.record.match.history import COMMAND
from controller.record.match.match import Facts, GameRecord, MatchRecord, RecordedResult
from controller.record.match.match_log import MatchLog
from controller.referee import Phase
from controller.referee.events import Disputed
from controller.rules import Side, Terms
from controller.rules.profile.profile import STANDARD
from controller.web.attention import AttentionList
from controller.web.audience import Audience
from controller.web.course import RecentCourse
from controller.web.snapshot import state_of
from controller.web.table_service import News, Role, RoomState
from tests.referee.table.scenes import SCENES
from tests.web.served_table import TableHouse

NOW_MS = 1_795_460_400_000
"""2026-11-23T19:00:00Z: what tables send comes after what the director did in the hour before."""


@cache
def snapshot(phase: Phase, role: Role, room: RoomState = RoomState.PLAYING) -> dict[str, Any]:
    """What a table shows of a scene, as its own pages get it."""
    scene = SCENES[Phase.TO_ROLL if phase is Phase.DISPUTE else phase]()
    if phase is Phase.DISPUTE:
        scene.tell(Disputed(scene.t))  # the play before it
    view = TableHouse(scene, room).view()
    course = RecentCourse().after(News(view, tuple(scene.actions)))
    docket = AttentionList()
    return dict(state_of(view, course, Audience(role), NOW_MS, None, docket))


class StandInHall(Hall):
    """Tables that do what the test says."""

    def __init__(self, folder: Path, tables: int) -> None:
        self.now = NOW_MS
        self._folder, self._turn = folder, threading.RLock()
        self._tables: dict[str, TableShown] = {}
        self._stored: dict[str, list[StoredEvent]] = {}
        self._hearers: list[Callable[[TableShown], None]] = []
        self.asked: list[tuple[str, dict[str, Json], str]] = []
        self.refuse: dict[str, str] = {}
        self.matches: dict[str, dict[str, Json]] = {}
        self.begun: dict[str, Mapping[Side, int]] = {}
        self.commands: dict[str, str] = {}
        self.wrong: tuple[HubTrouble, ...] = ()
        self._journals = 0
        for number in range(1, tables + 1):
            self.show(f"table-{number}", Phase.MATCH_OVER, RoomState.READY, title=f"Table {number}")

    # --- what a hall is ------------------------------------------------------------------------------------

    def tables(self) -> tuple[TableShown, ...]:
        with self._turn:
            return tuple(self._tables[name] for name in sorted(self._tables))

    def troubles(self) -> tuple[HubTrouble, ...]:
        return self.wrong

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        self._hearers.append(hear)

    def events(
        self, table: str, *, after: int = 0, journal: str = "", most: int = 1000
    ) -> Sequence[StoredEvent]:
        with self._turn:
            found = self._stored.get(table, [])
            return [e for e in found if e.number > after and journal in ("", e.journal)][:most]

    def newest_number(self, table: str) -> int:
        with self._turn:
            return len(self._stored.get(table, ()))

    def journals(self, table: str, *, most: int) -> Sequence[str]:
        with self._turn:
            return [e.journal for e in reversed(self._stored.get(table, [])) if e.row[0] == 1][:most]

    def ask(
        self,
        table: str,
        body: Mapping[str, Json],
        *,
        by: str,
        name: str,
        seen: int | None = None,
        command: str = "",
    ) -> "Future[TableReply]":
        answer: Future[TableReply] = Future()
        assert (by, seen is None or seen >= 0) == ("director", True)
        told = dict(body)
        with self._turn:
            self.asked.append((table, told, name))
        if table in self.refuse:
            if self.refuse[table]:
                answer.set_result(TableReply(command, False, self.refuse[table]))
            else:
                answer.set_exception(TableAskError(TableSilence.SLOW, table))
            return answer
        if told["what"] == "start_match":
            self.matches[table], self.commands[table] = told, command
            self.begun.pop(table, None)
            self.play(table, str(told["light"]), str(told["dark"]), int(str(told["length"])), told)
        elif told["what"] == "change_score":
            self.begun[table] = {side: int(str(told[str(side)])) for side in Side}
            self.show(
                table, Phase.OPENING_ROLL, match={"score": {str(s): self.begun[table][s] for s in Side}}
            )
        elif told["what"] == "let_stand":
            self.show(table, Phase.TO_ROLL)
        answer.set_result(TableReply(command, True, "", 1))
        return answer

    # --- what the test does --------------------------------------------------------------------------------

    def change(self, name: str, **changes: Any) -> TableShown:
        """A table is another one now."""
        with self._turn:
            before = self._tables.get(name) or TableShown(name, name, True, NOW_MS)
            shown = self._tables[name] = replace(before, **changes)
            hearers = [*self._hearers]
        for hear in hearers:
            hear(shown)
        return shown

    def shown(self, name: str) -> TableShown:
        """A table as it is."""
        return next(each for each in self.tables() if each.name == name)

    def show(
        self,
        name: str,
        phase: Phase,
        room: RoomState = RoomState.PLAYING,
        match: Mapping[str, Any] | None = None,
        **changes: Any,
    ) -> None:
        """A table shows a scene, with what is played at it in the place of what the scene plays."""
        screens = {}
        for key, role in (("screen", Role.VIEWER), ("desk", Role.DIRECTOR)):
            told = deepcopy(snapshot(phase, role, room))
            before: Any = self._tables[name].screen if name in self._tables else None
            kept = dict((before or {}).get("match") or {})
            if room is RoomState.READY:
                told = {**told, **dict.fromkeys(("match", "position", "dice", "cube", "phase")), "needs": []}
                told |= {"plays": [], "headline": "Ready for a match"}
            else:
                told["match"] = {**told["match"], **kept, **(match or {})}
            told["clock"] = None
            screens[key] = told
        self.change(name, **screens, **changes)

    def play(self, name: str, light: str, dark: str, length: int, told: Mapping[str, Json]) -> None:
        """A match begins."""
        match = {"light": light, "dark": dark, "short": {"light": light, "dark": dark}, "length": length}
        match |= {"winner": None, "score": {"light": 0, "dark": 0}, "game": 1}
        match |= {"event": str(told.get("event", "")), "round": str(told.get("round", ""))}
        self.show(name, Phase.MOVING, match=match, journal="", events=0)

    def finish(
        self,
        name: str,
        winner: Side,
        other: int,
        *,
        names: tuple[str, str] | None = None,
        length: int | None = None,
        event: str = "",
        signed: bool = False,
        command: str | None = None,
    ) -> str:
        """The match of a table ends; its record is stored. Returns the journal's name.

        ``command`` is the one that began it, as the hub gave it last if it is not named; empty for none.
        """
        shown = self.shown(name)
        match: Any = (shown.screen or {}).get("match") or {}
        light, dark = names or (str(match["light"]), str(match["dark"]))
        points = length or int(match["length"])
        record = match_record((light, dark), points, winner, other, event or str(match.get("event", "")))
        if name in self.begun:
            before = self.begun[name]
            first = GameRecord((), light_score=before[Side.LIGHT], dark_score=before[Side.DARK])
            record = replace(record, games=(first, *record.games))
        journal = self.store(name, record, signed=signed, command=command)
        score = {str(winner): points, str(winner.opponent): other}
        told = {"light": light, "dark": dark, "winner": str(winner), "score": score, "length": points}
        self.show(name, Phase.MATCH_OVER, RoomState.OVER, match=told, journal=journal)
        return journal

    def store(
        self, name: str, record: MatchRecord, *, signed: bool = False, command: str | None = None
    ) -> str:
        """A whole record comes in."""
        by = self.commands.get(name, "") if command is None else command
        with self._turn:
            self._journals += 1
            path = self._folder / f"{name}-{self._journals}.db"
        with Journal(path) as journal:
            # The time makes each journal another one, as it does at a table.
            utc = f"2026-11-23T12:00:00.{self._journals:06d}Z"
            if by:
                given: dict[str, Json] = {"id": by, "body": self.matches.get(name, {"what": "start_match"})}
                journal.append_all([Draft("1", COMMAND, given, utc)])
            MatchLog(journal, "1", lambda: utc).write(record)
            if signed:
                sign(journal)
            rows = [*journal.rows()]
        called = journal_name(rows[0][-1])
        self.add(name, called, rows)
        return called

    def add(self, name: str, journal: str, rows: Sequence[Row]) -> None:
        """Entries are stored."""
        with self._turn:
            kept = self._stored.setdefault(name, [])
            for row in rows:
                kept.append(StoredEvent(len(kept) + 1, journal, row, self.now))
        self.change(name, events=rows[-1][0])


def match_record(
    names: tuple[str, str], length: int, winner: Side, other: int, event: str = ""
) -> MatchRecord:
    """A match that was won in its last game, with so many points for the loser before."""
    before = {winner: 0, winner.opponent: other}
    game = GameRecord(
        (),
        light_score=before[Side.LIGHT],
        dark_score=before[Side.DARK],
        result=RecordedResult(winner, length),
    )
    return MatchRecord(*names, Terms.match(STANDARD, length), (game,), Facts(event=event))


def sign(journal: Journal) -> None:
    """Both players countersign a journal up to its last event."""
    last = [*journal.events()][-1]
    for by in (Signer.LIGHT, Signer.DARK):
        key = SigningKey.from_secret(str(by).encode().ljust(32))
        seal = key.sign(state(by, str(by), last, key.public, "2026-11-23T12:30:00Z"))
        countersign(journal, "1", seal, "2026-11-23T12:30:00Z")
