"""Opens a table as its configuration says: a new match, or the one that was interrupted."""

import re
import secrets
import time
import unicodedata
from collections.abc import Callable
from datetime import UTC, date, datetime
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.analysis.advice import EngineName as Asked
from controller.app.desk import Desk, guard
from controller.app.electronics import Electronics
from controller.app.eyes import Eyes
from controller.app.inbox import Inbox
from controller.app.live import Adviser, CameraNews, LiveTable, Parts, Stopwatch
from controller.app.screen import LineScreen
from controller.app.timekeeper import Timekeeper
from controller.app.watcher import Watcher
from controller.config import Config
from controller.config.sections import DiceAt, Engine, LightsAt
from controller.devices import CameraStatus, EventMark, StripOrder
from controller.devices.buttons import PinButtons
from controller.devices.camera.camera import Camera, Wish
from controller.devices.camera.live import LiveCamera
from controller.devices.dice.pins import PinDice
from controller.devices.dice.textline import LinePattern, TextDice
from controller.devices.lights.backends import FirmwareLights, Lights, ShiftLights, StripLights
from controller.devices.link.link import Link
from controller.devices.link.transport import open_transport
from controller.devices.pins import board_model, library_for, pin_factory
from controller.errors import UserError
from controller.messages.device_words import Words, program_words, record_words, time_words
from controller.record import MatchFolder, MatchRecord
from controller.record.match.match import Facts
from controller.record.table.match_folder import last_mark
from controller.record.table.sequence import begin_next, find_unfinished
from controller.referee import Event, step
from controller.referee.events import ProfileChosen, Resumed
from controller.rules import Side
from controller.vision import Board, read_board
from controller.vision.watch import Read

if TYPE_CHECKING:
    from gpiozero import Factory

MB: Final = 1_000_000
ENGINES: Final[dict[Engine, Asked]] = {
    Engine.AUTO: "auto",
    Engine.GNUBG: "gnubg",
    Engine.BGSAGE: "bgsage",
}
Tell = Callable[[Words], None]
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
    names = {Side.LIGHT: config.match.light, Side.DARK: config.match.dark}
    screen = LineScreen(write, config.table.languages, names)
    folder, resumes = _open_folder(config, screen, clock, new=new)
    desk = _resume(folder, screen) if resumes else _begin(config, folder, screen)
    watch, inbox = Stopwatch(clock, desk.table.t), Inbox()
    electronics = Electronics(inbox, watch.t, screen.tell, clock)
    last = last_mark(folder.journal) if resumes else None
    wire(electronics, config, board, last, secrets.randbelow(2**32 - 1) + 1, screen.tell, clock)
    news = CameraNews(inbox, watch.now, screen.tell)
    camera = open_camera(config.wish((board.camera.width, board.camera.height)), news.changed)

    def warn(side: Side) -> None:
        screen.tell(time_words(side, names))
        electronics.beep()

    parts = Parts(
        folder,
        inbox,
        electronics,
        camera,
        Watcher(camera, Eyes(board, read, clock), inbox, watch.t, screen.tell),
        screen,
        watch,
        _timekeeper(config, desk if resumes else None, warn),
        _adviser(config, inbox, screen.tell),
    )
    return LiveTable(desk, parts, _first_events(config, desk) if resumes else ())


def _begin(config: Config, folder: MatchFolder, screen: LineScreen) -> Desk:
    """The desk of a new match."""
    told = config.match
    return Desk.open(
        config.settings(),
        folder.book,
        folder.follow,
        guard(step, screen.tell),
        names=(told.light, told.dark),
        facts=Facts(_today(), told.place, told.event, told.round, told.table, "Pointsman"),
    )


def _resume(folder: MatchFolder, screen: LineScreen) -> Desk:
    """The desk of the match that lies in the folder."""
    desk = Desk.resume(folder.book, folder.follow, guard(step, screen.tell))
    screen.tell(program_words("resumed", folder=folder.path))
    return desk


def _first_events(config: Config, desk: Desk) -> tuple[Event, ...]:
    """What a match that goes on is told first; it keeps its rules whatever the configuration says now."""
    t, terms = desk.table.t, config.settings().terms
    other = (ProfileChosen(t, terms.profiles[0]),) if desk.table.settings.terms != terms else ()
    return Resumed(t), *other


def _timekeeper(config: Config, resumed: Desk | None, warn: Callable[[Side], None]) -> Timekeeper | None:
    """The clock, if there is one, with what was left of the reserves in a match that goes on."""
    control = config.time_control()
    if control is None:
        return None
    timekeeper = Timekeeper(control, warn)
    if resumed is not None:
        log = resumed.book.log
        timekeeper.restore(log.journal, log.match, resumed.table.t)
    return timekeeper


def _adviser(config: Config, inbox: Inbox, tell: Callable[[Words], None]) -> Adviser | None:
    engine = ENGINES.get(config.engine.use)
    return None if engine is None else Adviser(engine, inbox, tell)


def _open_folder(
    config: Config, screen: LineScreen, clock: Callable[[], float], *, new: bool
) -> tuple[MatchFolder, bool]:
    """The folder of the match that goes on, or of a new one; and whether it goes on.

    The last match goes on if it is not over and the same people play it. If it should but cannot, that is told.
    """
    last = None if new else find_unfinished(config.record_folder())
    room = config.record.evidence_mb * MB
    if last is not None and last.record is not None and _same(config, last.record):
        return MatchFolder(last.folder, _utc, screen.tell, clock, room), True
    path = _new_folder(config)
    lost = last if last is not None and last.record is None else None
    begun = begin_next(config.record_folder(), path, lost)
    if lost is not None:
        code = "forerunner" if lost.folder.exists() else "folder_gone"
        screen.tell(record_words(code, folder=lost.folder, why=lost.why, new=path))
    return MatchFolder(path, _utc, screen.tell, clock, room, begun=begun), False


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


def wire(
    electronics: Electronics,
    config: Config,
    board: Board,
    last: EventMark | None,
    host_session: int,
    tell: Tell,
    clock: Callable[[], float],
) -> None:
    """Give a table its devices; nothing is started.

    Args:
        electronics: the table's.
        config: what there is to be.
        board: its file says which lamp lies where.
        last: the last event of the board in the journal.
        host_session: see `Link`.
        tell: is told what cannot be used, and why.
        clock: monotonic seconds.
    """
    port = config.port()
    if port is not None:
        electronics.link = Link(
            port,
            host_session=host_session,
            deliver=electronics.deliver,
            tell=electronics.link_changed,
            last=last,
            clock=clock,
        )
    electronics.board_dice = config.dice.source is DiceAt.BOARD
    for give in (
        partial(_give_dice, tell=tell),
        partial(_give_buttons, clock=clock),
        partial(_give_lights, board=board),
    ):
        try:
            give(electronics, config)
        except UserError as error:
            tell(program_words("without_device", why=error))


def _give_dice(electronics: Electronics, config: Config, tell: Tell) -> None:
    dice = config.dice
    if dice.source is DiceAt.TEXT:
        electronics.dice = TextDice(
            partial(open_transport, dice.port),
            LinePattern(dice.pattern),
            lambda why: tell(program_words("dice_away", why=why)),
        )
    elif dice.source is DiceAt.PINS:
        first, second = dice.first, dice.second
        electronics.dice = PinDice(
            _factory(),
            first=(first[0], first[1], first[2]),
            second=(second[0], second[1], second[2]),
            ready=dice.ready,
        )


def _give_buttons(electronics: Electronics, config: Config, clock: Callable[[], float]) -> None:
    pins = config.button_pins()
    if pins:
        electronics.buttons = PinButtons(_factory(), pins, clock)


def _give_lights(electronics: Electronics, config: Config, board: Board) -> None:
    electronics.lights = _lights(electronics, config, board)
    electronics.lights.night(config.lights.dark_room)


def _lights(electronics: Electronics, config: Config, board: Board) -> Lights:
    order = StripOrder.as_delivered() if board.lights is None else StripOrder.of_table(board.lights, "board")
    match config.lights_at():
        case LightsAt.BOARD if electronics.link is not None:
            return FirmwareLights(electronics.link, order, config.dimming())
        case LightsAt.STRIP:
            return StripLights.on_spi(config.lights.device, order, config.dimming())
        case LightsAt.LEDS:
            lines = config.lights
            return ShiftLights(
                _factory(),
                order,
                data=lines.data,
                clock=lines.clock,
                latch=lines.latch,
                registers=lines.registers,
            )
        case _:
            return Lights()


def _factory() -> "Factory":
    library = library_for(board_model(), has_lgpio=find_spec("lgpio") is not None)
    return pin_factory(library)
