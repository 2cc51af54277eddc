"""A match as lines of text: what a person beside the table would hear and read, or reads of a film."""

from collections.abc import Iterator
from typing import Final

from controller.messages.catalogue import catalogue
from controller.messages.table_words import Names, side_words
from controller.referee import Action, Flagged, Message, Told, TurnJudged
from controller.referee.actions import GameOpened, Remark
from controller.rules import MovementRules, Side
from controller.rules.moves.movement import STANDARD
from controller.telling.table import action_text, fault_words, played_words, remark_text

INDENT: Final = " " * 6
UNTOLD: Final = frozenset(
    {
        Message.SET_UP,
        Message.BOARD_TURNED,
        Message.HOMES_MIRRORED,
        Message.COLOURS_EXCHANGED,
        Message.SET_UP_RIGHT,
        Message.TO_ROLL,
        Message.ROLL_TO_START,
        Message.PUT_BACK,
        Message.NOT_NOW,
    }
)
"""Said at the table, but of no use to somebody who reads what happened."""
OF_FILMS: Final = frozenset(
    {Message.DOUBLES, Message.BEAVERS, Message.TAKES, Message.DROPS, Message.GAME_WON, Message.CUBE_MOVED}
)
"""What of a filmed game nobody says, but everybody wants to know; the rest is meant for players who are there."""


def film_lines(action: Action, language: str = "en") -> Iterator[str]:
    """The lines for an action of a referee that only records. Raises LanguageError."""
    match action:
        case Told(message=message) if message not in OF_FILMS:
            return
        case Flagged() | GameOpened(number=1):
            return
        case _:
            yield from lines(action, language)


def lines(
    action: Action,
    language: str = "en",
    names: Names | None = None,
    viewer: Side = Side.LIGHT,
    rules: MovementRules = STANDARD,
) -> Iterator[str]:
    """The lines for an action, none for one that nobody needs to read. Raises LanguageError.

    ``names`` are what the players are called; points that are no part of a play are numbered as ``viewer`` counts
    them in the game of ``rules``.
    """
    match action:
        case GameOpened(number=number, score=score):
            yield f"{number}.  {score.light} : {score.dark}"
        case TurnJudged():
            yield transcript_line(action, language, names)
        case Told(message=message) if message in UNTOLD:
            return
        case _:
            text = action_text(action, language, names, viewer, rules)
            if text is not None:
                yield INDENT + text


def transcript_line(action: TurnJudged | Remark, language: str = "en", names: Names | None = None) -> str:
    """What a person reads: ply, player, dice and play; for an illegal play the rule and a legal play.

    A turn that nobody confirmed is marked so.

    ``names`` are what the players are called. Raises LanguageError.
    """
    if not isinstance(action, TurnJudged):
        return INDENT + remark_text(action, language)
    texts = catalogue(language)
    width = max(len(side_words(side, language, names)) for side in Side)
    player = side_words(action.side, language, names)
    line = f"{action.ply:4d}  {player:<{width}}  {action.roll}  {played_words(action, language)}"
    if action.revises:
        line += f"  {texts.text('transcript', 'corrected')}"
    if action.legal is not False:
        return line
    fate = texts.text("transcript", "illegal_stands" if action.stands else "illegal_put_right")
    return f"{line}  {fate}: {' '.join(fault_words(action, language))}"
