"""Rule profiles in words: what sets one apart from the standard first, then the rest."""

from collections.abc import Iterable
from typing import Any

from controller.messages.catalogue import Catalogue, catalogue
from controller.rules import Profile
from controller.rules.moves.movement import Contact
from controller.rules.profile.keys import KEYS, Value, differences, unknown_to_engines, value_of
from controller.rules.profile.profile import (
    STANDARD,
    BackgammonRule,
    Combine,
    Layout,
    MatchKind,
    RuleSource,
    Tie,
)
from controller.tomlfile.checks import NONE, Check, Flag, OneOf

FAMILY_KEYS = frozenset(
    {
        *("game", "start.checkers", "roll.after", "score.mother"),
        *("move.direction", "move.contact", "move.first_checker", "move.head_limit", "move.prime_limit"),
        *("move.hit_and_run",),
    }
)
"""Keys that only tell games of the family apart: they are listed where they differ from backgammon."""


def list_profiles(profiles: Iterable[Profile], language: str = "en") -> str:
    """One line for each profile: its name and its title, under a heading. Ends without a line break."""
    named = [(profile.name, title(profile, language)) for profile in profiles]
    width = max((len(name) for name, _ in named), default=0)
    lines = [f"  {name:<{width}}  {title}" for name, title in named]
    return "\n".join([f"{catalogue(language).text('heading', 'list')}:", *lines])


def describe(profile: Profile, language: str = "en") -> str:
    """``profile`` in words, as plain text in paragraphs.

    In front stands what sets it apart from the standard game, then what the players should be told, then
    what else the text states, last what was filled in. Keys without effect under these rules (a beaver
    that may be refused where there are no beavers) are left out. Raises LanguageError.
    """
    texts = catalogue(language)
    shown = [key for key in KEYS if applies(profile, key)]
    apart = [key for key in differences(profile) if key in shown]
    apart.sort(key=lambda key: (key != "game", _filled_in(profile, key)))
    rest = [key for key in shown if key not in apart]
    sentences = [_sentence(profile, key, texts, mark=True) for key in apart]
    notices = [texts.text("notice", code) for code in profile.notices]
    if unknown_to_engines(profile):
        notices.append(texts.text("heading", "engines"))
    blocks = [
        texts.text("heading", "profile", name=profile.name, title=title(profile, language)),
        _block(texts.text("heading", "apart"), sentences or [texts.text("heading", "same")]),
        _block(texts.text("heading", "notices"), notices),
    ]
    for heading, filled_in in (("stated", False), ("inferred", True)):
        keys = [key for key in rest if _filled_in(profile, key) is filled_in]
        lines = [_sentence(profile, key, texts, mark=False) for key in keys]
        blocks.append(_block(texts.text("heading", heading), lines))
    return "\n\n".join(block for block in blocks if block)


def title(profile: Profile, language: str = "en") -> str:
    """What ``profile`` is called: the standard ones in ``language``, a rule text as its book or club calls it."""
    english = catalogue("en")
    if profile.name in english.names("title") and profile.title == english.text("title", profile.name):
        return catalogue(language).text("title", profile.name)
    return profile.title


def sentence(key: str, value: Value, language: str = "en") -> str:
    """What ``key = value`` means, as one sentence."""
    return _worded(key, value, catalogue(language))


def all_sentences(language: str = "en") -> dict[str, dict[str, str]]:
    """What each key means with each value that it may have; values as records write them: `none`, `true`, `15`."""
    return {
        key: {_written(value): sentence(key, value, language) for value in _values(place.check)}
        for key, place in KEYS.items()
    }


def _values(check: Check) -> tuple[Value, ...]:
    """All values of a key; each of them is one of a few."""
    assert isinstance(check, Flag | OneOf)
    members: Iterable[Any] = (False, True) if isinstance(check, Flag) else check.members
    return tuple(members)


def _written(value: Value) -> str:
    return str(value).lower() if isinstance(value, bool) else str(NONE if value is None else value)


def applies(profile: Profile, key: str) -> bool:
    """Whether ``key`` has any effect under the other rules of ``profile``."""
    cube = profile.cube
    if key.startswith("cube.") and key != "cube.enabled" and not cube.enabled:
        return False
    if key in FAMILY_KEYS:
        return value_of(profile, key) != value_of(STANDARD, key)
    not_all_home = profile.score.backgammon is BackgammonRule.NOT_ALL_HOME
    movement = profile.movement
    pins, hits = movement.contact is Contact.PIN, movement.landing_blocked_at > 1
    conditions = {
        "move.landing_blocked_at": not pins,
        "bar.enter_first": (hits and not pins) or profile.opening.layout is Layout.IN_HAND,
        "bearoff.while_pinned": pins,
        "move.head_exception": movement.head_limit is not None,
        "opening.auto_double_limit": profile.opening.tie is Tie.AUTO_DOUBLE,
        "score.combine": cube.enabled,
        "score.backgammon_requires_hit_checker": not not_all_home
        and profile.score.backgammon is not BackgammonRule.NEVER,
        "score.not_all_home_after_bearoff": not_all_home,
        "cube.unturned_adds": profile.score.combine is Combine.ADD,
        "cube.beaver_refusable": cube.beaver,
        "cube.raccoon": cube.beaver,
        "cube.jacoby_satisfied_by": cube.jacoby and profile.opening.tie is Tie.AUTO_DOUBLE,
        "cube.dead": profile.match.kind is not MatchKind.MONEY,
        "match.crawford": cube.enabled and profile.match.kind is not MatchKind.MONEY,
    }
    return conditions.get(key, True)


def _filled_in(profile: Profile, key: str) -> bool:
    origin = profile.origins.get(key)
    return origin is None or origin.source is RuleSource.INFERRED


def _sentence(profile: Profile, key: str, texts: Catalogue, *, mark: bool) -> str:
    worded = _worded(key, value_of(profile, key), texts)
    if mark and _filled_in(profile, key):
        return f"{worded} ({texts.text('heading', 'filled_in')})"
    return worded


def _worded(key: str, value: Value, texts: Catalogue) -> str:
    if value is None:
        return texts.text("rule", key, NONE)
    if isinstance(value, bool):
        return texts.text("rule", key, str(value).lower())
    if isinstance(value, int):
        entries = texts.names("rule", key)
        return texts.text("rule", key, str(value) if str(value) in entries else "number", n=value)
    return texts.text("rule", key, value)


def _block(heading: str, lines: list[str]) -> str:
    return "\n".join([f"{heading}:", *(f"  - {line}" for line in lines)]) if lines else ""
