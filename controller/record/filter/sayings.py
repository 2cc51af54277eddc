"""What people say to the device: each saying by its name, with the keys it takes and the event it is."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
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

    def rules_event(self, event: ruled.Event) -> Event:
        """An event of the rules, as said by the speaker."""
        return Said(self.t, event, self.by)

    def table_event(self, kind: type[Event], **arguments: Any) -> Event:
        """An event of the table. Those that name a speaker are given it."""
        if any(item.name == "by" for item in fields(kind)):
            arguments["by"] = self.by
        return kind(t=self.t, **arguments)


@dataclass(frozen=True, slots=True)
class Saying:
    """The keys that a saying takes beside ``by`` and ``what``, and the event that it is."""

    keys: tuple[str, ...]
    event: Callable[[Speech], Event]


SAYINGS: Final[Mapping[str, Saying]] = {
    "opening_roll": Saying(
        ("light", "dark"),
        lambda said: said.rules_event(
            ruled.OpeningRoll(said.keys.whole("light", 1, 6), said.keys.whole("dark", 1, 6))
        ),
    ),
    "roll": Saying(
        ("side", "dice"),
        lambda said: said.rules_event(ruled.Rolled(said.side(), Roll.of(*said.keys.dice("dice")))),
    ),
    "roll_void": Saying(("side",), lambda said: said.rules_event(ruled.RollVoided(said.side()))),
    "played": Saying(
        ("side", "position"),
        lambda said: said.rules_event(ruled.Played(said.side(), said.keys.position("position"), None)),
    ),
    "undo": Saying(("side",), lambda said: said.rules_event(ruled.TakenBack(said.side()))),
    "double": Saying(("side",), lambda said: said.rules_event(ruled.Doubled(said.side()))),
    "take": Saying(("side",), lambda said: said.rules_event(ruled.Taken(said.side()))),
    "pass": Saying(("side",), lambda said: said.rules_event(ruled.Passed(said.side()))),
    "beaver": Saying(("side",), lambda said: said.rules_event(ruled.Beavered(said.side()))),
    "raccoon": Saying(("side",), lambda said: said.rules_event(ruled.Raccooned(said.side()))),
    "resign": Saying(
        ("side", "amount"),
        lambda said: said.rules_event(ruled.Resigned(said.side(), said.keys.whole("amount", 1, MOST_POINTS))),
    ),
    "accept": Saying(("side",), lambda said: said.rules_event(ruled.ResignationAccepted(said.side()))),
    "refuse": Saying(("side",), lambda said: said.rules_event(ruled.ResignationRefused(said.side()))),
    "award": Saying(
        ("winner", "points"),
        lambda said: said.rules_event(
            ruled.GameAwarded(said.keys.side("winner"), said.keys.whole("points", 1, MOST_POINTS))
        ),
    ),
    "forfeit": Saying(
        ("loser",), lambda said: said.rules_event(ruled.MatchForfeited(said.keys.side("loser")))
    ),
    "let_stand": Saying((), lambda said: said.table_event(table.LetStand)),
    "correct": Saying((), lambda said: said.table_event(table.Correct)),
    "roll_stands": Saying(
        ("stands",),
        lambda said: said.table_event(table.RollStands, stands=said.keys.truth("stands", otherwise=True)),
    ),
    "pause": Saying((), lambda said: said.table_event(table.Pause)),
    "go_on": Saying((), lambda said: said.table_event(table.GoOn)),
    "dispute": Saying((), lambda said: said.table_event(table.Disputed)),
    "ruling": Saying(
        ("position", "on_roll"),
        lambda said: said.table_event(
            table.PositionRuled, position=_playable(said.keys), on_roll=said.keys.side("on_roll")
        ),
    ),
    "rebuild": Saying(
        ("position",),
        lambda said: said.table_event(
            table.Rebuild, position=said.keys.position("position") if said.keys.has("position") else None
        ),
    ),
    "hint": Saying(
        ("level",),
        lambda said: said.table_event(table.HintAsked, level=said.keys.whole("level", 0, HIGHEST_LEVEL)),
    ),
    "best_play": Saying(
        ("ply", "position"),
        lambda said: said.table_event(
            table.BestPlayFound,
            ply=said.keys.whole("ply", 0, MOST_PLIES),
            after=said.keys.position("position"),
        ),
    ),
    "consent": Saying(
        ("given",),
        lambda said: said.table_event(table.ConsentGiven, given=said.keys.truth("given", otherwise=True)),
    ),
    "profile": Saying(
        ("profile",),
        lambda said: said.table_event(table.ProfileChosen, profile=load_profile(said.keys.text("profile"))),
    ),
    "stop": Saying((), lambda said: said.table_event(table.Stopped)),
    "time_over": Saying(("side",), lambda said: said.table_event(table.FlagFell, side=said.side())),
    "device": Saying(
        ("device", "ready", "why"),
        lambda said: said.table_event(
            table.DeviceChanged,
            device=said.keys.word("device", DEVICES),
            ready=said.keys.truth("ready", otherwise=True),
            why=said.keys.text("why"),
        ),
    ),
    "resumed": Saying((), lambda said: said.table_event(table.Resumed)),
}
"""Every saying by its name, the key ``what``."""


def said_event(t: float, keys: Keys) -> Event:
    """The event of a ``said`` line at ``t``.

    Raises:
        UserError: naming the key that is wrong.
    """
    saying = SAYINGS[keys.word("what", SAYINGS)]
    keys.only(("t", "kind", "by", "what", *saying.keys))
    return saying.event(Speech(t, keys.word("by", SPEAKERS), keys))


def _playable(keys: Keys) -> Position:
    """A position in which the game is not over."""
    position = keys.position("position")
    for side in Side:
        if not position.pips(side):
            raise TableLineError(
                f'In the "position" {position.compact()} {side} has no checkers left; award the game.'
            )
    return position
