"""What GNU Backgammon itself runs, in the Python that it carries: it walks through a match and judges records of it.

Its working folder holds `match.mat` and `task.json`. The task has `plies` and `wanted`, the places of the records
to judge, each `[game, record]` from 0; without it the match is only surveyed. What is found goes out as lines that
begin with `@`, each a JSON object. Equities are normalised to the cube before the decision, as gnubg prints them.
"""

import json
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import gnubg

MARK: Final = "@"
TOLD_EVERY_S: Final = 1.0
"""How often what was judged meanwhile goes out: asking gnubg for it means asking for the whole match."""
MOST: Final = 5
"""Candidates that are reported for each play, besides the one that was played."""


def run(task: Mapping[str, Any]) -> None:
    """Survey a match, or judge records of it."""
    for line in _settings(int(task["plies"])):
        gnubg.command(line)
    wanted = None if task["wanted"] is None else {tuple(place) for place in task["wanted"]}
    games = gnubg.match(analysis=0)["games"]
    waiting: dict[tuple[int, int], Mapping[str, Any]] = {}
    told = time.monotonic()
    for place, state, action in _walk(games, wanted):
        if wanted is None:
            _tell({"place": place, "key": [*state["key"], _move_key(action)], **_action(action)})
            continue
        waiting[place] = state
        if time.monotonic() - told > TOLD_EVERY_S:
            _tell_judged(waiting)
            told = time.monotonic()
    if waiting:
        _tell_judged(waiting)


def _settings(plies: int) -> Iterator[str]:
    yield from ("set sound enable off", "set display off", "set threads 1")
    yield f"set analysis chequerplay evaluation plies {plies}"
    yield f"set analysis cubedecision evaluation plies {plies}"
    yield from ("import mat match.mat", "first game")


def _walk(
    games: Any, wanted: set[tuple[int, int]] | None
) -> Iterator[tuple[tuple[int, int], dict[str, Any], Mapping[str, Any]]]:
    """Each record that is wanted, with the state of the match before it; judged unless it is a survey."""
    for number, game in enumerate(games):
        for place, action in enumerate(game["game"]):
            state = _state()
            chosen = (number, place)
            began = time.monotonic()
            if wanted is not None and chosen in wanted:
                gnubg.command("analyse move")
            spent_s = time.monotonic() - began
            gnubg.command("next")
            if wanted is None or chosen in wanted:
                state = state or _state_at_start(game["info"], action)
                yield chosen, {**state, "spent_s": spent_s}, action
        gnubg.command("next game")


def _state() -> dict[str, Any] | None:
    """The match as it stands; None before the first roll of a game, when gnubg knows none."""
    try:
        return {"key": [gnubg.positionid(), gnubg.matchid()], "cube": gnubg.cubeinfo()}
    except ValueError:
        return None


def _state_at_start(info: Mapping[str, Any], action: Mapping[str, Any]) -> dict[str, Any]:
    """The match before the first record of a game, as follows from the one after it."""
    later = gnubg.cubeinfo()
    move = 0 if action.get("player") == "X" else 1
    scores = (info["score-X"], info["score-O"])
    cube = gnubg.cubeinfo(1, -1, move, later["matchto"], scores, later["crawford"], later["bgv"])
    key = [later["matchto"], *scores, later["crawford"], later["jacoby"], later["beavers"], move]
    return {"key": ["start", json.dumps(key)], "cube": cube}


def _move_key(action: Mapping[str, Any]) -> str:
    return json.dumps([action["action"], action.get("dice"), action.get("move")])


def _action(action: Mapping[str, Any]) -> dict[str, Any]:
    return {name: action.get(name) for name in ("action", "player", "dice")}


def _tell_judged(waiting: dict[tuple[int, int], Mapping[str, Any]]) -> None:
    """Tell what gnubg says of the records that were judged since the last time."""
    games = gnubg.match(analysis=1, boards=0)["games"]
    for (number, place), state in waiting.items():
        found = games[number]["game"][place].get("analysis", {})
        _tell({"place": (number, place), "spent_s": state["spent_s"], "said": _said(found, state["cube"])})
    waiting.clear()


def _said(analysis: Mapping[str, Any], cube: Mapping[str, Any]) -> dict[str, Any]:
    candidates, chosen = analysis.get("moves", ()), analysis.get("imove")
    played = candidates[chosen] if chosen is not None and 0 <= chosen < len(candidates) else None
    return {
        "luck": analysis.get("luck-value"),
        "choices": len(candidates),
        "plays": [(each["move"], each["score"]) for each in candidates[:MOST]],
        "played": None if played is None else (played["move"], played["score"]),
        "chance": None if played is None or not cube["matchto"] else gnubg.eq2mwc(played["score"], cube),
        "cube": [
            gnubg.mwc2eq(analysis[name], cube) if cube["matchto"] else analysis[name]
            for name in ("nd-cubeful-eq", "dt-cubeful-eq")
            if name in analysis
        ],
    }


def _tell(found: Mapping[str, Any]) -> None:
    sys.stdout.write(f"{MARK}{json.dumps(found)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    run(json.loads(Path("task.json").read_text(encoding="utf-8")))
