"""Cookies that this machine has signed, and how old they are where its clock may be set at any time."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer

from controller.dates import EARLIEST


@dataclass(frozen=True, slots=True)
class SignedCookies:
    """Makes cookies of one kind, and reads them.

    A machine without a clock of its own begins in 1970, or at the time at which it was switched off, and hears what
    time it is later: a cookie may seem to be of the future, or to be decades old. Neither says that it is old.

    Attributes:
        secret: what they are signed with; the same after a restart lets them hold.
        kind: tells those of one kind from all others.
    """

    secret: bytes
    kind: str

    def make(self, content: Mapping[str, str]) -> str:
        """A cookie with this content."""
        return self._serializer().dumps(dict(content))

    def read(self, cookie: str | None, longest_s: float | None = None) -> Mapping[str, Any]:
        """What a cookie holds; nothing if it is not ours, or known to be older than ``longest_s``."""
        if not cookie:
            return {}
        try:
            content, made = self._serializer().loads(cookie, return_timestamp=True)
        except BadData:
            return {}
        now = datetime.fromtimestamp(TimestampSigner(self.secret).get_timestamp(), UTC)
        aged = longest_s is not None and made >= EARLIEST and (now - made).total_seconds() > longest_s
        return content if isinstance(content, dict) and not aged else {}

    def _serializer(self) -> URLSafeTimedSerializer:
        return URLSafeTimedSerializer(self.secret, self.kind)
