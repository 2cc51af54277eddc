"""One picture comes from the server of a table, by its digest."""

import hashlib
import ssl
import time
from collections.abc import Callable
from enum import StrEnum
from http.client import HTTPException
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, HTTPSHandler, ProxyHandler, Request, build_opener

from controller.errors import UserError

LARGEST: Final = 4 << 20
"""Bytes of one picture."""
CONNECT_S: Final = 5.0
WHOLE_S: Final = 20.0
"""A picture that takes longer is left for later."""
PART: Final = 64 << 10
JPEG: Final = b"\xff\xd8\xff"
"""What every JPEG begins with."""


class FetchFault(StrEnum):
    """Why a picture did not come."""

    CLOSED = "closed"
    """The table lets no other machine open its pages."""
    UNREACHABLE = "unreachable"
    """Nothing answers, or too slowly."""
    MISSING = "missing"
    """The table does not give it out: it keeps it no more, knows another hub, or is too old."""
    CHANGED = "changed"
    """What came is not the picture that the table's journal names."""


class PictureFetchError(UserError):
    """A picture that did not come; ``fault`` says why."""

    def __init__(self, fault: FetchFault, table: str) -> None:
        """``table`` is the address of its pages."""
        super().__init__(
            f"A picture of {table or 'a table'} did not come ({fault}); see the director's desk."
        )
        self.fault = fault


class _NoRedirect(HTTPRedirectHandler):
    """A table has its pictures itself."""

    def redirect_request(self, *_: object) -> None:
        """Follow nothing."""


def _trusting(authority: str) -> ssl.SSLContext:
    """TLS with the table for which this authority vouches.

    A table of an older version names none: then with whoever answers, and the digest alone shows whether it is the
    right picture.
    """
    if authority:
        return ssl.create_default_context(cadata=authority)
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    return context


def fetch_picture(
    pages: str, sha256: str, token: str, authority: str = "", clock: Callable[[], float] = time.monotonic
) -> bytes:
    """The JPEG of a digest.

    Args:
        pages: the address of the table's pages, such as ``https://192.168.1.57:8080/``; empty where there is none.
        sha256: of the picture, 64 hex digits.
        token: the pass for it; nobody gets it but the table for which the authority vouches.
        authority: the certificate of that authority, PEM; empty where the table named none.
        clock: seconds that never run backwards.

    Raises:
        PictureFetchError: if it did not come, or something else came.
    """
    if urlsplit(pages).scheme not in ("http", "https"):
        raise PictureFetchError(FetchFault.CLOSED, pages)
    address = f"{pages.rstrip('/')}/api/v1/evidence/{sha256}"
    until = clock() + WHOLE_S
    found = b""
    try:
        opener = build_opener(ProxyHandler({}), _NoRedirect, HTTPSHandler(context=_trusting(authority)))
        with opener.open(
            Request(address, headers={"Authorization": f"Bearer {token}"}), None, CONNECT_S
        ) as answer:
            while (part := answer.read1(PART)) and len(found) <= LARGEST:
                found += part
                if clock() > until:
                    raise PictureFetchError(FetchFault.UNREACHABLE, pages)
    except HTTPError as error:
        error.close()
        raise PictureFetchError(FetchFault.MISSING, pages) from None
    except (URLError, OSError, HTTPException, ValueError):
        raise PictureFetchError(FetchFault.UNREACHABLE, pages) from None
    if len(found) > LARGEST or not found.startswith(JPEG) or hashlib.sha256(found).hexdigest() != sha256:
        raise PictureFetchError(FetchFault.CHANGED, pages)
    return found
