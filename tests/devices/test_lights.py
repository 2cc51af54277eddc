"""One frame, shown by every backend."""

import itertools
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.lights.backends import (
    FirmwareLights,
    Lights,
    ShiftLights,
    SpiDevice,
    StripError,
    StripLights,
)
from controller.devices.lights.encoding import spi_bytes
from controller.devices.lights.frame import PLACES, LightFrame, Place, Signal
from controller.devices.lights.order import ColourOrder, StripOrder, StripOrderError
from controller.devices.lights.palette import LETTERS, PALETTE, BrightnessError, Dimming
from controller.devices.lights.render import render, render_white
from controller.devices.link.link import Link
from controller.devices.link.messages import LampPicture, Style, lights
from controller.devices.link.status import LinkState
from controller.devices.pins import (
    PinLibrary,
    PinsError,
    board_model,
    library_for,
    pin_factory,
)
from tests.devices.lamps import SHEET, shown, signal
from tests.firmware.board import Board, patient

__all__ = ["patient"]


def strip_order(places: Sequence[Place]) -> StripOrder:
    """The order of a strip that runs through these places."""
    return StripOrder({place: lamp for lamp, place in enumerate(places)})


frames = st.lists(st.sampled_from(list(Signal)), min_size=29, max_size=29).map(
    lambda signals: LightFrame(
        tuple(signals[:24]), (signals[24], signals[25]), (signals[26], signals[27]), signals[28]
    )
)
orders = st.permutations(PLACES).map(strip_order)


def test_every_place_can_be_lit_and_the_others_stay_as_they_are() -> None:
    for place in PLACES:
        frame = LightFrame().lit(Signal.WRONG, [place])
        assert frame[place] is Signal.WRONG
        assert [p for p in PLACES if frame[p] is not Signal.DARK] == [place]


def test_places_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="25"):
        LightFrame().lit(Signal.WRONG, [25])
    with pytest.raises(ValueError, match="23 points"):
        LightFrame((Signal.DARK,) * 23)


@given(frames, orders)
def test_any_frame_fits_any_strip_and_the_wire(frame: LightFrame, order: StripOrder) -> None:
    picture = order.picture(frame, 100)
    assert len(lights(1, picture)) <= 128
    for place, lamp in order.lamps.items():
        style, _ = picture.lamps[lamp]
        if frame[place] is Signal.DARK:
            assert style == 0
        else:
            assert picture.styles[style - 1] == PALETTE[frame[place]]


def simulated(rgb: tuple[int, int, int], blindness: list[list[float]]) -> tuple[float, ...]:
    linear = [(c / 255) ** 2.2 for c in rgb]
    return tuple(sum(m * c for m, c in zip(row, linear, strict=True)) for row in blindness)


# Viénot, Brettel and Mollon, "Digital video colourmaps for checking the legibility of displays by dichromats" (1999),
# in linear RGB: protanopia and deuteranopia.
PROTANOPIA = [[0.11238, 0.88762, 0.0], [0.11238, 0.88762, 0.0], [0.00401, -0.00401, 1.0]]
DEUTERANOPIA = [[0.29275, 0.70725, 0.0], [0.29275, 0.70725, 0.0], [-0.02234, 0.02234, 1.0]]
SIGHTED = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


@pytest.mark.parametrize("eyes", [SIGHTED, PROTANOPIA, DEUTERANOPIA], ids=["all", "protan", "deutan"])
def test_signals_differ_by_rhythm_or_clearly_by_colour(eyes: list[list[float]]) -> None:
    for (_, one), (_, other) in itertools.combinations(PALETTE.items(), 2):
        if (one.effect, one.period) != (other.effect, other.period):
            continue
        a, b = (simulated((style.red, style.green, style.blue), eyes) for style in (one, other))
        assert sum(abs(x - y) for x, y in zip(a, b, strict=True)) > 0.25


def test_no_two_signals_share_colour_and_rhythm() -> None:
    assert set(PALETTE) == set(Signal) - {Signal.DARK}
    assert len(set(PALETTE.values())) == len(PALETTE)


def test_a_lamp_given_to_two_places_is_named_with_both() -> None:
    with pytest.raises(StripOrderError, match="lamp 4 to both point 7 and bar-dark"):
        StripOrder({7: 4, "bar-dark": 4})


@pytest.mark.parametrize("lamp", [-1, 40, True, 1.5])
def test_lamps_that_the_strip_cannot_have_are_refused(lamp: int) -> None:
    with pytest.raises(StripOrderError, match="lamps are counted"):
        StripOrder({7: lamp})


@pytest.mark.parametrize("place", [0, 25, "bar", "tray-red"])
def test_places_of_no_board_are_refused_in_an_order(place: Place) -> None:
    with pytest.raises(StripOrderError, match="the places are"):
        StripOrder({place: 1})


def test_night_is_darker_than_day_and_neither_goes_out_by_rounding() -> None:
    dimming = Dimming(brightness=0.6, night=0.001)
    assert dimming.level(at_night=False) == 153
    assert dimming.level(at_night=True) == 1
    assert Dimming(night=0).level(at_night=True) == 0


@pytest.mark.parametrize("wrong", [{"brightness": 1.1}, {"night": -0.1}, {"limit_ma": 5000}])
def test_brightness_out_of_range_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(BrightnessError, match="give"):
        Dimming(**wrong)  # type: ignore[arg-type]


@given(st.integers(0, 2**32 - 1), st.integers(100, 2500))
def test_no_picture_draws_more_than_its_limit(now_ms: int, limit_ma: int) -> None:
    picture = LampPicture((Style(255, 255, 255),), ((1, 0),) * 40)
    total = sum(sum(colour) for colour in render(picture, now_ms, limit_ma=limit_ma))
    assert total * 20 / 255 <= limit_ma
    assert total * 20 / 255 > limit_ma * 0.9 or limit_ma > 2300


def brightest(data: bytes) -> int:
    lamps = shown(signal(data), SHEET)
    assert lamps is not None
    return max(map(max, lamps))


def test_a_strip_is_written_only_when_something_changes_and_ends_dark() -> None:
    written: list[bytes] = []
    order = StripOrder.as_delivered()
    strip = StripLights(written.append, order, Dimming(), lambda: None)
    strip.tick(0.0)
    strip.show(LightFrame().lit(Signal.MOVABLE, [1]))
    for n in range(20):
        strip.tick(n / 20)
    assert len(written) == 2
    strip.night(True)
    strip.tick(1.0)
    assert brightest(written[-1]) < brightest(written[-2])
    strip.show(LightFrame().lit(Signal.WRONG, [1]))
    for n in range(40):
        strip.tick(2 + n / 20)
    assert 8 <= len(written) <= 16
    strip.close()
    assert brightest(written[-1]) == 0


def test_a_strip_that_takes_no_bytes_is_said_and_tried_again() -> None:
    trouble: list[OSError] = [OSError(5, "Input/output error")]

    def write(_: bytes) -> None:
        if trouble:
            raise trouble[0]

    strip = StripLights(write, StripOrder.as_delivered(), Dimming(), lambda: None)
    strip.tick(0.0)
    assert strip.broken is not None
    assert "Input/output error" in strip.broken
    trouble.clear()
    strip.tick(0.1)
    assert strip.broken is None


def test_an_spi_device_that_is_not_there_says_how_to_switch_it_on(tmp_path: Path) -> None:
    with pytest.raises(StripError, match="raspi-config"):
        SpiDevice(str(tmp_path / "spidev0.0"))
    (tmp_path / "plain").touch()
    with pytest.raises(StripError, match="no SPI device"):
        SpiDevice(str(tmp_path / "plain"))


class Registers:
    """A chain of 74HC595 at mock pins, by their data sheet: shift on the clock's rise, take over on the latch's."""

    def __init__(self, factory: object, *, data: int, clock: int, latch: int) -> None:
        self.chain: list[bool] = [False] * 32
        self.outputs: tuple[bool, ...] = tuple(self.chain)
        pins = {name: factory.pin(pin) for name, pin in (("d", data), ("c", clock), ("l", latch))}  # type: ignore[attr-defined]
        for name, act in (("c", self._shift), ("l", self._take)):
            pin = pins[name]
            change = pin._change_state

            def changed(value: bool, pin: object = pin, change: object = change, act: object = act) -> bool:
                before = pin.state  # type: ignore[attr-defined]
                result: bool = change(value)  # type: ignore[operator]
                if value and not before:
                    act()  # type: ignore[operator]
                return result

            pin._change_state = changed
        self._data = pins["d"]

    def _shift(self) -> None:
        self.chain = [bool(self._data.state), *self.chain[:-1]]

    def _take(self) -> None:
        self.outputs = tuple(self.chain)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_shift_registers_light_the_right_leds_in_the_rhythm_of_the_signal() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    registers = Registers(factory, data=10, clock=11, latch=8)
    order = StripOrder.as_delivered()
    leds = ShiftLights(factory, order, data=10, clock=11, latch=8, enable=7)
    leds.show(LightFrame().lit(Signal.PLAYED, [3, 24, "status"]))
    leds.tick(0.0)
    lit = [n for n, on in enumerate(registers.outputs) if on]
    assert lit == [3, 26, 28]
    leds.show(LightFrame().lit(Signal.WRONG, [1]))
    rhythm = []
    for n in range(40):
        leds.tick(n / 100)
        rhythm.append(registers.outputs[1])
    assert rhythm == [True] * 20 + [False] * 20
    leds.close()
    assert not any(registers.outputs)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_registers_are_enabled_only_between_the_first_picture_and_the_end() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    registers = Registers(factory, data=10, clock=11, latch=8)
    registers.outputs = registers.chain = [True] * 32  # type: ignore[assignment]
    enable = factory.pin(7)
    seen: list[tuple[bool, bool]] = []
    change = enable._change_state

    def changed(high: bool) -> bool:
        seen.append((high, any(registers.outputs)))
        result: bool = change(high)
        return result

    enable._change_state = changed
    leds = ShiftLights(factory, StripOrder.as_delivered(), data=10, clock=11, latch=8, enable=7)
    assert (False, True) not in seen
    assert enable.state == 0
    leds.show(LightFrame().lit(Signal.PLAYED, [3]))
    leds.tick(0.0)
    leds.close()
    assert not any(lit for high, lit in seen[1:])
    assert seen[-1][0] or enable.function == "input"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_leds_at_a_bad_pin_leave_the_other_pins_free() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    with pytest.raises(PinsError, match="99"):
        ShiftLights(factory, StripOrder.as_delivered(), data=10, clock=11, latch=99, enable=7)
    ShiftLights(factory, StripOrder.as_delivered(), data=10, clock=11, latch=8, enable=7).close()


def test_every_signal_has_a_letter_of_its_own() -> None:
    assert len(set(LETTERS.values())) == len(Signal)


@pytest.mark.usefixtures("patient")
def test_the_firmware_shows_the_frame_and_goes_dark_at_the_end(tmp_path: Path) -> None:
    with Board(tmp_path) as board, Link(board.port, host_session=5, deliver=lambda _: None) as link:
        order = StripOrder.as_delivered()
        point = order.lamps[2]
        shown = FirmwareLights(link, order, Dimming(brightness=1))
        shown.show(LightFrame().lit(Signal.MOVABLE, [2]))

        def leds() -> list[str]:
            text = board.do("leds")
            return [text[at : at + 6] for at in range(0, len(text), 6)]

        while leds() != ["b456e9" if lamp == point else "000000" for lamp in range(len(PLACES))]:
            time.sleep(0.005)
        shown.night(True)
        while leds()[point] in ("b456e9", "000000"):
            time.sleep(0.005)
        shown.close()
        while set(leds()) != {"000000"}:
            time.sleep(0.005)
        assert link.status.state == LinkState.READY


def test_no_lights_have_the_seam_and_do_nothing() -> None:
    none = Lights()
    none.show(LightFrame())
    none.night(True)
    none.tick(1.0)
    none.close()


def test_the_pin_library_follows_the_model() -> None:
    assert library_for("Raspberry Pi 5 Model B Rev 1.0", has_lgpio=False) is PinLibrary.LGPIO
    assert library_for("Raspberry Pi 4 Model B Rev 1.4", has_lgpio=False) is PinLibrary.RPI_GPIO
    assert library_for("Raspberry Pi 4 Model B Rev 1.4", has_lgpio=True) is PinLibrary.LGPIO
    with pytest.raises(PinsError, match="not a Raspberry Pi"):
        library_for(None, has_lgpio=True)


def test_the_model_is_read_where_linux_keeps_it(tmp_path: Path) -> None:
    file = tmp_path / "model"
    file.write_bytes(b"Raspberry Pi 5 Model B Rev 1.0\0")
    assert board_model(file) == "Raspberry Pi 5 Model B Rev 1.0"
    file.write_bytes(b"Some other board\0")
    assert board_model(file) is None
    assert board_model(tmp_path / "none") is None


@pytest.mark.parametrize("library", [PinLibrary.LGPIO, PinLibrary.RPI_GPIO])
def test_a_pin_library_that_cannot_work_here_says_what_to_install(library: PinLibrary) -> None:
    with pytest.raises(PinsError, match="make pins"):
        pin_factory(library)


@pytest.mark.parametrize(
    ("colours", "sent"),
    [
        (ColourOrder.GRB, (1, 2, 3)),
        (ColourOrder.RGB, (2, 1, 3)),
        (ColourOrder.GRBW, (1, 2, 3)),
        (ColourOrder.RGBW, (2, 1, 3)),
    ],
)
def test_lamps_that_take_red_first_get_red_where_others_get_green(
    colours: ColourOrder, sent: tuple[int, int, int]
) -> None:
    style = colours.arranged(Style(1, 2, 3))
    assert (style.red, style.green, style.blue) == sent


def test_a_strip_at_the_pi_whose_lamps_have_a_white_led_gets_four_bytes_for_each() -> None:
    sent: list[bytes] = []
    order = StripOrder({1: 0, "status": 1}, ColourOrder.RGBW)
    lights = StripLights(sent.append, order, Dimming(brightness=1.0), lambda: None)
    lights.show(LightFrame().lit(Signal.WRONG, (1,)))
    lights.tick(0.0)
    style = PALETTE[Signal.WRONG]
    (lit, dark) = render_white(order.picture(lights.frame, 255), 0, limit_ma=500, lamps=2)
    assert lit[3] == min(style.red, style.green, style.blue)
    assert sent[-1] == spi_bytes((lit, dark))
    assert dark == (0, 0, 0, 0)
    lights.close()
    assert sent[-1] == spi_bytes(((0, 0, 0, 0),) * 2)


def test_the_colours_of_a_strip_are_arranged_and_its_order_stays() -> None:
    frame = LightFrame().lit(Signal.WRONG, (1,))
    usual = StripOrder.as_delivered()
    green_first, red_first = usual.picture(frame), replace(usual, colours=ColourOrder.RGB).picture(frame)
    assert red_first.lamps == green_first.lamps
    (one,), (other,) = green_first.styles, red_first.styles
    assert (one.red, one.green, one.blue) == (other.green, other.red, other.blue)
    assert one.red != one.green
