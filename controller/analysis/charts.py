"""Charts as SVG that take their colours from the page: lines over time, bars beside what was expected."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from controller.record.files.match_text import one_line

LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 10.0, 24.0
MOST_TICKS: Final = 12


@dataclass(frozen=True, slots=True)
class Curve:
    """A line to draw.

    Attributes:
        values: one for each step.
        low: the lowest value of the axis; `high` the highest. What lies beyond is drawn at the edge.
        ticks: values that get a line, with their words.
        marks: steps that get a dot, with their words.
        parts: steps at which a part begins, with its name.
    """

    values: Sequence[float]
    low: float
    high: float
    ticks: Sequence[tuple[float, str]]
    marks: Sequence[tuple[int, str]] = ()
    parts: Sequence[tuple[int, str]] = ()


def escape(text: str) -> str:
    """A text that can stand in a drawing."""
    return (
        one_line(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    )


def curve_svg(curve: Curve, label: str, wide: float = 960, high: float = 260) -> str:
    """A line over time; `label` is what it shows, for those who do not see it."""
    inner_w, inner_h = wide - LEFT - RIGHT, high - TOP - BOTTOM
    step = inner_w / max(len(curve.values) - 1, 1)

    def x(place: float) -> float:
        return LEFT + place * step

    def y(value: float) -> float:
        share = (min(max(value, curve.low), curve.high) - curve.low) / (curve.high - curve.low)
        return TOP + inner_h * (1 - share)

    parts = []
    for value, words in curve.ticks:
        parts.append(f'<path class="tick" d="M{LEFT:g} {y(value):.1f}H{wide - RIGHT:g}"/>')
        parts.append(
            f'<text class="axis" x="{LEFT - 6:g}" y="{y(value) + 4:.1f}" text-anchor="end">{escape(words)}</text>'
        )
    every = -(-len(curve.parts) // MOST_TICKS) or 1
    for number, (place, words) in enumerate(curve.parts):
        if number:
            parts.append(f'<path class="part" d="M{x(place):.1f} {TOP:g}V{high - BOTTOM:g}"/>')
        if number % every == 0:
            parts.append(f'<text class="axis" x="{x(place) + 2:.1f}" y="{high - 7:g}">{escape(words)}</text>')
    points = " ".join(f"{x(place):.1f},{y(value):.1f}" for place, value in enumerate(curve.values))
    parts.append(f'<polyline class="curve" points="{points}"/>')
    for place, words in curve.marks:
        parts.append(
            f'<circle class="mark" cx="{x(place):.1f}" cy="{y(curve.values[place]):.1f}" r="4.5">'
            f"<title>{escape(words)}</title></circle>"
        )
    return _svg(wide, high, label, parts)


def bars_svg(
    bars: Sequence[tuple[str, float]],
    expected: float,
    spread: float,
    label: str,
    wide: float = 420,
    high: float = 220,
) -> str:
    """Bars with their counts, a line at what is expected, and a band around it in which most should end."""
    inner_w, inner_h = wide - LEFT - RIGHT, high - TOP - BOTTOM - 14
    top = max([expected + spread, *(value for _, value in bars), 1.0])

    def y(value: float) -> float:
        return TOP + 14 + inner_h * (1 - max(value, 0.0) / top)

    band = y(expected - spread) - y(expected + spread)
    parts = [
        f'<rect class="band" x="{LEFT:g}" y="{y(expected + spread):.1f}" width="{inner_w:g}" height="{band:.1f}"/>'
    ]
    column = inner_w / max(len(bars), 1)
    for number, (words, value) in enumerate(bars):
        x = LEFT + number * column + column * 0.2
        tall = y(0) - y(value)
        middle = x + column * 0.3
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{y(value):.1f}" width="{column * 0.6:.1f}" height="{tall:.1f}"/>'
        )
        parts.append(
            f'<text class="axis" x="{middle:.1f}" y="{high - 7:g}" text-anchor="middle">{escape(words)}</text>'
        )
        parts.append(
            f'<text class="count" x="{middle:.1f}" y="{y(0) - 8:.1f}" text-anchor="middle">{value:g}</text>'
        )
    parts.append(f'<path class="expected" d="M{LEFT:g} {y(expected):.1f}h{inner_w:g}"/>')
    return _svg(wide, high, label, parts)


def _svg(wide: float, high: float, label: str, parts: Sequence[str]) -> str:
    return (
        f'<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}" role="img" '
        f'aria-label="{escape(label)}">{"".join(parts)}</svg>'
    )
