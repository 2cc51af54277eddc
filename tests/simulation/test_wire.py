"""The conversation with a simulated chip in virtual time."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.devices.lights.frame import LightFrame, Signal
from controller.devices.lights.order import StripOrder
from controller.devices.link.happenings import BoardEvent, Button, ButtonChanged, DiceRolled, What
from controller.devices.link.messages import DiceMode
from controller.simulation.electronics.chip import Chip
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.probe import Probe
from controller.simulation.electronics.twin import Twin
from controller.simulation.electronics.twin_parts import LEDS
from controller.simulation.electronics.wire import Wire


@pytest.fixture(params=[Chip, Twin], ids=["firmware", "twin"])
def chip(request: pytest.FixtureRequest) -> Microcontroller:
    made: Microcontroller = request.param(noise_seed=7)
    return made


def wired(chip: Microcontroller) -> tuple[Wire, list[BoardEvent]]:
    told: list[BoardEvent] = []
    wire = Wire(chip, host_session=1, deliver=told.append)
    wire.arm_dice(DiceMode.OFF)
    wire.run_until(1.0)
    return wire, told


def whats(told: list[BoardEvent]) -> list[What]:
    return [event.what for event in told]


def test_a_press_is_told_with_its_time(chip: Microcontroller) -> None:
    with chip:
        wire, told = wired(chip)
        wire.press(Button.TAKE, 1.2345)
        wire.run_until(2.0)
        assert whats(told) == [ButtonChanged(Button.TAKE, True), ButtonChanged(Button.TAKE, False)]
        assert told[0].at_s == pytest.approx(1.2345, abs=0.02)


def test_dice_are_thrown_only_when_they_are_armed_and_show_what_is_told(chip: Microcontroller) -> None:
    with chip:
        wire, told = wired(chip)
        wire.press(Button.ROLL, 1.1)
        wire.run_until(3.0)
        assert not any(isinstance(what, DiceRolled) for what in whats(told))
        wire.arm_dice(DiceMode.ONCE)
        wire.press(Button.ROLL, 3.5)
        wire.press(Button.ROLL, 5.0)
        wire.run_until(7.0)
        (rolled,) = [what for what in whats(told) if isinstance(what, DiceRolled)]
        assert tuple(LEDS.index(group) for group in chip.dice) == rolled.dice


def test_what_happened_while_the_cable_was_off_is_told_when_it_is_back(chip: Microcontroller) -> None:
    with chip:
        wire, told = wired(chip)
        wire.pull()
        wire.press(Button.DROP, 2.0)
        wire.run_until(3.0)
        assert told == []
        wire.plug()
        wire.run_until(5.0)
        assert whats(told)[0] == ButtonChanged(Button.DROP, True)
        assert told[0].at_s == pytest.approx(2.0, abs=0.05)


@pytest.mark.parametrize("signal", [signal for signal in Signal if signal is not Signal.DARK])
def test_every_signal_is_told_by_its_hue_on_the_strip(chip: Microcontroller, signal: Signal) -> None:
    order = StripOrder.as_delivered()
    frame = LightFrame().lit(signal, [1, 13, "bar-dark", "tray-light"])
    probe = Probe(order)
    with chip:
        wire, _ = wired(chip)
        wire.show(order.picture(frame, 128))
        for step in range(30):
            wire.run_until(1.5 + 0.1 * step)
            probe.sample(chip.strip, chip.now)
        assert probe.frame == frame
        wire.show(order.picture(LightFrame(), 128))
        for step in range(30):
            wire.run_until(5.0 + 0.1 * step)
            probe.sample(chip.strip, chip.now)
        assert probe.frame == LightFrame()


@given(moments=st.lists(st.floats(1.0, 3.0), min_size=1, max_size=6))
@settings(max_examples=15)
def test_time_always_goes_on_whenever_a_button_is_pressed(moments: list[float]) -> None:
    with Chip(noise_seed=3) as firmware:
        wire, _ = wired(firmware)
        for moment in moments:
            wire.press(Button.PAUSE, moment + 1e-9)
        wire.run_until(4.0)
        assert firmware.now >= 4.0 - 1e-5
