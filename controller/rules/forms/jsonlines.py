"""Verdicts as lines of JSON: what `pointsman judge` reads and writes."""

import json
from collections.abc import Callable

from controller.rules.forms.positionlines import (
    PositionLineError,
    key_of,
    parse_line,
    quoted,
    read_turn,
    sides_of,
)
from controller.rules.judging.judge import judge
from controller.rules.judging.trays import Trays
from controller.rules.moves.movement import STANDARD, MovementRules
from controller.rules.notation import format_play
from controller.rules.position import Position, Side
from controller.rules.reasons import Reason


def judge_line(text: str, words: Callable[[Reason], str], profile: MovementRules = STANDARD) -> str:
    """One line of position JSON with `after` in, the verdict out, as one line of JSON.

    A verdict that is not legal has `reasons` (code, text and arguments each; `words` makes the text), `nearest`,
    and `explanations`: the alternatives, each a list of indices into `reasons`. `after_off`, where the line has
    it, are the borne-off checkers counted in the trays after the turn.

    Raises:
        UserError: as `plays_line`; `after` may hold checkers too many or too few, but must be a compact
            position, and `after_off` need not add up to fifteen with it.
    """
    line = parse_line(text)
    turn = read_turn(line)
    after = key_of(line, "after")
    if not isinstance(after, str):
        raise PositionLineError(
            f'"after" is {quoted(after)}, but must be a compact position of 26 characters.'
        )
    off = sides_of(line, "after_off", required=False)
    trays = Trays(off[Side.LIGHT], off[Side.DARK])
    verdict = judge(turn.position, turn.side, turn.roll, Position.seen_compact(after), profile, trays)
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
