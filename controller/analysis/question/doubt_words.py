"""What stands against a position that was seen, in sentences."""

from collections.abc import Iterator

from controller.analysis.question.seen import BoardDoubt, BoardFault, SeenBoard
from controller.messages.catalogue import catalogue
from controller.messages.sight_words import unread_words
from controller.messages.table_words import capital, side_words
from controller.vision import Reading


def doubt_words(seen: SeenBoard, reading: Reading, language: str) -> Iterator[str]:
    """A sentence for each doubt: what to look at, points in light's numbering. Raises LanguageError."""
    for doubt in seen.doubts:
        yield unread_words(reading, language) if doubt.fault is BoardFault.UNREAD else _words(doubt, language)


def _words(doubt: BoardDoubt, language: str) -> str:
    counted = doubt.fault is BoardFault.TOO_MANY
    return catalogue(language).text(
        "question",
        str(doubt.fault),
        side="" if doubt.side is None else capital(side_words(doubt.side, language)),
        count=doubt.count,
        points=", ".join(str(point) for point, _ in doubt.places),
        places=", ".join(f"{point} ({abs(count)})" for point, count in doubt.places) if counted else "",
    )
