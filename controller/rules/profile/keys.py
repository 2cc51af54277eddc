"""The keys a profile file may set, with what each may be. The dataclasses of a profile are the schema."""

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, get_type_hints

from controller.rules.position import CHECKERS
from controller.rules.profile.profile import STANDARD, Profile
from controller.tomlfile.checks import Check, Flag, OneOf

Value = bool | int | str | None

PARTS: Mapping[str, type] = {
    part: kind
    for part, kind in get_type_hints(Profile).items()
    if isinstance(kind, type) and is_dataclass(kind)
}
"""The parts of a profile in their order; the fields of each are its keys."""

NAMES: Mapping[str, str] = {
    "opening.layout": "start.position",
    "movement.doubles": "move.doubles",
    "movement.max_dice": "move.max_dice",
    "movement.larger_die": "move.larger_die",
    "movement.max_stack": "move.max_stack",
    "movement.landing_blocked_at": "move.landing_blocked_at",
    "movement.bar_enter_first": "bar.enter_first",
    "movement.bearoff_order": "bearoff.order",
    "movement.bearoff_oversize": "bearoff.oversize",
    "movement.bearoff_exact_optional": "bearoff.exact_optional",
    "movement.variant": "game",
    "movement.checkers": "start.checkers",
    "movement.direction": "move.direction",
    "movement.contact": "move.contact",
    "movement.first_checker": "move.first_checker",
    "movement.head_limit": "move.head_limit",
    "movement.head_exception": "move.head_exception",
    "movement.prime_limit": "move.prime_limit",
    "movement.hit_and_run": "move.hit_and_run",
    "movement.bearoff_while_pinned": "bearoff.while_pinned",
    "opening.after_roll": "roll.after",
    "conduct.pairs": "dice.pairs",
    "conduct.reroll": "dice.reroll",
    "conduct.end_of_turn": "end_of_turn",
    "conduct.illegal_policy": "illegal.policy",
    "conduct.illegal_final_at": "illegal.final_at",
    "conduct.leds": "assist.leds",
    "conduct.aloud": "assist.speech",
    "conduct.device_role": "device.role",
    "conduct.device_consent": "device.consent",
}
"""The keys that are not called by part and field."""

POWERS_OF_TWO = tuple(2**n for n in range(1, 13))
NUMBERS: Mapping[str, tuple[int | None, ...]] = {
    "opening.auto_double_limit": (*range(13), None),
    "move.max_stack": (*range(1, 15), None),
    "move.landing_blocked_at": (1, 2),
    "move.head_limit": (1, 2, None),
    "start.checkers": tuple(range(1, CHECKERS + 1)),
    "cube.max": (*POWERS_OF_TWO, None),
    "cube.start_face": (*POWERS_OF_TWO, None),
    "cube.unturned_adds": (0, 1),
}
"""The numbers that a key may have, None for no limit or no number."""


@dataclass(frozen=True, slots=True)
class ProfileKey:
    """Where the value of a key stands in a `Profile`, and what it may be."""

    part: str
    field: str
    check: Check


def _keys() -> Iterator[tuple[str, ProfileKey]]:
    for part, rules in PARTS.items():
        kinds = get_type_hints(rules)
        for field in [item.name for item in fields(rules) if item.init]:
            kind = kinds[field]
            name = NAMES.get(f"{part}.{field}", f"{part}.{field}")
            yield name, ProfileKey(part, field, Flag() if kind is bool else OneOf(NUMBERS.get(name, kind)))


KEYS: Mapping[str, ProfileKey] = dict(_keys())
"""Every key in the order in which profiles are told and kept: that of the parts and their fields."""


def value_of(profile: Profile, key: str) -> Value:
    """What ``profile`` says under ``key``; KeyError if there is no such key."""
    place = KEYS[key]
    value: Value = getattr(getattr(profile, place.part), place.field)
    return value


def values_of(profile: Profile) -> dict[str, Value]:
    """All keys of ``profile`` with their values, in the order of the keys."""
    return {key: value_of(profile, key) for key in KEYS}


def differences(profile: Profile, other: Profile = STANDARD) -> tuple[str, ...]:
    """The keys in which ``profile`` differs from ``other``, in the order of the keys."""
    return tuple(key for key in KEYS if value_of(profile, key) != value_of(other, key))


UNKNOWN_TO_ENGINES = (
    *(key for key in KEYS if key.startswith(("move.", "bar.", "bearoff.", "roll."))),
    "score.gammon",
    "score.backgammon",
    "score.backgammon_requires_hit_checker",
    "score.combine",
)


def unknown_to_engines(profile: Profile) -> tuple[str, ...]:
    """The keys whose values no backgammon engine knows; its hints and error rates do not apply then."""
    return tuple(key for key in differences(profile) if key in UNKNOWN_TO_ENGINES)


def parts_from(values: Mapping[str, Hashable]) -> dict[str, Any]:
    """The parts of a `Profile` made from ``values``; keys left out keep their standard value."""
    fields: dict[str, dict[str, Hashable]] = {part: {} for part in PARTS}
    for name, value in values.items():
        fields[KEYS[name].part][KEYS[name].field] = value
    return {part: PARTS[part](**fields[part]) for part in PARTS}
