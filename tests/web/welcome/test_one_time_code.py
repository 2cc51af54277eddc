"""A code holds once, for ten minutes, however it is typed; in a file every program of the machine knows it."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.web.wire.one_time_code import LASTS_S, OneTimeCode, SharedCode


@dataclass
class Clock:
    now: float = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture(params=["in memory", "in a file"])
def code(request: pytest.FixtureRequest, clock: Clock, tmp_path: Path) -> OneTimeCode:
    return OneTimeCode(clock) if request.param == "in memory" else SharedCode(clock, path=tmp_path / "code")


def test_a_code_holds_once(code: OneTimeCode) -> None:
    told = code.renew()
    assert code.use(f" {told[:4].lower()}-{told[4:]}")
    assert not code.use(told)
    assert code.current() == ""


def test_a_code_holds_for_ten_minutes(code: OneTimeCode, clock: Clock) -> None:
    told = code.renew()
    clock.now += LASTS_S - 1
    assert code.current() == told
    clock.now += 2
    assert code.current() == ""
    assert not code.use(told)


def test_a_newer_code_takes_the_place_of_the_older_one(code: OneTimeCode) -> None:
    older, newer = code.renew(), code.renew()
    assert not code.use(older)
    assert code.use(newer)


@pytest.mark.parametrize("typed", ["", "-", "AAAA"])
def test_nothing_typed_is_not_a_code(code: OneTimeCode, typed: str) -> None:
    assert not code.use(typed)
    code.renew()
    assert not code.use(typed)


def test_another_program_of_the_machine_makes_a_code_for_the_table(clock: Clock, tmp_path: Path) -> None:
    table, command = (SharedCode(clock, path=tmp_path / "code") for _ in range(2))
    told = command.renew()
    assert table.current() == told
    assert table.use(told)
    assert not command.use(told)


def test_a_code_of_before_the_machine_was_started_anew_holds_no_more(clock: Clock, tmp_path: Path) -> None:
    before = SharedCode(clock, path=tmp_path / "code")
    told = before.renew()
    clock.now = 5.0
    assert not before.use(told)


@pytest.mark.parametrize("text", ["", "[]", '{"code": "AAAABBBB"}', '{"code": 1, "until": "soon"}', "\xff"])
def test_a_damaged_file_holds_no_code(clock: Clock, tmp_path: Path, text: str) -> None:
    path = tmp_path / "code"
    path.write_text(text, encoding="latin-1")
    assert SharedCode(clock, path=path).current() == ""


def test_nobody_but_its_owner_reads_the_file(clock: Clock, tmp_path: Path) -> None:
    path = tmp_path / "code"
    SharedCode(clock, path=path).renew()
    assert path.stat().st_mode & 0o077 == 0
