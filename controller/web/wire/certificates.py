"""The certificate that a machine shows to browsers: for every name and address by which they reach it."""

import datetime
import ipaddress
import ssl
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.exceptions import InvalidSignature

from controller.web.wire.authority import OwnAuthority
from controller.web.wire.private_file import PrivateFileError

DAYS: Final = 400
"""How long a certificate holds; it begins a year ago. Apple's devices take none for more than 825 days in all."""
LEFT_DAYS: Final = 30
"""One that holds for less is replaced."""


def utc_now() -> datetime.datetime:
    """The time."""
    return datetime.datetime.now(datetime.UTC)


class Certificates:
    """Makes certificates by the machine's own authority, one at a time, and keeps the newest. For one thread.

    It stays the same as long as it can: a browser that was told to trust it asks again about another one.

    Attributes:
        authority: who vouches.
    """

    def __init__(
        self,
        authority: OwnAuthority,
        folder: Path,
        names: tuple[str, ...],
        now: Callable[[], datetime.datetime] = utc_now,
    ) -> None:
        """Make sure that there is a certificate.

        Args:
            authority: who vouches.
            folder: where the certificate and its key lie; made where there is none.
            names: names and addresses by which this machine is reached, the most usual first.
            now: the time.

        Raises:
            PrivateFileError: if it cannot be kept.
            AuthorityError: if the authority is over.
        """
        self.authority, self._folder, self._now = authority, folder, now
        self._names = tuple(dict.fromkeys(map(_plain, names)))
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise PrivateFileError(
                f"{folder} cannot be made ({error.strerror}); make the folder around it writable."
            ) from None
        self._context: ssl.SSLContext | None = None
        self._covered: frozenset[str] = frozenset()
        self._since = self._until = now()
        self.context(self._names[0])

    def context(self, address: str) -> ssl.SSLContext:
        """What to speak TLS with towards a browser that has reached this machine at an address of its own."""
        reached = _plain(address)
        if reached not in self._names:
            self._names = (*self._names, reached)
        if self._context is None:
            self._context = self._load()
        elif not self._is_fit(self._covered, self._since, self._until):
            # A clock that jumps decades ahead does not end what runs: browsers go by clocks of their own.
            self._context = self._context if self.authority.is_over(self._now()) else self._load()
        return self._context

    def _load(self) -> ssl.SSLContext:
        paths = self._kept() or self.authority.vouch(self._folder, self._names, self._now(), DAYS)
        certificate = x509.load_pem_x509_certificate(paths[0].read_bytes())
        self._covered = _names_in(certificate)
        self._since, self._until = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        context.load_cert_chain(*paths)
        return context

    def _kept(self) -> tuple[Path, Path] | None:
        """The files of the certificate that is there, if it will do."""
        paths = self._folder / "server.crt", self._folder / "server.key"
        try:
            certificate = x509.load_pem_x509_certificate(paths[0].read_bytes())
            certificate.verify_directly_issued_by(self.authority.certificate)
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*paths)
        except (OSError, ValueError, TypeError, InvalidSignature):
            return None
        since, until = certificate.not_valid_before_utc, certificate.not_valid_after_utc
        return paths if self._is_fit(_names_in(certificate), since, until) else None

    def _is_fit(self, covered: frozenset[str], since: datetime.datetime, until: datetime.datetime) -> bool:
        """Whether a certificate will do; one that was made while the clock was years ahead does not hold yet."""
        wanted = {name for name in self._names if self.authority.may_vouch_for(name)}
        now = self._now()
        last = self.authority.certificate.not_valid_after_utc
        lasts = now + datetime.timedelta(days=LEFT_DAYS) < until or now < until == last
        return wanted <= covered and since <= now and lasts


def _names_in(certificate: x509.Certificate) -> frozenset[str]:
    try:
        named = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except x509.ExtensionNotFound:
        return frozenset()
    return frozenset(str(each.value) for each in named)


def _plain(name: str) -> str:
    """A name in small letters, or an address as it is usually written."""
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        return name.casefold()
    return str(getattr(address, "ipv4_mapped", None) or address)
