"""How a table gets its login: a code of six digits that the director sees, for five minutes, once."""

import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from controller.club.topics import TableAddress
from controller.errors import UserError
from controller.hub.broker import BrokerOffer
from controller.hub.logins import HUB

DIGITS: Final = 6
LASTS_S: Final = 300.0
TRIES: Final = 5
"""So many wrong codes close the one that is shown."""


class PairingError(UserError):
    """A table that is not let in."""


@dataclass(frozen=True, slots=True)
class PairingCode:
    """What the director sees.

    Attributes:
        code: the digits; behind a hyphen the fingerprint of the club's authority, where there is one.
        left_s: for how long it holds.
    """

    code: str
    left_s: float


@dataclass(frozen=True, slots=True)
class TableLogin:
    """What a table needs to find the hub, to log in, and to know the hub's commands.

    Attributes:
        club, table: its names in addresses.
        host, port: of the broker; the host is empty if it is where the hub is.
        user, password: of its login; empty where none is needed.
        authority: the certificate of the club's authority, PEM; empty where the broker speaks plainly.
        hub_key: the public key (Ed25519, 64 hex digits) that commands are signed with.
    """

    club: str
    table: str
    host: str
    port: int
    user: str
    password: str
    authority: str
    hub_key: str


class PairingDesk:
    """Shows codes and takes them. Every method may be called from any thread."""

    def __init__(
        self,
        club: str,
        offer: BrokerOffer,
        add: Callable[[str], str],
        hub_key: str,
        now: Callable[[], float],
    ) -> None:
        """No code is shown yet.

        Args:
            club: its name in addresses.
            offer: how the broker is reached.
            add: lets a table log in, and tells its password.
            hub_key: see `TableLogin`.
            now: seconds on a clock that never runs backwards.
        """
        self._club, self._offer, self._add, self._hub_key, self._now = club, offer, add, hub_key, now
        self._turn = threading.Lock()
        self._digits, self._until, self._wrong = "", 0.0, 0

    def show(self) -> PairingCode:
        """A new code; an earlier one holds no more."""
        with self._turn:
            self._digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
            self._until, self._wrong = self._now() + LASTS_S, 0
            authority = self._offer.authority
            code = self._digits if authority is None else f"{self._digits}-{authority.code}"
            return PairingCode(code, LASTS_S)

    def pair(self, code: str, table: str) -> TableLogin:
        """What a table needs that knows the code. Raises UserError if it is wrong, or the table's name is none."""
        TableAddress(self._club, table)
        if table == HUB:
            raise PairingError(f"No table can be called {HUB}; choose another name.")
        with self._turn:
            if not self._digits or self._now() > self._until:
                self._digits = ""
                raise PairingError("No code is shown at the hub now; have the director show one.")
            if not hmac.compare_digest(code.partition("-")[0].encode(), self._digits.encode()):
                self._wrong += 1
                if self._wrong >= TRIES:
                    self._digits = ""
                    raise PairingError("The code was wrong five times; have the director show a new one.")
                raise PairingError("That is not the code that the hub shows; type it again.")
            self._digits = ""
            authority = self._offer.authority
            password = self._add(table)
        return TableLogin(
            self._club,
            table,
            self._offer.host,
            self._offer.port,
            table if password else "",
            password,
            "" if authority is None else authority.pem,
            self._hub_key,
        )
