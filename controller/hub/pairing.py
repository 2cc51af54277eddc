"""How a table gets its login: a code that the director sees, for five minutes, once."""

import hmac
import secrets
import threading
from collections import Counter
from collections.abc import Callable
from typing import Final

from controller.club.pairing import DIGITS, PairingCode, PairingOffer, TableLogin, authority_mark
from controller.club.topics import TableAddress
from controller.errors import UserError
from controller.hub.broker import BrokerOffer
from controller.hub.logins import HUB

LASTS_S: Final = 300.0
TRIES: Final = 5
"""This many wrong codes one address may send while one is shown: nobody else is kept out by them."""
TRIES_OF_ALL: Final = 25
"""This many of all addresses together close the one that is shown; one in 40,000 that is shown could be guessed."""
_USED_UP: Final = "The code was wrong five times; have the director show a new one."


class PairingError(UserError):
    """A table that is not let in."""


class PairingDesk:
    """Shows codes and takes them. Every method may be called from any thread.

    Attributes:
        offer: how tables are let in.
    """

    def __init__(
        self,
        club: str,
        broker: BrokerOffer,
        add: Callable[[str], str],
        hub_key: str,
        now: Callable[[], float],
        offer: PairingOffer | None = None,
        address: str = "",
    ) -> None:
        """No code is shown yet.

        Args:
            club: its name in addresses.
            broker: how the broker is reached.
            add: lets a table log in, and tells its password.
            hub_key: see `TableLogin`.
            now: seconds on a clock that never runs backwards.
            offer: how tables are let in; None: where the pages are, without TLS.
            address: of the hub's pages, ``host:port``, for codes to be photographed.
        """
        self._club, self._broker, self._add, self._hub_key, self._now = club, broker, add, hub_key, now
        self.offer = offer or PairingOffer()
        self._mark = authority_mark(self.offer.authority) if self.offer.authority else ""
        self._address = address
        self._turn = threading.Lock()
        self._digits, self._until = "", 0.0
        self._wrong: Counter[str] = Counter()

    def new_code(self) -> PairingCode:
        """A new code; an earlier one holds no more."""
        with self._turn:
            self._digits = f"{secrets.randbelow(10**DIGITS):0{DIGITS}d}"
            self._until = self._now() + LASTS_S
            self._wrong.clear()
            return self._code()

    def shown(self) -> PairingCode | None:
        """The code that holds; None if none does."""
        with self._turn:
            return self._code() if self._holds() else None

    def pair(self, code: str, table: str, address: str) -> TableLogin:
        """What a table needs that knows the digits.

        Args:
            code: what it takes for them.
            table: its name.
            address: where it asks from.

        Raises:
            UserError: if they are wrong, or the table's name is none.
        """
        TableAddress(self._club, table)
        if table == HUB:
            raise PairingError(f"No table can be called {HUB}; choose another name.")
        with self._turn:
            if not self._holds():
                self._digits = ""
                raise PairingError("No code is shown at the hub now; have the director show one.")
            if self._wrong[address] >= TRIES:
                raise PairingError(_USED_UP)
            if not hmac.compare_digest(code.encode(), self._digits.encode()):
                self._wrong[address] += 1
                if self._wrong.total() >= TRIES_OF_ALL:
                    self._digits = ""
                more = self._wrong[address] < TRIES
                raise PairingError(
                    "That is not the code that the hub shows; type it again." if more else _USED_UP
                )
            self._digits = ""
            password = self._add(table)
        authority = self._broker.authority
        return TableLogin(
            self._club,
            table,
            self._broker.host,
            port=self._broker.port,
            user=table if password else "",
            password=password,
            authority="" if authority is None else authority.pem,
            hub_key=self._hub_key,
        )

    def _holds(self) -> bool:
        return bool(self._digits) and self._now() <= self._until

    def _code(self) -> PairingCode:
        return PairingCode(self._digits, self._mark, self._address)
