"""Two tables with a board and a camera each, one match between them, and a network that can be cut."""

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from controller.app.live import LiveTable
from controller.app.pages import open_pages
from controller.app.room import Room
from controller.config import Config
from controller.config.sections import (
    BoardSection,
    ClockKind,
    ClockSection,
    MatchSection,
    SeatOf,
    SeatsSection,
    TableSection,
    WebSection,
)
from controller.partner.remote.code import TableCode
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.referee.events import DIRECTOR
from controller.referee.table.settings import End
from controller.rules import Position, Side
from controller.rules.moves.plays import legal_plays
from tests.app.test_live import Scene
from tests.striped import BOARD

PATIENCE_S = 120.0


class Network:
    """Passes on what comes for a port; a cut closes every connection and lets none through until it is mended."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self._open: list[socket.socket] = []
        self.is_cut = False
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        with self._lock:
            self.is_cut, gone = True, self._open
            self._open = []
        for each in gone:
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()

    def mend(self) -> None:
        self.is_cut = False

    def lead_to(self, port: int) -> None:
        """From now on somebody else answers."""
        self.cut()
        self._to = port
        self.mend()

    def close(self) -> None:
        self.cut()
        self._listening.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                here, _ = self._listening.accept()
                if self.is_cut:
                    here.close()
                    continue
                there = socket.create_connection(("127.0.0.1", self._to))
                with self._lock:
                    self._open += [here, there]
                for one, other in ((here, there), (there, here)):
                    threading.Thread(target=self._pump, args=(one, other), daemon=True).start()

    def _pump(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while data := one.recv(65536):
                other.sendall(data)
        for each in (one, other):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)


class OneTable:
    """A table at work in a thread, with the board that a test lays out."""

    def __init__(self, folder: Path, own: Side, code: str = "", **changes: object) -> None:
        self.own, self.scene, self.text = own, Scene(), list[str]()
        self._config = config_of(folder, own, code, **changes)
        self._stop, self._open = threading.Event(), threading.Event()
        self.room: Room
        self.port = 0
        self._thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        scene = self.scene
        self.room = Room(self._config, BOARD, self.text.append, open_camera=scene.open, read=scene.reading)
        with open_pages(self.room, self._config.web) as pages:
            self.port = pages.port
            self.room.open_match()
            self._open.set()
            self.room.run(self._stop, stays=True)

    @property
    def table(self) -> LiveTable:
        assert self.room.match.table is not None
        return self.room.match.table

    @property
    def said(self) -> str:
        return "".join(self.text)

    @property
    def code(self) -> str:
        assert self.room.admission is not None
        return self.room.admission.code

    def __enter__(self) -> "OneTable":
        self._thread.start()
        assert self._open.wait(PATIENCE_S)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        """The program ends."""
        self._stop.set()
        self._thread.join()

    def again(self) -> "OneTable":
        """The same table, started anew: set-up had told it the code, and no file names it."""
        return OneTable(self._config.folder, self.own, web=self._config.web)

    @property
    def code_used(self) -> TableCode:
        """The code by which this table calls the other one."""
        return TableCode.read(self._config.seats.code)

    @property
    def up(self) -> bool:
        """Whether the other table is there."""
        remote = self.table.parts.remote
        return remote is not None and remote.up

    def knows_all(self) -> bool:
        """Whether each table has heard what the other one told, and this one has done what follows from it."""
        line = self.table.parts.remote._line  # type: ignore[union-attr]
        return line.unheard == 0 and line.first() is None

    def left(self, side: Side) -> float:
        """Seconds that the clock of a side has left, as this table shows it."""
        clock = self.room.view().clock
        assert clock is not None
        return clock.reserve_s[side]

    def until(self, what: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not what():
            assert time.monotonic() < end, f"{self.table.state.phase} {self.said[-1500:]}"
            time.sleep(0.01)

    def until_phase(self, phase: Phase, on_turn: Side | None = None) -> None:
        self.until(lambda: self.table.state.phase is phase and on_turn in (None, self.table.state.on_turn))

    def say(self, what: str, **more: object) -> None:
        saying = {"what": what, **more}
        reply = self.room.ask(saying, str(self.own)).result(PATIENCE_S)  # type: ignore[arg-type]
        assert reply.done, reply.words and reply.words("en")

    def ask_director(self, what: str, **more: object) -> None:
        reply = self.room.ask({"what": what, **more}, DIRECTOR).result(PATIENCE_S)  # type: ignore[dict-item]
        assert reply.done, reply.words and reply.words("en")

    def score(self) -> tuple[int, int]:
        score = self.table.state.match.score
        return score.light, score.dark

    def lay(self, position: Position) -> None:
        self.scene.lay(position)

    def play(self, dice: tuple[int, int], choose: Callable[[tuple[Position, ...]], Position]) -> Position:
        """Roll at this table and play: the board lies still, and that ends the turn."""
        self.until_phase(Phase.TO_ROLL, self.own)
        self.say("roll", side=str(self.own), dice=list(dice))
        return self.move(choose)

    def move(self, choose: Callable[[tuple[Position, ...]], Position]) -> Position:
        state = self.table.state
        assert state.thrown is not None
        ends = tuple(each.after for each in legal_plays(state.position, self.own, state.thrown.roll))
        after = choose(ends) if ends else state.position
        if after == state.position:
            self.say("pressed", side=str(self.own), button="done")
        else:
            self.lay(after)
        self.until(
            lambda: self.table.state.thrown is None or self.table.state.match.game.turn is not self.own
        )
        return after

    def carry(self) -> None:
        """Move the other side's checkers as this table shows them."""
        self.until(lambda: self.table.state.announced is not None or self.table.state.on_turn is self.own)
        if self.table.state.announced is not None:
            self.lay(self.table.state.announced)

    def turns(self) -> list[tuple[object, ...]]:
        """What its record has, turn by turn."""
        with Journal(self.table.path / JOURNAL, read_only=True) as journal:
            record = read_match(journal, NAME)
        return [
            (number, turn.ply, turn.player, turn.roll, turn.after, turn.legal, turn.stands)
            for number, game in enumerate(record.games)
            for turn in game.turns
        ]


def config_of(folder: Path, own: Side, code: str = "", **changes: object) -> Config:
    away = {str(own.opponent): SeatOf.REMOTE}
    config = Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla", length=3),
        board=BoardSection(port="none"),
        clock=ClockSection(kind=ClockKind.NONE),
        table=TableSection(ends=(End.REST,), rest_s=0.5),
        seats=SeatsSection(code=code, **away),
        web=WebSection(use=True, port=0),
    )
    return replace(config, **changes)  # type: ignore[arg-type]


@contextmanager
def two_tables(folder: Path, **changes: object) -> Iterator[tuple[OneTable, OneTable, Network]]:
    """Light's table, which listens, dark's, which calls, and the network between them."""
    (folder / "light").mkdir()
    (folder / "dark").mkdir()
    with OneTable(folder / "light", Side.LIGHT, **changes) as light:
        light.until(lambda: bool(light.code))
        network = Network(light.port)
        code = replace(TableCode.read(light.code), host="127.0.0.1", port=network.port)
        try:
            with OneTable(folder / "dark", Side.DARK, str(code), **changes) as dark:
                yield light, dark, network
        finally:
            network.close()


def first(ends: tuple[Position, ...]) -> Position:
    return ends[0]


def open_match(light: OneTable, dark: OneTable, dice: tuple[int, int] = (3, 1)) -> None:
    """Each side rolls its die; the two are told to each other."""
    light.until_phase(Phase.OPENING_ROLL)
    dark.until_phase(Phase.OPENING_ROLL)
    light.say("opening_roll", light=dice[0], dark=dice[1])
    dark.say("opening_roll", light=dice[0], dark=dice[1])
    for each in (light, dark):
        each.until_phase(Phase.MOVING)
