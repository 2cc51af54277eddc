"""What the referee of a table knows between two events."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from controller.devices import LightFrame
from controller.referee.actions import Action, Cause, Message, Phase, Told, TurnJudged
from controller.referee.belief.branches import Beam, EndedBy, Hypothesis, Throw, TurnLook, first_beam
from controller.referee.caution import Caution
from controller.referee.seeing.cube_watch import CubeWatch, Shown
from controller.referee.seeing.environment import Environment
from controller.referee.seeing.evidence import WITNESS
from controller.referee.seeing.settled import SettledViews
from controller.referee.seeing.sightings import Sightings
from controller.referee.table.coach import Seen
from controller.referee.table.settings import End, Settings
from controller.rules import Match, Party, Position, Roll, Side, new_match
from controller.rules.profile.conduct import Conduct
from controller.rules.reasons import Argument
from controller.vision.geometry.seen import Hands


@dataclass(frozen=True, slots=True)
class Thrown:
    """The roll being played.

    Attributes:
        side: who rolled; None where only the play will show it.
        roll: the roll, or what it most likely is.
        t: when it came to lie.
        dice: its dice in their order, None where the pictures tell.
        again: the dice, in their order, thrown after it before anything was moved, which nobody has allowed yet.
        first: what it may have been by the pictures, where the dice of that roll lie there now.
        in_hand: its dice were taken up before anything was moved: that did not end the turn.
        said_over: somebody said before anything was moved that the turn was over, and was told so: that did not end
            it either.
        announced: where the play ends that an engine in a seat, or the other table, has announced and a person is to
            carry out.
        flagged: an illegal play of it that is being put right, as it was told.
    """

    side: Side | None
    roll: Roll
    t: float
    dice: tuple[int, int] | None
    again: tuple[int, int] | None = None
    first: Mapping[Roll, float] | None = None
    in_hand: bool = False
    said_over: bool = False
    announced: Position | None = None
    flagged: TurnJudged | None = None

    @property
    def roll_again(self) -> Roll | None:
        """The roll of the dice thrown after it, which nobody has allowed yet."""
        return None if self.again is None else Roll.from_dice(*self.again)


@dataclass(frozen=True, slots=True)
class Rated:
    """What an engine would have played of the roll of a turn.

    Attributes:
        ply: the number of the turn in its game.
        before: the position before it.
        roll: the roll.
        plays: where the plays end and what each loses against the best one, points of equity, the best first.
    """

    ply: int
    before: Position
    roll: Roll
    plays: tuple[tuple[Position, float], ...]


@dataclass(frozen=True, eq=False)
class Closing:
    """A turn that is over. It may be corrected until it is final, and told anew while it is among the latest few.

    Attributes:
        match: the one before it, its roll made.
        thrown, throw: its roll, and what was open about it at the end.
        views: how the board lay from its roll to its end.
        look: the same, as it was weighed.
        parents: how the game may have gone before it.
        entry: what is taken to have happened.
        turn: as it was told; None where the roll was void or is no turn of its own.
        sure: whether it was certain.
        points: those to look at where it was not.
        hidden: points that nobody saw at its end.
        open: whether the record does not have it yet.
        final: whether the next roll or double has made it final.
        ahead: whether people said it while the board did not show it: they may still be moving.
        glimpsed: whether a single picture showed its end, which may err.
    """

    match: Match
    thrown: Thrown
    throw: Throw
    views: SettledViews
    look: TurnLook
    parents: Beam
    entry: Hypothesis
    turn: TurnJudged | None
    sure: bool
    points: tuple[int, ...] = ()
    hidden: frozenset[int] = frozenset()
    open: bool = False
    final: bool = False
    ahead: bool = False
    glimpsed: bool = False


@dataclass(frozen=True, eq=False)
class Table:
    """Everything the referee of a table holds.

    Attributes:
        settings: what was agreed.
        match: score, cube and game by the rules; its position is the one the next turn begins from.
        phase: what the table waits for.
        t: the time of the latest event.
        ply: the number of the next turn in its game, from 0.
        target: the position to be laid out, in `Phase.SET_UP`.
        asked_t: when people last asked for it to be laid out.
        views: how the board lay, since the roll being played (the first settled view began before it).
        hands: those over the board since the last picture at rest; None where that is not known.
        beam: how the game may have gone, likeliest first; each branch has one entry for every closing.
        closings: the latest turns, the last one last, while they may be corrected or revised.
        thrown: the roll being played.
        ended_by: what ended the turn, in `Phase.TURN_ENDED`.
        ended_t: when that was.
        same_t: when a picture last told that the board lies as it was read; None where the eyes tell of no such
            pictures, so that what was read holds until they tell something else.
        early: a premature roll that waits for a decision.
        held: when the side to roll said that it is done while dice were seen that are not read yet.
        back: the phases that a pause, a dispute, a rebuild or an offer to resign interrupted, the latest last.
        sightings, cube, environment: what is known of dice, cube, board and light from the pictures.
        hint: how much a learner is shown.
        consent: whether the device may tell both players of illegal plays in every case.
        settled: the latest turns that are not among the closings any more, the last one last, as long as they can be
            taken back; what was seen of them is not kept.
        undo_asked: who asked to take back the last turn; the other player has not agreed yet.
        opening: the dice of the opening roll that are known, where each side rolls at a table of its own.
        rated: what an engine would have played of the last roll that it was asked about.
        lesson: how far a learner's play has come, where that is shown and clear.
        allowed: whether the electronic dice may be thrown.
        clock: whose clock runs.
        warned: what was told about the present state of the board and need not be said again: a message, the points
            that it is about, and its arguments.
        lit: what the lights show.
    """

    settings: Settings
    match: Match
    phase: Phase
    t: float
    beam: Beam
    ply: int = 0
    target: Position | None = None
    asked_t: float = 0.0
    views: SettledViews = ()
    hands: Hands | None = ()
    closings: tuple[Closing, ...] = ()
    thrown: Thrown | None = None
    ended_by: EndedBy = EndedBy.NOTHING
    ended_t: float = 0.0
    same_t: float | None = None
    early: tuple[int, int] | None = None
    held: float | None = None
    back: tuple[Phase, ...] = ()
    sightings: Sightings = field(default_factory=Sightings)
    cube: CubeWatch = field(default_factory=lambda: CubeWatch(Shown()))
    environment: Environment = field(default_factory=Environment)
    hint: int = 0
    consent: bool = False
    settled: tuple[Closing, ...] = ()
    undo_asked: Side | None = None
    opening: Mapping[Side, int] = field(default_factory=dict)
    rated: Rated | None = None
    lesson: Seen | None = None
    allowed: bool = False
    clock: Side | None = None
    warned: tuple[object, ...] = ()
    lit: LightFrame = field(default_factory=LightFrame)

    @property
    def position(self) -> Position:
        """The position the next turn begins from: the one confirmed last."""
        return self.match.game.position

    @property
    def caution(self) -> Caution:
        """How careful the referee is, with the rules of the game being played."""
        return self.settings.caution_under(self.match.game.profile.movement)

    @property
    def on_turn(self) -> Side | None:
        """Whom the table waits for; None while nobody is on turn, or both are."""
        game = self.match.game
        return game.to_answer or game.turn

    @property
    def playing(self) -> Thrown:
        """The roll being played, where there is one: from a roll on until its turn counts."""
        assert self.thrown is not None
        return self.thrown

    @property
    def announced(self) -> Position | None:
        """Where the play ends that was announced and a person is to carry out."""
        return None if self.thrown is None else self.thrown.announced

    @property
    def flagged(self) -> TurnJudged | None:
        """The illegal play that is being put right, as it was told."""
        return None if self.thrown is None else self.thrown.flagged

    @property
    def advised(self) -> tuple[tuple[Position, float], ...]:
        """What an engine would play of the roll being played, as in `Rated`; empty while it has not told."""
        rated, thrown = self.rated, self.thrown
        if rated is None or thrown is None:
            return ()
        same = (rated.ply, rated.before, rated.roll) == (self.ply, self.position, thrown.roll)
        return rated.plays if same else ()

    @property
    def counted(self) -> tuple[Closing, ...]:
        """The turns that can be taken back, however final, the last one last."""
        return tuple(each for each in (*self.settled, *self.closings) if each.turn is not None)

    @property
    def last_turn(self) -> Closing | None:
        """The turn that was counted last, however final; None where nothing can be taken back."""
        return self.counted[-1] if self.counted else None

    @property
    def ended(self) -> Closing | None:
        """The turn before, while it can still be corrected."""
        last = self.closings[-1] if self.closings else None
        return None if last is None or last.final or last.turn is None else last


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
        beam=first_beam(game.position, game.turn),
        target=game.position,
        cube=CubeWatch(Shown() if position is None else None),
        hint=settings.hint,
        consent=settings.consent,
    )


ON_BOARD: Final = 25
"""Places on the board itself, of those that evidence is about: the points and the bar."""
FITS: Final = 7.0
"""A position is what lies there when what is seen everywhere speaks against it by no more than this (log-odds)."""
LEAD: Final = 4.0
"""One thing is taken for seen, and another for ruled out, where they are so far apart (log-odds): fifty to one."""
SURPRISE: Final = 5.0
"""What no legal play fits better than this (log-odds) is none that was just not seen: 150 to one."""
PLAYERS: Final = frozenset({Party.MOVER, Party.OPPONENT})


def conduct_of(table: Table) -> Conduct:
    """How the table behaves, by the rules of the game being played."""
    return table.match.game.profile.conduct


def audience(table: Table) -> frozenset[Party]:
    """Whom the device may tell of an illegal play."""
    return conduct_of(table).may_tell(consent=table.consent)


def ends_of(table: Table) -> frozenset[End]:
    """What may end a turn at this table."""
    return table.settings.ending(conduct_of(table).turn_ends_by(clock_in_use=table.settings.clock))


def mover_of(table: Table) -> str:
    """Whose turn it is, for a message; empty while that is not known."""
    return str(table.on_turn or "")


def next_roller(table: Table) -> Side | None:
    """Who rolls next, None where nobody knows; after a play that is the other side, and at the opening both roll."""
    if table.phase is Phase.TO_ROLL:
        return table.on_turn
    if (
        table.thrown is None
        or table.thrown.side is None
        or table.phase not in (Phase.MOVING, Phase.TURN_ENDED)
    ):
        return None
    return table.thrown.side.opponent


def at_rest(table: Table) -> bool:
    """Whether the last picture showed the board at rest."""
    return bool(table.views) and table.views[-1].until is None


def is_seen_since_end(table: Table) -> bool:
    """Whether the board as it was seen last is known to lie so since the turn being played was ended.

    Pictures may stay away, or be looked at late: what was moved meanwhile nobody has seen yet.
    """
    if table.phase is not Phase.TURN_ENDED or table.same_t is None or not table.views:
        return True
    return max(table.same_t, table.views[-1].last_t) >= table.ended_t


def can_be_counted(table: Table) -> bool:
    """Whether people may have the turn that is over count as the board lies: it was seen since."""
    return bool(table.views) and is_seen_since_end(table)


def is_seen_often(table: Table) -> bool:
    """Whether the board, as it was seen last, was seen in as many pictures as it takes to ask or accuse anybody."""
    return table.views[-1].readings >= table.caution.readings


def hidden_still(table: Table, closing: Closing) -> frozenset[int]:
    """The points (1..24) that were hidden at the end of a turn, and that the latest picture does not show either."""
    return closing.hidden & table.views[-1].covered if table.views else closing.hidden


def is_seen_better(table: Table) -> bool:
    """Whether the end of the last turn is seen better by now, and nothing was moved since.

    What was hidden then is seen, twice, or a single picture had shown it, and another one shows the same.
    """
    if not table.closings or len(table.views) != 1 or not at_rest(table):
        return False
    start, closing = table.views[0], table.closings[-1]
    if closing.glimpsed and is_seen_often(table):
        return True
    return start.covered < closing.hidden and start.last_t > start.resumed_t


def shows(table: Table, position: Position) -> bool:
    """Whether the board at rest may well show this position.

    A single picture must not contradict it for certain anywhere on the board.
    """
    if not at_rest(table):
        return False
    lies = table.views[-1].visible
    places = lies.by_place(position)
    contradicted = float(places[:ON_BOARD].min()) < -LEAD
    return float(places.sum()) > -FITS and (is_seen_often(table) or not contradicted)


def wrong_points(table: Table, position: Position) -> tuple[int, ...]:
    """The points (1..24) at which the board, as it was seen last, does not look like this position."""
    lies = table.views[-1].visible.by_place(position)[:24]
    return tuple(point for point in range(1, 25) if lies[point - 1] < -WITNESS)


class Answer:
    """The table as it changes, and the actions in their order; lives for one step, which stays pure outside.

    Attributes:
        table: what the referee knows by now.
        actions: what is to be done.
    """

    __slots__ = ("actions", "table")

    def __init__(self, table: Table) -> None:
        """Nothing has changed yet."""
        self.table = table
        self.actions: list[Action] = []

    def change(self, **changes: Any) -> None:
        """Set fields of the table; with each picture most are set to what they are."""
        if any(getattr(self.table, name) is not value for name, value in changes.items()):
            self.table = replace(self.table, **changes)

    def change_roll(self, **changes: Any) -> None:
        """Set fields of the roll being played."""
        self.change(thrown=replace(self.table.playing, **changes))

    def begin_from(self, position: Position, side: Side | None, ply: int = 0, **changes: Any) -> None:
        """Have play begin from a position that is known, whatever was seen and thought before; set other fields."""
        nothing = {"thrown": None, "early": None, "held": None, "closings": (), "settled": (), "warned": ()}
        self.change(**{"beam": first_beam(position, side, ply), "ply": ply, **nothing, **changes})

    def name_next(self, side: Side | None) -> None:
        """Have ``side`` move next, however the game may have gone."""
        self.change(beam=tuple(replace(branch, side=side) for branch in self.table.beam))

    def do(self, *actions: Action) -> None:
        """Have something done."""
        self.actions += actions

    def tell(self, message: Message, **arguments: Argument) -> None:
        """Say something to everybody."""
        self.actions.append(Told(self.table.t, message, arguments))

    def refuse(self, cause: Cause | None = None) -> None:
        """Say that this makes no sense now, and why; without a cause it is what the table waits for."""
        self.tell(Message.NOT_NOW, why=str(cause or self.table.phase))

    def tell_once(self, message: Message, **arguments: Argument) -> None:
        """Say something to everybody, unless it was the last thing said about the board as it lies."""
        warning = (message, (), arguments)
        if self.table.warned != warning:
            self.change(warned=warning)
            self.tell(message, **arguments)

    def ask(self, points: tuple[int, ...], message: Message = Message.LOOK, **arguments: Argument) -> bool:
        """Ask a person to look at these points, unless that was the last thing said; whether it was asked now."""
        warning = (message, points)
        if self.table.warned[:2] == warning:
            return False
        self.change(warned=(*warning, arguments))
        self.tell(message, points=list(points), **arguments)
        return True
