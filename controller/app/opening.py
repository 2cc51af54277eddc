"""Opens a table as its configuration says: a new match, or the one that was interrupted."""

import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from controller.app.adviser import Adviser
from controller.app.desk import Desk, guarded
from controller.app.electronics import Electronics
from controller.app.eyes import Eyes
from controller.app.inbox import Inbox
from controller.app.live import CameraNews, LiveTable, Parts
from controller.app.screen import Screen
from controller.app.stopwatch import Stopwatch
from controller.app.timekeeper import Timekeeper
from controller.app.watcher import Watcher
from controller.app.wiring import wire
from controller.config import Config
from controller.config.sections import Engine
from controller.devices.camera.camera import Camera
from controller.devices.camera.live import LiveCamera
from controller.devices.camera.source import Wish
from controller.devices.camera.status import CameraStatus
from controller.errors import UserError
from controller.record.folder import MatchFolder, last_mark, unfinished
from controller.record.transcript import MatchRecord
from controller.referee.table.actions import Action
from controller.referee.table.events import ProfileChosen
from controller.referee.table.machine import step
from controller.rules.position import Side
from controller.vision.board import Board
from controller.vision.reader import read_board
from controller.vision.watch import Read

MB: Final = 1_000_000
OpenCamera = Callable[[Wish, Callable[[CameraStatus], None]], Camera]


def live_camera(wish: Wish, tell: Callable[[CameraStatus], None]) -> Camera:
    """The camera that a wish names, looked for from now on."""
    camera = LiveCamera(wish, tell=tell)
    camera.start()
    return camera


def open_table(
    config: Config,
    board: Board,
    write: Callable[[str], object],
    *,
    new: bool = False,
    clock: Callable[[], float] = time.monotonic,
    open_camera: OpenCamera = live_camera,
    read: Read = read_board,
) -> LiveTable:
    """A table that is ready to run; the newest match in the record's folder goes on if it was interrupted.

    Args:
        config: how the table is to be.
        board: the board under the camera.
        write: takes what people are to read, with line ends.
        new: begin a new match even if one was interrupted.
        clock: monotonic seconds.
        open_camera: opens the camera.
        read: reads a picture.

    Raises:
        UserError: for a configuration that cannot be played, or a folder that cannot be made.
    """
    settings, control = config.settings(), config.time_control()
    names = {Side.LIGHT: config.match.light, Side.DARK: config.match.dark}
    screen = Screen(write, config.table.languages, names)
    watch, inbox = Stopwatch(clock), Inbox()
    interrupted = None if new else _interrupted(config)
    folder = MatchFolder(
        _new_folder(config) if interrupted is None else interrupted,
        _utc,
        screen.say,
        clock,
        config.record.evidence_mb * MB,
    )
    first: list[Action] = []
    careful = guarded(step, screen.say)
    if interrupted is None:
        facts = replace(config.facts(), played_on=_today(), transcriber="Pointsman")
        desk = Desk.open(
            settings,
            folder.book,
            first.append,
            folder.follow,
            careful,
            names=(names[Side.LIGHT], names[Side.DARK]),
            facts=facts,
        )
    else:
        desk = Desk.resume(folder.book, first.append, folder.follow, careful)
        screen.say(f"The match in {folder.path} goes on.")
        if desk.table.settings.terms != settings.terms:
            desk.put(ProfileChosen(desk.table.t, settings.terms.profiles[0]))
    watch.set(desk.table.t)
    timekeeper = None if control is None else Timekeeper(control)
    mark = None
    if interrupted is not None:
        mark = last_mark(folder.journal)
        if timekeeper is not None:
            timekeeper.restore(folder.journal, folder.book.log.match, desk.table.t)
    electronics = Electronics(inbox, watch.t, screen.say, clock)
    session = secrets.randbelow(2**32 - 1) + 1
    wire(electronics, config, board, mark, session, screen.say, clock)
    news = CameraNews(inbox, watch.now, screen.say)
    camera = open_camera(config.wish((board.camera.width, board.camera.height)), news.changed)
    parts = Parts(
        desk,
        folder,
        inbox,
        electronics,
        camera,
        Watcher(camera, Eyes(board, read), inbox, watch.t, screen.say),
        screen,
        watch,
        timekeeper,
        _adviser(config.engine.use, inbox, screen.say),
    )
    return LiveTable(parts, tuple(first))


def _adviser(engine: Engine, inbox: Inbox, tell: Callable[[str], None]) -> Adviser | None:
    match engine:
        case Engine.NONE:
            return None
        case Engine.AUTO:
            return Adviser("auto", inbox, tell)
        case Engine.GNUBG:
            return Adviser("gnubg", inbox, tell)
        case Engine.BGSAGE:
            return Adviser("bgsage", inbox, tell)


def _interrupted(config: Config) -> Path | None:
    """The folder of the newest match, if it is not over and the same people play it."""
    found = unfinished(config.record_folder())
    if found is None:
        return None
    path, record = found
    return path if _same(config, record) else None


def _same(config: Config, record: MatchRecord) -> bool:
    return (record.light, record.dark) == (config.match.light, config.match.dark)


def _new_folder(config: Config) -> Path:
    """A folder that does not exist yet, named after the time and the players."""
    base = f"{_local_time()}-{_plain(config.match.light)}-{_plain(config.match.dark)}"
    for number in range(1, 1000):
        path = config.record_folder() / (base if number == 1 else f"{base}-{number}")
        if not path.exists():
            return path
    raise UserError(f"There are a thousand folders {base} in {config.record_folder()}; move some away.")


def _plain(name: str) -> str:
    """A name as part of a file's name."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-") or "player"


def _local_time() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")


def _today() -> date:
    return datetime.now().astimezone().date()


def _utc() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
