"""A plain generator, written apart from the product: tuples, depth first, a set. No trick, no speed.

A board is the mover's: index 0 the opponent's bar, 1..24 the points, 25 the mover's bar; own checkers are
positive, the opponent's negative, on the bars too.
"""

Board = tuple[int, ...]


def steps(board: Board, die: int) -> list[Board]:
    """Every board one legal step further."""
    found = []
    sources = [25] if board[25] > 0 else [point for point in range(24, 0, -1) if board[point] > 0]
    all_home = all(board[point] <= 0 for point in range(7, 26))
    for source in sources:
        target = source - die
        after = list(board)
        after[source] -= 1
        if target > 0:
            if board[target] <= -2:
                continue
            if board[target] == -1:
                after[target] = 0
                after[0] -= 1
            after[target] += 1
        elif not all_home or (target < 0 and any(board[point] > 0 for point in range(source + 1, 7))):
            continue
        found.append(tuple(after))
    return found


def results(board: Board, first: int, second: int) -> set[Board]:
    """All distinct boards after a complete legal play."""
    orders = [[first] * 4] if first == second else [[max(first, second), min(first, second)]]
    if first != second:
        orders.append(orders[0][::-1])
    ends: set[tuple[int, int, Board]] = set()

    def play(now: Board, dice: list[int], played: int, larger: int) -> None:
        following = steps(now, dice[0]) if dice else []
        for after in following:
            play(after, dice[1:], played + 1, max(larger, dice[0]))
        if not following:
            ends.add((played, larger, now))

    for order in orders:
        play(board, order, 0, 0)
    most, largest = max(ends)[:2]
    return {end for played, larger, end in ends if played == most and (most > 1 or larger == largest)}
