"""The match that a tournament wants at this table: players, length, rules and clock come from the club's hub."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from controller.club.commands import START_MATCH
from controller.config import Config
from controller.config.sections import NAME, ClockKind, ClockSection, SeatsSection
from controller.errors import UserError
from controller.record.filter.keys import Keys
from controller.record.journal.journal import EventLog
from controller.record.match.history import COMMAND, INPUT
from controller.rules import Form
from controller.tomlfile.checks import Text, unfit

_KEYS: Final = ("what", "light", "dark", "length", "event", "round", "clock", "profile")
_CLOCK_KEYS: Final = ("kind", "reserve_s", "reserve_per_point_s", "delay_s")
_FACT: Final = Text(200, "a text", 0)


class PairedMatchError(UserError):
    """A match that the hub wants, and that cannot be played so."""


def paired_config(config: Config, body: Mapping[str, Any]) -> Config:
    """The configuration with the match that a ``start_match`` names; all else of the table stays.

    Without ``clock`` no clock is used, without ``profile`` the rules are those of tournament matches.

    Raises:
        UserError: naming the key that is wrong, or what cannot be played.
    """
    keys = Keys(body)
    keys.only(_KEYS)
    profile = _text(keys, "profile", _FACT)
    match = replace(
        config.match,
        light=_text(keys, "light", NAME),
        dark=_text(keys, "dark", NAME),
        form=Form.MATCH,
        length=keys.whole("length", 1, 99),
        profile=(profile,) if profile else (),
        event=_text(keys, "event", _FACT),
        round=_text(keys, "round", _FACT),
        table=config.match.table or config.club.title or config.club.table,
    )
    clock = _clock(Keys(keys.content["clock"])) if keys.has("clock") else ClockSection()
    # What a learner is shown at this table is nothing for a tournament, and people play it.
    table = replace(config.table, hint=0)
    paired = replace(config, match=match, clock=clock, table=table, seats=SeatsSection())
    paired.settings()
    paired.time_control()
    return paired


def pairing_in(journal: EventLog, match: str) -> Mapping[str, Any] | None:
    """The ``start_match`` that a match began with; None if the hub did not begin it."""
    for event in journal.events(match, without=INPUT):
        body = event.payload.get("body") if event.kind == COMMAND else None
        if isinstance(body, dict) and body.get("what") == START_MATCH:
            return body
    return None


def _clock(keys: Keys) -> ClockSection:
    keys.only(_CLOCK_KEYS)
    usual = ClockSection()
    return replace(
        usual,
        kind=ClockKind(keys.word("kind", [str(kind) for kind in ClockKind])),
        reserve_s=keys.number("reserve_s", 1.0) if keys.has("reserve_s") else None,
        reserve_per_point_s=(
            keys.number("reserve_per_point_s", 1.0)
            if keys.has("reserve_per_point_s")
            else usual.reserve_per_point_s
        ),
        delay_s=keys.number("delay_s") if keys.has("delay_s") else usual.delay_s,
    )


def _text(keys: Keys, name: str, check: Text) -> str:
    """A text under a key; empty where it is left out and may be."""
    raw = keys.content.get(name)
    try:
        return str(check.value("" if raw is None else raw))
    except ValueError:
        raise PairedMatchError(
            f'"{name}" of the match cannot be used: {unfit(check, raw)}; correct it at the hub.'
        ) from None
