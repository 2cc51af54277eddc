"""A short name for what the referee knows: the same wherever it knows the same."""

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Final

import numpy as np

LENGTH: Final = 16
"""Hexadecimal digits: enough to tell the few states of a match apart."""


def state_digest(state: object) -> str:
    """The digest of frozen dataclasses, and of what they hold, in any process and at any time.

    ``repr`` would not do: the order of a set of names differs from one start of the program to the next, and arrays
    are cut short in it.
    """
    sha = hashlib.sha256()
    for part in _parts(state):
        sha.update(part)
    return sha.hexdigest()[:LENGTH]


def _parts(value: object) -> Iterator[bytes]:
    if is_dataclass(value) and not isinstance(value, type):
        yield type(value).__name__.encode()
        for item in fields(value):
            yield item.name.encode()
            yield from _parts(getattr(value, item.name, None))
    elif isinstance(value, np.ndarray):
        yield str((value.dtype, value.shape)).encode()
        yield np.ascontiguousarray(value).tobytes()
    elif isinstance(value, Mapping):
        yield b"{"
        yield from sorted(b"".join((*_parts(key), b":", *_parts(held))) for key, held in value.items())
        yield b"}"
    elif isinstance(value, set | frozenset):
        yield b"<"
        yield from sorted(b"".join(_parts(each)) for each in value)
        yield b">"
    elif isinstance(value, list | tuple):
        yield b"("
        for each in value:
            yield from _parts(each)
            yield b","
        yield b")"
    else:
        yield repr(value).encode()
