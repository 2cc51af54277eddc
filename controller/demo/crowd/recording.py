"""A recorded match: what its journal got and its pages showed, moment by moment, for any players at any time."""

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, Final

from controller.record.journal.journal import Json
from controller.rules import Side

SUFFIX: Final = ".jsonl.xz"
PLACEHOLDERS: Final = {Side.LIGHT: "@light@", Side.DARK: "@dark@"}
"""Stand for the players in a recording, in journal and states alike."""
SCREEN, DESK = "screen", "desk"
"""The two halves of a state: for spectators, and for the director."""
State = dict[str, Json]
Entry = tuple[str, float | None, Mapping[str, Any]]
"""Kind, seconds of the match, and payload of a journal's entry."""


@dataclass(frozen=True, slots=True)
class RecordedMoment:
    """What came of one moment of a match.

    Attributes:
        t: seconds of the match.
        entries: what was written into the journal.
        changed: for `SCREEN` and `DESK` the keys of the state that are others than before.
    """

    t: float
    entries: tuple[Entry, ...] = ()
    changed: Mapping[str, State] = field(default_factory=dict)


@dataclass(frozen=True)
class Recording:
    """A recorded match.

    Attributes:
        name: of its file: seed and length.
        text: its moments, a JSON line each.
    """

    name: str
    text: str

    @property
    def length(self) -> int:
        """Points of the match: the last word of its name."""
        return int(self.name.rpartition("-")[2])

    @cached_property
    def moments(self) -> tuple[RecordedMoment, ...]:
        """The match, with placeholders for the players; to be read only, many tables share it."""
        return tuple(_moment(json.loads(line)) for line in self.text.splitlines())


def with_names(text: str, names: Mapping[Side, str]) -> str:
    """A JSON text with the players in place of the placeholders."""
    for side, name in names.items():
        text = text.replace(PLACEHOLDERS[side], json.dumps(name, ensure_ascii=False)[1:-1])
    return text


def _moment(told: dict[str, Any]) -> RecordedMoment:
    entries = tuple((str(kind), t, payload) for kind, t, payload in told["entries"])
    return RecordedMoment(told["t"], entries, told["changed"])


@cache
def recordings() -> tuple[Recording, ...]:
    """All that the package brings, by their names."""
    found = (each for each in files(f"{__package__}.matches").iterdir() if each.name.endswith(SUFFIX))
    return tuple(
        Recording(each.name.removesuffix(SUFFIX), lzma.decompress(each.read_bytes()).decode())
        for each in sorted(found, key=lambda each: each.name)
    )
