"""All forms a match can be written in and read from."""

from collections.abc import Callable, Mapping
from enum import StrEnum

from controller.record.files.jsonfile import json_text, read_json
from controller.record.files.mat import mat_text, read_mat
from controller.record.files.match_text import MatchFileError, text_of
from controller.record.files.ogxmfile import MAGIC, ogxm_bytes, read_ogxm
from controller.record.files.scoresheet import scoresheet
from controller.record.files.sgf import looks_like_sgf, read_sgf, sgf_text
from controller.record.files.snowie import snowie_text
from controller.record.files.transcript import transcript_text
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
    Format.HTML: scoresheet,
}


def format_match(match: MatchRecord, form: Format) -> bytes:
    """A match in a form, the texts as UTF-8.

    Raises:
        OgxmMissingError, MatchFileError: OGXM cannot be written.
    """
    if form is Format.OGXM:
        return ogxm_bytes(match)
    return _TEXTS[form](match).encode("utf-8", "replace")


def read_match_file(data: bytes, name: str) -> MatchRecord:
    """The match of a `.mat`, SGF, OGXM or JSON file, whichever it is; ``name`` is for messages.

    Raises:
        MatchFileError: it is none of them, or damaged.
        OgxmMissingError: it is OGXM and the codec is not installed.
    """
    if data.startswith(MAGIC):
        return read_ogxm(data, name)
    if data.startswith(SQLITE):
        raise MatchFileError(f"{name} is a database; a journal goes to `pointsman export`.")
    text = text_of(data, name)
    if not text.strip():
        raise MatchFileError(f"{name} is empty; give a match file.")
    if text.lstrip().startswith("{"):
        return read_json(text, name)
    if looks_like_sgf(text):
        return read_sgf(text, name)
    return read_mat(text, name)
