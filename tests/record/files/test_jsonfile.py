"""Our own JSON: nothing is lost, and nothing that makes no sense is taken."""

import copy
import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.record.files.jsonfile import json_text, read_json
from controller.record.files.match_text import MatchFileError
from controller.rules.forms.xgid import from_xgid
from tests.record.files.test_gnubg_reads import KINDS, WILD
from tests.record.files.test_matread import OTHER_RULES, records_of
from tests.record.simulated import simulated
from tests.rows import each_row


@each_row("kind", [*KINDS, *OTHER_RULES])
def test_a_match_comes_back_as_it_was(kind: str) -> None:
    for record in records_of(kind)[:20]:
        text = json_text(record)
        again = read_json(text, "x.json")
        assert again == record
        assert [profile.name for profile in again.terms.profiles] == [
            profile.name for profile in record.terms.profiles
        ]
        assert json_text(again) == text


def test_every_turn_tells_its_xgid() -> None:
    record = records_of("tidy match")[1]
    content = json.loads(json_text(record))
    turns = [entry for game in content["games"] for entry in game["entries"] if entry["entry"] == "turn"]
    for turn in turns:
        position, state = from_xgid(turn["xgid"])
        assert position.compact() == turn["before"]
        assert (str(state.on_roll), list(state.roll.dice if state.roll else ())) == (
            turn["player"],
            turn["dice"],
        )
    cubes = {from_xgid(turn["xgid"])[1].cube for turn in turns}
    assert cubes >= {1, 2}


SAMPLE: dict[str, Any] = json.loads(json_text(simulated(5, "hubgf-match", 3, WILD)))


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(place for key, child in inner for place in places(child, (*path, key)))]


PLACES = places(SAMPLE)[1:]
ANYTHING = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=8),
    st.just([]),
    st.just({}),
    st.just(10**30),
)


@given(st.randoms(use_true_random=False), ANYTHING)
def test_a_changed_file_is_read_or_refused_in_a_sentence(rng: random.Random, value: object) -> None:
    content = copy.deepcopy(SAMPLE)
    *path, last = rng.choice(PLACES)
    inner: Any = content
    for key in path:
        inner = inner[key]
    if value == {}:
        del inner[last]
    else:
        inner[last] = value
    refused = ""
    try:
        json_text(read_json(json.dumps(content), "x.json"))
    except MatchFileError as error:
        refused = str(error)
    assert "\n" not in refused
    assert not refused or "x.json" in refused


@each_row(
    ("text", "message"),
    [
        ("[" * 100_000, "is no JSON"),
        ("{", "is no JSON"),
        ("[]", "no match of Pointsman"),
        ('{"format": "other"}', "no match of Pointsman"),
        ('{"format": "pointsman match", "version": 2}', "has version 2"),
        ('{"format": "pointsman match", "version": 1}', "cannot be read in its head"),
    ],
)
def test_what_is_no_match_is_told_in_a_sentence(text: str, message: str) -> None:
    with pytest.raises(MatchFileError, match=message):
        read_json(text, "x.json")
