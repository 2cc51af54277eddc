"""What logins are made with, kept over restarts."""

import json
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from controller.errors import UserError
from controller.json_object import parse_object
from controller.web.wire.private_file import PrivateFileError, write_private


class KeysError(UserError):
    """The keys of the pages cannot be kept."""


@dataclass(frozen=True, slots=True)
class PageKeys:
    """What logins are made with, so that they hold over a restart.

    Attributes:
        path: the file that holds it, readable by its owner alone.
        secret: signs cookies, and makes the players' PINs.
        director_hash: argon2id of the director's PIN; empty before one was set.
        aside: the other name of a file that was there and could not be read; None where none was.
    """

    path: Path
    secret: bytes
    director_hash: str = ""
    aside: Path | None = None

    @classmethod
    def load(cls, path: Path) -> Self:
        """The keys in a file; new ones where there is none, or none that can be read: that one is kept aside.

        Raises:
            KeysError: if new ones cannot be kept.
        """
        found = cls.find(path)
        if found is None:
            found = cls(path, secrets.token_bytes(32), aside=_set_aside(path))
            found.save()
        return found

    @classmethod
    def find(cls, path: Path) -> Self | None:
        """The keys in a file; None where there is none, or none that can be read."""
        try:
            told = parse_object(path.read_text(encoding="utf-8"))
            return cls(path, bytes.fromhex(told["secret"]), str(told["director"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def kept_hash(self) -> str:
        """The director's hash as the file has it now; empty without a file.

        Somebody at the machine may have chosen another PIN.
        """
        kept = self.find(self.path)
        return "" if kept is None else kept.director_hash

    def save(self) -> None:
        """Write the file whole, for its owner alone. Raises KeysError."""
        text = json.dumps({"secret": self.secret.hex(), "director": self.director_hash})
        try:
            write_private(self.path, text.encode())
        except PrivateFileError as error:
            raise KeysError(f"{error} The pages need it for logins; without them: web.use = false.") from None

    def keep_director(self, hash_: str) -> None:
        """The director has chosen a PIN."""
        replace(self, director_hash=hash_).save()


def _set_aside(path: Path) -> Path | None:
    """Give a file that cannot be read another name, so that whoever can mend it has it. Raises KeysError."""
    aside = path.with_name(f"{path.name}.unreadable")
    try:
        path.replace(aside)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise KeysError(f"{path} can be neither read nor set aside ({error.strerror}).") from None
    return aside
