"""What the referee knows between two events."""

from dataclasses import dataclass, field

from controller.referee.caution import Caution
from controller.referee.cube_watch import CubeWatch, Shown, Turned
from controller.referee.rests import Rests
from controller.referee.sightings import Sightings
from controller.referee.surroundings import Surroundings
from controller.referee.tracks import Entry, Look, Throw, Track, first_tracks
from controller.rules.position import START, Position, Side


@dataclass(frozen=True)
class Turn:
    """A roll that is being played: when it came, its dice in order (``None``: the pictures tell)."""

    t: float
    dice: tuple[int, int] | None


@dataclass(frozen=True)
class Told:
    """An entry that was reported, and whether it was a single turn and certain then."""

    entry: Entry
    sure: bool


@dataclass(frozen=True, eq=False)
class Closing:
    """A turn that is over: when it was rolled, its rests from the one before it on, and their look.

    ``parents`` are the tracks before it and ``throw`` its roll; ``surprise`` is how badly the best track explained it
    (0 or less).
    """

    t: float
    rests: Rests
    look: Look
    parents: tuple[Track, ...]
    throw: Throw
    surprise: float


@dataclass(frozen=True, eq=False)
class State:
    """Everything the referee holds.

    ``rests`` are those since the roll of ``turn``; the first one began before it. ``closings`` run along with
    the entries of every track, ``told`` is what was reported of them (as many or fewer).
    ``doubted`` are older rests, kept while the one they end with was seen only once and may be a glitch.
    ``read_dice`` tells that rolls are seen in the pictures. ``cube`` is how it lies, ``turned`` holds doubles
    that were seen and belong to a turn not told yet. ``over`` tells that the game is won: then ``turn`` is a
    roll that belongs to the next one. ``surroundings`` is how board and light stand.
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
    cube: CubeWatch = field(default_factory=CubeWatch)
    turned: tuple[Turned, ...] = ()
    over: bool = False
    surroundings: Surroundings = field(default_factory=Surroundings)


def begin(
    position: Position,
    side: Side | None = None,
    read_dice: bool = False,
    caution: Caution | None = None,
    ply: int = 0,
) -> State:
    """The state before the first event of a film that begins at ``position``, with turn ``ply``.

    ``side`` is on roll if that is known. Without ``read_dice`` rolls come as events. Where the game begins at
    the start position the cube is in the middle, else the pictures have to show where it lies.
    """
    cube = CubeWatch(Shown() if position == START else None)
    return State(caution or Caution(), first_tracks(position, side, ply), read_dice, cube=cube)
