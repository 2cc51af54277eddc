"""A match file as it comes: bytes of unknown encoding made text, and what is wrong in it said in a sentence."""

import codecs
import re
import unicodedata
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
    text = _decode(data)
    if text is None or "\0" in text:
        raise MatchFileError(f"{name} is no text; give a .mat, .sgf, .ogxm or .json match file.")
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if char in "\n\t" or char.isprintable() else " " for char in lines)


def _decode(data: bytes) -> str | None:
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


LONGEST: Final = 31
"""Characters of a name that gnubg 1.07 keeps."""
_SPELT_OUT: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae"}
)
_GAME_HEAD: Final = re.compile(r"(game) (?=\d)", re.IGNORECASE)


def mat_name(name: str, instead: str) -> str:
    """A name as ASCII text for the columns of a `.mat` file, `instead` if nothing of it is left.

    Accents are dropped; `:` would end a column, `;` a field, brackets a position; runs of blanks would begin
    the next column; `Game 3` would begin a game.
    """
    flat = unicodedata.normalize("NFKD", name.translate(_SPELT_OUT))
    kept = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_.'") else " "
        for char in flat
        if not unicodedata.combining(char)
    )
    joined = _GAME_HEAD.sub(r"\1-", " ".join(kept.split()))
    shown = joined[:LONGEST].strip(" -_.'")
    return shown if any(char.isalnum() for char in shown) else instead


def mat_names(light: str, dark: str) -> tuple[str, str]:
    """Both players' names for a `.mat` file, never the same one twice."""
    first, second = mat_name(header_text(light), "Light"), mat_name(header_text(dark), "Dark")
    if first.casefold() == second.casefold():
        first, second = f"{first[: LONGEST - 6].strip()} light", f"{second[: LONGEST - 6].strip()} dark"
    return first, second


def header_text(text: str) -> str:
    """Any text on one line of a `.mat` file's header: no control characters, no double quotes."""
    return one_line(text.replace('"', "'"))


def one_line(text: str) -> str:
    """Any text without control characters, line ends, invisible signs and runs of blanks."""
    shown = "".join(" " if unicodedata.category(char)[0] in "CZ" else char for char in text)
    return " ".join(shown.split())
