"""What was stated is counted in the band in which it was stated, and nowhere else."""

import xml.etree.ElementTree as ET

import pytest

from tests.bench.calibration import draw
from tests.bench.reliability import SAID, Stated, reliability, rows_of_calibration

SVG = "{http://www.w3.org/2000/svg}"
STATED = [
    *[Stated(1.0, True)] * 3,
    Stated(0.99, False),
    *[Stated(0.9899, True)] * 4,
    Stated(0.9, False),
    Stated(0.8999, True),
    Stated(0.5, False),
    Stated(0.5, True),
    Stated(0.0, False),
]


def test_each_statement_is_counted_once_in_the_band_whose_lower_end_it_reaches() -> None:
    parts = reliability(STATED, SAID)
    assert [(part.low, part.high, part.count) for part in parts] == [
        (0.0, 0.5, 1),
        (0.5, 0.8, 2),
        (0.8, 0.9, 1),
        (0.9, 0.99, 5),
        (0.99, 1.0, 4),
    ]
    assert sum(part.count for part in parts) == len(STATED)
    assert [part.right for part in parts] == [0.0, 0.5, 1.0, 0.8, 0.75]


def test_how_surely_a_band_was_told_is_the_mean_of_what_was_told_in_it() -> None:
    *_, part = reliability(STATED, SAID)
    assert part.stated == pytest.approx((3 * 1.0 + 0.99) / 4)


def test_a_band_in_which_nothing_was_told_is_left_out() -> None:
    assert [part.low for part in reliability([Stated(0.95, True)], SAID)] == [0.9]
    assert reliability([], SAID) == []


def test_the_rows_begin_with_what_was_told_most_surely_and_want_it_to_be_so() -> None:
    rows = rows_of_calibration("table", STATED)
    assert [(row["value"], row["target"]) for row in rows[:3]] == [(75.0, 99), (80.0, 90), (100.0, None)]
    assert "of 4 turns told with 99 % and more" in rows[0]["name"]
    assert "of 5 turns told with 90 to 99 %" in rows[1]["name"]


@pytest.mark.parametrize(("right", "low", "high"), [(10, 0.7225, 1.0), (5, 0.2366, 0.7634), (0, 0.0, 0.2775)])
def test_the_interval_around_a_share_is_wilsons(right: int, low: float, high: float) -> None:
    (part,) = reliability([Stated(1.0, number < right) for number in range(10)], SAID)
    assert part.spread == pytest.approx((low, high), abs=1e-4)


def test_the_picture_has_a_mark_for_each_band_in_which_something_was_told() -> None:
    root = ET.fromstring(draw({"table": STATED, "film": [Stated(0.95, True)]}))
    marks = [one for one in root.iter(f"{SVG}circle") if one.get("class") == "share"]
    assert [one.findtext(f"{SVG}title") for one in marks] == [
        "1 turns, 0.0 % so",
        "2 turns, 50.0 % so",
        "1 turns, 100.0 % so",
        "5 turns, 80.0 % so",
        "4 turns, 75.0 % so",
        "1 turns, 100.0 % so",
    ]
    heights = [float(one.get("cy", "")) for one in marks]
    assert heights[0] > heights[1] > heights[4] > heights[3] > heights[2] == heights[5]
    assert "table, 13 turns" in [one.text for one in root.iter(f"{SVG}text")]
