"""What a person at a terminal reads of the referee's actions, in English."""

from controller.referee.actions import (
    Action,
    BoardBack,
    BoardLost,
    Bumped,
    CubeTaken,
    CubeUnclear,
    DiceVoid,
    FrameSkipped,
    GameBegun,
    GameOver,
    LightChanged,
    TurnJudged,
    Unsure,
)
from controller.rules.explain import explain
from controller.rules.notation import format_play


def transcript_line(action: Action) -> str:
    """What a person reads: ply, player, dice and play; for an illegal play the rule and a legal play."""
    match action:
        case TurnJudged():
            return _turn_text(action)
        case Unsure(points=points) if points:
            return f"      not sure of the next play: please look at {_listed('point', points)}"
        case Unsure():
            return "      the dice of the next play were not seen"
        case DiceVoid(roll=roll):
            return f"      {roll} was rolled again and does not count"
        case FrameSkipped(name=name, why=why):
            return f"      picture {name} was skipped: {why}"
        case Bumped(shift_mm=shift, turn_deg=turn):
            return f"      the board was moved by {shift:.0f} mm and turned by {turn:.1f} degrees; it is followed"
        case LightChanged(red=red, green=green, blue=blue):
            bright = 100 * (red + green + blue) / 3
            return f"      the light changed: {bright:.0f} % of that at the calibration"
        case BoardLost():
            return "      the board is not seen: put it back under the camera, or calibrate again"
        case BoardBack():
            return "      the board is seen again"
        case CubeTaken(doubler=doubler, value=value):
            return f"      {doubler} doubles to {value}, {doubler.opponent} takes"
        case CubeUnclear(owner=owner, value=value):
            where = "in the middle" if owner == "center" else f"on {owner}'s side"
            return (
                f"      the cube lies {where} and counts {value} without a double: please say what was agreed"
            )
        case GameOver(winner=winner):
            return f"      {winner} has borne off all checkers"
        case GameBegun(broken_off=True):
            return "      the checkers were set up for a new game; the last one was not played to its end"
        case GameBegun():
            return "      a new game begins"


def _turn_text(turn: TurnJudged) -> str:
    line = f"{turn.ply:4d}  {turn.side:<5}  {turn.roll}  {turn.text}"
    if turn.revises:
        line += "  (corrected: the board showed later that this was played)"
    if turn.legal:
        return line
    reasons = " ".join(dict.fromkeys(explain(reason) for reason in turn.reasons))
    instead = f" Legal would have been {format_play(turn.instead)}." if turn.instead is not None else ""
    fate = "left standing" if turn.stands else "put right"
    return f"{line}  ILLEGAL, {fate}: {reasons}{instead}"


def _listed(noun: str, numbers: tuple[int, ...]) -> str:
    return f"{noun}{'s' if len(numbers) > 1 else ''} {', '.join(map(str, numbers))}"
