"""From hub to hub: what a club's tables sent goes on to a federation's hub, by the same numbers and confirmations.

The receiving hub keeps each table under ``<club>.<table>``. Nothing is remembered on the way: after a cut or a
restart the sender asks how far the other hub is, and goes on from there.
"""

import hashlib
import hmac
import json
import secrets
import ssl
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from concurrent.futures import TimeoutError as WaitTimeoutError
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from controller.club.messages import ClubMessageError, Confirmation, JournalPart
from controller.club.topics import TableAddress
from controller.errors import UserError
from controller.hub.folder import HubFolder
from controller.hub.service import UPLINK, HubService
from controller.record.journal.journal import Closeable

UPLINKS: Final = "uplinks"
"""The name under which the hub's folder remembers which clubs may send, and with which keys."""
MOST: Final = 200
"""Entries in one request."""
LARGEST: Final = 500_000
"""Bytes of one request."""
PAUSE_S: Final = 2.0
AGAIN_S: Final = 10.0
TIMEOUT_S: Final = 20.0


class UplinkError(UserError):
    """An uplink that cannot be used; it is tried again by itself."""


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
        """The number of the newest stored entry of each journal of a club's tables. Raises UserError."""
        found: dict[str, dict[str, int]] = {}
        for (name, journal), number in self._service.store.newest().items():
            of, dot, table = name.partition(UPLINK)
            if dot and of == club:
                found.setdefault(table, {})[journal] = number
        return found

    def take(self, club: str, table: str, part: JournalPart) -> "Future[Confirmation]":
        """Store entries; see `HubService.take`. Raises UserError if a name is none."""
        TableAddress(club, table)
        return self._service.take(f"{club}{UPLINK}{table}", part)

    def _keys(self) -> dict[str, str]:
        kept = self._folder.recall(UPLINKS)
        return {club: str(digest) for club, digest in kept.items()} if isinstance(kept, dict) else {}


class Uplink(Closeable):
    """The sending side: a thread that sends what the other hub has not confirmed.

    Attributes:
        trouble: why nothing can be sent just now; empty while all is well.
        left: how many entries the other hub does not have yet, as far as is known.
    """

    def __init__(
        self, service: HubService, url: str, key: str, say: Callable[[str], None], again_s: float = AGAIN_S
    ) -> None:
        """Begin.

        Args:
            service: this hub.
            url: of the other hub, such as ``https://hub.example.org/``.
            key: that it gave this club.
            again_s: after a failure the next attempt waits so long.
            say: hears a sentence when the other hub is lost, and one when it is there again.

        Raises:
            UplinkError: if the address is none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UplinkError(f"{url!r} is no address of a hub; give one such as https://hub.example.org/.")
        self._service, self._url, self._key, self._say = service, url.rstrip("/"), key, say
        self._name, self._again_s = parts.hostname, again_s
        self.trouble, self.left = "", 0
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="pointsman-uplink", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Send nothing more."""
        self._stop.set()
        self._thread.join(TIMEOUT_S)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._send_all()
            except UserError as error:
                if not self.trouble:
                    self._say(f"{error} The tables play on, and what is missing is sent later.")
                self.trouble = str(error)
                self._stop.wait(self._again_s)
            else:
                if self.trouble:
                    self.trouble = ""
                    self._say(f"The hub {self._name} takes entries again.")
                self._stop.wait(PAUSE_S)

    def _send_all(self) -> None:
        """Send what the other hub does not have, journal by journal."""
        there = self._asked(f"/api/v1/uplink/{self._service.club}", None).get("tables", {})
        own = {
            place: number for place, number in self._service.store.newest().items() if UPLINK not in place[0]
        }
        missing = {
            (table, journal): int(there.get(table, {}).get(journal, 0))
            for (table, journal), number in own.items()
        }
        self.left = sum(max(0, own[place] - upto) for place, upto in missing.items())
        for (table, journal), upto in missing.items():
            number = own[table, journal]
            while upto < number and not self._stop.is_set():
                told = self._send(table, journal, upto)
                if told.fault or told.upto <= upto:
                    break
                self.left -= told.upto - upto
                upto = told.upto

    def _send(self, table: str, journal: str, upto: int) -> Confirmation:
        rows = list(self._service.store.rows(table, journal, after=max(0, upto - 1), most=MOST))
        before = rows.pop(0)[-1] if upto else ""
        part = JournalPart(journal, before, tuple(rows))
        while len(part.encode()) > LARGEST and len(part.rows) > 1:
            part = JournalPart(journal, before, part.rows[: len(part.rows) // 2])
        answer = self._asked(f"/api/v1/uplink/{self._service.club}/{table}", part.encode())
        try:
            return Confirmation.decode(json.dumps(answer).encode())
        except ClubMessageError as error:
            raise UplinkError(f"The hub {self._name} answers with what is no confirmation: {error}") from None

    def _asked(self, path: str, body: bytes | None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        request = Request(f"{self._url}{path}", body, headers)
        context = ssl.create_default_context() if self._url.startswith("https") else None
        try:
            with urlopen(request, timeout=TIMEOUT_S, context=context) as answer:
                told = json.loads(answer.read())
        except HTTPError as error:
            if error.code == 401:
                raise UplinkError(
                    f"The hub {self._name} does not know this club's key; have its director make a new one."
                ) from None
            raise UplinkError(f"The hub {self._name} takes nothing (status {error.code}).") from None
        except (URLError, OSError, HTTPException, ValueError) as error:
            raise UplinkError(f"The hub {self._name} cannot be reached ({error}).") from None
        if not isinstance(told, dict):
            raise UplinkError(f"What answers at {self._name} is no hub; check --uplink.")
        return told


def confirmed(future: "Future[Confirmation]") -> Confirmation:
    """Wait until what was sent is on the disk. Raises UserError."""
    try:
        return future.result(TIMEOUT_S / 2)
    except WaitTimeoutError:
        raise UplinkError("Nothing was stored in time; send it again in a moment.") from None


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode()).hexdigest()
