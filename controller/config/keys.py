"""How a section of the configuration is described: a frozen dataclass whose fields are its keys."""

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeVar

from controller.config.checks import Check

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class ConfigKey:
    """One key.

    Attributes:
        name: its name within the section.
        check: what it may be.
        words: what it is for, one or two sentences.
        default: what holds if it is left out.
        example: a value to show where there is no default.
        otherwise: what holds if it is left out, in words, where there is no default.
    """

    name: str
    check: Check
    words: str
    default: object
    example: object
    otherwise: str


def key(default: T, check: Check, words: str, *, example: object = None, otherwise: str = "") -> T:
    """A field of a section; see `ConfigKey`."""
    metadata = {"check": check, "words": words, "example": example, "otherwise": otherwise}
    made: Any = dataclasses.field(default=default, metadata=metadata)
    return made  # type: ignore[no-any-return]


def keys_of(section: type) -> Iterator[ConfigKey]:
    """The keys of a section, in their order."""
    for each in dataclasses.fields(section):
        told = each.metadata
        yield ConfigKey(
            each.name, told["check"], told["words"], each.default, told["example"], told["otherwise"]
        )
