"""Which phone may be the camera: the one that showed the newest code, until another one shows a newer."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Final

from controller.devices.camera.phone import PhoneLine
from controller.web.wire.one_time_code import OneTimeCode

LOW: Final = (0.2, 0.1)
"""At these levels of its battery people are told of it."""


def _forget(_: object) -> None:
    """Keep nothing."""


@dataclass(slots=True)
class PhoneDesk:
    """Lets one phone send pictures, and nothing else. For the thread of the web server.

    Attributes:
        line: where its pictures go.
        now: seconds on a clock that never runs backwards.
        known: the SHA-256 of what the phone shows that may send; empty for none.
        keep: is told that when it changes, so that the phone comes back after a restart of the program.
        warn: is told how full the battery is, in percent, when people should plug the phone in.
        battery: how full it is, 0 to 1; None where the phone does not tell.
    """

    line: PhoneLine
    now: Callable[[], float]
    known: str = ""
    keep: Callable[[str], None] = _forget
    warn: Callable[[int], None] = _forget
    battery: float | None = None
    _code: OneTimeCode = field(init=False)
    _warned: float = 1.0

    def __post_init__(self) -> None:
        """Nobody has asked for a code yet."""
        self._code = OneTimeCode(self.now)

    def new_code(self) -> str:
        """A code for one phone, in place of any other; somebody at the table asks for it."""
        return self._code.renew()

    def code(self) -> str:
        """The code that can be used now; empty where there is none."""
        return self._code.current()

    def claim(self, code: str) -> str:
        """What the phone shows from now on that has this code; empty if it is not the right one."""
        if not self._code.use(code):
            return ""
        token = secrets.token_urlsafe(24)
        self.known, self.line.still_size = _digest(token), None
        self.keep(self.known)
        return token

    def admits(self, token: str) -> bool:
        """Whether this is the phone that may send."""
        return bool(self.known) and secrets.compare_digest(_digest(token), self.known)

    def take_battery(self, level: float, *, charging: bool) -> None:
        """The phone tells how full its battery is, 0 to 1."""
        self.battery = level = min(max(level, 0.0), 1.0)
        if charging:
            self._warned = 1.0
            return
        due = [each for each in LOW if level <= each < self._warned]
        if due:
            self._warned = min(due)
            self.warn(round(100 * level))


def _digest(token: str) -> str:
    return sha256(token.encode()).hexdigest()
