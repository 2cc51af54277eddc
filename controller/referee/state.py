"""What the referee knows between two events."""

from dataclasses import dataclass, field

from controller.referee.caution import Caution
from controller.referee.rests import Rests
from controller.referee.sightings import Sightings
from controller.referee.tracks import Entry, Look, Track, first_tracks
from controller.rules.position import Position, Side


@dataclass(frozen=True)
class Turn:
    """A roll that is being played: when it came, its dice in order (``None``: the pictures tell)."""

    t: float
    dice: tuple[int, int] | None


@dataclass(frozen=True, eq=False)
class Closing:
    """What was seen of a turn that is over: when it was rolled, its rests from the one before it on."""

    t: float
    rests: Rests
    look: Look


@dataclass(frozen=True, eq=False)
class State:
    """Everything the referee holds.

    ``rests`` are those since the roll of ``turn``; the first one began before it. ``closings`` run along with
    the entries of every track, ``told`` are the entries that were reported (as many or fewer).
    ``read_dice`` tells that rolls are seen in the pictures.
    """

    caution: Caution
    tracks: tuple[Track, ...]
    read_dice: bool
    rests: Rests = ()
    turn: Turn | None = None
    sightings: Sightings = field(default_factory=Sightings)
    closings: tuple[Closing, ...] = ()
    told: tuple[Entry, ...] = ()
    over: bool = False


def begin(
    position: Position, side: Side | None = None, read_dice: bool = False, caution: Caution | None = None
) -> State:
    """The state before the first event of a film that begins at ``position``.

    ``side`` is on roll if that is known. Without ``read_dice`` rolls come as events.
    """
    return State(caution or Caution(), first_tracks(position, side), read_dice)
