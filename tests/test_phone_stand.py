"""The heights of a phone's stand in camera.md follow from its angle of view."""

import re
from math import atan, degrees, radians, tan
from pathlib import Path
from typing import Final

from tests.test_electrics import rows

PAGE: Final = (Path(__file__).resolve().parent.parent / "hardware_docs" / "camera.md").read_text(
    encoding="utf-8"
)
HALF_CM: Final = 30.0
"""Half of what is seen across the short side of the picture."""


def upright(across: float) -> float:
    """The angle across the short side of a picture of 16:9."""
    return 2 * degrees(atan(tan(radians(across) / 2) * 9 / 16))


def seen(height_cm: float, tilt: float) -> float:
    """The angle under which a phone sees those 60 cm, that is so far aside that it looks at their middle."""
    aside = height_cm * tan(radians(tilt))
    return degrees(atan((aside + HALF_CM) / height_cm) - atan((aside - HALF_CM) / height_cm))


def test_a_phone_at_each_height_of_the_page_sees_the_board_and_no_more_than_it_must() -> None:
    table = rows(PAGE, "| angle of view of the phone, across")
    assert len(table) == 3
    for across, *cells in table:
        angle = upright(float(across.split()[0]))
        for tilt, cell in zip((0, 20, 35), cells, strict=True):
            height, *aside = (float(each) for each in re.findall(r"(\d+) cm", cell))
            assert seen(height + 0.5, tilt) <= angle
            assert seen(height - 1.5, tilt) > angle
            assert all(abs(each - height * tan(radians(tilt))) <= 1 for each in aside)
