"""The sentences of a page: what a reader reads aloud, without tables, code blocks and pictures."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

CODE: Final = "Code"
"""Stands for whatever is set in code: one word, however long a command is."""
NEXT: Final = re.compile(r"(?<=[.!?])[\"”)]*\s+(?=[\"“(]*[A-ZÁÉÍÓÖÕÚÜČŠŽ0-9])")
"""Between two sentences."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence and the line on which its paragraph begins."""

    line: int
    text: str

    @property
    def words(self) -> int:
        """How many words it has; a piece of code counts as one."""
        return sum(any(letter.isalnum() for letter in word) for word in self.text.split())


def sentences(page: Path) -> Iterator[Sentence]:
    """All sentences of a page."""
    tables = 0
    for token in MarkdownIt("commonmark").enable("table").parse(page.read_text(encoding="utf-8")):
        tables += {"table_open": 1, "table_close": -1}.get(token.type, 0)
        if token.type == "inline" and not tables:
            assert token.map is not None
            for text in NEXT.split("".join(map(_text, token.children or []))):
                yield Sentence(token.map[0] + 1, text)


def _text(token: Token) -> str:
    """What is read of a piece of a paragraph."""
    match token.type:
        case "text":
            return token.content
        case "code_inline":
            return CODE
        case "softbreak" | "hardbreak":
            return " "
    return ""
