"""How a table of a TOML file is described: a frozen dataclass whose fields are its keys."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar

from controller.tomlfile.checks import Check

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
