"""The table: checkers, dice, cube and two arms, moved through time by gestures, and where each thing comes to lie."""

from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import count

import numpy as np

from controller.arrays import another_chance, triple
from controller.rules import Position, Side
from controller.rules.position import CHECKERS
from controller.simulation.boards.arranging import (
    arrange,
    beside,
    borne_off,
    colour_of,
    laid_cube,
    lean_on,
    lie_flat,
    separate,
    thrown_die,
)
from controller.simulation.boards.scene import (
    BoardPush,
    Checker,
    CheckerPlace,
    CubeBlock,
    Die,
    Scene,
    pinned_among,
)
from controller.simulation.boards.setting import Bgr, Setting
from controller.simulation.tabletop.arm import CARRY_MM, TOUCH_MM, Arm, ArmPoint, Build, Sweep, arm_of
from controller.simulation.tabletop.gestures import (
    Brush,
    Fumble,
    Gesture,
    Hover,
    LayOut,
    LiftDice,
    MoveAway,
    Pick,
    Put,
    ThrowDice,
    TurnCube,
    TurnDie,
)
from controller.vision import Colour, Owner
from controller.vision.geometry import COLOURS, FLAT_ROW

GRIP_S, LET_GO_S, LEAST_S, FUMBLE_S = 0.22, 0.16, 0.22, 0.4
LAY_OUT_S = 1.5
SWITCH_S = 0.3
"""How long a lamp takes to change when it is switched."""
CLOSE = 0.97
"""Checkers of one layer whose middles are nearer than this (in diameters) would stand in one another."""
NUDGES = 24

ROLLING_S = 0.55
SPINS = 40
"""How many faces come up on the way."""

GestureEffect = Callable[[float], None]


class FreePlaces:
    """Finds free places; what lies there already never moves."""

    def __init__(self, setting: Setting, rng: np.random.Generator, sloppiness: float) -> None:
        """``sloppiness`` scales how unevenly things are put down: 0 is neat, 1 usual, 2 very careless."""
        self._geometry, self._setting = setting.geometry, setting
        self._rng, self._sloppiness = rng, sloppiness
        self._off: dict[Colour, tuple[Checker, ...]] = {
            "light": tuple(borne_off(setting, "light", 15, rng)),
            "dark": tuple(borne_off(setting, "dark", 15, rng)),
        }
        luck = another_chance(rng)
        self._beside = {colour: tuple(beside(setting, colour, CHECKERS, luck)) for colour in COLOURS}

    def on(self, place: CheckerPlace, colour: Colour, others: Iterable[Checker]) -> Checker:
        """A checker as it comes to lie on a point, on the bar or off the board."""
        lying = [one for one in others if one.place != "hand"]
        if place == "bar":
            return self._on_bar(colour, lying)
        if place == "off":
            return self._off_board(colour, lying)
        if place == "beside":
            count = sum(one.place == "beside" and one.side == colour for one in lying)
            return self._beside[colour][min(count, CHECKERS - 1)]
        if not isinstance(place, int):
            raise ValueError("a checker is put down on a point, on the bar, off the board or beside it")
        return self._on_point(place, colour, lying)

    def _on_point(self, point: int, colour: Colour, others: list[Checker]) -> Checker:
        geometry = self._geometry
        diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
        half, side = geometry.surface_height_mm / 2, geometry.side_of(point)
        own = [one for one in others if one.place == point]
        if len(own) == 1 and own[0].side != colour:
            # What stands alone is covered by a checker of the other side, and pinned.
            x, y = (value + self._scatter(1.0) for value in (own[0].x_mm, own[0].y_mm))
            return lie_flat(colour, point, 1, x=x, y=y, z=thick, rng=self._rng)
        flat = [one for one in own if one.layer == 0]
        if len(flat) >= FLAT_ROW:

            def pile(base: Checker) -> int:
                return sum(np.hypot(one.x_mm - base.x_mm, one.y_mm - base.y_mm) < diameter / 2 for one in own)

            # The checker of the row that fewest others lie on, from the edge inwards.
            base = min(flat, key=lambda base: (pile(base), -abs(base.y_mm)))
            x, y = (value + self._scatter(1.5) for value in (base.x_mm, base.y_mm))
            return lie_flat(colour, point, pile(base), x=x, y=y, z=pile(base) * thick, rng=self._rng)
        ground = [one for one in others if one.layer == 0 and isinstance(one.place, int)]
        x = geometry.column_x(point) + self._scatter(1.3)
        for row in range(FLAT_ROW + 2):
            inward = diameter / 2 + abs(self._scatter(0.8)) + row * geometry.row_pitch_mm
            y = side * min(half - diameter / 2, half - inward)
            if is_free(x, y, ground, 0.75 * diameter):
                break
        # The nearest place along the point, towards the middle, at which nothing stands in anything.
        for _ in range(NUDGES):
            if is_free(x, y, ground, CLOSE * diameter):
                break
            y -= side * 0.08 * diameter
        return lie_flat(colour, point, 0, x=x, y=y, z=0.0, rng=self._rng)

    def _on_bar(self, colour: Colour, others: list[Checker]) -> Checker:
        """On the bar: light's checkers on dark's half, as the field lays them, from the middle outwards."""
        geometry = self._geometry
        diameter, thick = geometry.checker_diameter_mm, geometry.checker_thickness_mm
        height = self._setting.frame.bar_height_mm
        own = [one for one in others if one.place == "bar"]
        sign = 1 if colour == "light" else -1
        wide = max(0.5, min(3.0, abs(geometry.bar_mm - diameter) / 2))
        x = float(self._rng.uniform(-wide, wide))
        for slot in range(1, 5):
            y = sign * slot * 1.08 * diameter + self._scatter(1.5)
            if is_free(x, y, own, CLOSE * diameter):
                return lie_flat(colour, "bar", 0, x=x, y=y, z=height, rng=self._rng)
        base, layer = own[-1], own[-1].layer + 1
        return lie_flat(
            colour, "bar", layer, x=base.x_mm, y=base.y_mm, z=height + layer * thick, rng=self._rng
        )

    def _off_board(self, colour: Colour, others: list[Checker]) -> Checker:
        count = sum(one.place == "off" and one.side == colour for one in others)
        return self._off[colour][min(count, 14)]

    def _scatter(self, mm: float) -> float:
        return float(self._rng.normal(0, mm * self._sloppiness))


def is_free(x_mm: float, y_mm: float, others: Iterable[Checker], least_mm: float) -> bool:
    """Whether all these checkers are at least so far from a place."""
    return all(np.hypot(one.x_mm - x_mm, one.y_mm - y_mm) >= least_mm for one in others)


def topmost(place: CheckerPlace, colour: Colour, checkers: Iterable[Checker]) -> Checker | None:
    """The checker of a place that a hand takes first: the highest, then the one nearest to the middle.

    The one that covers a pinned checker is taken last.
    """
    lying = [one for one in checkers if one.place == place]
    there, under = [one for one in lying if one.side == colour], pinned_among(lying)
    if under is not None and under.side != colour and len(there) > 1:
        above = min((one for one in there if one.layer), key=lambda one: _apart(one, under))
        there = [one for one in there if one is not above]
    if not there:
        return None
    return max(there, key=lambda one: (one.layer, -abs(one.y_mm), -one.x_mm))


def _apart(one: Checker, other: Checker) -> float:
    """How far the middles of two checkers are from each other, seen from above; of a pile, lower ones first."""
    return float(np.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)) + 1000.0 * one.layer


@dataclass(frozen=True, slots=True)
class ThrownDice:
    """Dice as they come to rest at ``rest_t``."""

    dice: tuple[Die, ...] = ()
    rest_t: float = 0.0

    def at(self, t: float) -> tuple[Die, ...]:
        """The dice at a moment."""
        left = max(0.0, self.rest_t - t) / ROLLING_S
        if not left:
            return self.dice
        spun = round(SPINS * left)
        return tuple(
            replace(
                die,
                value=(die.value + spun) % 6 + 1,
                x_mm=die.x_mm * (1 - 0.4 * left),
                y_mm=die.y_mm * (1 - 0.4 * left),
                turn=die.turn + 9.0 * left,
            )
            for die in self.dice
        )


def throw_dice(
    setting: Setting,
    side: Colour,
    values: Sequence[int],
    cocked: bool,
    lying: Sequence[Checker],
    t: float,
    rng: np.random.Generator,
) -> ThrownDice:
    """A throw of ``side`` that begins at ``t``; only a ``cocked`` one leans a die on a checker."""
    dice = [thrown_die(setting, side, value, lying, rng) for value in values]
    if not cocked:
        dice = [replace(die, lean=0.0) for die in dice]
    elif dice and lying:
        one = lying[int(rng.integers(len(lying)))]
        dice[0] = lean_on(dice[0], one, setting, 0.5, float(rng.uniform(0, 2 * np.pi)))
    return ThrownDice(separate(tuple(dice), setting), t + ROLLING_S)


@dataclass(frozen=True, slots=True)
class _Step:
    """A part of a gesture: the way there (in an arc), and what happens at its end."""

    to: ArmPoint | None
    seconds: float | None = None
    arc_mm: float = 0.0
    then: GestureEffect | None = None


@dataclass(slots=True)
class _Doing:
    """What an arm still has to do; ``until`` is when its present step ends."""

    arm: Arm
    gestures: deque[Gesture]
    steps: deque[_Step]
    step: _Step | None = None
    until: float = 0.0


def _hold(spot: ArmPoint, seconds: float, then: GestureEffect, arc_mm: float = 0.0) -> list[_Step]:
    """To a spot, and something done there."""
    return [_Step(spot, arc_mm=arc_mm), _Step(spot, seconds, then=then)]


class Tabletop:
    """A table in virtual time. What no hand touches stays exactly where it is.

    Everything follows from the setting, the generator and the calls, so the same calls give the same scenes.

    Attributes:
        setting: board, table, light and camera.
        t: virtual seconds.
        each: how many checkers a side has, for whoever lays them out.
    """

    def __init__(
        self,
        setting: Setting,
        position: Position,
        rng: np.random.Generator,
        *,
        cube: tuple[int, Owner] | None = (1, "center"),
        builds: tuple[Build, Build] = (Build(), Build()),
        sloppiness: float = 0.6,
        each: int = CHECKERS,
    ) -> None:
        """``builds`` are light's and dark's arms; ``cube`` is its value and owner, None where there is none.

        ``each`` is how many checkers a side has.
        """
        self.setting, self.t = setting, 0.0
        self._rng, self._sloppiness, self.each = rng, sloppiness, each
        self._has_cube = cube is not None
        self._lying = FreePlaces(setting, rng, sloppiness)
        self._numbers = count()
        self._checkers: dict[int, Checker] = {}
        self._throw = ThrownDice()
        self._rolls = False
        self._cube: CubeBlock | None = None
        self._push = BoardPush()
        # Brightness and tint, as factors on the setting's light; what they were at a moment, before that changed.
        self._light: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
        self._before: tuple[float, tuple[float, ...]] = (0.0, self._light)
        self._doing = {
            colour: _Doing(arm_of(colour, setting, build), deque(), deque())
            for colour, build in zip(COLOURS, builds, strict=True)
        }
        self.lay_out(position, cube)

    # --- what lies there ------------------------------------------------------------------------------------

    def lay_out(self, position: Position, cube: tuple[int, Owner] | None = (1, "center")) -> None:
        """Set the whole board up, as between two games; nobody's hand is in the way."""
        scene = arrange(
            self.setting,
            position,
            self._rng,
            cube=cube if self._has_cube else None,
            sloppiness=self._sloppiness,
            each=self.each,
        )
        lying = [one for one in scene.checkers if one.place not in ("off", "beside")]
        for side, number in zip(Side, scene.off, strict=True):
            colour = colour_of(side)
            lying += self._laid("off", colour, number, lying)
            lying += self._laid("beside", colour, position.hand(side), lying)
        self._checkers = {next(self._numbers): one for one in lying}
        self._cube, self._throw, self._rolls = scene.cube, ThrownDice(), False

    def _laid(self, place: CheckerPlace, colour: Colour, count: int, lying: list[Checker]) -> list[Checker]:
        laid: list[Checker] = []
        for _ in range(count):
            laid.append(self._lying.on(place, colour, [*lying, *laid]))
        return laid

    @property
    def checkers(self) -> tuple[Checker, ...]:
        """Those that lie somewhere; one in a hand is not among them."""
        return tuple(self._checkers.values())

    def position(self) -> Position:
        """What lies on points and bar, under others and beside the board now; what an arm holds counts as gone."""
        lying = Scene(self.checkers, (0, 0))
        position = Position.seen(lying.counts(), lying.on_bar("light"), lying.on_bar("dark"))
        return position.with_hidden(lying.pinned(), lying.beside("light"), lying.beside("dark"))

    @property
    def cube(self) -> CubeBlock | None:
        """The cube where it lies, or in the hand that holds it."""
        return self._cube

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice at rest on the board."""
        return () if self._rolls else self._throw.dice

    # --- what moves -----------------------------------------------------------------------------------------

    def do(self, side: Colour, gestures: Iterable[Gesture]) -> None:
        """Have an arm do all this, after what it is doing now."""
        self._doing[side].gestures.extend(gestures)
        self._go_on(self._doing[side], self.t)

    def busy(self, side: Colour) -> bool:
        """Whether an arm has something left to do."""
        doing = self._doing[side]
        return doing.step is not None or bool(doing.steps) or bool(doing.gestures)

    def stop(self, side: Colour) -> None:
        """Have an arm stop where it is, put down what it holds where that came from, and leave."""
        doing = self._doing[side]
        doing.gestures.clear()
        doing.steps.clear()
        doing.arm.last = doing.arm.tips(self.t)
        doing.arm.sweep, doing.step = None, None
        held = doing.arm.checker
        self.do(side, [MoveAway()] if held is None else [Put(held.place), MoveAway()])

    @property
    def moving(self) -> bool:
        """Whether a hand is in the picture, or dice roll."""
        return self._rolls or any(not doing.arm.outside for doing in self._doing.values())

    @property
    def hands(self) -> tuple[Arm, ...]:
        """The arms in the picture."""
        return tuple(doing.arm for doing in self._doing.values() if not doing.arm.outside)

    def next_change(self) -> float:
        """When something begins or ends to move next; infinity if nothing is under way."""
        ends = [doing.until for doing in self._doing.values() if doing.step is not None]
        if self._rolls:
            ends.append(self._throw.rest_t)
        return min(ends, default=float("inf"))

    def settles_by(self, t: float) -> bool:
        """Whether everything that moves now will have come to rest by ``t``."""
        if self._rolls and self._throw.rest_t > t:
            return False
        return all(
            not doing.gestures and not doing.steps and (doing.step is None or doing.until <= t)
            for doing in self._doing.values()
        )

    def run_until(self, t: float) -> None:
        """Let time go by; the effects of gestures take place at their own moments, in order."""
        while self.next_change() <= t:
            due = self.next_change()
            self.t = max(self.t, due)
            if self._rolls and self._throw.rest_t <= due:
                self._rolls = False
            for doing in self._doing.values():
                if doing.step is not None and doing.until <= due:
                    self._end_step(doing)
        self.t = max(self.t, t)

    def scene(self) -> Scene:
        """Everything as it is at this moment."""
        arms = [doing.arm for doing in self._doing.values()]
        held = [arm.held(self.t) for arm in arms]
        hands = [arm.hand(self.t) for arm in arms]
        lying = (*self._checkers.values(), *(one for one in held if one is not None))
        off = tuple(sum(one.place == "off" and one.side == side for one in lying) for side in COLOURS)
        brightness, *tint = self._light_now()
        return Scene(
            tuple(lying),
            (off[0], off[1]),
            self._throw.at(self.t),
            next((arm.held_cube(self.t) for arm in arms if arm.cube is not None), self._cube),
            tuple(hand for hand in hands if hand is not None),
            push=self._push,
            brightness=brightness,
            tint=triple(tint),
        )

    # --- what befalls the table -----------------------------------------------------------------------------

    def bump(self, x_mm: float, y_mm: float, turn: float = 0.0) -> None:
        """The board is pushed by so much, with all that lies on it; ``turn`` in radians."""
        push = self._push
        self._push = BoardPush(push.x_mm + x_mm, push.y_mm + y_mm, push.turn + turn)

    def slip(self, start: int, end: int, colour: Colour) -> None:
        """The uppermost checker of a colour on one point slips on to another one; no hand is over the board."""
        one = topmost(start, colour, self._checkers.values())
        if one is None:
            return
        number = next(number for number, lying in self._checkers.items() if lying is one)
        del self._checkers[number]
        self._sink(one)
        landing = self._lying.on(end, colour, self._checkers.values())
        self._checkers[next(self._numbers)] = replace(landing, turn=one.turn, flipped=one.flipped)

    def lamp(self, brightness: float, tint: Bgr = (1.0, 1.0, 1.0)) -> None:
        """The light changes to this, as factors on what it was when the setting was made."""
        self._before, self._light = (self.t, self._light_now()), (brightness, *tint)

    def _light_now(self) -> tuple[float, ...]:
        began, before = self._before
        share = min(1.0, (self.t - began) / SWITCH_S)
        return tuple(a + (c - a) * share for a, c in zip(before, self._light, strict=True))

    # --- gestures -------------------------------------------------------------------------------------------

    def _end_step(self, doing: _Doing) -> None:
        step, until = doing.step, doing.until
        doing.arm.last = doing.arm.tips(until)
        doing.arm.sweep, doing.step = None, None
        if step is not None and step.then is not None:
            step.then(until)
        self._go_on(doing, until)

    def _go_on(self, doing: _Doing, t: float) -> None:
        if doing.step is not None:
            return
        while not doing.steps and doing.gestures:
            doing.steps.extend(self._steps(doing.arm, doing.gestures.popleft()))
        if not doing.steps:
            return
        step = doing.steps.popleft()
        arm, end = doing.arm, step.to or doing.arm.last
        seconds = step.seconds
        if seconds is None:
            way = float(np.hypot(end[0] - arm.last[0], end[1] - arm.last[1]))
            seconds = max(LEAST_S, way / arm.build.speed)
        arm.sweep = Sweep(t, t + seconds, arm.last, end, step.arc_mm)
        doing.step, doing.until = step, t + seconds

    def _steps(self, arm: Arm, gesture: Gesture) -> list[_Step]:
        match gesture:
            case Pick(place, colour):
                return self._pick(arm, place, colour)
            case Put(place, carelessly):
                return self._put(arm, place, carelessly)
            case Fumble():
                return self._fumble(arm)
            case Brush(place, by_mm):
                return self._brush(place, by_mm)
            case Hover(seconds, over):
                way = [] if over is None else [_Step((*self._above(over, arm.side), TOUCH_MM + 25.0))]
                return [*way, _Step(None, seconds)]
            case MoveAway(seconds):
                return [_Step(arm.home), *([_Step(arm.home, seconds)] if seconds else [])]
            case ThrowDice(values, cocked):
                spot = (0.0, arm.home[1] * 0.35, 70.0)
                return [_Step(spot, then=lambda t: self._throw_dice(arm, values, cocked, t))]
            case LiftDice():
                return self._lift_dice()
            case TurnDie(value):
                return self._turn_die(value)
            case TurnCube(value, owner):
                return self._turn_cube(arm, value, owner)
            case LayOut(position):
                sides = [_Step((x, 0.4 * arm.home[1], CARRY_MM), LAY_OUT_S) for x in (-120.0, 120.0)]
                return [*sides, _Step(None, LEAST_S, then=lambda _: self.lay_out(position))]

    def _pick(self, arm: Arm, place: CheckerPlace, colour: Colour) -> list[_Step]:
        there = topmost(place, colour, self._checkers.values())
        if there is None or arm.checker is not None:
            return []

        def take(_: float) -> None:
            for number in [number for number, one in self._checkers.items() if one is there]:
                arm.checker = self._checkers.pop(number)
                self._sink(there)

        return _hold((there.x_mm, there.y_mm, there.z_mm + TOUCH_MM), GRIP_S, take, 20.0)

    def _sink(self, taken: Checker) -> None:
        """What lay on a checker that was taken away comes down."""
        near = self.setting.geometry.checker_diameter_mm / 2
        thick = self.setting.geometry.checker_thickness_mm
        for number, one in self._checkers.items():
            if (
                one.place == taken.place
                and one.layer > taken.layer
                and np.hypot(one.x_mm - taken.x_mm, one.y_mm - taken.y_mm) < near
            ):
                self._checkers[number] = replace(one, layer=one.layer - 1, z_mm=one.z_mm - thick)

    def _put(self, arm: Arm, place: CheckerPlace, carelessly: bool) -> list[_Step]:
        if arm.checker is None:
            return []
        landing = self._lying.on(place, arm.checker.side, self._checkers.values())
        if carelessly and isinstance(place, int):
            landing = replace(landing, x_mm=landing.x_mm + float(self._rng.choice((-1, 1))) * 7.0)
        return self._set_down(arm, landing)

    def _set_down(self, arm: Arm, landing: Checker) -> list[_Step]:
        spot = (landing.x_mm, landing.y_mm, landing.z_mm + TOUCH_MM)

        def drop(_: float) -> None:
            if arm.checker is not None:
                self._checkers[next(self._numbers)] = replace(
                    landing, side=arm.checker.side, turn=arm.checker.turn, flipped=arm.checker.flipped
                )
                arm.checker = None

        return _hold(spot, LET_GO_S, drop, CARRY_MM)

    def _fumble(self, arm: Arm) -> list[_Step]:
        """It falls onto the free point nearest to where the hand is, and is picked up again."""
        if arm.checker is None:
            return []
        free = [
            point for point in range(1, 25) if not any(one.place == point for one in self._checkers.values())
        ]
        if not free:
            return []
        x = self.setting.geometry.column_x
        nearest = min(free, key=lambda point: abs(x(point) - arm.last[0]))
        held = arm.checker
        landing = self._lying.on(nearest, held.side, self._checkers.values())
        spot = (landing.x_mm, landing.y_mm, landing.z_mm + TOUCH_MM)

        def pick_up(_: float) -> None:
            self._checkers = {number: one for number, one in self._checkers.items() if one.place != nearest}
            arm.checker = held

        return [*self._set_down(arm, landing), _Step(spot, FUMBLE_S, then=pick_up)]

    def _brush(self, place: CheckerPlace, by_mm: float) -> list[_Step]:
        touched = [
            (number, one) for number, one in self._checkers.items() if one.place == place and not one.on_edge
        ]
        if not touched:
            return []
        number, one = max(touched, key=lambda pair: (pair[1].layer, -abs(pair[1].y_mm)))
        angle = float(self._rng.uniform(0, 2 * np.pi))
        aside = replace(
            one,
            x_mm=one.x_mm + 0.5 * by_mm * float(np.cos(angle)),
            y_mm=one.y_mm - by_mm * float(np.sign(one.y_mm)),
        )

        def shove(_: float) -> None:
            others = [two for two in self._checkers.values() if two is not one and two.layer == one.layer]
            least = CLOSE * self.setting.geometry.checker_diameter_mm
            if self._checkers.get(number) is one and is_free(aside.x_mm, aside.y_mm, others, least):
                self._checkers[number] = aside

        return [_Step((one.x_mm, one.y_mm, one.z_mm + TOUCH_MM), then=shove)]

    def _above(self, place: CheckerPlace, side: Colour) -> tuple[float, float]:
        there = [one for one in self._checkers.values() if one.place == place]
        if there:
            return there[-1].x_mm, there[-1].y_mm
        if isinstance(place, int):
            x, y, _ = self.setting.geometry.slot(place, 1)
            return float(x), float(y)
        return 0.0, (-1 if side == "light" else 1) * 60.0

    # --- dice and cube --------------------------------------------------------------------------------------

    def _throw_dice(self, arm: Arm, values: tuple[int, ...], cocked: bool, t: float) -> None:
        lying = self.checkers
        self._throw = throw_dice(
            self.setting, arm.side, values, cocked=cocked, lying=lying, t=t, rng=self._rng
        )
        self._rolls = True

    def _lift_dice(self) -> list[_Step]:
        if not self.dice:
            return []
        first = self.dice[0]

        def lift(_: float) -> None:
            self._throw = ThrownDice()

        return _hold((first.x_mm, first.y_mm, TOUCH_MM), GRIP_S, lift)

    def _turn_die(self, value: int) -> list[_Step]:
        if not self.dice:
            return []
        first, *others = self.dice

        def turn(_: float) -> None:
            self._throw = replace(self._throw, dice=(replace(first, value=value), *others))

        return _hold((first.x_mm, first.y_mm, TOUCH_MM), GRIP_S, turn)

    def _turn_cube(self, arm: Arm, value: int, owner: Owner) -> list[_Step]:
        cube = self._cube
        if cube is None:
            return []
        target = laid_cube(self.setting, value, owner, self._rng)

        def grip(_: float) -> None:
            arm.cube = target

        def lay(_: float) -> None:
            arm.cube, self._cube = None, target

        height = self.setting.cube.size_mm
        here = (cube.x_mm, cube.y_mm, cube.z_mm + height)
        there = (target.x_mm, target.y_mm, target.z_mm + height)
        return _hold(here, GRIP_S, grip) + _hold(there, LET_GO_S, lay, CARRY_MM)
