"""A game on a board: plays are pushed and popped."""

from typing import Self

from controller.errors import short_repr
from controller.rules.moves.plays import Results
from controller.rules.notation import NotationError
from controller.rules.position import PositionError, Side
from pointsman.position import Play, Position, position_of
from pointsman.spelling import STANDARD, RollLike, SideLike, VariantLike


class Board:
    """A position that changes: `push` makes a play, `pop` takes the last one back.

    Boards are equal where what is on them now is equal: checkers, whose turn it is, dice, cube, score and movement,
    whatever led there. A board changes, so it cannot be a key; its `position` can.

    Args:
        position: where it begins; without it, at the start of `variant`.
        variant: a name of `variants`, or the path of a profile file.
        turn: who begins.

    Raises:
        UserError: there is no such variant or side, or the position is none.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(
        self,
        position: Position | None = None,
        *,
        variant: VariantLike = STANDARD,
        turn: SideLike = Side.LIGHT,
    ) -> None:
        self._start = Position.start(variant, turn) if position is None else _position_of(position)
        self._position = self._start
        self._plays: list[Play] = []

    @property
    def position(self) -> Position:
        """What is on the board now, as a value."""
        return self._position

    @property
    def start(self) -> Position:
        """Where it began."""
        return self._start

    @property
    def plays(self) -> tuple[Play, ...]:
        """All plays since the start."""
        return tuple(self._plays)

    @property
    def turn(self) -> Side:
        """The side that rolls or plays next."""
        return self._position.turn

    @property
    def winner(self) -> Side | None:
        """Who has borne off all checkers; `None` while the game goes on."""
        return self._position.winner

    @property
    def is_over(self) -> bool:
        """Whether a side has borne off all its checkers."""
        return self._position.is_over

    def legal_plays(self, roll: RollLike | None = None) -> Results[Play]:
        """Every complete legal play of a roll; see `Position.legal_plays`."""
        return self._position.legal_plays(roll)

    def parse(self, text: str, roll: RollLike | None = None) -> Play:
        """The legal play that a text means; see `Position.parse`."""
        return self._position.parse(text, roll)

    def push(self, play: Play | str, roll: RollLike | None = None) -> Play:
        """Make a play; the other side is then to roll.

        Args:
            play: one of `legal_plays`, or a text for `parse`.
            roll: the dice; without them, those of the `Play`, or see `Position.parse`.

        Raises:
            UserError: it is not legal here, or the game is over. The board is left as it was.
        """
        if self.is_over:
            raise NotationError(f"The game is over, {self.winner} has won; pop() takes the last play back.")
        made = self._position.made(play, roll)
        self._plays.append(made)
        self._position = made.after
        return made

    def pop(self) -> Play:
        """Take the last play back, and return it. Raises UserError if there is none."""
        made = self.peek()
        self._plays.pop()
        self._position = made.before
        return made

    def peek(self) -> Play:
        """The last play. Raises UserError if there is none."""
        if not self._plays:
            raise NotationError("No play was made on this board yet.")
        return self._plays[-1]

    def copy(self) -> Self:
        """Another board with the same plays."""
        other = type(self)(self._start)
        other._plays = list(self._plays)
        other._position = self._position
        return other

    def __copy__(self) -> Self:
        """As `copy`: what `copy.copy` makes goes its own way, too."""
        return self.copy()

    def __eq__(self, other: object) -> bool:
        """Whether the same is on both boards now; the plays that led there do not count."""
        if not isinstance(other, Board):
            return NotImplemented
        return self._position == other._position

    def __str__(self) -> str:
        """The board in letters."""
        return str(self._position)

    def __repr__(self) -> str:
        """What is on it."""
        return f"<Board {self._position!r}, plays: {len(self._plays)}>"

    def _repr_svg_(self) -> str:
        """How a notebook shows it."""
        return self._position.svg()


def _position_of(given: Position) -> Position:
    """The position that a board begins with. Raises PositionError."""
    if isinstance(given, str):
        raise PositionError(
            f"The position is the text {short_repr(given)}, but must be a Position: Board(variant=...) begins a "
            "game of one of the variants(), Position.from_compact and Position.from_xgid read a text."
        )
    return position_of(given, "The position")
