"""Positions and turns as lines of JSON: what `pointsman plays` reads and writes."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from controller.errors import UserError
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play
from controller.rules.position import CHECKERS, Position, PositionError, Roll, Side


class PositionLineError(UserError):
    """A line that is not the JSON it should be."""


@dataclass(frozen=True, slots=True)
class TurnToPlay:
    """A position, who is to play it and with what."""

    position: Position
    side: Side
    roll: Roll


def plays_line(text: str, profile: MovementRules = STANDARD) -> str:
    """One line of position JSON in, the distinct results and one play for each out, as one line of JSON.

    Raises:
        UserError: `PositionLineError`, `PositionError` or `RollError` naming what is wrong in the line.
    """
    turn = read_turn(parse_line(text))
    plays = legal_plays(turn.position, turn.side, turn.roll, profile)
    return json.dumps(
        {
            "results": [play.after.compact() for play in plays],
            "plays": [format_play(play.play) for play in plays],
        }
    )


def read_turn(line: Mapping[str, Any]) -> TurnToPlay:
    """The turn of a position JSON object.

    Raises:
        UserError: `PositionLineError`, `PositionError` or `RollError` naming the key that is wrong.
    """
    position = read_position(line)
    turn = key_of(line, "turn")
    if turn not in list(Side):
        raise PositionLineError(f'"turn" is {quoted(turn)}, but must be "light" or "dark".')
    dice = key_of(line, "dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise PositionLineError(f'"dice" is {quoted(dice)}, but must be a list of two numbers.')
    return TurnToPlay(position, Side(turn), Roll.of(*dice))


def read_position(line: Mapping[str, Any]) -> Position:
    """The position of a JSON object with `points`, `bar` and `off` (whose counts may be null or left out).

    Raises:
        UserError: `PositionLineError` or `PositionError` naming the key that is wrong.
    """
    points = key_of(line, "points")
    if not isinstance(points, list):
        raise PositionLineError(f'"points" is {quoted(points)}, but must be a list of 24 numbers.')
    bar = sides_of(line, "bar", required=True)
    off = sides_of(line, "off", required=False)
    position = Position.of(points, bar[Side.LIGHT] or 0, bar[Side.DARK] or 0)
    for side, count in off.items():
        if count is not None and count != position.off(side):
            seen = CHECKERS - position.off(side)
            raise PositionError(
                f'{seen} {side} checkers are on the points and the bar and "off" says {count}, which makes '
                f"{seen + count} instead of {CHECKERS}."
            )
    return position


def sides_of(line: Mapping[str, Any], key: str, *, required: bool) -> dict[Side, int | None]:
    """The two counts of `bar`, `off` or `after_off`. Raises PositionLineError if they are none."""
    counts = key_of(line, key) if required else line.get(key)
    if counts is None and not required:
        return dict.fromkeys(Side)
    if (
        not isinstance(counts, dict)
        or (required and not set(Side) <= set(counts))
        or not set(counts) <= set(Side)
    ):
        raise PositionLineError(f'"{key}" is {quoted(counts)}, but must be {{"light": n, "dark": n}}.')
    for side, count in counts.items():
        if count is None and not required:
            continue
        if type(count) is not int or not 0 <= count <= CHECKERS:
            raise PositionLineError(
                f'"{key}" of {side} is {quoted(count)}, but must be a number from 0 to 15.'
            )
    return {side: counts.get(side) for side in Side}


def key_of(line: Mapping[str, Any], key: str) -> Any:
    """What a line says under a key. Raises PositionLineError if it says nothing."""
    if key not in line:
        raise PositionLineError(f'The line has no "{key}".')
    return line[key]


def parse_line(text: str) -> dict[str, Any]:
    """The JSON object in a line. Raises PositionLineError if there is none."""
    try:
        line = json.loads(text)
    except ValueError as error:
        raise PositionLineError(f"The line is not JSON ({error}).") from error
    except RecursionError:
        raise PositionLineError("The line is nested too deeply; write one position a line.") from None
    if not isinstance(line, dict):
        raise PositionLineError("The line is not a JSON object with points, bar, off, turn and dice.")
    return line


def quoted(value: object) -> str:
    """A value as JSON, for a complaint about it."""
    try:
        return json.dumps(value)
    except RecursionError:
        return "nested too deeply"
