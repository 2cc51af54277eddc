"""The table: checkers, dice, cube and two arms, moved through time by gestures, and where each thing comes to lie."""

from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from controller.arrays import triple
from controller.rules import Position
from controller.rules.position import CHECKERS
from controller.simulation.boards.arranging import (
    arrange,
    laid_cube,
)
from controller.simulation.boards.scene import (
    BoardPush,
    Checker,
    CheckerPlace,
    CubeBlock,
    Die,
    Scene,
)
from controller.simulation.boards.setting import Bgr, Setting
from controller.simulation.tabletop.arm import CARRY_MM, TOUCH_MM, Arm, ArmPoint, Build, Sweep, arm_of
from controller.simulation.tabletop.checkers import LyingCheckers
from controller.simulation.tabletop.dice import TableDice
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
from controller.vision.geometry.geometry import COLOURS

GRIP_S, LET_GO_S, LEAST_S, FUMBLE_S = 0.22, 0.16, 0.22, 0.4
LAY_OUT_S = 1.5
SWITCH_S = 0.3
"""How long a lamp takes to change when it is switched."""
GestureEffect = Callable[[float], None]


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


class RoomLamp:
    """The light over a table: brightness and tint, as factors on what the setting has."""

    def __init__(self) -> None:
        """It is as the setting has it."""
        self._light: tuple[float, ...] = (1.0, 1.0, 1.0, 1.0)
        self._before: tuple[float, tuple[float, ...]] = (0.0, self._light)

    def change(self, t: float, brightness: float, tint: Bgr = (1.0, 1.0, 1.0)) -> None:
        """From ``t`` on the light becomes this."""
        self._before, self._light = (t, self.at(t)), (brightness, *tint)

    def at(self, t: float) -> tuple[float, ...]:
        """Brightness and tint at a moment."""
        began, before = self._before
        share = min(1.0, (t - began) / SWITCH_S)
        return tuple(a + (c - a) * share for a, c in zip(before, self._light, strict=True))


class Tabletop:
    """A table in virtual time. What no hand touches stays exactly where it is.

    Everything follows from the setting, the generator and the calls, so the same calls give the same scenes.

    Attributes:
        setting: board, table, light and camera.
        t: virtual seconds.
        each: how many checkers a side has, for whoever lays them out.
        checkers: those that lie somewhere; what an arm holds counts as gone.
        lamp: the light.
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
        self.checkers = LyingCheckers(setting, rng, sloppiness)
        self._thrown = TableDice(setting, rng)
        self._cube: CubeBlock | None = None
        self._push = BoardPush()
        self.lamp = RoomLamp()
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
        on_board = [one for one in scene.checkers if one.place not in ("off", "beside")]
        self.checkers.lay_out(on_board, scene.off, position)
        self._cube = scene.cube
        self._thrown.lift()

    @property
    def cube(self) -> CubeBlock | None:
        """The cube where it lies, or in the hand that holds it."""
        return self._cube

    @property
    def dice(self) -> tuple[Die, ...]:
        """The dice at rest on the board."""
        return self._thrown.at_rest

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
        return self._thrown.rolls or any(not doing.arm.outside for doing in self._doing.values())

    @property
    def hands(self) -> tuple[Arm, ...]:
        """The arms in the picture."""
        return tuple(doing.arm for doing in self._doing.values() if not doing.arm.outside)

    def next_change(self) -> float:
        """When something begins or ends to move next; infinity if nothing is under way."""
        ends = [doing.until for doing in self._doing.values() if doing.step is not None]
        if self._thrown.rolls:
            ends.append(self._thrown.rest_t)
        return min(ends, default=float("inf"))

    def settles_by(self, t: float) -> bool:
        """Whether everything that moves now will have come to rest by ``t``."""
        if self._thrown.rolls and self._thrown.rest_t > t:
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
            self._thrown.come_to_rest(due)
            for doing in self._doing.values():
                if doing.step is not None and doing.until <= due:
                    self._end_step(doing)
        self.t = max(self.t, t)

    def scene(self) -> Scene:
        """Everything as it is at this moment."""
        arms = [doing.arm for doing in self._doing.values()]
        held = [arm.held(self.t) for arm in arms]
        hands = [arm.hand(self.t) for arm in arms]
        lying = (*self.checkers, *(one for one in held if one is not None))
        off = tuple(sum(one.place == "off" and one.side == side for one in lying) for side in COLOURS)
        brightness, *tint = self.lamp.at(self.t)
        return Scene(
            tuple(lying),
            (off[0], off[1]),
            self._thrown.at(self.t),
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
                way = (
                    []
                    if over is None
                    else [_Step((*self.checkers.spot_above(over, arm.side), TOUCH_MM + 25.0))]
                )
                return [*way, _Step(None, seconds)]
            case MoveAway(seconds):
                return [_Step(arm.home), *([_Step(arm.home, seconds)] if seconds else [])]
            case ThrowDice(values):
                spot = (0.0, arm.home[1] * 0.35, 70.0)
                return [_Step(spot, then=lambda t: self._thrown.throw(arm.side, values, self.checkers, t))]
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
        there = self.checkers.topmost(place, colour)
        if there is None or arm.checker is not None:
            return []

        def take(_: float) -> None:
            if self.checkers.take(there):
                arm.checker = there

        return _hold((there.x_mm, there.y_mm, there.z_mm + TOUCH_MM), GRIP_S, take, 20.0)

    def _put(self, arm: Arm, place: CheckerPlace, carelessly: bool) -> list[_Step]:
        if arm.checker is None:
            return []
        landing = self.checkers.landing(place, arm.checker.side)
        if carelessly and isinstance(place, int):
            landing = replace(landing, x_mm=landing.x_mm + float(self._rng.choice((-1, 1))) * 7.0)
        return self._set_down(arm, landing)

    def _set_down(self, arm: Arm, landing: Checker) -> list[_Step]:
        spot = (landing.x_mm, landing.y_mm, landing.z_mm + TOUCH_MM)

        def drop(_: float) -> None:
            if arm.checker is not None:
                one = arm.checker
                self.checkers.lay(replace(landing, side=one.side, turn=one.turn, flipped=one.flipped))
                arm.checker = None

        return _hold(spot, LET_GO_S, drop, CARRY_MM)

    def _fumble(self, arm: Arm) -> list[_Step]:
        """It falls onto the free point nearest to where the hand is, and is picked up again."""
        if arm.checker is None:
            return []
        free = [point for point in range(1, 25) if not self.checkers.at(point)]
        if not free:
            return []
        x = self.setting.geometry.column_x
        nearest = min(free, key=lambda point: abs(x(point) - arm.last[0]))
        held = arm.checker
        landing = self.checkers.landing(nearest, held.side)
        spot = (landing.x_mm, landing.y_mm, landing.z_mm + TOUCH_MM)

        def pick_up(_: float) -> None:
            self.checkers.clear(nearest)
            arm.checker = held

        return [*self._set_down(arm, landing), _Step(spot, FUMBLE_S, then=pick_up)]

    def _brush(self, place: CheckerPlace, by_mm: float) -> list[_Step]:
        touched = [one for one in self.checkers.at(place) if not one.on_edge]
        if not touched:
            return []
        one = max(touched, key=lambda one: (one.layer, -abs(one.y_mm)))
        angle = float(self._rng.uniform(0, 2 * np.pi))
        aside = replace(
            one,
            x_mm=one.x_mm + 0.5 * by_mm * float(np.cos(angle)),
            y_mm=one.y_mm - by_mm * float(np.sign(one.y_mm)),
        )

        def shove(_: float) -> None:
            self.checkers.shove(one, aside)

        return [_Step((one.x_mm, one.y_mm, one.z_mm + TOUCH_MM), then=shove)]

    # --- dice and cube --------------------------------------------------------------------------------------

    def _lift_dice(self) -> list[_Step]:
        if not self.dice:
            return []
        first = self.dice[0]

        def lift(_: float) -> None:
            self._thrown.lift()

        return _hold((first.x_mm, first.y_mm, TOUCH_MM), GRIP_S, lift)

    def _turn_die(self, value: int) -> list[_Step]:
        if not self.dice:
            return []
        first = self.dice[0]

        def turn(_: float) -> None:
            self._thrown.turn(first, value)

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
