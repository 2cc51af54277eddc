"""The match that is on at a table: from when its journal is open until its files are written."""

from collections.abc import Callable, Sequence
from typing import Final

from controller.app.eyes import board_of
from controller.app.live import LiveTable, Stopwatch
from controller.app.opening import Lent, open_match
from controller.config import Config
from controller.config.sections import MatchSection
from controller.logs.defect import Defect, DefectScene
from controller.logs.privacy import hide
from controller.messages.device_words import LocalText, program_words
from controller.record.table.sequence import discard_if_blank
from controller.referee.digest import state_digest
from controller.referee.table.games import start_of
from controller.rules import Side
from controller.vision import Board
from controller.web.table_service import ClockShown, DeviceShown, MatchShown

FAREWELL_S: Final = 2.0
"""How long a finished match is still listened to where nobody can begin another one."""
SHORTEST_PART: Final = 3
"""Parts of a name that are shorter stand in too many other words."""


class CurrentMatch:
    """The match that is on, or was last. For the thread that steps; its attributes may be read from any.

    Attributes:
        table: the match; None before the first one.
    """

    def __init__(self, clock: Callable[[], float], tell: Callable[[LocalText], None]) -> None:
        """There is no match yet; ``tell`` is called with what people are to be told."""
        self.table: LiveTable | None = None
        self._clock, self._tell = clock, tell
        self._before = Stopwatch(clock)
        self._ended = False
        self._over_at: float | None = None

    @property
    def live(self) -> LiveTable | None:
        """The match whose files are open: it is on, or was last; None without one."""
        return None if self._ended else self.table

    @property
    def playing(self) -> bool:
        """Whether a match is on."""
        # Other threads ask, too: what they have seen to be there must not be gone in the next word.
        live = self.live
        return live is not None and not live.over

    @property
    def watch(self) -> Stopwatch:
        """Tells the seconds of the match; before the first one those since the table was made."""
        return self._before if self.table is None else self.table.parts.watch

    def t(self, at_s: float) -> float:
        """Seconds of the match at ``at_s`` of the machine's clock."""
        return self.watch.t(at_s)

    def open(self, config: Config, lent: Lent, *, new: bool) -> LiveTable:
        """Have a match ready to begin, in place of the one before; see `open_match`."""
        self.end()
        self.table, self._over_at, self._ended = open_match(config, lent, new=new), None, False
        hide(_private(self.table))
        return self.table

    def end(self) -> None:
        """Write the files of the match and say where they are; a match in which nothing happened leaves none."""
        if self.table is None or self._ended:
            return
        self._ended = True
        self.table.end()
        if not self.table.parts.folder.complete:
            # The disk holds a part only, and what became of the whole has been said; that part is no blank match.
            return
        blank = discard_if_blank(self.table.path)
        self._tell(program_words("not_kept") if blank else program_words("kept", folder=self.table.path))

    def is_past(self) -> bool:
        """Whether the match has been over so long that nobody need be listened to any more."""
        if self.table is None or not self.table.over:
            self._over_at = None
            return False
        self._over_at = self._over_at or self._clock()
        return self._clock() - self._over_at >= FAREWELL_S

    def scene(self) -> DefectScene:
        """Where the table stands, for the log."""
        if self.live is None:
            return DefectScene("room")
        return DefectScene("table", self.live.parts.folder.last_event, state_digest(self.live.state))

    def note_defect(self, defect: Defect) -> None:
        """Write a defect into the journal, if one is open."""
        if self.live is not None:
            self.live.note_defect(defect)

    def shown(self) -> list[DeviceShown]:
        """What belongs to the match and may fail: its journal if it fails, the other table if there is one."""
        shown: list[DeviceShown] = []
        table = self.table
        if table is not None and not table.parts.folder.complete:
            shown.append(DeviceShown("journal", False, program_words("journal_waits")))
        live = self.live
        remote = None if live is None else live.parts.remote
        if remote is not None:
            shown.append(DeviceShown("other_table", remote.up, remote.words()))
        return shown

    def expected(self) -> Sequence[Sequence[int]]:
        """What may lie on the board: the position confirmed last, or that of a new game."""
        if self.table is None:
            return ()
        return self.table.state.position.points, start_of(self.table.state).points

    def played_on(self, board: Board) -> Board:
        """The board with the checkers of the match, if one is on or was last."""
        return board if self.table is None else board_of(board, self.table.state.settings.terms.profiles)


def shown_match(table: LiveTable, told: MatchSection) -> MatchShown:
    """A match as pages show it; ``told`` is what its configuration says of the event."""
    return MatchShown(
        table.path.name,
        table.path,
        table.parts.names,
        event=told.event,
        round=told.round,
        place=told.place,
        table=told.table,
    )


def shown_clock(table: LiveTable) -> ClockShown | None:
    """The clock of a match as it is now; None where none is used."""
    if table.parts.timekeeper is None:
        return None
    t = table.parts.watch.now()
    shown = table.parts.timekeeper.reading(t)
    return ClockShown(
        {Side.LIGHT: shown.light_s, Side.DARK: shown.dark_s}, shown.delay_s, table.state.clock, t
    )


def _private(table: LiveTable) -> set[str]:
    """What may not stand in the log of a match: the names of its players, their parts, and its folder's name."""
    usual = MatchSection()
    names = set(table.parts.names.values()) - {usual.light, usual.dark}
    parts = {part for name in names for part in name.split() if len(part) >= SHORTEST_PART}
    return {*names, *parts, table.path.name}
