"""The lines of JSON that the commands read and write."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given

from controller.errors import UserError
from controller.messages.game_words import reason_words
from controller.rules.forms.jsonlines import judge_line, plays_line
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.rows import each_row
from tests.rules.strategies import positions, rolls, sides


def judged(text: str) -> str:
    return judge_line(text, reason_words)


def line(**changes: Any) -> str:
    turn: dict[str, Any] = {
        "points": list(START.points),
        "bar": {"light": 0, "dark": 0},
        "off": {"light": 0, "dark": 0},
        "turn": "light",
        "dice": [3, 1],
    }
    turn.update(changes)
    return json.dumps({key: value for key, value in turn.items() if value is not ...})


def test_plays_are_listed_beside_their_results() -> None:
    answer = json.loads(plays_line(line()))
    assert set(answer) == {"results", "plays"}
    assert answer["results"] == sorted(answer["results"])
    assert len(answer["results"]) == len(answer["plays"]) == 16
    assert answer["plays"][answer["results"].index("b...BD.B...eE...c.e....B..")] == "8/5 6/5"


def test_dark_writes_its_plays_from_its_own_side() -> None:
    assert "8/5 6/5" in json.loads(plays_line(line(turn="dark")))["plays"]


def test_a_dance_is_cannot_move() -> None:
    answer = json.loads(
        plays_line(
            line(points=[14] + [0] * 17 + [-2] * 6, bar={"light": 1, "dark": 0}, off={"light": 0, "dark": 3})
        )
    )
    assert answer == {"results": ["N.................bbbbbbA."], "plays": ["Cannot Move"]}


def test_a_tray_that_cannot_be_seen_is_inferred() -> None:
    assert plays_line(line(off={"light": None, "dark": None})) == plays_line(line())
    assert plays_line(line(off=None)) == plays_line(line())
    assert plays_line(line(off=...)) == plays_line(line())


def test_a_legal_play_is_named() -> None:
    answer = json.loads(judged(line(after="b...BD.B...eE...c.e....B..")))
    assert answer == {"legal": True, "play": "8/5 6/5", "reasons": []}


def test_an_illegal_play_has_reasons_and_the_nearest_legal_results() -> None:
    answer = json.loads(judged(line(after="b....EAB...eE...c.e....B..")))
    assert answer["legal"] is False
    assert answer["play"] is None
    (reason,) = answer["reasons"]
    assert reason["code"] == "unused_die"
    assert reason["text"].startswith("Only 1 of the 2 playable numbers was used, leaving 3")
    assert reason["dice"] == [3]
    assert answer["explanations"] == [[0]]
    assert 1 <= len(answer["nearest"]) <= 5


def test_a_board_with_a_checker_too_many_is_judged_not_refused() -> None:
    answer = json.loads(judged(line(after="b...BD.B...eE...c.e...AB..")))
    assert [reason["code"] for reason in answer["reasons"]] == ["checker_extra"]


@each_row(
    ("text", "message"),
    [
        ("{", r"not a JSON object with points, bar, off, turn and dice \(Expecting"),
        ("[]", r"not a JSON object .* \(it holds another value\)"),
        (line(points=...), 'no "points"'),
        (line(points="b"), '"points" is "b"'),
        (line(points=[0] * 23), "has 23 points"),
        (line(points=[16, *START.points[1:]]), "Point 1 holds 16"),
        (line(points=[1, *START.points[1:]]), "16 light checkers"),
        (line(points=[-1, *START.points[1:]], off={"light": 0, "dark": 0}), "makes 14 instead of 15"),
        (line(off={"light": 1, "dark": 0}), "makes 16 instead of 15"),
        (line(off={"light": -1, "dark": 0}), '"off" of light is -1'),
        (line(bar=...), 'no "bar"'),
        (line(bar={"light": 0}), '"bar" is'),
        (line(bar={"light": None, "dark": 0}), '"bar" of light is null'),
        (line(bar={"light": 1, "dark": 0}), "16 light checkers"),
        (line(turn=...), 'no "turn"'),
        (line(turn="white"), '"turn" is "white"'),
        (line(turn=["light"]), '"turn" is'),
        (line(dice=...), 'no "dice"'),
        (line(dice=[3]), '"dice" is'),
        (line(dice=[3, 7]), "A die shows 7"),
        (line(dice=[3, "1"]), "A die shows '1'"),
        (line(dice=31), '"dice" is 31'),
    ],
)
def test_a_wrong_line_is_refused_with_the_reason(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        plays_line(text)


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (..., 'no "after"'),
        (3, '"after" is 3'),
        ("b", "cannot be read"),
        ("b...BD.B...eE...c.e....B.x", "cannot be read"),
    ],
)
def test_a_wrong_result_is_refused_with_the_reason(after: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        judged(line(after=after))


FIVE_OFF_WITH_FOUR: dict[str, Any] = {
    "points": [0, 3, 0, 0, 2, 2, *[0] * 18],
    "off": None,
    "dice": [4, 3],
    "after": ".CA.AA....................",
}


@each_row(
    ("counted", "codes"),
    [
        (..., ["bear_off_number_too_small", "checker_missing"]),
        (None, ["bear_off_number_too_small", "checker_missing"]),
        ({"light": None, "dark": 15}, ["bear_off_number_too_small", "checker_missing"]),
        ({"dark": 15}, ["bear_off_number_too_small", "checker_missing"]),
        ({"light": 9, "dark": 15}, ["bear_off_number_too_small"]),
        ({"light": 9}, ["bear_off_number_too_small"]),
        ({"light": 8, "dark": 15}, ["checker_missing"]),
    ],
)
def test_what_was_counted_in_the_trays_tells_borne_off_from_missing(counted: Any, codes: list[str]) -> None:
    answer = json.loads(judged(line(**FIVE_OFF_WITH_FOUR, after_off=counted)))
    assert [reason["code"] for reason in answer["reasons"]] == codes
    assert answer["explanations"] == [[place] for place in range(len(codes))]


def test_too_small_a_number_is_told_with_the_point_and_the_die() -> None:
    (reason,) = json.loads(judged(line(**FIVE_OFF_WITH_FOUR, after_off={"light": 9})))["reasons"]
    assert reason == {
        "code": "bear_off_number_too_small",
        "text": "5/off with a 4 is not allowed: the 4 is too small to bear off from the 5-point.",
        "side": "light",
        "source": 5,
        "target": "off",
        "die": 4,
    }


@each_row(
    ("counted", "message"),
    [
        (9, '"after_off" is 9, but must be'),
        ([9, 15], '"after_off" is'),
        ({"white": 9}, '"after_off" is'),
        ({"light": 16, "dark": 0}, '"after_off" of light is 16, but must be a number from 0 to 15'),
        ({"light": -1, "dark": 0}, '"after_off" of light is -1'),
        ({"light": 9, "dark": "all"}, '"after_off" of dark is "all"'),
        ({"light": True, "dark": 0}, '"after_off" of light is true'),
        ({"light": 9.0, "dark": 0}, '"after_off" of light is 9.0'),
    ],
)
def test_trays_that_cannot_be_are_refused_with_the_reason(counted: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        judged(line(**FIVE_OFF_WITH_FOUR, after_off=counted))


@given(positions(), positions(), sides, rolls)
def test_any_board_that_is_seen_gets_reasons_in_words(
    before: Position, after: Position, side: Side, roll: Roll
) -> None:
    turn = line(
        points=list(before.points),
        bar={each: before.bar(each) for each in Side},
        off=None,
        turn=side,
        dice=list(roll.dice),
        after=after.compact(),
    )
    answer = json.loads(judged(turn))
    for reason in answer["reasons"]:
        assert reason["text"].endswith(".")
        assert reason["side"] in ("light", "dark")
    if not answer["legal"]:
        told = {index for explanation in answer["explanations"] for index in explanation}
        assert told == set(range(len(answer["reasons"])))
        assert answer["nearest"]


@pytest.mark.parametrize("answer", [plays_line, judged])
@pytest.mark.parametrize("depth", [300, 100_000])
def test_deeply_nested_json_is_one_complaint(answer: Callable[[str], str], depth: int) -> None:
    nested = line(after="." * 26)[:-1] + ', "turn": ' + "[" * depth + "]" * depth + "}"
    with pytest.raises(UserError, match=r"nested too deeply|must be"):
        answer(nested)


def family_line(name: str, **changes: Any) -> dict[str, Any]:
    """The answer to a line in a game of the family."""
    answer: dict[str, Any] = json.loads(plays_line(line(**changes), load_profile(name).movement))
    return answer


def test_pins_and_hands_are_read_and_written() -> None:
    pinned = family_line("plakoto", points=[-14] + [0] * 8 + [1] + [0] * 13 + [14], pinned=[10], dice=[6, 1])
    assert "n....................../pinned=10" not in pinned["results"]
    assert all(result[9] != "A" or result.endswith("/pinned=10") for result in pinned["results"])
    acey = family_line("acey-deucey", points=[0] * 24, hand={"light": 15, "dark": 15}, dice=[6, 1])
    assert "..................A....A../hand=13,15" in acey["results"]
    assert "bar/24 bar/19" in acey["plays"]


def test_a_side_has_as_many_checkers_as_its_rules_say() -> None:
    points = [-1, -1, -1] + [0] * 18 + [1, 1, 1]
    assert family_line("hypergammon", points=points)["plays"]
    with pytest.raises(UserError, match="makes 3 instead of 15"):
        plays_line(line(points=points))
    with pytest.raises(UserError, match=r"15 light checkers are on"):
        family_line("hypergammon", off=...)


@each_row("pinned", [[25], [2], ["x"], 5, [True]])
def test_pins_that_cannot_be_are_told(pinned: object) -> None:
    with pytest.raises(UserError, match="pinned"):
        plays_line(line(pinned=pinned))


def test_a_verdict_of_the_family_names_the_rule() -> None:
    text = line(points=[0] * 11 + [-15] + [0] * 11 + [15], dice=[5, 4], after="...........o......AA...M..")
    verdict = json.loads(judge_line(text, reason_words, load_profile("narde").movement))
    assert [reason["code"] for reason in verdict["reasons"]] == ["head_limit"]
    assert verdict["reasons"][0]["direction"] == "parallel"
