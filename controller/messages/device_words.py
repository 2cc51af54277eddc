"""How devices stand, and what the program says of itself at a table, in words: codes in, sentences out."""

from collections.abc import Callable
from enum import StrEnum

from controller.devices.status.status import DeviceStatus
from controller.messages.catalogue import catalogue
from controller.messages.table_words import Names, capital, side_words
from controller.rules import Side

LocalText = Callable[[str], str]
"""Something to be said, in the language that it is called with; raises LanguageError."""


def program_words(code: str, **arguments: object) -> LocalText:
    """What the program says of itself: an entry under `program` in the catalogues, with its arguments."""
    return lambda language: catalogue(language).text("program", code, **arguments)


def other_table_words(*path: str, **arguments: object) -> LocalText:
    """What is said about the table of the other side: an entry below `other_table` in the catalogues."""
    return lambda language: catalogue(language).text("other_table", *path, **arguments)


def flash_words(*path: str, **arguments: object) -> LocalText:
    """What is said about writing firmware: an entry below `flash` in the catalogues, with its arguments."""
    return lambda language: catalogue(language).text("flash", *path, **arguments)


def face_words(code: str, **arguments: object) -> LocalText:
    """What is said while a table is shown its own dice: an entry under `faces` in the catalogues."""
    return lambda language: catalogue(language).text("faces", code, **arguments)


def update_words(*path: str, **arguments: object) -> LocalText:
    """What is said about updates of the program: an entry below `update` in the catalogues, with its arguments."""
    return lambda language: catalogue(language).text("update", *path, **arguments)


def club_words(*path: str, **arguments: object) -> LocalText:
    """What is said about the club's hub: an entry below `club` in the catalogues, with its arguments."""
    return lambda language: catalogue(language).text("club", *path, **arguments)


def record_words(code: str, **arguments: object) -> LocalText:
    """What is said about the record of a match: an entry under `record` in the catalogues, with its arguments."""
    return lambda language: catalogue(language).text("record", code, **arguments)


def time_words(side: Side, names: Names) -> LocalText:
    """That the time of a player runs low."""
    return lambda language: capital(
        program_words("time_low", side=side_words(side, language, names))(language)
    )


def status_words(status: DeviceStatus[StrEnum]) -> LocalText:
    """What is the matter with a device and what to do about it, in a sentence or two."""
    return lambda language: f"{reason_of(status, language)} {remedy_of(status, language)}".strip()


def reason_of(status: DeviceStatus[StrEnum], language: str = "en") -> str:
    """What is the matter with a device, a sentence. Raises LanguageError."""
    return _text(status, "reason", language)


def remedy_of(status: DeviceStatus[StrEnum], language: str = "en") -> str:
    """What to do about a device, a sentence; empty where there is nothing to do. Raises LanguageError."""
    has_one = status.code in catalogue(language).names(status.device, "remedy")
    return _text(status, "remedy", language) if has_one else ""


def _text(status: DeviceStatus[StrEnum], kind: str, language: str) -> str:
    return catalogue(language).text(status.device, kind, status.code, name=status.port, **status.arguments)
