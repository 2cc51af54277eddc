"""Positions and verdicts as lines of JSON: what `pointsman plays` and `pointsman judge` read and write."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from controller.errors import UserError
from controller.json_object import parse_object
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.moves.plays import legal_plays
from controller.rules.notation import format_play
from controller.rules.position import CHECKERS, Position, PositionError, Roll, Side
from controller.rules.reasons import Reason


class PositionLineError(UserError):
    """A line that is not the JSON it should be."""


def plays_line(text: str, profile: MovementRules = STANDARD) -> str:
    """One line of position JSON in, the distinct results and one play for each out, as one line of JSON.

    Raises:
        UserError: `PositionLineError`, `PositionError` or `RollError` naming what is wrong in the line.
    """
    plays = legal_plays(*_turn(_object(text), profile), profile)
    return json.dumps(
        {
            "results": [play.after.compact() for play in plays],
            "plays": [format_play(play.play) for play in plays],
        }
    )


def judge_line(text: str, words: Callable[[Reason], str], profile: MovementRules = STANDARD) -> str:
    """One line of position JSON with `after` in, the verdict out, as one line of JSON.

    A verdict that is not legal has `reasons` (code, text and arguments each; `words` makes the text), `nearest`,
    and `explanations`: the alternatives, each a list of indices into `reasons`. `after_off`, where the line has
    it, are the borne-off checkers counted in the trays after the turn.

    Raises:
        UserError: as `plays_line`; `after` may hold checkers too many or too few, but must be a compact
            position, and `after_off` need not add up to fifteen with it.
    """
    from controller.rules.judging.judge import Trays, judge  # not loaded for `plays_line`

    line = _object(text)
    position, side, roll = _turn(line, profile)
    after = _key(line, "after")
    if not isinstance(after, str):
        raise PositionLineError(
            f'"after" is {_quoted(after)}, but must be a compact position of 26 characters.'
        )
    off = _sides(line, "after_off", required=False)
    trays = Trays(off[Side.LIGHT], off[Side.DARK])
    verdict = judge(position, side, roll, Position.seen_compact(after), profile, trays)
    if verdict.legal:
        return json.dumps({"legal": True, "play": format_play(verdict.play or ()), "reasons": []})
    reasons = [
        {"code": str(reason.code), "text": words(reason), **reason.arguments} for reason in verdict.reasons
    ]
    return json.dumps(
        {
            "legal": False,
            "play": None,
            "reasons": reasons,
            "nearest": [position.compact() for position in verdict.nearest],
            "explanations": [
                [verdict.reasons.index(reason) for reason in explanation]
                for explanation in verdict.explanations
            ],
        }
    )


def _turn(line: Mapping[str, Any], rules: MovementRules) -> tuple[Position, Side, Roll]:
    """The position of a line, who is to play it and with what."""
    position = _position(line, rules.checkers)
    turn = _key(line, "turn")
    if turn not in list(Side):
        raise PositionLineError(f'"turn" is {_quoted(turn)}, but must be "light" or "dark".')
    dice = _key(line, "dice")
    if not isinstance(dice, list) or len(dice) != 2:
        raise PositionLineError(f'"dice" is {_quoted(dice)}, but must be a list of two numbers.')
    return (position, Side(turn), Roll.from_dice(*dice))


def _position(line: Mapping[str, Any], checkers: int) -> Position:
    """The position of `points`, `bar` and `off` (whose counts may be null or left out), `pinned` and `hand`."""
    points = _key(line, "points")
    if not isinstance(points, list):
        raise PositionLineError(f'"points" is {_quoted(points)}, but must be a list of 24 numbers.')
    bar = _sides(line, "bar", required=True)
    off = _sides(line, "off", required=False)
    hand = _sides(line, "hand", required=False)
    position = Position.from_counts(points, bar[Side.LIGHT] or 0, bar[Side.DARK] or 0)
    pinned = _pinned(line, position)
    position = position.with_hidden(pinned, hand[Side.LIGHT] or 0, hand[Side.DARK] or 0)
    for side in Side:
        rest, count = position.off(side, checkers), off[side]
        if rest < 0 or (count is not None and count != rest):
            told = (
                f' and "off" says {count}, which makes {checkers - rest + count}' if count is not None else ""
            )
            raise PositionError(
                f"{checkers - rest} {side} checkers are on the points and the bar{told} instead of {checkers}."
            )
    return position


def _pinned(line: Mapping[str, Any], position: Position) -> list[int]:
    """The points on which a checker lies under those of the other side."""
    pinned = line.get("pinned") or []
    if not isinstance(pinned, list) or not all(
        type(point) is int and 1 <= point <= 24 and position.points[point - 1] for point in pinned
    ):
        raise PositionLineError(
            f'"pinned" is {_quoted(pinned)}, but must be a list of points on which checkers stand.'
        )
    return pinned


def _sides(line: Mapping[str, Any], key: str, *, required: bool) -> dict[Side, int | None]:
    """The two counts of `bar` or `off`."""
    counts = _key(line, key) if required else line.get(key)
    if counts is None and not required:
        return dict.fromkeys(Side)
    if (
        not isinstance(counts, dict)
        or (required and not set(Side) <= set(counts))
        or not set(counts) <= set(Side)
    ):
        raise PositionLineError(f'"{key}" is {_quoted(counts)}, but must be {{"light": n, "dark": n}}.')
    for side, count in counts.items():
        if count is None and not required:
            continue
        if type(count) is not int or not 0 <= count <= CHECKERS:
            raise PositionLineError(
                f'"{key}" of {side} is {_quoted(count)}, but must be a number from 0 to 15.'
            )
    return {side: counts.get(side) for side in Side}


def _key(line: Mapping[str, Any], key: str) -> Any:
    if key not in line:
        raise PositionLineError(f'The line has no "{key}".')
    return line[key]


def _object(text: str) -> dict[str, Any]:
    try:
        return parse_object(text)
    except ValueError as error:
        raise PositionLineError(
            f"The line is not a JSON object with points, bar, off, turn and dice ({error})."
        ) from None


def _quoted(value: object) -> str:
    """A value as JSON, for a complaint about it."""
    try:
        return json.dumps(value)
    except RecursionError:
        return "nested too deeply"
