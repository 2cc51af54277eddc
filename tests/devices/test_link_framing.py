"""Frames: whatever comes in, nothing breaks and the next good frame is taken."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.devices.link import messages
from controller.devices.link.framing import MAX_PAYLOAD, FrameParser, frame

payloads = st.binary(min_size=1, max_size=MAX_PAYLOAD)


@given(payloads)
def test_a_frame_holds_no_delimiter_inside_and_gives_its_payload_back(payload: bytes) -> None:
    wire = frame(payload)
    assert wire[0] == wire[-1] == 0
    assert 0 not in wire[1:-1]
    assert FrameParser().feed(wire) == [payload]


@given(st.lists(payloads, max_size=8), st.data())
def test_it_does_not_matter_how_the_bytes_are_cut(sent: list[bytes], data: st.DataObject) -> None:
    wire = b"".join(frame(payload) for payload in sent)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=10)))
    parser = FrameParser()
    got: list[bytes] = []
    for start, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        got += parser.feed(wire[start:end])
    assert got == sent
    assert parser.bad == 0


@given(st.binary(max_size=2000), payloads)
def test_after_any_noise_the_next_good_frame_is_taken(noise: bytes, payload: bytes) -> None:
    parser = FrameParser()
    parser.feed(noise)
    assert parser.feed(frame(payload))[-1] == payload


@given(payloads, st.data())
def test_a_changed_byte_is_never_taken_for_good(payload: bytes, data: st.DataObject) -> None:
    wire = bytearray(frame(payload))
    wire[data.draw(st.integers(1, len(wire) - 2))] ^= data.draw(st.integers(1, 255))
    assert payload not in FrameParser().feed(bytes(wire))


@given(st.binary(max_size=140))
def test_any_payload_is_parsed_or_passed_over(payload: bytes) -> None:
    messages.parse(payload)


def test_a_frame_that_never_ends_takes_no_memory() -> None:
    parser = FrameParser()
    for _ in range(1000):
        assert parser.feed(b"\x55" * 1000) == []
    assert parser.feed(b"\0") == []
    assert parser.bad == 1
    assert parser.feed(frame(b"ok")) == [b"ok"]


@pytest.mark.parametrize("cut", [1, 7, 10_000])
def test_a_good_frame_with_more_behind_it_than_fits_is_dropped_however_it_is_cut(cut: int) -> None:
    longest = frame(bytes(range(1, MAX_PAYLOAD + 1))).strip(b"\0")
    sent = longest + b"\x55\0" + frame(b"ok")
    parser = FrameParser()
    taken = [each for at in range(0, len(sent), cut) for each in parser.feed(sent[at : at + cut])]
    assert taken == [b"ok"]
    assert parser.bad == 1
    assert parser.feed(b"\0" + longest + b"\0") == [bytes(range(1, MAX_PAYLOAD + 1))]


def test_the_delimiter_of_one_frame_serves_the_next() -> None:
    assert FrameParser().feed(frame(b"a")[:-1] + frame(b"b")) == [b"a", b"b"]


@pytest.mark.parametrize("length", [0, MAX_PAYLOAD + 1])
def test_payloads_that_do_not_fit_are_refused(length: int) -> None:
    with pytest.raises(ValueError, match=str(length)):
        frame(bytes(length))


def test_pictures_that_the_chip_does_not_take_are_refused() -> None:
    style = messages.Style(1, 2, 3)
    for picture in (
        messages.LampPicture((style,) * 13, ()),
        messages.LampPicture((), ((0, 0),) * 41),
        messages.LampPicture((style,), ((2, 0),)),
        messages.LampPicture((style,), ((1, 16),)),
    ):
        with pytest.raises(ValueError, match=r"a picture of|a lamp with"):
            messages.lights(1, picture)
    with pytest.raises(ValueError, match="17 steps"):
        messages.buzz(1, [(1, 1)] * 17)
