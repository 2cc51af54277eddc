"""A TOML document, checked key by key; whatever is wrong is told with its line and what would be right."""

import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from controller.errors import UserError
from controller.tomlfile.checks import Check, shown, unfit

LARGEST: Final = 1_000_000
"""Bytes of the largest file that is read."""
SHOWN_MOST: Final = 60
DEEPEST: Final = 3
"""The most parts that a key has: that of its table, and two with a dot between them."""
KEY_LINE: Final = re.compile(r"""^\s*(?P<key>[\w"'.\s-]+?)\s*=""")
TABLE_LINE: Final = re.compile(r"^\s*\[(?P<table>[^\[\]]+)\]\s*(#.*)?$")


@dataclass(frozen=True, slots=True)
class Document:
    """A TOML document that complains by file and line.

    Attributes:
        label: what messages call the file.
        error: what it raises.
        data: what it holds, as TOML gives it.
        lines: the line, from 1, of every heading and of every `table.key`.
    """

    label: str
    error: type[UserError]
    data: Mapping[str, Any]
    lines: Mapping[str, int]

    def fault(self, key: str, why: str) -> UserError:
        """The error of a key or table; `why` goes on behind where it stands."""
        return self.error(f"{self.label}, line {self.lines.get(key, 1)}: {why}")

    def section(
        self,
        name: str,
        checks: Mapping[str, Check],
        *,
        prefix: str = "",
        retired: frozenset[str] = frozenset(),
    ) -> dict[str, Any]:
        """The values that a table gives to its keys. Raises `error` for an unknown key or an unfit value.

        Keys with dots may be written in tables of their own. Messages put `prefix` in front of a key. A ``retired``
        key may still be written, and does nothing.
        """
        found: dict[str, Any] = {}
        for key, raw in _flat(self.data.get(name, {}), checks):
            at = f"{name}.{key}"
            if key in retired:
                continue
            if key not in checks:
                known = f"the keys of [{name}] are {', '.join(checks)}"
                raise self.fault(at, f'unknown key "{prefix}{cut(key)}"{near(key, checks)}; {known}.')
            if key in found:
                raise self.fault(at, f"{prefix}{key} is written twice; keep one.")
            found[key] = self._checked(at, f"{prefix}{key}", raw, checks[key])
        return found

    def heading(self, name: str, check: Check, default: Any) -> Any:
        """The value of a key in front of all tables, `default` if it is left out. Raises `error` if it is unfit."""
        return self._checked(name, name, self.data[name], check) if name in self.data else default

    def _checked(self, at: str, name: str, raw: object, check: Check) -> Any:
        try:
            return check.value(raw)
        except ValueError:
            why = f"{name} cannot be {cut(shown(raw))}; {unfit(check, raw)}."
            raise self.fault(at, why) from None


def read_text(path: Path, error: type[UserError], remedy: str) -> str:
    """The text of a file. Raises `error`, with `remedy` where it cannot be read or is too large."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST + 1)
    except OSError as fault:
        raise error(f"{path} cannot be read ({fault.strerror}); {remedy}.") from None
    if len(data) > LARGEST:
        raise error(f"{path} is larger than {LARGEST // 1000} kB; {remedy}.")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(f"{path} is not a text file in UTF-8; save it as UTF-8 text.") from None


def parse(text: str) -> dict[str, Any]:
    """What a TOML text holds. Raises ValueError with the reason if it is none."""
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def parse_document(
    text: str, label: str, error: type[UserError], tables: Collection[str], headings: Collection[str] = ()
) -> Document:
    """Read a text that may hold these tables, and these keys in front of them.

    Raises `error` if it is not TOML or holds another table or key.
    """
    try:
        data = parse(text)
    except ValueError as fault:
        raise error(f"{label} is not a TOML file: {fault}; put that line right.") from None
    document = Document(label, error, data, _lines(text))
    for name, value in data.items():
        if name not in {*headings, *tables}:
            kind, known = "section", f"the sections are {', '.join(tables)}"
            if headings:
                under = " or ".join(f"[{table}]" for table in tables)
                known = f"the headings are {', '.join(headings)}; other keys stand under {under}"
                kind = "heading"
            guess = near(name, [*headings, *tables])
            raise document.fault(name, f'unknown {kind} "{cut(name)}"{guess}; {known}.')
        if name in tables and not isinstance(value, dict):
            remedy = f"write [{name}] on a line of its own and its keys below"
            raise document.fault(name, f"{name} is a section; {remedy}.")
    return document


def near(name: str, known: Collection[str]) -> str:
    """A guess at what was meant, in brackets; empty if there is none."""
    close = nearest(name, known)
    return f" (perhaps {close} is meant)" if close else ""


def nearest(name: str, known: Collection[str]) -> str:
    """The known name that was meant perhaps; empty if none is like it."""
    import difflib  # Only mistakes need it, and every command would wait for it.

    return next(iter(difflib.get_close_matches(cut(name), known, n=1)), "")


def cut(text: str) -> str:
    """A text for a message: on one line, and not too long."""
    plain = "".join(letter if letter.isprintable() else " " for letter in text)
    return plain if len(plain) <= SHOWN_MOST else f"{plain[:SHOWN_MOST]}..."


def _flat(table: Mapping[str, Any], known: Collection[str]) -> Iterator[tuple[str, Any]]:
    """The keys of a table and their values; with dots where they stand in tables of their own, as known keys may."""
    dotted = any("." in key for key in known)
    for name, value in table.items():
        if isinstance(value, dict) and value and dotted:
            yield from ((f"{name}.{key}", each) for key, each in value.items())
        else:
            yield name, value


def _lines(text: str) -> dict[str, int]:
    """Where each key stands: `tomllib` tells no lines once the text is parsed."""
    found: dict[str, int] = {}
    table = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := TABLE_LINE.match(line):
            name = _bare(header["table"])
            table = f"{name}."
        elif key := KEY_LINE.match(line):
            name = f"{table}{_bare(key['key'])}"
        else:
            continue
        parts = name.split(".", DEEPEST)[:DEEPEST]
        for end in range(len(parts)):
            found.setdefault(".".join(parts[: end + 1]), number)
    return found


def _bare(dotted: str) -> str:
    """A key without the quotation marks and blanks it was written with."""
    return ".".join(part.strip().strip("\"'") for part in dotted.split("."))
