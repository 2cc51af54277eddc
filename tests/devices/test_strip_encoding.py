"""What lamps make of the bytes that an SPI line clocks out, at its rate and at others."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.lights.encoding import MOST_BYTES, SPI_HZ, spi_bytes
from controller.devices.link.messages import MAX_LAMPS
from tests.devices.lamps import MEASURED, SHEET, Colours, Level, Sheet, merged, shown, signal

a_picture = st.lists(st.tuples(*[st.integers(0, 255)] * 3), max_size=MAX_LAMPS)
on_time = pytest.mark.parametrize("rate", [1.0, 1.04])


@on_time
@given(a_picture)
def test_lamps_show_the_colours_at_the_rate_and_a_little_above(rate: float, colours: Colours) -> None:
    levels = signal(spi_bytes(tuple(colours)), rate)
    assert shown(levels, SHEET) == colours
    assert shown(levels, MEASURED) == colours


@given(a_picture, st.floats(0.625, 1.04))
def test_lamps_show_the_colours_down_to_the_rate_of_an_idle_pi_3(colours: Colours, rate: float) -> None:
    assert shown(signal(spi_bytes(tuple(colours)), rate), MEASURED) == colours


@given(a_picture.filter(bool))
def test_at_the_rate_of_an_idle_pi_4_nobody_can_tell_a_zero_from_a_one(colours: Colours) -> None:
    levels = signal(spi_bytes(tuple(colours)), 0.4)
    pulses = {sheet: {sheet.bit(ns) for high, ns in levels if high} for sheet in (SHEET, MEASURED)}
    assert 0 not in pulses[SHEET] | pulses[MEASURED]
    assert shown(levels, MEASURED) != colours or all(colour == (255, 255, 255) for colour in colours)


def test_no_length_of_a_zero_suits_the_sheet_both_at_the_full_rate_and_at_40_percent() -> None:
    at_least_ns, at_most_ns = SHEET.zero_ns
    assert at_most_ns * 0.4 < at_least_ns


@given(a_picture, st.floats(1, 10_000_000), st.booleans())
def test_a_pulse_before_the_picture_changes_nothing(colours: Colours, ns: float, rests_high: bool) -> None:
    before: list[Level] = [(True, ns)] if rests_high else [(True, 500), (False, ns)]
    data = signal(spi_bytes(tuple(colours)))
    assert shown(merged([*before, *data]), Sheet((0, 500), (500, 1e9))) == colours


@given(a_picture, st.floats(0, 80))
def test_pauses_between_bytes_change_nothing(colours: Colours, pause_ns: float) -> None:
    assert shown(signal(spi_bytes(tuple(colours)), 1.0, pause_ns), SHEET) == colours


def test_the_longest_picture_goes_out_in_one_piece() -> None:
    assert len(spi_bytes(((255, 255, 255, 255),) * MAX_LAMPS)) <= MOST_BYTES == 4096


@pytest.mark.parametrize("source_hz", [500e6, 400e6, 250e6, 200e6])
def test_every_pi_divides_its_clock_to_exactly_this_rate(source_hz: float) -> None:
    # Pi 4: 500 MHz; Pi 3: 400, or 250 where core_freq=250; Pi 5: 200, of the RP1. Divisors are even.
    assert source_hz / SPI_HZ % 2 == 0
