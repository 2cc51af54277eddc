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
    shift = 0.0 if apart is None else apart.shift_mm
    return catalogue(language).text("page", "see", "fault", str(reading.fault), shift=centimetres(shift))


def centimetres(shift_mm: float) -> str:
    """A distance in whole centimetres."""
    return str(round(shift_mm / MM_PER_CM))
