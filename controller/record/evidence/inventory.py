"""The pictures that lie beside a journal, counted against those that it names, both ways."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from controller.record.evidence.named import named_pictures
from controller.record.journal.journal import JournalEvent
from controller.record.match.history import OWN_KINDS, TURN


@dataclass(frozen=True, slots=True)
class Inventory:
    """How pictures and journal fit together; a picture that serves two turns counts once for each.

    Attributes:
        named: pictures that the journal names.
        missing: those of them that are not kept; the oldest go when there is no more room.
        strange: pictures that are kept for a turn or doubt which the journal gives other ones, or that is none.
        beyond: pictures that are kept for an event after the last: the end of the journal is missing.
        unnamed: pictures of a turn or doubt that were kept before the power went, so that nothing names them.
    """

    named: int
    missing: int
    strange: int
    beyond: int
    unnamed: int


def take_inventory(events: Sequence[JournalEvent], uses: Iterable[tuple[int, str]]) -> Inventory:
    """Compare the pictures that a whole journal names with those that are kept, and for which events they are."""
    kinds = {event.id: event.kind for event in events}
    last = max(kinds, default=0)
    of = named_pictures(events).of
    named = {(turn, picture.sha256) for turn, pictures in of.items() for picture in pictures}
    kept = set(uses)
    extra = [turn for turn, _ in kept - named]
    beyond = sum(turn > last for turn in extra)
    unnamed = sum(turn not in of and _may_have_pictures(kinds.get(turn)) for turn in extra)
    return Inventory(len(named), len(named - kept), len(extra) - beyond - unnamed, beyond, unnamed)


def _may_have_pictures(kind: str | None) -> bool:
    """Whether an event of that kind is a turn or a doubt; the rest of the record's own kinds never have pictures."""
    return kind is not None and (kind == TURN or kind not in OWN_KINDS)
