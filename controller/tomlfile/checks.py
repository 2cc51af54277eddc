"""What a value in a TOML file may be: read as TOML gives it, described in words, written as TOML."""

import dataclasses
import json
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Protocol, TypeVar

NONE: Final = "none"
"""How a file writes `None`, for which TOML has no word."""
LISTED_MOST: Final = 6
"""This many numbers are listed one by one."""


class Check(Protocol):
    """One kind of value.

    `value` gives it as the program uses it and raises ValueError if `raw`, as TOML gives it, is none of this kind;
    `wording` describes it as the end of a sentence that begins with "it is".
    """

    def value(self, raw: object) -> Hashable:
        """The value as the program uses it."""

    def wording(self) -> str:
        """What it may be."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    def value(self, raw: object) -> Hashable:
        """`raw` itself."""
        if not isinstance(raw, bool):
            raise ValueError
        return raw

    def wording(self) -> str:
        """Both words."""
        return "true or false"


@dataclass(frozen=True, slots=True)
class Number:
    """A number within bounds; `unit` says in words what it counts or measures."""

    low: float
    high: float
    unit: str = ""
    whole: bool = False

    def value(self, raw: object) -> Hashable:
        """A float, or an int where only whole numbers make sense."""
        if isinstance(raw, bool) or not isinstance(raw, int if self.whole else int | float):
            raise ValueError
        if not self.low <= raw <= self.high:
            raise ValueError
        return raw if self.whole else float(raw)

    def wording(self) -> str:
        """Bounds and unit."""
        low, high = (shown(int(end) if end == int(end) else end) for end in (self.low, self.high))
        unit = f" ({self.unit})" if self.unit else ""
        return f"a {'whole ' if self.whole else ''}number from {low} to {high}{unit}"


JOINERS: Final = dict.fromkeys((0x200C, 0x200D))
"""Signs that cannot be seen, and that Persian and Indian letters and some pictures of people need between them."""


@dataclass(frozen=True, slots=True)
class Text:
    """A text of one line; `what` describes it."""

    most: int = 200
    what: str = "a text"
    least: int = 1

    def value(self, raw: object) -> Hashable:
        """The text without blanks around it."""
        if not isinstance(raw, str) or unseen_in(raw) or not self.least <= len(raw.strip()) <= self.most:
            raise ValueError
        return raw.strip()

    def wording(self) -> str:
        """What it is and how long."""
        return f"{self.what} in quotation marks, of {self.least} to {self.most} characters"


@dataclass(frozen=True, slots=True)
class OneOf:
    """One of several words or whole numbers; `None` among them is written "none"."""

    members: Iterable[Hashable]

    def value(self, raw: object) -> Hashable:
        """The member that `raw` stands for."""
        if isinstance(raw, int | str) and not isinstance(raw, bool):
            for member in self.members:
                if raw == (NONE if member is None else member):
                    return member
        raise ValueError

    def wording(self) -> str:
        """All of them; of a long row of numbers only the first two and the last."""
        numbers = [shown(member) for member in self.members if isinstance(member, int)]
        if len(numbers) > LISTED_MOST:
            numbers[2:-1] = ["..."]
        words = [shown(member or NONE) for member in self.members if not isinstance(member, int)]
        *first, last = numbers + words
        return f"{', '.join(first)} or {last}" if first else last


@dataclass(frozen=True, slots=True)
class Several:
    """A list of values, all different unless they may `repeat`; a single one may stand without its brackets."""

    each: Check
    most: int
    least: int = 0
    repeat: bool = False

    def value(self, raw: object) -> tuple[Hashable, ...]:
        """The values in their order."""
        values = tuple(self.each.value(part) for part in (raw if isinstance(raw, list) else [raw]))
        if not self.least <= len(values) <= self.most or not (self.repeat or len(set(values)) == len(values)):
            raise ValueError
        return values

    def wording(self) -> str:
        """How many, and what each may be."""
        many = f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"
        different = "" if self.repeat else "different "
        return f"a list [...] of {many} {different}values, each {self.each.wording()}"


def unseen_in(text: str) -> str:
    """The first sign of a text that nobody sees, such as one that a keyboard or a copied text added; else empty."""
    return next((sign for sign in text.translate(JOINERS) if not sign.isprintable()), "")


def unfit(check: Check, raw: object) -> str:
    """Why a value that a check refuses is unfit, as the end of a sentence."""
    text = check.each if isinstance(check, Several) else check
    parts = raw if isinstance(raw, list) else [raw]
    unseen = next((sign for part in parts if isinstance(part, str) and (sign := unseen_in(part))), "")
    if isinstance(text, Text) and unseen:
        return f"it has a sign that cannot be seen, U+{ord(unseen):04X}: take it out"
    return f"it is {check.wording()}"


def shown(value: object) -> str:
    """A value as TOML writes it; what TOML does not have, as it is."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return json.dumps(str(value), ensure_ascii=False)
    if isinstance(value, tuple | list | frozenset):
        return f"[{', '.join(map(shown, value))}]"
    return "a table" if isinstance(value, dict) else str(value)


T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """One key.

    Attributes:
        name: its name within the table.
        default: what holds if it is left out.
        check: what it may be.
        words: what it is for, one or two sentences.
        example: a value to show where there is no default.
        otherwise: what holds if it is left out, in words, where there is no default.
        expert: whether most people never need it.
    """

    name: str
    default: object
    check: Check
    words: str
    example: object = None
    otherwise: str = ""
    expert: bool = False


def key(
    default: T, check: Check, words: str, *, example: object = None, otherwise: str = "", expert: bool = False
) -> T:
    """A field of the dataclass; see `Key`."""
    metadata = {"check": check, "words": words, "example": example, "otherwise": otherwise, "expert": expert}
    made: Any = dataclasses.field(default=default, metadata=metadata)
    return made  # type: ignore[no-any-return]


seldom = partial(key, expert=True)
"""A field that most people never need."""


def keys_of(table: type) -> Iterator[Key]:
    """The keys of a table, in their order; a field that `key` did not make is none."""
    for each in dataclasses.fields(table):
        if each.metadata:
            yield Key(each.name, each.default, **each.metadata)
