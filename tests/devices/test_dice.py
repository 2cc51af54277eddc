"""Rolls from every source, and which of them count."""

import os
import threading
import time
import tty
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.dice.pairing import OTHER_DIE_S
from controller.devices.dice.pins import PinDice
from controller.devices.dice.source import DeviceRoll, DiceSource, RollGate, RollVerdict, faces, roll_of
from controller.devices.dice.status import DiceCode, DiceStatus
from controller.devices.dice.textdice import GREETING_S, LAST_LINES, TextDice
from controller.devices.dice.textline import (
    LINE_BYTES,
    SILENT_S,
    USUAL_PATTERN,
    DicePatternError,
    Line,
    LineParser,
    LinePattern,
)
from controller.devices.dice.unit_rolls import UnitRolls
from controller.devices.link.happenings import Answered, BoardEvent, DiceRolled
from controller.devices.link.link import Link
from controller.devices.link.messages import BoardSettings, DiceMode
from controller.devices.link.status import LinkState
from controller.devices.link.transport import OpeningAside
from controller.devices.pins import PinLibrary, PinsError, pin_factory
from tests.firmware.board import Board, patient
from tests.rows import each_row

__all__ = ["patient"]


def roll(first: int, second: int, at_s: float = 10.0, **more: object) -> DeviceRoll:
    return DeviceRoll((first, second), at_s, "text", **more)  # type: ignore[arg-type]


def opened(now_s: float = 9.0) -> RollGate:
    gate = RollGate(echo_s=1.5)
    gate.open(now_s)
    return gate


def test_the_roll_that_is_waited_for_is_accepted_and_the_next_one_was_not_asked_for() -> None:
    gate = opened()
    assert gate.judge(roll(3, 1)) is RollVerdict.ACCEPTED
    assert gate.judge(roll(6, 6, 20.0)) is RollVerdict.UNASKED


def test_the_same_faces_right_after_are_an_echo_and_later_a_roll_of_their_own() -> None:
    gate = opened()
    gate.judge(roll(3, 1))
    gate.open(10.5)
    assert gate.judge(roll(3, 1, 11.0)) is RollVerdict.DUPLICATE
    assert gate.judge(roll(3, 1, 12.0)) is RollVerdict.ACCEPTED


def test_a_roll_with_a_key_counts_once_however_late_it_comes_again() -> None:
    gate = opened()
    assert gate.judge(roll(3, 1, key=("board", 7))) is RollVerdict.ACCEPTED
    gate.open(500.0)
    assert gate.judge(roll(3, 1, 600.0, key=("board", 7))) is RollVerdict.DUPLICATE
    assert gate.judge(roll(3, 1, 600.1, key=("board", 8))) is RollVerdict.ACCEPTED


@pytest.mark.parametrize("dice", [(0, 1), (3, 7), (-1, 2)])
def test_faces_that_no_die_has_are_impossible_and_the_roll_is_still_waited_for(dice: tuple[int, int]) -> None:
    gate = opened()
    assert gate.judge(DeviceRoll(dice, 10.0, "pins")) is RollVerdict.IMPOSSIBLE
    assert gate.judge(roll(3, 1)) is RollVerdict.ACCEPTED


def test_faces_that_do_not_follow_from_their_random_bits_are_impossible() -> None:
    gate = opened()
    assert faces(0x50123456) == (3, 5)
    assert gate.judge(roll(3, 4, raw=0x50123456)) is RollVerdict.IMPOSSIBLE
    assert gate.judge(roll(3, 5, raw=0x50123456)) is RollVerdict.ACCEPTED


def test_a_roll_thrown_before_it_was_waited_for_is_late() -> None:
    gate = opened(9.0)
    assert gate.judge(roll(3, 1, 8.5)) is RollVerdict.LATE
    assert gate.judge(roll(3, 2, 9.5)) is RollVerdict.ACCEPTED


@given(st.integers(0, 2**32 - 1))
def test_random_bits_give_faces_or_too_few_of_them(raw: int) -> None:
    given_faces = faces(raw)
    assert given_faces is None or all(1 <= die <= 6 for die in given_faces)


def test_every_face_pair_stands_for_the_same_number_of_random_words() -> None:
    counted: dict[tuple[int, int], int] = {}
    for groups in range(8**4):
        found = faces(groups << 20)
        digits = [groups >> shift & 7 for shift in (9, 6, 3, 0)]
        if sum(digit < 6 for digit in digits) >= 2 and found is not None:
            counted[found] = counted.get(found, 0) + 1
    assert len(counted) == 36
    assert len(set(counted.values())) == 1


@pytest.mark.usefixtures("patient")
def test_the_boards_dice_throw_once_for_each_turn(tmp_path: Path) -> None:
    with Board(tmp_path) as board:
        answered = threading.Event()
        rolls: list[DeviceRoll] = []

        def notice(happening: object) -> None:
            if isinstance(happening, Answered) and isinstance(happening.answer, BoardSettings):
                answered.set()

        def deliver(event: BoardEvent) -> None:
            if isinstance(event.what, DiceRolled):
                rolls.append(roll_of(event.what, event.at_s, event.mark))

        link = Link(board.port, host_session=9, deliver=deliver, notice=notice)
        link.arm_dice(DiceMode.OFF)
        gate = RollGate()

        def press() -> None:
            answered.clear()
            link.ask_settings()
            assert answered.wait(60)  # requests are answered in turn, so the dice know what they may
            board.press(0)
            board.wait(0.8)
            answered.clear()
            link.ask_settings()
            assert answered.wait(60)

        with link:
            while link.status.state != LinkState.READY:
                time.sleep(0.005)
            press()
            assert rolls == []
            gate.open(time.monotonic() - 60)  # a busy machine may hold the simulated chip's clock up
            link.arm_dice(DiceMode.ONCE)
            press()
            press()
            assert [gate.judge(roll) for roll in rolls] == [RollVerdict.ACCEPTED]
            assert rolls[0].raw is not None
            assert rolls[0].key is not None


def lines(factory: object, *pins: int) -> list[object]:
    return [factory.pin(pin) for pin in pins]  # type: ignore[attr-defined]


def set_die(pins: list[object], face: int) -> None:
    for bit, pin in enumerate(pins):
        (pin.drive_high if face >> bit & 1 else pin.drive_low)()  # type: ignore[attr-defined]


def pin_dice(factory: object) -> UnitRolls:
    pins = PinDice(factory, first=(5, 6, 13), second=(17, 27, 22), ready=10)  # type: ignore[arg-type]
    return UnitRolls(pins, "GPIO", "pins")


def test_dice_at_pins_are_read_when_they_lie_still() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    dice = pin_dice(factory)
    first, second = lines(factory, 5, 6, 13), lines(factory, 17, 27, 22)
    (ready,) = lines(factory, 10)
    set_die(first, 5)
    set_die(second, 2)
    assert dice.poll(0.0) == []
    ready.drive_high()  # type: ignore[attr-defined]
    assert dice.poll(1.0) == []
    set_die(second, 6)
    assert dice.poll(1.015) == []
    assert dice.poll(1.030) == []
    assert dice.poll(1.036) == [DeviceRoll((5, 6), 1.015, "pins")]
    assert dice.poll(1.5) == []
    ready.drive_low()  # type: ignore[attr-defined]
    dice.poll(2.0)
    set_die(first, 7)
    ready.drive_high()  # type: ignore[attr-defined]
    dice.poll(3.0)
    (impossible,) = dice.poll(3.1)
    assert opened(2.5).judge(impossible) is RollVerdict.IMPOSSIBLE
    dice.close()


class Wire:
    """A dice unit's line, played by a test."""

    def __init__(self) -> None:
        self.waiting: list[bytes] = []
        self.gone = False
        self.closed = 0

    def read(self, timeout_s: float) -> bytes:
        assert timeout_s == 0
        if self.gone:
            raise OSError(5, "Input/output error")
        return self.waiting.pop(0) if self.waiting else b""

    def write(self, data: bytes) -> None:
        raise AssertionError(data)

    def wake(self) -> None:
        """Nobody waits."""

    def close(self) -> None:
        self.closed += 1


def text_dice(
    open_line: Callable[[], Wire],
    pattern: str = USUAL_PATTERN,
    tell: Callable[[DiceStatus], None] = lambda _: None,
) -> UnitRolls:
    return UnitRolls(TextDice(open_line, LinePattern(pattern), baud=9600), "unit", "text", tell)


def opened_before(dice: UnitRolls) -> UnitRolls:
    """The same, its port open and silent for a while."""
    assert dice.poll(-10.0) == []
    return dice


def test_lines_of_other_makers_become_rolls() -> None:
    wire = Wire()
    dice = text_dice(lambda: wire, r"^ROLL (?P<first>\d)[- ](?P<second>\d)$")
    wire.waiting = [b"hello\r\nROLL 3", b" 1\r\n", b"battery 87%\nROLL 6-6\nROLL x-1\n"]
    rolls = [roll for n in range(3) for roll in dice.poll(float(n))]
    assert [(roll.dice, roll.at_s) for roll in rolls] == [((3, 1), 1.0), ((6, 6), 2.0)]


@pytest.mark.parametrize("rolled_before", [True, False])
def test_a_dice_unit_that_comes_back_under_another_number_is_found(
    tmp_path: Path, rolled_before: bool
) -> None:
    """Whether it is the one that was configured is known once it has rolled."""
    by_id = tmp_path / "by-id"
    by_id.mkdir()
    link, numbered = by_id / "usb-Dice_Unit_7-if00-port0", tmp_path / "ttyUSB0"
    with ExitStack() as stack:
        units = [stack.enter_context(terminal()) for _ in range(3)]
        link.symlink_to(units[0].path)
        numbered.symlink_to(units[0].path)
        dice = UnitRolls(TextDice.at(str(numbered), 9600, USUAL_PATTERN, by_id=by_id), "unit", "text")
        dice.poll(0.0)
        if rolled_before:
            assert heard(dice, units[0], "3 1", 10.0) == [(3, 1)]
        units[0].tear_away()
        dice.poll(20.0)
        for path, unit in ((link, units[1]), (numbered, units[2])):  # another device has the number now
            path.unlink()
            path.symlink_to(unit.path)
        dice.poll(30.0)
        assert heard(dice, units[1], "6 5", 40.0) == ([(6, 5)] if rolled_before else [])
        dice.close()


class Terminal:
    """A port at which a test says something, and which it tears away."""

    def __init__(self) -> None:
        self._end, self._port = os.openpty()
        tty.setraw(self._port)
        self.path = os.ttyname(self._port)

    def say(self, line: str) -> None:
        os.write(self._end, f"{line}\n".encode())

    def tear_away(self) -> None:
        for end in (self._end, self._port):
            with suppress(OSError):
                os.close(end)


@contextmanager
def terminal() -> Iterator[Terminal]:
    found = Terminal()
    yield found
    found.tear_away()


def heard(dice: UnitRolls, unit: Terminal, line: str, at_s: float) -> list[tuple[int, int]]:
    """The rolls that come of a line; the rest of one before it counts for nothing."""
    unit.say("ready")
    time.sleep(0.05)
    found = [*dice.poll(at_s)]
    unit.say(line)
    time.sleep(0.05)
    found += [roll for n in range(5) for roll in dice.poll(at_s + 1 + n)]
    return [roll.dice for roll in found]


def test_a_dice_unit_that_is_away_is_looked_for_quietly() -> None:
    wire, tries = Wire(), []

    def open_line() -> Wire:
        tries.append(1)
        if len(tries) == 2:
            raise OSError(2, "No such file or directory")
        return wire

    told: list[DiceStatus] = []
    dice = text_dice(open_line, r"(?P<first>\d) (?P<second>\d)", told.append)
    dice.poll(0.0)
    wire.gone = True
    assert dice.poll(0.1) == []
    assert dice.status == DiceStatus(DiceCode.AWAY, "unit", {"why": "Input/output error"})
    wire.gone = False
    for n in range(18):
        dice.poll(0.2 + n / 10)
    assert dice.status.arguments["why"] == "No such file or directory"
    assert len(tries) == 2
    assert dice.poll(2.3) == []
    wire.waiting = [b"4 2\n"]
    assert [roll.dice for roll in dice.poll(2.5)] == [(4, 2)]
    assert [status.code for status in told] == ["ready", "away", "away", "ready"]
    dice.close()
    assert wire.closed == 2


@given(
    st.lists(st.text(st.characters(exclude_characters="\r\n", codec="utf-8"), max_size=20), max_size=6),
    st.data(),
)
def test_lines_come_whole_however_they_are_cut(sent: list[str], data: st.DataObject) -> None:
    wire = b"".join(line.encode() + b"\r\n" for line in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    parser = LineParser()
    got = [
        line.text
        for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True)
        for line in parser.feed(wire[start:end], 0.0)
        if line.whole
    ]
    assert got == [line.lstrip("\0") or line for line in sent if line]


def test_a_line_that_never_ends_takes_no_memory_and_is_shown_once_but_tells_nothing() -> None:
    parser = LineParser()
    shown = [line for n in range(100) for line in parser.feed(b"3 1 " * 250, n / 10)]
    assert shown == [Line("3 1 " * 50, whole=False)]
    assert LinePattern(USUAL_PATTERN).dice(shown[0]) == ()
    assert parser.feed(b"x\nROLL 3 1\n", 20.0) == [Line("ROLL 3 1")]


@pytest.mark.parametrize("cut", [1, LINE_BYTES, LINE_BYTES + 1, 10_000])
def test_a_line_that_is_too_long_tells_nothing_however_it_is_cut_nor_does_its_end(cut: int) -> None:
    sent = b"3 1 " * (LINE_BYTES // 4) + b"6 5\nROLL 2 1\n"
    parser, pattern = LineParser(), LinePattern(USUAL_PATTERN)
    lines = [line for at in range(0, len(sent), cut) for line in parser.feed(sent[at : at + cut], 0.0)]
    assert [line for line in lines if line.whole] == [Line("ROLL 2 1")]
    assert len(lines) == 2, "it is shown once, and what follows in it not at all"
    assert pattern.dice(lines[0]) == ()


def test_a_line_of_just_the_greatest_length_is_one() -> None:
    line = "ROLL 3 1".ljust(LINE_BYTES, ".")
    assert LineParser().feed(line.encode() + b"\n", 0.0) == [Line(line)]


def test_what_has_no_end_is_shown_when_nothing_follows_it_and_is_a_line_all_the_same_when_its_end_comes() -> (
    None
):
    parser = LineParser()
    assert parser.feed(b"ROLL 3", 0.0) == []
    assert parser.feed(b"", SILENT_S) == [Line("ROLL 3", whole=False)]
    assert parser.feed(b"", 2 * SILENT_S) == []
    assert parser.feed(b" 1\r\n", 3 * SILENT_S) == [Line("ROLL 3 1")]


def test_a_byte_or_two_of_noise_before_a_line_are_no_part_of_it_and_more_are_rubbish() -> None:
    parser = LineParser()
    assert parser.feed(b"\x00\xff", 0.0) == []
    assert parser.feed(b"", SILENT_S) == []
    (line,) = parser.feed(b"ROLL 3 1\n", 2 * SILENT_S)
    assert (line.text, line.readable) == ("ROLL 3 1", True)
    parser.feed(bytes(12), 3 * SILENT_S)
    (rubbish,) = parser.feed(b"", 4 * SILENT_S)
    assert not rubbish.readable


@pytest.mark.parametrize("count", [12, 5 * LINE_BYTES])
def test_a_line_that_comes_some_time_after_rubbish_is_a_line_of_its_own(count: int) -> None:
    """As after a bad contact: rubbish has no end of a line."""
    parser = LineParser()
    (rubbish,) = [*parser.feed(b"\xa7\x03" * count, 0.0), *parser.feed(b"", SILENT_S)][:1]
    assert not rubbish.readable
    parser.feed(b"", 2 * SILENT_S)
    assert parser.feed(b"ROLL 3 1\n", 3 * SILENT_S) == [Line("ROLL 3 1")]


@each_row(
    ("text", "dice"),
    [
        ("ROLL 3 1", [3, 1]),
        ("ROLL 3-1", [3, 1]),
        ("roll 12: 6 5", [6, 5]),
        ("D1=3 D2=1", [3, 1]),
        ("die 1: 4, die 2: 3", [4, 3]),
        ("die A: 4", [4]),
        ("Dice: 5,2", [5, 2]),
        ("dice roll: 6 6", [6, 6]),
        ("die A: 0", []),
        ("die A: 14", []),
        ("battery 87%", []),
        ("Dice v2.1 ready", []),
        ("version 2.1", []),
        ("game 3", []),
        ("34", []),
        ("3\N{REPLACEMENT CHARACTER}1", []),
        ("3 \x07 1", []),
    ],
)
def test_what_the_usual_pattern_makes_of_lines(text: str, dice: list[int]) -> None:
    assert [die.face for die in LinePattern(USUAL_PATTERN).dice(Line(text))] == dice


@each_row(
    ("pattern", "lines", "rolls"),
    [
        (r"A(?P<first>\d)|B(?P<second>\d)", ["B2", "A5"], [(5, 2)]),
        (r"A(?P<first>\d)|B(?P<second>\d)", ["A5", "A4", "B1"], [(4, 1)]),
        (r"(?P<die>\d)", ["5", "2", "6", "6"], [(5, 2), (6, 6)]),
        (r"(?P<name>\w+)=(?P<die>\d)", ["red=1", "red=3", "blue=6"], [(6, 3)]),
        (r"(?P<name>\w+)=(?P<die>\d)", ["red=1 blue=6"], [(6, 1)]),
    ],
)
def test_a_die_in_a_line_of_its_own_waits_for_the_other(
    pattern: str, lines: list[str], rolls: list[tuple[int, int]]
) -> None:
    wire = Wire()
    dice = opened_before(text_dice(lambda: wire, pattern))
    wire.waiting = [f"{line}\n".encode() for line in lines]
    assert [roll.dice for n in range(len(lines)) for roll in dice.poll(n / 10)] == rolls


def test_a_die_whose_other_one_does_not_come_is_told_and_no_part_of_the_next_roll() -> None:
    wire, told = Wire(), list[DiceStatus]()
    dice = opened_before(text_dice(lambda: wire, r"(?P<die>\d)", told.append))
    wire.waiting = [b"4\n"]
    assert dice.poll(0.0) == []
    assert dice.poll(OTHER_DIE_S) == []
    assert told[-1] == DiceStatus(DiceCode.ALONE, "unit", {"die": "4"})
    wire.waiting = [b"2\n5\n"]
    assert [roll.dice for roll in dice.poll(OTHER_DIE_S + 1)] == [(2, 5)]
    assert told[-1].code is DiceCode.READY


def test_what_a_unit_says_when_its_port_is_opened_and_between_its_rolls_troubles_nobody() -> None:
    wire, told = Wire(), list[DiceStatus]()
    dice = text_dice(lambda: wire, USUAL_PATTERN, told.append)
    wire.waiting = [b"Dice of Tartu, ready\r\n"]
    dice.poll(0.0)
    wire.waiting = [b"ROLL 3 1\n"]
    dice.poll(GREETING_S + 1)
    for n in range(LAST_LINES - 1):
        wire.waiting = [b"battery 87%\n"]
        dice.poll(GREETING_S + 2 + n)
    assert [status.code for status in told] == ["ready"]
    wire.waiting = [b"battery 86%\n"]
    dice.poll(GREETING_S + 2 + LAST_LINES)
    assert told[-1] == DiceStatus(DiceCode.STRANGE, "unit", {"line": "battery 86%"})


def test_a_unit_in_the_network_that_does_not_answer_holds_nobody_up() -> None:
    answered, wire = threading.Event(), Wire()

    def open_line() -> Wire:
        assert answered.wait(180)
        return wire

    dice = text_dice(OpeningAside(open_line))  # type: ignore[arg-type]
    assert [dice.poll(float(n)) for n in range(3)] == [[], [], []]
    assert dice.status is None
    answered.set()
    while dice.status is None:
        dice.poll(5.0)
        time.sleep(0.005)
    wire.waiting = [b"ROLL 3 1\n"]
    rolls = dice.poll(6.0)
    assert rolls[0].dice == (3, 1)


def test_a_long_or_unprintable_line_is_told_in_part() -> None:
    wire, told = Wire(), list[DiceStatus]()
    dice = text_dice(lambda: wire, USUAL_PATTERN, told.append)
    dice.poll(0.0)
    wire.waiting = [b"?\xff\n" + b"\x98\xe0\x1b[31m" * 20 + b"\n"]
    dice.poll(0.1)
    assert told[-1].code is DiceCode.RUBBISH
    assert told[-1].arguments["baud"] == "9600"
    assert told[-1].arguments["line"].isprintable()
    assert len(told[-1].arguments["line"]) < 50


@pytest.mark.parametrize(
    ("pattern", "complaint"),
    [
        ("(", "no regular expression"),
        (r"(\d) (\d)", "where the two dice stand"),
        (r"(?P<first>\d)", "where the two dice stand"),
    ],
)
def test_patterns_that_cannot_be_used_say_why(pattern: str, complaint: str) -> None:
    with pytest.raises(DicePatternError, match=complaint):
        LinePattern(pattern)


def test_lines_at_pins_with_a_resistor_of_their_own_are_refused_in_words() -> None:
    with pytest.raises(PinsError, match=r"GPIO2 has a fixed pull resistor.*another pin"):
        PinDice(pin_factory(PinLibrary.MOCK), first=(2, 3, 4), second=(17, 27, 22), ready=10)


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_dice_at_a_bad_pin_leave_the_other_pins_free() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    with pytest.raises(PinsError, match="99"):
        PinDice(factory, first=(5, 6, 13), second=(17, 27, 22), ready=99)
    PinDice(factory, first=(5, 6, 13), second=(17, 27, 22), ready=10).close()


def test_every_source_has_the_seam() -> None:
    sources: list[DiceSource] = [
        text_dice(Wire),
        pin_dice(pin_factory(PinLibrary.MOCK)),
    ]
    for source in sources:
        assert source.poll(1.0) == []
        source.close()


def test_the_rest_of_a_line_in_whose_middle_the_port_was_opened_is_no_roll() -> None:
    wire = Wire()
    dice = text_dice(lambda: wire)
    wire.waiting = [b"2: 3 1\r\n", b"roll 12: 3 1\r\n"]
    assert dice.poll(0.0) == []
    assert [roll.dice for roll in dice.poll(0.02)] == [(3, 1)]


def test_a_line_in_whose_middle_the_port_was_opened_is_no_rubbish_and_the_next_such_line_is() -> None:
    wire, told = Wire(), list[DiceStatus]()
    dice = text_dice(lambda: wire, USUAL_PATTERN, told.append)
    dice.poll(0.0)
    wire.waiting = [b"\x98\xe0LL 3 1\r\n"]
    assert dice.poll(0.1) == []
    assert told[-1].code is DiceCode.READY
    wire.waiting = [b"\x98\xe0LL 3 1\r\n"]
    assert dice.poll(0.2) == []
    assert told[-1].code is DiceCode.RUBBISH
