"""Every argument of every public function: what it cannot use ends in one sentence, whatever kind of thing it is."""

import decimal
import fractions
import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pointsman
from pointsman import Board, Match, Move, Position, Roll, UserError
from tests.rows import each_row
from tests.test_imports import ROOT

PROMISED = Path(__file__).parent / "promised.txt"
PICTURED = ROOT / "tests" / "data"


def played() -> Board:
    """A board with one play on it."""
    board = Board()
    board.push("8/5 6/5", (3, 1))
    return board


START = Position.start()
VERDICT = pointsman.judge(START, START, (3, 1))
MATCH = Match.of(played())

CALLS: Mapping[str, tuple[Callable[..., object], Mapping[str, object]]] = {
    "Board": (Board, {"position": START, "variant": "standard", "turn": "light"}),
    "Board.copy": (Board().copy, {}),
    "Board.legal_plays": (Board().legal_plays, {"roll": (3, 1)}),
    "Board.parse": (Board().parse, {"text": "8/5 6/5", "roll": (3, 1)}),
    "Board.peek": (played().peek, {}),
    "Board.pop": (lambda: played().pop(), {}),
    "Board.push": (
        lambda play, roll: Board().push(play, roll),
        {"play": "8/5 6/5", "roll": (3, 1)},
    ),
    "Match.of": (Match.of, {"boards": played(), "light": "Anna", "dark": "Bela", "length": 5}),
    "Match.ratings": (MATCH.ratings, {"engine": "jellyfish", "plies": 0, "progress": None}),
    "Match.text": (MATCH.text, {"form": "mat"}),
    "Match.write": (MATCH.write, {"path": "nowhere/at/all.mat", "form": "mat", "overwrite": False}),
    "Position.bar": (START.bar, {"side": "light"}),
    "Position.compact": (START.compact, {}),
    "Position.count": (START.count, {"side": "light", "point": 6}),
    "Position.diagram": (START.diagram, {"viewer": "light"}),
    "Position.from_compact": (
        Position.from_compact,
        {"text": START.compact(), "turn": "light", "variant": "standard", "seen": False},
    ),
    "Position.from_gnu_id": (
        Position.from_gnu_id,
        {"text": "4HPwATDgc/ABMA", "turn": "light", "variant": "standard"},
    ),
    "Position.from_xgid": (Position.from_xgid, {"text": START.xgid(), "variant": "standard"}),
    "Position.gnu_id": (START.gnu_id, {}),
    "Position.is_legal": (START.is_legal, {"text": "8/5 6/5", "roll": (3, 1)}),
    "Position.legal_plays": (START.legal_plays, {"roll": (3, 1), "profile": "standard"}),
    "Position.mirrored": (START.mirrored, {}),
    "Position.of": (
        Position.of,
        {"points": START.points, "bar": (0, 0), "turn": "light", "variant": "standard"},
    ),
    "Position.off": (START.off, {"side": "light"}),
    "Position.parse": (START.parse, {"text": "8/5 6/5", "roll": (3, 1)}),
    "Position.pips": (START.pips, {"side": "light"}),
    "Position.play": (START.play, {"play": "8/5 6/5", "roll": (3, 1)}),
    "Position.results": (START.results, {"roll": (3, 1)}),
    "Position.start": (Position.start, {"variant": "standard", "turn": "light"}),
    "Position.svg": (START.svg, {"viewer": "light"}),
    "Position.with_cube": (START.with_cube, {"value": 2, "owner": "light"}),
    "Position.with_roll": (START.with_roll, {"roll": (3, 1)}),
    "Position.with_score": (START.with_score, {"light": 1, "dark": 2, "length": 7, "crawford": False}),
    "Position.with_turn": (START.with_turn, {"turn": "dark"}),
    "Position.with_variant": (START.with_variant, {"variant": "standard"}),
    "Position.xgid": (START.xgid, {}),
    "Reason.text": (VERDICT.reasons[0].text, {"language": "en"}),
    "Roll": (Roll, {"high": 3, "low": 1}),
    "Verdict.sentences": (VERDICT.sentences, {"language": "en"}),
    "best_plays": (
        pointsman.best_plays,
        {"position": START, "roll": (3, 1), "engine": "jellyfish", "plies": 0},
    ),
    "engines": (pointsman.engines, {}),
    "format_play": (pointsman.format_play, {"play": (Move(8, 5), Move(6, 5))}),
    "judge": (
        pointsman.judge,
        {"before": START, "after": START, "roll": (3, 1), "profile": "standard", "off": (0, 0)},
    ),
    "parse_play": (pointsman.parse_play, {"text": "8/5 6/5", "backwards": False}),
    "read_board": (pointsman.read_board, {"picture": b"", "board": "nowhere.toml", "variant": "standard"}),
    "read_match": (pointsman.read_match, {"path": ROOT / "README.md", "encoding": "utf-8"}),
    "variants": (pointsman.variants, {}),
}
"""Each public function with arguments that it can use, or that it refuses for a reason of the machine alone."""


class Mute:
    """Something that cannot even write itself."""

    def __repr__(self) -> str:
        """No text."""
        raise RuntimeError


PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-30, 30),
    st.sampled_from([21, 40, 5000]).map(lambda power: 10**power),
    st.floats(),
    st.complex_numbers(),
    st.text(max_size=12),
    st.sampled_from(
        ["light", "dark", "31", "3-1", "standard", "8/5 6/5", "en", "mat", "\0", "x\ny", "gnubg\0"]
    ),
    st.binary(max_size=4),
    st.builds(object),
    st.builds(Mute),
    st.sampled_from(
        [decimal.Decimal(3), fractions.Fraction(3, 2), np.int64(3), np.float64(3), np.True_, int]
    ),
    st.sampled_from(
        [np.zeros((2, 2)), np.array([3, 1]), np.array(["3", "1"]), np.array(3), np.array([[3], [1]])]
    ),
    st.sampled_from([START, MATCH, VERDICT, Roll(3, 1), Move(8, 5), pointsman.LIGHT, ROOT / "no\0where"]),
)
ANYTHING = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.tuples(inner, inner),
        st.lists(inner, min_size=24, max_size=24),
        st.dictionaries(st.text(max_size=2), inner, max_size=2),
        st.frozensets(st.integers(1, 6), max_size=2),
    ),
    max_leaves=4,
)


def test_every_public_function_is_among_those_that_are_tried() -> None:
    promised = PROMISED.read_text(encoding="utf-8").splitlines()
    functions = {line.partition("(")[0] for line in promised if "(" in line}
    assert functions | {"Board", "Roll"} == set(CALLS)
    for name, (function, arguments) in CALLS.items():
        assert set(inspect.signature(function).parameters) == set(arguments), name


@each_row("name", CALLS)
@settings(
    max_examples=40,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(data=st.data())
def test_what_a_function_cannot_use_ends_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, data: st.DataObject
) -> None:
    monkeypatch.chdir(tmp_path)
    function, usable = CALLS[name]
    if not usable:
        return
    wrong = data.draw(st.sampled_from(sorted(usable)))
    if (name, wrong) == ("Match.ratings", "progress"):
        return
    arguments: dict[str, Any] = {**usable, wrong: data.draw(ANYTHING)}
    said = "It can be used."
    try:
        function(**arguments)
    except UserError as error:
        said = str(error)
    assert "\n" not in said
    assert said.endswith(".")


ROWS = ((3, 1), [3, 1], np.array([3, 1]), np.array([3, 1], dtype=np.uint8), [np.int64(1), np.int16(3)], "31")


@each_row("roll", ROWS)
def test_a_roll_is_two_whole_numbers_in_any_row(roll: Any) -> None:
    assert START.with_roll(roll).roll == Roll(3, 1) == Roll(np.int8(1), np.int64(3))  # type: ignore[arg-type]
    assert type(Roll(np.int8(1), 3).low) is int  # type: ignore[arg-type]


NO_ROLLS = (
    (3.0, 1),
    [3.0, 1.0],
    np.array([3.0, 1.0]),
    (True, 1),
    {3, 1},
    {3: 1, 1: 3},
    b"31",
    ([1], 2),
    ("3", "1"),
)


@each_row("roll", NO_ROLLS)
def test_what_is_no_row_of_whole_numbers_is_no_roll_whatever_it_lies_in(roll: Any) -> None:
    with pytest.raises(UserError, match="must be two numbers from 1 to 6"):
        START.legal_plays(roll)


def test_a_text_as_the_position_of_a_board_is_told_how_a_variant_begins() -> None:
    for text in ("nackgammon", START.compact()):
        with pytest.raises(UserError, match=r"Board\(variant=\.\.\.\).*variants\(\).*from_compact"):
            Board(text)  # type: ignore[arg-type]
