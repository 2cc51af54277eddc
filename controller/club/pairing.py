"""A table gets to know its hub: six digits that the hub shows are enough."""

import json
import ssl
from dataclasses import dataclass
from typing import Any, Final
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
USUAL_PORT: Final = 8100
"""Of the hub's pages."""


class PairingRefusedError(UserError):
    """A table that could not be paired."""


@dataclass(frozen=True, slots=True)
class PairingResult:
    """What the hub tells a table.

    Attributes:
        address: the club, and the table's name in it.
        host, port: of the broker.
        user, password: of the table's login.
        authority: the certificate of the club's authority, PEM; empty without TLS.
        hub_key: the hub's public key, 64 hex digits.
    """

    address: TableAddress
    host: str
    port: int
    user: str
    password: str
    authority: str
    hub_key: str


def pair(hub: str, code: str, table: str) -> PairingResult:
    """Ask the hub to let a table in.

    The fingerprint behind the six digits, if it is given, is compared with the authority that the hub names: so
    nobody between table and hub can pass for it.

    Args:
        hub: the address of the hub's pages: ``host``, ``host:port``, or with ``http://`` or ``https://`` before it.
        code: what the hub shows: six digits, and behind a hyphen the fingerprint of the club's authority.
        table: the name that the table wants.

    Raises:
        UserError: if the hub cannot be reached, does not know the code, or is another one than the code says.
    """
    digits, _, mark = code.strip().partition("-")
    if len(digits) != DIGITS or not digits.isdecimal():
        raise PairingRefusedError(f"{code!r} is no code for pairing; type the six digits that the hub shows.")
    page = _page_of(hub)
    told = _answer(page, {"code": code.strip(), "table": table})
    try:
        result = PairingResult(
            TableAddress(told["club"], told["table"]),
            str(told["host"]) or str(urlsplit(page).hostname),
            int(told["port"]),
            str(told["user"]),
            str(told["password"]),
            str(told["authority"]),
            str(told["hub_key"]),
        )
    except (KeyError, TypeError, ValueError):
        raise PairingRefusedError(
            f"{page} does not answer as a hub does; name the address of the hub's pages."
        ) from None
    if not is_key(result.hub_key):
        raise PairingRefusedError(f"{page} names no key for its commands; update the hub.")
    if mark:
        _check_authority(result.authority, mark)
    return result


def authority_code(pem: str) -> str:
    """The fingerprint of an authority's certificate, as the hub shows it behind the six digits.

    Raises:
        PairingRefusedError: if that is no certificate.
    """
    try:
        return fingerprint(ssl.PEM_cert_to_DER_cert(pem))
    except ValueError:
        raise PairingRefusedError("The hub sent no certificate that can be read; update the hub.") from None


def _check_authority(pem: str, mark: str) -> None:
    """The fingerprint, or as much of its beginning as somebody typed, has to be that of the certificate."""
    found, typed = authority_code(pem).replace("-", ""), plain_code(mark).replace("-", "")
    if not found.startswith(typed):
        raise PairingRefusedError(
            "The hub that answered is not the one that shows this code: the fingerprint differs. Look who else "
            "answers in this network, and type the code again."
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
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    return f"{parts.scheme}://{host}:{port}/api/v1/pair"


def _answer(page: str, asked: dict[str, str]) -> dict[str, Any]:
    """What the hub answers. Raises PairingRefusedError."""
    # Who vouches for the hub is known only afterwards: the fingerprint in the code tells.
    unknown = ssl.create_default_context()
    unknown.check_hostname, unknown.verify_mode = False, ssl.CERT_NONE
    opener = build_opener(ProxyHandler({}), HTTPSHandler(context=unknown))
    request = Request(page, json.dumps(asked).encode(), {"Content-Type": "application/json"})
    try:
        with opener.open(request, timeout=TIMEOUT_S) as response:
            told = json.loads(response.read(LARGEST))
    except HTTPError as error:
        raise PairingRefusedError(f"The hub did not let this table in: {_reason(error)}") from None
    except (URLError, OSError) as error:
        why = getattr(error, "reason", None) or error
        raise PairingRefusedError(
            f"The hub at {page} cannot be reached ({why}); check its address and the network."
        ) from None
    except ValueError:
        told = None
    if not isinstance(told, dict):
        raise PairingRefusedError(
            f"{page} does not answer as a hub does; name the address of the hub's pages."
        )
    return told


def _reason(error: HTTPError) -> str:
    """The sentence of the hub, or what the web server says."""
    try:
        detail = json.loads(error.read(LARGEST))["detail"]
    except (OSError, ValueError, KeyError, TypeError):
        detail = None
    return detail if isinstance(detail, str) else f"it answers {error.code} {error.reason}."
