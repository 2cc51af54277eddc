"""An authority of this machine's own: it vouches for the machine towards tables and phones, and for nobody else."""

import datetime
import ipaddress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    load_pem_private_key,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from controller.dates import EARLIEST
from controller.errors import UserError
from controller.web.wire.private_file import write_private

CERTIFICATE: Final = "authority.crt"
PRIVATE_KEY: Final = "authority.key"
YEARS: Final = 20
LOCAL_NAMES: Final = ("local", "localhost")
"""Names that mean something in the network at hand only; `table4.local` is below the first."""
_DAY: Final = datetime.timedelta(days=1)


class AuthorityError(UserError):
    """An authority cannot be read or kept."""


@dataclass(frozen=True, slots=True)
class OwnAuthority:
    """The authority of a table or a hub, with its key.

    Attributes:
        path: the file with its certificate, PEM.
        certificate: that certificate.
    """

    path: Path
    certificate: x509.Certificate
    _key: ec.EllipticCurvePrivateKey

    @classmethod
    def make(cls, folder: Path, title: str, now: datetime.datetime, names: tuple[str, ...] = ()) -> Self:
        """The authority in a folder; a new one where there is none, with the key that is there, if one is.

        The key is written first: where the power goes after it, nobody has seen a certificate of it yet.

        Args:
            folder: where its certificate and its key lie.
            title: what phones that trust it call it.
            now: the time.
            names: of this machine. A new one can vouch for these and for local names only, so that whoever steals
                its key cannot pass for a shop or a bank; without any it can vouch for every name.

        Raises:
            UserError: if it can neither be read nor made.
        """
        path, key_path = folder / CERTIFICATE, folder / PRIVATE_KEY
        if not path.exists():
            key = _key_in(key_path) or ec.generate_private_key(ec.SECP256R1())
            name = _name(title)
            begins = max(now, EARLIEST)  # one of 1970 would be over by now
            builder = (
                _builder(name, name, key.public_key(), begins, begins + YEARS * 365 * _DAY)
                .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
                .add_extension(_key_usage(signs=True), critical=True)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            )
            if names:
                builder = builder.add_extension(_only_for(names), critical=True)
            write_private(key_path, _pem_key(key))
            write_private(path, builder.sign(key, SHA256()).public_bytes(Encoding.PEM))
        try:
            private = load_pem_private_key(key_path.read_bytes(), None)
            certificate = x509.load_pem_x509_certificate(path.read_bytes())
        except (OSError, ValueError, TypeError) as error:
            raise AuthorityError(
                f"The authority in {folder} cannot be read ({error}); put {path.name} and {key_path.name} back, or "
                "remove both: then pair every table again, and phones install the new one."
            ) from None
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise AuthorityError(
                f"{key_path} is no key of this authority; remove it and {path.name}, and pair or install again."
            )
        return cls(path, certificate, private)

    @property
    def pem(self) -> str:
        """The certificate as text."""
        return self.certificate.public_bytes(Encoding.PEM).decode()

    @property
    def title(self) -> str:
        """What phones that trust it call it."""
        return str(self.certificate.subject.get_attributes_for_oid(NameOID.COMMON_NAME)[0].value)

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of the certificate as phones show it: pairs of hex digits with colons."""
        return self.certificate.fingerprint(SHA256()).hex(":").upper()

    @property
    def der(self) -> bytes:
        """The certificate as phones install it."""
        return self.certificate.public_bytes(Encoding.DER)

    def is_over(self, now: datetime.datetime) -> bool:
        """Whether nobody believes it any more, by that clock."""
        return now >= self.certificate.not_valid_after_utc

    def may_vouch_for(self, name: str) -> bool:
        """Whether browsers believe it for a name or an address."""
        try:
            permitted = self.certificate.extensions.get_extension_for_class(x509.NameConstraints).value
        except x509.ExtensionNotFound:
            return True
        general = _general_name(name)
        if not isinstance(general, x509.DNSName):
            return True
        known = [each.value for each in permitted.permitted_subtrees or () if isinstance(each, x509.DNSName)]
        return any(name == each or name.endswith(f".{each}") for each in known)

    def vouch(
        self, folder: Path, names: tuple[str, ...], now: datetime.datetime, days: int | None = None
    ) -> tuple[Path, Path]:
        """Make a certificate and a key for a server that goes by these names and addresses; where they lie.

        ``days`` is for how long; None for as long as the authority itself. Names that it may not vouch for are left
        out.

        Raises:
            UserError: if they cannot be written, or the authority is over.
        """
        if self.is_over(now):
            raise AuthorityError(
                f"The clock of this machine says {now:%Y-%m-%d}, and the authority in {self.path.parent} ended on "
                f"{self.certificate.not_valid_after_utc:%Y-%m-%d}; set the clock right. If it is right, remove "
                f"{CERTIFICATE} and {PRIVATE_KEY} there: then pair every table again, and phones install the new one."
            )
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        until = self.certificate.not_valid_after_utc
        made = (
            _builder(
                _name(names[0]),
                self.certificate.subject,
                key.public_key(),
                now,
                until if days is None else min(until, now + days * _DAY),
            )
            .add_extension(
                x509.SubjectAlternativeName(
                    [_general_name(each) for each in names if self.may_vouch_for(each)]
                ),
                critical=False,
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(signs=False), critical=True)
            # Without this, Apple's devices refuse it whoever vouches.
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer), critical=False
            )
            .sign(self._key, SHA256())
        )
        certificate_path, key_path = folder / "server.crt", folder / "server.key"
        write_private(key_path, _pem_key(key))
        write_private(certificate_path, made.public_bytes(Encoding.PEM))
        return certificate_path, key_path


def _only_for(names: tuple[str, ...]) -> x509.NameConstraints:
    """Limits on names. Addresses are left free: a table gets a new one in each network."""
    found = [each for each in map(_general_name, (*LOCAL_NAMES, *names)) if isinstance(each, x509.DNSName)]
    return x509.NameConstraints(permitted_subtrees=found, excluded_subtrees=None)


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey,
    now: datetime.datetime,
    until: datetime.datetime,
) -> x509.CertificateBuilder:
    # A day and more before now: a table whose clock is wrong would take it for one of the future.
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - 365 * _DAY)
        .not_valid_after(until)
    )


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text[:64])])


def _general_name(text: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(text))
    except ValueError:
        return x509.DNSName(text)


def _key_usage(*, signs: bool) -> x509.KeyUsage:
    return x509.KeyUsage(
        digital_signature=True,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=signs,
        crl_sign=signs,
        encipher_only=False,
        decipher_only=False,
    )


def _key_in(path: Path) -> ec.EllipticCurvePrivateKey | None:
    """The key in a file; None where there is none that an authority of ours could have."""
    try:
        key = load_pem_private_key(path.read_bytes(), None)
    except (OSError, ValueError, TypeError):
        return None
    return key if isinstance(key, ec.EllipticCurvePrivateKey) else None


def _pem_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


def hub_authority(folder: Path, club: str, names: tuple[str, ...], now: datetime.datetime) -> OwnAuthority:
    """The authority of a club in its hub's folder, as of `OwnAuthority.make`."""
    return OwnAuthority.make(folder, f"Pointsman hub of {club}", now, names)
