"""Opens a match as its configuration says: a new one, or the one that was interrupted."""

import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.app.desk import Desk, Follow
from controller.app.electronics import Electronics
from controller.app.inbox import Inbox
from controller.app.live import Adviser, LiveTable, Parts, Stopwatch
from controller.app.pairing import paired_config, pairing_in
from controller.app.screen import LineScreen
from controller.app.timekeeper import Left, Low, Timekeeper
from controller.config import Config
from controller.config.sections import Engine, MatchSection
from controller.dates import day_of
from controller.errors import UserError
from controller.messages.device_words import LocalText, program_words, record_words, time_words
from controller.record import MatchFolder, MatchRecord
from controller.record.journal.journal import Journal, JournalEvent, utc_now
from controller.record.journal.seal import KEY_FILE, SealError, SigningKey, read_seals
from controller.record.journal.soundness import newest_copy
from controller.record.match.match import Facts
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from controller.record.table.sequence import begin_next, find_unfinished
from controller.referee import Action, Event, step
from controller.referee.events import ProfileChosen, Resumed
from controller.rules import MovementRules, Position, Side
from controller.telling.board_text import board_text
from controller.vision.board.board import PointSegments

if TYPE_CHECKING:
    from controller.analysis.advice import EngineName as Asked
    from controller.app.remote.table import RemoteTable
    from controller.partner.actor import SeatActor
    from controller.partner.remote.admission import PartnerAdmission

MB: Final = 1_000_000
ENGINES: Final[dict[Engine, "Asked"]] = {
    Engine.AUTO: "auto",
    Engine.GNUBG: "gnubg",
    Engine.BGSAGE: "bgsage",
}


@dataclass(frozen=True)
class Lent:
    """What a room lends a match.

    Attributes:
        inbox: where best plays go.
        electronics: dice, buttons and lights.
        screen: what both players may read.
        tell: called with sentences that people are to be told.
        hear: is given all that came of one event.
        hear_left: is told when a reserve of the clock comes down to a minute or to ten seconds.
        clock: monotonic seconds.
        segments: how the board lies in the pictures, `None` where nobody knows.
        admission: lets another table in; None where there are no pages.
    """

    inbox: Inbox
    electronics: Electronics
    screen: LineScreen
    tell: Callable[[LocalText], None]
    hear: Callable[[tuple[Action, ...]], None]
    clock: Callable[[], float]
    segments: PointSegments | None = None
    admission: "PartnerAdmission | None" = None
    hear_left: Left = lambda _: None


def open_match(config: Config, lent: Lent, *, new: bool = False) -> LiveTable:
    """A match that is ready to begin; the newest one in the record's folder goes on if it was interrupted.

    Args:
        config: how the table is to be, and who plays what.
        lent: what the match is lent.
        new: begin a new match even if one was interrupted.

    Raises:
        UserError: for a configuration that cannot be played, or a folder that cannot be made.
    """
    folder, resumes = _open_folder(config, lent, new=new)
    desk = _resume(folder, lent.tell) if resumes else _begin(config, folder, lent)
    names = _names(folder) if resumes else names_of(config)
    lent.screen.call(names)
    if resumes and desk.table.match.game.turn is not None:
        # The board should stand like this; how it differs is said once it is seen.
        lent.screen.print_words(
            partial(_expected, desk.table.position, desk.table.match.game.profile.movement)
        )

    def warn(side: Side) -> None:
        lent.tell(time_words(side, names))
        lent.electronics.beep()

    timekeeper = _timekeeper(config, desk if resumes else None, warn, lent.hear_left)
    parts = Parts(
        folder,
        lent.electronics,
        lent.screen,
        watch=Stopwatch(lent.clock, desk.table.t),
        names=names,
        tell=lent.hear,
        lines_up=lent.inbox.line_up,
        timekeeper=timekeeper,
        adviser=_adviser(config, lent),
        seats=_seats(config, lent),
        remote=_remote(config, lent, desk, folder.path, timekeeper),
    )
    return LiveTable(desk, parts, _first_events(config, desk) if resumes else ())


def config_to_resume(config: Config) -> Config | None:
    """The configuration under which the match that was interrupted goes on; None where there is no such match.

    Where the configuration names no players they were named on the set-up page, and the record knows them.
    """
    last = find_unfinished(config.record_folder())
    if last is None or last.record is None:
        return None
    paired = _paired(config, last.folder)
    if paired is not None and _same(paired, last.record):
        return paired
    nobody = MatchSection()
    if (config.match.light, config.match.dark) == (nobody.light, nobody.dark):
        match = replace(config.match, light=last.record.light, dark=last.record.dark)
        return replace(config, match=match)
    return config if _same(config, last.record) else None


def _paired(config: Config, folder: Path) -> Config | None:
    """The configuration with the match as the club's hub began it, its clock above all; None if it did not."""
    try:
        with Journal(newest_copy(folder / JOURNAL), read_only=True) as journal:
            body = pairing_in(journal, NAME)
        return None if body is None else paired_config(config, body)
    except UserError:
        return None


def names_of(config: Config) -> Mapping[Side, str]:
    """What the players are called."""
    return {Side.LIGHT: config.match.light, Side.DARK: config.match.dark}


def _expected(position: Position, rules: MovementRules, language: str) -> str:
    return board_text(position, Side.LIGHT, language, rules)


def _names(folder: MatchFolder) -> Mapping[Side, str]:
    record = read_match(folder.journal, NAME)
    return {Side.LIGHT: record.light, Side.DARK: record.dark}


def _key(config: Config, screen: LineScreen) -> SigningKey | None:
    """The table's own key, made beside its matches at the first one; without it play goes on unsealed."""
    try:
        return SigningKey.make(config.record_folder() / KEY_FILE)
    except SealError as error:
        screen.print_line(str(error))
        return None


def _following(folder: MatchFolder, tell: Callable[[LocalText], None]) -> Follow:
    """Lines for what is written, and the code of each seal for people to write down."""

    def follow(events: Iterable[JournalEvent]) -> None:
        written = tuple(events)
        folder.follow(written)
        for _, seal in read_seals(written):
            tell(program_words("sealed", seal=seal.statement.code))

    return follow


def _begin(config: Config, folder: MatchFolder, lent: Lent) -> Desk:
    """The desk of a new match."""
    told = config.match
    return Desk.open(
        config.settings(),
        folder.book,
        _following(folder, lent.tell),
        step,
        lent.tell,
        names=(told.light, told.dark),
        facts=Facts(day_of(datetime.now(UTC)), told.place, told.event, told.round, told.table, "Pointsman"),
        segments=lent.segments,
    )


def _resume(folder: MatchFolder, tell: Callable[[LocalText], None]) -> Desk:
    """The desk of the match that lies in the folder."""
    desk = Desk.resume(folder.book, _following(folder, tell), step, tell)
    tell(program_words("resumed", folder=folder.path))
    return desk


def _first_events(config: Config, desk: Desk) -> tuple[Event, ...]:
    """The first event of a match that goes on; it keeps its rules whatever the configuration says now."""
    t, terms = desk.table.t, config.settings().terms
    chosen = bool(config.match.profile) and desk.table.settings.terms != terms
    other = (ProfileChosen(t, terms.profiles[0]),) if chosen else ()
    return Resumed(t), *other


def _timekeeper(config: Config, resumed: Desk | None, warn: Low, left: Left) -> Timekeeper | None:
    """The clock, if there is one, with what was left of the reserves in a match that goes on."""
    control = config.time_control()
    if control is None:
        return None
    remote = config.seats.remote_side() if resumed is None else resumed.table.settings.remote
    timekeeper = Timekeeper(control, warn, left, [side for side in Side if side is not remote])
    if resumed is not None:
        log = resumed.book.log
        timekeeper.restore(log.journal, log.match, resumed.table.t)
    return timekeeper


def _adviser(config: Config, lent: Lent) -> Adviser | None:
    engine = ENGINES.get(config.engine.use)
    return None if engine is None else Adviser(engine, lent.inbox, lent.tell)


def _seats(config: Config, lent: Lent) -> "SeatActor | None":
    """The engines that play a side; where none is installed a small player does."""
    sides = config.seats.engine_sides()
    if not sides:
        return None
    # Only a table at which an engine plays needs it, and it is slow to load.
    from controller.partner.actor import SeatActor
    from controller.partner.external import ExternalMind
    from controller.partner.level import mind_of
    from controller.partner.seat import EngineSeat

    engine = ENGINES.get(config.engine.use)
    away, level = config.seats.external_engine(), config.seats.level
    minds = {
        side: mind_of(level, engine, random.Random()) if away is None else ExternalMind(*away)
        for side in sides
    }
    return SeatActor([EngineSeat(side, mind) for side, mind in minds.items()], lent.inbox.put)


def _remote(
    config: Config, lent: Lent, desk: Desk, folder: Path, timekeeper: Timekeeper | None
) -> "RemoteTable | None":
    """The table at which one side plays, if one does."""
    side = desk.table.settings.remote
    if side is None:
        return None
    # Only a table that plays against another one needs it.
    from controller.app.remote.table import RemoteTable

    table = RemoteTable(
        side, desk.table.settings.terms, config.seats.table_code(), folder, lent.tell, lent.admission
    )
    table.show_code_by(lent.screen.print_words)
    if timekeeper is not None:
        timekeeper.hold(desk.table.t)
    return table


def _open_folder(config: Config, lent: Lent, *, new: bool) -> tuple[MatchFolder, bool]:
    """The folder of the match that goes on, or of a new one; and whether it goes on.

    The last match goes on if it is not over and the same people play it. If it should but cannot, that is told.
    """
    last = None if new else find_unfinished(config.record_folder())
    room, key = config.record.evidence_mb * MB, _key(config, lent.screen)
    if last is not None and last.record is not None and _same(config, last.record):
        return MatchFolder(last.folder, utc_now, lent.tell, lent.clock, room, key=key), True
    path = _new_folder(config)
    lost = last if last is not None and last.record is None else None
    begun = begin_next(config.record_folder(), path, lost)
    if lost is not None:
        code = "forerunner" if lost.folder.exists() else "folder_gone"
        lent.tell(record_words(code, folder=lost.folder, why=lost.why, new=path))
    return MatchFolder(path, utc_now, lent.tell, lent.clock, room, begun=begun, key=key), False


def _same(config: Config, record: MatchRecord) -> bool:
    return (record.light, record.dark) == (config.match.light, config.match.dark)


def _new_folder(config: Config) -> Path:
    """A folder that does not exist yet, named after the time and the players."""
    base = f"{_local_time()}-{file_part(config.match.light)}-{file_part(config.match.dark)}"
    for number in range(1, 1000):
        path = config.record_folder() / (base if number == 1 else f"{base}-{number}")
        if not path.exists():
            return path
    raise UserError(f"There are a thousand folders {base} in {config.record_folder()}; move some away.")


def file_part(name: str) -> str:
    """A name as it stands in the name of a match folder."""
    flat = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", flat).strip("-") or "player"


def _local_time() -> str:
    return datetime.now().astimezone().strftime("%Y-%m-%d-%H%M%S")
