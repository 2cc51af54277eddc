"""A play: a whole turn, from one position to the next."""

from typing import TYPE_CHECKING

from controller.rules.moves.plays import play_between
from controller.rules.notation import Move, format_play
from controller.rules.position import Position as Checkers
from controller.rules.position import Roll

if TYPE_CHECKING:  # a position has plays, and a play two positions
    from pointsman.position import Position


class Play:
    """A complete legal play. It prints as players write it; of several that lead to one position one is told.

    Attributes:
        before: the position it was made in.
        roll: the dice; `None` where the play fits several rolls and nobody said which.
    """

    __slots__ = ("_code", "_moves", "_roll", "before", "roll")

    before: "Position"
    roll: Roll | None

    def __init__(self, before: "Position", roll: Roll, code: int, *, roll_known: bool = True) -> None:
        """Made by `Position.legal_plays` and `Position.parse`, of the packed code of the position after it."""
        self.before = before
        self.roll = roll if roll_known else None
        self._roll = roll
        self._code = code
        self._moves: tuple[Move, ...] | None = None

    @property
    def moves(self) -> tuple[Move, ...]:
        """One move for each die, in an order in which they are legal; empty if nothing could be played."""
        if self._moves is None:
            before = self.before
            rules, after = before.profile.movement, Checkers(self._code)
            self._moves = play_between(before.checkers, before.turn, self._roll, after, rules) or ()
        return self._moves

    @property
    def after(self) -> "Position":
        """The position after it, the other side to roll."""
        return self.before.handed_over(Checkers(self._code))

    def __str__(self) -> str:
        """The play in standard notation, from the mover's side: `8/5 6/5`, `bar/22*`, `Cannot Move`."""
        return format_play(self.moves)

    def __repr__(self) -> str:
        """The play in standard notation."""
        return f"Play({str(self)!r})"

    def __eq__(self, other: object) -> bool:
        """Whether it leads from the same position to the same position."""
        if not isinstance(other, Play):
            return NotImplemented
        return self._code == other._code and self.before == other.before

    def __hash__(self) -> int:
        """By where it leads."""
        return hash(self._code)
