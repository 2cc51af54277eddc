"""How a table stands with its hub, for people at the table."""

from dataclasses import dataclass
from enum import StrEnum

from controller.club.messages import EntryRefusal
from controller.messages.device_words import LocalText, club_words


class ClubState(StrEnum):
    """How a table stands with its hub; also the end of the sentence's name in the catalogues."""

    CONNECTING = "connecting"
    """It is being tried for the first time."""
    CONNECTED = "connected"
    """The hub has everything, or takes it as it comes."""
    WAITING = "waiting"
    """Connected, and entries wait for the hub longer than they should."""
    NO_BROKER = "no_broker"
    """The broker cannot be reached."""
    NOT_ACCEPTED = "not_accepted"
    """The broker refuses the login or what the table says, or the hub confirms nothing."""
    TAKEN_OVER = "taken_over"
    """Another table has logged in under this table's name."""
    OTHER_CHAIN = "other_chain"
    """The hub has other entries of a match under the same numbers."""
    BEHIND = "behind"
    """The hub has more of a match than the table's own card."""
    DAMAGED = "damaged"
    """A journal on the table's card cannot be read."""
    ENTRY_REFUSED = "entry_refused"
    """The hub cannot keep an entry of a journal."""
    REFUSED = "refused"
    """The hub takes no more of a journal."""
    FAILED = "failed"
    """The program failed at what it does for the hub."""
    NOT_PAIRED = "not_paired"
    """The configuration names a hub, but what the table logs in with cannot be used."""


@dataclass(frozen=True, slots=True)
class ClubStatus:
    """How a table stands with its hub.

    Attributes:
        state: in a word.
        waiting: how many entries the hub is not known to have.
        hub: the address of the broker.
        why: what was said about the fault; empty where nothing was.
        journal: the journal that it is about; empty where it is about none.
        refused: the entry that the hub cannot keep; None where it is about none.
    """

    state: ClubState
    waiting: int = 0
    hub: str = ""
    why: str = ""
    journal: str = ""
    refused: EntryRefusal | None = None

    @property
    def ready(self) -> bool:
        """Whether all is well."""
        return self.state is ClubState.CONNECTED

    def words(self) -> LocalText:
        """The sentence for people, with the remedy."""
        refused = self.refused
        told: dict[str, object] = {
            "count": self.waiting,
            "hub": self.hub,
            "journal": self.journal,
            "event": 0 if refused is None else refused.number,
        }
        if refused is None:
            return club_words("state", str(self.state), why=self.why, **told)
        flaw, state = club_words("flaw", str(refused.flaw)), str(self.state)
        return lambda language: club_words("state", state, why=flaw(language), **told)(language)
