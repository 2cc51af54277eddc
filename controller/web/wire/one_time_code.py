"""A code that whoever sits at the table hands on to one device: it holds once, and not for long."""

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.json_object import parse_object
from controller.web.wire.private_file import write_private

LASTS_S: Final = 600.0
"""How long a code can be used."""
LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a code; none of them is taken for another one."""
LENGTH: Final = 8
"""32 letters to the power of 8: with 120 tries an hour nobody finds one in the time that it holds."""


@dataclass(slots=True)
class OneTimeCode:
    """The newest code, as long as it can be used.

    Attributes:
        now: seconds on a clock that never runs backwards.
    """

    now: Callable[[], float]
    _code: str = field(default="", repr=False)
    _until: float = 0.0

    def renew(self) -> str:
        """A new code, in place of any other. Raises PrivateFileError where it cannot be kept."""
        self._keep("".join(secrets.choice(LETTERS) for _ in range(LENGTH)), self.now() + LASTS_S)
        return self._code

    def current(self) -> str:
        """The code that can be used now; empty where there is none."""
        return self._code if self._code and self.now() < self._until else ""

    def use(self, told: str) -> bool:
        """Whether this is the code, in whatever way it was typed; it holds no more then."""
        known = self.current()
        typed = "".join(letter for letter in told.upper() if letter in LETTERS)
        if not known or not secrets.compare_digest(typed, known):
            return False
        self._keep("", 0.0)
        return True

    def end(self) -> None:
        """No code holds from now on, such as after a restart. Raises PrivateFileError."""
        if self.current():
            self._keep("", 0.0)

    def _keep(self, code: str, until: float) -> None:
        self._code, self._until = code, until


@dataclass(slots=True)
class SharedCode(OneTimeCode):
    """A code in a file, so that a command at the machine can make one for the table that runs.

    The clock is the machine's own, which all its programs share: `time.monotonic`.

    Attributes:
        path: the file, for its owner alone.
    """

    path: Path = Path()
    now: Callable[[], float] = time.monotonic

    def current(self) -> str:
        """The code that can be used now; empty where there is none."""
        try:
            told = parse_object(self.path.read_text(encoding="ascii"))
            self._code, self._until = str(told["code"]), float(told["until"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""
        # One that would hold longer than any may is of before a restart of the machine, whose clock began anew.
        return OneTimeCode.current(self) if self._until <= self.now() + LASTS_S else ""

    def _keep(self, code: str, until: float) -> None:
        OneTimeCode._keep(self, code, until)
        write_private(self.path, json.dumps({"code": code, "until": until}).encode())
