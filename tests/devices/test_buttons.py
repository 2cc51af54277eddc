"""Presses from every source, once each and dated."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.buttons import (
    ButtonsError,
    ContactChange,
    Debounce,
    PinButtons,
    Press,
)
from controller.devices.link.happenings import Button
from controller.devices.pins import PinLibrary, PinsError, pin_factory

PINS = {Button.ROLL: 5, Button.CLOCK_LIGHT: 6, Button.CLOCK_DARK: 13}


def test_a_bouncing_contact_is_one_press_dated_to_when_it_came_to_rest() -> None:
    contact = Debounce(quiet_s=0.008)
    for n in range(10):
        assert contact.edge(n % 2 == 0, 1 + n / 1000) == []
    contact.edge(True, 1.010)
    assert contact.settle(1.017) == []
    assert contact.settle(1.018) == [ContactChange(True, 1.010)]
    assert contact.settle(2.0) == []


def test_edges_that_are_handed_over_late_are_told_apart_all_the_same() -> None:
    contact = Debounce(quiet_s=0.008)
    changes = []
    for down, at_s in ((True, 1.0), (False, 1.1), (True, 1.2), (False, 1.202), (True, 1.203)):
        changes += contact.edge(down, at_s)
    changes += contact.settle(5.0)
    assert changes == [ContactChange(True, 1.0), ContactChange(False, 1.1), ContactChange(True, 1.203)]


def test_a_glitch_is_nothing() -> None:
    contact = Debounce(quiet_s=0.008)
    contact.edge(True, 1.0)
    contact.edge(False, 1.005)
    assert contact.settle(2.0) == []


def test_a_contact_that_is_closed_at_the_start_is_no_press() -> None:
    contact = Debounce(down=True)
    assert contact.settle(1.0) == []
    contact.edge(False, 2.0)
    assert contact.settle(3.0) == [ContactChange(False, 2.0)]


@given(st.lists(st.tuples(st.booleans(), st.floats(0.0001, 0.05)), max_size=60))
def test_presses_and_releases_take_turns_and_never_lie_closer_than_the_quiet_time(
    edges: list[tuple[bool, float]],
) -> None:
    contact, now = Debounce(quiet_s=0.008), 0.0
    changes: list[ContactChange] = []
    for down, gap in edges:
        now += gap
        changes += contact.edge(down, now)
    changes += contact.settle(now + 1)
    assert [change.down for change in changes] == [n % 2 == 0 for n in range(len(changes))]
    times = [change.at_s for change in changes]
    assert all(b - a >= 0.008 for a, b in pairwise(times))


class Table:
    """Buttons at mock pins, with a clock that a test sets."""

    def __init__(self) -> None:
        self.now = 100.0
        self.factory = pin_factory(PinLibrary.MOCK)
        self.buttons = PinButtons(self.factory, PINS, lambda: self.now)

    def contact(self, button: Button, closed: bool) -> None:
        pin = self.factory.pin(PINS[button])
        (pin.drive_low if closed else pin.drive_high)()


def test_buttons_at_pins_are_debounced_here_because_the_library_may_not() -> None:
    table = Table()
    for closed in (True, False, True, False, True):
        table.contact(Button.ROLL, closed)
        table.now += 0.001
    assert table.buttons.poll(table.now) == []
    table.now += 0.02
    assert table.buttons.poll(table.now) == [Press(Button.ROLL, True, pytest.approx(100.004))]
    table.contact(Button.ROLL, False)
    table.now += 0.02
    (release,) = table.buttons.poll(table.now)
    assert (release.button, release.down) == (Button.ROLL, False)
    table.buttons.close()


def test_both_plungers_are_told_in_the_order_they_were_hit() -> None:
    table = Table()
    table.contact(Button.CLOCK_DARK, True)
    table.now += 0.003
    table.contact(Button.CLOCK_LIGHT, True)
    table.now += 0.1
    assert [press.button for press in table.buttons.poll(table.now)] == [
        Button.CLOCK_DARK,
        Button.CLOCK_LIGHT,
    ]
    table.buttons.close()


def test_two_buttons_on_one_pin_are_named() -> None:
    with pytest.raises(ButtonsError, match="roll and done are both on pin 5"):
        PinButtons(pin_factory(PinLibrary.MOCK), {Button.ROLL: 5, Button.DONE: 5}, lambda: 0.0)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_after_one_bad_pin_the_other_pins_can_be_opened_again() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    with pytest.raises(PinsError, match="99"):
        PinButtons(factory, {**PINS, Button.DONE: 99}, lambda: 0.0)
    PinButtons(factory, PINS, lambda: 0.0).close()
    PinButtons(factory, PINS, lambda: 0.0).close()
