"""Devices that somebody has entered a right PIN on: a cookie by which they are known again.

It opens nothing. But the tries of a device that is known are counted by themselves, so that whoever guesses from the
same address, or from many, does not keep it out (OWASP, "Slow Down Online Guessing Attacks with Device Cookies").
"""

import secrets
from dataclasses import dataclass
from typing import Final

from controller.web.wire.signed_cookies import SignedCookies

KNOWN_S: Final = 365 * 24 * 3600
"""How long a device is known."""


@dataclass(frozen=True, slots=True)
class DeviceCookies:
    """Makes and reads the cookies.

    Attributes:
        secret: what they are signed with; the same after a restart lets them hold.
    """

    secret: bytes

    def make(self, whose: str) -> str:
        """A cookie for a device on which somebody has entered a right PIN: ``whose`` it was."""
        return self._cookies().make({"device": secrets.token_urlsafe(18), "whose": whose})

    def find(self, cookie: str | None, whose: str) -> str:
        """The name of the device, if somebody has entered that PIN on it; else empty."""
        content = self._cookies().read(cookie, KNOWN_S)
        return f"device {content.get('device', '')}" if content.get("whose") == whose else ""

    def _cookies(self) -> SignedCookies:
        return SignedCookies(self.secret, "pointsman-device")
