"""The keys a profile file may set, with what each may be. The dataclasses of a profile are the schema."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any, get_type_hints

from controller.rules.moves.movement import MovementRules
from controller.rules.profile.conduct import Conduct
from controller.rules.profile.profile import (
    STANDARD,
    CubeRules,
    MatchRules,
    OpeningRules,
    Profile,
    ResignRules,
    ScoreRules,
)
from controller.tomlfile.checks import Check, Choice, Flag

Value = bool | int | str | None

PARTS: Mapping[str, type] = {
    "movement": MovementRules,
    "opening": OpeningRules,
    "score": ScoreRules,
    "cube": CubeRules,
    "match": MatchRules,
    "resign": ResignRules,
    "conduct": Conduct,
}

PLACES: Mapping[str, tuple[str, str]] = {
    "start.position": ("opening", "layout"),
    "opening.roll_uses": ("opening", "roll_uses"),
    "opening.tie": ("opening", "tie"),
    "opening.auto_double_limit": ("opening", "auto_double_limit"),
    "opening.next_game": ("opening", "next_game"),
    "move.doubles": ("movement", "doubles"),
    "move.max_dice": ("movement", "max_dice"),
    "move.larger_die": ("movement", "larger_die"),
    "move.max_stack": ("movement", "max_stack"),
    "move.landing_blocked_at": ("movement", "landing_blocked_at"),
    "bar.enter_first": ("movement", "bar_enter_first"),
    "bearoff.order": ("movement", "bearoff_order"),
    "bearoff.oversize": ("movement", "bearoff_oversize"),
    "bearoff.exact_optional": ("movement", "bearoff_exact_optional"),
    "score.gammon": ("score", "gammon"),
    "score.backgammon": ("score", "backgammon"),
    "score.backgammon_requires_hit_checker": ("score", "backgammon_requires_hit_checker"),
    "score.not_all_home_after_bearoff": ("score", "not_all_home_after_bearoff"),
    "score.combine": ("score", "combine"),
    "cube.enabled": ("cube", "enabled"),
    "cube.max": ("cube", "max"),
    "cube.start_face": ("cube", "start_face"),
    "cube.unturned_adds": ("cube", "unturned_adds"),
    "cube.drop_pays": ("cube", "drop_pays"),
    "cube.beaver": ("cube", "beaver"),
    "cube.beaver_refusable": ("cube", "beaver_refusable"),
    "cube.raccoon": ("cube", "raccoon"),
    "cube.jacoby": ("cube", "jacoby"),
    "cube.jacoby_satisfied_by": ("cube", "jacoby_satisfied_by"),
    "cube.dead": ("cube", "dead"),
    "match.kind": ("match", "kind"),
    "match.crawford": ("match", "crawford"),
    "resign.form": ("resign", "form"),
    "resign.must_accept": ("resign", "must_accept"),
    "dice.reroll": ("conduct", "reroll"),
    "end_of_turn": ("conduct", "end_of_turn"),
    "illegal.policy": ("conduct", "illegal_policy"),
    "illegal.final_at": ("conduct", "illegal_final_at"),
    "assist.leds": ("conduct", "leds"),
    "device.role": ("conduct", "device_role"),
    "device.consent": ("conduct", "device_consent"),
}

POWERS_OF_TWO = tuple(2**n for n in range(1, 13))
NUMBERS: Mapping[str, tuple[int | None, ...]] = {
    "opening.auto_double_limit": (*range(13), None),
    "move.max_stack": (*range(1, 15), None),
    "move.landing_blocked_at": (1, 2),
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


def _key(name: str, part: str, field: str) -> ProfileKey:
    kind = get_type_hints(PARTS[part])[field]
    return ProfileKey(part, field, Flag() if kind is bool else Choice(NUMBERS.get(name, kind)))


KEYS: Mapping[str, ProfileKey] = {name: _key(name, *place) for name, place in PLACES.items()}


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
    *(key for key in PLACES if key.startswith(("move.", "bar.", "bearoff."))),
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
