"""A match as plain data for JSON: its terms and its events, written and read back without loss."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any, get_args

from controller.errors import UserError
from controller.rules.game.events import RulesEvent
from controller.rules.game.match import Form, Terms
from controller.rules.notation import Move, Play
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.keys import KEYS, parts_from, values_of
from controller.rules.profile.profile import Origin, Profile, RuleSource
from controller.tomlfile.checks import NONE

Record = dict[str, Any]
"""Only dicts, lists, strings, numbers, booleans and None."""


class MatchDataError(UserError):
    """A record that cannot be read; the message names what is wrong in it."""


def _name(kind: type) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


KINDS: Mapping[str, type] = {_name(kind): kind for kind in get_args(RulesEvent)}
"""Every kind of event by the name it has in a record: ``opening_roll``, ``rolled``, ``played`` ..."""


def event_record(event: RulesEvent) -> Record:
    """``event`` as plain data: ``{"event": "rolled", "side": "light", "roll": [3, 1]}``.

    Positions are compact; a play is a list of ``[source, target, hit]``, null if it is not known.
    """
    return {
        "event": _name(type(event)),
        **{item.name: _plain(getattr(event, item.name)) for item in fields(event)},
    }


def event_from_record(record: Mapping[str, Any]) -> RulesEvent:
    """The event that `event_record` wrote. Raises RecordError, or the error of a bad position or roll."""
    kind = KINDS.get(record.get("event", ""))
    if kind is None:
        raise MatchDataError(f'Unknown event "{record.get("event")}"; the events are {", ".join(KINDS)}.')
    names = [item.name for item in fields(kind)]
    if set(record) != {"event", *names}:
        raise MatchDataError(
            f"The event {record['event']} has {', '.join(sorted(record))}; it needs {names}."
        )
    event: RulesEvent = kind(**{name: _value(name, record[name]) for name in names})
    return event


def terms_record(terms: Terms) -> Record:
    """``terms`` as plain data. The rules are written out, so later changes to a profile do not matter."""
    return {
        "form": terms.form.value,
        "length": terms.length,
        "profiles": [profile_record(profile) for profile in terms.profiles],
    }


def terms_from_record(record: Mapping[str, Any]) -> Terms:
    """The terms that `terms_record` wrote. Raises RecordError for anything else."""
    try:
        profiles = tuple(profile_from_record(profile) for profile in record["profiles"])
        length = record["length"]
        if not profiles or not (length is None or isinstance(length, int)):
            raise ValueError(length)
        return Terms(Form(record["form"]), length, profiles)
    except (KeyError, TypeError, ValueError) as error:
        raise MatchDataError(
            f"The terms of the match cannot be read ({error!r}); restore the record."
        ) from None


def profile_record(profile: Profile) -> Record:
    """The rules of a game as plain data, written out in full."""
    return {
        "name": profile.name,
        "title": profile.title,
        "notices": list(profile.notices),
        "rules": {key: NONE if value is None else value for key, value in values_of(profile).items()},
        "origins": {key: [origin.source.value, origin.profile] for key, origin in profile.origins.items()},
    }


def profile_from_record(record: Mapping[str, Any]) -> Profile:
    """The profile that `profile_record` wrote. Raises UserError, KeyError or TypeError for anything else."""
    rules = {key: KEYS[key].check.value(raw) for key, raw in record["rules"].items()}
    origins = {key: Origin(RuleSource(source), name) for key, (source, name) in record["origins"].items()}
    return Profile(
        **parts_from(rules),
        name=record["name"],
        title=record["title"],
        notices=tuple(record["notices"]),
        origins=origins,
    )


def _plain(value: Side | int | Roll | Position | Play | None) -> object:
    if isinstance(value, Side):
        return value.value
    if isinstance(value, Roll):
        return list(value.dice)
    if isinstance(value, Position):
        return value.compact()
    if isinstance(value, tuple):
        return [[move.source, move.target, move.hit] for move in value]
    return value


def _value(name: str, raw: Any) -> object:
    try:
        match name:
            case "roll":
                return Roll.from_dice(*raw)
            case "after":
                return Position.from_compact(raw)
            case "play":
                return None if raw is None else _play(raw)
            case "amount" | "points" | "number" | "light" | "dark":
                return _whole(raw)
            case _:
                return Side(raw)
    except (TypeError, ValueError):
        raise MatchDataError(f"{raw!r} cannot be the {name} of an event; restore the record.") from None


def _whole(raw: object) -> int:
    if not isinstance(raw, int) or isinstance(raw, bool):
        raise TypeError(raw)
    return raw


def _play(raw: Sequence[Sequence[Any]]) -> Play:
    return tuple(Move(_whole(source), _whole(target), bool(hit)) for source, target, hit in raw)
