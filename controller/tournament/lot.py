"""Lots that anybody can draw again: each is the beginning of a SHA-256 over the seed and what it is drawn for."""

import hashlib
from collections.abc import Iterable
from typing import Final

BYTES: Final = 6


def lot(seed: str, *words: object) -> int:
    """A number from 0 to 2**48 - 1: the first six bytes of the hash of seed and words with ``|`` between them."""
    text = "|".join([seed, *map(str, words)])
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:BYTES])


def shuffle(seed: str, what: str, numbers: Iterable[int]) -> list[int]:
    """The numbers in the order of their lots."""
    return sorted(numbers, key=lambda number: (lot(seed, what, number), number))
