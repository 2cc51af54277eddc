"""How well and how fast filmed games are seen and judged: `python -m tests.bench.bench_film [FOLDER]`.

The game that ships is measured, and every film in the folder that is named here or by the environment variable FILMS
(`make bench FILMS=FOLDER`): a folder for each, with `film.mp4` or `frames`, `events.jsonl` (the truth), `dice.jsonl`
and `start.jpg`. Plies are compared by their number: one that is overlooked or invented shifts all later plies.
"""

import json
import statistics
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from controller.vision.board.board import Board
from controller.vision.reader import read_board
from tests.bench.films import (
    KINDS,
    SHIPPED,
    FilmFolder,
    FilmsError,
    Line,
    Told,
    compact,
    films,
    follow,
    lines_of,
)
from tests.bench.reliability import Stated, rows_of_calibration

WAYS = [(dice, live) for live in (False, True) for dice in (True, False)]
"""With and without a dice file, with and without `--live`."""
RIGHT = {(True, False): 99, (False, False): 97, (True, True): 99, (False, True): 95}
"""Percent of the plies that are to be told right, by whether there is a dice file and whether live."""
NOTICED = {(True, False): 1.0, (False, False): 0.75, (True, True): 1.0, (False, True): 0.7}
"""Share of the illegal plays that are to be noticed, in the same ways."""
IN_TIME = 0.9
"""Share of them that are to be told, live, before the opponent's next roll."""


@dataclass(frozen=True)
class Score:
    """One ply of a film: what is true of what was told of it.

    ``delay_s`` is from the turn being over to the first verdict, ``lifted_s`` from its dice having been lifted; None
    where there is none.
    """

    right: bool
    legal: bool
    called_illegal: bool
    noticed: bool
    in_time: bool
    delay_s: float | None
    lifted_s: float | None


def run(named: str | None = None) -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    cv2.setNumThreads(1)
    rows: list[dict[str, Any]] = []
    for folder in films(named):
        film = FilmFolder.of(folder)
        if folder == SHIPPED:
            rows += _reading(film.board)
        for dice, live in WAYS:
            told = follow(film, dice=dice, live=live)
            how = f"{folder.name}, {'dice file' if dice else 'dice from pictures'}{', live' if live else ''}"
            rows += _judging(how, film.truth, told, dice=dice, live=live)
            if not dice:
                rows += rows_of_calibration(how, stated_of(film.truth, told))
    return rows


def stated() -> list[Stated]:
    """How surely each ply of the game that ships was told, its dice read from the pictures, and whether it was so."""
    film = FilmFolder.of(SHIPPED)
    return stated_of(film.truth, follow(film, dice=False, live=False))


def stated_of(truth: tuple[Line, ...], told: Told) -> list[Stated]:
    """The same of the plies of any film. An illegal play is one with whatever roll.

    Plies that are not confirmed are left out: nobody was told what they were. Where an illegal play was put right the
    truth is of that play and of the board afterwards, and what was told first says that a rule was broken.
    """
    found = []
    for ply in truth:
        lines = told.lines.get(ply["ply"], [])
        line = lines[-1] if lines else None
        if line is None or line["legal"] is None or line.get("probability") is None:
            continue
        where = line["position"] == compact(ply["after"]) and line["player"] == ply["player"]
        rolled = sorted(line["dice"]) == sorted(ply["dice"])
        broken = any(each["legal"] is False for each in lines)
        so = where and broken is not ply["legal"] and (rolled or line["legal"] is False)
        found.append(Stated(line["probability"], so))
    return found


def _reading(board: Board) -> Iterator[dict[str, Any]]:
    points = right = sure_wrong = pictures = exact = pairs = pairs_right = 0
    spent: list[float] = []
    for truth in lines_of(SHIPPED / "truth.jsonl"):
        if truth["hand"]:
            continue
        picture = np.asarray(cv2.imread(str(SHIPPED / "frames" / Path(truth["file"]).name)), np.uint8)
        began = time.perf_counter()
        seen = read_board(picture, board)
        spent.append((time.perf_counter() - began) * 1000)
        wrong = {p for p in range(1, 25) if seen.points[p - 1] != truth["points"][p - 1]}
        points, right = points + 24, right + 24 - len(wrong)
        sure_wrong += len(wrong - seen.unsure)
        pictures, exact = pictures + 1, exact + (not wrong)
        if len(truth["dice"]) == 2:
            pairs += 1
            pairs_right += sorted(die.value for die in seen.dice) == sorted(truth["dice"])
    yield _row("points read right, no hand", 100 * right / points, "%", 99.8)
    yield _row("points wrong and not marked unsure", sure_wrong, f"of {points}", points // 2000)
    yield _row("boards read exactly", 100 * exact / pictures, "%", 97)
    yield _row("pairs of dice read right", 100 * pairs_right / pairs, "%", 97)
    yield _row("one picture of 960x540, median", statistics.median(spent), "ms", 60)


def _judging(
    how: str, truth: tuple[Line, ...], told: Told, *, dice: bool, live: bool
) -> Iterator[dict[str, Any]]:
    scores = [_score(ply, following, told) for ply, following in zip(truth, [*truth[1:], None], strict=True)]
    for ply, score in zip(truth, scores, strict=True):
        if not score.right or (score.called_illegal if score.legal else not score.noticed):
            sys.stderr.write(f"  {how}: {_shown(ply, told)}\n")
    illegal = [score for score in scores if not score.legal]
    legal = len(scores) - len(illegal)
    right = 100 * sum(score.right for score in scores) / len(scores)
    accused = sum(score.called_illegal for score in scores if score.legal)
    noticed = sum(score.noticed for score in illegal)
    yield _row(f"plies right: {how}", right, "%", RIGHT[dice, live])
    yield _row(f"legal plays called illegal: {how}", accused, f"of {legal}", 0)
    wanted = round(NOTICED[dice, live] * len(illegal), 1)
    yield _row(f"illegal noticed, right reason: {how}", noticed, f"of {len(illegal)}", wanted)
    if not live:
        return
    # In stills nobody is seen to lift the dice: nothing ends a turn there but the next roll.
    continuous = any(ply.get("t_dice_lifted") is not None for ply in truth)
    in_time = sum(score.in_time for score in illegal)
    wanted = round(IN_TIME * len(illegal), 1)
    what = f"illegal told before the next roll: {how}"
    yield _row(what, in_time, f"of {len(illegal)}", wanted if continuous else None)
    if delays := [score.delay_s for score in scores if score.delay_s is not None]:
        median = statistics.median(delays)
        yield _row(f"turn over to verdict, median: {how}", median, "s", 0.5 if continuous else None)
    if delays := [score.lifted_s for score in scores if score.lifted_s is not None]:
        yield _row(f"dice lifted to verdict, median: {how}", statistics.median(delays), "s", 0.5)
    spent = 1000 * statistics.median(told.spent)
    yield _row(f"referee's CPU a picture, median: {how}", spent, "ms", 2)


def _score(ply: Line, following: Line | None, told: Told) -> Score:
    """``following`` is the next ply of the truth."""
    number = ply["ply"]
    lines = told.lines.get(number, [])
    last = lines[-1] if lines else None
    wrong = [line for line in lines if line["legal"] is False]
    codes = {reason["code"] for line in wrong for reason in line["reasons"]}
    verdict, lifted_t = told.verdicts.get(number), ply.get("t_dice_lifted")
    return Score(
        right=last is not None
        and last["position"] == compact(ply["after"])
        and last["player"] == ply["player"]
        and sorted(last["dice"]) == sorted(ply["dice"]),
        legal=ply["legal"],
        called_illegal=bool(wrong),
        noticed=bool(codes & KINDS.get(ply.get("illegal_kind") or "", set())),
        in_time=told.accused.get(number, inf) < (following["t_roll"] if following is not None else inf),
        delay_s=None if verdict is None else verdict - _over_t(ply),
        lifted_s=None if verdict is None or lifted_t is None else verdict - lifted_t,
    )


def _over_t(ply: Line) -> float:
    """When a turn was over: the hand set out for its dice, had them, or, where nobody knows, its play was made."""
    for key in ("t_turn_over", "t_dice_lifted", "t_settled"):
        if ply.get(key) is not None:
            return float(ply[key])
    return inf


def _shown(ply: Line, told: Told) -> str:
    kind = "" if ply["legal"] else f" ({ply['illegal_kind']})"
    lines = [
        f"{line['dice']} {line['move']} {[reason['code'] for reason in line['reasons']] or 'legal'}"
        for line in told.lines.get(ply["ply"], [])
    ]
    return f"ply {ply['ply']}, {ply['player']} {ply['dice']} {ply['move']}{kind}: {'; '.join(lines) or 'nothing'}"


def _row(name: str, value: float, unit: str, target: float | None) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


if __name__ == "__main__":
    try:
        json.dump(run(*sys.argv[1:2]), sys.stdout, indent=1)
    except FilmsError as error:
        sys.exit(str(error))
