"""Picture files: whole ones are read, all others refused by name, whatever their bytes."""

from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.arrays import Picture
from controller.devices.pictures import (
    PictureError,
    claimed_size,
    is_cut_short,
    load_picture,
    picture_in,
)
from tests.rows import each_row

FORMATS = (".jpg", ".png", ".bmp", ".webp")


def scene(width: int = 320, height: int = 240) -> Picture:
    rng = np.random.default_rng(7)
    noise = rng.integers(0, 255, (height // 8, width // 8, 3)).astype(np.uint8)
    return np.asarray(cv2.resize(noise, (width, height)), np.uint8)


def encoded(suffix: str, picture: Picture | None = None) -> bytes:
    return bytes(cv2.imencode(suffix, scene() if picture is None else picture)[1].tobytes())


def outcome(data: bytes) -> str:
    """What becomes of a file: that it is a picture, or the sentence that refuses it."""
    try:
        picture = picture_in(data, "shot.jpg")
    except PictureError as error:
        return str(error)
    assert picture.dtype == np.uint8
    assert picture.ndim == 3
    return "a picture"


@each_row("suffix", [*FORMATS, ".tif"])
def test_whole_files_of_all_usual_formats_are_read(suffix: str) -> None:
    assert picture_in(encoded(suffix), "shot").shape == (240, 320, 3)


@each_row("suffix", FORMATS)
@each_row("size", [(320, 240), (641, 479)])
def test_a_file_tells_its_size_before_it_is_decoded(suffix: str, size: tuple[int, int]) -> None:
    assert claimed_size(encoded(suffix, scene(*size))[:2000]) == size


@pytest.mark.parametrize("suffix", FORMATS)
@given(share=st.floats(0.0, 0.995))
@settings(max_examples=25, deadline=None)
def test_a_file_that_is_cut_short_is_refused(suffix: str, share: float) -> None:
    data = encoded(suffix)
    assert outcome(data[: int(share * len(data))]) != "a picture"


@pytest.mark.parametrize("suffix", FORMATS)
def test_a_whole_file_is_not_called_cut_short(suffix: str) -> None:
    assert not is_cut_short(encoded(suffix))


@pytest.mark.parametrize("suffix", FORMATS)
@given(damage=st.lists(st.tuples(st.floats(0, 0.999), st.integers(0, 255)), min_size=1, max_size=12))
@settings(max_examples=40, deadline=None)
def test_damaged_bytes_are_a_picture_or_one_clear_sentence(
    suffix: str, damage: list[tuple[float, int]]
) -> None:
    data = bytearray(encoded(suffix))
    for place, value in damage:
        data[int(place * len(data))] = value
    told = outcome(bytes(data))
    assert told == "a picture" or told.startswith("shot.jpg ")


@given(st.binary(max_size=200))
@settings(deadline=None)
def test_bytes_that_are_no_picture_are_refused(data: bytes) -> None:
    for head in (b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n", b"BM", b"RIFF\x00\x00\x00\x00WEBP"):
        assert outcome(head + data).startswith("shot.jpg ")


def test_a_huge_picture_is_refused_without_decoding_it() -> None:
    header = encoded(".png")[:16] + (10_000).to_bytes(4, "big") + (8000).to_bytes(4, "big")
    assert outcome(header + bytes(100)) == (
        "shot.jpg has 10000x8000 pixels; scale it down to 1920 pixels across."
    )


def test_a_tiny_picture_is_refused() -> None:
    assert "has only 64x48 pixels" in outcome(encoded(".png", scene(64, 48)))


def test_sixteen_bits_a_channel_are_read_as_eight() -> None:
    deep = np.asarray(scene(), np.uint16) * 257
    read = picture_in(bytes(cv2.imencode(".png", deep)[1].tobytes()), "deep.png")
    assert read.dtype == np.uint8
    assert np.abs(read.astype(int) - scene()).max() <= 1


def test_a_grey_picture_has_three_channels() -> None:
    grey = cv2.cvtColor(scene(), cv2.COLOR_BGR2GRAY)
    assert picture_in(bytes(cv2.imencode(".png", grey)[1].tobytes()), "grey.png").shape == (240, 320, 3)


def test_a_folder_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(PictureError, match="cannot be read"):
        load_picture(tmp_path)


@pytest.mark.parametrize("brand", [b"heic", b"mif1", b"heix"])
def test_a_heic_picture_is_named_with_its_remedy(brand: bytes) -> None:
    data = b"\0\0\0\x18ftyp" + brand + b"\0\0\0\0mif1heic" + bytes(2000)
    assert "is a HEIC picture; save it as JPEG" in outcome(data)


@pytest.mark.parametrize(("tag", "turned"), [(1, 0), (3, 2), (6, 1), (8, 3)])
def test_the_tag_for_the_orientation_is_followed(tag: int, turned: int) -> None:
    """The tag is one field of an Exif segment (CIPA DC-008): 3, 6 and 8 are turns by a half and quarters."""
    upright = scene(320, 240)
    field = (0x0112).to_bytes(2, "big") + b"\0\3\0\0\0\1" + tag.to_bytes(2, "big") + b"\0\0"
    body = b"Exif\0\0MM\0*\0\0\0\x08\0\1" + field + b"\0\0\0\0"
    segment = b"\xff\xe1" + (len(body) + 2).to_bytes(2, "big") + body
    lying = np.ascontiguousarray(np.rot90(upright, turned))
    data = encoded(".jpg", lying)
    seen = picture_in(data[:2] + segment + data[2:], "shot.jpg")
    assert seen.shape == upright.shape
    assert np.abs(seen.astype(int) - upright).mean() < 10
