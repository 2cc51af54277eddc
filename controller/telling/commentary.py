"""A match as lines of text: what a person beside the table would hear and read, or reads of a film."""

from collections.abc import Iterator
from typing import Final

from controller.messages.table_words import Names
from controller.referee.actions import Action, Flagged, GameOpened, Message, Told, TurnJudged
from controller.rules.position import Side
from controller.telling.table import action_text
from controller.telling.transcript import transcript_line

INDENT: Final = " " * 6
UNTOLD: Final = frozenset(
    {
        Message.SET_UP,
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
    action: Action, language: str = "en", names: Names | None = None, viewer: Side = Side.LIGHT
) -> Iterator[str]:
    """The lines for an action, none for one that nobody needs to read. Raises LanguageError.

    ``names`` are what the players are called; points that are no part of a play are numbered from ``viewer``'s side.
    """
    match action:
        case GameOpened(number=number, score=score):
            yield f"{number}.  {score.light} : {score.dark}"
        case TurnJudged():
            yield transcript_line(action, language, names)
        case Told(message=message) if message in UNTOLD:
            return
        case Flagged():
            yield INDENT + (action_text(action, language, names, viewer) or "")
        case _:
            text = action_text(action, language, names, viewer)
            if text is not None:
                yield INDENT + text
