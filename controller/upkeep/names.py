"""Texts without the names of people, to be sent to whoever is asked for help."""

import re
from collections.abc import Iterable, Mapping
from typing import Final

from controller.app.opening import file_part

SHORTEST_WORD: Final = 3
"""Parts of a name that are shorter stand in too many other words to be taken out by themselves."""


def stand_ins(names: Iterable[str], usual: Iterable[str]) -> dict[str, str]:
    """What stands for each name, also for its parts and for how folders are called after it.

    Args:
        names: those of people; the same person may come several times.
        usual: names that are nobody's, such as `Light`.
    """
    told: dict[str, str] = {}
    people = sorted({name.strip() for name in names if name.strip()} - set(usual))
    for number, name in enumerate(people, start=1):
        parts = [part for part in re.split(r"\W+", name) if len(part) >= SHORTEST_WORD and part not in usual]
        for part in (name, *parts):
            told.setdefault(part, f"Person {number}")
            told.setdefault(file_part(part), f"person-{number}")
    return told


def without_names(text: str, told: Mapping[str, str]) -> str:
    """The text with what stands for each name; the longest first, whole words only."""
    if not told:
        return text
    longest = sorted(told, key=len, reverse=True)
    pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
    return pattern.sub(lambda found: told[found[0]], text)
