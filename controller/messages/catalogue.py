"""The text catalogues: one TOML file for each language, read when its first text is asked for."""

import functools
import logging
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from string import Formatter
from typing import Any, Final

from controller.errors import UserError
from controller.plugins import PluginKind, plugin_texts

_LOGGER: Final = logging.getLogger(__name__)
PLURALS: Final[Mapping[str, Mapping[str, range]]] = {
    "en": {"one": range(1, 2)},
    "hu": {"one": range(1, 2)},
    "et": {"one": range(1, 2)},
    "sk": {"one": range(1, 2), "few": range(2, 5)},
}
"""The plural forms of each language that ships, and the numbers they are for, as CLDR has them for whole numbers."""
OTHER: Final = "other"
"""The plural form for all other numbers."""
COUNT: Final = "count"
"""The key under which an entry with plural forms names the argument that they depend on."""
LANGUAGES: Final = (
    *PLURALS,
    *(name for name in plugin_texts(PluginKind.LANGUAGES) if name not in PLURALS),
)
"""Those that ship with the product, and then those of plug-ins."""


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
            forms = (form for form, numbers in self._plurals.items() if count in numbers and form in entry)
            entry = entry[next(forms, OTHER)]
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
    if language not in LANGUAGES:
        raise LanguageError(f'There are no texts in "{language}"; the languages are {", ".join(LANGUAGES)}.')
    if language not in PLURALS:
        return _added(plugin_texts(PluginKind.LANGUAGES)[language], language)
    text = files("controller.messages").joinpath(f"{language}.toml").read_text(encoding="utf-8")
    return Catalogue(tomllib.loads(text), PLURALS[language])


def _added(text: str, language: str) -> Catalogue:
    """The catalogue of a plug-in: what it leaves out is in English, as is all of it if it cannot be used.

    Its table `plurals` names plural forms and the first and last number of each.
    """
    english = catalogue(LANGUAGES[0])
    try:
        entries = tomllib.loads(text)
        plurals = {form: range(first, last + 1) for form, (first, last) in entries.pop("plurals", {}).items()}
    except (tomllib.TOMLDecodeError, AttributeError, TypeError, ValueError):
        _LOGGER.exception("The texts of the language %s of a plug-in cannot be used.", language)
        return english
    return Catalogue(_completed(entries, english.entries()), plurals or PLURALS[LANGUAGES[0]])


def _completed(entries: Mapping[str, Any], complete: Mapping[str, Any]) -> Mapping[str, Any]:
    """A complete catalogue with the entries in the place of its own, as far as they fill in the same arguments."""
    made = dict(complete)
    for name in complete.keys() & entries.keys():
        entry, other = entries[name], complete[name]
        if isinstance(other, dict) and COUNT not in other:
            made[name] = _completed(entry, other) if isinstance(entry, dict) else other
        elif (filled := _arguments(entry)) is not None and filled <= (_arguments(other) or frozenset()):
            made[name] = entry
        else:
            _LOGGER.error("A text %r of a plug-in does not fit the English %r.", entry, other)
    return made


def _arguments(entry: Any) -> frozenset[str] | None:
    """What is filled in; None of what is neither a text nor plural forms of one."""
    try:
        if isinstance(entry, dict):
            _ = entry[OTHER]
            return frozenset({entry[COUNT]}).union(
                *(_fields(text) for name, text in entry.items() if name != COUNT)
            )
        return _fields(entry)
    except (KeyError, TypeError, ValueError):
        return None


def _fields(text: str) -> frozenset[str]:
    """Raises ValueError or TypeError for what cannot be filled in."""
    return frozenset(field for _, field, _, _ in Formatter().parse(text) if field is not None)
