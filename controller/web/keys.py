"""What logins are made with, kept over restarts."""

import json
import os
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from controller.errors import UserError


class KeysError(UserError):
    """The keys of the pages cannot be kept."""


@dataclass(frozen=True, slots=True)
class PageKeys:
    """What logins are made with, so that they hold over a restart.

    Attributes:
        path: the file that holds it, readable by its owner alone.
        secret: signs cookies, and makes the players' PINs.
        director_hash: argon2id of the director's PIN; empty before one was set.
    """

    path: Path
    secret: bytes
    director_hash: str = ""

    @classmethod
    def load(cls, path: Path) -> Self:
        """The keys in a file; new ones where there is none, or none that can be read.

        Raises:
            KeysError: if new ones cannot be kept.
        """
        found = cls.find(path)
        if found is None:
            found = cls(path, secrets.token_bytes(32))
            found.save()
        return found

    @classmethod
    def find(cls, path: Path) -> Self | None:
        """The keys in a file; None where there is none, or none that can be read."""
        try:
            told = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, bytes.fromhex(told["secret"]), str(told["director"]))
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def save(self) -> None:
        """Write the file whole, for its owner alone. Raises KeysError."""
        part = self.path.with_name(f"{self.path.name}.part")
        text = json.dumps({"secret": self.secret.hex(), "director": self.director_hash})
        try:
            part.unlink(missing_ok=True)
            descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(text)
            part.replace(self.path)
        except OSError as error:
            raise KeysError(
                f"{self.path} cannot be written ({error.strerror}); the pages need it for logins. Make its folder "
                "writable, or set web.use = false."
            ) from None

    def keep_director(self, hash_: str) -> None:
        """The director has chosen a PIN."""
        replace(self, director_hash=hash_).save()
