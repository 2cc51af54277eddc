"""A TOML document tells what is wrong with file, line and remedy, whatever stands in it."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.errors import UserError
from controller.tomlfile.checks import Check, Flag, Number, OneOf, Several, Text, shown, unfit
from controller.tomlfile.document import LARGEST, Document, parse_document, read_text
from tests.rows import each_row

CHECKS: dict[str, Check] = {"size": Number(1, 9, whole=True), "lid.open": Flag()}


class BoxError(UserError):
    """A box that cannot be used."""


def read(text: str) -> Document:
    return parse_document(text, "box.toml", BoxError, ("box",), ("title",))


def values(text: str) -> dict[str, object]:
    return read(text).section("box", CHECKS)


@each_row(
    "text",
    [
        "[box]\nlid.open = true",
        "box.lid.open = true",
        "[box.lid]\nopen = true",
        "[box]\n'lid.open' = true",
        "box = {lid = {open = true}}",
    ],
)
def test_a_key_with_a_dot_may_be_written_as_toml_allows(text: str) -> None:
    assert values(text) == {"lid.open": True}


@each_row(
    ("text", "told"),
    [
        ("\n[box]\nsise = 1", 'box.toml, line 3: unknown key "sise" (perhaps size is meant); the keys of [box] are'),
        ("[box.lid]\n\nopne = 1", 'line 3: unknown key "lid.opne" (perhaps lid.open is meant)'),
        ("[box]\nlid.open = true\n'lid.open' = false", "lid.open is written twice; keep one."),
        ("[box]\na.b.c.d = 1", 'line 2: unknown key "a.b"'),
        ("[box]\nsize = 0", "line 2: size cannot be 0; it is a whole number from 1 to 9."),
        ("[box]\nsize = {}", "line 2: size cannot be a table; it is"),
        ("[box]\nsize = 1979-05-27", "line 2: size cannot be 1979-05-27; it is"),
        ('[box]\nsize = "' + "x" * 500 + '"', "x...; it is a whole number"),
        ('[box]\nsize = "a\\nb\\u001b"', 'size cannot be "a\\nb\\u001b"; it is'),
        ("[bax]", 'unknown heading "bax" (perhaps box is meant); the headings are title; other'),
        ("box = 3", "box is a section; write [box] on a line of its own"),
        ("[box", "box.toml is not a TOML file: "),
        ("[box]\nsize = " + "[" * 9999, "box.toml is not a TOML file: it is nested too deeply; "),
        ("[box]\nsize = " + "9" * 9999, "box.toml is not a TOML file: "),
    ],
)  # fmt: skip
def test_a_mistake_is_one_sentence_with_its_line(text: str, told: str) -> None:
    with pytest.raises(BoxError) as caught:
        values(text)
    assert told in str(caught.value)
    assert len(str(caught.value)) < 300
    assert str(caught.value).isprintable()


@each_row("sign", ["\u200b", "\u2060", "\u00ad", "\ufeff", "\x07"])
def test_a_sign_that_cannot_be_seen_is_named(sign: str) -> None:
    told = f"it has a sign that cannot be seen, U+{ord(sign):04X}: take it out."
    for check, raw in ((Text(60, "a name"), f"An{sign}na"), (Several(Text(), 3), ["Anna", f"Be{sign}la"])):
        assert f"{unfit(check, raw)}." == told
    with pytest.raises(BoxError) as fault:
        parse_document(f"title = {json.dumps(f'An{sign}na')}", "box.toml", BoxError, (), ("title",)).heading(
            "title", Text(60, "a name"), ""
        )
    assert str(fault.value).endswith(told)


def test_a_text_that_is_too_long_is_told_its_length() -> None:
    assert unfit(Text(3, "a name"), "Anna") == "it is a name in quotation marks, of 1 to 3 characters"
    assert unfit(Number(1, 9, whole=True), "\u200b") == "it is a whole number from 1 to 9"


def test_a_heading_is_checked_as_a_key_is() -> None:
    assert read('title = " a "').heading("title", Text(), "none") == "a"
    assert read("").heading("title", Text(), "none") == "none"
    with pytest.raises(BoxError, match=r"line 2: title cannot be 3; it is a text"):
        read("\ntitle = 3").heading("title", Text(), "none")


@given(st.text(st.characters(blacklist_categories=("Cs",)), max_size=40))
def test_any_text_is_a_document_or_one_printable_sentence(text: str) -> None:
    try:
        values(text)
    except BoxError as error:
        sentence = str(error)
    else:
        sentence = "a document"
    assert sentence.isprintable()


def test_a_file_is_read_or_told_with_the_remedy(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_bytes(b"\xef\xbb\xbftitle = 'a'")
    assert read_text(path, BoxError, "name a box") == "title = 'a'"
    with pytest.raises(BoxError, match=r"cannot be read .*; name a box"):
        read_text(tmp_path, BoxError, "name a box")
    path.write_bytes(b" " * (LARGEST + 1))
    with pytest.raises(BoxError, match="larger than 1000 kB; name a box"):
        read_text(path, BoxError, "name a box")
    path.write_bytes(b"\xff")
    with pytest.raises(BoxError, match="UTF-8"):
        read_text(path, BoxError, "name a box")


@each_row(
    ("check", "good", "bad", "wording"),
    [
        (Flag(), [True], [1, "true"], "true or false"),
        (Number(0.5, 3), [0.5, 1, 3], [True, 0.4, "1", float("nan")], "a number from 0.5 to 3"),
        (Number(1.0, 3.0, "mm"), [2], [4], "a number from 1 to 3 (mm)"),
        (Number(1, 3, whole=True), [1], [1.0, True], "a whole number from 1 to 3"),
        (OneOf(("a", 2, None)), ["a", 2, "none"], [True, 2.0, "b", None, []], '2, "a" or "none"'),
        (OneOf(range(9)), [8], [9], "0, 1, ... or 8"),
        (OneOf(("a",)), ["a"], ["b"], '"a"'),
        (Several(Flag(), 2), [[], [True], True, [True, False]], [[True, True], [1]], "a list [...] of 0 to 2 diff"),
        (Several(Flag(), 2, 2, repeat=True), [[True, True]], [True], "a list [...] of 2 values, each true or false"),
    ],
)  # fmt: skip
def test_a_value_is_checked_and_described(
    check: Check, good: list[object], bad: list[object], wording: str
) -> None:
    for raw in good:
        check.value(raw)
    for raw in bad:
        with pytest.raises(ValueError, match=r"^$"):
            check.value(raw)
    assert check.wording().startswith(wording)


def test_values_are_shown_as_toml_writes_them() -> None:
    assert shown(["a", True, 2.5, {"b": 1}]) == '["a", true, 2.5, a table]'
