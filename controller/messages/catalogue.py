"""The text catalogues: one TOML file for each language, read once."""

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from controller.errors import UserError

LANGUAGES = ("en", "hu", "et", "sk")


class LanguageError(UserError):
    """A language that there is no catalogue for."""


class Catalogue:
    """All texts of one language."""

    def __init__(self, entries: Mapping[str, Any]) -> None:
        """``entries`` are nested tables of texts."""
        self._entries = entries

    def text(self, *path: str, **arguments: object) -> str:
        """The text under ``path`` with ``arguments`` in the places of its braces.

        Raises KeyError if there is no such entry or an argument is missing: a defect, not bad input.
        """
        entry: Any = self._entries
        for step in path:
            entry = entry[step]
        return str(entry).format(**arguments)

    def names(self, *path: str) -> frozenset[str]:
        """The names of the entries under ``path``."""
        entry: Any = self._entries
        for step in path:
            entry = entry[step]
        return frozenset(entry)

    def paths(self) -> dict[tuple[str, ...], str]:
        """Every entry with its unfilled text."""
        return dict(_leaves(self._entries, ()))


def _leaves(table: Mapping[str, Any], path: tuple[str, ...]) -> list[tuple[tuple[str, ...], str]]:
    found: list[tuple[tuple[str, ...], str]] = []
    for name, entry in table.items():
        if isinstance(entry, str):
            found.append(((*path, name), entry))
        else:
            found += _leaves(entry, (*path, name))
    return found


@functools.cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of ``language``, one of `LANGUAGES`. Raises LanguageError for any other."""
    if language not in LANGUAGES:
        raise LanguageError(f'There are no texts in "{language}"; the languages are {", ".join(LANGUAGES)}.')
    text = files("controller.messages").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text))
