"""GNU Backgammon's ids, as its binary writes them, doubles, beavers, passes and resignations that wait among them."""

import base64
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.rules.forms.gnuid import (
    GnuState,
    Stage,
    from_gnu_id,
    from_match_id,
    from_position_id,
    is_gnu_id,
    match_id,
    position_id,
)
from controller.rules.forms.xgid import IdError, OfferCode
from controller.rules.position import START, Position, Side
from tests.record.gnubg import run_commands
from tests.rows import each_row
from tests.rules.strategies import positions, sides

BY_HAND = [
    "set automatic roll off",
    "set automatic game off",
    "set automatic move off",
    "set player 0 human",
    "set player 1 human",
    "set confirm new off",
    "set beavers 3",
]
LIGHT_TO_ROLL = ["new session", "set turn 1", "set board 4HPwATDgc/ABMA"]
SITUATIONS = {
    "roll": [*LIGHT_TO_ROLL, "set dice 31"],
    "double": [*LIGHT_TO_ROLL, "double"],
    "beaver": [*LIGHT_TO_ROLL, "double", "redouble"],
    "raccoon": [*LIGHT_TO_ROLL, "double", "redouble", "redouble"],
    "passed": [*LIGHT_TO_ROLL, "double", "drop"],
    "resigns a gammon": [*LIGHT_TO_ROLL, "set dice 31", "resign gammon"],
    "resigns a backgammon": [*LIGHT_TO_ROLL, "resign backgammon"],
    "dark resigns": ["new match 5", "set turn 0", "resign normal"],
    "resigned": ["new match 5", "set turn 0", "resign normal", "agree"],
    "taken": ["new match 7", "set turn 0", "double", "take"],
}


def printed(situation: str, folder: Path) -> tuple[str, str]:
    said = run_commands([*BY_HAND, *SITUATIONS[situation], "show board"], folder)
    shown = re.findall(r"Position ID: (\S+).*?Match ID\s*: (\S+)", said, re.DOTALL)
    position, match = shown[-1]
    return position, match


@pytest.mark.parametrize("situation", SITUATIONS)
def test_what_gnubg_prints_goes_round(situation: str, tmp_path: Path) -> None:
    position, match = printed(situation, tmp_path)
    state = from_match_id(match)
    assert match_id(state) == match
    assert position_id(from_position_id(position, state.on_roll), state.on_roll) == position


def test_what_waits_for_an_answer_is_told() -> None:
    double, beaver, raccoon = map(from_match_id, ("cBEAAAAAAAAE", "QRkAAAAAAAAE", "QhEAAAAAAAAE"))
    assert (double.offer, double.cube, double.turn) == (OfferCode.DOUBLE, 1, Side.DARK)
    assert (beaver.offer, beaver.cube, beaver.owner, beaver.turn) == (
        OfferCode.BEAVER,
        2,
        Side.DARK,
        Side.LIGHT,
    )
    assert (raccoon.offer, raccoon.cube, raccoon.turn) == (OfferCode.RACCOON, 4, Side.DARK)
    passed, resigning = map(from_match_id, ("cAQAAAAACAAE", "cMEFAAAAAAAE"))
    assert (passed.stage, passed.score, passed.offer) == (Stage.PASSED, (1, 0), OfferCode.NONE)
    assert (resigning.resigned, resigning.dice, resigning.turn) == (2, (3, 1), Side.DARK)


states = st.builds(
    GnuState,
    on_roll=sides,
    turn=sides,
    dice=st.none() | st.tuples(st.integers(1, 6), st.integers(1, 6)),
    cube=st.sampled_from([1, 2, 4, 1024]),
    owner=st.none() | sides,
    doubled=st.booleans(),
    resigned=st.integers(0, 3),
    stage=st.sampled_from(Stage),
    length=st.integers(0, 32_767),
    score=st.tuples(st.integers(0, 32_767), st.integers(0, 32_767)),
    crawford=st.booleans(),
    jacoby=st.booleans(),
)


@given(states)
def test_every_state_comes_back(state: GnuState) -> None:
    assert from_match_id(match_id(state)) == state


@given(positions(), sides)
def test_every_position_comes_back(position: Position, on_roll: Side) -> None:
    assert from_position_id(position_id(position, on_roll), on_roll) == position


@given(st.binary(min_size=19, max_size=19))
def test_any_bits_are_an_id_or_refused_in_a_sentence(data: bytes) -> None:
    position, match = (base64.b64encode(part).decode().rstrip("=") for part in (data[:10], data[10:]))
    assert is_gnu_id(f"{position}:{match}")
    try:
        seen, state = from_gnu_id(f"{position}:{match}")
    except IdError as error:
        said = str(error)
    else:
        said = ""
        assert match_id(state) == match
        assert from_position_id(position_id(seen, state.on_roll), state.on_roll) == seen
    assert "\n" not in said


@each_row(
    ("text", "message"),
    [
        ("4HPwATDgc/ABMA:cAkAAAAAAAA", "must be 12 characters"),
        ("4HPwATDgc/ABM:cAkAAAAAAAAE", "must be 14 characters"),
        ("4HPwATDgc/ABM\u00e9:cAkAAAAAAAAE", "must be 14 characters"),
        ("/////////////w:cAkAAAAAAAAE", "more than 15 checkers"),
        ("4HPwATDgc/ABMA:cIkHAAAAAAAE", "the dice"),
        ("4HPwATDgc/ABMA:cA8AAAAAAAAE", "no match can be"),
    ],
)
def test_what_is_no_id_is_refused(text: str, message: str) -> None:
    with pytest.raises(IdError, match=message):
        from_gnu_id(text)


def test_the_start_has_its_well_known_id() -> None:
    assert position_id(START, Side.LIGHT) == "4HPwATDgc/ABMA"
