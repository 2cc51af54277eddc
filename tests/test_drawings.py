"""The diagrams that ship are those that the code draws, and the pages show them."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path

from hardware_docs.drawings import nano, pi
from hardware_docs.drawings.sheets import SHEETS, svg
from tests.rows import each_row

DOCS = Path(__file__).resolve().parent.parent / "hardware_docs"
MEASURED = {"calibration"}
"""What is drawn from measurements, which take minutes, and cannot be drawn anew here (`tests.bench.calibration`)."""
FIRMWARE = DOCS.parent / "firmware"


@each_row("name", SHEETS)
def test_the_picture_that_ships_is_what_the_code_draws(name: str) -> None:
    drawn = svg(name)
    assert (DOCS / "pictures" / f"{name}.svg").read_text() == drawn
    assert ET.fromstring(drawn).tag.endswith("svg")


def test_every_diagram_stands_on_a_page_and_no_other_does() -> None:
    pages = "".join(page.read_text() for page in DOCS.glob("*.md"))
    assert set(re.findall(r"pictures/([a-z0-9_]+)\.svg", pages)) == set(SHEETS) | MEASURED
    for name in MEASURED:
        assert ET.fromstring((DOCS / "pictures" / f"{name}.svg").read_text()).tag.endswith("svg")


def test_the_nano_is_wired_as_the_firmware_says() -> None:
    page = (FIRMWARE / "README.md").read_text()
    assert "| D2 to D7 | buttons to ground: roll, light's clock, dark's clock, double, take, drop |" in page
    assert "| D9, D10 | buttons to ground: pause, done |" in page
    assert [pin for pin, _ in nano.BUTTONS] == ["D2", "D3", "D4", "D5", "D6", "D7", "D9", "D10"]
    assert ", ".join(name for _, name in nano.BUTTONS) == (
        "roll, light's clock, dark's clock, double, take, drop, pause, done"
    )
    assert [pins for _, pins in nano.DICE] == [("A0", "A1", "A2", "A3"), ("A4", "A5", "D12", "D13")]


def test_no_pin_of_the_pi_has_two_wires() -> None:
    pins = [pin for pin, _ in (*pi.BUTTONS, *pi.DICE)] + [pin for _, pin, _ in pi.CHAIN]
    assert len(pins) == len(set(pins))
    # GPIO 2 and 3 have resistors of their own, 14 and 15 are the serial console.
    assert not {0, 1, 2, 3, 14, 15} & set(pins)
