"""A filmed game as lines of text."""

from controller.messages.catalogue import Catalogue, catalogue
from controller.messages.table_words import Names, side_words
from controller.referee.actions import (
    BoardBack,
    BoardLost,
    Bumped,
    CubeUnclear,
    DiceVoid,
    FrameSkipped,
    LightChanged,
    Remark,
    TurnJudged,
    Unsure,
)
from controller.rules.notation import format_play
from controller.rules.position import Side
from controller.telling.verdicts import change_words, reasons_words

INDENT = 6


def transcript_line(action: TurnJudged | Remark, language: str = "en", names: Names | None = None) -> str:
    """What a person reads: ply, player, dice and play; for an illegal play the rule and a legal play.

    ``names`` are what the players are called. Raises LanguageError.
    """
    if isinstance(action, TurnJudged):
        return _turn_text(action, language, names)
    return " " * INDENT + remark_text(action, language)


def remark_text(action: Remark, language: str = "en", viewer: Side = Side.LIGHT) -> str:
    """What a person reads of an action that is no turn; points are numbered from ``viewer``'s side.

    Raises LanguageError.
    """
    entry, arguments = _remark(action, language, viewer)
    return catalogue(language).text("transcript", entry, **arguments)


def _remark(action: Remark, language: str, viewer: Side) -> tuple[str, dict[str, object]]:
    match action:
        case Unsure(points=points) if points:
            numbers = points if viewer is Side.LIGHT else sorted(25 - point for point in points)
            return "unsure_points", {"points": ", ".join(map(str, numbers))}
        case Unsure():
            return "unsure_dice", {}
        case DiceVoid(roll=roll):
            return "dice_void", {"roll": roll}
        case FrameSkipped(name=name, why=why):
            return "frame_skipped", {"name": name, "why": why}
        case Bumped(shift_mm=shift, turn_deg=turn):
            return "bumped", {"shift": f"{shift:.0f}", "turn": f"{turn:.1f}"}
        case LightChanged(red=red, green=green, blue=blue):
            return "light_changed", {"percent": f"{100 * (red + green + blue) / 3:.0f}"}
        case BoardLost():
            return "board_lost", {}
        case BoardBack():
            return "board_back", {}
        case CubeUnclear(owner="center", value=value):
            return "cube_unclear_center", {"value": value}
        case CubeUnclear(owner=owner, value=value):
            return "cube_unclear", {"owner": side_words(Side(owner), language), "value": value}


def _turn_text(turn: TurnJudged, language: str, names: Names | None) -> str:
    texts = catalogue(language)
    width = max(len(side_words(side, language, names)) for side in Side)
    player = side_words(turn.side, language, names)
    line = f"{turn.ply:4d}  {player:<{width}}  {turn.roll}  {change_words(turn, language)}"
    if turn.revises:
        line += f"  {texts.text('transcript', 'corrected')}"
    return line if turn.legal else f"{line}  {_wrong(turn, texts, language)}"


def _wrong(turn: TurnJudged, texts: Catalogue, language: str) -> str:
    fate = texts.text("transcript", "illegal_stands" if turn.stands else "illegal_put_right")
    told = f"{fate}: {reasons_words(turn.reasons, language)}"
    if turn.instead is None:
        return told
    return f"{told} {texts.text('transcript', 'instead', play=format_play(turn.instead))}"
