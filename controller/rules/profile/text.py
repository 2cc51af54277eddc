"""A profile file as text, checked key by key, and the profile that a chain of such files makes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.errors import UserError
from controller.rules.profile.keys import KEYS, Value, parts_from, value_of
from controller.rules.profile.profile import Origin, Profile, RuleSource, Tie
from controller.tomlfile.checks import Choice, Several, Text
from controller.tomlfile.document import Document, parse_document

HEADINGS = ("title", "inherits", "notices")
NOTICES = ("additive_cube_and_drops", "hit_checkers_from_log", "triple_after_bearoff", "larger_die_silent")
"""The codes a profile may list under ``notices``: what players should be told when they choose it."""
CONTRADICTIONS: tuple[tuple[tuple[str, Value], tuple[str, Value], str], ...] = (
    (
        ("cube.raccoon", True),
        ("cube.beaver", False),
        "a raccoon answers a beaver: set cube.beaver = true or cube.raccoon = false",
    ),
    (
        ("opening.tie", Tie.AUTO_DOUBLE),
        ("cube.enabled", False),
        'automatic doubles need the cube: set cube.enabled = true or opening.tie = "reroll"',
    ),
)
"""Two keys with the values that cannot stand together, and the remedy."""


class ProfileError(UserError):
    """A profile that cannot be used; the message names the file, the line and what would be right."""


@dataclass(frozen=True, slots=True)
class ProfileText:
    """One profile file, checked key by key but not yet joined with the one it inherits from.

    ``settings`` maps a key to its value and whether the text states it.
    """

    document: Document
    name: str
    title: str
    inherits: str | None
    notices: tuple[str, ...]
    settings: Mapping[str, tuple[Value, RuleSource]]


def parse_profile_text(text: str, *, name: str, label: str) -> ProfileText:
    """Read the TOML ``text`` of a profile called ``name``.

    Raises ProfileError for text that is not TOML, an unknown key or heading, or a value a key cannot
    have; the message gives ``label``, the line and the keys or values that exist.
    """
    document = parse_document(text, label, ProfileError, tuple(RuleSource), HEADINGS)
    checks = {key: place.check for key, place in KEYS.items()}
    settings: dict[str, tuple[Value, RuleSource]] = {}
    for source in RuleSource:
        for key, value in document.section(source, checks).items():
            if key in settings:
                why = f"{key} is both under [stated] and under [inferred]; keep one."
                raise document.fault(f"{source}.{key}", why)
            settings[key] = (value, source)
    return ProfileText(
        document,
        name,
        title=document.heading("title", Text(least=0), name),
        inherits=document.heading("inherits", Text(least=0), "") or None,
        notices=document.heading("notices", Several(Choice(NOTICES), len(NOTICES)), ()),
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
        for key, (value, source) in file.settings.items():
            values[key] = value
            origins[key] = Origin(source, file.name)
        notices += [notice for notice in file.notices if notice not in notices]
    profile = Profile(
        **parts_from(values), name=own.name, title=own.title, notices=tuple(notices), origins=origins
    )
    _refuse_contradictions(profile, own)
    return profile


def _refuse_contradictions(profile: Profile, own: ProfileText) -> None:
    for (key, value), (other, its_value), remedy in CONTRADICTIONS:
        if value_of(profile, key) == value and value_of(profile, other) == its_value:
            setter = key if key in own.settings else other
            at = f"{own.settings[setter][1]}.{setter}" if setter in own.settings else "inherits"
            raise own.document.fault(at, f"{key} contradicts {other}: {remedy}.")
