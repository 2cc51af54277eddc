"""What a film's verdicts stated is held against what was played."""

from typing import Any

import pytest

from controller.rules.position import START
from tests.bench.bench_film import stated_of
from tests.bench.films import Told
from tests.bench.reliability import Stated
from tests.rows import each_row

HERE, ELSEWHERE = START.compact(), "b...BD.B...eE...c.e....B.."


def truth(legal: bool) -> dict[str, Any]:
    after = {"points": list(START.points), "bar": {"light": 0, "dark": 0}}
    return {"ply": 0, "player": "light", "dice": [3, 1], "legal": legal, "after": after}


def line(legal: bool | None, position: str = HERE, dice: tuple[int, int] = (3, 1)) -> dict[str, Any]:
    return {"player": "light", "dice": [*dice], "legal": legal, "position": position, "probability": 0.97}


@each_row(
    ("legal", "lines", "so"),
    [
        (True, [line(True)], True),
        (True, [line(True, ELSEWHERE)], False),
        (True, [line(True, dice=(3, 2))], False),
        (True, [line(False)], False),
        (False, [line(False, dice=(3, 2))], True),
        (False, [line(True)], False),
        (False, [line(False, ELSEWHERE), line(True)], True),
        (True, [line(False, ELSEWHERE), line(True)], False),
    ],
)
def test_a_ply_is_so_with_its_board_its_roll_and_whether_a_rule_was_broken(
    legal: bool, lines: list[dict[str, Any]], so: bool
) -> None:
    assert stated_of((truth(legal),), Told({0: lines}, {}, {}, ())) == [Stated(0.97, so)]


@pytest.mark.parametrize("lines", [[], [line(None)], [line(False), line(None)]])
def test_a_ply_that_is_not_confirmed_states_nothing(lines: list[dict[str, Any]]) -> None:
    assert stated_of((truth(False),), Told({0: lines}, {}, {}, ())) == []
