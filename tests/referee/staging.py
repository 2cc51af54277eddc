"""Filmed games without pictures: what a reader would say of scripted positions, with its usual doubts."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random

from controller.referee.actions import Action, TurnJudged
from controller.referee.belief.steps import count, leads_to, shift_checker, steps
from controller.referee.events import Event, FilmEnded, FrameLost, FrameSeen, RollReported
from controller.referee.table.machine import step
from controller.referee.table.settings import DiceFrom, Settings
from controller.referee.table.state import begin
from controller.rules.game.match import Form, Terms
from controller.rules.moves.plays import LegalPlay, legal_plays
from controller.rules.notation import OFF
from controller.rules.position import CHECKERS, START, Position, Roll, Side
from controller.rules.profile.conduct import DeviceRole
from controller.rules.profile.profile import STANDARD
from controller.rules.reasons import ReasonCode
from controller.vision.reading import Count, CubeSeen, DieSeen, Reading

SURE = -7.0


def likelihoods(count_: int, rng: Random, slips: float = 0.0) -> dict[int, float]:
    """A reader's opinion of one point: certain as a rule, doubtful about piles, rarely wrong by one."""
    seen = count_
    if rng.random() < slips:
        seen += rng.choice((-1, 1))
    opinion = {seen: 0.0, seen - 1: SURE, seen + 1: SURE}
    if abs(count_) >= 5:
        sign = 1 if count_ > 0 else -1
        for height in range(5, 9):
            opinion[sign * height] = -0.8 * rng.random() - 0.4 * abs(height - abs(count_))
        best = max(opinion.values())
        opinion = {height: value - best for height, value in opinion.items()}
    return {height: value for height, value in opinion.items() if abs(height) <= CHECKERS}


@dataclass(frozen=True)
class Dim:
    """How badly dice are read, in shares of all dice.

    ``missed`` are not found in a picture, ``glitch`` show another number in one; ``lost`` are not found in any
    picture of their roll, ``misread`` show the same wrong number in all of them.
    """

    missed: float = 0.0
    glitch: float = 0.0
    lost: float = 0.0
    misread: float = 0.0


@dataclass
class Film:
    """A film being made: every method adds what happens next.

    ``noise`` is the share of points read wrong, ``linger`` the most pictures more than need be of each rest.
    """

    rng: Random
    noise: float = 0.0
    pace: float = 1.0
    tray_seen: bool = True
    dim: Dim | None = None
    linger: int = 0
    t: float = 0.0
    events: list[Event] = field(default_factory=list)
    dice: tuple[DieSeen, ...] = ()
    cube: CubeSeen | None = None
    buried: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    """Checkers that lie under others and are in no tray, though no point shows them."""

    def roll(self, dice: tuple[int, int], reported: bool = True) -> None:
        """Two dice come to lie somewhere new; an electronic set reports them."""
        self.t += 0.7 * self.pace
        xs = [self.rng.uniform(100, 900) for _ in dice]
        lying = [DieSeen(die, x, self.rng.uniform(100, 500), 0.95) for die, x in zip(dice, xs, strict=True)]
        self.dice = tuple(lying if self.dim is None else self._dimmed(lying, self.dim))
        if reported:
            self.events.append(RollReported(self.t, dice))

    def _dimmed(self, dice: list[DieSeen], dim: Dim) -> Iterator[DieSeen]:
        """The dice as a weak reader takes them for in all pictures; what it is sure of is rather right."""
        for die in dice:
            if self.rng.random() < dim.lost:
                continue
            if self.rng.random() < dim.misread:
                yield replace(die, value=self._other(die.value), confidence=self.rng.uniform(0.4, 0.85))
            else:
                yield replace(die, confidence=self.rng.uniform(0.5, 0.99))

    def _glimpsed(self) -> Iterator[DieSeen]:
        """The dice as they are read in one picture."""
        dim = self.dim or Dim()
        for die in self.dice:
            if self.rng.random() >= dim.missed:
                glitch = dim.glitch and self.rng.random() < dim.glitch
                yield replace(die, value=self._other(die.value)) if glitch else die

    def _other(self, value: int) -> int:
        return self.rng.choice([number for number in range(1, 7) if number != value])

    def lift(self) -> None:
        """The dice are taken up."""
        self.dice = ()

    def rest(self, position: Position, pictures: int = 2, hidden: frozenset[int] = frozenset()) -> None:
        """The board lies still; ``hidden`` points are covered."""
        for _ in range(pictures + (self.rng.randint(0, self.linger) if self.linger else 0)):
            self._add(self.read(position, hidden=hidden))

    def hand(self, position: Position, pictures: int = 1) -> None:
        """A hand is over the board; what is read under it is rubbish."""
        for _ in range(pictures):
            points = list(position.points)
            points[self.rng.randrange(24)] = 0
            self._add(
                self.read(
                    Position.from_counts(points, position.bar(Side.LIGHT), position.bar(Side.DARK)), hand=True
                )
            )

    def lose(self) -> None:
        """A picture cannot be decoded."""
        self.t += self.pace
        self.events.append(FrameLost(self.t, len(self.events), f"{len(self.events):05d}.jpg", "cut short"))

    def read(self, position: Position, hand: bool = False, hidden: frozenset[int] = frozenset()) -> Reading:
        """The reading of one picture."""
        opinions = tuple(likelihoods(number, self.rng, self.noise) for number in position.points)
        bars = (position.bar(Side.LIGHT), position.bar(Side.DARK))
        near = {(a, b): SURE * (abs(a - bars[0]) + abs(b - bars[1])) for a in range(8) for b in range(8)}
        taken = [max(position.off(side) - self.buried[side], 0) for side in Side]
        off = Count(*taken) if self.tray_seen else Count(None, None)
        trays = ({off.light or 0: 0.0}, {off.dark or 0: 0.0})
        return Reading(
            points=tuple(max(opinion, key=lambda one, of=opinion: of[one]) for opinion in opinions),
            bar=Count(*bars),
            off=off,
            dice=tuple(self._glimpsed()),
            cube=self.cube,
            hand=hand,
            confidence=0.9,
            point_confidence=(0.9,) * 24,
            unsure=frozenset(),
            covered=hidden,
            likelihoods=opinions,
            bar_likelihoods=near,
            off_likelihoods=trays if self.tray_seen else (None, None),
        )

    def _add(self, reading: Reading) -> None:
        self.t += self.pace
        self.events.append(FrameSeen(self.t, len(self.events), reading))


def watching(*, read_dice: bool = False) -> Settings:
    """How a film is followed: nobody hears the referee, and what came before may be told anew."""
    conduct = replace(STANDARD.conduct, device_role=DeviceRole.SILENT_RECORDER)
    terms = Terms(Form.MONEY, None, (replace(STANDARD, conduct=conduct),))
    dice = DiceFrom.CAMERA if read_dice else DiceFrom.ELECTRONIC
    return Settings(terms, dice=dice, hindsight=4, film=True)


def judged(film: Film, start: Position, side: Side | None = None, read_dice: bool = False) -> list[Action]:
    """Everything the referee tells of a film."""
    table, actions = begin(watching(read_dice=read_dice), 0.0, start, side), list[Action]()
    for event in [*film.events, FilmEnded(film.t)]:
        if read_dice and isinstance(event, RollReported):
            continue
        table, told = step(table, event)
        actions += told
    return actions


def turns(actions: list[Action]) -> list[TurnJudged]:
    """The judged turns alone, each ply's latest word if it was revised."""
    found = [action for action in actions if isinstance(action, TurnJudged)]
    revised = {turn.ply for turn in found if turn.revises}
    return [turn for turn in found if turn.ply not in revised or turn.revises]


Cheat = Callable[[Position, Side, Roll, Random], Position | None]


def _own(position: Position, side: Side) -> list[int]:
    return [point for point in range(1, 25) if count(position, side, point) > 0]


def _open(position: Position, side: Side, target: int) -> bool:
    return 1 <= target <= 24 and count(position, side, target) > -2


def _tries(position: Position, side: Side, distances: tuple[int, ...], rng: Random) -> Iterator[Position]:
    """One checker for each distance, onto open points, whatever the rules say about anything else."""
    sources = _own(position, side)
    rng.shuffle(sources)
    for source in sources:
        if _open(position, side, source - distances[0]):
            after = shift_checker(position, side, source, source - distances[0])
            if len(distances) == 1:
                yield after
            else:
                yield from _tries(after, side, distances[1:], rng)


def wrong_distance(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """One checker goes a number that nobody rolled."""
    if position.bar(side) or roll.is_double:
        return None
    wrong = rng.choice([n for n in range(1, 7) if n not in roll.dice])
    return next(_tries(position, side, (wrong, roll.low), rng), None)


def ignored_bar(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """Others move although a checker is on the bar."""
    if not position.bar(side) or roll.is_double:
        return None
    return next(_tries(position, side, roll.dice, rng), None)


def blocked_point(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """A checker lands on a made point; seen is only that it left."""
    if position.bar(side) or roll.is_double:
        return None
    for source in rng.sample(_own(position, side), len(_own(position, side))):
        target = source - roll.high
        if 1 <= target <= 24 and count(position, side, target) <= -2:
            gone = shift_checker(position, side, source, OFF)
            return next(_tries(gone, side, (roll.low,), rng), None)
    return None


def one_die_only(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """Only one die is played although both could be."""
    if roll.is_double:
        return None
    played = list(steps(position, side, roll.low))
    return rng.choice(played) if played else None


def opponent_moved(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """One number is played with one of the opponent's checkers."""
    played = [] if roll.is_double else list(steps(position, side, roll.low))
    if not played:
        return None
    after = rng.choice(played)
    if position.bar(side.opponent) or after.bar(side.opponent):
        return None
    own = [max(count(after, side, point), 0) for point in range(1, 25)]
    for result in legal_plays(position, side, roll):
        if own == [max(count(result.after, side, point), 0) for point in range(1, 25)]:
            return None
    tries = _tries(after, side.opponent, (roll.high,), rng)
    return next((one for one in tries if one.bar(side) == after.bar(side)), None)


def bear_off_early(position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """A checker is taken off before all are home."""
    if position.bar(side) or roll.is_double or max(_own(position, side)) <= 6:
        return None
    if roll.high not in _own(position, side):
        return None
    return next(_tries(shift_checker(position, side, roll.high, OFF), side, (roll.low,), rng), None)


CHEATS: dict[str, tuple[Cheat, set[ReasonCode]]] = {
    "wrong_distance": (
        wrong_distance,
        {ReasonCode.WRONG_DISTANCE, ReasonCode.DICE_MISMATCH, ReasonCode.UNUSED_DIE},
    ),
    "ignored_bar": (ignored_bar, {ReasonCode.BAR_FIRST}),
    "blocked_point": (blocked_point, {ReasonCode.BLOCKED_POINT}),
    "one_die_only": (one_die_only, {ReasonCode.UNUSED_DIE, ReasonCode.LARGER_DIE}),
    "opponent_moved": (opponent_moved, {ReasonCode.OPPONENT_MOVED}),
    "bear_off_early": (bear_off_early, {ReasonCode.BEAR_OFF_EARLY}),
}


def cheated(kind: str, position: Position, side: Side, roll: Roll, rng: Random) -> Position | None:
    """A result that breaks one rule, if the position gives a chance to."""
    after = CHEATS[kind][0](position, side, roll, rng)
    lawful = {result.after for result in legal_plays(position, side, roll)}
    return None if after is None or after in lawful | {position} else after


def thrown(rng: Random) -> tuple[int, int]:
    """Two dice."""
    return rng.randint(1, 6), rng.randint(1, 6)


def opening(rng: Random) -> tuple[tuple[int, int], Side]:
    """The first roll: light's die, dark's die, and who starts."""
    light, dark = rng.sample(range(1, 7), 2)
    return (light, dark), Side.LIGHT if light > dark else Side.DARK


def chosen(position: Position, side: Side, roll: Roll, rng: Random) -> LegalPlay:
    """A random legal play."""
    return rng.choice(legal_plays(position, side, roll))


@dataclass(frozen=True)
class Ply:
    """What truly happened in a turn; ``begun`` is an illegal play that is the beginning of the one made."""

    number: int
    side: Side
    roll: Roll
    before: Position
    after: Position
    cheat: str | None = None
    begun: bool = False


def random_game(film: Film, plies: int, cheats: float = 0.0) -> list[Ply]:
    """Film a game of random plays with everything that happens at a table, and tell what truly happened.

    Rolls are thrown again, plays tried and taken back, players stop to think, pictures are lost, hands hide
    points; a share of the plays are illegal, and some of those are put right.
    """
    rng, position, truth = film.rng, START, []
    dice, side = opening(rng)
    film.rest(position, 2)
    for number in range(plies):
        if number:
            dice = thrown(rng)
            if rng.random() < 0.05:
                film.roll(thrown(rng))
                film.rest(position, 1)
        film.roll(dice)
        roll = Roll.from_dice(*dice)
        film.rest(position, rng.randint(2, 3), hidden=frozenset(rng.sample(range(1, 25), rng.randrange(3))))
        if rng.random() < 0.1:
            film.lose()
        after = chosen(position, side, roll, rng).after
        if after != position:
            _think(film, position, side, roll, after)
        bad = _cheat(position, side, roll, rng) if rng.random() < cheats else None
        ply = Ply(number, side, roll, position, after)
        if bad is not None:
            kind, wrong = bad
            film.buried[side] = int(kind == "blocked_point")
            film.rest(wrong, 3)
            if kind == "blocked_point" or rng.random() < 0.5:
                film.hand(wrong)
                film.buried[side] = 0
                film.rest(after, 2)
                begun = leads_to(position, side, roll, wrong, after) or _half_made(
                    position, side, roll, wrong, after
                )
                ply = replace(ply, cheat=kind, begun=begun)
            else:
                ply = replace(ply, cheat=kind, after=wrong)
        else:
            film.rest(after, rng.randint(1, 3))
        if rng.random() < 0.3:
            film.lift()
            film.rest(ply.after, 1)
        truth.append(ply)
        position, side = ply.after, side.opponent
        if 15 in (position.off(Side.LIGHT), position.off(Side.DARK)):
            break
    return truth


def _half_made(before: Position, side: Side, roll: Roll, wrong: Position, after: Position) -> bool:
    """Whether the player's own checkers lie as in the middle of the play made at last.

    Then what is wrong may be the deed of somebody else.
    """
    own = [max(count(wrong, side, point), 0) for point in range(1, 25)]
    return any(
        own == [max(count(middle, side, point), 0) for point in range(1, 25)]
        and leads_to(before, side, roll, middle, after)
        for die in roll.dice
        for middle in steps(before, side, die)
    )


def _think(film: Film, position: Position, side: Side, roll: Roll, after: Position) -> None:
    """A player reaches out; sometimes tries another play first, sometimes stops half way."""
    film.hand(position)
    if film.rng.random() < 0.15:
        trial = chosen(position, side, roll, film.rng).after
        film.rest(trial, film.rng.randint(1, 2))
        film.hand(trial)
    middle = middle_of(position, side, roll, after)
    if middle is not None and film.rng.random() < 0.2:
        film.rest(middle, 2)
        film.hand(middle)


def _cheat(position: Position, side: Side, roll: Roll, rng: Random) -> tuple[str, Position] | None:
    for kind in rng.sample(sorted(CHEATS), len(CHEATS)):
        wrong = cheated(kind, position, side, roll, rng)
        if wrong is not None and clear_breach(position, side, roll, wrong):
            return kind, wrong
    return None


def clear_breach(before: Position, side: Side, roll: Roll, wrong: Position) -> bool:
    """Whether two places outside piles speak against every legal result (on piles a reader may doubt)."""
    lawful = [before, *(play.after for play in legal_plays(before, side, roll))]
    return all(_plain_differences(wrong, right) >= 2 for right in lawful)


def _plain_differences(one: Position, other: Position) -> int:
    pairs = zip(one.points, other.points, strict=True)
    bars = [(position.bar(Side.LIGHT), position.bar(Side.DARK)) for position in (one, other)]
    return sum(a != b and max(abs(a), abs(b)) < 5 for a, b in pairs) + (bars[0] != bars[1])


def middle_of(position: Position, side: Side, roll: Roll, after: Position) -> Position | None:
    """A position on the way to ``after`` with one die played."""
    if roll.is_double:
        return None
    for die, other in (roll.dice, roll.dice[::-1]):
        for middle in steps(position, side, die):
            if middle != after and after in steps(middle, side, other):
                return middle
    return None
