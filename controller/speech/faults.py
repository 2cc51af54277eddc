"""What was wrong with a play, and the way back, as it is said aloud."""

from collections.abc import Sequence
from typing import Final

from controller.referee import TurnJudged
from controller.referee.belief.steps import moves_between
from controller.rules import MovementRules, Reason, ReasonCode, Roll, Side
from controller.rules.notation import BAR, OFF, Move
from controller.rules.position import Direction, side_point
from controller.rules.reasons import Argument
from controller.speech.spoken import Spoken

MOST_REASONS: Final = 2
"""More are read than heard: after two the listener has lost the first."""
_BESIDE: Final = {"bar": BAR, "off": OFF}


def fault_spoken(turn: TurnJudged, spoken: Spoken, rules: MovementRules) -> str:
    """Why a play is not legal, what would be, and where each checker goes back to; from the mover's side."""
    said = [spoken.say("illegal", "verdict", side=turn.side)]
    said += reasons_spoken(turn.reasons, spoken)
    back, others = way_back(turn, rules)
    if back:
        said.append(spoken.say("illegal", "back", steps=spoken.steps(back)))
    if others:
        said.append(spoken.say("illegal", "back_others", steps=spoken.steps(others)))
    if turn.instead:
        said.append(spoken.say("illegal", "instead", play=spoken.play(turn.instead)))
    return " ".join(said)


def reasons_spoken(reasons: Sequence[Reason], spoken: Spoken) -> list[str]:
    """A sentence for each broken rule, two at most."""
    said = (spoken.say("reason", _entry(reason), **_arguments(reason, spoken)) for reason in reasons)
    return list(dict.fromkeys(said))[:MOST_REASONS]


def way_back(turn: TurnJudged, rules: MovementRules) -> tuple[list[Move], list[Move]]:
    """The moves that undo a play: of the mover's checkers and of the opponent's, both from the mover's side."""
    mine = moves_between(turn.before, turn.after, turn.side, turn.roll, rules)
    theirs = moves_between(turn.before, turn.after, turn.side.opponent, turn.roll, rules)

    def seen(place: int) -> int:
        return place if place in (BAR, OFF) else side_point(place, Side.DARK, rules.direction)

    return (
        [Move(move.target, move.source) for move in mine],
        [Move(seen(move.target), seen(move.source)) for move in theirs],
    )


def _entry(reason: Reason) -> str:
    told = reason.arguments
    if reason.code is ReasonCode.BAR_FIRST and told["source"] == "bar":
        return "hand_first"
    if reason.code is ReasonCode.EXTRA_CHECKER_MOVED and told.get("played") is not None:
        return "extra_numbers"
    return str(reason.code)


def _arguments(reason: Reason, spoken: Spoken) -> dict[str, object]:
    """The arguments of a reason in words; of those that it does not have none are asked for."""
    told = reason.arguments
    side, direction = Side(str(told["side"])), Direction(str(told.get("direction", Direction.OPPOSED)))
    words: dict[str, object] = {"side": side}
    if "source" in told and "target" in told:
        source, target = (_place(told[name], side, direction) for name in ("source", "target"))
        words["step"] = spoken.step(source, target)
    place = told.get("point", told.get("rearmost"))
    if place is not None:
        words["place"] = spoken.place(_place(place, side, direction))
    dice = told.get("dice")
    if isinstance(dice, list) and dice:
        words["roll"] = Roll(int(str(dice[0])), int(str(dice[-1])))
    for name in ("die", "played"):
        if isinstance(told.get(name), int):
            words[name] = told[name]
    return words


def _place(place: Argument, side: Side, direction: Direction) -> int:
    """A place in the numbering of its side."""
    text = str(place)
    return _BESIDE[text] if text in _BESIDE else side_point(int(text), side, direction)
