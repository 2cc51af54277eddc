"""Another hub behind an address of the web: a request for each part, whose answer confirms it."""

import json
import ssl
import time
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from controller.club.messages import ClubMessageError, Confirmation
from controller.hub.uplink.other_hub import Heads, OutgoingPart, Place, UplinkError

LARGEST: Final = 500_000
"""Bytes of one request."""
LARGEST_ANSWER: Final = 64 << 20
"""Bytes of an answer. Each journal that the other hub has of this club takes 40 of them."""
TIMEOUT_S: Final = 20.0
ANEW_S: Final = 60.0
"""How often the other hub is asked how far it is, in case it knows less than it did."""


class HttpHub:
    """See `OtherHub`."""

    largest = LARGEST

    def __init__(self, url: str, key: str) -> None:
        """Know it; nothing is sent yet.

        Args:
            url: its address, such as ``https://hub.example.org/``.
            key: that it gave this club.

        Raises:
            UplinkError: if the address is none.
        """
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UplinkError(f"{url!r} is no address of a hub; give one such as https://hub.example.org/.")
        self.name, self._url, self._key, self._club = parts.hostname, url.rstrip("/"), key, ""
        self._confirmed: list[tuple[str, Confirmation]] = []
        self._asked_s = time.monotonic()

    def begin(self, club: str, wake: Callable[[], None]) -> None:  # noqa: ARG002
        """See `OtherHub`."""
        self._club = club

    def heads(self, places: Sequence[Place]) -> Heads:
        """See `OtherHub`."""
        told = self._asked(f"/api/v1/uplink/{self._club}", None)
        try:
            there = told.get("tables", {})
            return Heads({place: int(there.get(place[0], {}).get(place[1], 0)) for place in places})
        except (AttributeError, TypeError, ValueError, OverflowError):
            raise self._no_hub() from None

    def send(self, parts: Sequence[OutgoingPart]) -> Sequence[int]:
        """See `OtherHub`."""
        for each in parts:
            answer = self._asked(f"/api/v1/uplink/{self._club}/{each.table}", each.part.encode())
            try:
                told = Confirmation.decode(json.dumps(answer).encode())
            except ClubMessageError as error:
                raise UplinkError(
                    f"The hub {self.name} answers with what is no confirmation: {error}"
                ) from None
            self._confirmed.append((each.table, told))
        return [0] * len(parts)

    def confirmations(self) -> Sequence[tuple[str, Confirmation]]:
        """See `OtherHub`."""
        told, self._confirmed = self._confirmed, []
        return told

    def forgot(self) -> bool:
        """See `OtherHub`; it does not say by itself, so it counts as such from time to time."""
        if time.monotonic() - self._asked_s < ANEW_S:
            return False
        self._asked_s = time.monotonic()
        return True

    def close(self) -> None:
        """See `OtherHub`."""

    def _asked(self, path: str, body: bytes | None) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        request = Request(f"{self._url}{path}", body, headers)
        context = ssl.create_default_context() if self._url.startswith("https") else None
        try:
            with urlopen(request, timeout=TIMEOUT_S, context=context) as answer:
                told = json.loads(answer.read(LARGEST_ANSWER))
        except HTTPError as error:
            if error.code == 401:
                raise UplinkError(
                    f"The hub {self.name} does not know this club's key; have its director make a new one."
                ) from None
            raise UplinkError(f"The hub {self.name} takes nothing (status {error.code}).") from None
        except (URLError, OSError, HTTPException, ValueError, RecursionError) as error:
            raise UplinkError(f"The hub {self.name} cannot be reached ({error}).") from None
        if not isinstance(told, dict):
            raise self._no_hub()
        return told

    def _no_hub(self) -> UplinkError:
        return UplinkError(f"What answers at {self.name} is no hub; check --uplink.")
