"""The page, the host and the chip agree to the byte."""

import re

from controller.devices.link import messages
from controller.devices.link.framing import FrameParser, crc16, frame
from controller.devices.link.happenings import Button, ButtonChanged, DiceRolled, what_of
from controller.devices.link.link import GREETING_S, SILENCE_S, STUCK_S
from controller.devices.link.messages import (
    BoardSettings,
    DiceMode,
    Effect,
    LampPicture,
    ResetCause,
    Style,
    Type,
)
from controller.devices.link.session import HELLO_RETRY_S, PING_S, RETRY_S
from tests.firmware.making import Make
from tests.firmware.page import examples, text
from tests.rows import each_row

NAMES = sorted(examples())


def test_the_page_has_an_example_of_every_message() -> None:
    shown = {payload[0] for payload, _ in examples().values()}
    assert shown == set(Type)


@each_row("name", NAMES)
def test_payloads_go_over_the_wire_as_the_page_shows(name: str) -> None:
    payload, wire = examples()[name]
    assert frame(payload) == wire
    assert FrameParser().feed(wire) == [payload]


def test_the_check_value_is_the_one_on_the_page() -> None:
    assert crc16(b"123456789") == 0x29B1
    assert "0x29B1" in text()


def test_requests_are_built_as_the_page_shows() -> None:
    styles = (Style(0, 158, 115), Style(213, 94, 0, Effect.BLINK, 50))
    built = {
        "hello": messages.hello(0xC0FFEE),
        "ping": messages.ping(7),
        "lights": messages.lights(
            258,
            LampPicture((Style(0, 158, 115, Effect.STEADY, 1), styles[1]), ((1, 0), (0, 0), (2, 0)), 128),
        ),
        "buzz": messages.buzz(9, [(50, 10), (0, 5)]),
        "dice": messages.dice(1, DiceMode.ONCE),
        "settings_read": messages.settings(),
        "settings_write": messages.settings(BoardSettings()),
        "restart": messages.restart(),
        "event_ack": messages.event_ack(2, 2),
    }
    assert {name: payload.hex(" ") for name, payload in built.items()} == {
        name: examples()[name][0].hex(" ") for name in built
    }


def test_answers_are_understood_as_the_page_shows() -> None:
    def parsed(name: str) -> messages.ChipAnswer | None:
        return messages.parse(examples()[name][0])

    hello = parsed("hello_ok")
    assert isinstance(hello, messages.HelloOk)
    assert (hello.major, hello.minor, hello.firmware, hello.build) == (1, 2, (1, 2, 0), 0x1A2B3C4D)
    assert (hello.lamps, hello.buttons, hello.caps) == (29, 8, 31)
    assert (hello.board_id, hello.boot_id, hello.reset_cause) == (0x5EED0001, 2, 1)
    assert (hello.next_seq, hello.oldest_unacked, hello.lost, hello.host_session) == (1, 1, 0, 0xC0FFEE)
    assert parsed("pong") == messages.Pong(7, 123456, 3, 0, 0, 700)
    assert parsed("lights_ok") == messages.LightsOk(258, 2000, 0xBEEF, 0)
    assert parsed("settings_ok") == BoardSettings()
    assert parsed("err") == messages.Refused(0x7E, 1)
    events = parsed("events")
    assert isinstance(events, messages.Events)
    assert (events.boot_id, events.now_ms, events.lost, events.first_seq) == (2, 60000, 0, 1)
    assert [(event.t_ms, what_of(event)) for event in events.events] == [
        (59985, ButtonChanged(Button.ROLL, True)),
        (59990, DiceRolled((3, 1), 0x50123456, 640, False)),
    ]


def test_the_chip_answers_the_requests_of_the_page(make: Make) -> None:
    asked = ("hello", "ping", "lights", "buzz", "dice", "settings_read", "settings_write", "restart")
    with make() as chip:
        chip.run(0.1)
        chip.read_output()
        for name in asked:
            chip.send(examples()[name][1])
            chip.run(0.02)
            answer, *more = FrameParser().feed(chip.read_output())
            assert answer[0] == examples()[name][0][0] + 0x80, name
            assert name == "restart" or not more
            if name in ("buzz", "dice", "settings_write", "restart"):
                reply = name.split("_")[0] + "_ok"
                assert answer == examples()[reply][0]


def test_the_error_of_the_page_is_what_the_chip_says_to_an_unknown_type(make: Make) -> None:
    with make() as chip:
        chip.run(0.1)
        chip.send(examples()["hello"][1])
        chip.run(0.02)
        chip.read_output()
        chip.send(frame(b"\x7e"))
        chip.run(0.02)
        assert chip.read_output() == examples()["err"][1]


def _after(heading: str) -> str:
    """The table that begins with this heading."""
    return text()[text().index(heading) :].split("\n\n")[0]


def test_the_numbers_on_the_page_are_those_of_the_program() -> None:
    for kind in Type:
        assert re.search(rf"^\| {kind:02X} \| {kind.name} \|", text(), re.MULTILINE), kind.name
    assert f"Version **{messages.MAJOR}.{messages.MINOR}**" in text()
    for cause in ResetCause:
        assert re.search(rf"^\| {cause:d} \| ", _after("| reset_cause |"), re.MULTILINE), cause.name
    for seconds, sentence in (
        (RETRY_S, "If no answer comes within **{ms} ms**, the host sends the same bytes again"),
        (HELLO_RETRY_S, "it repeats HELLO every **{ms} ms**"),
        (SILENCE_S, "opens it again if it hears nothing for **{s} s**"),
        (GREETING_S, "or for **{s} s** after it opened the port"),
        (STUCK_S, "if it has repeated a request for **{s} s**"),
        (PING_S, "It sends a PING every **{tenths} s**"),
    ):
        assert sentence.format(ms=round(1000 * seconds), s=round(seconds), tenths=round(seconds, 1)) in text()
    assert f"at most {messages.MAX_STYLES} styles" in text().lower()
    assert f"at most {messages.MAX_LAMPS} lamps" in text().lower()
    assert f"at most {messages.MAX_STEPS} steps" in text().lower()
