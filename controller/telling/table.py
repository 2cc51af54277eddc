"""What people at a table are told of each action of its referee."""

from controller.messages.table_words import Names, message_words
from controller.referee.actions import (
    Action,
    BoardBack,
    BoardLost,
    Bumped,
    CubeUnclear,
    DiceVoid,
    Flagged,
    FrameSkipped,
    LightChanged,
    Told,
    TurnJudged,
    Unsure,
)
from controller.rules.position import Side
from controller.telling.transcript import remark_text
from controller.telling.verdicts import verdict_text


def told_text(told: Told, language: str = "en", names: Names | None = None, viewer: Side = Side.LIGHT) -> str:
    """A message in words; points are numbered from the side of ``viewer``. Raises LanguageError."""
    return message_words(str(told.message), told.arguments, language, names, viewer)


def action_text(
    action: Action, language: str = "en", names: Names | None = None, viewer: Side = Side.LIGHT
) -> str | None:
    """An action in words; None for one that has none, such as a change of the lights. Raises LanguageError.

    What comes with a message of its own (a game that begins or ends, the cube) is left to that.
    """
    match action:
        case Told():
            return told_text(action, language, names, viewer)
        case Flagged(turn=turn):
            return verdict_text(turn, language, names, back=True)
        case TurnJudged():
            return verdict_text(action, language, names)
        case Unsure() | DiceVoid() | FrameSkipped() | Bumped() | LightChanged() | BoardLost() | BoardBack():
            return remark_text(action, language, viewer)
        case CubeUnclear() | _:
            return None
