"""What an engine that is installed would play."""

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, SupportsIndex, cast

from controller.errors import UserError, short_repr
from controller.rules.profile.keys import unknown_to_engines
from pointsman.position import Play, Position, position_of
from pointsman.spelling import RollLike, roll_of, whole
from pointsman.value import Value

if TYPE_CHECKING:  # loaded where an engine is asked
    from controller.analysis.advice import EngineName

NAMES: Final = ("gnubg", "bgsage")
"""GNU Backgammon (Debian's package `gnubg`) and bgsage (from PyPI)."""

MOST_PLIES: Final = 3
"""How far an engine looks ahead at most."""


class RatedPlay(Value):
    """A legal play and what an engine says that it is worth.

    Attributes:
        play: the play.
        equity: points that the mover wins on average from there, in units of the cube.
    """

    __slots__ = ("equity", "play")

    play: Play
    equity: float

    def __init__(self, play: Play, equity: float) -> None:
        """Of a play and its equity."""
        self.play = play
        self.equity = equity

    def __repr__(self) -> str:
        """The play and its equity."""
        return f"<RatedPlay {self.play} {self.equity:+.3f}>"


def engines() -> tuple[str, ...]:
    """The engines that are installed here: `gnubg`, `bgsage`, both or none."""
    from controller.analysis import gnubg
    from controller.analysis.engine import EngineError

    found = []
    try:
        gnubg.binary()
        found.append("gnubg")
    except EngineError:
        pass
    if importlib.util.find_spec("bgsage") is not None:
        found.append("bgsage")
    return tuple(found)


def engine_of(engine: str, known: Sequence[str]) -> str:
    """One of the engines that are known. Raises UserError."""
    if isinstance(engine, str) and engine in known:
        return str(engine)
    raise UserError(f"There is no engine {short_repr(engine)}; take {', '.join(known[:-1])} or {known[-1]}.")


def plies_of(plies: SupportsIndex) -> int:
    """How many plies an engine looks ahead. Raises UserError."""
    ahead = whole(plies, "The number of plies")
    if not 0 <= ahead <= MOST_PLIES:
        raise UserError(f"The engine can look 0 to {MOST_PLIES} plies ahead, not {short_repr(ahead)}.")
    return ahead


def best_plays(
    position: Position, roll: RollLike | None = None, engine: str = "auto", plies: SupportsIndex = 0
) -> tuple[RatedPlay, ...]:
    """The plays of a roll that an engine looked at, the best first.

    Args:
        position: before the play; its cube and score count.
        roll: the dice; may be left out where the position has them.
        engine: `gnubg`, `bgsage`, or `auto` for the first one that is installed.
        plies: how far it looks ahead, 0 to 3.

    Raises:
        UserError: no engine is installed, none knows the rules, or nothing can be played.
    """
    from controller.analysis.advice import advise
    from controller.analysis.engine import EngineError

    asked = engine_of(engine, (*NAMES, "auto"))
    ahead = plies_of(plies)
    position = position_of(position, "The position")
    if unknown_to_engines(position.profile):
        raise EngineError(f"No engine knows the rules of {position.variant}.")
    rolled = position.with_roll(roll_of(roll)) if roll is not None else position
    advice = advise(rolled.checkers, rolled.state, cast("EngineName", asked), ahead)
    before = position.with_roll(None) if roll is not None else position
    known = {play.after.checkers: play for play in before.legal_plays(rolled.roll)}
    return tuple(RatedPlay(known[each.after], each.equity) for each in advice.plays if each.after in known)
