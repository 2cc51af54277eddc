"""The hub that entries go on to, whatever carries them there."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from controller.club.messages import Confirmation, JournalPart
from controller.errors import UserError
from controller.hub.hall import TableShown
from controller.record.journal.journal import Row

Place = tuple[str, str]
"""A table and the name of a journal of it."""


class UplinkError(UserError):
    """An uplink that cannot be used; it is tried again by itself."""


class SilentHubError(UplinkError):
    """The other hub does not answer, but what lies between takes entries for it."""


@dataclass(frozen=True, slots=True)
class Heads:
    """How far the other hub is.

    Attributes:
        numbers: of each journal that was asked for the number of its newest entry there; 0 for none.
        taken: all that was sent up to this mark has come there, see `OtherHub.send`.
    """

    numbers: Mapping[Place, int]
    taken: int = 0


@dataclass(frozen=True, slots=True)
class OutgoingPart:
    """Entries of one journal on their way.

    Attributes:
        table: whose they are.
        part: the entries.
        round: how often it was gone back since they could have gone for the first time.
    """

    table: str
    part: JournalPart
    round: int = 0


class EntrySource(Protocol):
    """Whose entries go on: a hub."""

    @property
    def club(self) -> str:
        """Its name in addresses."""

    def newest(self) -> Mapping[Place, int]:
        """The number of the newest stored entry of each journal."""

    def rows(self, table: str, journal: str, *, after: int, most: int) -> Sequence[Row]:
        """Entries of one journal after the one of a number, in their order. Raises UserError."""

    def subscribe(self, hear: Callable[[TableShown], None]) -> None:
        """Call ``hear`` with each change of a table from now on."""


class OtherHub(Protocol):
    """The other hub. For one thread, but for what `begin` is given."""

    @property
    def name(self) -> str:
        """What it is called in sentences."""

    @property
    def largest(self) -> int:
        """Bytes of the largest part that is taken, if one entry alone is not larger."""

    def begin(self, club: str, wake: Callable[[], None]) -> None:
        """Know who sends; ``wake`` is called, in any thread, when there is a confirmation to be taken."""

    def heads(self, places: Sequence[Place]) -> Heads:
        """How far some journals are there. Raises UplinkError, and SilentHubError if only the hub is away."""

    def send(self, parts: Sequence[OutgoingPart]) -> Sequence[int]:
        """Send parts in their order; of each the mark by which `Heads.taken` will tell that it came.

        Raises:
            UplinkError: if they cannot be sent; some may have been.
        """

    def confirmations(self) -> Sequence[tuple[str, Confirmation]]:
        """What the other hub has said since, by table."""

    def forgot(self) -> bool:
        """Whether the other hub has begun anew since this was asked last, and may know less than it did."""

    def close(self) -> None:
        """Let go of it."""
