"""Hostile match files: refused in one sentence or read, never a crash, and nothing of them is let through."""

import random
import re
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import UserError
from controller.record.files.formats import Format, format_match, read_match_file
from controller.record.files.match_text import mat_names
from controller.record.match.match import MatchRecord
from tests.record.files.test_gnubg_reads import WILD
from tests.record.files.test_matread import DIALECT, XG
from tests.record.matches import terms_of
from tests.record.simulated import simulated
from tests.rows import each_row

SEEDS = (Format.MAT, Format.SGF, Format.OGXM, Format.JSON, "xg", "dialect")
FOREIGN = {"xg": XG.encode(), "dialect": DIALECT.encode()}


@cache
def played() -> MatchRecord:
    return simulated(7, "hubgf-match", 2, WILD)


@cache
def seed(kind: str) -> bytes:
    """A file that is in order."""
    return FOREIGN.get(kind) or format_match(played(), Format(kind))


SPICE = [
    b"\0",
    b"\x1b[2J",
    b"<script>alert(1)</script>",
    b"999999999999999999999999",
    b"-1",
    b"\xff\xfe",
    "\u202e".encode(),
    b"(" * 50,
    b")",
    b"[",
    b"]",
    b";W[66yayayaya]",
    b" Doubles => 99999999",
    b" Takes",
    b" Drops",
    b"66: 24/18(4)",
    b"\n Game 1\n",
    b"Wins 2 points",
    b"bar/off",
    b"\\",
    b'"',
    b"{",
    b"null",
]


def mutated(data: bytes, rng: random.Random) -> bytes:
    for _ in range(rng.randint(1, 4)):
        at, size = rng.randrange(len(data) + 1), rng.choice((0, 1, 1, 2, 8, 60))
        match rng.randrange(4):
            case 0:
                data = data[:at] + data[at + size :]
            case 1:
                data = data[:at] + rng.choice(SPICE) + data[at + size :]
            case 2:
                data = data[:at] + data[at : at + size] * 3 + data[at + size :]
            case _:
                data = data[:at]
    return data


@settings(max_examples=150)
@given(st.sampled_from(SEEDS), st.randoms(use_true_random=False))
def test_a_changed_file_is_refused_in_a_sentence_or_read_and_written(kind: str, rng: random.Random) -> None:
    try:
        record = read_match_file(mutated(seed(kind), rng), "f")
    except UserError as error:
        said = str(error)
    else:
        said = ""
        for form in (Format.MAT, Format.SGF, Format.JSON, Format.HTML, Format.TEXT, Format.SNOWIE):
            assert "\x1b" not in format_match(record, form).decode("utf-8")
    assert "\n" not in said
    assert "\x1b" not in said


@settings(max_examples=100)
@given(st.binary(max_size=300))
def test_bytes_are_refused_in_a_sentence(data: bytes) -> None:
    try:
        read_match_file(data, "f")
    except UserError as error:
        said = str(error)
    else:
        said = ""
    assert "\n" not in said


@each_row("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp1252"])
def test_files_in_any_encoding_are_read(encoding: str) -> None:
    text = XG.replace("Ken", "Ren\u00e9")
    assert read_match_file(text.encode(encoding), "f").light == "Ren\u00e9"


def test_latin_2_is_shown_harmlessly() -> None:
    name = read_match_file(XG.replace("Ken", "\u0160imek").encode("iso-8859-2"), "f").light
    assert name.endswith("imek")
    assert name.isprintable()


def test_names_with_markup_and_control_characters_are_harmless_in_every_form() -> None:
    wicked = '<img src=x onerror="alert(1)">\x1b[31m\n;[White "x"] & ]\\\u202e'
    record = MatchRecord(wicked, wicked[::-1], terms_of(3), played().games, played().facts, (wicked,))
    page = format_match(record, Format.HTML).decode()
    assert "<img" not in page
    assert "&lt;img" in page
    for form in (Format.MAT, Format.SGF, Format.TEXT, Format.HTML, Format.SNOWIE):
        text = format_match(record, form).decode()
        assert "\x1b" not in text
        assert "\u202e" not in text
    columns = re.findall(r"^ (.+?) : \d+", format_match(record, Format.MAT).decode(), re.MULTILINE)
    assert set(columns) == {mat_names(record.light, record.dark)[0]}
    for form in (Format.MAT, Format.SGF, Format.OGXM):
        data = format_match(record, form)
        assert format_match(read_match_file(data, "f"), form) == data


@each_row(
    ("data", "message"),
    [
        (b"", "empty"),
        (b"   \n", "empty"),
        (b"SQLite format 3\0rest", "a database"),
        (b"\x89PNG\r\n\x1a\n\0\0", "no text"),
        (b"x" * 8_000_001, "8000001 bytes"),
        (b"hello", "no line such as"),
    ],
)
def test_what_is_no_match_file_is_named(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_match_file(data, "f")
