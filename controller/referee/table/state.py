"""What the referee of a table knows between two events."""

from dataclasses import dataclass, field, replace

from controller.devices.lights.frame import LightFrame
from controller.referee.actions import TurnJudged
from controller.referee.caution import Caution
from controller.referee.cube_watch import CubeWatch, Shown
from controller.referee.rests import Rests
from controller.referee.sightings import Sightings
from controller.referee.surroundings import Surroundings
from controller.referee.table.coach import Seen
from controller.referee.table.phase import Phase
from controller.referee.table.settings import Settings
from controller.referee.tracks import Throw, Track, first_tracks
from controller.rules.match import Match, new_match
from controller.rules.position import Position, Side
from controller.rules.roll import Roll


@dataclass(frozen=True, slots=True)
class Thrown:
    """The roll being played: when it came; ``dice`` in their order, None where the pictures tell.

    ``side`` is None for an opening roll that was only seen: whose die was higher, the play shows.
    """

    side: Side | None
    roll: Roll
    t: float
    dice: tuple[int, int] | None

    def seen_by(self, sightings: Sightings, rests: Rests, t: float, caution: Caution) -> Throw:
        """The roll with everything that the pictures leave open about it, at ``t``."""
        sides = dict.fromkeys(Side, 0.0) if self.side is None else {self.side: 0.0}
        rolls = sightings.rolls(caution) if self.dice is None else {}
        if not rolls:
            return Throw({self.roll: 0.0}, sides, t - self.t)
        stayed = sightings.last_t >= (rests[-1].first_t if rests else t)
        return Throw(rolls, sides, t - self.t, stayed, False, len(sightings.rolled), sightings.sure)


@dataclass(frozen=True, eq=False)
class Ended:
    """A turn that was judged and can still be corrected.

    ``match`` is the one before its play, ``rests`` are those from its roll to its end, ``parents`` the
    explanations of how the board stood before it, ``throw`` its roll as known then. ``turn`` is what was played,
    ``points`` are those to look at where that was not certain. ``open`` tells that the record does not have it yet.
    """

    match: Match
    thrown: Thrown
    throw: Throw
    rests: Rests
    parents: tuple[Track, ...]
    turn: TurnJudged
    sure: bool
    points: tuple[int, ...] = ()
    open: bool = False


@dataclass(frozen=True, eq=False)
class Table:
    """Everything the referee of a table holds.

    Attributes:
        settings: what was agreed.
        match: score, cube and game by the rules; its position is the one confirmed last.
        phase: what the table waits for.
        t: the time of the latest event.
        ply: the number of the next turn in its game, from 0.
        target: the position to be laid out, in `Phase.SET_UP`.
        rests: how the board lay, since the roll being played (the first rest began before it).
        tracks: how the board may stand since the last turn; one, unless that was not certain.
        thrown: the roll being played.
        ended: the turn before, while it can be corrected.
        early: a premature roll that waits for a decision.
        back: the phases that a pause, a dispute, a rebuild or an offer to resign interrupted, the latest last.
        sightings, cube, surroundings: what is known of dice, cube, board and light from the pictures.
        hint: how much a learner is shown.
        consent: whether the device may tell both players of illegal plays in every case.
        best: the end of the best play, if an engine told it.
        lesson: how far a learner's play has come, where that is shown and clear.
        flagged: an illegal play that is being put right, as it was told.
        allowed: whether the electronic dice may be thrown.
        clock: whose clock runs.
        warned: what was told about the present state of the board and need not be said again.
        lit: what the lights show.
    """

    settings: Settings
    match: Match
    phase: Phase
    t: float
    tracks: tuple[Track, ...]
    ply: int = 0
    target: Position | None = None
    rests: Rests = ()
    thrown: Thrown | None = None
    ended: Ended | None = None
    early: tuple[int, int] | None = None
    back: tuple[Phase, ...] = ()
    sightings: Sightings = field(default_factory=Sightings)
    cube: CubeWatch = field(default_factory=lambda: CubeWatch(Shown()))
    surroundings: Surroundings = field(default_factory=Surroundings)
    hint: int = 0
    consent: bool = False
    best: Position | None = None
    lesson: Seen | None = None
    flagged: TurnJudged | None = None
    allowed: bool = False
    clock: Side | None = None
    warned: tuple[object, ...] = ()
    lit: LightFrame = field(default_factory=LightFrame)

    @property
    def position(self) -> Position:
        """The position that was confirmed last."""
        return self.match.game.position

    @property
    def caution(self) -> Caution:
        """How careful the referee is, with the rules of the game being played."""
        return replace(self.settings.caution, rules=self.match.game.profile.movement)

    @property
    def on_turn(self) -> Side | None:
        """Whom the table waits for; None while nobody is on turn, or both are."""
        game = self.match.game
        return game.to_answer or game.turn


def begin(
    settings: Settings, t: float = 0.0, position: Position | None = None, on_roll: Side | None = None
) -> Table:
    """A table before its first game: the checkers are to be laid out.

    Args:
        settings: what was agreed.
        t: now.
        position: where play begins if not at the start of a game.
        on_roll: who rolls first there; None where the first play is to show it.
    """
    match = new_match(settings.terms)
    if position is not None and (position != match.game.position or on_roll is not None):
        match = replace(match, game=replace(match.game, position=position, turn=on_roll))
    game = match.game
    return Table(
        settings,
        match,
        Phase.SET_UP,
        t,
        tracks=first_tracks(game.position, game.turn),
        target=game.position,
        hint=settings.hint,
        consent=settings.consent,
    )
