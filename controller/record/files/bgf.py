"""Match files of BGBlitz (`.bgf`), through the package `gvformat`.

`gvformat` (PyPI `gammonview`, MIT) takes the files apart; tried with 3.1.0 and files of BGBlitz. They go through
OGXM.
"""

import struct
import zlib
from types import ModuleType
from typing import Final

from controller.errors import UserError
from controller.record.files.match_text import LARGEST, MatchFileError, one_line
from controller.record.files.ogxmfile import read_ogxm
from controller.record.match.match import MatchRecord

BGF_MARK: Final = b'"BGF"'
HEADER: Final = 400
"""Bytes in which BGBlitz names its format."""
MOST_UNPACKED: Final = 64_000_000
"""Bytes of a file unpacked; a match of 25 points has some 1,000,000."""


class GvformatMissingError(UserError):
    """The package that reads the files of BGBlitz is not installed."""


def is_bgf(data: bytes) -> bool:
    """Whether bytes begin as a match of BGBlitz does."""
    line = data[:HEADER].split(b"\n", 1)[0]
    return line.lstrip().startswith(b"{") and BGF_MARK in line.replace(b" ", b"")


def read_bgf(data: bytes, name: str) -> MatchRecord:
    """The match of a file of BGBlitz.

    Raises:
        GvformatMissingError: the package is not installed.
        OgxmMissingError: the codec of OGXM is not.
        MatchFileError: damaged.
    """
    _check_size(data.partition(b"\n")[2], name)
    package = _package(name)
    try:
        converted: bytes = package.write_gvab(package.convert_bgf(data))
    except (
        ArithmeticError,
        AssertionError,
        LookupError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
        EOFError,
        AttributeError,
        zlib.error,
        struct.error,
    ) as error:
        raise MatchFileError(
            f"{name} is no whole file of BGBlitz ({one_line(str(error))[:80]}); save it there once more."
        ) from None
    return read_ogxm(converted, name)


def _package(name: str) -> ModuleType:
    try:
        import gvformat
    except ImportError:
        raise GvformatMissingError(
            f"{name} is a file of BGBlitz, which the package gammonview reads: run "
            "`.venv/bin/pip install gammonview PyYAML` in the folder of Pointsman, or export the match there as .mat."
        ) from None
    module: ModuleType = gvformat
    return module


def _check_size(packed: bytes, name: str) -> None:
    if len(packed) > LARGEST:
        raise MatchFileError(f"{name} has {len(packed)} bytes, which no match has; give a match file.")
    unpacker = zlib.decompressobj(wbits=47)
    try:
        unpacked = len(unpacker.decompress(packed, MOST_UNPACKED))
    except zlib.error:
        return
    if unpacked >= MOST_UNPACKED:
        raise MatchFileError(f"{name} unpacks to more than any match has; give a match file.")
