"""What players do beside their own plays: when they are tempted, what then happens, and how it ends."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from controller.demo.floor import Acts
from controller.demo.seat import Seat
from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.referee.table.state import Table
from controller.rules.moves.plays import results
from controller.rules.position import Position, Side
from controller.simulation.boards.arranging import colour_of
from controller.simulation.players.carrying import Carry, carries_between, undo_carries
from controller.simulation.players.player import (
    CLOCKS,
    Cast,
    Deed,
    PressButton,
    Wait,
)
from controller.simulation.tabletop.gestures import Hover, MoveAway, Pick, Put, ThrowDice, TurnCube, TurnDie
from controller.simulation.tabletop.tabletop import Tabletop
from tests.demo.measured_player import measured
from tests.demo.measuring import LoggedDeed, MeasuringLedger
from tests.demo.rogues import OUT_OF_TURN, Misdeed, misdeeds_of
from tests.simulation.carrying import after_carry

LINGERS_S: Final = 0.9
"""How long a hand stays over the checker that it moved, for the opponent to roll meanwhile."""
TUMBLE_S: Final = 0.6
"""How long the dice tumble after the button; one picture sees the board at rest if the hand leaves as long."""
LONGEST_S: Final = 40.0
"""What was not noticed after so long never is."""
ANSWER_S: Final = 1.0
"""How long a button that should do nothing is waited for."""
LOW_ROLL: Final = 7
DICE: Final = 2
FARTHEST: Final = 6


@dataclass(slots=True)
class Open:
    """A misdeed that can still be noticed.

    Attributes:
        done: what the ledger has of it.
        undo: how the checkers go back.
        placed: the board as soon as it is done; None where no checker is moved.
        rolled: whether the opponent was told to roll.
        cube: value and owner to lay the cube back to.
    """

    done: LoggedDeed
    undo: list[Carry] = field(default_factory=list)
    placed: Position | None = None
    rolled: bool = True
    cube: tuple[int, Side | None] | None = None


@dataclass(slots=True)
class Mischief:
    """Has the players do what is no part of their own play, one thing at a time.

    Attributes:
        seats, table, ledger: as the floor's.
        rng: when somebody is tempted, and by what.
        share: of the moments at which something could be done, those at which it is.
    """

    seats: Mapping[Side, Seat]
    table: Tabletop
    ledger: MeasuringLedger
    rng: np.random.Generator
    share: float = 0.0
    open: Open | None = None
    _drawn: object = None

    def tempt(self, known: Table, t: float) -> Acts | None:
        """Somebody may do something now: once for each roll that is due, and for each that is to be played."""
        key = (self.ledger.game, known.ply, known.phase)
        if self.share <= 0 or self.open is not None or key == self._drawn or known.on_turn is None:
            return None
        self._drawn = key
        if self.table.checkers.position() != known.position and known.phase is not Phase.PUT_RIGHT:
            return None
        tempted = [
            (side, what)
            for side in Side
            for what in misdeeds_of(self.seats[side].player.temperament)
            if self._fits(what, side, known)
        ]
        if not tempted or self.rng.random() >= self.share:
            return None
        side, what = tempted[int(self.rng.integers(len(tempted)))]
        return self._begin(what, side, known, t)

    def urge(self, known: Table) -> None:
        """The opponent rolls while what was done is not seen, or was seen once."""
        one = self.open
        if one is None or one.rolled or self.table.checkers.position() != one.placed:
            return
        if known.phase is not Phase.TO_ROLL:
            return
        match one.done.what:
            case Misdeed.PUSHES if not self.table.settles_by(self.table.t + TUMBLE_S):
                return
            case Misdeed.MOVES_IN_PAUSE if self.table.moving:
                return
        one.rolled = True
        other = self.seats[one.done.side.opponent]
        other.assign(_roll_of(other))

    def hide(self, known: Table, side: Side, points: tuple[int, ...], t: float) -> None:
        """An illegal play is done under a hand."""
        done = LoggedDeed(self.ledger.game, known.ply, side, Misdeed.HIDES, points, t)
        self._open(Open(done))

    def hides(self, side: Side) -> bool:
        """Whether a side that plays illegally hides it this time."""
        wanted = Misdeed.HIDES in misdeeds_of(self.seats[side].player.temperament)
        return wanted and self.open is None and bool(self.rng.random() < 0.5)

    def settle(self, known: Table, t: float) -> Acts | None:
        """What was noticed, or can no longer be, is undone."""
        one = self.open
        if one is None:
            return None
        if one.done.what is Misdeed.HIDES and not one.undo and known.ply > one.done.ply:
            one.undo = carries_between(self.table.checkers.position(), known.position)
        noticed = self._outcome(one, known, t)
        if noticed is None:
            return None
        self.open = None
        self.ledger.end(one.done, t, noticed)
        side = one.done.side
        if known.phase in (Phase.SET_UP, Phase.GAME_OVER, Phase.MATCH_OVER):
            return None
        if one.cube is not None:
            value, owner = one.cube
            lies = "center" if owner is None else colour_of(owner)
            return {side.opponent: [Wait(0.5), TurnCube(value, lies), MoveAway(0.5)]}
        if not one.undo or self._flagged(one, known):
            return None
        return {side: [Wait(0.5), *_carried(one.undo), MoveAway(0.5)]}

    def _flagged(self, one: Open, known: Table) -> bool:
        """Whether who did it is already asked to put it right."""
        return known.flagged is not None and known.flagged.side is one.done.side

    def _outcome(self, one: Open, known: Table, t: float) -> bool | None:
        """Whether it was noticed; None while that is open."""
        done = one.done
        if done.what is Misdeed.DOES_NOT_ROLL:
            came = known.thrown is not None and known.thrown.t > done.t
            return known.on_turn is done.side.opponent if came or t - done.t > LONGEST_S else None
        if done.what is Misdeed.LETS_OWN_STAND:
            over = known.phase is not Phase.PUT_RIGHT or t - done.t > ANSWER_S
            return self.ledger.notices(done) if over else None
        if self.ledger.notices(done):
            return True
        later = done.ply + (done.what is Misdeed.HIDES)
        judged = any(verdict.turn.ply >= later for verdict in self.ledger.since(done))
        return False if judged or done.game != self.ledger.game or t - done.t > LONGEST_S else None

    # --- what can be done, and how --------------------------------------------------------------------------

    def _fits(self, what: Misdeed, side: Side, known: Table) -> bool:
        """Whether a side can do this now."""
        to_roll = known.phase is Phase.TO_ROLL and known.match.game.plays > 1
        moving = known.phase is Phase.MOVING and known.thrown is not None
        own = side is known.on_turn
        match what:
            case Misdeed.MOVES_BEFORE_ROLL | Misdeed.PUSHES:
                return to_roll and not own
            case Misdeed.MOVES_IN_TURN:
                return moving and not own
            case Misdeed.MOVES_IN_PAUSE:
                return (to_roll or moving) and not own
            case Misdeed.PRESSES_CLOCK:
                clocked = self.seats[side].player.done is not None
                return clocked and moving and not own and self._can_play(known)
            case Misdeed.ROLLS_AGAIN:
                return moving and own and known.thrown is not None and sum(known.thrown.roll.dice) < LOW_ROLL
            case Misdeed.TURNS_DIE:
                return moving and own and len(self.table.dice) == DICE
            case Misdeed.DOUBLES_LATE:
                may = known.match.game.cube.owner in (None, side)
                return moving and own and known.match.game.has_cube and may
            case Misdeed.TURNS_CUBE:
                game = known.match.game
                # Of a cube that lies there already only the face would tell, which nobody trusts.
                lies_there = game.cube.owner is side
                return game.has_cube and not lies_there and (to_roll if own else moving)
            case Misdeed.LETS_OWN_STAND:
                flagged = known.flagged
                return known.phase is Phase.PUT_RIGHT and flagged is not None and flagged.side is side
            case Misdeed.DOES_NOT_ROLL:
                return to_roll and own and closed_out(known.position, side)
        return False

    def _can_play(self, known: Table) -> bool:
        """Whether the roll can be played at all: else the clock may be pressed at once."""
        if known.thrown is None or known.on_turn is None:
            return False
        rules = self.seats[known.on_turn].player.rules
        ends, _ = results(known.position, known.on_turn, known.thrown.roll, rules)
        return ends != {known.position.code}

    def _begin(self, what: Misdeed, side: Side, known: Table, t: float) -> Acts | None:
        other = side.opponent
        done = LoggedDeed(self.ledger.game, known.ply, side, what, (), t)
        match what:
            case Misdeed.ROLLS_AGAIN:
                dice = (int(self.rng.integers(4, 7)), int(self.rng.integers(1, 7)))
                if known.thrown is not None and sorted(dice) == sorted(known.thrown.roll.dice):
                    return None
                self._open(Open(LoggedDeed(done.game, done.ply, side, what, (), t, dice)))
                if measured(self.seats[side].player).throws:
                    return {side: [Wait(0.6), ThrowDice(dice), MoveAway(1.0)]}
                return {side: [Wait(0.6), Cast(dice), Wait(1.0)]}
            case Misdeed.TURNS_DIE:
                first, second = self.table.dice
                value = int(self.rng.choice([number for number in range(1, 7) if number != first.value]))
                self._open(Open(LoggedDeed(done.game, done.ply, side, what, (), t, (value, second.value))))
                return {side: [Wait(0.8), TurnDie(value), MoveAway(1.0)]}
            case Misdeed.DOUBLES_LATE:
                cube = known.match.game.cube
                self._open(Open(done, cube=(cube.value, cube.owner)))
                return {side: [Wait(0.4), TurnCube(2 * cube.value, colour_of(other)), MoveAway(1.0)]}
            case Misdeed.TURNS_CUBE:
                cube = known.match.game.cube
                self._open(Open(done, cube=(cube.value, cube.owner)))
                return {side: [Wait(0.4), TurnCube(2 * cube.value, colour_of(side)), MoveAway(1.0)]}
            case Misdeed.PRESSES_CLOCK:
                self._open(Open(done))
                return {side: [Wait(0.3), PressButton(CLOCKS[other]), Wait(0.8)]}
            case Misdeed.LETS_OWN_STAND:
                self._open(Open(done))
                return {side: [Wait(0.4), PressButton(Button.TAKE), Wait(0.5)]}
            case Misdeed.DOES_NOT_ROLL:
                self._open(Open(done))
                passes: list[Deed] = [Wait(0.5), PressButton(CLOCKS[side])] if self.rng.random() < 0.5 else []
                return {side: passes, other: [Wait(2.0), *_roll_of(self.seats[other])]}
        return self._move(what, side, known, t)

    def _move(self, what: Misdeed, side: Side, known: Table, t: float) -> Acts | None:
        """A checker of ``side`` is moved by it out of turn."""
        if what not in OUT_OF_TURN:
            return None
        carry = self._astray(side, known.position, 1 if what is Misdeed.PUSHES else FARTHEST)
        if carry is None or not isinstance(carry.start, int) or not isinstance(carry.end, int):
            return None
        points = tuple(sorted((carry.start, carry.end)))
        done = LoggedDeed(self.ledger.game, known.ply, side, what, points, t)
        rolled = known.phase is not Phase.TO_ROLL
        placed = after_carry(known.position, carry)
        self._open(Open(done, undo_carries([carry]), placed, rolled))
        deeds: list[Deed] = [Wait(0.3), *_carried([carry])]
        if what is Misdeed.MOVES_BEFORE_ROLL:
            return {side: [*deeds, Hover(LINGERS_S), MoveAway()]}
        if what is Misdeed.MOVES_IN_PAUSE:
            return {side: [PressButton(Button.PAUSE), *deeds, MoveAway(0.3), PressButton(Button.PAUSE)]}
        return {side: [*deeds, MoveAway()]}

    def _astray(self, side: Side, position: Position, farthest: int) -> Carry | None:
        """Some checker of a side, and a point near it on to which it can be moved unhindered."""
        forward = -1 if side is Side.LIGHT else 1
        ways = [
            Carry(colour_of(side), start, start + forward * step)
            for start in range(1, 25)
            if position.checkers(side, start)
            for step in ((1, -1) if farthest == 1 else range(1, farthest + 1))
            if 1 <= start + forward * step <= 24
            and not position.checkers(side.opponent, start + forward * step)
        ]
        return ways[int(self.rng.integers(len(ways)))] if ways else None

    def _open(self, one: Open) -> None:
        self.open = one
        self.ledger.begin(one.done)


def closed_out(position: Position, side: Side) -> bool:
    """Whether a side has a checker on the bar, and no number with which it could enter."""
    home = range(19, 25) if side is Side.LIGHT else range(1, 7)
    return position.bar(side) > 0 and all(position.checkers(side.opponent, point) >= 2 for point in home)


def _roll_of(seat: Seat) -> list[Deed]:
    """A roll without a time to think."""
    player = measured(seat.player)
    return player.throw() if player.throws else [PressButton(Button.ROLL)]


def _carried(carries: list[Carry]) -> list[Deed]:
    return [gesture for one in carries for gesture in (Pick(one.start, one.colour), Put(one.end))]
