"""The notation of plays for programmers: read and written without a position."""

from collections.abc import Iterable

from controller.errors import short_repr
from controller.rules import notation
from controller.rules.notation import BAR, OFF, Move, NotationError
from controller.rules.notation import Play as Moves
from pointsman.spelling import index, row_of, text_of, truth_of

EXAMPLE = '"8/5 6/5"'


def parse_play(text: str, *, backwards: bool = False) -> Moves:
    """Read a play as people and programs write it: points, `bar` or 25, `off` or 0, `*` for a hit, `(2)` for repeats.

    `b` and `o` are short for bar and off; a hyphen does as the stroke, a comma as a blank; `x2` or a `(2)` set
    apart repeats as well. Dice in front (`31:`, `3-1`) are passed over. A move is returned for each leg that is
    written: `13/7` is one move whatever the dice, `bar/20*/18` two. `Cannot Move`, `dance`, `no move`, `pass` and
    an empty text are the empty play. Whether the play is legal is not asked; with `backwards` a move may even
    go up, as some illegal plays did.

    Raises:
        UserError: naming the part that cannot be read.
    """
    return notation.parse_play(text_of(text, "The play", EXAMPLE), backwards=truth_of(backwards, "backwards"))


def format_play(play: Iterable[Move]) -> str:
    """The play as players write it: `8/5 6/5`, `24/23* 23/18`, `bar/22`, `6/off(2)` or `Cannot Move`.

    Moves of one checker run together unless it hit on the way, equal moves are counted in brackets, and
    higher sources come first.

    Raises:
        UserError: it is no row of moves, or a place of one is not 0 (off) to 25 (the bar).
    """
    return notation.format_play(tuple(map(_checked, row_of(play, "The play must be a row of moves"))))


def _checked(move: Move) -> Move:
    """A move whose places are on the board. Raises NotationError."""
    if not isinstance(move, Move):
        raise NotationError(f"The play holds {short_repr(move)}, but must hold a Move such as Move(13, 8).")
    try:
        source, target = index(move.source), index(move.target)
    except TypeError:
        source = target = -1
    if not (OFF <= target <= BAR and OFF <= source <= BAR):
        raise NotationError(
            f"The play holds {short_repr(move)}, but its places must be numbers from {OFF} to {BAR}."
        )
    return Move(source, target, truth_of(move.hit, "hit"))
