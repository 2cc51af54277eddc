"""Inputs of the table's referee, written and read back."""

import json
from typing import get_args

import pytest
from hypothesis import given, settings

from controller.devices.link.happenings import EventMark
from controller.record.table.inputs import (
    CUT,
    KINDS,
    InputError,
    input_from,
    input_record,
    mark_from,
    reading_from,
    reading_record,
    settings_from,
    settings_record,
)
from controller.referee.caution import Caution, Strictness
from controller.referee.events import Event, FrameSeen, Ticked
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.profile.profile import STANDARD
from controller.vision.reading import Reading
from tests.amounts import amount
from tests.record.inputs import events, readings
from tests.rows import each_row
from tests.vision.test_film import RESTING, reading


@given(events)
@settings(max_examples=amount(100, 300), deadline=None)
def test_what_is_read_back_is_written_again_as_it_was(event: Event) -> None:
    written = json.loads(json.dumps(input_record(event), allow_nan=False))
    back = input_from(written)
    assert type(back) is type(event)
    assert input_record(back) == written
    assert input_from(input_record(back)) == back


@given(readings)
@settings(max_examples=amount(40, 100), deadline=None)
def test_a_reading_keeps_what_it_says_to_the_hundredth(reading: Reading) -> None:
    back = reading_from(json.loads(json.dumps(reading_record(reading))))
    assert (back.points, back.bar, back.off) == (reading.points, reading.bar, reading.off)
    assert (back.unsure, back.covered) == (reading.unsure, reading.covered)
    assert (back.hand, back.hands, back.fault) == (reading.hand, reading.hands, reading.fault)
    for before, after in zip(reading.likelihoods, back.likelihoods, strict=True):
        assert before.keys() == after.keys()
        for count, value in before.items():
            assert after[count] == pytest.approx(max(value, -CUT), abs=0.00501)
    assert reading.bar_likelihoods.keys() == back.bar_likelihoods.keys()


def test_a_reading_in_a_journal_of_an_earlier_version_is_read() -> None:
    now = reading(RESTING[0])
    record = reading_record(now)
    del record["beside"], record["hands"]
    record["dice"] = [die[:6] for die in record["dice"]]  # type: ignore[index,union-attr]
    then = reading_from(record)
    assert [die.value for die in then.dice] == [die.value for die in now.dice]
    assert all(die.shares == () for die in then.dice)
    assert then.bar_confidence == 1.0
    assert then.hands is None


def test_every_input_has_a_name_of_its_own() -> None:
    assert len(KINDS) == len(get_args(Event))


def test_the_mark_of_the_electronics_is_kept() -> None:
    mark = EventMark(1 << 31, 7, 65535)
    record = json.loads(json.dumps(input_record(Ticked(1.0), mark)))
    assert mark_from(record) == mark
    assert mark_from(input_record(Ticked(1.0))) is None
    assert input_from(record) == Ticked(1.0)


@each_row(
    "record",
    [
        {},
        {"input": "danced", "t": 1.0},
        {"input": "ticked"},
        {"input": "rolled", "t": 1.0, "dice": [1, 2, 3]},
        {"input": "pressed", "t": 1.0, "button": "self_destruct"},
        {"input": "frame_seen", "t": 1.0, "frame": 2, "reading": {"points": []}},
        {"input": "said", "t": 1.0, "event": {"event": "shouted"}, "by": ""},
    ],
)
def test_what_nobody_wrote_is_refused_by_name(record: dict[str, object]) -> None:
    with pytest.raises(InputError):
        input_from(record)


def test_what_is_read_from_a_real_picture_takes_little_room() -> None:
    seen = reading(0)
    written = json.dumps(input_record(FrameSeen(1.5, 0, seen)), separators=(",", ":"))
    assert len(written) < 4096
    back = input_from(json.loads(written))
    assert isinstance(back, FrameSeen)
    assert (back.reading.points, back.reading.unsure) == (seen.points, seen.unsure)


def test_how_careful_a_table_was_is_kept() -> None:
    terms = Terms.match(STANDARD, 5)
    careful = Settings(terms, caution=Caution(strictness=Strictness.STRICT, stood_s=4.5, open_turns=3))
    kept = settings_from(json.loads(json.dumps(settings_record(careful))), terms)
    assert kept == careful
    assert kept.caution.strictness is Strictness.STRICT


def test_a_journal_of_an_earlier_version_may_name_what_is_no_setting_any_more() -> None:
    terms = Terms.match(STANDARD, 5)
    record = settings_record(Settings(terms))
    record["caution"] = {"doubt": 0.05, "lead": 4.0, "stood_s": 3.5}
    assert settings_from(record, terms).caution == Caution(stood_s=3.5)


@pytest.mark.parametrize(("name", "value"), [("strictness", "harsh"), ("stood_s", "long"), ("readings", 0)])
def test_how_no_table_can_be_careful_is_refused(name: str, value: object) -> None:
    terms = Terms.match(STANDARD, 5)
    record = settings_record(Settings(terms))
    record["caution"] = {name: value}
    with pytest.raises(ValueError, match=r"^$"):
        settings_from(record, terms)
