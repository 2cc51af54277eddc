"""Plays in the standard notation of the field, both ways."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from controller.errors import UserError
from controller.rules.packed import BAR as BAR
from controller.rules.packed import OFF as OFF

CANNOT_MOVE: Final = "Cannot Move"


class NotationError(UserError):
    """A text that is not a play."""


@dataclass(frozen=True, slots=True)
class Move:
    """One checker, one die, from the mover's own side: points 1..24, source 25 is the bar, target 0 is off.

    `hit` tells whether it sends a blot to the bar. A move that was read from text may span several dice.
    """

    source: int
    target: int
    hit: bool = False


Play = tuple[Move, ...]
"""A whole turn, in the order the checkers were moved; empty when nothing could be moved."""

_SPAN: Final = re.compile(r"(?P<path>[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+)(?:\((?P<times>[1-4])\))?", re.IGNORECASE)


def format_play(play: Play) -> str:
    """The play as players write it: `8/5 6/5`, `24/23* 23/18`, `bar/22`, `6/off(2)` or `Cannot Move`.

    Moves of one checker run together unless it hit on the way, equal moves are counted in brackets, and
    higher sources come first (the form that GammonView and bgsage write, and gnubg reads).
    """
    if not play:
        return CANNOT_MOVE
    spans: list[tuple[int, int, bool]] = []
    for move in play:
        for index, (source, target, hit) in enumerate(spans):
            if target == move.source and not hit:
                spans[index] = (source, move.target, move.hit)
                break
        else:
            spans.append((move.source, move.target, move.hit))
    counted: dict[tuple[int, int], list[bool]] = {}
    for source, target, hit in sorted(spans, key=lambda span: (-span[0], -span[1])):
        counted.setdefault((source, target), []).append(hit)
    return " ".join(
        f"{_place(source)}/{_place(target)}{'*' * any(hits)}{f'({len(hits)})' if len(hits) > 1 else ''}"
        for (source, target), hits in counted.items()
    )


def parse_play(text: str) -> Play:
    """Read a play in standard notation: points, `bar` or 25, `off` or 0, `*` for a hit, `(2)` for repeats.

    A move is returned for each leg that is written: `13/7` is one move whatever the dice, `bar/20*/18` two.
    `Cannot Move` and an empty text are the empty play. Whether the play is legal is not asked.

    Raises:
        NotationError: naming the part that cannot be read.
    """
    if not text.strip() or text.strip().casefold() == CANNOT_MOVE.casefold():
        return ()
    play: list[Move] = []
    for part in text.split():
        span = _SPAN.fullmatch(part)
        if span is None:
            raise NotationError(
                f"The play {text!r} cannot be read at {part!r}: write 8/5, bar/22*, 6/off or 13/7(2)."
            )
        stops = span["path"].split("/")
        places = [_number(stop.rstrip("*"), text) for stop in stops]
        if stops[0].endswith("*") or any(later >= earlier for earlier, later in pairwise(places)):
            raise NotationError(
                f"The move {part!r} in {text!r} does not run from a higher point to a lower one."
            )
        legs = list(zip(places, places[1:], stops[1:], strict=False))
        for repeat in range(int(span["times"] or 1)):
            play += [Move(source, target, stop.endswith("*") and not repeat) for source, target, stop in legs]
    return tuple(play)


def _place(place: int) -> str:
    return "bar" if place == BAR else "off" if place == OFF else str(place)


def _number(word: str, text: str) -> int:
    if word.casefold() in ("bar", "off"):
        return BAR if word.casefold() == "bar" else OFF
    if not word.isdecimal() or not OFF <= int(word) <= BAR:
        raise NotationError(f"The play {text!r} names {word!r}: a place is 1 to 24, bar or off.")
    return int(word)
