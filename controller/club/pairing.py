"""A table gets to know its hub: six digits that the hub shows, and eight letters by which the table knows the hub.

The letters stand for the certificate of the club's authority. The table asks the hub for that certificate, compares
it with the letters, and only then says the digits, over TLS, to whom that authority vouches for.
"""

import hashlib
import json
import re
import ssl
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Self
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPSHandler, ProxyHandler, Request, build_opener

from controller.club.membership import is_key
from controller.club.topics import TableAddress
from controller.errors import UserError
from controller.record.journal.seal import fingerprint, plain_code

TIMEOUT_S: Final = 10.0
LARGEST: Final = 65_536
DIGITS: Final = 6
LETTERS: Final = 8
USUAL_PORT: Final = 8100
"""Of the hub's pages."""
PATH: Final = "/api/v1/pair"
LINK: Final = "pointsman://"
"""What the text begins with that a QR code holds."""
_CODE: Final = re.compile(rf"\s*(?P<digits>[0-9]{{{DIGITS}}})(?:[\s-]+(?P<mark>[0-9A-Za-z\s-]+))?\s*")
# Slow, so that nobody looks for another certificate with the same letters: 40 bits would be few for a quick one.
_SLOW: Final = {"salt": b"pointsman pairing 1", "n": 2**15, "r": 8, "p": 1, "maxmem": 2**26}


class PairingRefusedError(UserError):
    """A table that could not be paired."""


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


@dataclass(frozen=True, slots=True)
class PairingOffer:
    """How a hub lets tables in.

    Attributes:
        port: at which it does so over TLS; 0 if it does so where its pages are, for its own machine only.
        authority: the certificate of the authority that vouches for it, PEM; empty without TLS.
    """

    port: int = 0
    authority: str = ""


@dataclass(frozen=True, slots=True)
class PairingCode:
    """What the hub shows, and people type.

    Attributes:
        digits: six of them; they hold for five minutes, once.
        mark: the letters of the authority, see `authority_mark`; empty for none.
        hub: the address of the hub's pages; empty if it is to be found in the network.
    """

    digits: str
    mark: str = ""
    hub: str = ""

    @classmethod
    def read(cls, words: Sequence[str]) -> Self:
        """The code that one or two words give: the code alone, address and code, or the text of a QR code.

        Raises:
            PairingRefusedError: if there is no code in them.
        """
        hub, code = ("", *words) if len(words) == 1 else words[:2]
        if not hub and code.strip().startswith(LINK):
            hub, _, code = code.strip().removeprefix(LINK).partition("/")
        found = _CODE.fullmatch(code)
        if found is None:
            raise PairingRefusedError(
                f"{code!r} is no code for pairing; type the six digits and the letters that the hub shows."
            )
        return cls(found["digits"], plain_code(found["mark"] or "").replace("-", ""), hub)

    @property
    def text(self) -> str:
        """For people to type."""
        mark = self.mark
        return "-".join(
            [
                self.digits,
                *(mark[start : start + LETTERS // 2] for start in range(0, len(mark), LETTERS // 2)),
            ]
        )

    @property
    def link(self) -> str:
        """For a QR code: the address, the digits and the letters."""
        return f"{LINK}{self.hub}/{self.text}"


def authority_mark(pem: str) -> str:
    """The eight letters that stand for an authority's certificate.

    Raises:
        PairingRefusedError: if that is no certificate.
    """
    try:
        content = ssl.PEM_cert_to_DER_cert(pem)
    except ValueError:
        raise PairingRefusedError("The hub sent no certificate that can be read; update the hub.") from None
    slow = hashlib.scrypt(hashlib.sha256(content).digest(), **_SLOW)  # type: ignore[arg-type]
    return fingerprint(slow).replace("-", "")[:LETTERS]


def pair(code: PairingCode, table: str) -> TableLogin:
    """Ask the hub to let a table in.

    Args:
        code: what the hub shows, with its address: ``host``, ``host:port``, or with ``http://`` or ``https://``
            before it.
        table: the name that the table wants.

    Raises:
        UserError: if the hub cannot be reached, does not know the code, or is another one than the code says.
    """
    page = _page_of(code.hub)
    host = _bracketed(str(urlsplit(page).hostname))
    offer = _read_offer(_answer(page, None, None), page)
    if offer.authority:
        _check_authority(offer.authority, code.mark, host)
        page = f"https://{host}:{offer.port}{PATH}"
    elif code.mark:
        raise PairingRefusedError(_other_hub(host, "it names no authority"))
    told = _read_login(_answer(page, {"code": code.digits, "table": table}, offer.authority or None), page)
    if not is_key(told.hub_key):
        raise PairingRefusedError(f"{page} names no key for its commands; update the hub.")
    if told.authority not in ("", offer.authority):
        raise PairingRefusedError(_other_hub(host, "it names two authorities"))
    return told


def _check_authority(pem: str, mark: str, host: str) -> None:
    """The letters have to be those of the certificate."""
    if not mark:
        raise PairingRefusedError(
            "Type the letters behind the six digits, too: by them the table knows that the right hub answers."
        )
    if authority_mark(pem) != mark:
        raise PairingRefusedError(_other_hub(host, "its letters are others"))


def _other_hub(host: str, why: str) -> str:
    return (
        f"The hub that answers at {host} is not the one that shows this code ({why}): check address and letters, and "
        "look who else answers in this network."
    )


def _page_of(hub: str) -> str:
    """The address to ask. Raises PairingRefusedError."""
    text = hub.strip().rstrip("/")
    parts = urlsplit(text if "//" in text else f"http://{text}")
    try:
        port = parts.port or (USUAL_PORT if parts.scheme == "http" else 443)
    except ValueError:
        port = 0
    if parts.scheme not in ("http", "https") or not parts.hostname or not port or parts.path:
        raise PairingRefusedError(
            f"{hub!r} is no address of a hub; give what it shows, such as 192.168.1.20:{USUAL_PORT}."
        )
    return f"{parts.scheme}://{_bracketed(parts.hostname)}:{port}{PATH}"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _answer(page: str, asked: dict[str, str] | None, authority: str | None) -> dict[str, Any]:
    """What the hub answers. Raises PairingRefusedError.

    Args:
        page: the address.
        asked: what is sent; None to ask only.
        authority: who has to vouch for the hub; None if nobody does, and nothing that is secret is said.
    """
    trusted = ssl.create_default_context()
    if authority is None:
        trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
    else:
        trusted = _trust(authority)
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=trusted))
    body = None if asked is None else json.dumps(asked).encode()
    try:
        with opener.open(
            Request(page, body, {"Content-Type": "application/json"}), timeout=TIMEOUT_S
        ) as response:
            told = json.loads(response.read(LARGEST))
    except HTTPError as error:
        raise PairingRefusedError(f"The hub did not let this table in: {_reason(error)}") from None
    except (URLError, OSError) as error:
        why = getattr(error, "reason", None) or error
        if isinstance(why, ssl.SSLError):
            raise PairingRefusedError(
                _other_hub(str(urlsplit(page).hostname), "its certificate is not the club's")
            ) from None
        raise PairingRefusedError(
            f"The hub at {page} cannot be reached ({why}); check its address and the network."
        ) from None
    except (ValueError, RecursionError):
        told = None
    if not isinstance(told, dict):
        raise PairingRefusedError(_no_hub(page))
    return told


def _trust(authority: str) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cadata=authority)
    except (ssl.SSLError, ValueError):
        raise PairingRefusedError("The hub sent no certificate that can be read; update the hub.") from None


def _read_offer(told: dict[str, Any], page: str) -> PairingOffer:
    """How the hub lets tables in. Raises PairingRefusedError."""
    try:
        return PairingOffer(int(told["port"]), str(told["authority"]))
    except (KeyError, TypeError, ValueError, OverflowError):
        raise PairingRefusedError(_no_hub(page)) from None


def _read_login(told: dict[str, Any], page: str) -> TableLogin:
    """What the hub tells a table that it lets in. Raises PairingRefusedError."""
    try:
        address = TableAddress(told["club"], told["table"])
        return TableLogin(
            address.club,
            address.table,
            str(told["host"]) or str(urlsplit(page).hostname),
            port=int(told["port"]),
            user=str(told["user"]),
            password=str(told["password"]),
            authority=str(told["authority"]),
            hub_key=str(told["hub_key"]),
        )
    except (KeyError, TypeError, ValueError, OverflowError):
        raise PairingRefusedError(_no_hub(page)) from None


def _no_hub(page: str) -> str:
    return f"{page} does not answer as a hub does; name the address of the hub's pages."


def _reason(error: HTTPError) -> str:
    """The sentence of the hub, or what the web server says."""
    try:
        detail = json.loads(error.read(LARGEST))["detail"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        detail = None
    return detail if isinstance(detail, str) else f"it answers {error.code} {error.reason}."
