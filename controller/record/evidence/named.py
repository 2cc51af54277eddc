"""The pictures that a journal names: which belong to which turn or doubt, each named once."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from controller.record.journal.journal import JournalEvent
from controller.record.match.history import EVIDENCE

ROLES: Final = ("before", "between", "after")
"""What a picture shows of its turn; the packet's page knows the same."""
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class NamedPicture:
    """A picture as a journal names it.

    Attributes:
        role: one of `ROLES`.
        frame: its number in the film.
        t: when it was taken, seconds.
        sha256: its digest.
        seen: what was read from it, see `turn_pictures.seen_object`.
    """

    role: str
    frame: int
    t: float
    sha256: str
    seen: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NamedPictures:
    """All pictures that the events of a journal name.

    Attributes:
        of: those of each turn or doubt, by the number of its event; where it was given pictures twice, the first.
        faults: the numbers of the events that name pictures for one that has some already, or for none that
            happened before in the same match; no table writes such an event.
        unreadable: the numbers of those that do not say what they must.
    """

    of: Mapping[int, tuple[NamedPicture, ...]]
    faults: tuple[int, ...]
    unreadable: tuple[int, ...]


def named_pictures(events: Iterable[JournalEvent]) -> NamedPictures:
    """The pictures that these events name: all of a journal or of one match, inputs may be left out."""
    of: dict[int, tuple[NamedPicture, ...]] = {}
    match_of: dict[int, str] = {}
    faults: list[int] = []
    unreadable: list[int] = []
    for event in events:
        match_of[event.id] = event.match
        if event.kind != EVIDENCE:
            continue
        try:
            turn, pictures = _read(event.payload)
        except (KeyError, TypeError, ValueError):
            unreadable.append(event.id)
            continue
        if turn in of or turn == event.id or match_of.get(turn) != event.match:
            faults.append(event.id)
        else:
            of[turn] = pictures
    return NamedPictures(of, tuple(faults), tuple(unreadable))


def naming_fault(named: NamedPictures, where: object) -> str | None:
    """A sentence about the first event that names pictures as no table does, `None` if there is none."""
    if named.faults:
        return (
            f"Event {named.faults[0]} of {where} names pictures for a turn that has its own already, or that was not "
            "played yet; no table writes that, so do not rely on these pictures."
        )
    if named.unreadable:
        return (
            f"Event {named.unreadable[0]} of {where} does not name pictures as a table does; the journal was not "
            "written by Pointsman or was changed."
        )
    return None


def _read(payload: Any) -> tuple[int, tuple[NamedPicture, ...]]:
    turn = payload["of"]
    if type(turn) is not int or not isinstance(payload["pictures"], list):
        raise TypeError("pictures belong to the number of an event")
    return turn, tuple(map(_picture, payload["pictures"]))


def _picture(told: Any) -> NamedPicture:
    role, frame, t, sha256, seen = (told[name] for name in ("role", "frame", "t", "sha256", "seen"))
    if role not in ROLES or not _SHA256.fullmatch(sha256):
        raise ValueError("a picture has a role and a digest")
    if type(frame) is not int or type(t) not in (int, float) or not isinstance(seen, dict):
        raise TypeError("a picture has a number, a time, and what was read from it")
    return NamedPicture(role, frame, float(t), sha256, seen)
