"""What the referee tells as entries of a record: turns, and notes between them for everything else."""

from typing import Final

from controller.record.match.entries import Note, Turn
from controller.referee.actions import (
    BoardBack,
    BoardLost,
    Bumped,
    CubeUnclear,
    DiceVoid,
    FrameSkipped,
    LightChanged,
    Remark,
    Surrounding,
    TurnJudged,
    Unsure,
)

FLAGGED: Final = "flagged"
"""The note of an illegal play that can still be put right."""


def turn_of(judged: TurnJudged) -> Turn:
    """A turn as it was judged."""
    return Turn(
        ply=judged.ply,
        player=judged.side,
        roll=judged.roll,
        play=judged.play,
        text=judged.text,
        legal=judged.legal,
        reasons=judged.reasons + judged.also,
        stands=judged.stands,
        before=judged.before,
        after=judged.after,
        frame=judged.frame,
        t=judged.t,
    )


def note_of(action: Remark) -> Note:
    """The note of one action; its kind is the one of the line in ``events.jsonl``."""
    match action:
        case Unsure(t=t, frame=frame, ply=ply, points=points):
            return Note("unsure", frame, t, {"ply": ply, "points": list(points)})
        case DiceVoid(t=t, roll=roll):
            return Note("dice_void", None, t, {"dice": list(roll.dice)})
        case FrameSkipped(t=t, frame=frame, name=name, why=why):
            return Note("frame_lost", frame, t, {"file": name, "why": why})
        case CubeUnclear(t=t, frame=frame, owner=owner, value=value):
            return Note("cube_unclear", frame, t, {"owner": owner, "value": value})
        case _:
            return _surrounding(action)


def _surrounding(action: Surrounding) -> Note:
    match action:
        case Bumped(t=t, frame=frame):
            push = {
                "shift_mm": round(action.shift_mm, 1),
                "turn_deg": round(action.turn_deg, 2),
                "x_mm": round(action.x_mm, 1),
                "y_mm": round(action.y_mm, 1),
            }
            return Note("bump", frame, t, push)
        case LightChanged(t=t, frame=frame):
            light = {
                "red": round(action.red, 2),
                "green": round(action.green, 2),
                "blue": round(action.blue, 2),
            }
            return Note("light_changed", frame, t, light)
        case BoardLost(t=t, frame=frame):
            return Note("board_lost", frame, t, {})
        case BoardBack(t=t, frame=frame):
            return Note("board_back", frame, t, {})
