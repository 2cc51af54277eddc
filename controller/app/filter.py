"""The referee alone: lines of JSON in, lines of JSON out."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from controller.app.desk import guard, logged
from controller.errors import UserError
from controller.logs.defect import DefectScene
from controller.messages.device_words import program_words
from controller.record.filter.line_reader import LineReader, TableInput, TableSettings
from controller.record.filter.line_writer import answer_lines
from controller.record.table.resume import RefereeStep
from controller.referee import DiceFrom, Event, FrameSeen, Phase, RollReported, Settings, Table, begin, step
from controller.referee.digest import state_digest
from controller.referee.seeing.cube_watch import CubeWatch, Shown
from controller.rules import Position, Side

Beginning = tuple[Position, Side]
"""How the checkers stand in the middle of a game, and who is to roll."""


class BeginningError(UserError):
    """A position from which no game goes on."""


class Filter:
    """One table whose referee reads what happens as lines and answers in lines. It touches nothing else.

    Attributes:
        table: what the referee knows.
    """

    def __init__(
        self,
        settings: Settings,
        beginning: Beginning | None = None,
        complain: Callable[[str], None] = lambda _: None,
        step: RefereeStep = step,
    ) -> None:
        """A table before its first game, or in the middle of one.

        ``complain`` is told of a line that the referee could not deal with, with its number: it changes nothing.

        Raises:
            BeginningError: for a position in which the game is over.
        """
        self.table = _begin(settings, beginning)
        self._beginning = beginning
        self._step, self._complain = guard(step, self._failed), complain
        self._reader, self._number = LineReader(), 0
        self._dice_named = False

    def put(self, text: str, number: int) -> Iterator[str]:
        """The line ``number`` (from 1); gives the lines, without their ends, that answer it.

        Raises:
            UserError: naming what is wrong in the line; it changes nothing then.
        """
        self._number = number
        self._reader, told = self._reader.read(text, number)
        t = self._reader.t or 0.0
        match told:
            case TableSettings(settings=settings):
                self.table, self._dice_named = _begin(settings, self._beginning), True
            case _:
                self._heed(told)
                self.table, actions = self._step(self.table, told)
                yield from answer_lines(t, actions)

    def _failed(self, error: Exception, table: Table, event: Event) -> None:
        """Whoever writes lines is a program's author: they get what went wrong, and where."""
        scene = DefectScene("referee", self._number, state_digest(table))
        defect = logged(error, type(event).__name__, scene)
        told = program_words("referee_failed")("en")
        self._complain(
            f"line {self._number}: {told} ({defect.kind}: {defect.text}, {defect.file}:{defect.line})"
        )

    def _heed(self, told: TableInput) -> None:
        """Who tells the rolls: whoever does so first, but for good a dice set as soon as it reports one."""
        match told:
            case RollReported() if not self._dice_named:
                self._dice_named = True
                self._take_rolls_from(DiceFrom.ELECTRONIC)
            case FrameSeen(reading=reading) if reading.dice and not self._dice_named:
                self._take_rolls_from(DiceFrom.CAMERA)

    def _take_rolls_from(self, source: DiceFrom) -> None:
        if self.table.settings.dice is not source:
            self.table = replace(self.table, settings=replace(self.table.settings, dice=source))


def _begin(settings: Settings, beginning: Beginning | None) -> Table:
    if beginning is None:
        return begin(settings)
    position, side = beginning
    if not position.pips(side) or not position.pips(side.opponent):
        raise BeginningError(
            f"The game is over in the position {position.compact()}; give one in which both sides have checkers."
        )
    return replace(
        begin(settings, 0.0, position, side), phase=Phase.TO_ROLL, target=None, cube=CubeWatch(Shown())
    )
