"""All forms a match can be written in and read from."""

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from controller.record.files.bgf import is_bgf, read_bgf
from controller.record.files.games import foreign_games
from controller.record.files.jsonfile import json_text, read_json
from controller.record.files.mat import mat_text, read_mat
from controller.record.files.match_text import MatchFileError, text_of
from controller.record.files.ogxmfile import MAGIC, is_ogxm_json, ogxm_bytes, read_ogxm, read_ogxm_json
from controller.record.files.scoresheet import scoresheet
from controller.record.files.sgf import looks_like_sgf, read_sgf, sgf_text
from controller.record.files.snowie import snowie_text
from controller.record.files.transcript import transcript_text
from controller.record.files.xg import is_xg, read_xg
from controller.record.journal.seal import Seal
from controller.record.match.match import MatchRecord

SQLITE = b"SQLite format 3\0"


class Format(StrEnum):
    """The forms of `export`."""

    MAT = "mat"
    SGF = "sgf"
    SNOWIE = "snowie"
    OGXM = "ogxm"
    JSON = "json"
    TEXT = "text"
    HTML = "html"


_TEXTS: Mapping[Format, Callable[[MatchRecord], str]] = {
    Format.MAT: mat_text,
    Format.SGF: sgf_text,
    Format.SNOWIE: snowie_text,
    Format.JSON: json_text,
    Format.TEXT: transcript_text,
}


_FOR_PROGRAMS = frozenset({Format.SGF, Format.SNOWIE, Format.OGXM})
"""The forms that are made of positions which only backgammon has."""
_BINARIES: Sequence[tuple[Callable[[bytes], bool], Callable[[bytes, str], MatchRecord]]] = (
    (lambda data: data.startswith(MAGIC), read_ogxm),
    (is_xg, read_xg),
    (is_bgf, read_bgf),
)


def format_match(match: MatchRecord, form: Format, seals: Sequence[Seal] = ()) -> bytes:
    """A match in a form, the texts as UTF-8.

    ``seals`` are those of the table in its journal, in their order; the score sheet shows the last one.

    Raises:
        OgxmMissingError, MatchFileError: OGXM cannot be written.
        MatchFileError: the form is one for programs, and none of them knows the game.
    """
    if form in _FOR_PROGRAMS and (games := foreign_games(match)):
        raise MatchFileError(
            f"No program that reads {form} knows {' and '.join(games)}, and {form} has no place for such positions; "
            "choose the format json, which holds everything, or mat, text or html."
        )
    if form is Format.OGXM:
        return ogxm_bytes(match)
    if form is Format.HTML:
        return scoresheet(match, seals).encode("utf-8", "replace")
    return _TEXTS[form](match).encode("utf-8", "replace")


def is_text(data: bytes) -> bool:
    """Whether a match file is one of those that are written as text."""
    return not data.startswith(SQLITE) and not any(fits(data) for fits, _ in _BINARIES)


def read_match_file(data: bytes, name: str, encoding: str | None = None) -> MatchRecord:
    """The match of a `.mat`, SGF, OGXM, XG, BGBlitz or JSON file, whichever it is; ``name`` is for messages.

    ``encoding`` is that of a text, where it is known; else see `controller.record.files.match_text.encoding_of`.

    Raises:
        MatchFileError: it is none of them, or damaged.
        OgxmMissingError, GvformatMissingError: what reads it is not installed.
    """
    for fits, read in _BINARIES:
        if fits(data):
            return read(data, name)
    if data.startswith(SQLITE):
        raise MatchFileError(f"{name} is a database; a journal goes to `pointsman export`.")
    text = text_of(data, name, encoding)
    if not text.strip():
        raise MatchFileError(f"{name} is empty; give a match file.")
    if text.lstrip().startswith("{"):
        return read_ogxm_json(text, name) if is_ogxm_json(text) else read_json(text, name)
    if looks_like_sgf(text):
        return read_sgf(text, name)
    return read_mat(text, name)
