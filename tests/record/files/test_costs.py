"""Hostile match files cost what their length asks for: eight times as much takes some eight times as long."""

import contextlib
from collections.abc import Callable
from math import inf
from time import process_time

from hypothesis import given, settings
from hypothesis import strategies as st

from controller.errors import UserError
from controller.record.files.formats import read_match_file
from controller.record.files.mat_lines import read_cell, read_header, read_length, read_row, read_scores
from controller.record.match.playthrough import objections
from controller.rules.notation import NotationError, parse_play
from tests.rows import each_row

HEAD = " 5 point match\n\n Game 1\n A : 0                         B : 0\n"
ROUNDS = 3
LARGER = 8
SLACK = 3
"""How many times more than eightfold is no surprise on a busy machine."""

ROWS: dict[str, Callable[[int], str]] = {
    "blanks in a score": lambda n: f"5 point match\nGame 1\nA{' ' * n}:{' ' * n}0 B :{' ' * n}x",
    "colons": lambda n: "5 point match\nGame 1\n" + "a:" * n,
    "scores": lambda n: "5 point match\nGame 1\n" + ": 1 " * n + "x",
    "blanks in a header": lambda n: "; [a" + " " * n + "x\n5 point match\n",
    "quotes in a header": lambda n: '; [a "' + '" ' * n + "\n5 point match\n",
    "tabs": lambda n: "5 point match\nGame 1\n" + "\t" * n + "x\n",
    "blanks in a row": lambda n: HEAD + "1)" + " " * n + "x\n",
    "digits": lambda n: HEAD + "1) " + "9" * n + "\n",
    "brackets": lambda n: HEAD + "1) 31: " + "illegal play ( " * n + "\n",
    "dice": lambda n: HEAD + "1) " + "31: " * (n // 4) + "\n",
    "plays": lambda n: HEAD + "1) 11:8/7 6/5   66: 24/18(4)\n" * (n // 30),
    "rolls": lambda n: HEAD + "1)11: 31: ????\n" * (n // 15),
    "cubes": lambda n: HEAD + "1) Doubles  Takes\n" * (n // 18),
    "results": lambda n: HEAD + "1) Losses  Wins 1\n" * (n // 18),
    "games": lambda n: "5 point match\n" + "Game 1\nA:0 B:0\n" * (n // 16),
    "notes and games": lambda n: (
        "5 point match\n" + '; [Note "Game 1, ply 0: x"]\n' * (n // 60) + "Game 1\nA:0 B:0\n" * (n // 30)
    ),
    "sgf": lambda n: "(;GM[6]" + ";W[11xwxw];B[66aaaa]" * (n // 20) + ")",
    "sgf brackets": lambda n: "(;GM[6]C[" + "\\" * n,
    "sgf variations": lambda n: "(;GM[6]" + "(;W[31hefe])" * (n // 12) + ")",
}


def seconds(text: str) -> float:
    """How long a file takes, in the processor."""
    data, begun = text.encode(), process_time()
    with contextlib.suppress(UserError):
        list(objections(read_match_file(data, "f")))
    return process_time() - begun


@each_row("kind", ROWS)
def test_a_longer_hostile_file_takes_longer_only_in_proportion(kind: str) -> None:
    make = ROWS[kind]
    seconds(make(400))
    # What a busy machine delays is measured again: each time it is the quickest so far that counts.
    short = long = inf
    for _ in range(ROUNDS):
        short, long = min(short, seconds(make(1000))), min(long, seconds(make(LARGER * 1000)))
        if long < SLACK * LARGER * short + 0.02:
            break
    assert long < SLACK * LARGER * short + 0.02


PIECES = st.sampled_from(
    [
        *(" ", "  ", "\t", ":", ";", "(", ")", "[", "]", '"', "*", "/", "-", ",", "x", "0", "1", ". ", "=>"),
        *("31:", "66", "24/18", "bar", "off", "(2)", "x2", "????"),
        *("illegal play (", "Wins", "Doubles", "point match", "Game"),
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(PIECES, min_size=1, max_size=6), st.lists(PIECES, max_size=3))
def test_no_line_stalls_the_functions_that_take_it_apart(again: list[str], last: list[str]) -> None:
    def cost(times: int) -> float:
        line = "".join(again) * times + "".join(last)
        found = []
        for _ in range(ROUNDS):
            begun = process_time()
            for function in (read_header, read_length, read_scores, read_row, read_cell):
                function(line)
            with contextlib.suppress(NotationError):
                parse_play(line, backwards=True)
            found.append(process_time() - begun)
        return min(found)

    cost(10)
    assert cost(LARGER * 200) < SLACK * LARGER * cost(200) + 0.01
