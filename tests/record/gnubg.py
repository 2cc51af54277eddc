"""The real gnubg as a judge of our match files: what it says on import and what it understood."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from controller.rules.position import START, Position, Side

COMPLAINTS = re.compile(
    r"WARNING|Unrecognised|Invalid|not a valid|Error|Illegal or unparsable", re.IGNORECASE
)
STARTS = {
    "Nackgammon": Position.from_compact("bb...D.C...dD...c.d...BB.."),
    "Hypergammon3": Position.from_compact("aaa..................AAA.."),
}
SIDE_OF = {"W": Side.LIGHT, "B": Side.DARK}


@dataclass(frozen=True)
class GnubgGame:
    """One game as gnubg saves it: its boards after each turn, the score before it and how it ended.

    `course` is the boards (compact) and what was done with the cube (`light double`, `dark take`) in order.
    """

    boards: tuple[Position, ...]
    course: tuple[str, ...]
    score: tuple[int, int]
    winner: Side | None
    points: int | None


@dataclass(frozen=True)
class GnubgMatch:
    names: tuple[str, str]
    games: tuple[GnubgGame, ...]


def binary() -> str:
    found = shutil.which("gnubg") or shutil.which("gnubg", path="/usr/games")
    assert found, "gnubg is needed for these tests: apt-get install gnubg"
    return found


def run_commands(commands: Sequence[str], folder: Path) -> str:
    script = folder / "commands"
    script.write_text("\n".join(commands) + "\n")
    run = subprocess.run(
        [binary(), "-t", "-q", "-r", "-c", str(script)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        cwd=folder,
        env=os.environ | {"HOME": str(folder)},
        check=True,
        timeout=600,
    )
    return run.stdout + run.stderr


def import_all(
    texts: Sequence[str], folder: Path, command: str = "import mat"
) -> tuple[str, list[GnubgMatch]]:
    """Import each text (`.mat`, or SGF by `load match`) in one gnubg; what it said, and what it saved as SGF."""
    commands: list[str] = []
    for number, text in enumerate(texts):
        (folder / f"{number}.txt").write_text(text, encoding="utf-8")
        commands += [f"{command} {number}.txt", f"save match saved{number}.sgf"]
    said = run_commands(commands, folder)
    saved = [(folder / f"saved{number}.sgf").read_text(encoding="utf-8") for number in range(len(texts))]
    return said, [read_sgf(text) for text in saved]


def complaints(said: str) -> list[str]:
    return [line for line in said.splitlines() if COMPLAINTS.search(line)]


def read_sgf(text: str) -> GnubgMatch:
    games = [part for part in re.split(r"(?=\(;FF\[4\])", text) if part.strip()]
    players = re.search(r"PW\[(.*?)\]PB\[(.*?)\]", games[0])
    assert players
    return GnubgMatch((players[1], players[2]), tuple(map(read_game, games)))


def read_game(text: str) -> GnubgGame:
    header, *nodes = text.split("\n;")
    score = re.search(r"\[ws:(\d+)\]\[bs:(\d+)\]", header)
    assert score
    result = re.search(r"RE\[([WB])\+(\d+)R?\]", header)
    winner, points = (SIDE_OF[result[1]], int(result[2])) if result else (None, None)
    boards, course = [], []
    board = next((start for name, start in STARTS.items() if name in header), START)
    for node in nodes:
        if cube := re.match(r"([WB])\[(double|take|drop)\]", node):
            course.append(f"{SIDE_OF[cube[1]]} {cube[2]}")
            continue
        after = board_after(board, node)
        if after is not None:
            board = after
            boards.append(after)
            course.append(after.compact())
    return GnubgGame(tuple(boards), tuple(course), (int(score[1]), int(score[2])), winner, points)


def board_after(board: Position, node: str) -> Position | None:
    """The board after a play, a dance or a set position; `None` for any other node."""
    if setup := re.match(r"PL\[[WB]\]AE\[a:y\]", node):
        return set_board(node[setup.end() :])
    if play := re.match(r"([WB])\[(\d\d)([a-z]*)\]", node):
        return play_letters(board, SIDE_OF[play[1]], play[3])
    return None


def set_board(text: str) -> Position:
    points = [0] * 24
    bars = {Side.LIGHT: 0, Side.DARK: 0}
    for colour, places in re.findall(r"A([WB])((?:\[[a-y]\])+)", text):
        side = SIDE_OF[colour]
        for letter in re.findall(r"\[(.)\]", places):
            if letter == "y":
                bars[side] += 1
            else:
                points[ord(letter) - ord("a")] += 1 if side is Side.LIGHT else -1
    return Position.from_counts(points, bars[Side.LIGHT], bars[Side.DARK])


def play_letters(board: Position, side: Side, letters: str) -> Position:
    points = list(board.points)
    bars: Mapping[Side, list[int]] = {each: [board.bar(each)] for each in Side}
    sign = 1 if side is Side.LIGHT else -1
    for source, target in zip(letters[::2], letters[1::2], strict=True):
        if source == "y":
            bars[side][0] -= 1
        else:
            points[ord(source) - ord("a")] -= sign
        if target == "z":
            continue
        at = ord(target) - ord("a")
        if points[at] == -sign:
            points[at] = 0
            bars[side.opponent][0] += 1
        points[at] += sign
    return Position.from_counts(points, bars[Side.LIGHT][0], bars[Side.DARK][0])
