"""Who may log in to the broker, and what each may say and hear."""

import os
import secrets
import subprocess
import tempfile
from pathlib import Path
from typing import Final

from controller.club.topics import HEARD_BY_TABLES, OF_TABLES, ROOT
from controller.errors import UserError
from controller.web.wire.private_file import write_private

HUB: Final = "hub"
"""The hub's own login; no table can be called so."""
PASSWORDS: Final = "passwords"
RULES: Final = "acl"


class LoginError(UserError):
    """A login that cannot be made."""


class BrokerLogins:
    """The broker's password file and its access rules, in a folder.

    Attributes:
        hub_password: another one after each start.
    """

    def __init__(self, folder: Path, club: str, program: str) -> None:
        """Write both files; tables that are known stay known.

        Args:
            folder: where they lie.
            club: its name in addresses.
            program: ``mosquitto_passwd``.

        Raises:
            UserError: if they cannot be written.
        """
        self.folder, self._program = folder, program
        write_private(folder / RULES, access_rules(club).encode())
        self.hub_password = self.add(HUB)

    def tables(self) -> tuple[str, ...]:
        """The tables that may log in."""
        return tuple(sorted(self._lines().keys() - {HUB}))

    def add(self, name: str) -> str:
        """Let somebody log in from now on, with a new password; what it is. Raises UserError."""
        password = secrets.token_urlsafe(24)
        write_private(self.folder / PASSWORDS, _joined({**self._lines(), name: self._hashed(name, password)}))
        return password

    def remove(self, name: str) -> None:
        """Let somebody log in no more. Raises UserError."""
        write_private(
            self.folder / PASSWORDS,
            _joined({other: line for other, line in self._lines().items() if other != name}),
        )

    def _lines(self) -> dict[str, str]:
        """The line of each login."""
        try:
            lines = (self.folder / PASSWORDS).read_text(encoding="utf-8").splitlines()
        except OSError:
            return {}
        return {line.partition(":")[0]: line for line in lines if ":" in line}

    def _hashed(self, name: str, password: str) -> str:
        """The line of a login. The password goes through a file: a command line can be read by everybody."""
        descriptor, path = tempfile.mkstemp(dir=self.folder)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{name}:{password}\n")
            subprocess.run([self._program, "-U", path], capture_output=True, check=True)
            return Path(path).read_text(encoding="utf-8").strip()
        except (OSError, subprocess.CalledProcessError) as error:
            raise LoginError(
                f"{self._program} does not make a login ({error}); install the package mosquitto again."
            ) from None
        finally:
            Path(path).unlink(missing_ok=True)


def hub_client(club: str) -> str:
    """The client id of a hub at a broker without logins; at one with logins everybody has that of their login."""
    return f"hub-{club}"


def access_rules(club: str) -> str:
    """The broker's access file: the hub may all of its club, a table only what is its own."""
    said = "".join(f"pattern write {ROOT}/{club}/%u/{what}\n" for what in OF_TABLES)
    heard = "".join(f"pattern read {ROOT}/{club}/%u/{what}\n" for what in HEARD_BY_TABLES)
    return f"user {HUB}\ntopic readwrite {ROOT}/{club}/#\n\n{said}{heard}"


def _joined(lines: dict[str, str]) -> bytes:
    return "".join(f"{line}\n" for line in lines.values()).encode()
