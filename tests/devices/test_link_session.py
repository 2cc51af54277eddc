"""The conversation, with the chip's part written out: what other versions and other devices may do."""

import struct
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from controller.devices.link.framing import FrameParser, frame
from controller.devices.link.happenings import (
    Answered,
    BoardEvent,
    Button,
    ButtonChanged,
    EventMark,
    EventsMissing,
    Greeted,
    UnknownEvent,
)
from controller.devices.link.messages import (
    MAJOR,
    MINOR,
    BoardSettings,
    DiceMode,
    LampPicture,
    OtherVersion,
    Refused,
    RequestFault,
    Style,
    Type,
    settings,
)
from controller.devices.link.session import RETRY_S, ChipClock, Session

SESSION = 0xABCDEF
PICTURE = LampPicture((Style(1, 2, 3),), ((1, 0),))


def hello_ok(
    *, minor: int = 0, boot: int = 7, next_seq: int = 1, oldest: int = 1, tail: bytes = b""
) -> bytes:
    body = struct.pack(
        ">BB3BIBBBHIIBHHHI", 1, minor, 1, 0, 0, 5, 1, 29, 8, 15, 42, boot, 1, next_seq, oldest, 0, SESSION
    )
    return frame(bytes([Type.HELLO_OK]) + body + tail)


def events(first: int, *buttons: int, boot: int = 7) -> bytes:
    body = struct.pack(">IIHHB", boot, 1000, 0, first, len(buttons))
    for button in buttons:
        body += struct.pack(">BIBBB", 2, 990, 2, button, 1)
    return frame(bytes([Type.EVENTS]) + body)


def sent(session: Session, now: float) -> list[bytes]:
    return FrameParser().feed(session.outgoing(now))


def answer_all(session: Session, now: float) -> list[bytes]:
    """What is sent now, answered at once."""
    payloads = sent(session, now)
    for payload in payloads:
        if payload[0] in (Type.LIGHTS, Type.PING):
            rest = 5 if payload[0] == Type.LIGHTS else 12
            session.receive(frame(bytes([payload[0] + 0x80]) + payload[1:3] + bytes(rest)), now)
        elif payload[0] in (Type.BUZZ, Type.DICE):
            session.receive(frame(bytes([payload[0] + 0x80]) + payload[1:2]), now)
    return payloads


def ready(last: EventMark | None = None, **fields: int) -> Session:
    session = Session(host_session=SESSION, last=last)
    sent(session, 0.0)
    session.receive(hello_ok(**fields), 0.01)
    assert session.ready
    return session


def test_it_greets_until_it_is_answered() -> None:
    session = Session(host_session=SESSION)
    greetings = [payload for n in range(100) for payload in sent(session, n / 100)]
    assert len(greetings) == 4
    assert set(greetings) == {bytes([Type.HELLO, MAJOR, MINOR]) + SESSION.to_bytes(4, "big")}


def test_a_newer_minor_version_with_more_fields_is_welcome() -> None:
    session = Session(host_session=SESSION)
    (greeted,) = session.receive(hello_ok(minor=3, tail=b"more"), 0.0)
    assert isinstance(greeted, Greeted)
    assert session.ready


def test_another_major_version_is_named_and_left_alone() -> None:
    session = Session(host_session=SESSION)
    assert session.receive(frame(bytes([Type.HELLO_OK, 2, 5]) + bytes(30)), 0.0) == [OtherVersion(2, 5)]
    assert session.outgoing(1.0) == b""


def test_one_request_at_a_time_and_the_same_bytes_again_without_an_answer() -> None:
    session = ready()
    session.show(PICTURE)
    session.buzz([(50, 5)])
    first = sent(session, 1.0)
    assert [payload[0] for payload in first] == [Type.BUZZ]
    assert sent(session, 1.0 + RETRY_S / 2) == []
    assert sent(session, 1.0 + RETRY_S) == first
    session.receive(frame(bytes([Type.BUZZ_OK]) + first[0][1:2]), 1.1)
    assert [payload[0] for payload in sent(session, 1.1)] == [Type.LIGHTS]


def test_the_picture_is_sent_again_so_that_its_lease_goes_on() -> None:
    session = ready()
    session.show(PICTURE)
    numbers: list[bytes] = []
    for n in range(200):
        said = answer_all(session, 1 + n / 100)
        numbers += [payload[1:3] for payload in said if payload[0] == Type.LIGHTS]
    assert len(numbers) == 4
    assert len(set(numbers)) == 1


def test_only_the_newest_of_the_pictures_that_wait_is_sent() -> None:
    session = ready()
    for red in range(5):
        session.show(LampPicture((Style(red, 0, 0),), ((1, 0),)))
    (payload,) = sent(session, 1.0)
    assert payload[7] == 4


def test_events_that_come_twice_before_they_are_journaled_are_not_acknowledged() -> None:
    session = ready()
    sent(session, 0.02)
    came = session.receive(events(1, 6, 6) + events(1, 6, 6), 0.1)
    assert [event.mark.seq for event in came if isinstance(event, BoardEvent)] == [1, 2]
    session.place.undo(EventMark(42, 7, 1))
    assert [payload for payload in sent(session, 0.1) if payload[0] == Type.EVENT_ACK] == []
    again = session.receive(events(1, 6, 6), 0.2)
    assert [event.mark.seq for event in again if isinstance(event, BoardEvent)] == [1, 2]


def test_of_events_that_come_again_those_in_the_journal_are_acknowledged() -> None:
    session = ready()
    sent(session, 0.02)
    session.receive(events(1, 6, 6), 0.1)
    session.acknowledge(EventMark(42, 7, 1))
    sent(session, 0.1)
    session.receive(events(1, 6, 6), 0.2)
    (acknowledged,) = [payload for payload in sent(session, 0.2) if payload[0] == Type.EVENT_ACK]
    assert acknowledged[-2:] == bytes([0, 1])


def test_events_come_once_and_are_acknowledged_again_when_they_come_again() -> None:
    session = ready()
    sent(session, 0.02)
    taken = session.receive(events(1, 3, 4), 0.1)
    assert [t.what for t in taken if isinstance(t, BoardEvent)] == [
        ButtonChanged(Button.DOUBLE, True),
        ButtonChanged(Button.TAKE, True),
    ]
    session.acknowledge(EventMark(42, 7, 2))
    sent(session, 0.1)
    assert session.receive(events(1, 3, 4), 0.2) == []
    acks = [payload for payload in sent(session, 0.2) if payload[0] == Type.EVENT_ACK]
    assert acks == [struct.pack(">BIH", Type.EVENT_ACK, 7, 2)]


def test_nothing_is_acknowledged_before_the_journal_has_it() -> None:
    session = ready()
    (event,) = session.receive(events(1, 3), 0.1)
    assert isinstance(event, BoardEvent)
    assert not [payload for payload in sent(session, 0.1) if payload[0] == Type.EVENT_ACK]
    session.acknowledge(event.mark)
    assert [payload for payload in sent(session, 0.2) if payload[0] == Type.EVENT_ACK]


def test_a_gap_in_the_numbers_is_reported() -> None:
    session = ready()
    missing, event = session.receive(events(4, 3), 0.1)
    assert missing == EventsMissing(3)
    assert isinstance(event, BoardEvent)
    assert event.mark.seq == 4


def test_numbers_go_on_past_sixteen_bits() -> None:
    session = ready(EventMark(42, 7, 65534), next_seq=2, oldest=65535)
    taken = session.receive(events(65535, 1, 2, 3), 0.1)
    assert [t.mark.seq for t in taken if isinstance(t, BoardEvent)] == [65535, 0, 1]


def test_it_goes_on_behind_the_last_event_of_the_journal() -> None:
    session = ready(EventMark(42, 7, 2), next_seq=5, oldest=1)
    taken = session.receive(events(1, 1, 2, 3, 4), 0.1)
    assert [t.mark.seq for t in taken if isinstance(t, BoardEvent)] == [3, 4]


def test_a_journal_ahead_of_the_chip_does_not_silence_it_for_ever() -> None:
    session = ready(EventMark(42, 7, 900), next_seq=3, oldest=1)
    taken = session.receive(events(1, 1, 2), 0.1)
    assert len(taken) == 2


def test_another_board_begins_its_own_numbering() -> None:
    session = Session(host_session=SESSION, last=EventMark(41, 7, 500))
    (greeted,) = session.receive(hello_ok(next_seq=10, oldest=9), 0.0)
    assert isinstance(greeted, Greeted)
    assert not greeted.memory_lost
    assert session.place.last == EventMark(42, 7, 8)


def test_events_of_another_life_of_the_chip_make_it_greet_again() -> None:
    session = ready()
    assert session.receive(events(1, 3, boot=8), 0.1) == []
    assert not session.ready
    assert [payload[0] for payload in sent(session, 0.2)] == [Type.HELLO]


def test_what_was_asked_when_the_chip_restarted_is_asked_again() -> None:
    session = ready()
    session.arm_dice(DiceMode.ONCE)
    (asked,) = sent(session, 1.0)
    session.receive(frame(bytes([Type.ERR, asked[0], 4])), 1.01)
    assert [payload[0] for payload in sent(session, 1.02)] == [Type.HELLO]
    session.receive(hello_ok(), 1.03)
    assert [payload for payload in sent(session, 1.04) if payload[0] != Type.EVENT_ACK] == [asked]


def test_what_the_roll_button_does_is_said_once_more_after_the_chip_restarted() -> None:
    session = ready()
    session.arm_dice(DiceMode.ONCE)
    (armed,) = [payload for payload in answer_all(session, 1.0) if payload[0] == Type.DICE]
    session.receive(frame(bytes([Type.ERR, Type.PING, RequestFault.NO_HELLO])), 1.1)
    assert [payload[0] for payload in sent(session, 1.11)] == [Type.HELLO]
    session.receive(hello_ok(), 1.12)
    said = [payload for n in range(10) for payload in answer_all(session, 1.2 + n / 10)]
    assert [payload for payload in said if payload[0] == Type.DICE] == [armed]


def test_events_of_an_earlier_life_of_the_chip_are_not_acknowledged_to_it() -> None:
    session = ready()
    sent(session, 0.02)
    for earlier in (EventMark(42, 6, 1), EventMark(41, 7, 1)):
        session.acknowledge(earlier)
        assert [payload for payload in sent(session, 0.1) if payload[0] == Type.EVENT_ACK] == []


def test_two_late_greetings_do_not_make_it_greet_for_ever() -> None:
    session = ready()
    session.receive(hello_ok() * 3, 0.5)
    assert session.ready
    assert not [payload for payload in sent(session, 0.6) if payload[0] == Type.HELLO]


def test_a_refusal_is_told_and_the_next_request_goes_out() -> None:
    session = ready()
    session.buzz([(1, 1)])
    session.show(PICTURE)
    sent(session, 1.0)
    assert session.receive(frame(bytes([Type.ERR, Type.BUZZ, 3])), 1.01) == [Refused(4, 3)]
    assert [payload[0] for payload in sent(session, 1.02)] == [Type.LIGHTS]


def test_a_refusal_of_settings_that_nobody_has_to_keep_is_told_like_any_other() -> None:
    session = ready()
    session.ask_settings(BoardSettings(limit_ma=900))
    sent(session, 1.0)
    assert session.receive(frame(bytes([Type.ERR, Type.SETTINGS, 3])), 1.01) == [Refused(Type.SETTINGS, 3)]


def test_an_answer_to_another_request_answers_none() -> None:
    session = ready()
    session.buzz([(50, 5)])
    (asked,) = sent(session, 1.0)
    for other in (bytes([Type.BUZZ_OK, asked[1] + 1]), bytes([Type.DICE_OK]) + asked[1:2]):
        session.receive(frame(other), 1.01)
        assert session.stuck_since() == 1.0
    session.receive(frame(bytes([Type.BUZZ_OK]) + asked[1:2]), 1.02)
    assert session.stuck_since() is None


def test_patterns_and_pictures_are_numbered_one_after_the_other_and_never_nought() -> None:
    session = ready()
    numbers, pictures = [], []
    for n in range(600):
        session.buzz([(1, 1)])
        session.show(LampPicture((Style(n % 250, 0, 0),), ((1, 0),)))
        for _ in range(3):
            for payload in answer_all(session, 1 + n / 100):
                if payload[0] == Type.BUZZ:
                    numbers.append(payload[1])
                elif payload[0] == Type.LIGHTS:
                    pictures.append(int.from_bytes(payload[1:3], "big"))
    assert numbers == [n % 255 + 1 for n in range(600)]
    assert pictures == list(range(1, 601))


@given(st.integers(0, 2**32))
def test_it_says_exactly_when_it_has_something_to_say(seed: int) -> None:
    chance = Random(seed)
    session, now = Session(host_session=SESSION), 0.0
    for _ in range(60):
        match chance.randrange(8):
            case 0:
                session.show(LampPicture((Style(chance.randrange(256), 0, 0),), ((1, 0),)))
            case 1:
                session.buzz([(1, 1)])
            case 2:
                session.arm_dice(DiceMode.ONCE)
            case 3:
                session.receive(hello_ok(), now)
        due = session.next_at(now)
        early = now + chance.random() * (due - now)
        if early < due:
            assert session.outgoing(early) == b""
        now = due
        assert (answer_all(session, now) if chance.random() < 0.8 else sent(session, now)) != []


def test_settings_that_were_on_their_way_do_not_answer_a_change() -> None:
    session = ready()
    changed = BoardSettings(limit_ma=900)
    session.ask_settings(changed)
    sent(session, 1.0)
    late, answer = (frame(bytes([Type.SETTINGS_OK]) + settings(s)[1:]) for s in (BoardSettings(), changed))
    assert session.receive(late, 1.01) == []
    assert session.receive(answer, 1.02) == [Answered(changed)]
    session.ask_settings()
    sent(session, 1.1)
    assert session.receive(answer, 1.11) == [Answered(changed)]


def test_events_of_an_unknown_kind_are_passed_on() -> None:
    session = ready()
    body = struct.pack(">IIHHB", 7, 1000, 0, 1, 1) + struct.pack(">BIB3s", 99, 990, 3, b"abc")
    (event,) = session.receive(frame(bytes([Type.EVENTS]) + body), 0.1)
    assert isinstance(event, BoardEvent)
    assert event.what == UnknownEvent(99, b"abc")


def test_the_chips_clock_is_read_through_late_messages() -> None:
    clock = ChipClock()
    for n in range(100):
        clock.saw(n * 100, 50 + n / 10 + (0.002 if n % 7 else 0.0005))
    assert abs(clock.at(9950, 60.5, 10490) - 59.95) < 0.002


def test_the_chips_clock_may_run_half_a_percent_wrong() -> None:
    for rate in (0.995, 1.005):
        clock = ChipClock()
        for n in range(3600):
            clock.saw(round(1000 * n * rate), 10 + n + 0.001)
        assert abs(clock.at(round(1000 * 3599.5 * rate), 3610, round(1000 * 3600 * rate)) - 3609.5) < 0.010


def test_the_chips_clock_may_wrap_around() -> None:
    clock = ChipClock()
    clock.saw(2**32 - 500, 100.0)
    clock.saw(500, 101.0)
    assert abs(clock.at(2**32 - 100, 101.0, 500) - 100.4) < 0.01
