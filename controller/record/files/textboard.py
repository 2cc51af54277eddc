"""A position as a small board of text: light's side below, light `O`, dark `X`."""

from collections.abc import Collection

from controller.rules import Position, Side

TOP = tuple(range(13, 25))
BOTTOM = tuple(range(12, 0, -1))


def diagram(position: Position, unsure: Collection[int] = ()) -> str:
    """The points with their checkers, the bars in the middle, the trays in the last line; `?` marks unsure points."""

    def row(points: tuple[int, ...], bar: str, cell: str) -> str:
        cells = [f"{cell_of(point) if cell == 'count' else point:>4}" for point in points]
        return f"{''.join(cells[:6])} |{bar:^5}|{''.join(cells[6:])}".rstrip()

    def cell_of(point: int) -> str:
        light, dark = (position.checkers(side, point) for side in Side)
        return (f"{light}O" if light else f"{dark}X" if dark else ".") + ("?" if point in unsure else "")

    light, dark = position.bar(Side.LIGHT), position.bar(Side.DARK)
    lines = [
        row(TOP, "bar", "number"),
        row(TOP, f"{dark}X" if dark else "", "count"),
        row(BOTTOM, f"{light}O" if light else "", "count"),
        row(BOTTOM, "bar", "number"),
    ]
    off = [f"{position.off(side)}{mark}" for side, mark in ((Side.LIGHT, "O"), (Side.DARK, "X"))]
    return "\n".join([*lines, f" off {off[0]} {off[1]}"])
