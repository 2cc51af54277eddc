"""The receiving side of an uplink: which clubs may send, and how far they are here."""

import hashlib
import hmac
import secrets
import threading
from collections.abc import Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitTimeoutError
from typing import Final

from controller.club.messages import Confirmation, JournalPart
from controller.club.topics import TableAddress
from controller.hub.folder import HubFolder
from controller.hub.service import HubService
from controller.hub.tables.known_tables import UPLINK
from controller.hub.uplink.other_hub import UplinkError

UPLINKS: Final = "uplinks"
"""The name under which the hub's folder remembers which clubs may send, and with which keys."""
STORED_S: Final = 10.0
"""How long a request waits for what it brought to be on the disk."""


class UplinkDesk:
    """The receiving side: which clubs may send, and what they sent. For any thread."""

    def __init__(self, service: HubService, folder: HubFolder) -> None:
        """Clubs that were let in before stay."""
        self._service, self._folder = service, folder
        self._turn = threading.Lock()

    def let_in(self, club: str) -> str:
        """A new key for a club; the one that it had counts no more. Raises UserError if the name is none."""
        TableAddress(club, "any")
        key = secrets.token_urlsafe(32)
        with self._turn:
            self._folder.remember(UPLINKS, {**self._keys(), club: _digest(key)})
        return key

    def knows(self, club: str, key: str) -> bool:
        """Whether this is the key of that club."""
        return hmac.compare_digest(self._keys().get(club, ""), _digest(key))

    def heads(self, club: str) -> Mapping[str, Mapping[str, int]]:
        """The number of the newest stored entry of each journal of a club's tables."""
        found: dict[str, dict[str, int]] = {}
        for (name, journal), number in self._service.newest().items():
            of, dot, table = name.partition(UPLINK)
            if dot and of == club:
                found.setdefault(table, {})[journal] = number
        return found

    def head(self, club: str, table: str, journal: str) -> int:
        """The number of the newest stored entry of one journal; 0 for none."""
        return self._service.head(f"{club}{UPLINK}{table}", journal)

    def store_part(self, club: str, table: str, part: JournalPart) -> "Future[Confirmation]":
        """Store entries; see `HubService.store_part`. Raises UserError if a name is none."""
        TableAddress(club, table)
        return self._service.store_part(f"{club}{UPLINK}{table}", part)

    def _keys(self) -> dict[str, str]:
        kept = self._folder.recall(UPLINKS)
        return {club: str(digest) for club, digest in kept.items()} if isinstance(kept, dict) else {}


def confirmed(future: "Future[Confirmation]") -> Confirmation:
    """Wait until what was sent is on the disk. Raises UserError."""
    try:
        return future.result(STORED_S)
    except WaitTimeoutError:
        raise UplinkError("Nothing was stored in time; send it again in a moment.") from None


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
