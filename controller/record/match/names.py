"""Players' names as match files can carry them."""

import re
import unicodedata
from typing import Final

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
