"""The formats that come with the product, and those a director writes; each a text that is checked key by key.

Only this module of the room reads files.
"""

import functools
import logging
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

from controller.plugins import PluginKind, plugin_texts
from controller.tomlfile.checks import Text, keys_of
from controller.tomlfile.document import Document, near, parse_document, read_text
from controller.tournament.fault import TournamentError
from controller.tournament.format import TABLES, StageKind, TournamentFormat

_LOGGER: Final = logging.getLogger(__name__)
SUFFIX: Final = ".toml"
TITLE: Final = Text(least=0)


def format_names() -> tuple[str, ...]:
    """The names of the formats that come with the product, and then those of plug-ins."""
    return (*_shipped_names(), *_added_names())


@functools.cache
def _added_names() -> tuple[str, ...]:
    """The formats of plug-ins; one with a mistake is left out, and none takes the place of one that ships."""
    found = []
    for name in plugin_texts(PluginKind.FORMATS).keys() - set(_shipped_names()):
        try:
            load_format(name)
        except TournamentError:
            _LOGGER.exception("The format %s of a plug-in has a mistake.", name)
        else:
            found.append(name)
    return tuple(sorted(found))


def _shipped_names() -> tuple[str, ...]:
    here = files("controller.tournament.formats").iterdir()
    return tuple(sorted(each.name.removesuffix(SUFFIX) for each in here if each.name.endswith(SUFFIX)))


def load_format(name_or_path: str) -> TournamentFormat:
    """The format with this name, or in this file if it ends in ``.toml`` or has a folder in it.

    Raises TournamentError for a name that does not exist, a file that cannot be read, or a mistake in it.
    """
    if name_or_path in _shipped_names():
        text = files("controller.tournament.formats").joinpath(f"{name_or_path}{SUFFIX}")
        return parse_format(text.read_text(encoding="utf-8"), name_or_path, f"{name_or_path}{SUFFIX}")
    if name_or_path in (added := plugin_texts(PluginKind.FORMATS)):
        return parse_format(added[name_or_path], name_or_path, f"{name_or_path}{SUFFIX}")
    path = Path(name_or_path)
    if path.suffix != SUFFIX and len(path.parts) <= 1:
        known = format_names()
        raise TournamentError(
            f'There is no format "{name_or_path}"{near(name_or_path, known)}; the formats are {", ".join(known)}, '
            f"or give the path of a file that ends in {SUFFIX}."
        )
    text_of_file = read_text(path, TournamentError, "give the path of a format file")
    return parse_format(text_of_file, path.stem, str(path))


def parse_format(text: str, name: str, label: str) -> TournamentFormat:
    """Read the TOML `text` of a format; messages call it `label`. Raises TournamentError with line and remedy."""
    return _format_of(parse_document(text, label, TournamentError, tuple(TABLES), ("title",)), name)


def format_from(values: Mapping[str, Any], name: str, title: str, label: str) -> TournamentFormat:
    """The format whose `format_values` these are. Raises TournamentError where they are not."""
    if not all(table in TABLES and isinstance(keys, dict) for table, keys in values.items()):
        raise TournamentError(
            f"{label}: these are no tables of a format; take the file as Pointsman wrote it."
        )
    return _format_of(Document(label, TournamentError, {**values, "title": title}, {}), name)


def _format_of(document: Document, name: str) -> TournamentFormat:
    parts = {
        table: kind(**document.section(table, {each.name: each.check for each in keys_of(kind)}))
        for table, kind in TABLES.items()
    }
    made = TournamentFormat(name=name, title=document.heading("title", TITLE, name), **parts)
    _refuse_contradictions(made, document)
    return made


def _refuse_contradictions(made: TournamentFormat, document: Document) -> None:
    stage, brackets = made.stage, made.stage.kind is StageKind.BRACKETS
    rounds = stage.kind is StageKind.ROUNDS
    for wrong, at, why in (
        (
            rounds and stage.rounds is None and stage.lives is None,
            "stage.kind",
            "rounds would never end; set rounds or lives",
        ),
        (not rounds and stage.lives is not None, "stage.lives", 'lives need kind = "rounds"'),
        (
            stage.lives_to_win is not None and (stage.lives is None or stage.lives_to_win > stage.lives),
            "stage.lives_to_win",
            "lives_to_win cannot be more than lives; set both",
        ),
        (
            stage.play_off_at is not None and stage.lives is None,
            "stage.play_off_at",
            "without lives nobody is out; set lives",
        ),
        (
            stage.groups_of is not None and stage.kind is not StageKind.ROUND_ROBIN,
            "stage.groups_of",
            'groups need kind = "round_robin"',
        ),
        (
            made.consolation.rounds > 0 and not brackets,
            "consolation.rounds",
            'a consolation needs kind = "brackets"',
        ),
        (
            made.last_chance.rounds > 0 and (made.consolation.rounds == 0 or made.consolation.returns),
            "last_chance.rounds",
            "a last chance needs a consolation whose winner does not return; set consolation.rounds",
        ),
        (
            made.consolation.returns and made.consolation.rounds == 0,
            "consolation.returns",
            "only the winner of a consolation can return; set consolation.rounds",
        ),
        (
            made.knockout.qualify > 0 and stage.kind in (StageKind.BRACKETS, StageKind.FREE),
            "knockout.qualify",
            "a knockout follows rounds or groups; leave it out here",
        ),
        (
            made.knockout.qualify == 1 and stage.groups_of is None,
            "knockout.qualify",
            "one alone has nobody to play; let at least 2 go on",
        ),
        (
            made.prizes.total > 100,
            "prizes.shares",
            f"the shares are {made.prizes.total:g} percent together; give at most 100",
        ),
    ):
        if wrong:
            raise document.fault(at, f"{why}.")
