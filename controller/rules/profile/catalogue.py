"""The profiles that ship with the product, and those a club writes itself: each a text that is checked key by key.

Only this module of the rules reads files.
"""

import functools
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Final

from controller.errors import UserError
from controller.plugins import PluginKind, plugin_texts
from controller.rules.moves.movement import STANDARD_FAMILY, Contact, Variant
from controller.rules.position import Direction
from controller.rules.profile.keys import KEYS, Value, parts_from, value_of
from controller.rules.profile.profile import AfterRoll, Layout, Origin, Profile, RuleSource, Tie
from controller.tomlfile.checks import OneOf, Several, Text
from controller.tomlfile.document import Document, near, parse_document, read_text

_LOGGER: Final = logging.getLogger(__name__)
SUFFIX = ".toml"
HEADINGS = ("title", "inherits", "notices")
NOTICES = (
    *("additive_cube_and_drops", "hit_checkers_from_log", "triple_after_bearoff", "larger_die_silent"),
    *("jacquet_two_games", "experimental"),
)
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

FOREIGN_SETTINGS: tuple[tuple[str, tuple[Value, ...]], ...] = (
    ("move.direction", (Direction.PARALLEL,)),
    ("move.contact", (Contact.PIN,)),
    ("start.position", (Layout.IN_HAND,)),
    ("roll.after", (AfterRoll.NAMED_DOUBLE, AfterRoll.RISING_DOUBLES)),
)
"""Keys with the values that no game has whose plays a backgammon program can read."""

TAVLI = ("portes", "plakoto", "fevga")
"""The games that take turns in tavli, a series and no game by itself (backgammonline.net/tavli.html)."""


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
        notices=document.heading("notices", Several(OneOf(NOTICES), len(NOTICES)), ()),
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
    game = profile.movement.variant
    if game not in STANDARD_FAMILY:
        return
    for key, values in FOREIGN_SETTINGS:
        if (value := value_of(profile, key)) in values:
            setter = key if key in own.settings else "game"
            at = f"{own.settings[setter][1]}.{setter}" if setter in own.settings else "inherits"
            others = ", ".join(each for each in Variant if each not in STANDARD_FAMILY)
            why = (
                f"{key} is {value}, but game is {game}, which is not played so; set game to one of {others}."
            )
            raise own.document.fault(at, why)


def profile_names() -> tuple[str, ...]:
    """The names of the profiles that ship with the product, the standard ones first, and then those of plug-ins."""
    return (*_shipped_names(), *_added_names())


@functools.cache
def _shipped_names() -> tuple[str, ...]:
    """Listed once: a table asks for its profile each time that it is looked at."""
    names = [
        entry.name.removesuffix(SUFFIX)
        for entry in files("controller.rules.profiles").iterdir()
        if entry.name.endswith(SUFFIX)
    ]
    return tuple(sorted(names, key=lambda name: (not name.startswith("standard"), name)))


def load_profile(name_or_path: str | Path) -> Profile:
    """The profile with this name, or in this file if the argument ends in ``.toml`` or has a folder in it.

    A file inherits from a profile that ships with the product or from another file in its own folder.
    Raises ProfileError for a name that does not exist, a file that cannot be read, a mistake in it, an
    unknown parent, or profiles that inherit from each other in a circle.
    """
    asked = str(name_or_path)
    if asked in _shipped_names():
        return _shipped(asked)
    if asked in plugin_texts(PluginKind.PROFILES):
        return _added(asked)
    path = Path(asked)
    if asked == "tavli":
        games = ", ".join(f'"{name}"' for name in TAVLI)
        raise ProfileError(
            f'Tavli is a series: set match.form = "series" and match.profile = [{games}], or name one of them.'
        )
    if path.suffix != SUFFIX and len(path.parts) <= 1:
        known = profile_names()
        raise ProfileError(
            f'There is no profile "{asked}"{near(asked, known)}; the profiles are {", ".join(known)}, '
            f"or give the path of a file that ends in {SUFFIX}."
        )
    return join_profile_texts(_chain(_from_path(path), path.parent))


@functools.cache
def _added_names() -> tuple[str, ...]:
    """The profiles of plug-ins; one with a mistake is left out, and none takes the place of one that ships."""
    found = []
    for name in plugin_texts(PluginKind.PROFILES).keys() - set(_shipped_names()):
        try:
            _added(name)
        except ProfileError:
            _LOGGER.exception("The profile %s of a plug-in has a mistake.", name)
        else:
            found.append(name)
    return tuple(sorted(found))


@functools.cache
def _added(name: str) -> Profile:
    text = plugin_texts(PluginKind.PROFILES)[name]
    return join_profile_texts(_chain(parse_profile_text(text, name=name, label=f"{name}{SUFFIX}"), None))


@functools.cache
def _shipped(name: str) -> Profile:
    return join_profile_texts(_chain(_from_package(name), None))


def _chain(first: ProfileText, folder: Path | None) -> list[ProfileText]:
    chain = [first]
    while (parent := chain[-1].inherits) is not None:
        text = _parent(parent, chain[-1], folder)
        if text.document.label in {member.document.label for member in chain}:
            circle = " -> ".join([*(member.name for member in chain), text.name])
            remedy = "let one of them inherit from a profile that ships with the product"
            raise chain[-1].document.fault(
                "inherits", f"the profiles inherit in a circle ({circle}); {remedy}."
            )
        chain.append(text)
    return chain


def _parent(name: str, child: ProfileText, folder: Path | None) -> ProfileText:
    if name in _shipped_names():
        return _from_package(name)
    if folder is not None and (folder / f"{name}{SUFFIX}").is_file():
        return _from_path(folder / f"{name}{SUFFIX}")
    known = _shipped_names()
    remedy = f"take one of {', '.join(known)}, or put {name}{SUFFIX} into the same folder"
    why = f'there is no profile "{name}"{near(name, known)} to inherit from; {remedy}.'
    raise child.document.fault("inherits", why)


def _from_package(name: str) -> ProfileText:
    file_name = f"{name}{SUFFIX}"
    text = files("controller.rules.profiles").joinpath(file_name).read_text(encoding="utf-8")
    return parse_profile_text(text, name=name, label=file_name)


def _from_path(path: Path) -> ProfileText:
    text = read_text(path, ProfileError, "give the path of a profile file")
    return parse_profile_text(text, name=path.stem, label=str(path))
