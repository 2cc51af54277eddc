"""Somebody with a dice unit of another maker has it used by the set-up page alone."""

import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest

from controller.app.pages import open_pages
from controller.config.config import load_config
from controller.config.sections import DiceAt, WebSection
from tests.app.test_live import Scene
from tests.app.test_room import Staying
from tests.devices.dice_unit import DiceUnit
from tests.devices.radio_dice import Air, GoDiceLanguage, PixelsLanguage, RadioDie
from tests.web.held_line import HeldLine
from tests.web.walk.visitor import DESK, PHONE, Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def test_nothing_is_filled_in_before_the_page_has_heard_what_the_table_uses(
    browser: "Browser", tmp_path: Path
) -> None:
    file = tmp_path / "pointsman.toml"
    file.write_text("[board]\nport = 'none'\n[dice]\nsource = 'text'\nport = '/dev/none'\nbaud = 1200\n")
    with (
        Staying(load_config(file), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}") as visitor,
    ):
        page = visitor.page
        line = HeldLine(page, "/api/v1/setup$")
        visitor.open("/setup#devices")
        line.wait()
        heading = page.locator("summary", has_text=visitor.words("page", "setup", "dice_label"))
        assert not heading.is_visible()
        assert not page.locator("#use-dice").is_visible()
        line.release()
        heading.click()
        assert page.input_value("#unit-baud") == "1200"
        page.fill("#unit-baud", "9600")
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees(visitor.words("program", "dice_kept", file=file))
    assert load_config(file).dice.baud == 9600


@pytest.mark.parametrize("device", [DESK, PHONE], ids=lambda device: device.name)
def test_rate_and_pattern_of_a_dice_unit_are_set_on_the_set_up_page_and_stay(
    browser: "Browser", tmp_path: Path, device: Device
) -> None:
    real, link = tmp_path / "etc" / "pointsman.toml", tmp_path / "pointsman.toml"
    real.parent.mkdir()
    real.write_text(
        "# of this club\n[board]\nport = 'none'\n[dice]\n# the camera, so far\nsource = 'camera'\n"
    )
    link.symlink_to(real)  # as install.sh leaves it
    with (
        DiceUnit(115_200) as unit,
        Staying(load_config(link), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", device) as visitor,
    ):
        page = visitor.page
        visitor.open("/setup#devices")
        visitor.unfold(visitor.words("page", "setup", "dice_label"))
        page.select_option("#rolls-source", "text")
        page.fill("#unit-baud", "115200")
        page.fill("#unit-pattern", "A(?P<first>[1-6]")
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees("A(?P<first>[1-6]")  # the refusal names it, and what was filled in stays
        assert page.input_value("#unit-baud") == "115200"
        page.fill("#unit-pattern", r"A(?P<first>[1-6])B(?P<second>[1-6])")
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees(visitor.words("program", "dice_no_port"))
        page.fill("#unit-port", unit.port)
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees(visitor.words("program", "dice_kept", file=link))
        visitor.sees(visitor.words("dice", "reason", "ready", name=unit.port))
        visitor.look("set-up-dice-unit")
        assert unit.port_rate == 115_200
        visitor.press(visitor.words("page", "setup", "try_dice"))
        visitor.sees(visitor.words("page", "setup", "dice_running"))
        unit.say("A3B1")
        visitor.sees("3-1")
    kept = load_config(link).dice
    assert (kept.source, kept.port, kept.baud) == (DiceAt.TEXT, unit.port, 115_200)
    assert kept.pattern == r"A(?P<first>[1-6])B(?P<second>[1-6])"
    assert link.is_symlink()
    assert "# of this club" in real.read_text()


@pytest.mark.parametrize("device", [DESK, PHONE], ids=lambda device: device.name)
def test_dice_with_bluetooth_are_found_and_given_to_sides_on_the_set_up_page_and_known_again(
    browser: "Browser", tmp_path: Path, device: Device
) -> None:
    file = tmp_path / "pointsman.toml"
    file.write_text("[board]\nport = 'none'\n[dice]\nsource = 'camera'\n")
    rng = Random(1)
    words, others = GoDiceLanguage(rng), PixelsLanguage(rng)
    air = Air(
        {
            "Red": RadioDie("GoDice_RED", "AA:00", words),
            "Blue": RadioDie("GoDice_BLUE", "AA:01", words),
            "Clear": RadioDie("Clear one", "AA:02", others),
            "Stranger": RadioDie("Stranger", "AA:03", others, percent=9),
        }
    )
    with (
        air.on(),
        Staying(load_config(file), Scene(), known=True) as room,
        open_pages(room, WebSection(port=0)) as pages,
        visiting(browser, f"http://localhost:{pages.port}", device) as visitor,
    ):
        page = visitor.page
        visitor.open("/setup#devices")
        visitor.unfold(visitor.words("page", "setup", "dice_label"))
        page.select_option("#rolls-source", "bluetooth")
        visitor.press(visitor.words("page", "setup", "find_dice"))
        for name in ("Red", "Blue", "Clear", "Stranger"):
            until(lambda name=name: air.is_held(name))
        page.locator('#found li[data-die="Stranger"]').wait_for()
        air.say("Red", *words.roll(4))
        page.locator('#found li.rolled[data-die="GoDice_RED"]').wait_for()
        visitor.sees("4")
        visitor.look("set-up-bluetooth-dice")
        page.select_option('#found li[data-die="GoDice_RED"] select', "shared")
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees(visitor.words("program", "dice_no_sets"))
        page.select_option('#found li[data-die="GoDice_BLUE"] select', "shared")
        visitor.press(visitor.words("page", "setup", "use_dice"))
        visitor.sees(visitor.words("program", "dice_kept", file=file))
        visitor.press(visitor.words("page", "setup", "try_dice"))
        visitor.sees(visitor.words("page", "setup", "dice_running"))
        until(lambda: air.is_held("Red") and air.is_held("Blue"))
        assert not air.is_held("Clear")
        air.say("Blue", *words.roll(1))
        air.say("Red", *words.roll(4))
        visitor.sees("4-1")
    kept = load_config(file)
    assert (kept.dice.source, sorted(kept.dice.shared)) == (DiceAt.BLUETOOTH, ["GoDice_BLUE", "GoDice_RED"])
    with air.on(), Staying(kept, Scene(), known=True):
        until(lambda: air.is_held("Red") and air.is_held("Blue"))


def until(come: Callable[[], bool]) -> None:
    ends = time.monotonic() + 120
    while not come():
        assert time.monotonic() < ends
        time.sleep(0.05)
