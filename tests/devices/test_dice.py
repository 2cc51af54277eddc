"""Rolls from every source, and which of them count."""

import threading
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.dice.pins import PinDice
from controller.devices.dice.source import DeviceRoll, DiceSource, RollGate, RollVerdict, faces, roll_of
from controller.devices.dice.textline import DicePatternError, LineParser, LinePattern, TextDice
from controller.devices.link.happenings import Answered, BoardEvent, DiceRolled
from controller.devices.link.link import Link
from controller.devices.link.messages import BoardSettings, DiceMode
from controller.devices.link.status import LinkState
from controller.devices.pins import PinLibrary, PinsError, pin_factory
from tests.firmware.board import Board


def roll(first: int, second: int, at_s: float = 10.0, **more: object) -> DeviceRoll:
    return DeviceRoll((first, second), at_s, "text", **more)  # type: ignore[arg-type]


def opened(now_s: float = 9.0) -> RollGate:
    gate = RollGate(echo_s=1.5)
    gate.open(now_s)
    return gate


def test_the_roll_that_is_waited_for_is_accepted_and_the_next_one_was_not_asked_for() -> None:
    gate = opened()
    assert gate.take(roll(3, 1)) is RollVerdict.ACCEPTED
    assert gate.take(roll(6, 6, 20.0)) is RollVerdict.UNASKED


def test_the_same_faces_right_after_are_an_echo_and_later_a_roll_of_their_own() -> None:
    gate = opened()
    gate.take(roll(3, 1))
    gate.open(10.5)
    assert gate.take(roll(3, 1, 11.0)) is RollVerdict.DUPLICATE
    assert gate.take(roll(3, 1, 12.0)) is RollVerdict.ACCEPTED


def test_a_roll_with_a_key_counts_once_however_late_it_comes_again() -> None:
    gate = opened()
    assert gate.take(roll(3, 1, key=("board", 7))) is RollVerdict.ACCEPTED
    gate.open(500.0)
    assert gate.take(roll(3, 1, 600.0, key=("board", 7))) is RollVerdict.DUPLICATE
    assert gate.take(roll(3, 1, 600.1, key=("board", 8))) is RollVerdict.ACCEPTED


@pytest.mark.parametrize("dice", [(0, 1), (3, 7), (-1, 2)])
def test_faces_that_no_die_has_are_impossible_and_the_roll_is_still_waited_for(dice: tuple[int, int]) -> None:
    gate = opened()
    assert gate.take(DeviceRoll(dice, 10.0, "pins")) is RollVerdict.IMPOSSIBLE
    assert gate.take(roll(3, 1)) is RollVerdict.ACCEPTED


def test_faces_that_do_not_follow_from_their_random_bits_are_impossible() -> None:
    gate = opened()
    assert faces(0x50123456) == (3, 5)
    assert gate.take(roll(3, 4, raw=0x50123456)) is RollVerdict.IMPOSSIBLE
    assert gate.take(roll(3, 5, raw=0x50123456)) is RollVerdict.ACCEPTED


def test_a_roll_thrown_before_it_was_waited_for_is_late() -> None:
    gate = opened(9.0)
    assert gate.take(roll(3, 1, 8.5)) is RollVerdict.LATE
    assert gate.take(roll(3, 2, 9.5)) is RollVerdict.ACCEPTED


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
            assert [gate.take(roll) for roll in rolls] == [RollVerdict.ACCEPTED]
            assert rolls[0].raw is not None
            assert rolls[0].key is not None


def lines(factory: object, *pins: int) -> list[object]:
    return [factory.pin(pin) for pin in pins]  # type: ignore[attr-defined]


def set_die(pins: list[object], face: int) -> None:
    for bit, pin in enumerate(pins):
        (pin.drive_high if face >> bit & 1 else pin.drive_low)()  # type: ignore[attr-defined]


def test_dice_at_pins_are_read_when_they_lie_still() -> None:
    factory = pin_factory(PinLibrary.MOCK)
    dice = PinDice(factory, first=(5, 6, 13), second=(17, 27, 22), ready=10)
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
    assert opened(2.5).take(impossible) is RollVerdict.IMPOSSIBLE
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


def test_lines_of_other_makers_become_rolls() -> None:
    wire = Wire()
    dice = TextDice(lambda: wire, LinePattern(r"^ROLL (?P<first>\d)[- ](?P<second>\d)$"))
    wire.waiting = [b"hello\r\nROLL 3", b" 1\r\n", b"battery 87%\nROLL 6-6\nROLL x-1\n"]
    rolls = [roll for n in range(3) for roll in dice.poll(float(n))]
    assert [(roll.dice, roll.at_s) for roll in rolls] == [((3, 1), 1.0), ((6, 6), 2.0)]


def test_a_dice_unit_that_is_away_is_looked_for_quietly() -> None:
    wire, tries = Wire(), []

    def open_line() -> Wire:
        tries.append(1)
        if len(tries) == 2:
            raise OSError(2, "No such file or directory")
        return wire

    told: list[str] = []
    dice = TextDice(open_line, LinePattern(r"(?P<first>\d) (?P<second>\d)"), told.append)
    dice.poll(0.0)
    wire.gone = True
    assert dice.poll(0.1) == []
    assert dice.trouble is not None
    assert "Input/output error" in dice.trouble
    wire.gone = False
    for n in range(18):
        dice.poll(0.2 + n / 10)
    assert "No such file" in (dice.trouble or "")
    assert len(tries) == 2
    wire.waiting = [b"4 2\n"]
    assert [roll.dice for roll in dice.poll(2.3)] == [(4, 2)]
    assert dice.trouble is None
    assert told == ["Input/output error"]
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
        line
        for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True)
        for line in parser.feed(wire[start:end])
    ]
    assert got == [line for line in sent if line]


def test_a_line_that_never_ends_takes_no_memory_and_is_passed_over() -> None:
    parser = LineParser()
    for _ in range(100):
        assert parser.feed(b"x" * 1000) == []
    assert parser.feed(b"x\nROLL 3 1\n") == ["ROLL 3 1"]


@pytest.mark.parametrize(
    ("pattern", "complaint"), [("(", "no regular expression"), (r"(\d) (\d)", "where the two dice stand")]
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
        TextDice(Wire, LinePattern(r"(?P<first>\d)(?P<second>\d)")),
        PinDice(pin_factory(PinLibrary.MOCK), first=(5, 6, 13), second=(17, 27, 22), ready=10),
    ]
    for source in sources:
        assert source.poll(1.0) == []
        source.close()
