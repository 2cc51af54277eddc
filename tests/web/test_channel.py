"""The ring of messages: a page that was away hears all it missed, or is told that it must begin anew."""

import json

from controller.web.channel import BYTES, MESSAGES, Channel, State, changes, reckon
from tests.rows import each_row

RUN = "run"
CLOCK: State = {"light_s": 300.0, "dark_s": 300.0, "delay_s": 8.0, "runs": "light", "at_ms": 0}


def told(messages: int, content: str = "") -> Channel:
    """A channel that has told so much."""
    channel = Channel(RUN, {}, 0)
    for number in range(messages):
        channel.change({"number": number}, number, [{"kind": "said", "content": content}])
    return channel


def numbers(texts: list[str]) -> list[int]:
    return [json.loads(text)["seq"] for text in texts]


def test_a_page_hears_every_message_it_missed_or_is_told_that_it_cannot() -> None:
    channel = told(MESSAGES + 3)
    for seq in range(MESSAGES + 4):
        missed = channel.since(RUN, seq)
        if seq < 3:
            assert missed is None, "the next message is not there any more"
            assert channel.changed_since(seq) is None
        else:
            assert missed is not None
            assert numbers(missed) == list(range(seq + 1, MESSAGES + 4))


def test_a_page_that_misses_one_message_only_hears_that_one() -> None:
    assert numbers(told(5).since(RUN, 4) or []) == [5]
    assert told(5).since(RUN, 5) == []


def test_long_messages_are_forgotten_earlier_and_what_follows_them_is_kept_as_long_as_ever() -> None:
    channel = told(8, content="x" * (BYTES // 4))
    kept = [seq for seq in range(9) if channel.since(RUN, seq) is not None]
    assert kept == [5, 6, 7, 8], "three of a quarter and a little, and none"
    for number in range(MESSAGES):
        channel.change({"number": -1 - number}, number, [{"kind": "said"}])
    assert channel.since(RUN, 8) is not None
    assert channel.since(RUN, 7) is None


def test_the_delay_of_a_clock_is_used_up_before_its_time() -> None:
    assert reckon(CLOCK, 5_000) == CLOCK | {"delay_s": 3.0, "at_ms": 5_000}
    assert reckon(CLOCK, 8_000) == CLOCK | {"delay_s": 0.0, "at_ms": 8_000}
    assert reckon(CLOCK, 10_000) == CLOCK | {"delay_s": 0.0, "light_s": 298.0, "at_ms": 10_000}


@each_row(("changed", "sent"), [({}, False), ({"delay_s": 8.0}, True), ({"light_s": 292.0}, True)])
def test_a_page_is_told_of_a_clock_that_it_does_not_reckon_itself(changed: State, sent: bool) -> None:
    later = reckon(CLOCK, 2_000) | changed
    assert bool(changes({"clock": CLOCK}, {"clock": later})) is sent
