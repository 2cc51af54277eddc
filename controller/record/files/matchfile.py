"""A match file as it comes: bytes of unknown encoding made text, and what is wrong in it said in a sentence."""

import codecs
from typing import Final

from controller.errors import UserError

LARGEST: Final = 8_000_000
"""Bytes of a match file that are read; a match of 25 points has some 50,000."""


class MatchFileError(UserError):
    """A match file that cannot be read; the message names the file, the line where there is one, and why."""


def text_of(data: bytes, name: str) -> str:
    """The text of a file: UTF-16 or UTF-8 with or without its mark, else the Windows form of Latin-1.

    Control characters other than line ends and tabs become blanks.

    Raises:
        MatchFileError: too large, or bytes that are no text.
    """
    if len(data) > LARGEST:
        raise MatchFileError(f"{name} has {len(data)} bytes, which no match has; give a match file.")
    text = _decoded(data)
    if text is None or "\0" in text:
        raise MatchFileError(f"{name} is no text; give a .mat, .sgf, .ogxm or .json match file.")
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if char in "\n\t" or char.isprintable() else " " for char in lines)


def _decoded(data: bytes) -> str | None:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings = ["utf-16"]
    else:
        encodings = ["utf-8-sig", "cp1252", "latin-1"]
    for encoding in encodings:
        try:
            return data.decode(encoding)
        except UnicodeDecodeError:
            continue
    return None
