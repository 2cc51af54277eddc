"""What the director says of the record of a running match: the keys of one saying in, a correction out."""

from collections.abc import Callable, Mapping
from typing import Final

from controller.record.filter.keys import MOST_PLIES, MOST_POINTS, Keys
from controller.record.journal.journal import JournalEvent
from controller.record.match.corrections import Director
from controller.rules import Roll

MOST_GAMES: Final = 10_000
MOST_EVENTS: Final = 2**53

PutRight = Callable[[Director], JournalEvent]


def correction_of(keys: Keys, running: int) -> PutRight:
    """What a saying puts right.

    Args:
        keys: ``what``, one of `CORRECTIONS`, with its keys, and ``why`` if a reason is given.
        running: the number of the game that is meant where ``game`` is left out, from 1.

    Raises:
        TableLineError: naming the key that is wrong.
    """
    what = keys.word("what", CORRECTIONS)
    names, correct = CORRECTIONS[what]
    keys.only(("what", "kind", "by", "why", *names))
    game = keys.whole("game", 1, MOST_GAMES) if keys.has("game") else running
    return correct(keys, game, keys.text("why"))


def _undo(keys: Keys, game: int, why: str) -> PutRight:
    ply = _ply(keys)
    return lambda director: director.undo(game, ply, why)


def _change_play(keys: Keys, game: int, why: str) -> PutRight:
    ply, play = keys.whole("ply", 0, MOST_PLIES), keys.text("play")
    return lambda director: director.change_play(game, ply, play, why)


def _change_roll(keys: Keys, game: int, why: str) -> PutRight:
    ply, roll = keys.whole("ply", 0, MOST_PLIES), Roll.from_dice(*keys.dice("dice"))
    return lambda director: director.change_roll(game, ply, roll, why)


def _change_cube(keys: Keys, game: int, why: str) -> PutRight:
    ply, words = _ply(keys), tuple(keys.text("words").split())
    return lambda director: director.change_cube(game, ply, words, why)


def _change_score(keys: Keys, game: int, why: str) -> PutRight:
    light, dark = keys.whole("light", 0, MOST_POINTS), keys.whole("dark", 0, MOST_POINTS)
    return lambda director: director.change_score(game, light, dark, why)


def _revoke(keys: Keys, _: int, why: str) -> PutRight:
    number = keys.whole("correction", 1, MOST_EVENTS)
    return lambda director: director.revoke(number, why)


def _ply(keys: Keys) -> int | None:
    return keys.whole("ply", 0, MOST_PLIES) if keys.has("ply") else None


CORRECTIONS: Final[Mapping[str, tuple[tuple[str, ...], Callable[[Keys, int, str], PutRight]]]] = {
    "undo_ply": (("game", "ply"), _undo),
    "change_play": (("game", "ply", "play"), _change_play),
    "change_roll": (("game", "ply", "dice"), _change_roll),
    "change_cube": (("game", "ply", "words"), _change_cube),
    "change_score": (("game", "light", "dark"), _change_score),
    "revoke": (("correction",), _revoke),
}
"""Every correction by its name, the key ``what``, with the keys that it takes and what reads them."""
