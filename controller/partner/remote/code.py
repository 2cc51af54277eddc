"""The code by which one table finds the other one, and knows it: an address, a secret, who vouches for the line."""

import base64
import re
import secrets
from dataclasses import dataclass
from hashlib import sha256
from typing import Final, Self

from controller.errors import UserError

LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Of a secret; none of them is taken for another one."""
SECRET: Final = 10
"""Letters of a secret: 50 bits, for one match, and a wrong one takes a second to be refused."""
PRINT: Final = 26
"""Letters of base 32 for the first 128 bits of a SHA-256."""
_SHAPE: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[^\s/:\[\]]+):(\d{1,5})/([A-Z2-9]{10})(?:-([A-Z2-7]{26}))?")
HIGHEST_PORT: Final = 65_536


class CodeError(UserError):
    """A text that is no code of a table."""


@dataclass(frozen=True, slots=True)
class TableCode:
    """How to reach a table that waits for another one.

    Attributes:
        host, port: where its pages are.
        secret: holds for one match and one other table.
        authority: the fingerprint of who vouches for its certificate; empty where the line is not encrypted, as
            between two tables on one machine.
    """

    host: str
    port: int
    secret: str
    authority: str = ""

    @classmethod
    def read(cls, text: str) -> Self:
        """The code in a text as people copy it. Raises CodeError."""
        found = _SHAPE.fullmatch("".join(text.split()))
        if found is None or not 0 < int(found[2]) < HIGHEST_PORT:
            raise CodeError("This is no code of a table; copy the whole line that the other table shows.")
        return cls(found[1], int(found[2]), found[3], found[4] or "")

    def __str__(self) -> str:
        """As the table shows it: ``192.168.1.20:8080/K7QFW2MXAB-...``."""
        return f"{self.host}:{self.port}/{self.secret}" + (f"-{self.authority}" if self.authority else "")

    @property
    def address(self) -> str:
        """The address of the WebSocket."""
        return f"{'wss' if self.authority else 'ws'}://{self.host}:{self.port}{PATH}"


PATH: Final = "/api/v1/partner"


def new_secret() -> str:
    """A secret that nobody can guess."""
    return "".join(secrets.choice(LETTERS) for _ in range(SECRET))


def fingerprint(certificate: bytes) -> str:
    """The fingerprint of a certificate, DER."""
    return base64.b32encode(sha256(certificate).digest()).decode()[:PRINT]
