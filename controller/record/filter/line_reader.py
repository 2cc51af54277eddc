"""What the referee is told, line by line: a JSON object a line in, an event of the table out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeVar

from controller.devices.link.happenings import Button
from controller.record.filter.board import DiceOnBoard, cube_seen, sharp_reading
from controller.record.filter.keys import Keys, TableLineError
from controller.record.filter.sayings import said_event
from controller.record.table.inputs import input_from, settings_from
from controller.record.table.readings import reading_from
from controller.referee.events import Event, FrameLost, FrameMoving, FrameSeen, Pressed, RollReported, Ticked
from controller.referee.table.settings import Settings
from controller.rules.game.match_record import terms_from_record
from controller.vision.reading import Reading

LAST_FRAME: Final = 1_000_000_000

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How the table is run, instead of what the command line said."""

    t: float
    settings: Settings


TableInput = Event | TableSettings


@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads lines in their order.

    Attributes:
        t: the time of the line before, None before the first one.
        dice: the dice that lie on the board.
    """

    t: float | None = None
    dice: DiceOnBoard = field(default_factory=DiceOnBoard)

    def read(self, text: str, number: int) -> tuple["LineReader", TableInput]:
        """What the line ``number`` (from 1) says, and what is known after it.

        Raises:
            UserError: naming what is wrong in the line.
        """
        keys = Keys.of(text)
        t = keys.number("t")
        if self.t is not None and t < self.t:
            raise TableLineError(
                f'"t" is {t:g}, but the line before was at {self.t:g}: time never runs backwards.'
            )
        kind = keys.word("kind", KINDS)
        if kind != "said":
            keys.only(("t", "kind", *KINDS[kind].keys))
        later = replace(self, t=t)
        if kind == "agreed" and self.t is not None:
            raise TableLineError("What was agreed is the first line; begin again to play by other settings.")
        if kind == "seen" and not keys.has("reading"):
            later = replace(later, dice=self.dice.see(keys.pairs("dice")))
        return later, KINDS[kind].parse(TableLine(t, number, keys, later.dice))


@dataclass(frozen=True, slots=True)
class TableLine:
    """One line: when, which, what, and the dice that lie on the board."""

    t: float
    number: int
    keys: Keys
    dice: DiceOnBoard

    @property
    def frame(self) -> int:
        """The number of the picture: that of the line if it names none."""
        return self.keys.whole("frame", 0, LAST_FRAME) if self.keys.has("frame") else self.number


@dataclass(frozen=True, slots=True)
class LineKind:
    """The keys of a kind of line beside ``t`` and ``kind``, and what reads it."""

    keys: tuple[str, ...]
    parse: Callable[[TableLine], TableInput]


def _parse_seen(line: TableLine) -> Event:
    return FrameSeen(line.t, line.frame, _parse_reading(line))


def _parse_reading(line: TableLine) -> Reading:
    keys = line.keys
    if keys.has("reading"):
        keys.only(("t", "kind", "frame", "reading"))
        return _parse(lambda: reading_from(keys.inner("reading").content), "reading")
    return sharp_reading(
        keys.seen_position("position"),
        keys.points("hidden"),
        keys.counts("off"),
        line.dice.readings(),
        cube_seen(keys),
    )


def _parse_lost(line: TableLine) -> Event:
    return FrameLost(line.t, line.frame, line.keys.text("name"), line.keys.text("why"))


def _parse_rolled(line: TableLine) -> Event:
    return RollReported(line.t, line.keys.dice("dice"), line.keys.truth("cocked", otherwise=False))


def _parse_pressed(line: TableLine) -> Event:
    button = Button[line.keys.word("button", BUTTONS).upper()]
    return Pressed(line.t, button, line.keys.side() if line.keys.has("side") else None)


def _parse_input(line: TableLine) -> Event:
    """An input as the journal keeps it, with its own time, which may be earlier: news come late."""
    return input_from(line.keys.inner("input").content)


def _parse_agreed(line: TableLine) -> TableSettings:
    def settings() -> Settings:
        terms = terms_from_record(line.keys.inner("terms").content)
        return settings_from(line.keys.inner("settings").content, terms)

    return TableSettings(line.t, _parse(settings, "settings"))


def _parse(read: Callable[[], Thing], name: str) -> Thing:
    try:
        return read()
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise TableLineError(
            f'"{name}" cannot be read ({error!r}); give it as `pointsman journal inputs` wrote it.'
        ) from None


BUTTONS: Final = tuple(button.name.lower() for button in Button)
KINDS: Final[Mapping[str, LineKind]] = {
    "seen": LineKind(("position", "hidden", "off", "dice", "cube", "frame", "reading"), _parse_seen),
    "moving": LineKind(("frame",), lambda line: FrameMoving(line.t, line.frame)),
    "lost": LineKind(("frame", "name", "why"), _parse_lost),
    "rolled": LineKind(("dice", "cocked"), _parse_rolled),
    "pressed": LineKind(("button", "side"), _parse_pressed),
    "said": LineKind((), lambda line: said_event(line.t, line.keys)),
    "tick": LineKind((), lambda line: Ticked(line.t)),
    "agreed": LineKind(("terms", "settings"), _parse_agreed),
    "input": LineKind(("input",), _parse_input),
}
"""Every kind of line by its name, the key ``kind``."""
