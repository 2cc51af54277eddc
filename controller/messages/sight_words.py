"""Why a picture of the board cannot be read, in words."""

from typing import Final

from controller.messages.catalogue import catalogue
from controller.vision import Reading

MM_PER_CM: Final = 10


def unread_words(reading: Reading, language: str = "en") -> str:
    """Why nothing could be read, and what to do about it: a sentence. Raises LanguageError.

    For readings with a ``fault``.
    """
    apart = reading.displacement
    return lost_words(str(reading.fault), 0.0 if apart is None else apart.shift_mm, language)


def lost_words(fault: str, shift_mm: float, language: str = "en") -> str:
    """Why a board cannot be read that may stand so far off, and what to do about it. Raises LanguageError."""
    return catalogue(language).text("page", "see", "fault", fault, shift=centimetres(shift_mm))


def reflection_words(point: int, language: str = "en") -> str:
    """That one die is not seen, which a reflection next to a point may hide, and what to do. Raises LanguageError."""
    return catalogue(language).text("page", "see", "reflection", point=point)


def covered_words(language: str = "en") -> str:
    """That something lies on the board which is no hand, and what to do. Raises LanguageError."""
    return catalogue(language).text("page", "see", "obstacle")


def centimetres(shift_mm: float) -> str:
    """A distance in whole centimetres."""
    return str(round(shift_mm / MM_PER_CM))
