"""The text catalogues: one TOML file for each language, read when its first text is asked for."""

import functools
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final

from controller.errors import UserError

PLURALS: Final[Mapping[str, Mapping[str, range]]] = {
    "en": {"one": range(1, 2)},
    "hu": {"one": range(1, 2)},
    "et": {"one": range(1, 2)},
    "sk": {"one": range(1, 2), "few": range(2, 5)},
}
"""The plural forms of each language and the numbers they are for, as CLDR has them for whole numbers."""
OTHER: Final = "other"
"""The plural form for all other numbers."""
COUNT: Final = "count"
"""The key under which an entry with plural forms names the argument that they depend on."""
LANGUAGES: Final = tuple(PLURALS)


class LanguageError(UserError):
    """A language that there is no catalogue for."""


class Catalogue:
    """All texts of one language.

    An entry is a text, or a table of plural forms: `count` names the argument that decides, the other keys are
    those of `PLURALS` and `OTHER`.
    """

    def __init__(self, entries: Mapping[str, Any], plurals: Mapping[str, range]) -> None:
        """`entries` are nested tables of texts; `plurals` the forms of the language."""
        self._entries = entries
        self._plurals = plurals

    def text(self, *path: str, **arguments: object) -> str:
        """The text under `path` with `arguments` in the places of its braces.

        Raises KeyError if there is no such entry or an argument is missing: a defect, not bad input.
        """
        entry = self._at(path)
        if not isinstance(entry, str):
            count = arguments[entry[COUNT]]
            entry = entry[next((form for form, numbers in self._plurals.items() if count in numbers), OTHER)]
        return str(entry).format(**arguments)

    def names(self, *path: str) -> frozenset[str]:
        """The names of the entries under `path`."""
        return frozenset(self._at(path))

    def entries(self, *path: str) -> Mapping[str, Any]:
        """The entries under `path` as they stand in the file, for whoever fills them in elsewhere."""
        entries: Mapping[str, Any] = self._at(path)
        return entries

    def _at(self, path: tuple[str, ...]) -> Any:
        entry: Any = self._entries
        for step in path:
            entry = entry[step]
        return entry


@functools.cache
def catalogue(language: str) -> Catalogue:
    """The catalogue of `language`, one of `LANGUAGES`. Raises LanguageError for any other."""
    if language not in PLURALS:
        raise LanguageError(f'There are no texts in "{language}"; the languages are {", ".join(LANGUAGES)}.')
    text = files("controller.messages").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text), PLURALS[language])
