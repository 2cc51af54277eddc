"""The club's own authority: it vouches for the hub towards the tables, and nobody else needs to know it."""

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
from cryptography.x509.oid import NameOID

from controller.errors import UserError
from controller.hub.folder import write_private

CERTIFICATE: Final = "authority.crt"
PRIVATE_KEY: Final = "authority.key"
YEARS: Final = 20
_DAY: Final = datetime.timedelta(days=1)


class AuthorityError(UserError):
    """The club's authority cannot be read."""


@dataclass(frozen=True, slots=True)
class ClubAuthority:
    """The authority of a club, with its key.

    Attributes:
        path: the file with its certificate, PEM.
        certificate: that certificate.
    """

    path: Path
    certificate: x509.Certificate
    _key: ec.EllipticCurvePrivateKey

    @classmethod
    def make(cls, folder: Path, club: str, now: datetime.datetime) -> Self:
        """The authority in a folder; a new one where there is none.

        Raises:
            UserError: if it can neither be read nor made.
        """
        path, key_path = folder / CERTIFICATE, folder / PRIVATE_KEY
        if not path.exists() and not key_path.exists():
            key = ec.generate_private_key(ec.SECP256R1())
            name = _name(f"Pointsman hub of {club}")
            made = (
                _builder(name, name, key.public_key(), now, now + YEARS * 365 * _DAY)
                .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
                .add_extension(_key_usage(signs=True), critical=True)
                .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
                .sign(key, SHA256())
            )
            write_private(key_path, _pem_key(key))
            write_private(path, made.public_bytes(Encoding.PEM))
        try:
            private = load_pem_private_key(key_path.read_bytes(), None)
            certificate = x509.load_pem_x509_certificate(path.read_bytes())
        except (OSError, ValueError, TypeError) as error:
            raise AuthorityError(
                f"The club's authority in {folder} cannot be read ({error}); put both files back, or remove both and "
                "pair every table again."
            ) from None
        if not isinstance(private, ec.EllipticCurvePrivateKey):
            raise AuthorityError(
                f"{key_path} is no key of this club; remove it and {path.name}, and pair again."
            )
        return cls(path, certificate, private)

    @property
    def pem(self) -> str:
        """The certificate as text."""
        return self.certificate.public_bytes(Encoding.PEM).decode()

    def vouch(self, folder: Path, names: tuple[str, ...], now: datetime.datetime) -> tuple[Path, Path]:
        """Make a certificate and a key for a server that goes by these names and addresses; where they lie.

        Raises:
            UserError: if they cannot be written.
        """
        key = ec.generate_private_key(ec.SECP256R1())
        issuer = x509.SubjectKeyIdentifier.from_public_key(self._key.public_key())
        made = (
            _builder(
                _name(names[0]),
                self.certificate.subject,
                key.public_key(),
                now,
                self.certificate.not_valid_after_utc,
            )
            .add_extension(
                x509.SubjectAlternativeName([_general_name(each) for each in names]), critical=False
            )
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(_key_usage(signs=False), critical=True)
            .add_extension(
                x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(issuer), critical=False
            )
            .sign(self._key, SHA256())
        )
        certificate_path, key_path = folder / "server.crt", folder / "server.key"
        write_private(key_path, _pem_key(key))
        write_private(certificate_path, made.public_bytes(Encoding.PEM))
        return certificate_path, key_path


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


def _pem_key(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
