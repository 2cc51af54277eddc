"""Whether a command that came over the club's network counts: from whom, for whom, about what, and how old."""

from enum import StrEnum
from typing import Final

from controller.club.messages import TableCommand
from controller.club.topics import TableAddress
from controller.record.journal.seal import is_signed

AHEAD_MS: Final = 60_000
"""A command that was issued so much later than now is of another clock, or forged."""
ROLES: Final = ("director", "light", "dark")
START_MATCH: Final = "start_match"
"""Has a table that stands between two matches begin the next one; about no journal."""
MESSAGE: Final = "message"
"""A command to the table itself, about no journal."""


class CommandFault(StrEnum):
    """Why a command is refused; also the end of the sentence's name in the catalogues."""

    UNSIGNED = "unsigned"
    """It bears no signature."""
    UNKNOWN_KEY = "unknown_key"
    """It is signed with another key than the hub's, or the table knows no key."""
    FORGED = "forged"
    """Its signature does not belong to what it says."""
    OTHER_TABLE = "other_table"
    """It is for another table."""
    EXPIRED = "expired"
    """It came too late."""
    TOO_EARLY = "too_early"
    """It was issued later than now."""
    OTHER_MATCH = "other_match"
    """It is about another match than the one at the table."""
    REPLAYED = "replayed"
    """It came before, and was answered."""
    UNKNOWN_ROLE = "unknown_role"
    """It is in the name of somebody who has nothing to say at a table."""


class CommandGate:
    """Looks at commands before the table hears of them."""

    def __init__(self, address: TableAddress, hub_key: str) -> None:
        """The table's address, and the hub's public key (Ed25519, 64 hex digits)."""
        self._address, self._hub_key = f"{address.club}/{address.table}", hub_key.lower()

    def fault_of(self, command: TableCommand, journal: str, hub_ms: int) -> CommandFault | None:
        """Why a command does not count; None if it does. Whether it came before, the table knows.

        Args:
            command: what came.
            journal: the name of the journal that is being written; empty before the first one.
            hub_ms: the hub's time, milliseconds since 1970.
        """
        if not command.signature:
            return CommandFault.UNSIGNED
        if not self._hub_key or command.key.lower() != self._hub_key:
            return CommandFault.UNKNOWN_KEY
        if not signature_holds(command):
            return CommandFault.FORGED
        if command.table != self._address:
            return CommandFault.OTHER_TABLE
        if hub_ms > command.expires:
            return CommandFault.EXPIRED
        if command.issued > hub_ms + AHEAD_MS:
            return CommandFault.TOO_EARLY
        if command.by not in ROLES:
            return CommandFault.UNKNOWN_ROLE
        needs_match = command.body.get("what") not in (START_MATCH, MESSAGE)
        if (needs_match or command.journal) and command.journal != journal:
            return CommandFault.OTHER_MATCH
        return None


def signature_holds(command: TableCommand) -> bool:
    """Whether the signature belongs to what the command says, by the key that it names."""
    return is_signed(command.text(), command.signature, command.key)
