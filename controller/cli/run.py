"""``pointsman run``: the referee at a real table."""

import logging
import os
import sys
import threading
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from controller.app.aloud.announcer import open_announcer
from controller.app.keyboard import Keyboard
from controller.app.pages import RoomPages, page_addresses, square_code
from controller.app.room import Room
from controller.app.service import RoomService
from controller.aside import thread_aside
from controller.cli.options import ConfigFile, LogLevelGiven
from controller.cli.output import put
from controller.cli.upkeep.pin import first_start_words
from controller.club.status import ClubState, ClubStatus
from controller.config import Config, load_config
from controller.config.board import read_board_file
from controller.config.config import NAME
from controller.config.sections import DiceAt
from controller.devices.camera.choice import PHONE
from controller.devices.dice.lines import STANDARD_INPUT
from controller.errors import UserError
from controller.logs.level import LogLevel
from controller.logs.log import begin_log
from controller.signals import on_signals
from controller.systemd import ServiceManager
from controller.vision import Board
from controller.vision.fitted.network import choose_runner
from controller.vision.reader import prepare_reading

if TYPE_CHECKING:
    from controller.app.club import RoomClub

_LOGGER: Final = logging.getLogger(__name__)


def run(
    config: ConfigFile = None,
    new: Annotated[
        bool, typer.Option("--new", help="Begin a new match even if the last one was interrupted.")
    ] = False,
    keyboard: Annotated[
        bool | None,
        typer.Option(
            "--keyboard/--no-keyboard",
            help="Players type rolls, doubles and answers, a line each.",
            show_default="at a terminal",
        ),
    ] = None,
    log_level: LogLevelGiven = None,
) -> None:
    """Referee a match at a real table; a match that was interrupted goes on.

    Ctrl-C stops; run it again to resume. A terminal that is closed stops it, too, and nothing is lost. As a service
    of systemd it says when it is ready, how it stands, and that it goes on.
    """
    known = load_config(config)
    stop = threading.Event()
    board = _known_board(known)
    room = Room(known, board, lambda text: _say(text.removesuffix("\n")))

    manager = ServiceManager.from_environment(os.environ)

    def leave() -> None:
        manager.stopping()
        stop.set()
        room.inbox.wake()

    with on_signals(leave), ExitStack() as stack:
        log = begin_log(log_level or known.log.level, known.record_folder(), partial(_wished, config))
        stack.enter_context(log).begin()
        stack.callback(room.close)
        rolled = known.dice.source is DiceAt.TEXT and known.dice.port == STANDARD_INPUT
        typed = not rolled and (sys.stdin.isatty() if keyboard is None else keyboard)
        pages = _take_port(room, stack, config or Path(NAME), needed=board is None) if known.web.use else None
        if pages is not None and board is None:
            pages.open()
        stack.callback(open_announcer(room).close)
        _choose_runner(known)
        room.open()
        # While the camera is opened and the match is begun.
        thread_aside(_load, "pointsman-load").start()
        goes_on = board is not None and not new and room.resume_match()
        if board is not None and not goes_on and (known.label or not known.web.use or new):
            room.open_match(new=new)
        if typed:
            keys = Keyboard(room, leave)
            stack.enter_context(keys.keep_apart())
            stack.callback(keys.close)
            keys.start()
        later = pages if board is not None else None
        club = _join(room, stack, pages) if known.club.use else None
        service = RoomService(room, manager, partial(_open_aside, later, club))
        room.run(stop, stays=typed or pages is not None or club is not None, turned=service.turned)


def _known_board(known: Config) -> Board | None:
    """The table's board; None where the set-up page is to find it, since there is no file that can be used."""
    path = known.board_file()
    try:
        return read_board_file(path) if path.exists() or not known.web.use else None
    except UserError as error:
        if not known.web.use:
            raise
        _say(f"{error} The set-up page does that, too; this file is then kept under another name.")
        return None


def _wished(config: Path | None) -> LogLevel:
    """The level of the log that the configuration names now."""
    try:
        return load_config(config).log.level
    except UserError as error:
        _LOGGER.warning("The configuration cannot be read: %s", error)
        return LogLevel.INFO


def _choose_runner(known: Config) -> None:
    """Have the networks computed as the configuration wants; where that is not installed, OpenCV does it."""
    try:
        choose_runner(known.camera.networks)
    except UserError as error:
        _say(str(error))


def _load() -> None:
    """What the first picture needs; what is missing is reported when it comes."""
    with suppress(UserError):
        prepare_reading()


def _take_port(room: Room, stack: ExitStack, file: Path, *, needed: bool) -> RoomPages | None:
    """Take the port of the pages and say where they are. Play goes on without them, unless they are needed."""
    section = room.config.web
    try:
        pages = stack.enter_context(RoomPages(room, section, file))
    except UserError as error:
        if needed:
            raise
        _say(str(error))
        return None
    addresses = page_addresses(pages.port, section)
    for address in addresses:
        _say(address)
    shown = addresses[-1]
    if section.open and room.config.camera.source == PHONE:
        shown = f"{shown}camera#{pages.phone.new_code()}"
        _say(shown)
    if section.open and sys.stdout.isatty():
        _say(square_code(shown))
    first = _new_code(pages)
    if first:
        _say(first_start_words(first))
    if first and sys.stdout.isatty():
        _say(square_code(first))
    return pages


def _new_code(pages: RoomPages) -> str:
    """Where a phone may set up a new table; empty where none may, or no code can be kept: play goes on without."""
    try:
        return pages.new_code()
    except UserError as error:
        _say(str(error))
        return ""


def _join(room: Room, stack: ExitStack, pages: RoomPages | None) -> "RoomClub | None":
    """The table's place in its club, to be started. Play goes on without it."""
    from controller.app.club import RoomClub  # most tables belong to no club

    addresses = () if pages is None else page_addresses(pages.port, room.config.web)[1:]
    try:
        authority = pages.authority() if pages is not None and addresses else ""
        return stack.enter_context(RoomClub.from_room(room, addresses[-1] if addresses else "", authority))
    except UserError as error:
        room.club_status = ClubStatus(ClubState.NOT_PAIRED, why=str(error))
        room.news.show_anew()
        _say(str(error))
        return None


def _open_aside(pages: RoomPages | None, club: "RoomClub | None") -> None:
    """Load the pages beside the play, and join the club, now that the table can judge."""
    if club is not None:
        club.start()
    if pages is not None:
        thread_aside(partial(_open, pages), "pointsman-pages").start()


def _open(pages: RoomPages) -> None:
    try:
        pages.open()
    except UserError as error:
        _say(str(error))


def _say(text: str) -> None:
    """A line, if anybody can read it."""
    with suppress(OSError, ValueError):
        put(text)
