"""The chip's settings become what they are to be before anything is lit, with the chip's part written out."""

from dataclasses import replace

import pytest

from controller.devices.link.framing import frame
from controller.devices.link.happenings import Answered, SettingsKept, SettingsRefused
from controller.devices.link.messages import BoardSettings, Type, settings
from controller.devices.link.session import RETRY_S, Session
from tests.devices.test_link_session import PICTURE, SESSION, hello_ok, sent

KEPT = BoardSettings()
LOW = BoardSettings(limit_ma=100)


def answer(kept: BoardSettings) -> bytes:
    """What the chip says of its settings."""
    return frame(bytes([Type.SETTINGS_OK]) + settings(kept)[1:])


def refusal(fault: int) -> bytes:
    return frame(bytes([Type.ERR, Type.SETTINGS, fault]))


def lights_up(session: Session, now: float) -> bool:
    """Whether a picture is sent within a second."""
    for tick in range(20):
        if any(payload[0] == Type.LIGHTS for payload in sent(session, now + tick * RETRY_S)):
            return True
    return False


@pytest.fixture
def session() -> Session:
    session = Session(host_session=SESSION, adjust=lambda kept: replace(kept, limit_ma=100))
    session.show(PICTURE)
    sent(session, 0.0)
    session.receive(hello_ok(), 0.0)
    return session


def test_nothing_is_lit_before_the_chip_has_accepted_its_limit(session: Session) -> None:
    assert sent(session, 0.1) == [settings()]
    assert session.receive(answer(KEPT), 0.1) == [Answered(KEPT)]
    assert sent(session, 0.2) == [settings(LOW)]
    assert not lights_up(session, 0.3)
    assert session.receive(answer(LOW), 2.0) == [Answered(LOW), SettingsKept()]
    assert session.settled
    assert lights_up(session, 2.1)


def test_a_chip_that_keeps_them_already_is_told_nothing(session: Session) -> None:
    sent(session, 0.1)
    session.receive(answer(LOW), 0.1)
    assert [payload[0] for payload in sent(session, 0.2)] == [Type.LIGHTS]


def test_what_was_asked_before_the_settings_are_read_anew_is_still_asked_after_them(session: Session) -> None:
    session.buzz([(1, 1)])
    session.ask_settings(KEPT)
    session.settle()
    assert sent(session, 0.1) == [settings()]
    session.receive(answer(LOW), 0.1)
    assert [payload[0] for payload in sent(session, 0.2)] == [Type.BUZZ]


def test_a_late_answer_to_the_reading_is_not_taken_for_the_answer_to_the_change(session: Session) -> None:
    sent(session, 0.1)
    session.receive(answer(KEPT), 0.1)
    sent(session, 0.2)
    assert session.receive(answer(KEPT), 0.25) == []
    assert not session.settled
    session.receive(answer(LOW), 0.3)
    assert session.settled


def test_a_refused_change_is_told_and_the_lights_stay_dark(session: Session) -> None:
    sent(session, 0.1)
    session.receive(answer(KEPT), 0.1)
    sent(session, 0.2)
    assert session.receive(refusal(3), 0.3) == [SettingsRefused(LOW, KEPT, 3)]
    assert not lights_up(session, 0.4)


def test_a_chip_that_knows_no_settings_is_not_lit_either(session: Session) -> None:
    sent(session, 0.1)
    assert session.receive(refusal(1), 0.3) == [SettingsRefused(None, None, 1)]
    assert not lights_up(session, 0.4)


def test_a_chip_that_started_anew_is_told_again(session: Session) -> None:
    sent(session, 0.1)
    session.receive(answer(LOW), 0.1)
    assert lights_up(session, 0.2)
    session.receive(frame(bytes([Type.ERR, Type.LIGHTS, 4])), 2.0)
    sent(session, 2.1)
    session.receive(hello_ok(boot=8), 2.1)
    assert sent(session, 2.2) == [settings()]
    assert not lights_up(session, 2.3)
    session.receive(answer(KEPT), 4.0)
    assert sent(session, 4.1) == [settings(LOW)]


def test_asked_to_settle_anew_it_reads_first(session: Session) -> None:
    session.settle()
    assert sent(session, 0.1) == [settings()]
    session.receive(answer(LOW), 0.1)
    session.settle()
    assert not session.settled
    assert sent(session, 0.2) == [settings()]
