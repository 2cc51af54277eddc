"""What was agreed for a live table, as plain values for JSON; the terms of the match are in its own event."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

from controller.record.journal.payload import Json
from controller.referee.caution import Caution
from controller.referee.table.settings import DiceFrom, End, Premature, Settings
from controller.rules.game.match import Terms
from controller.rules.position import Position

Plain = Mapping[str, Any]
_CAUTION: Final = tuple(item.name for item in fields(Caution) if item.name != "rules")
"""How checkers are moved follows from the rules of each game."""


def settings_record(settings: Settings) -> dict[str, Json]:
    """The settings without their terms."""
    return {
        "clock": settings.clock,
        "dice": str(settings.dice),
        "ends": [*sorted(map(str, settings.ends))],
        "rest_s": settings.rest_s,
        "premature": str(settings.premature),
        "consent": settings.consent,
        "hint": settings.hint,
        "hindsight": settings.hindsight,
        "film": settings.film,
        "caution": {name: getattr(settings.caution, name) for name in _CAUTION},
    }


def start_record(position: Position | None) -> dict[str, Json]:
    """Where play begins, if not at the start of a game; stands beside the settings before the first one."""
    return {} if position is None else {"position": position.compact()}


def start_from(record: Plain) -> Position | None:
    """The position that `start_record` wrote. Raises UserError for anything else."""
    return Position.from_compact(record["position"]) if "position" in record else None


def settings_from(record: Plain, terms: Terms) -> Settings:
    """The settings that `settings_record` wrote; a threshold that it does not name is as delivered.

    Raises:
        KeyError, TypeError, ValueError, UserError: for anything else.
    """
    known = {name: value for name, value in record["caution"].items() if name in _CAUTION}
    return Settings(
        terms,
        clock=record["clock"],
        dice=DiceFrom(record["dice"]),
        ends=frozenset(map(End, record["ends"])),
        rest_s=record["rest_s"],
        premature=Premature(record["premature"]),
        consent=record["consent"],
        hint=record["hint"],
        hindsight=record.get("hindsight"),
        film=record.get("film", False),
        caution=replace(Caution(rules=terms.profiles[0].movement), **known),
    )
