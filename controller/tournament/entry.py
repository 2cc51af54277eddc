"""A player of a tournament, and how names are compared."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from controller.tomlfile.checks import JOINERS
from controller.tomlfile.document import cut
from controller.tournament.fault import RefusalError, RefusedThing

LONGEST: Final = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """Somebody who plays.

    Attributes:
        number: from 1 in the order of entry; it never changes.
        name: in any script, unlike every other one of the event.
        rating: `None` if there is none.
        experience: points of match length played so far, for the rating.
        club, country, family: empty if not known; players who share one are kept apart at first.
        missed: rounds that were drawn before this player entered.
        head_start: points that their matches begin with, less those of the opponent.
    """

    number: int
    name: str
    rating: float | None = None
    experience: float = 0
    club: str = ""
    country: str = ""
    family: str = ""
    missed: int = 0
    head_start: int = 0


def tidy(text: str, what: str = "name", *, least: int = 1) -> str:
    """A name as it is kept: composed, without blanks around it or two in a row.

    `what` is the word for it in a refusal, an entry of `tournament.refused.what`. Raises RefusalError if it is empty,
    too long, or has signs that cannot be seen.
    """
    name = " ".join(unicodedata.normalize("NFC", text).split())
    if not name.translate(JOINERS).isprintable() or (name and not any(each.isalnum() for each in name)):
        raise RefusalError("no_letters", text=cut(repr(text)), what=RefusedThing(what))
    if not least <= len(name) <= LONGEST:
        raise RefusalError(
            "wrong_length", text=cut(repr(text)), what=RefusedThing(what), least=least, most=LONGEST
        )
    return name


def same(name: str) -> str:
    """What of a name counts when two are compared: case, width and composition of its letters do not."""
    folded = unicodedata.normalize("NFKC", " ".join(name.translate(JOINERS).split())).casefold()
    return unicodedata.normalize("NFKC", folded)
