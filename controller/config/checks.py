"""What a value of the configuration may be: read from TOML, told in words, written as TOML."""

import json
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol


class Check(Protocol):
    """One kind of value."""

    def value(self, raw: object) -> Hashable:
        """The value as the program uses it. Raises ValueError if `raw`, as TOML gave it, is none."""

    def wording(self) -> str:
        """What it may be, as the end of a sentence that begins with "it is"."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if not isinstance(raw, bool):
            raise ValueError
        return raw

    def wording(self) -> str:
        """See `Check`."""
        return "true or false"


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds; `unit` says in words what it counts or measures."""

    low: float
    high: float
    unit: str = ""

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if isinstance(raw, bool) or not isinstance(raw, int | float) or not self.low <= raw <= self.high:
            raise ValueError
        return float(raw)

    def wording(self) -> str:
        """See `Check`."""
        return f"a number from {shown(self.low)} to {shown(self.high)}{_of(self.unit)}"


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds; `unit` says in words what it counts."""

    low: int
    high: int
    unit: str = ""

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if isinstance(raw, bool) or not isinstance(raw, int) or not self.low <= raw <= self.high:
            raise ValueError
        return raw

    def wording(self) -> str:
        """See `Check`."""
        return f"a whole number from {self.low} to {self.high}{_of(self.unit)}"


@dataclass(frozen=True, slots=True)
class Text:
    """A text of one line."""

    most: int = 200
    what: str = "a text"
    least: int = 1

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if not isinstance(raw, str) or not raw.isprintable():
            raise ValueError
        text = raw.strip()
        if not self.least <= len(text) <= self.most:
            raise ValueError
        return text

    def wording(self) -> str:
        """See `Check`."""
        return f"{self.what} in quotation marks, of {self.least} to {self.most} characters"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several words."""

    words: type[StrEnum]

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if not isinstance(raw, str):
            raise ValueError
        return self.words(raw)

    def wording(self) -> str:
        """See `Check`."""
        return _either([word.value for word in self.words])


@dataclass(frozen=True, slots=True)
class Word:
    """One of several names."""

    names: tuple[str, ...]

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        if not isinstance(raw, str) or raw not in self.names:
            raise ValueError
        return raw

    def wording(self) -> str:
        """See `Check`."""
        return _either(self.names)


@dataclass(frozen=True, slots=True)
class Several:
    """A list of values that are all different; a single one may stand without its brackets."""

    each: Check
    most: int
    least: int = 0

    def value(self, raw: object) -> Hashable:
        """See `Check`."""
        values = tuple(self.each.value(part) for part in (raw if isinstance(raw, list) else [raw]))
        if not self.least <= len(values) <= self.most or len(set(values)) < len(values):
            raise ValueError
        return values

    def wording(self) -> str:
        """See `Check`."""
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        return f"a list [...] of {many} different values, each {self.each.wording()}"


def shown(value: object) -> str:
    """A value as TOML writes it; what TOML does not have, as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, tuple | list | frozenset):
        return f"[{', '.join(map(shown, value))}]"
    return str(value)


def _of(unit: str) -> str:
    return f" ({unit})" if unit else ""


def _either(words: Sequence[str]) -> str:
    listed = [f'"{word}"' for word in words]
    return f"{', '.join(listed[:-1])} or {listed[-1]}"
