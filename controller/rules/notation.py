"""Plays in the standard notation of the field, both ways."""

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from controller.errors import UserError
from controller.rules.packed import BAR as BAR
from controller.rules.packed import OFF as OFF

CANNOT_MOVE: Final = "Cannot Move"
LONGEST_NUMBER: Final = 3
_NAMED: Final = {"bar": BAR, "b": BAR, "off": OFF, "o": OFF}


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

DANCES: Final = frozenset(
    (
        *("cannot move", "can not move", "can't move", "no move", "no moves", "no play", "no legal move"),
        *("dance", "dances", "danced", "fan", "fans", "pass", "passes", "-"),
    )
)
"""What people write, in small letters, where nothing could be moved."""
_PATH: Final = re.compile(r"[0-9a-z]+\*?(?:/[0-9a-z]+\*?)+")
_TIMES: Final = re.compile(r"\(?x?([1-4])x?\)?")
_DICE: Final = re.compile(r"\(?[1-6]([-, ]?)[1-6]\)?")
_DASHES: Final = str.maketrans(
    {",": " ", ";": " ", "\u2010": "-", "\u2013": "-", "\u2014": "-", "\u00d7": "x"}
)


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


def parse_play(text: str, *, backwards: bool = False) -> Play:
    """Read a play as people and programs write it: points, `bar` or 25, `off` or 0, `*` for a hit, `(2)` for repeats.

    `b` and `o` are short for bar and off; a hyphen does as the stroke, a comma as a blank; `x2` or a `(2)` set
    apart repeats as well. Dice in front (`31:`, `3-1`) are passed over. A move is returned for each leg that is
    written: `13/7` is one move whatever the dice, `bar/20*/18` two. `Cannot Move`, `dance`, `no move`, `pass` and
    an empty text are the empty play. Whether the play is legal is not asked; with ``backwards`` a move may even
    go up, as some illegal plays did.

    Raises:
        NotationError: naming the part that cannot be read.
    """
    told = _without_dice(text.translate(_DASHES).casefold().strip().rstrip(". "))
    if not told or " ".join(told.split()) in DANCES:
        return ()
    play: list[Move] = []
    latest: Play = ()
    for part in told.split():
        if latest and (times := _repeats(part)):
            play += _again(latest) * (times - 1)
            latest = ()
            continue
        path, times = _counted(part)
        latest = _legs(path.replace("-", "/"), part, text, backwards=backwards)
        play += latest
        if times > 1:
            play += _again(latest) * (times - 1)
            latest = ()
    return tuple(play)


def _without_dice(told: str) -> str:
    """The text without dice in front, which a colon ends, or a blank where moves with strokes follow."""
    before, colon, after = told.partition(":")
    if colon and _DICE.fullmatch(before.strip()):
        return after.strip()
    first, _, rest = told.partition(" ")
    dice = _DICE.fullmatch(first)
    strokes = "/" in rest or rest.strip() in DANCES
    return rest.strip() if dice and strokes and not (dice[1] and "-" in rest) else told


def _repeats(part: str) -> int:
    """How often a part such as `(2)` or `x2` has the move before it made; 0 if it is no such part."""
    found = _TIMES.fullmatch(part)
    return int(found[1]) if found and len(part) > 1 else 0


def _counted(part: str) -> tuple[str, int]:
    """A part without its `(2)` or `x2`, and how often the move is made."""
    for sign in ("(", "x"):
        path, found, times = part.rpartition(sign)
        if found and (number := _repeats(sign + times)):
            return path, number
    return part, 1


def _legs(path: str, part: str, text: str, *, backwards: bool) -> Play:
    """The moves of one path from point to point, such as `bar/20*/18`."""
    if _PATH.fullmatch(path) is None:
        raise NotationError(
            f"The play {text!r} cannot be read at {part!r}: write 8/5, bar/22*, 6/off or 13/7(2)."
        )
    stops = path.split("/")
    places = [_number(stop.rstrip("*"), text) for stop in stops]
    upwards = any(
        later == earlier or (later > earlier and not backwards) for earlier, later in pairwise(places)
    )
    if stops[0].endswith("*") or upwards or places[0] == OFF or BAR in places[1:]:
        raise NotationError(f"The move {part!r} in {text!r} does not run from a higher point to a lower one.")
    legs = zip(places, places[1:], stops[1:], strict=False)
    return tuple(Move(source, target, stop.endswith("*")) for source, target, stop in legs)


def _again(legs: Play) -> Play:
    """The same moves once more: a blot is hit only once."""
    return tuple(Move(move.source, move.target) for move in legs)


def _place(place: int) -> str:
    return "bar" if place == BAR else "off" if place == OFF else str(place)


def _number(word: str, text: str) -> int:
    if word in _NAMED:
        return _NAMED[word]
    if not word.isdecimal() or len(word) > LONGEST_NUMBER or not OFF <= int(word) <= BAR:
        raise NotationError(f"The play {text!r} names {word!r}: a place is 1 to 24, bar or off.")
    return int(word)
