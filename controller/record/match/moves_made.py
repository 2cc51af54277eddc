"""Moves as a player makes them on a board, whether a rule allows them or not."""

from dataclasses import dataclass

from controller.rules import Move, MovementRules, Play, Position, Side
from controller.rules.moves import wide
from controller.rules.moves.movement import STANDARD, Generator
from controller.rules.notation import BAR, OFF
from controller.rules.packed import EMPTY


@dataclass(frozen=True, slots=True)
class MovesMade:
    """Moves as they were made, with their hits, the position after them, and a sentence for each that was refused."""

    play: Play
    after: Position
    refused: tuple[str, ...]


def carry_out(before: Position, player: Side, play: Play, rules: MovementRules = STANDARD) -> MovesMade:
    """Make moves that need not be legal; those that cannot be made on this board are left out."""
    if rules.generator is Generator.WIDE:
        return _carry_out_wide(before, player, play, rules)
    board = before if player is Side.LIGHT else before.mirrored()
    counts = [0, *board.points, board.bar(Side.LIGHT)]  # off, the points, the bar: the places of a move
    hits, made, refused = board.bar(Side.DARK), list[Move](), list[str]()
    for move in play:
        if not 1 <= move.source <= BAR or counts[move.source] < 1:
            refused.append(_no_checker(player, move.source))
            continue
        if counts[move.target] < -1:
            refused.append(_held(move.target))
            continue
        hit = counts[move.target] == -1
        made.append(Move(move.source, move.target, hit))
        hits += hit
        counts[move.source] -= 1
        counts[move.target] += 1 + hit
    after = Position.seen(counts[1:BAR], counts[BAR], hits)
    return MovesMade(tuple(made), after if player is Side.LIGHT else after.mirrored(), tuple(refused))


def _carry_out_wide(before: Position, player: Side, play: Play, rules: MovementRules) -> MovesMade:
    """As `carry_out` in games that pin, enter from the hand, or go the same way round."""
    dark = player is Side.DARK
    board = wide.view(before.code, dark, rules.direction)
    made, refused = list[Move](), list[str]()
    for move in play:
        if not 1 <= move.source <= BAR or board[move.source] <= EMPTY:
            refused.append(_no_checker(player, move.source))
            continue
        standing = 0 if move.target == OFF else max(0, EMPTY - board[move.target])
        buried = move.target != OFF and standing and board[wide.PIN + move.target]
        if standing >= rules.landing_blocked_at or buried:
            refused.append(_held(move.target))
            continue
        made.append(Move(move.source, move.target, bool(standing)))
        board = wide.after_step(board, move.source, move.target, rules.contact)
    return MovesMade(tuple(made), Position(wide.code_of(board, dark, rules.direction)), tuple(refused))


def _no_checker(player: Side, source: int) -> str:
    place = "bar" if source == BAR else f"{source}-point"
    return f"There is no checker of {player} on the {place} to play; check the play."


def _held(target: int) -> str:
    return (
        f"The {target}-point is held by the opponent; give the compact position instead if a checker was "
        "really put there."
    )
