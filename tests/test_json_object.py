"""JSON objects in texts that anybody may have written."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.json_object import parse_object
from tests.rows import each_row

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


@given(st.dictionaries(st.text(), VALUES))
def test_an_object_is_read_as_it_was_written_from_text_and_from_bytes(value: dict[str, Any]) -> None:
    assert parse_object(json.dumps(value)) == value
    assert parse_object(json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")) == value


@each_row(
    ("text", "complaint"),
    [
        ("", "Expecting value"),
        ('{"a": 1', "Expecting"),
        (b"\0" * 16, "Expecting value"),
        (b'{"a": "\xff"}', "decode"),
        ("[1]", "another value"),
        ("null", "another value"),
        ('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}", "nested too deeply"),
    ],
)
def test_whatever_else_a_text_holds_is_one_kind_of_error(text: str | bytes, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        parse_object(text)
