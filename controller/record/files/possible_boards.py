"""The boards that a game may have reached where a file leaves out a play, or a whole turn."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from controller.rules import MovementRules, Position, Roll, Side, results
from controller.rules.judging.judge import ROLLS
from controller.rules.moves.plays import LegalPlay

MOST_BOARDS: Final = 128
"""This many are followed; most rolls have far fewer results, and each play is tried from all of them."""
Made = TypeVar("Made")


def boards_after(
    boards: Iterable[Position], side: Side, roll: Roll | None, rules: MovementRules
) -> frozenset[Position]:
    """Where a side's untold play of a roll may have led from any of some boards; without a roll, of any roll.

    None at all if they are too many to follow.
    """
    rolls = ROLLS if roll is None else (roll,)
    found: set[Position] = set()
    for board in boards:
        for each in rolls:
            found |= {Position(code) for code in results(board, side, each, rules)[0]}
            if len(found) > MOST_BOARDS:
                return frozenset()
    return frozenset(found)


def fitting(boards: Iterable[Position], make: Callable[[Position], Made | None]) -> dict[Position, Made]:
    """The boards that a given play leads to, from each on which it can be made; the boards in a fixed order."""
    made = ((board, make(board)) for board in sorted(boards, key=Position.compact))
    return {board: found for board, found in made if found is not None}


@dataclass(slots=True)
class ReachedBoard:
    """The board that a game has come to, as far as its file tells.

    Attributes:
        board: the position; the last one that was known where something is left out.
        lost: whether something was left out, so that the board is not known.
        possible: the boards it may be; empty where they cannot be followed.
        inferred: whether it is only known because nothing else fits if what was left out was legal.
    """

    board: Position
    lost: bool = False
    possible: frozenset[Position] = field(default=frozenset())
    inferred: bool = False

    def stand(self, board: Position) -> None:
        """The board is known to be this one."""
        self.board, self.lost, self.possible, self.inferred = board, False, frozenset(), False

    def lose(self) -> None:
        """From here on nobody knows the board, nor what it may be."""
        self.lost, self.possible = True, frozenset()

    def follow(self, side: Side, roll: Roll | None, rules: MovementRules) -> None:
        """Take into account what a side may have played that is not in the file; without a roll, their whole turn."""
        boards = self.possible if self.lost else frozenset((self.board,))
        boards = boards_after(boards, side, roll, rules)
        self.lost = self.lost or boards != {self.board}
        self.possible = boards if self.lost else frozenset()

    def fit(self, make: Callable[[Position], LegalPlay | None]) -> LegalPlay | None:
        """The play that is made from the board, which becomes one that fits where something is left out."""
        made = make(self.board)
        if self.lost:
            fits = fitting(self.possible, make)
            self.possible = frozenset(each.after for each in fits.values())
            known = len(self.possible) == 1
            if fits and (made is None or known):
                self.board, made = next(iter(fits.items()))
            if known:
                self.stand(self.board)
                self.inferred = True
        return made
