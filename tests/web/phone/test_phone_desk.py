"""Which phone may be the camera: one, by a code that the table shows, and it is known again."""

import time

import pytest

from controller.devices.camera.phone import PhoneLine
from controller.web.phone.desk import PhoneDesk
from controller.web.wire.one_time_code import LASTS_S


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def desk_at(clock: Clock, known: str = "") -> tuple[PhoneDesk, list[str], list[int]]:
    kept, warned = list[str](), list[int]()
    return PhoneDesk(PhoneLine(), clock, known, kept.append, warned.append), kept, warned


def test_a_code_lets_one_phone_in_once() -> None:
    desk, _, _ = desk_at(Clock())
    code = desk.new_code()
    token = desk.claim(f"{code[:4]}-{code[4:]}".lower())
    assert desk.admits(token)
    assert desk.claim(code) == ""
    assert desk.admits(token)


def test_a_code_ends() -> None:
    clock = Clock()
    desk, _, _ = desk_at(clock)
    code = desk.new_code()
    clock.now = LASTS_S + 1
    assert desk.code() == ""
    assert desk.claim(code) == ""


@pytest.mark.parametrize("code", ["", "AAAAAAAA", "é", "A" * 1000])
def test_a_wrong_code_lets_nobody_in_and_the_right_one_still_does(code: str) -> None:
    desk, _, _ = desk_at(Clock())
    right = desk.new_code()
    assert desk.claim(code) == ""
    assert desk.claim(right)


def test_no_code_at_all_lets_nobody_in() -> None:
    desk, _, _ = desk_at(Clock())
    assert desk.claim("") == ""
    assert not desk.admits("")


def test_a_newer_phone_takes_the_place_of_the_one_before() -> None:
    desk, _, _ = desk_at(Clock())
    first = desk.claim(desk.new_code())
    second = desk.claim(desk.new_code())
    assert (desk.admits(first), desk.admits(second)) == (False, True)


def test_a_code_that_nobody_used_takes_nothing_from_the_phone_that_sends() -> None:
    desk, _, _ = desk_at(Clock())
    token = desk.claim(desk.new_code())
    desk.new_code()
    assert desk.admits(token)


def test_a_phone_is_known_after_a_restart_and_what_is_kept_lets_nobody_in() -> None:
    desk, kept, _ = desk_at(Clock())
    token = desk.claim(desk.new_code())
    again, _, _ = desk_at(Clock(), kept[-1])
    assert again.admits(token)
    assert not again.admits(kept[-1])


def test_people_are_told_of_a_low_battery_once_at_each_level_until_it_is_charged() -> None:
    desk, _, warned = desk_at(Clock())
    for level in (0.5, 0.2, 0.19, 0.11, 0.1, 0.05):
        desk.take_battery(level, charging=False)
    assert warned == [20, 10]
    desk.take_battery(0.06, charging=True)
    desk.take_battery(0.15, charging=False)
    assert warned == [20, 10, 15]


def test_the_newest_picture_is_taken_and_no_other() -> None:
    line = PhoneLine()
    line.put(b"1")
    line.put(b"2")
    assert line.take(1) == b"2"
    began = time.monotonic()
    assert line.take(0.01) is None
    assert time.monotonic() - began >= 0.01
