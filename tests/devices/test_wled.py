"""Lights on a WLED, against a simulated one: packets, pixels, and a WLED that goes away and comes back."""

import socket
import time
from collections.abc import Callable, Iterator

import pytest
from zeroconf import ServiceInfo, Zeroconf

from controller.devices.lights.ddp import MOST_BYTES, ddp_packets
from controller.devices.lights.frame import PLACES, LightFrame, Signal
from controller.devices.lights.order import StripOrderError
from controller.devices.lights.palette import Dimming
from controller.devices.lights.pixels import PixelMap
from controller.devices.lights.wled import (
    ASK_S,
    BETWEEN_S,
    MISSES,
    SERVICE,
    FoundWled,
    NoWledError,
    WledLights,
    ask_wled,
    find_wleds,
)
from controller.devices.lights.wled_status import WledCode, WledStatus
from tests.devices.cameras import until
from tests.devices.simulated_wled import SimulatedWled

TOLD_S = 2.0
"""Within this a WLED that is gone is told."""


@pytest.fixture
def wled() -> Iterator[SimulatedWled]:
    wled = SimulatedWled(60)
    yield wled
    wled.power_off()


class Table:
    """Lights that are ticked as a table does, and what was told of them."""

    def __init__(
        self, address: str, pixels: PixelMap | None = None, found: tuple[FoundWled, ...] = ()
    ) -> None:
        self.told: list[WledStatus] = []
        self.lights = WledLights(
            address, pixels or PixelMap.along(2), Dimming(), self.told.append, lambda: found
        )

    def __enter__(self) -> "Table":
        return self

    def __exit__(self, *_: object) -> None:
        self.lights.close()

    def until(self, come: Callable[[], bool]) -> float:
        """Tick until it has come; the seconds that it took."""
        began = time.monotonic()
        while not come():
            assert time.monotonic() - began < 60, self.told
            self.lights.tick(time.monotonic())
            time.sleep(0.02)
        return time.monotonic() - began

    def until_code(self, code: WledCode) -> float:
        return self.until(lambda: bool(self.told) and self.told[-1].code is code)


def test_a_picture_is_the_header_of_the_protocol_and_the_colours_in_order() -> None:
    (packet,) = ddp_packets([(1, 2, 3), (4, 5, 6)], 7)
    assert packet == bytes.fromhex("41 07 0b 01 00000000 0006 01 02 03 04 05 06")


def test_a_long_strip_takes_several_packets_and_only_the_last_one_shows_them() -> None:
    packets = list(ddp_packets([(9, 9, 9)] * 500, 1))
    assert [len(packet) - 10 for packet in packets] == [MOST_BYTES, 60]
    assert [packet[0] for packet in packets] == [0x40, 0x41]
    assert int.from_bytes(packets[1][4:8], "big") == MOST_BYTES


def test_several_pixels_under_a_point_show_what_it_shows(wled: SimulatedWled) -> None:
    with Table(wled.address) as table:
        table.until_code(WledCode.READY)
        table.lights.show(LightFrame().lit(Signal.PLAYED, (1,)))
        # Once around the board: light's tray first, then point 1.
        table.until(lambda: any(map(any, wled.shown)))
        table.until(lambda: any(wled.shown[2]))
        assert wled.shown[2] == wled.shown[3]
        assert not any(map(any, (*wled.shown[:2], *wled.shown[4:])))
    assert table.told[-1].arguments == {"title": "WLED", "version": "0.15.0", "pixels": "60"}
    until(lambda: not any(map(any, wled.shown)))


def test_the_limit_of_current_holds_for_any_number_of_pixels(wled: SimulatedWled) -> None:
    with Table(wled.address) as table:
        table.until_code(WledCode.READY)
        table.lights.show(LightFrame().lit(Signal.PLAYED, PLACES))
        table.until(lambda: sum(map(any, wled.shown)) == 2 * len(PLACES))
        milliamperes = sum(map(sum, wled.shown)) * 20 / 255
        assert 0 < milliamperes <= Dimming().limit_ma


def test_one_that_goes_away_and_comes_back_is_told_and_shows_the_picture_again(wled: SimulatedWled) -> None:
    with Table(wled.address) as table:
        table.until_code(WledCode.READY)
        table.lights.show(LightFrame().lit(Signal.PLAYED, (24,)))
        table.until(lambda: any(map(any, wled.shown)))
        wled.power_off()
        table.until_code(WledCode.AWAY)
        wled.power_on()
        table.until_code(WledCode.READY)
        table.until(lambda: any(map(any, wled.shown)))


def test_a_loss_is_told_in_time_even_if_no_question_is_refused() -> None:
    assert MISSES * (BETWEEN_S + ASK_S) < TOLD_S


def test_a_single_answer_that_is_lost_is_told_to_nobody(wled: SimulatedWled) -> None:
    with Table(wled.address) as table:
        table.until_code(WledCode.READY)
        table.lights._watch._miss(WledStatus(WledCode.AWAY, wled.address))
        time.sleep(1.5)
        assert [each.code for each in table.told] == [WledCode.SEEKING, WledCode.READY]


def test_one_with_too_few_pixels_shows_what_it_can_and_says_so(wled: SimulatedWled) -> None:
    with Table(wled.address, PixelMap.along(3)) as table:
        table.until_code(WledCode.SHORT)
        assert table.told[-1].arguments == {"pixels": "60", "needed": str(3 * len(PLACES))}
        table.lights.show(LightFrame().lit(Signal.PLAYED, (1,)))
        table.until(lambda: any(wled.shown[3]))


def test_the_only_one_in_the_network_is_taken_and_of_several_none(wled: SimulatedWled) -> None:
    one, other = FoundWled("WLED", wled.address), FoundWled("Kitchen", "127.77.0.9")
    with Table("auto", found=(one,)) as table:
        table.until_code(WledCode.READY)
    with Table("auto", found=(one, other)) as table:
        table.until_code(WledCode.MANY)
        assert "Kitchen (127.77.0.9)" in table.told[-1].arguments["found"]
    with Table("auto") as table:
        table.until_code(WledCode.NONE)


def test_what_is_no_wled_is_told(wled: SimulatedWled, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimulatedWled, "info", lambda _: {"name": "printer"})
    with pytest.raises(NoWledError):
        ask_wled(wled.address)
    with Table(wled.address) as table:
        table.until_code(WledCode.STRANGE)


@pytest.mark.parametrize("address", ["lamps of mine", "lamps..home", "lamps:pages", "[::1"])
def test_an_address_that_nothing_can_have_is_told(address: str) -> None:
    with Table(address) as table:
        table.until_code(WledCode.STRANGE)


@pytest.mark.parametrize(
    "answer",
    [
        b"220 printer ready\r\n",
        b"HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
        b'HTTP/1.0 200 OK\r\n\r\n{"name": "lamps", "ver": "1", "leds": {"count": 1e999}}',
        b"HTTP/1.0 200 OK\r\n\r\n" + b"[" * 60_000,
    ],
)
def test_what_answers_otherwise_than_a_page_is_no_wled_and_is_asked_again(answer: bytes) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        Table(f"127.0.0.1:{server.getsockname()[1]}") as table,
    ):
        server.settimeout(60)
        for _ in range(4):
            line, _ = server.accept()
            with line:
                line.recv(1000)
                line.sendall(answer)
        table.until_code(WledCode.STRANGE)


def test_an_address_out_of_a_browser_is_taken(wled: SimulatedWled) -> None:
    with Table(f"http://{wled.address}/") as table:
        table.until_code(WledCode.READY)


def test_a_pixel_can_be_lit_alone_to_be_looked_for(wled: SimulatedWled) -> None:
    with Table(wled.address) as table:
        table.until_code(WledCode.READY)
        assert table.lights.lamps == 60
        table.lights.shine(59)
        table.until(lambda: [at for at, each in enumerate(wled.shown) if any(each)] == [59])
        table.lights.shine(None)
        table.until(lambda: not any(map(any, wled.shown)))


def test_a_map_of_pixels_comes_back_from_a_board_file() -> None:
    pixels = PixelMap({1: (0, 1, 2), "bar-light": (7,), 24: (5, 3)})
    assert pixels.table() == {"point-1": [0, 1, 2], "point-24": [5, 3], "bar-light": 7}
    assert PixelMap.of_table(pixels.table(), "board.toml") == pixels
    for table, why in (
        ({"point-25": 1}, "is no place"),
        ({"point-1": -1}, "pixel -1"),
        ({"point-1": 4, "point-2": [3, 4]}, "which lights.point-1 has already"),
    ):
        with pytest.raises(StripOrderError, match=why):
            PixelMap.of_table(table, "board.toml")


def test_wleds_that_tell_the_network_are_found_with_their_address() -> None:
    info = ServiceInfo(
        SERVICE,
        f"Lamps of the club.{SERVICE}",
        port=8081,
        addresses=[socket.inet_aton("127.0.0.1")],
        server="l.local.",
    )
    with Zeroconf(interfaces=["127.0.0.1"]) as network:
        network.register_service(info)
        found: set[FoundWled] = set()
        end = time.monotonic() + 60
        while time.monotonic() < end and not found:
            found = {each for each in find_wleds(["127.0.0.1"], 1.0) if each.title == "Lamps of the club"}
        network.unregister_service(info)
    assert found == {FoundWled("Lamps of the club", "127.0.0.1:8081")}
