"""How players behave at the table."""

from dataclasses import dataclass
from typing import Final

from controller.simulation.players.cheating import WRONGS, Wrong


@dataclass(frozen=True, slots=True)
class Temperament:
    """Shares (0 to 1) of the turns in which a player does this or that.

    Attributes:
        name: for people.
        speed: of the hand, mm per second.
        think_s: from the roll to the hand, on average.
        tries: tries a play, takes it back and makes another.
        hesitates: takes the hand away in the middle of a play.
        rests: lets a hand lie over the board before playing.
        fumbles: drops a checker on the way and picks it up again.
        brushes: touches checkers that have no part in the play.
        early: is so quick that the clock is pressed while the hand is still leaving.
        careless: leaves checkers between two places.
        doubles: offers a double where the rule of thumb would.
        resigns: gives a lost game up.
        wrongs: what it does wrong in a play, when it cheats.
    """

    name: str
    speed: float = 700.0
    think_s: float = 1.2
    tries: float = 0.0
    hesitates: float = 0.0
    rests: float = 0.0
    fumbles: float = 0.0
    brushes: float = 0.0
    early: float = 0.0
    careless: float = 0.0
    doubles: float = 0.8
    resigns: float = 0.5
    wrongs: tuple[Wrong, ...] = WRONGS


FAST: Final = Temperament("fast", speed=1100.0, think_s=0.4, early=0.3)
CAREFUL: Final = Temperament("careful", speed=500.0, think_s=2.0, rests=0.1)
FUMBLING: Final = Temperament("fumbling", speed=600.0, fumbles=0.2, brushes=0.3, careless=0.2)
WAVERING: Final = Temperament("wavering", think_s=1.6, tries=0.3, hesitates=0.25, rests=0.2)
TEMPERAMENTS: Final = (FAST, CAREFUL, FUMBLING, WAVERING)
"""Those whom a demo draws its players from."""
