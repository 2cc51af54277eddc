"""The referee's input, line by line: a JSON object in, an event of the table out."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from controller.record.filter.board import DiceOnBoard, cube_seen, hands_seen, sharp_reading
from controller.record.filter.keys import MOST_PLIES, MOST_POINTS, Keys, TableLineError
from controller.record.table.inputs import input_from, reading_from, settings_from
from controller.referee import Event, FrameLost, FrameSeen, Pressed, RollReported, Settings, Ticked
from controller.referee import events as table
from controller.referee.events import DIRECTOR, FrameMoving, FrameSame, Said
from controller.referee.seeing.sightings import HAND_S
from controller.referee.table.settings import MOST_HINT
from controller.rules import Position, Roll, Side, load_profile
from controller.rules.game import events as ruled
from controller.rules.game.match_record import terms_from_record
from controller.vision import Reading

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
        seen_t: when the board was seen last, None where something has moved over it since.
    """

    t: float | None = None
    dice: DiceOnBoard = field(default_factory=DiceOnBoard)
    seen_t: float | None = None

    def read(self, text: str, number: int) -> tuple["LineReader", TableInput]:
        """What the line ``number`` (from 1) says, and what is known after it.

        Raises:
            UserError: naming what is wrong in the line.
        """
        keys = Keys.parse(text)
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
            untouched = self.seen_t is not None and t - self.seen_t < HAND_S
            later = replace(later, dice=self.dice.see(keys.pairs("dice"), untouched=untouched))
        if kind in ("seen", "moving"):
            later = replace(later, seen_t=t if kind == "seen" else None)
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
        hands_seen(keys),
    )


def _parse_pressed(line: TableLine) -> Event:
    return Pressed(line.t, line.keys.button(), line.keys.side() if line.keys.has("side") else None)


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


KINDS: Final[Mapping[str, LineKind]] = {
    "seen": LineKind(
        ("position", "hidden", "off", "dice", "cube", "hands", "frame", "reading"),
        lambda line: FrameSeen(line.t, line.frame, _parse_reading(line)),
    ),
    "same": LineKind(("frame",), lambda line: FrameSame(line.t, line.frame)),
    "moving": LineKind(("frame",), lambda line: FrameMoving(line.t, line.frame)),
    "lost": LineKind(
        ("frame", "name", "why"),
        lambda line: FrameLost(line.t, line.frame, line.keys.text("name"), line.keys.text("why")),
    ),
    "rolled": LineKind(
        ("dice", "cocked", "owner"),
        lambda line: RollReported(
            line.t,
            line.keys.dice("dice"),
            line.keys.truth("cocked", otherwise=False),
            line.keys.side("owner") if line.keys.has("owner") else None,
        ),
    ),
    "pressed": LineKind(("button", "side"), _parse_pressed),
    "said": LineKind((), lambda line: said_event(line.t, line.keys)),
    "tick": LineKind((), lambda line: Ticked(line.t)),
    "agreed": LineKind(("terms", "settings"), _parse_agreed),
    "input": LineKind(("input",), _parse_input),
}
"""Every kind of line by its name, the key ``kind``."""


SPEAKERS: Final = (*Side, DIRECTOR)
MOST_EVENTS: Final = 65_535
DEVICES: Final = ("camera", "board", "lights", "journal")


@dataclass(frozen=True, slots=True)
class Speech:
    """One ``said`` line: when, by whom, and its keys."""

    t: float
    by: str
    keys: Keys

    def side(self) -> Side:
        """Whose deed it is: ``side``, or else the speaker's own."""
        if self.keys.has("side"):
            return self.keys.side()
        if self.by == DIRECTOR:
            raise TableLineError('Whose that is, the director must say: give "side", light or dark.')
        return Side(self.by)

    def value(self, key: str) -> Any:
        """What a key says."""
        return _READERS[key](self.keys) if key in _READERS else self.side()


@dataclass(frozen=True, slots=True)
class Saying:
    """The keys that a saying takes beside ``by`` and ``what``, and the event that it is, made of their values.

    A key in ``optional`` may be left out; its value is then None.
    """

    keys: tuple[str, ...]
    event: Callable[..., Event]
    optional: frozenset[str] = frozenset()


_READERS: Final[Mapping[str, Callable[[Keys], Any]]] = {
    "light": lambda keys: keys.whole("light", 1, 6),
    "dark": lambda keys: keys.whole("dark", 1, 6),
    "dice": lambda keys: Roll.from_dice(*keys.dice("dice")),
    "position": lambda keys: keys.position("position"),
    "on_roll": lambda keys: keys.side("on_roll"),
    "winner": lambda keys: keys.side("winner"),
    "loser": lambda keys: keys.side("loser"),
    "number": lambda keys: keys.whole("number", 1, 6),
    "amount": lambda keys: keys.whole("amount", 1, MOST_POINTS),
    "points": lambda keys: keys.whole("points", 1, MOST_POINTS),
    "level": lambda keys: keys.whole("level", 0, MOST_HINT),
    "ply": lambda keys: keys.whole("ply", 0, MOST_PLIES),
    "stands": lambda keys: keys.truth("stands", otherwise=True),
    "given": lambda keys: keys.truth("given", otherwise=True),
    "ready": lambda keys: keys.truth("ready", otherwise=True),
    "profile": lambda keys: load_profile(keys.text("profile")),
    "device": lambda keys: keys.word("device", DEVICES),
    "why": lambda keys: keys.text("why"),
    "trouble": lambda keys: keys.word("trouble", table.BoardTrouble),
    "count": lambda keys: keys.whole("count", 0, MOST_EVENTS),
    "others": lambda keys: keys.positions("others"),
    "losses": lambda keys: keys.numbers("losses"),
}
"""How each key is read; ``side`` needs the speaker as well."""


def _rules(event: Callable[..., ruled.RulesEvent], *keys: str) -> Saying:
    """An event of the rules, said by somebody."""
    return Saying(keys, lambda speech, *values: Said(speech.t, event(*values), speech.by))


def _table(event: Callable[..., Event], *keys: str, optional: frozenset[str] = frozenset()) -> Saying:
    """An event of the table."""
    return Saying(keys, lambda speech, *values: event(speech.t, *values), optional)


def _position_ruled(t: float, position: Position, on_roll: Side, by: str) -> Event:
    for side in Side:
        if not position.pips(side):
            raise TableLineError(
                f'In the "position" {position.compact()} {side} has no checkers left; award the game.'
            )
    return table.PositionRuled(t, position, on_roll, by)


def _trouble_event(t: float, trouble: str, count: int | None, why: str | None) -> Event:
    return table.BoardTroubled(t, trouble, count or 0, why or "")


SAYINGS: Final[Mapping[str, Saying]] = {
    "opening_roll": _rules(ruled.OpeningRoll, "light", "dark"),
    "roll": _rules(ruled.Rolled, "side", "dice"),
    "name_double": _rules(ruled.DoubleNamed, "side", "number"),
    "roll_void": _rules(ruled.RollVoided, "side"),
    "played": _rules(lambda side, after: ruled.Played(side, after, None), "side", "position"),
    "undo": _rules(ruled.TakenBack, "side"),
    "double": _rules(ruled.Doubled, "side"),
    "take": _rules(ruled.Taken, "side"),
    "pass": _rules(ruled.Passed, "side"),
    "beaver": _rules(ruled.Beavered, "side"),
    "raccoon": _rules(ruled.Raccooned, "side"),
    "resign": _rules(ruled.Resigned, "side", "amount"),
    "accept": _rules(ruled.ResignationAccepted, "side"),
    "refuse": _rules(ruled.ResignationRefused, "side"),
    "award": _rules(ruled.GameAwarded, "winner", "points"),
    "forfeit": _rules(ruled.MatchForfeited, "loser"),
    "let_stand": Saying((), lambda speech: table.LetStand(speech.t, speech.by)),
    "correct": _table(table.Correct),
    "roll_stands": _table(table.RollStands, "stands"),
    "pause": _table(table.Pause),
    "go_on": _table(table.GoOn),
    "dispute": _table(table.Disputed),
    "ruling": Saying(
        ("position", "on_roll"),
        lambda speech, position, on_roll: _position_ruled(speech.t, position, on_roll, speech.by),
    ),
    "rebuild": _table(table.Rebuild, "position", optional=frozenset({"position"})),
    "hint": _table(table.HintAsked, "level"),
    "best_play": _table(
        lambda t, ply, after, others, losses: table.BestPlayFound(t, ply, after, others or (), losses or ()),
        *("ply", "position", "others", "losses"),
        optional=frozenset({"others", "losses"}),
    ),
    "announced": _table(table.PlayAnnounced, "ply", "side", "position"),
    "consent": _table(table.ConsentGiven, "given"),
    "profile": _table(table.ProfileChosen, "profile"),
    "stop": _table(table.Stopped),
    "time_over": _table(table.FlagFell, "side"),
    "device": _table(table.DeviceChanged, "device", "ready", "why"),
    "trouble": _table(_trouble_event, "trouble", "count", "why", optional=frozenset({"count", "why"})),
    "resumed": _table(table.Resumed),
    "corrected": _table(table.Corrected),
}
"""Every saying by its name, the key ``what``."""


def said_event(t: float, keys: Keys) -> Event:
    """The event of a ``said`` line at ``t``.

    Raises:
        UserError: naming the key that is wrong.
    """
    saying = SAYINGS[keys.word("what", SAYINGS)]
    keys.only(("t", "kind", "by", "what", *saying.keys))
    speech = Speech(t, keys.word("by", SPEAKERS), keys)
    left_out = {key for key in saying.optional if not keys.has(key)}
    return saying.event(speech, *(None if key in left_out else speech.value(key) for key in saying.keys))
