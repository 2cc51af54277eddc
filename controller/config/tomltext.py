"""A configuration's text, checked key by key; whatever is wrong is told with its line and what would be right."""

import difflib
import tomllib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from controller.config.checks import shown
from controller.config.keys import ConfigKey
from controller.errors import UserError
from controller.rules.profile.tomllines import lines_of_keys

SHOWN_MOST = 60


class ConfigError(UserError):
    """A configuration that cannot be used; the message names the file, the line and what would be right."""


@dataclass(frozen=True, slots=True)
class TomlText:
    """A TOML document that complains by file and line.

    Attributes:
        label: what messages call the file.
        tables: the sections with their keys, as TOML gives them.
        lines: the line of every section and of every `section.key`.
    """

    label: str
    tables: Mapping[str, Mapping[str, object]]
    lines: Mapping[str, int]

    def bad(self, key: str, why: str) -> ConfigError:
        """The error of a key or section; `why` goes on behind where it stands."""
        return ConfigError(f"{self.label}, line {self.lines.get(key, 1)}: {why}")

    def values(self, section: str, keys: Iterable[ConfigKey]) -> dict[str, object]:
        """The values that the file gives to these keys. Raises ConfigError for another key or an unfit value."""
        known = {key.name: key for key in keys}
        found: dict[str, object] = {}
        for name, raw in self.tables.get(section, {}).items():
            where = f"{section}.{name}"
            if name not in known:
                raise self.bad(
                    where,
                    f'unknown key "{where}"{near(name, known)}; the keys of [{section}] are {", ".join(known)}.',
                )
            try:
                found[name] = known[name].check.value(raw)
            except ValueError:
                wording = known[name].check.wording()
                raise self.bad(where, f"{where} cannot be {_cut(raw)}; it is {wording}.") from None
        return found


def parse_toml(text: str, label: str, sections: Collection[str]) -> TomlText:
    """Read a text whose sections may be these. Raises ConfigError if it is not TOML or has other headings."""
    try:
        document = tomllib.loads(text)
    except (ValueError, RecursionError) as error:
        why = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
        raise ConfigError(f"{label} is not a TOML file: {why}; put that line right.") from None
    lines = lines_of_keys(text)
    tables: dict[str, Mapping[str, object]] = {}
    for name, table in document.items():
        line = f"{label}, line {lines.get(name, 1)}"
        if name not in sections:
            raise ConfigError(
                f'{line}: unknown section "{_short(name)}"{near(name, sections)}; '
                f"the sections are {', '.join(sections)}."
            )
        if not isinstance(table, dict):
            raise ConfigError(
                f"{line}: {name} is a section; write [{name}] on a line of its own and its keys below."
            )
        tables[name] = table
    return TomlText(label, tables, lines)


def near(name: str, known: Collection[str]) -> str:
    """A guess at what was meant, in brackets; empty if there is none."""
    close = difflib.get_close_matches(_short(name), known, n=1)
    return f" (perhaps {close[0]} is meant)" if close else ""


def _cut(raw: object) -> str:
    return _short(shown(raw) if isinstance(raw, bool | int | float | str | list) else "a table or a date")


def _short(text: str) -> str:
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= SHOWN_MOST else f"{plain[:SHOWN_MOST]}..."
