"""Who looks at a page, and what they may be told of illegal plays."""

from dataclasses import dataclass

from controller.referee.table.state import PLAYERS
from controller.rules import Party, Side
from controller.web.table_service import Role


@dataclass(frozen=True, slots=True)
class Audience:
    """People who see the same state in the same words.

    Attributes:
        role: what they may do.
        side: the side that a player plays; None for the page that both players share, and for everybody else.
        language: one of the catalogues'.
    """

    role: Role = Role.VIEWER
    side: Side | None = None
    language: str = "en"

    def hears(self, to: frozenset[Party], mover: Side | None) -> bool:
        """Whether something that is meant for these parties is for this audience.

        ``mover`` is the player whose play it is about. What is shown to spectators and on a page that both players
        share reaches both of them.
        """
        if self.role is Role.DIRECTOR:
            return True
        if self.role is Role.VIEWER or self.side is None or mover is None:
            return to >= PLAYERS
        return (Party.MOVER if self.side is mover else Party.OPPONENT) in to
