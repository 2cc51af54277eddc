"""The hub's folder: its key, its certificates, its logins and what it remembers; one hub at a time."""

import json
import os
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.errors import UserError
from controller.json_object import parse_object
from controller.locks import hold
from controller.record.journal.journal import Json
from controller.record.journal.seal import SigningKey
from controller.web.wire.private_file import write_private

STORE: Final = "hub.db"
TOURNAMENT: Final = "tournament.jsonl"
KEY: Final = "hub.key"
PAGE_KEYS: Final = "page-keys.json"
BROKER: Final = "broker"
_MEMORY: Final = "hub.json"
_LOCK: Final = "lock"


class HubFolderError(UserError):
    """A folder that a hub cannot use."""


class HubFolder(Closeable):
    """A folder that belongs to one running hub.

    Attributes:
        path: where it is.
        key: what the hub signs its commands with.
    """

    def __init__(self, path: Path) -> None:
        """Open it; make it, readable by its owner alone, if it is not there.

        Raises:
            UserError: if it cannot be written, or another hub uses it.
        """
        self.path = path
        try:
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._lock = os.open(path / _LOCK, os.O_RDWR | os.O_CREAT, 0o600)
        except OSError as error:
            raise HubFolderError(
                f"The hub's folder {path} cannot be used ({error.strerror}); name another with --folder."
            ) from None
        try:
            hold(self._lock)
            self.key = SigningKey.make(path / KEY)
        except BlockingIOError:
            os.close(self._lock)
            raise HubFolderError(
                f"Another hub uses the folder {path}; end it, or name another with --folder."
            ) from None
        except UserError:
            os.close(self._lock)
            raise

    def close(self) -> None:
        """Let another hub use it."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def recall(self, name: str) -> Json:
        """What was remembered under a name; None if nothing was."""
        return self._memory().get(name)

    def remember(self, name: str, value: Json) -> None:
        """Keep something for the next start. Raises PrivateFileError."""
        kept = {**self._memory(), name: value}
        write_private(self.path / _MEMORY, json.dumps(kept, indent=1).encode())

    def _memory(self) -> dict[str, Json]:
        try:
            return parse_object((self.path / _MEMORY).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
