"""A scene at a table being made: what people do, and the lines that `pointsman referee` is told of it.

Labels come from what is done here, never from what a referee makes of it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from random import Random
from typing import TYPE_CHECKING, Any, Final, cast

from controller.record.filter.board import sharp_reading
from controller.record.table.inputs import reading_record
from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.vision.reading import CubeSeen, DieSeen, HandSeen
from tests.scenes.board import ROLLS, can_play, changed_points, is_closed_out, lawful, way
from tests.scenes.places import ANY, Sort, chosen

if TYPE_CHECKING:
    from controller.vision import Colour, Owner

Pair = tuple[int, int]
CENTRED: Final[tuple[int, str]] = (1, "center")
LENGTH: Final = 7


class NoChanceError(Exception):
    """The position or the dice gave no chance for what the scene is about; another seed is tried."""


class Dice(StrEnum):
    """Who tells the rolls."""

    ELECTRONIC = "electronic"
    CAMERA = "camera"


class Ending(StrEnum):
    """How the players end their turns."""

    DONE = "done"
    CLOCK = "clock"
    LIFTED = "lifted"
    ROLL = "roll"


@dataclass(frozen=True, slots=True)
class Manner:
    """How a table is run.

    Attributes:
        dice: who tells the rolls.
        ending: how turns are ended.
        trays: the camera sees the trays.
        cube: the camera sees the cube.
    """

    dice: Dice
    ending: Ending
    trays: bool
    cube: bool


@dataclass(frozen=True, slots=True)
class Misread:
    """A point that is read wrong in every reading in which so many checkers lie there.

    Attributes:
        point: which one, as light counts.
        by: how many checkers too many are read: positive light's, negative dark's.
        least: how many must lie there; with 0, exactly none.
    """

    point: int
    by: int
    least: int

    def applies(self, position: Position) -> bool:
        """Whether the point is read wrong as the board lies."""
        count = position.points[self.point - 1]
        return count * (1 if self.by > 0 else -1) >= self.least if self.least else count == 0


@dataclass(frozen=True, slots=True)
class Ply:
    """What was done in one turn.

    Attributes:
        side: whose turn it was.
        dice: what was rolled; None where nothing was.
        after: the board when the turn was over.
        legal: whether the play was.
        tried: boards of illegal plays that lay there at the end of the turn and were put right.
        also: boards that truly lay there after the turn, until the next play.
        open: the scene ends before the referee must have told of it.
    """

    side: Side
    dice: Pair | None
    after: Position
    legal: bool = True
    tried: tuple[Position, ...] = ()
    also: tuple[Position, ...] = ()
    open: bool = False


@dataclass(frozen=True, slots=True)
class Deed:
    """What was done against the rules.

    Attributes:
        side: who did it.
        ply: in which turn, counted from 0.
        t: when it began.
        codes: reasons of which each is a right name for it.
        messages: what the device may say that names it as well.
        whose: what it may say that names it if it tells whose deed it was.
        corrected: the record must hold the illegal play and the one that took its place.
        before: what somebody else had done against the rules before that.
    """

    side: Side
    ply: int
    t: float
    codes: frozenset[str]
    messages: frozenset[str] = frozenset()
    whose: frozenset[str] = frozenset()
    corrected: bool = False
    before: "Deed | None" = None


@dataclass(frozen=True, slots=True)
class Scene:
    """One scene.

    Attributes:
        kind: its name.
        seed: which of its kind.
        position: where it begins.
        on_roll: who is to roll then.
        clock: a clock ends the turns.
        lines: what the referee is told, always with the hands.
        plies: what was done, turn by turn.
        acts: what was done with the cube.
        deed: what was done against the rules, if anything.
        excused: reasons that may be held against a player although the scene is honest.
    """

    kind: str
    seed: int
    position: Position
    on_roll: Side
    clock: bool
    lines: tuple[Mapping[str, Any], ...]
    plies: tuple[Ply, ...]
    acts: tuple[tuple[str, str], ...] = ()
    deed: Deed | None = None
    excused: frozenset[str] = frozenset()

    def told(self, *, hands: bool) -> list[str]:
        """The lines as text, with or without whose hands were over the board."""
        return [json.dumps(line if hands else _without_hands(line)) for line in self.lines]


def _without_hands(line: Mapping[str, Any]) -> dict[str, Any]:
    known = {key: value for key, value in line.items() if key != "hands"}
    if "reading" in line:
        known["reading"] = {**line["reading"], "hands": None}
    return known


@dataclass
class Stage:
    """A scene being made. Every method adds what happens next.

    Attributes:
        rng: all chance.
        manner: how the table is run.
        board: how the checkers lie.
        side: who is to roll.
        t: seconds.
        cube: what the cube shows and where it lies.
        lying: the dice on the board that the camera sees.
        doubtful: the same dice as it reads them, where it is not sure of them.
        hands: those that were over the board since the last reading; None where nobody watched.
        arm: whose arm lies over the board all the time, and the points that it hides.
        elsewhere: by how many checkers what lies in a tray differs from what is borne off.
        misread: where the eye errs for good.
    """

    rng: Random
    manner: Manner
    board: Position
    side: Side
    t: float = 0.0
    cube: tuple[int, str] = CENTRED
    lying: list[Pair] = field(default_factory=list)
    doubtful: tuple[DieSeen, ...] = ()
    arm: tuple[Side, tuple[int, ...]] | None = None
    elsewhere: dict[Side, int] = field(default_factory=lambda: dict.fromkeys(Side, 0))
    misread: Misread | None = None
    lines: list[dict[str, Any]] = field(default_factory=list)
    hands: list[tuple[Side, tuple[int, ...]]] | None = field(default_factory=list)
    plies: list[Ply] = field(default_factory=list)
    acts: list[tuple[str, str]] = field(default_factory=list)
    deed: Deed | None = None
    excused: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        """The players sit down; the camera has seen the board."""
        self.begun = self.board, self.side
        self.see(self.rng.randint(2, 3))

    # Lines.

    def wait(self, low: float = 0.5, high: float = 6.0) -> None:
        """Time passes; short waits are as usual as long ones."""
        self.t += low * (high / low) ** self.rng.random()

    def tell(self, kind: str, **keys: Any) -> None:
        """One line, now."""
        self.lines.append({"t": round(self.t, 2), "kind": kind, **keys})

    def see(
        self,
        readings: int | None = None,
        *,
        hidden: Iterable[int] = (),
        wrong: Position | None = None,
        dice: Sequence[Pair] | None = None,
        lasts: float | None = None,
    ) -> None:
        """The board at rest is read so many times (1 to 4 if left out), or again and again for so many seconds.

        Args:
            readings: how many times.
            hidden: points that something covers.
            wrong: what is read instead of the board.
            dice: the pairs that are read instead of those that lie there.
            lasts: for how long.
        """
        until = None if lasts is None else self.t + lasts
        count = self.rng.randint(1, 4) if readings is None else readings
        done = 0
        while done < count or (until is not None and self.t < until):
            self.t += self.rng.uniform(0.15, 0.5) if until is None else self.rng.uniform(0.25, 0.9)
            self._read(
                frozenset(hidden),
                self.board if wrong is None else wrong,
                self.lying if dice is None else dice,
            )
            done += 1

    def _read(self, hidden: frozenset[int], shown: Position, dice: Sequence[Pair]) -> None:
        if self.arm is not None:
            hidden |= frozenset(self.arm[1])
            self.cover(*self.arm)
        keys: dict[str, Any] = {"position": self._as_read(shown).compact()}
        if hidden:
            keys["hidden"] = sorted(hidden)
        if self.manner.trays:
            keys["off"] = {str(side): count for side, count in self._trays().items()}
        if dice:
            keys["dice"] = [list(pair) for pair in dice]
        if self.manner.cube:
            keys["cube"] = {"value": self.cube[0], "owner": self.cube[1]}
        keys["hands"] = self.hands and [
            {"side": str(side), "points": list(points)} for side, points in self.hands
        ]
        if dice and self.doubtful:
            keys = {"reading": self._doubtful_reading(hidden, shown)}
        self.hands = []
        self.tell("seen", **keys)

    def _doubtful_reading(self, hidden: frozenset[int], shown: Position) -> Mapping[str, Any]:
        """The board as sharp as ever, and the dice as the camera is not sure of them."""
        off = self._trays()
        value, owner = self.cube
        hands = None if self.hands is None else [(cast("Colour", str(side)), at) for side, at in self.hands]
        reading = sharp_reading(
            self._as_read(shown),
            hidden,
            (off[Side.LIGHT], off[Side.DARK]) if self.manner.trays else (None, None),
            self.doubtful,
            CubeSeen(value, cast("Owner", owner)) if self.manner.cube else None,
            None if hands is None else tuple(HandSeen(side, frozenset(points)) for side, points in hands),
        )
        return reading_record(reading)

    def _trays(self) -> dict[Side, int]:
        """How many checkers lie in each tray."""
        return {side: min(CHECKERS, max(0, self.board.off(side) + self.elsewhere[side])) for side in Side}

    def _as_read(self, position: Position) -> Position:
        """What the eye makes of a board."""
        if self.misread is None or not self.misread.applies(position):
            return position
        counts = list(position.points)
        counts[self.misread.point - 1] += self.misread.by
        return Position.seen(counts, position.bar(Side.LIGHT), position.bar(Side.DARK))

    def press(self, button: str, side: Side | None) -> None:
        """A button is pressed."""
        self.tell("pressed", button=button, side=None if side is None else str(side))

    def say(self, by: str, what: str, **keys: Any) -> None:
        """Somebody says something to the device."""
        self.tell("said", by=by, what=what, **keys)

    # Hands and checkers.

    def reach(self, side: Side | None, points: Iterable[int] = (), lasts: float | None = None) -> None:
        """A hand goes over the board, or something moves of itself, and is away again.

        ``points`` are those where it does something; it covers some beside them, too.
        """
        seconds = self.rng.uniform(0.4, 1.8) if lasts is None else lasts
        until = self.t + seconds
        while self.t < until:
            self.t += min(self.rng.uniform(0.2, 0.6), max(until - self.t, 0.05))
            self.tell("moving")
        if side is not None:
            self.cover(side, self._covered(side, points))

    def cover(self, side: Side, points: Iterable[int]) -> None:
        """A hand is over these points."""
        if self.hands is not None:
            self.hands.append((side, tuple(points)))

    def _covered(self, side: Side, points: Iterable[int]) -> tuple[int, ...]:
        """The points, some beside them that the hand covers, and some before them over which the arm reaches."""
        under = set(points)
        for point in tuple(under):
            for beside in (point - 1, point + 1):
                if 1 <= beside <= 24 and self.rng.random() < 0.4:
                    under.add(beside)
            far = (point > 12) is (side is Side.LIGHT)
            if far and self.rng.random() < 0.6:
                under.add(25 - point)
        return tuple(sorted(under))

    def lay(self, by: Side | None, after: Position) -> None:
        """A hand changes the board; without one, something jolts it."""
        points = changed_points(self.board, after)
        self.reach(by, points)
        self.board = after

    def touch(self, by: Side, boards: Sequence[Position]) -> None:
        """A hand changes the board, step by step, in one go."""
        points: set[int] = set()
        for before, after in zip([self.board, *boards[:-1]], boards, strict=True):
            points |= set(changed_points(before, after))
        self.reach(by, points)
        self.board = boards[-1]

    def rest_arm(self, side: Side, points: Iterable[int]) -> None:
        """An arm comes to lie over points and hides them."""
        self.arm = side, tuple(points)

    def lift_arm(self) -> None:
        """It is taken away."""
        if self.arm is not None:
            self.reach(*self.arm)
            self.arm = None

    # Rolls.

    def throw(
        self, side: Side, dice: Pair, *, seen: int | None = None, doubtful: tuple[DieSeen, ...] = ()
    ) -> None:
        """Dice are rolled: a dice set reports them, or the camera sees them lie, and may not be sure of them."""
        self.reach(side, lasts=self.rng.uniform(0.3, 0.9))
        shaken = dice if self.rng.random() < 0.5 else dice[::-1]
        if self.manner.dice is Dice.ELECTRONIC:
            self.t += self.rng.uniform(0.1, 0.4)
            self.tell("rolled", dice=list(shaken))
            if self._shows_dice:
                self.lying = [dice]
            self.see(self.rng.randint(0, 2) if seen is None else seen)
        else:
            self.lying, self.doubtful = [dice], doubtful
            self.see(self.rng.randint(2, 4) if seen is None else seen)

    @property
    def _shows_dice(self) -> bool:
        """Whether dice that a dice set reports are in the pictures, too: only where lifting them says something."""
        return self.manner.ending is Ending.LIFTED

    def lift(self, side: Side, readings: int | None = None) -> None:
        """The dice are taken up, and the camera sees the board without them."""
        self.reach(side, lasts=self.rng.uniform(0.3, 0.9))
        self.lying = []
        self.see(self.rng.randint(2, 4) if readings is None else readings)

    def end(self, side: Side) -> None:
        """The player ends the turn as people do at this table, and a moment later it is the other's.

        Raises:
            NoChanceError: if the game is over with it.
        """
        if max(self.board.off(each) for each in Side) >= CHECKERS:
            raise NoChanceError
        self.conclude(side)
        self.linger(side)

    def conclude(self, side: Side) -> None:
        """What ends a turn: a button, the clock, or the dice lifted."""
        self.t += self.rng.uniform(0.3, 1.5)
        match self.manner.ending:
            case Ending.DONE:
                self.press("done", side)
            case Ending.CLOCK:
                self.press(f"clock_{side}", side)
            case Ending.LIFTED:
                self.lift(side)
            case Ending.ROLL:
                pass

    def linger(self, side: Side) -> None:
        """Until the other rolls: the board is looked at, and dice that still lie there are taken up."""
        self.see(self.rng.randint(1, 3))
        if self.lying and self.manner.ending is not Ending.ROLL:
            self.lift(side)
        self.wait()

    # Turns.

    def some_dice(self, side: Side | None = None) -> Pair:
        """Dice; where only a camera sees them, never such that nothing can be played."""
        roller = self.side if side is None else side
        for _ in range(20):
            dice = self.rng.randint(1, 6), self.rng.randint(1, 6)
            again = any(set(pair) == set(dice) for pair in self.lying)
            dull = self.manner.dice is Dice.CAMERA and not can_play(self.board, roller, Roll.from_dice(*dice))
            if not again and not dull:
                return dice
        raise NoChanceError

    def shuffled_rolls(self) -> list[Roll]:
        """All rolls, but for those that lie on the board already."""
        rolls = [roll for roll in ROLLS if not any(set(pair) == set(roll.dice) for pair in self.lying)]
        self.rng.shuffle(rolls)
        return rolls

    def play(self, after: Position, dice: Pair) -> None:
        """The side to roll plays legally, in one touch or in two; then the board is at rest."""
        if after == self.board:
            self.see(self.rng.randint(1, 3))
            return
        self.wait(0.5, 4.0)
        boards = way(self.board, self.side, Roll.from_dice(*dice), after)
        if len(boards) > 1 and self.rng.random() < 0.35:
            half = self.rng.randint(1, len(boards) - 1)
            self.touch(self.side, boards[:half])
            self.glance()
            self.wait(0.5, 3.0)
            self.touch(self.side, boards[half:])
        else:
            self.touch(self.side, boards)
        self.glance()

    def glance(self) -> None:
        """The board comes to rest; something may still hide a point in the first reading of several."""
        readings = self.rng.randint(1, 4)
        if readings > 1 and self.rng.random() < 0.15:
            under = self.rng.sample(range(1, 25), self.rng.randint(1, 3))
            self.cover(self.side, under)
            self.see(1, hidden=under)
            readings -= 1
        self.see(readings)

    def turn(self, dice: Pair | None = None, after: Position | None = None) -> None:
        """A whole honest turn."""
        rolled = self.some_dice() if dice is None else dice
        self.throw(self.side, rolled)
        self.idle_hand()
        made = chosen(self.board, self.side, Roll.from_dice(*rolled), self.rng) if after is None else after
        self.play(made, rolled)
        self.over(rolled)
        self.end(self.plies[-1].side)

    def idle_hand(self) -> None:
        """Now and then the other player's hand is over the board and does nothing."""
        if self.rng.random() < 0.08:
            self.reach(self.side.opponent, self.rng.sample(range(1, 25), 2))
            self.see(1)

    def over(self, dice: Pair | None, **keys: Any) -> None:
        """What was done in this turn is known, and it is the other's."""
        self.plies.append(Ply(self.side, dice, self.board, **keys))
        self.side = self.side.opponent

    @property
    def before_last(self) -> Position:
        """The board before the last turn."""
        return self.plies[-2].after if len(self.plies) > 1 else self.begun[0]

    def amend(self, **changes: Any) -> None:
        """The last turn was not quite over."""
        self.plies[-1] = replace(self.plies[-1], **changes)

    def go_on(self, turns: int) -> None:
        """So many honest turns; somebody who is closed out is not looked for here."""
        for _ in range(turns):
            if is_closed_out(self.board, self.side):
                raise NoChanceError
            self.turn()

    def close(self, turns: int = 2) -> None:
        """The scene ends: honest turns, and the roll that makes the last of them final."""
        self.go_on(turns)
        if is_closed_out(self.board, self.side):
            raise NoChanceError
        self.throw(self.side, self.some_dice())
        self.see(2)

    def do(
        self, side: Side, codes: Iterable[str], messages: Iterable[str] = (), whose: Iterable[str] = ()
    ) -> None:
        """Now something is done against the rules, in the turn that is being played."""
        named = frozenset(codes), frozenset(messages), frozenset(whose)
        self.deed = Deed(side, len(self.plies), round(self.t, 2), *named)

    def scene(self) -> Scene:
        """What was made; its name and its number are given by whoever asked for it."""
        position, side = self.begun
        return Scene(
            kind="",
            seed=0,
            position=position,
            on_roll=side,
            clock=self.manner.ending is Ending.CLOCK,
            lines=tuple(self.lines),
            plies=tuple(self.plies),
            acts=tuple(self.acts),
            deed=self.deed,
            excused=self.excused,
        )


Way = tuple[Dice, Ending]
ELECTRONIC: Final[tuple[Way, ...]] = (
    (Dice.ELECTRONIC, Ending.DONE),
    (Dice.ELECTRONIC, Ending.CLOCK),
    (Dice.ELECTRONIC, Ending.ROLL),
)
CAMERA: Final[tuple[Way, ...]] = (
    (Dice.CAMERA, Ending.LIFTED),
    (Dice.CAMERA, Ending.DONE),
    (Dice.CAMERA, Ending.CLOCK),
)


def sit_down(
    rng: Random,
    sorts: Sequence[Sort] = ANY,
    ways: Sequence[Way] = (*ELECTRONIC, *CAMERA),
    *,
    trays: bool | None = None,
    cube: bool | None = None,
    turns: int | None = None,
    misread: Misread | None = None,
) -> Stage:
    """A table at which two to four honest turns have been played."""
    dice, ending = rng.choice(ways)
    manner = Manner(
        dice,
        ending,
        rng.random() < 0.5 if trays is None else trays,
        rng.random() < 0.6 if cube is None else cube,
    )
    position, side = rng.choice(sorts)(rng)
    stage = Stage(rng, manner, position, side, misread=misread)
    stage.wait(0.5, 3.0)
    stage.go_on(rng.randint(2, 4) if turns is None else turns)
    return stage


def legal_turn(stage: Stage, wanted: int | None = None) -> tuple[Pair, Position]:
    """Dice for the side to roll and a play of them that changes the board, in so many steps if that is said."""
    for roll in stage.shuffled_rolls():
        ends = [after for after in lawful(stage.board, stage.side, roll) if after != stage.board]
        stage.rng.shuffle(ends)
        for after in ends[:6]:
            if wanted is None or len(way(stage.board, stage.side, roll, after)) == wanted:
                return roll.dice, after
    raise NoChanceError


def own_points(position: Position, side: Side) -> list[int]:
    """The points, as light counts them, on which a side has checkers."""
    return [point for point in range(1, 25) if position.checkers(side, point)]


def quadrant(point: int) -> int:
    """In which quarter of the board a point lies: checkers slip from point to point only within one."""
    return (point - 1) // 6
