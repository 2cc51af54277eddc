"""Which club a table belongs to, under what name, and what it logs in with."""

import contextlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.errors import UserError
from controller.json_object import parse_object
from controller.locks import hold

_KEY_DIGITS: Final = 64


class CredentialsError(UserError):
    """What a table logs in with cannot be read or kept."""


@dataclass(frozen=True, slots=True)
class Membership:
    """Which club a table belongs to, and under what name.

    Attributes:
        address: of the table.
        broker: where its messages go, and how to log in there.
        hub_key: the hub's public key (Ed25519, 64 hex digits); empty where no command can be believed.
        title: what people call the table.
        pages: the address of its own pages; empty if nobody else can open them.
        authority: the certificate of the authority that vouches for them, PEM; empty likewise.
    """

    address: TableAddress
    broker: BrokerAddress
    hub_key: str = ""
    title: str = ""
    pages: str = ""
    authority: str = ""


@dataclass(frozen=True, slots=True)
class Credentials:
    """What a table got when it was paired.

    Attributes:
        user, password: of its login; empty for none.
        authority: the file with the certificate of the club's authority; None without TLS.
        hub_key: see `Membership`.
    """

    user: str = ""
    password: str = ""
    authority: Path | None = None
    hub_key: str = ""

    @classmethod
    def read(cls, path: Path) -> Self:
        """What `write` has kept. Raises CredentialsError."""
        remedy = "pair the table with the hub again (pointsman pair)"
        try:
            told = parse_object(path.read_bytes())
            user, password, key = str(told["user"]), str(told["password"]), str(told["hub_key"])
            authority = authority_beside(path) if told["authority"] else None
        except FileNotFoundError:
            raise CredentialsError(f"There is no file {path}; {remedy}.") from None
        except OSError as error:
            raise CredentialsError(f"{path} cannot be read ({error.strerror}); check its rights.") from None
        except (ValueError, KeyError, TypeError):
            raise CredentialsError(f"{path} does not hold what a table logs in with; {remedy}.") from None
        if key and not is_key(key):
            raise CredentialsError(f"{path} holds no key of a hub that can be used; {remedy}.")
        return cls(user, password, authority, key)

    def write(self, path: Path, authority_pem: str) -> None:
        """Keep them, readable by their owner only, the certificate beside them. Raises CredentialsError."""
        # Read by every command that looks at a configuration; written once.
        from controller.whole_file import replace_file

        told = {
            "user": self.user,
            "password": self.password,
            "authority": bool(authority_pem),
            "hub_key": self.hub_key,
        }
        try:
            if authority_pem:
                replace_file(authority_beside(path), authority_pem.encode())
            path.unlink(missing_ok=True)  # so that it does not keep rights that somebody gave it
            replace_file(path, f"{json.dumps(told, indent=1)}\n".encode())
        except OSError as error:
            raise CredentialsError(
                f"{path} cannot be written ({error.strerror}); make its folder writable, then pair again."
            ) from None


def authority_beside(credentials: Path) -> Path:
    """Where the certificate of the club's authority lies: beside what the table logs in with."""
    return credentials.with_suffix(".pem")


def is_key(text: str) -> bool:
    """Whether a text can be a public key: 64 hex digits."""
    return len(text) == _KEY_DIGITS and all(digit in "0123456789abcdef" for digit in text)


class LoginHold:
    """Says to other programs of this machine that a table is using its login, until it is closed.

    A broker that binds client ids to logins ends the connection that a login has when it comes a second time.
    """

    def __init__(self, path: Path) -> None:
        """Hold the file with what the table logs in with; where there is none, nothing is held."""
        self._descriptor: int | None = None
        with contextlib.suppress(OSError):  # also a folder of the network that knows no locks
            self._descriptor = os.open(path, os.O_RDONLY)
            hold(self._descriptor, shared=True)

    def close(self) -> None:
        """Hold it no more; calling it again does nothing."""
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_login_used(path: Path) -> bool:
    """Whether a table that runs on this machine holds its login, see `LoginHold`."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return False
    try:
        hold(descriptor)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
