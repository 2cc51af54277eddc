"""Of what the referee told so surely, so much was so: `python -m tests.bench.calibration [--quick]`.

Every benchmark that knows the truth adds what its verdicts stated: the simulated table, the scenes told with sharp
readings, and the filmed game that ships. The shares are printed, and drawn as a picture for the pages in
``hardware_docs``. With ``--add FILE`` what was stated in earlier runs is added, ``--keep FILE`` keeps what was stated
in this one.
"""

import argparse
import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.bench import bench_film, bench_scenes, bench_table
from tests.bench.reliability import SAID, Part, Stated, name_band, reliability

PICTURE: Final = Path(__file__).parents[2] / "hardware_docs" / "pictures" / "calibration.svg"
WIDTH, HEIGHT = 720, 400
LEFT, RIGHT, TOP, BOTTOM = 60, 20, 50, 90
COLOURS: Final = ("#1b6ca8", "#c0561f", "#3c7d3c")
APART: Final = 34
"""Between the marks of two sources in a band, in pixels."""

Sources = Mapping[str, Sequence[Stated]]


def measure(sizes: bench_table.Sizes, scenes: int) -> dict[str, list[Stated]]:
    """How surely each turn was told, and whether it was so, by where it was told."""
    told = bench_scenes.look(scenes, bench_scenes.told_in_process).all
    return {
        "simulated table": bench_table.stated(bench_table.evenings(sizes)),
        "scenes": [one for outcome in told.outcomes for one in outcome.stated],
        "filmed game": bench_film.stated(),
    }


def draw(sources: Sources) -> str:
    """The shares that were so in each band, with the interval of 95 % around them, as an SVG picture."""
    bands = list(pairwise(SAID))
    step = (WIDTH - LEFT - RIGHT) / len(bands)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}" '
        'font-family="sans-serif" font-size="13">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="18" font-size="15">Of what was told so surely, so much was so (%)</text>',
    ]
    for percent in range(0, 101, 20):
        y = _y(percent / 100)
        lines += [
            f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}" stroke="#dddddd"/>',
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent}</text>',
        ]
    for number, (low, high) in enumerate(bands):
        x = LEFT + number * step
        top = _y(min(high, 1.0))
        # At least a hair wide, or the uppermost band could not be seen.
        tall = max(3.0, _y(low) - top)
        lines += [
            f'<rect class="band" x="{x + 6:.1f}" y="{top:.1f}" width="{step - 12:.1f}" height="{tall:.1f}" '
            'fill="#eeeeee" stroke="#bbbbbb"/>',
            f'<text x="{x + step / 2:.1f}" y="{HEIGHT - BOTTOM + 20}" text-anchor="middle">'
            f"told with {name_band(low, min(high, 1.0))}</text>",
        ]
    for place, (name, stated) in enumerate(sources.items()):
        colour = COLOURS[place % len(COLOURS)]
        lines.append(_legend(place, name, len(stated), colour))
        for part in reliability(stated, SAID):
            number = next(k for k, (low, _) in enumerate(bands) if low == part.low)
            x = LEFT + (number + 0.5) * step + (place - (len(sources) - 1) / 2) * APART
            lines.append(_mark(x, part, colour))
    return "\n".join([*lines, "</svg>", ""])


def _y(share: float) -> float:
    return TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM)


def _legend(place: int, name: str, count: int, colour: str) -> str:
    x, y = LEFT + 10 + 220 * place, HEIGHT - 22
    return (
        f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{colour}"/>'
        f'<text x="{x + 10}" y="{y}">{escape(name)}, {count:,} turns</text>'
    )


def _mark(x: float, part: Part, colour: str) -> str:
    low, high = part.spread
    return (
        f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{_y(low):.1f}" y2="{_y(high):.1f}" stroke="{colour}" stroke-width="2"/>'
        f'<circle class="share" cx="{x:.1f}" cy="{_y(part.right):.1f}" r="5" fill="{colour}">'
        f"<title>{part.count} turns, {100 * part.right:.1f} % so</title></circle>"
        f'<text x="{x:.1f}" y="{HEIGHT - BOTTOM + 38}" text-anchor="middle" font-size="11" fill="{colour}">'
        f"{part.count}</text>"
    )


def _lines(sources: Sources) -> Iterable[str]:
    for name, stated in sources.items():
        for part in reversed(reliability(stated, SAID)):
            yield (
                f"{name}: of {part.count} turns told with {name_band(part.low, part.high)} "
                f"{100 * part.right:.1f} % were so"
            )


def main() -> None:
    """Measure, print, and draw the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="look at less: some minutes")
    parser.add_argument(
        "--add", type=Path, action="append", default=[], help="what was stated in an earlier run"
    )
    parser.add_argument("--keep", type=Path, help="keep what was stated in this file")
    parser.add_argument("--only-draw", action="store_true", help="measure nothing: draw what is added")
    given = parser.parse_args()
    sources: dict[str, list[Stated]] = {}
    if not given.only_draw:
        quick = bench_table.QUICK, 1
        sources = measure(*(quick if given.quick else (bench_table.FULL, bench_scenes.EACH)))
    if given.keep:
        plain = {name: [[one.confidence, one.right] for one in stated] for name, stated in sources.items()}
        given.keep.write_text(json.dumps(plain) + "\n")
    for file in given.add:
        for name, stated in json.loads(file.read_text()).items():
            sources.setdefault(name, []).extend(Stated(surely, right) for surely, right in stated)
    print(*_lines(sources), sep="\n")
    PICTURE.write_text(draw(sources), encoding="utf-8")


if __name__ == "__main__":
    main()
