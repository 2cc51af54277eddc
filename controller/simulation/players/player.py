"""A player: what hands, buttons and words do; its plays follow simple rules of thumb of our own, no engine."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from controller.devices import Button, LightFrame, Signal
from controller.devices.lights.frame import Place
from controller.rules import MovementRules, Position, Roll, Side, play_between, results
from controller.rules.game import events as ruled
from controller.rules.game.events import RulesEvent
from controller.rules.moves.movement import STANDARD
from controller.rules.position import Direction
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import CheckerPlace as LyingPlace
from controller.simulation.players.carrying import (
    Carry,
    can_land,
    carries_between,
    carries_of,
    undo_carries,
)
from controller.simulation.players.cheating import Cheat
from controller.simulation.players.temperament import Temperament
from controller.simulation.tabletop.gestures import (
    Brush,
    Fumble,
    Gesture,
    Hover,
    MoveAway,
    Pick,
    Put,
    TurnCube,
)
from controller.vision import Colour

CLOCKS = {Side.LIGHT: Button.CLOCK_LIGHT, Side.DARK: Button.CLOCK_DARK}
RESIGNS_PER_TURN = 0.5
NOISE = 4.0
"""How much chance goes into a choice, in pips."""
HOME, BAR_PIPS = 6, 25
DOUBLE_FROM, TAKE_TO = 0.10, 0.16
"""A lead in the race, as a share of the leader's pips, from which to double, and up to which to take."""
CONTACT = 0.35
"""What a lead in the race is worth while there is contact."""
BLOCKED_BONUS, BLOT_RISK, POINT_WORTH, PIN_WORTH = 0.5, 0.35, 3.0, 10.0


@dataclass(frozen=True, slots=True)
class PressButton:
    """Press a button."""

    button: Button


@dataclass(frozen=True, slots=True)
class Wait:
    """Do nothing for a number of seconds."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Say:
    """Tell the device something there is no button for."""

    event: RulesEvent


@dataclass(frozen=True, slots=True)
class Cast:
    """Throw electronic dice of one's own, that show this and that no lock holds."""

    dice: tuple[int, int]


Deed = Gesture | PressButton | Wait | Say | Cast


@dataclass(frozen=True, slots=True)
class Intent:
    """A turn as its player means it: where it leads, and what is wrong in it."""

    before: Position
    after: Position
    roll: Roll
    cheat: Cheat | None = None


@dataclass(slots=True)
class Player:
    """One side's player. Everything it does follows from its generator.

    Attributes:
        side: its checkers.
        temperament: how it behaves.
        rng: its luck and its moods.
        rules: how checkers may be moved.
        done: the button that ends a turn; None where something else does.
    """

    side: Side
    temperament: Temperament
    rng: np.random.Generator
    rules: MovementRules = STANDARD
    done: Button | None = None

    # --- the turn -------------------------------------------------------------------------------------------

    def before_roll(self, position: Position, *, may_double: bool, most_lost: int = 2) -> list[Deed]:
        """On turn: double, resign (at level ``most_lost`` at most), or roll."""
        level = min(most_lost, hopeless(position, self.side, self.rules))
        if level and self._does(RESIGNS_PER_TURN * self.temperament.resigns):
            return [Wait(1.0), Say(ruled.Resigned(self.side, level))]
        if may_double and doubles(position, self.side) and self._does(self.temperament.doubles):
            return [Wait(self._seconds(1.0)), PressButton(Button.DOUBLE)]
        return self.roll()

    def name_double(self, position: Position) -> list[Deed]:
        """Say which double is played next: the one that leads to the best position."""
        best = {number: self.intend(position, Roll.from_dice(number, number)).after for number in range(1, 7)}
        number = max(best, key=lambda number: worth(best[number], self.side, self.rules))
        return [Wait(self._seconds(1.0)), Say(ruled.DoubleNamed(self.side, number))]

    def roll(self) -> list[Deed]:
        """Throw the dice."""
        return [Wait(self._seconds(0.5)), PressButton(Button.ROLL)]

    def intend(self, before: Position, roll: Roll) -> Intent:
        """The legal play it makes of a roll."""
        ends, _ = results(before, self.side, roll, self.rules)
        after = choose((Position(code) for code in ends), self.side, self.rng, rules=self.rules)
        return Intent(before, after, roll)

    def play(self, intent: Intent) -> list[Deed]:
        """Everything from the roll to the end of the turn."""
        carries = self._carries(intent)
        deeds = self._think(intent, carries)
        for number, carry in enumerate(carries):
            if number and self._does(self.temperament.hesitates):
                deeds += [MoveAway(1.5)]
            deeds += self._carry(carry)
        if carries and self._does(self.temperament.brushes):
            deeds += self._brush(intent.after)
        return deeds + self._over(bool(carries))

    def _think(self, intent: Intent, carries: list[Carry]) -> list[Deed]:
        """What comes before a play: time to think, and perhaps another play that is tried."""
        manner = self.temperament
        deeds: list[Deed] = [Wait(self._seconds(manner.think_s))]
        if carries and self._does(manner.rests):
            deeds += [Hover(1.6, carries[0].start), MoveAway(0.5)]
        if intent.cheat is None and self._does(manner.tries):
            deeds += self._trial(intent)
        return deeds

    def end_turn(self) -> list[Deed]:
        """Say again that the turn is over."""
        return [Wait(0.5), *self._over(False)]

    def _over(self, hand_is_there: bool) -> list[Deed]:
        press = self._press_done()
        if not hand_is_there:
            return press
        if self._does(self.temperament.early):
            return [*press, MoveAway()]
        return [MoveAway(0.2), *press]

    def _press_done(self) -> list[Deed]:
        return [] if self.done is None else [PressButton(self.done)]

    def _carries(self, intent: Intent) -> list[Carry]:
        play = play_between(intent.before, self.side, intent.roll, intent.after, self.rules)
        if intent.cheat is None and play is not None:
            return carries_of(play, intent.before, self.side, self.rules.direction)
        return carries_between(intent.before, intent.after)

    def _carry(self, carry: Carry) -> list[Gesture]:
        manner = self.temperament
        fumble = [Fumble()] if self._does(manner.fumbles) else []
        return [Pick(carry.start, carry.colour), *fumble, Put(carry.end, self._does(manner.careless))]

    def _carry_all(self, carries: Iterable[Carry]) -> list[Deed]:
        return [gesture for carry in carries for gesture in self._carry(carry)]

    def _trial(self, intent: Intent) -> list[Deed]:
        """Another play, or a part of one, is tried and taken back."""
        other = self.intend(intent.before, intent.roll)
        if other.after == intent.after:
            return []
        tried = self._carries(other)
        if self._does(0.5):
            tried = tried[: len(tried) // 2 + 1]
        there = self._carry_all(tried)
        return [*there, Hover(self._seconds(1.0)), *self._carry_all(undo_carries(tried))]

    def _brush(self, position: Position) -> list[Deed]:
        """A sleeve moves a checker a little, if any lies on a point."""
        held = [point for point in range(1, 25) if position.points[point - 1]]
        if not held:
            return []
        return [Brush(held[int(self.rng.integers(len(held)))], float(self.rng.uniform(1.5, 4.0)))]

    # --- answers --------------------------------------------------------------------------------------------

    def answer_double(self, position: Position, value: int) -> list[Deed]:
        """Take a double to ``value``, and the cube with it, or drop it."""
        if not takes(position, self.side):
            return [Wait(self._seconds(1.5)), PressButton(Button.DROP)]
        turned = TurnCube(value, colour_of(self.side))
        return [Wait(self._seconds(1.5)), PressButton(Button.TAKE), turned, MoveAway()]

    def answer_resignation(self) -> list[Deed]:
        """Accept it."""
        return [Wait(self._seconds(1.0)), PressButton(Button.TAKE)]

    # --- putting right --------------------------------------------------------------------------------------

    def put_right(self, now: Position, target: Position, lights: LightFrame) -> list[Deed]:
        """Put the checkers back: as the lights say where they do, else from memory."""
        open_board = now.open_board() == now and target.open_board() == target
        carries = (open_board and shown_carries(now, lights)) or carries_between(now, target)
        deeds = self._carry_all(carries)
        return [Wait(self._seconds(0.8)), *deeds, MoveAway(0.3)]

    def straighten(self, points: Iterable[int], now: Position) -> list[Deed]:
        """Lay the checkers of these points down anew, neatly, so that they are seen better."""
        deeds: list[Deed] = [Wait(0.5)]
        for point in points:
            count = now.points[point - 1]
            if count:
                deeds += [Pick(point, "light" if count > 0 else "dark"), Put(point)]
        return [*deeds, MoveAway(0.3)]

    def _does(self, share: float) -> bool:
        return bool(self.rng.random() < share)

    def _seconds(self, mean: float) -> float:
        return float(mean * self.rng.uniform(0.6, 1.6))


def shown_carries(now: Position, lights: LightFrame) -> list[Carry]:
    """One checker for each pair of lights that say take here and put there; empty where they show no such pair.

    Whose checker goes where follows from what lies where it is to be taken.
    """
    places: list[tuple[Place, int]] = [(point, now.points[point - 1]) for point in range(1, 25)]
    places += [("bar-light", now.bar(Side.LIGHT)), ("bar-dark", -now.bar(Side.DARK))]
    takes_from = [(place, count) for place, count in places if lights[place] is Signal.TAKE and count]
    puts = [place for place, _ in places if lights[place] is Signal.PUT]
    trays = [f"tray-{side}" for side in Side if lights[f"tray-{side}"] is Signal.PUT]
    carries: list[Carry] = []
    for place, count in takes_from:
        colour: Colour = "light" if count > 0 else "dark"
        fitting = [put for put in puts if _holds(put, now, colour)]
        end = fitting[0] if fitting else next((tray for tray in trays if tray.endswith(colour)), None)
        if end is None:
            continue
        if end in puts:
            puts.remove(end)
        carries.append(Carry(colour, _lying(place), _lying(end)))
    return carries


def _holds(place: Place, now: Position, colour: Colour) -> bool:
    """Whether a checker of a colour can be put there."""
    if isinstance(place, int):
        return can_land(colour, now.points[place - 1])
    return place == f"bar-{colour}"


def _lying(place: Place) -> LyingPlace:
    if isinstance(place, int):
        return place
    return "bar" if place.startswith("bar") else "off"


def worth(position: Position, side: Side, rules: MovementRules = STANDARD) -> float:
    """How good a position is for ``side`` after its turn, in something like pips."""
    facing = position if side is Side.LIGHT else position.mirrored(rules.direction)
    if rules.direction is Direction.PARALLEL:
        return _spread(facing, rules)
    points = facing.points
    theirs = [at for at, count in enumerate(points, start=1) if count < 0]
    behind = theirs[0] if theirs else BAR_PIPS
    if facing.bar(Side.DARK):
        behind = 0
    score = float(facing.pips(Side.DARK) - facing.pips(Side.LIGHT))
    for at, count in enumerate(points, start=1):
        if count == 1 and at > behind:
            shots = sum(0 < at - other <= HOME for other in theirs) + facing.bar(Side.DARK) * (at <= HOME)
            score -= BLOT_RISK * shots * (BAR_PIPS - at) * 0.5
        elif count >= 2 and at > behind:
            score += POINT_WORTH * (1.0 + BLOCKED_BONUS * (3 <= at <= 8)) - 0.6 * max(0, count - 3)
    pins = len(facing.pins(Side.DARK)) - len(facing.pins(Side.LIGHT))
    return score + 6.0 * facing.bar(Side.DARK) + PIN_WORTH * pins


def _spread(facing: Position, rules: MovementRules) -> float:
    """How good a position is where both sides go the same way: many points held, and none open to be hit."""
    held = [count for count in facing.points if count > 0]
    ahead = facing.pips(Side.DARK, Direction.PARALLEL) - facing.pips(Side.LIGHT, Direction.PARALLEL)
    blots = held.count(1) if rules.landing_blocked_at > 1 else 0
    return ahead + POINT_WORTH * (len(held) - 2.5 * blots)


def choose(
    ends: Iterable[Position],
    side: Side,
    rng: np.random.Generator,
    noise: float = NOISE,
    rules: MovementRules = STANDARD,
) -> Position:
    """One of the positions that legal plays lead to: a good one, not always the same."""
    ranked = sorted(ends, key=Position.compact)
    scores = [worth(end, side, rules) + float(rng.normal(0, noise)) for end in ranked]
    return ranked[int(np.argmax(scores))]


def lead(position: Position, side: Side, direction: Direction = Direction.OPPOSED) -> float:
    """By which share of its own pips ``side`` is ahead; negative when behind. In contact a race means less."""
    own, other = (position.pips(each, direction) for each in (side, side.opponent))
    contact = direction is Direction.OPPOSED and in_contact(position)
    return (CONTACT if contact else 1.0) * (other - own) / max(own, 1)


def in_contact(position: Position) -> bool:
    """Whether checkers of the two sides still have to pass each other."""
    if any(position.bar(side) or position.hand(side) or position.pins(side) for side in Side):
        return True
    light = [point for point in range(1, 25) if position.points[point - 1] > 0]
    dark = [point for point in range(1, 25) if position.points[point - 1] < 0]
    return bool(light and dark) and max(light) > min(dark)


def doubles(position: Position, side: Side) -> bool:
    """Whether ``side``, about to roll, would double."""
    waiting = position.bar(side.opponent) * 0.06
    return lead(position, side) + waiting - position.bar(side) * 0.1 >= DOUBLE_FROM


def takes(position: Position, side: Side) -> bool:
    """Whether ``side`` would take a double of its opponent."""
    return lead(position, side.opponent) + position.bar(side) * 0.06 <= TAKE_TO


def hopeless(position: Position, side: Side, rules: MovementRules = STANDARD) -> int:
    """At which level ``side`` might as well resign: 0 not at all, 1 single, 2 gammon."""
    behind = lead(position, side.opponent, rules.direction)
    if position.off(side.opponent, rules.checkers) < 8 or behind < 1.0:
        return 0
    return 1 if position.off(side, rules.checkers) else 2
