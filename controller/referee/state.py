"""What the referee knows between two events."""

from dataclasses import dataclass, field

from controller.referee.caution import Caution
from controller.referee.rests import Rests
from controller.referee.sightings import Sightings
from controller.referee.surroundings import Surroundings
from controller.referee.tracks import Entry, Look, Throw, Track, first_tracks
from controller.rules.position import Position, Side


@dataclass(frozen=True)
class Turn:
    """A roll that is being played: when it came, its dice in order (``None``: the pictures tell)."""

    t: float
    dice: tuple[int, int] | None


@dataclass(frozen=True)
class Told:
    """An entry that was reported, and whether it was certain then."""

    entry: Entry
    sure: bool


@dataclass(frozen=True, eq=False)
class Closing:
    """A turn that is over: when it was rolled, its rests from the one before it on, and their look.

    ``parents`` are the tracks before it and ``throw`` its roll.
    """

    t: float
    rests: Rests
    look: Look
    parents: tuple[Track, ...]
    throw: Throw


@dataclass(frozen=True, eq=False)
class State:
    """Everything the referee holds.

    ``rests`` are those since the roll of ``turn``; the first one began before it. ``closings`` run along with
    the entries of every track, ``told`` is what was reported of them (as many or fewer).
    ``doubted`` are older rests, kept while the one they end with was seen only once and may be a glitch.
    ``read_dice`` tells that rolls are seen in the pictures. ``surroundings`` is how board and light stand.
    """

    caution: Caution
    tracks: tuple[Track, ...]
    read_dice: bool
    rests: Rests = ()
    doubted: Rests = ()
    turn: Turn | None = None
    sightings: Sightings = field(default_factory=Sightings)
    closings: tuple[Closing, ...] = ()
    told: tuple[Told, ...] = ()
    over: bool = False
    surroundings: Surroundings = field(default_factory=Surroundings)


def begin(
    position: Position, side: Side | None = None, read_dice: bool = False, caution: Caution | None = None
) -> State:
    """The state before the first event of a film that begins at ``position``.

    ``side`` is on roll if that is known. Without ``read_dice`` rolls come as events.
    """
    return State(caution or Caution(), first_tracks(position, side), read_dice)
