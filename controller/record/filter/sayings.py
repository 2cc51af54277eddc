"""What people say to the device: each saying by its name, with the keys it takes and the event it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.record.filter.keys import Keys, TableLineError
from controller.referee import events as table
from controller.referee.events import Event, Said
from controller.rules.game import events as ruled
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile

DIRECTOR: Final = "director"
SPEAKERS: Final = (*Side, DIRECTOR)
HIGHEST_LEVEL: Final = 3
MOST_POINTS: Final = 10_000
MOST_PLIES: Final = 100_000
DEVICES: Final = ("camera", "board", "journal")


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
    "dice": lambda keys: Roll.of(*keys.dice("dice")),
    "position": lambda keys: keys.position("position"),
    "on_roll": lambda keys: keys.side("on_roll"),
    "winner": lambda keys: keys.side("winner"),
    "loser": lambda keys: keys.side("loser"),
    "amount": lambda keys: keys.whole("amount", 1, MOST_POINTS),
    "points": lambda keys: keys.whole("points", 1, MOST_POINTS),
    "level": lambda keys: keys.whole("level", 0, HIGHEST_LEVEL),
    "ply": lambda keys: keys.whole("ply", 0, MOST_PLIES),
    "stands": lambda keys: keys.truth("stands", otherwise=True),
    "given": lambda keys: keys.truth("given", otherwise=True),
    "ready": lambda keys: keys.truth("ready", otherwise=True),
    "profile": lambda keys: load_profile(keys.text("profile")),
    "device": lambda keys: keys.word("device", DEVICES),
    "why": lambda keys: keys.text("why"),
}
"""How each key is read; ``side`` needs the speaker as well."""


def _rules(event: Callable[..., ruled.Event], *keys: str) -> Saying:
    """An event of the rules, said by somebody."""
    return Saying(keys, lambda speech, *values: Said(speech.t, event(*values), speech.by))


def _table(event: Callable[..., Event], *keys: str, optional: frozenset[str] = frozenset()) -> Saying:
    """An event of the table."""
    return Saying(keys, lambda speech, *values: event(speech.t, *values), optional)


def _position_ruled(t: float, position: Position, on_roll: Side) -> Event:
    for side in Side:
        if not position.pips(side):
            raise TableLineError(
                f'In the "position" {position.compact()} {side} has no checkers left; award the game.'
            )
    return table.PositionRuled(t, position, on_roll)


SAYINGS: Final[Mapping[str, Saying]] = {
    "opening_roll": _rules(ruled.OpeningRoll, "light", "dark"),
    "roll": _rules(ruled.Rolled, "side", "dice"),
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
    "ruling": _table(_position_ruled, "position", "on_roll"),
    "rebuild": _table(table.Rebuild, "position", optional=frozenset({"position"})),
    "hint": _table(table.HintAsked, "level"),
    "best_play": _table(table.BestPlayFound, "ply", "position"),
    "consent": _table(table.ConsentGiven, "given"),
    "profile": _table(table.ProfileChosen, "profile"),
    "stop": _table(table.Stopped),
    "time_over": _table(table.FlagFell, "side"),
    "device": _table(table.DeviceChanged, "device", "ready", "why"),
    "resumed": _table(table.Resumed),
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
