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


def text_of(data: bytes, name: str, encoding: str | None = None) -> str:
    """The text of a file in the encoding that is named, else in that of `encoding_of`.

    Control characters other than line ends and tabs become blanks.

    Raises:
        MatchFileError: too large, bytes that are no text, or no text in the encoding that is named.
    """
    if len(data) > LARGEST:
        raise MatchFileError(f"{name} has {len(data)} bytes, which no match has; give a match file.")
    try:
        text = data.decode(encoding) if encoding else data.decode(encoding_of(data), "replace")
    except UnicodeError:
        raise MatchFileError(
            f"{name} is not written in {encoding}; name another encoding with --encoding, or none."
        ) from None
    if "\0" in text:
        raise MatchFileError(
            f"{name} is no text; give a .mat, .sgf, .ogxm, .xg, .xgp, .bgf or .json match file."
        )
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char if char in "\n\t" or char.isprintable() else " " for char in lines)


def encoding_of(data: bytes) -> str:
    """UTF-16 by its mark, UTF-8 if the bytes are that, else the Windows form of Latin-1, or Latin-1 itself."""
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) and len(data) % 2 == 0:
        return "utf-16"
    for encoding in ("utf-8-sig", "cp1252"):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def is_guessed(data: bytes) -> bool:
    """Whether nothing in a text tells its encoding, so that people should hear which one is taken."""
    return encoding_of(data) in ("cp1252", "latin-1")


def check_encoding(name: str) -> str:
    """An encoding that texts can be in. Raises MatchFileError if there is none of that name."""
    try:
        "".encode(name)
        b"".decode(name)
    except (LookupError, UnicodeError, ValueError):
        raise MatchFileError(
            f"There is no encoding {name!r}; name one such as utf-8, windows-1250, shift_jis or gb18030."
        ) from None
    return name


LONGEST: Final = 31
"""Characters of a name that gnubg 1.07 keeps."""
_SPELT_OUT: Final = str.maketrans(
    {"ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "æ": "ae"}
)
_GAME_HEAD: Final = re.compile(r"(game) (?=\d)", re.IGNORECASE)


def mat_name(name: str, instead: str) -> str:
    """A name as ASCII text for the columns of a `.mat` file, `instead` if nothing of it is left.

    Accents are dropped; `:` would end a column, `;` a field, brackets a position; runs of blanks would begin
    the next column; `Game 3` would begin a game. A rating after a comma stays: servers write it so, and gnubg
    reads it.
    """
    flat = unicodedata.normalize("NFKD", name.translate(_SPELT_OUT))
    kept = "".join(
        char if char.isascii() and (char.isalnum() or char in "-_.',") else " "
        for char in flat
        if not unicodedata.combining(char)
    )
    joined = _GAME_HEAD.sub(r"\1-", " ".join(kept.split()))
    shown = joined[:LONGEST].strip(" -_.',")
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
