"""A board as an SVG drawing from the side of the player whose decision it is: that home lies at the bottom right."""

from collections.abc import Iterator
from typing import Final

from controller.record.evidence.diagram import (
    BAR,
    FRAME,
    HEIGHT,
    LEFT,
    TOP,
    TRAY,
    DiagramLayout,
    board_parts,
    dice_parts,
    drawing,
)
from controller.rules import Position, Side
from controller.rules.forms.xgid import MatchState, OfferCode

CUBE: Final = 0.9
OFFERED: Final = 2.0
"""How large the cube is drawn while a double is offered."""


def board_svg(position: Position, viewer: Side, state: MatchState, label: str) -> str:
    """The drawing as one `svg` element that needs nothing else; `label` is its text alternative.

    The points have the numbers of the viewer. Dice and cube are those of the state: a double that is offered lies
    in the half of the player who offers it.
    """
    layout, own = DiagramLayout(down=viewer is Side.DARK), state.on_roll is viewer
    parts = [*board_parts(layout, position, viewer)]
    if state.roll is not None:
        parts += dice_parts(layout, state.roll, state.on_roll, right=own)
    return drawing("board", layout, [*parts, *_cube(state, viewer)], label)


def _cube(state: MatchState, viewer: Side) -> Iterator[str]:
    """The cube: in the left tray, in the middle or at its owner's edge; offered in the field with its new value."""
    layout, size, value = DiagramLayout(), CUBE, state.cube
    x, y = FRAME + (TRAY - 0.08) / 2, HEIGHT / 2
    if state.offer is not OfferCode.NONE:
        size, value = OFFERED, 2 * state.cube
        x = LEFT + 3 + (6 + BAR if state.on_roll is viewer else 0)
    elif state.crawford:
        return
    elif state.owner is not None:
        edge = TOP + 0.15 + CUBE / 2
        y = HEIGHT - edge if state.owner is viewer else edge
    elif value == 1:
        value = 64
    look = 'class="cube" rx="6" fill="#f5eedf" stroke="#6e5a3f"'
    yield layout.box(x - size / 2, y - size / 2, size, size, look=look)
    yield layout.word(x, y, value, 0.45 * size, look='fill="#1b1714" font-weight="600"')
