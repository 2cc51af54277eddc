"""What pages and diagrams say of currents, fuses, pins and parts fits together, and fits the program."""

import re
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

from controller.config.config import Config, all_keys
from controller.devices.lights.encoding import MOST_BYTES, spi_bytes
from controller.devices.lights.order import StripOrder, place_of
from controller.devices.lights.palette import Dimming
from controller.devices.lights.spi_clock import core_clock
from controller.devices.link.messages import MAX_LAMPS
from hardware_docs.drawings import nano, pi
from hardware_docs.drawings.sheets import SHEETS, svg

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "hardware_docs"
PAGES = [ROOT / "README.md", ROOT / "firmware" / "README.md", *sorted(DOCS.glob("*.md"))]
RATINGS_A = (0.5, 0.63, 0.8, 1, 1.25, 1.6, 2, 2.5, 3.15)
"""Ratings of fuses, IEC 60127."""


def page(name: str) -> str:
    return (DOCS / name).read_text(encoding="utf-8")


def rows(text: str, header: str) -> list[list[str]]:
    """The cells of a table by the beginning of its header, bold marks left out."""
    lines = text[text.index(header) :].splitlines()[2:]
    table = lines[
        : next((at for at, line in enumerate(lines) if not line.strip().startswith("|")), len(lines))
    ]
    return [[cell.strip(" *") for cell in line.strip().strip("|").split("|")] for line in table]


def words(name: str) -> list[tuple[float, float, str]]:
    """Every text of a diagram with its place."""
    found = []
    for text in ET.fromstring(svg(name)).iter("{http://www.w3.org/2000/svg}text"):
        said = "".join(text.itertext()).replace("\xa0", " ").strip()
        found.append((float(text.attrib["x"]), float(text.attrib["y"]), said))
    return found


# --- pins --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pin_of() -> dict[int, int]:
    """The header's pin of every GPIO, by gpiozero's own data of the boards."""
    data: Any = pytest.importorskip("gpiozero.pins.mock")
    header = data.MockFactory().board_info.headers["J8"]
    return {int(pin.name[4:]): pin.number for pin in header.pins.values() if pin.name.startswith("GPIO")}


def test_every_gpio_is_named_with_its_pin_of_the_header(pin_of: dict[int, int]) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in PAGES}
    texts |= {name: "\n".join(text for _, _, text in words(name)) for name in SHEETS}
    named = 0
    for name, text in texts.items():
        pairs = re.findall(r"pin (\d+) \(GPIO(\d+)\)", text)
        assert len(re.findall(r"GPIO ?\d", text)) == len(pairs), f"{name} names a GPIO without its pin"
        assert all(pin_of[int(gpio)] == int(pin) for pin, gpio in pairs), name
        named += len(pairs)
    assert named > 40


def test_the_table_of_pins_is_what_is_configured() -> None:
    table = rows(page("wiring.md"), "| line | key | pin of the header |")
    told = {key.strip("`"): tuple(map(int, re.findall(r"GPIO(\d+)", pins))) for _, key, pins in table}
    config = Config()
    set_up = {
        f"lights.{line}": (getattr(config.lights, line),) for line in ("data", "clock", "latch", "enable")
    }
    set_up |= {"dice.first": config.dice.first, "dice.second": config.dice.second}
    set_up["dice.ready"] = (config.dice.ready,)
    examples = {f"buttons.{key.name}": (key.example,) for key in all_keys()["buttons"]}
    assert told == set_up | examples
    drawn = [gpio for gpio, _ in (*pi.BUTTONS, *pi.DICE)] + [gpio for _, gpio, _ in pi.CHAIN]
    assert sorted(drawn) == sorted(gpio for pins in told.values() for gpio in pins)


# --- the strip ---------------------------------------------------------------------------------------------


def test_the_drawing_numbers_the_lamps_as_the_program_lights_them() -> None:
    texts = words("strip_layout")
    order = StripOrder.as_delivered()
    seen = set()
    for x, y, text in texts:
        place = place_of(text)
        # Names stand towards the nearer edge, numbers on the other side of the lamp, 36 units away.
        number = [said for a, b, said in texts if abs(a - x) < 1 and 20 < abs(b - y) < 50 and said.isdigit()]
        if place is not None and place not in seen and number and int(number[0]) == order.lamps[place]:
            seen.add(place)
    assert seen == set(order.lamps)


def test_the_status_lamp_is_the_same_in_drawing_program_firmware_and_pages() -> None:
    texts = words("strip_layout")
    (at,) = [(x, y) for x, y, text in texts if text == "status"]
    (drawn,) = [int(said) for x, y, said in texts if abs(x - at[0]) < 1 and (x, y) != at and said.isdigit()]
    settings = (ROOT / "firmware" / "core" / "settings.h").read_text()
    found = re.search(r"SETTINGS_DEFAULT \{(\d+), (\d+), ", settings)
    assert found is not None
    lamps, status = map(int, found.groups())
    assert status == drawn == StripOrder.as_delivered().lamps["status"] == lamps - 1
    assert f"`status_lamp` is {status}" in page("wiring.md")
    assert f"number {status})" in " ".join(page("assembly.md").split())


def test_the_page_says_how_long_a_picture_is_at_most() -> None:
    longest = len(spi_bytes(((255, 255, 255),) * MAX_LAMPS))
    assert f"at most {longest:,} bytes; the kernel takes {MOST_BYTES:,}" in " ".join(
        page("wiring.md").split()
    )


def test_the_page_names_the_line_that_keeps_the_clock_of_each_model() -> None:
    for models, _, line, _ in rows(page("wiring.md"), "| model | core clock | line |"):
        for model in models.replace("Pi ", "").split(", "):
            name = model if model.startswith("Compute") else f"Pi {model}" if model[0].isdigit() else model
            clock = core_clock(
                f"Raspberry {name if name.startswith('Pi') else 'Pi ' + name}", lambda _: None, []
            )
            assert (clock.fix if clock else "none") == line.strip("`"), model


# --- current -----------------------------------------------------------------------------------------------


def loads() -> list[int]:
    return [int(ma) for _, ma in rows(page("power.md"), "| what | mA |")]


def test_the_loads_add_up() -> None:
    *each, together = loads()
    assert sum(each) == together
    assert each[0] == Dimming().limit_ma


def test_every_fuse_fits_its_supply_its_load_and_its_wire() -> None:
    table = rows(page("power.md"), "| supply | fuse")
    rest = loads()[-1] - loads()[0]
    for supply, fuse, limit, wire in table:
        supply_a, fuse_a = float(supply.split(", ")[1].split()[0]), float(fuse.split()[0])
        assert fuse_a == max(rating for rating in RATINGS_A if rating * 2.1 <= supply_a)
        most = 1000 * fuse_a * 0.75 - rest
        assert int(limit) == most // 50 * 50
        assert fuse_a * 2.1 <= {"0.5": 3, "0.75": 6}[wire.split()[0]]
    limits = {fuse: int(limit) for _, fuse, limit, _ in table}
    assert limits["1.25 A"] >= Dimming().limit_ma


def test_parts_list_and_diagrams_have_the_supply_and_the_fuse_of_the_bold_line() -> None:
    bold = re.search(r"^\| \*\*(5 V, \S+ A)\*\* \| \*\*(\S+ A)\*\*", page("power.md"), re.MULTILINE)
    assert bold is not None
    supply, fuse = bold.groups()
    parts = page("bill_of_materials.md")
    assert f"| supply {supply}," in parts
    assert f"| fuse {fuse}, time-lag (T)" in parts
    for name in ("wiring_nano_strip", "wiring_pi_strip"):
        said = [text for _, _, text in words(name)]
        assert f"Supply {supply}" in said
        assert f"fuse T {fuse}" in said


def test_what_is_lost_on_the_way_is_the_product_of_its_line() -> None:
    table = rows(page("power.md"), "| where | ohms | A | V |")
    products = [(float(ohms) * float(ampere), float(volts)) for _, ohms, ampere, volts in table if ohms]
    assert len(products) == 4
    assert all(round(product, 2) == volts for product, volts in products)
    assert round(sum(volts for _, volts in products[:3]), 2) == float(table[3][3])


def test_a_diode_keeps_the_strip_from_the_usb_of_the_pi() -> None:
    said = " ".join(text for _, _, text in words("wiring_nano_strip"))
    assert "Schottky 1N5819" in said
    for name in ("wiring_nano_controls", "wiring_nano_dice"):
        assert "5V" not in [text for _, _, text in words(name)], (
            "nothing but the Nano hangs on the Nano's 5 V"
        )


# --- parts -------------------------------------------------------------------------------------------------


def parts() -> list[list[str]]:
    return rows(page("bill_of_materials.md"), "| | about € each |")


@pytest.mark.parametrize("column", [2, 3, 4])
def test_the_prices_add_up(column: int) -> None:
    *each, together = parts()
    total = sum(float(row[1]) * int(row[column] or 0) for row in each)
    assert round(total, 2) == float(together[column])


def test_each_kind_of_table_builds_on_the_smaller_one() -> None:
    counts = [[int(cell or 0) for cell in row[2:]] for row in parts()[:-1]]
    assert all(row == sorted(row) for row in counts)


def test_prices_say_when_they_were_estimated() -> None:
    assert re.search(r"estimate .* in (\w+ 20\d\d)\.", " ".join(page("bill_of_materials.md").split()))


def test_the_parts_list_has_every_button_and_transistor_of_the_diagrams() -> None:
    counted = {row[0]: row[4] for row in parts()}
    named = {name: int(count) for name, count in counted.items() if count.isdigit()}
    clocks = [name for _, name in nano.BUTTONS if "clock" in name]
    (plain,) = [count for name, count in named.items() if name.startswith("push buttons")]
    (plungers,) = [count for name, count in named.items() if name.startswith("clock plungers")]
    (transistors,) = [count for name, count in named.items() if name.startswith("transistors BC337-40")]
    assert (plain, plungers) == (len(nano.BUTTONS) - len(clocks), len(clocks))
    assert transistors == len(nano.DICE) * len(nano.PAIRS) + 1
