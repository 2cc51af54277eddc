"""A house whose table is a real referee and whose people are the test."""

import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from controller.devices import Button, LightFrame
from controller.messages.device_words import LocalText
from controller.record.filter.corrections import CORRECTIONS
from controller.record.filter.keys import Keys
from controller.record.filter.line_reader import said_event
from controller.record.journal.journal import Json
from controller.record.match.corrections import after_play
from controller.referee import Action, Event, Pressed
from controller.referee.table.choices import told_refusal
from controller.rules import Side
from controller.telling.table import told_text
from controller.vision import Board, Reading
from controller.web.health import Health, TableFigures
from controller.web.table_service import (
    ClockShown,
    DeviceShown,
    Glimpse,
    MatchShown,
    News,
    NewsListener,
    Notice,
    Reply,
    RoomState,
    RoomView,
    StillHolds,
)
from tests.referee.table.evening import Evening

NAMES = {Side.LIGHT: "Anna Kovács", Side.DARK: "Béla Szabó"}


@dataclass
class TableHouse:
    """A `TableService` around an evening. Everything that `tell` is told goes to whoever hears."""

    evening: Evening
    state: RoomState = RoomState.PLAYING
    names: Mapping[Side, str] = field(default_factory=lambda: dict(NAMES))
    folder: Path = Path()
    clock: ClockShown | None = None
    devices: tuple[DeviceShown, ...] = ()
    notices: tuple[Notice, ...] = ()
    picture: np.ndarray | None = None
    reading: Reading | None = None
    moving: bool = False
    board: Board | None = None
    asked: list[tuple[dict[str, Json], str, str]] = field(default_factory=list)
    lit: list[LightFrame] = field(default_factory=list)
    answers: bool = True
    event: int = 0
    _hearers: list[NewsListener] = field(default_factory=list)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def view(self) -> RoomView:
        """The table as it is now."""
        match = MatchShown("m1", self.folder, dict(self.names), event="Budapest Open", table="4")
        return RoomView(
            self.state,
            self.event,
            self.evening.table,
            match,
            self.clock,
            self.devices,
            t_s=self.evening.t,
            notices=self.notices,
        )

    def subscribe(self, hear: NewsListener) -> None:
        """Have somebody told."""
        self._hearers.append(hear)

    def ask(
        self, saying: Mapping[str, Json], by: str, command: str = "", holds: StillHolds | None = None
    ) -> "Future[Reply]":
        """Tell the referee at once."""
        answer: Future[Reply] = Future()
        with self._lock:
            self.asked.append((dict(saying), by, command))
            if self.answers and holds is not None and not holds(self.view()):
                answer.set_result(Reply(False, event=self.event, stale=True))
            elif self.answers:
                self._do(dict(saying), by, answer)
        return answer

    def health(self) -> Health:
        """What a real table would tell."""
        return TableFigures().health(0, 0, self.folder)

    def glimpse(self) -> Glimpse | None:
        """The picture, if there is one."""
        if self.picture is None:
            return None
        return Glimpse(self.picture, 7, 1.0, self.reading, 0.1, moving=self.moving, board=self.board)

    def light(self, frame: LightFrame) -> None:
        """Keep what the lights would show."""
        self.lit.append(frame)

    def tell(self, event: Event) -> tuple[Action, ...]:
        """Something happens at the table."""
        with self._lock:
            actions = self.evening.tell(event)
            self.event += 1
            self.say(actions=actions)
            return actions

    def play(self, act: Callable[[Evening], object]) -> tuple[Action, ...]:
        """Several things happen at the table, one after the other; all actions of them are told as one."""
        with self._lock:
            before = len(self.evening.actions)
            act(self.evening)
            actions = tuple(self.evening.actions[before:])
            self.event += 1
            self.say(actions=actions)
            return actions

    def stage(self, evening: Evening) -> None:
        """The table is where another evening is."""
        with self._lock:
            self.evening = evening
            self.say()

    def say(self, *words: LocalText, actions: tuple[Action, ...] = ()) -> None:
        """News go out."""
        news = News(self.view(), actions, words)
        for hear in self._hearers:
            hear(news)

    def _do(self, saying: dict[str, Json], by: str, answer: "Future[Reply]") -> None:
        t = self.evening.t = self.evening.t + 0.1
        if saying["what"] in (*CORRECTIONS, "set_clock", "start"):
            answer.set_result(Reply(True, None, self.event))
            return
        if "play" in saying:
            side, play = Side(str(saying["side"])), str(saying.pop("play"))
            saying["position"] = after_play(self.evening.table.position, side, play).compact()
        event: Event
        if saying["what"] == "pressed":
            side = saying.get("side")
            event = Pressed(t, Button[str(saying["button"]).upper()], Side(str(side)) if side else None)
        else:
            event = said_event(t, Keys({"t": t, "kind": "said", "by": by, **saying}))
        refused = told_refusal(self.tell(event))
        words = None if refused is None else lambda language: told_text(refused, language, dict(self.names))
        answer.set_result(Reply(refused is None, words, self.event))


def renamed(house: TableHouse, light: str, dark: str) -> TableHouse:
    """The same house with other players."""
    return replace(house, names={Side.LIGHT: light, Side.DARK: dark})
