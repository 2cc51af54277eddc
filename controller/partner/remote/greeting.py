"""What two tables say to each other before they play: who they are, and whether they play the same match."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from controller.errors import UserError
from controller.rules import Form, Terms
from controller.rules.game.match_record import terms_record

PROTOCOL: Final = 2
"""Changes whenever two tables of different versions would not understand each other."""
KINDS: Final = ("code", "version", "rules", "length", "side")
"""Why a table is refused; the catalogues have a sentence for each under ``other_table.refused``."""


class RefusedTableError(UserError):
    """Two tables cannot play with each other; ``kind`` is one of `KINDS`, ``theirs`` what the other one has."""

    def __init__(self, kind: str, theirs: str = "") -> None:
        """``theirs`` is a version, a profile or a length."""
        self.kind = kind if kind in KINDS else "version"
        self.theirs = theirs
        super().__init__(f"The other table refuses ({self.kind} {theirs}).")


@dataclass(frozen=True, slots=True)
class TableAgreement:
    """What both tables have to agree about.

    Attributes:
        profile: what the rules are called.
        length: points, or ``money``.
        digest: of everything in the rules.
        side: which side the other table is to play.
        version: of Pointsman, for people.
    """

    profile: str
    length: str
    digest: str
    side: str
    version: str

    def record(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "protocol": PROTOCOL,
            "version": self.version,
            "profile": self.profile,
            "length": self.length,
            "digest": self.digest,
            "side": self.side,
        }

    def refusal(self, theirs: dict[str, Any]) -> RefusedTableError | None:
        """Why the other table, which says this of itself, cannot play this match with us; None if it can."""
        if theirs.get("protocol") != PROTOCOL:
            return RefusedTableError("version", str(theirs.get("version", "")))
        if theirs.get("length") != self.length:
            return RefusedTableError("length", str(theirs.get("length")))
        if theirs.get("digest") != self.digest:
            return RefusedTableError("rules", str(theirs.get("profile")))
        if theirs.get("side") == self.side:
            return RefusedTableError("side", self.side)
        return None


def agreement_of(terms: Terms, side: str, version: str) -> TableAgreement:
    """What is to be agreed about a match; ``side`` plays at the other table."""
    text = json.dumps(terms_record(terms), sort_keys=True)
    length = "money" if terms.form is Form.MONEY else str(terms.length)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return TableAgreement(" ".join(each.name for each in terms.profiles), length, digest, side, version)
