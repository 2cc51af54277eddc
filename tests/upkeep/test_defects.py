"""A defect anywhere in the program leaves its traceback and an event, and happens again from the bundle alone."""

import json
import tarfile
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest

from controller.app.club import RoomClub
from controller.app.room import Room
from controller.cli import main
from controller.club.membership import Membership
from controller.club.messages import TableCommand
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.config import Config, load_config
from controller.devices import Button, EventMark
from controller.devices.camera.camera import Frame, Wish
from controller.devices.link.happenings import BoardEvent, DiceRolled
from controller.devices.link.link import Link
from controller.logs.defect import Defect
from controller.logs.level import LogLevel
from controller.logs.log import DEFECT_FILE, LOG_FILE, begin_log
from controller.referee import Event, FrameSeen, Pressed, RollReported
from controller.referee.events import (
    BoardTrouble,
    BoardTroubled,
    DeviceChanged,
    Disputed,
    FrameMoving,
    GoOn,
    HintAsked,
    Pause,
    Rebuild,
    Said,
)
from controller.rules import START, Side
from controller.rules.game import events as ruled
from controller.upkeep.reproduction import Reproduced, reproduce
from controller.upkeep.support import write_support
from controller.web.server.application import serve
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.table_service import Role
from tests.amounts import amount
from tests.referee.staging import Film
from tests.upkeep.tables import UTC

PATIENCE_S = 60.0
CONFIG = """
[match]
light = "Anna Kovács"
dark = "Béla"
length = 5
[board]
port = "none"
[engine]
use = "none"
"""


class DarkCamera:
    """A camera that gives no picture: what is seen comes from the script."""

    status = None

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(min(timeout_s, 0.05))
        return None

    def close(self) -> None:
        pass


class NoStatus:
    state = None


DarkCamera.status = NoStatus()  # type: ignore[assignment]


class AtTable:
    """A table that is running in a thread of its own, with its pages and its club."""

    def __init__(self, room: Room, server: WebServer) -> None:
        self.room, self.server = room, server
        self._film, self._t, self._frame = Film(Random(1)), 0.0, 0

    def settle(self) -> None:
        """Wait until all that happened so far is dealt with, and what came of that, too."""
        for _ in range(3):
            self.room.inbox.ask(lambda: None).result(PATIENCE_S)

    def happen(self, make: Callable[[float], Event]) -> None:
        self._t += 0.5
        self.room.inbox.put(make(self._t))
        self.settle()

    def show(self) -> None:
        self._frame += 3
        frame = self._frame
        self.happen(lambda t: FrameMoving(t, frame))
        for number in (1, 2):
            reading = self._film.read(START)
            self.happen(lambda t, n=number, r=reading: FrameSeen(t, frame + n, r))  # type: ignore[misc]

    def get(self, path: str, body: dict[str, object] | None = None) -> None:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.server.port}{path}", data, {"content-type": "application/json"}
        )
        with suppress(OSError):
            urllib.request.urlopen(request, timeout=PATIENCE_S).read()

    def follow(self) -> None:
        """Somebody looks at the table, and is told from now on what changes."""
        self.get("/api/v1/state")

    def order(self, **body: Any) -> None:
        """A command of the hub."""
        club = RoomClub(self.room, Membership(TableAddress("club", "one"), BrokerAddress("localhost", 0)))
        order = TableCommand("c1", "club/one", "", None, "director", "Somebody", body, 0, 10**15)
        with suppress(KeyError):
            club.carry_out(order).result(PATIENCE_S)

    def deliver(self) -> None:
        """The board's electronics report a roll."""
        self.room.electronics.board_dice = True
        link = Link("none", host_session=1, deliver=self.room.electronics.deliver, tell=lambda _: None)
        event = BoardEvent(EventMark(1, 2, 3), time.monotonic(), 5, DiceRolled((3, 1), 7, 99, False))
        link._dispatch("none", [event])

    def ask(self, **saying: Any) -> None:
        with suppress(KeyError):
            self.room.ask(saying, "director").result(PATIENCE_S)


def play(table: AtTable) -> None:
    """A game in which nearly everything happens that people do beside playing."""
    table.follow()
    table.show()
    table.happen(lambda t: RollReported(t, (3, 1)))
    table.happen(Pause)
    table.happen(GoOn)
    table.happen(lambda t: HintAsked(t, 1))
    table.happen(Disputed)
    table.happen(GoOn)
    table.happen(lambda t: BoardTroubled(t, BoardTrouble.RESTART, 0, "brown_out"))
    table.happen(lambda t: DeviceChanged(t, "camera", False, "lost"))
    table.happen(lambda t: Pressed(t, Button.DOUBLE))
    table.happen(Rebuild)
    table.happen(GoOn)
    table.ask(what="played", side="light", play="8/5 6/5")
    table.get("/api/v1/state")
    table.get("/api/v1/commands", {"id": "a1234567", "what": "pressed", "button": "roll"})
    table.order(what="message", text="Five minutes")
    table.deliver()
    table.happen(lambda t: Pressed(t, Button.DOUBLE))
    table.happen(lambda t: Pressed(t, Button.TAKE))
    table.happen(lambda t: Said(t, ruled.Resigned(Side.LIGHT, 1), "light"))
    table.happen(lambda t: Said(t, ruled.Resigned(Side.DARK, 1), "dark"))
    table.happen(lambda t: Said(t, ruled.ResignationAccepted(Side.DARK), "dark"))
    table.happen(lambda t: Said(t, ruled.ResignationAccepted(Side.LIGHT), "light"))
    table.get(f"/api/v1/matches/{table.room.view().match.id}/plies")  # type: ignore[union-attr]
    table.settle()


@contextmanager
def at_table(config: Config) -> Iterator[AtTable]:
    def open_camera(_: Wish, __: object) -> DarkCamera:
        return DarkCamera()

    room = Room(config, None, lambda _: None, open_camera=open_camera)  # type: ignore[arg-type]
    stop, up = threading.Event(), threading.Event()

    def work() -> None:
        room.open_match()
        up.set()
        room.run(stop, stays=True)

    thread = threading.Thread(target=work)
    thread.start()
    assert up.wait(PATIENCE_S)
    try:
        with serve(room, WebSettings(at_table=Role.DIRECTOR)) as server:
            yield AtTable(room, server)
    finally:
        stop.set()
        room.inbox.wake()
        thread.join(PATIENCE_S)


PLANTS = [
    "controller.referee.table.breaks.pause",
    "controller.referee.table.breaks.go_on",
    "controller.referee.table.breaks.dispute",
    "controller.referee.table.breaks.tell_trouble",
    "controller.referee.table.breaks.change_device",
    "controller.referee.table.breaks.rebuild",
    "controller.referee.table.cubes.offer_double",
    "controller.referee.table.cubes.answer_resignation",
    "controller.referee.table.cubes.resign",
    "controller.referee.table.rolls.take_roll",
    "controller.referee.table.sights._look_at_board",
    "controller.referee.table.games.end_game",
    "controller.record.table.table_log.result_words",
    "controller.record.table.table_log.table_seal",
    "controller.record.table.match_folder.lines_of",
    "controller.record.table.match_folder.mat_text",
    "controller.app.screen.roll_words",
    "controller.app.screen.action_text",
    "controller.app.electronics.Electronics.carry_out",
    "controller.app.live.after_play",
    "controller.web.outlet.state_of",
    "controller.web.outlet.Outlet.snapshot",
    "controller.web.server.commands._check",
    "controller.web.server.api.match_record",
    "controller.app.club.club_words",
    "controller.app.electronics.roll_of",
]
MENDED = frozenset(amount(PLANTS[::3], PLANTS))
"""Where these do not fail any more, nothing happens again."""


@dataclass
class Planted:
    """A function that fails; ``calls`` is how often it was called."""

    name: str
    calls: int = 0

    def __call__(self, *_: object, **__: object) -> Any:
        self.calls += 1
        raise KeyError(f"planted in {self.name}")


def bundle_of(config: Config, folder: Path) -> Path:
    bundle = folder / "support.tar.gz"
    write_support(config, bundle, [], now_s=0.0, made=UTC, ask=lambda _: None)
    return bundle


def packed(bundle: Path) -> dict[str, str]:
    with tarfile.open(bundle) as tar:
        return {info.name: tar.extractfile(info).read().decode() for info in tar}  # type: ignore[union-attr]


def config_in(folder: Path) -> Config:
    folder.mkdir()
    (folder / "pointsman.toml").write_text(CONFIG, encoding="utf-8")
    return load_config(folder / "pointsman.toml")


@pytest.mark.parametrize("plant", PLANTS)
def test_a_planted_defect_is_logged_written_down_and_reproduced(
    plant: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = config_in(tmp_path / "table")
    planted = Planted(plant)
    with (
        monkeypatch.context() as patch,
        begin_log(LogLevel.INFO, config.record_folder()),
        at_table(config) as table,
    ):
        patch.setattr(plant, planted)
        play(table)
    assert planted.calls, "nothing called it"
    bundle = bundle_of(config, tmp_path)
    files = packed(bundle)
    assert "Traceback" in files[LOG_FILE]
    assert f"planted in {plant}" in files[LOG_FILE]
    defects = [
        event["payload"]
        for event in map(json.loads, files["match.jsonl"].splitlines())
        if event["kind"] == "defect"
    ]
    assert [defect["kind"] for defect in defects][:1] == ["KeyError"]
    assert plant in defects[0]["text"]
    for name in ("Anna", "Kovács", "Béla", "anna", "bela"):
        assert name not in "".join(files.values())

    again = Planted(plant)
    with monkeypatch.context() as patch:
        patch.setattr(plant, again)
        outcomes = reproduce(bundle, _folder(tmp_path / "again"))
    assert _reproduced(outcomes, defects[0]), outcomes
    if plant in MENDED:
        mended = reproduce(bundle, _folder(tmp_path / "mended"))
        assert not any(outcome.found for outcome in mended)


def _reproduced(outcomes: list[Reproduced], defect: dict[str, Any]) -> bool:
    signature = (defect["kind"], defect["file"], defect["function"])
    return any(
        outcome.found is not None
        and outcome.found.signature == signature
        and "planted" in outcome.found.traceback
        for outcome in outcomes
    )


def _folder(path: Path) -> Path:
    path.mkdir()
    return path


def test_the_command_ends_with_1_and_the_traceback_where_a_defect_comes_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    config, plant = config_in(tmp_path / "table"), "controller.referee.table.breaks.pause"
    with monkeypatch.context() as patch:
        patch.setattr(plant, Planted(plant))
        with at_table(config) as table:
            table.show()
            table.happen(Pause)
        bundle = bundle_of(config, tmp_path)
        assert _status("reproduce", str(bundle), monkeypatch=patch) == 1
    told = capsys.readouterr().out
    assert "Again, at the same state: KeyError in _ask, controller/referee/table/machine.py" in told
    assert "Traceback (most recent call last)" in told
    assert _status("reproduce", str(bundle), monkeypatch=monkeypatch) == 0
    assert "Not again: KeyError in _ask" in capsys.readouterr().out


def test_what_came_several_times_is_told_once_as_it_came_first(tmp_path: Path) -> None:
    config = config_in(tmp_path / "table")
    config.record_folder().mkdir(parents=True, exist_ok=True)
    came = [("ZeroDivisionError", 1), ("KeyError", 2), ("ZeroDivisionError", 3)]
    lines = [
        json.dumps(Defect(kind, "", "controller/app/eyes.py", "look", line, "", "camera").record())
        for kind, line in came
    ]
    (config.record_folder() / DEFECT_FILE).write_text("\n".join(lines))
    outcomes = reproduce(bundle_of(config, tmp_path), _folder(tmp_path / "again"))
    assert sorted((each.wanted.kind, each.wanted.line) for each in outcomes) == sorted(came[:2])


def test_what_is_no_bundle_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("no archive")
    assert _status("reproduce", str(tmp_path / "file"), monkeypatch=monkeypatch) == 2
    assert (
        _status("reproduce", str(bundle_of(config_in(tmp_path / "table"), tmp_path)), monkeypatch=monkeypatch)
        == 2
    )
    told = capsys.readouterr().err
    assert "is not an archive of Pointsman" in told
    assert "tells of no defect" in told


def _status(*words: str, monkeypatch: pytest.MonkeyPatch) -> object:
    monkeypatch.setattr("sys.argv", ["pointsman", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return ended.value.code
