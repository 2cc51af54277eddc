"""A profile file as text, checked key by key, and the profile that a chain of such files makes."""

import difflib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.errors import UserError
from controller.rules.profile.keys import KEYS, Value, parts_from
from controller.rules.profile.profile import Origin, Profile, RuleSource
from controller.rules.profile.tomllines import lines_of_keys

HEADINGS = ("title", "inherits", "notices", "stated", "inferred")
NOTICES = ("additive_cube_and_drops", "hit_checkers_from_log", "triple_after_bearoff", "larger_die_silent")
"""The codes a profile may list under ``notices``: what players should be told when they choose it."""


class ProfileError(UserError):
    """A profile that cannot be used; the message names the file, the line and what would be right."""


@dataclass(frozen=True, slots=True)
class ProfileText:
    """One profile file, checked key by key but not yet joined with the one it inherits from.

    ``label`` is what messages call the file. ``settings`` maps a key to its value, whether the text
    states it, and its line.
    """

    name: str
    label: str
    title: str
    inherits: str | None
    inherits_line: int
    notices: tuple[str, ...]
    settings: Mapping[str, tuple[Value, RuleSource, int]]


def parse_profile_text(text: str, *, name: str, label: str) -> ProfileText:
    """Read the TOML ``text`` of a profile called ``name``.

    Raises ProfileError for text that is not TOML, an unknown key or heading, or a value a key cannot
    have; the message gives ``label``, the line and the keys or values that exist.
    """
    try:
        document = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProfileError(f"{label} is not a TOML file: {error}; put that line right.") from None
    lines = lines_of_keys(text)
    for heading in document:
        if heading not in HEADINGS:
            raise ProfileError(
                f'{label}, line {lines.get(heading, 1)}: unknown heading "{heading}"; a profile has '
                f"{', '.join(HEADINGS)}, and rules stand under [stated] or [inferred]."
            )
    settings: dict[str, tuple[Value, RuleSource, int]] = {}
    for source in RuleSource:
        section = document.get(source.value, {})
        if not isinstance(section, dict):
            raise ProfileError(
                f"{label}, line {lines.get(source.value, 1)}: write [{source.value}] on a line of its own."
            )
        for key, raw in _flat(section):
            line = lines.get(f"{source.value}.{key}", 1)
            if key in settings:
                raise ProfileError(
                    f"{label}, line {line}: {key} is both under [stated] and under [inferred]; keep one."
                )
            settings[key] = (_checked(key, raw, f"{label}, line {line}"), source, line)
    return ProfileText(
        name=name,
        label=label,
        title=_string(document, "title", name, label, lines),
        inherits=_string(document, "inherits", "", label, lines) or None,
        inherits_line=lines.get("inherits", 1),
        notices=_notices(document, label, lines),
        settings=settings,
    )


def join_profile_texts(chain: Sequence[ProfileText]) -> Profile:
    """The profile made by ``chain``: the file itself first, then its parent, its parent's parent and so on.

    A key that no file of the chain sets has the standard value, marked as inferred. Raises ProfileError
    where keys contradict each other.
    """
    own = chain[0]
    values: dict[str, Value] = {}
    origins = {key: Origin(RuleSource.INFERRED, "standard") for key in KEYS}
    notices: list[str] = []
    for file in reversed(chain):
        for key, (value, source, _) in file.settings.items():
            values[key] = value
            origins[key] = Origin(source, file.name)
        notices += [notice for notice in file.notices if notice not in notices]
    profile = Profile(
        **parts_from(values), name=own.name, title=own.title, notices=tuple(notices), origins=origins
    )
    _refuse_contradictions(profile, own)
    return profile


def _refuse_contradictions(profile: Profile, own: ProfileText) -> None:
    for key, other, contradiction, remedy in (
        (
            "cube.raccoon",
            "cube.beaver",
            profile.cube.raccoon and not profile.cube.beaver,
            "a raccoon answers a beaver: set cube.beaver = true or cube.raccoon = false",
        ),
        (
            "opening.tie",
            "cube.enabled",
            profile.opening.tie == "auto_double" and not profile.cube.enabled,
            'automatic doubles need the cube: set cube.enabled = true or opening.tie = "reroll"',
        ),
    ):
        if contradiction:
            setting = own.settings.get(key) or own.settings.get(other)
            line = setting[2] if setting else own.inherits_line
            raise ProfileError(f"{own.label}, line {line}: {key} contradicts {other}: {remedy}.")


def _checked(key: str, raw: object, where: str) -> Value:
    if key not in KEYS:
        near = difflib.get_close_matches(key, KEYS, n=1)
        hint = f" (perhaps {near[0]} is meant)" if near else ""
        raise ProfileError(f'{where}: unknown key "{key}"{hint}; the keys are {", ".join(KEYS)}.')
    try:
        return KEYS[key].value(raw)
    except ValueError:
        raise ProfileError(f"{where}: {key} cannot be {_shown(raw)}; it is {KEYS[key].wording()}.") from None


def _shown(raw: object) -> str:
    if isinstance(raw, bool):
        return str(raw).lower()
    return f'"{raw}"' if isinstance(raw, str) else str(raw)


def _string(
    document: Mapping[str, object], heading: str, default: str, label: str, lines: Mapping[str, int]
) -> str:
    value = document.get(heading, default)
    if not isinstance(value, str):
        raise ProfileError(f"{label}, line {lines.get(heading, 1)}: {heading} is a text in quotation marks.")
    return value


def _notices(document: Mapping[str, object], label: str, lines: Mapping[str, int]) -> tuple[str, ...]:
    listed = document.get("notices", [])
    if not isinstance(listed, list) or not all(notice in NOTICES for notice in listed):
        raise ProfileError(
            f"{label}, line {lines.get('notices', 1)}: notices is a list of some of {', '.join(NOTICES)}."
        )
    return tuple(listed)


def _flat(section: Mapping[str, object], prefix: str = "") -> list[tuple[str, object]]:
    """Keys with dots and their values; a table that is no key of ours is reported whole, by its name."""
    found: list[tuple[str, object]] = []
    for name, value in section.items():
        if isinstance(value, dict) and value:
            found += _flat(value, f"{prefix}{name}.")
        else:
            found.append((f"{prefix}{name}", value))
    return found
