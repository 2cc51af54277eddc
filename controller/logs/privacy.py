"""What must not stand in a log: names of players, PINs, codes."""

import re
import threading
from collections.abc import Iterable
from typing import Final

INSTEAD: Final = "..."
SHORTEST: Final = 2
"""A shorter word stands in too many others: a log without it could not be read."""
DIGITS: Final = re.compile(r"(?i)\b(PIN|code|password|token|secret)\b(\W{0,3})[\w-]{4,}")
"""A word that announces a secret, and the secret."""

_turn = threading.Lock()
_words: set[str] = set()
_pattern: re.Pattern[str] | None = None


def hide(words: Iterable[str]) -> None:
    """Keep these words out of every log of this process from now on, whole words only."""
    global _pattern  # logging is one for a process, and so is what may not stand in it
    with _turn:
        _words.update(word.strip() for word in words if len(word.strip()) >= SHORTEST)
        longest = sorted(_words, key=len, reverse=True)
        _pattern = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)") if longest else None


def without_private(text: str) -> str:
    """The text with dots in the place of what is hidden, and of what the text itself calls a PIN or a code."""
    text = DIGITS.sub(rf"\1\2{INSTEAD}", text)
    return text if _pattern is None else _pattern.sub(INSTEAD, text)
