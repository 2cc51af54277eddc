"""Positions and rolls for property tests."""

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from controller.rules.position import Position, Roll, Side

rolls = st.builds(Roll.from_dice, st.integers(1, 6), st.integers(1, 6))
sides = st.sampled_from(Side)


@st.composite
def positions(draw: DrawFn) -> Position:
    """Any position: each side's checkers scattered over points of its own, the bar and the tray."""
    owner = draw(st.permutations(range(24)))
    border = draw(st.integers(2, 22))
    points = [0] * 24
    bars = []
    for sign, places in ((1, owner[:border]), (-1, owner[border:])):
        home = draw(st.booleans())
        if home:
            places = [p for p in places if (p < 6 if sign > 0 else p > 17)] or places
        spots = draw(st.lists(st.sampled_from([*places, 24, 25]), min_size=1, max_size=15))
        for spot in spots:
            if spot < 24:
                points[spot] += sign
        bars.append(min(spots.count(24), 3))
    return Position.from_counts(points, *bars)
