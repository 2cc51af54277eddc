"""Has players throw dice by hand, have accidents, carry out an engine's plays, and do what is no part of a play."""

from dataclasses import dataclass
from typing import Final

from controller.demo.floor import BETWEEN_PLAYS, Acts, Floor
from controller.devices import LightFrame
from controller.devices.link.happenings import Button
from controller.referee.actions import Phase
from controller.referee.table.state import Table
from controller.rules.game import events as ruled
from controller.rules.moves.plays import is_result, results
from controller.rules.position import Position, Roll, Side
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import Die
from controller.simulation.players.player import Deed, Intent, PressButton, Say, Wait
from tests.demo.accidents import WITH_ANY_DICE, Accident, slips_of
from tests.demo.measured_player import MeasuredIntent, befallen, hidden, measured
from tests.demo.measuring import MeasuringLedger
from tests.demo.mischief import Mischief

WITH_DICE: Final = frozenset({Phase.OPENING_ROLL, Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED})
"""When a roll may be thrown, or lie on the board."""
SLIPPED_S: Final = 1.5
"""How long after a bump the next roll comes."""


@dataclass(slots=True)
class Throws:
    """A roll of dice on the board, and what has become of it.

    Attributes:
        game, ply, side: the turn it is played in.
        lay: its dice as they lie; None where they are taken up already.
        noted: whether the turn is over.
        flagged: whether its player was told to put it right.
        hurried: whether the opponent has thrown before it was over.
    """

    game: int
    ply: int
    side: Side
    lay: tuple[Die, ...] | None
    noted: bool = False
    flagged: bool = False
    hurried: bool = False


@dataclass
class MeasuredFloor(Floor):
    """Watches over the seats of measurements.

    Attributes:
        accidents: the share of honest turns that something befalls.
        mischief: what players do beside their plays; None if they do nothing.
        carried: the sides that engines play: somebody rolls for them and moves their checkers as was announced.
        miscarries: the share of those plays that are carried out otherwise at first.
        miscarried: how many were.
    """

    accidents: float = 0.0
    mischief: Mischief | None = None
    carried: frozenset[Side] = frozenset()
    miscarries: float = 0.0
    miscarried: int = 0
    _carrying: tuple[int, int, Roll] | None = None
    _bumped: bool = False
    _throws: Throws | None = None
    _now: float = 0.0

    @property
    def throws(self) -> bool:
        """Whether dice are thrown onto the board; else a button throws electronic ones."""
        return any(measured(seat.player).throws for seat in self.seats.values())

    def turn_ends(self, known: Table, t: float) -> None:
        """See `Floor`; thrown dice end a turn as they are lifted."""
        if not self.throws:
            super().turn_ends(known, t)

    def _look(self, known: Table, t: float) -> None:
        self._now = t
        super()._look(known, t)
        if self.mischief is not None:
            self.mischief.urge(known)
        if self.throws:
            self._watch_dice(known, t)
        if self.mischief is not None and self._all_idle():
            acts = self.mischief.settle(known, t)
            if acts is not None:
                self._intent = None
                self._do(acts, t)

    def _acts(self, known: Table, dice: tuple[int, int] | None, lights: LightFrame) -> Acts | None:
        if (acts := self._carry(known)) is not None:
            return acts
        if self._is_theirs(known) and self._tries == 0 and self.mischief is not None:
            acts = self.mischief.tempt(known, self._now)
            if acts is not None:
                return acts
        return super()._acts(known, dice, lights)

    def _is_theirs(self, known: Table) -> bool:
        if known.on_turn in self.carried and known.phase in (Phase.CUBE_OFFERED, Phase.RESIGNATION_OFFERED):
            return False
        if known.phase in (Phase.MOVING, Phase.TURN_ENDED) and known.on_turn is None:
            # Only the camera sees the dice, and the first play shows who started: the players know it.
            return self.throws
        return super()._is_theirs(known)

    # --- what an engine needs hands for ---------------------------------------------------------------------

    def _carry(self, known: Table) -> Acts | None:
        """Who starts, an engine's play, and the cube as it was agreed; None where there is nothing like that."""
        side, thrown = known.on_turn, known.thrown
        if not self.carried:
            return None
        if known.phase in BETWEEN_PLAYS and (acts := self._turn_cube(known, min(self.carried))) is not None:
            return acts
        if known.phase is Phase.MOVING and thrown is not None and thrown.side is None:
            return self._say_who_starts(known, thrown.roll)
        if side not in self.carried or known.phase is not Phase.MOVING or thrown is None:
            return None
        player, lies, turn = (
            self.seats[side].player,
            self.table.checkers.position(),
            (known.match.number, known.ply, thrown.roll),
        )
        if self.throws:
            self._throws = Throws(self.ledger.game, known.ply, side, self.table.dice, noted=True)
        if known.announced is None:
            can = not is_result(known.position, side, thrown.roll, known.position, player.rules)
            return {side: [Wait(0.3)] if can else player.end_turn()}
        if self._carrying == turn:
            return {side: player.put_right(lies, known.announced, LightFrame()) + player.end_turn()}
        self._carrying = turn
        after = self._other_play(known, side, thrown.roll) or known.announced
        self.miscarried += after != known.announced
        return {side: player.play(Intent(lies, after, thrown.roll))}

    def _other_play(self, known: Table, side: Side, roll: Roll) -> Position | None:
        """Another legal play than was announced, where somebody is to err; None where there is none."""
        if self.rng.random() >= self.miscarries:
            return None
        ends, _ = results(known.position, side, roll, self.seats[side].player.rules)
        others = sorted(
            (Position(code) for code in ends if Position(code) != known.announced), key=Position.compact
        )
        return others[int(self.rng.integers(len(others)))] if others else None

    def _say_who_starts(self, known: Table, roll: Roll) -> Acts | None:
        """Somebody says whose die was the higher one: with dice of two colours both players see it."""
        if roll.is_double or known.match.game.turn is not None or self._tries:
            return None
        self._tries += 1
        values = roll.dice if self.rng.random() < 0.5 else roll.dice[::-1]
        return {Side.LIGHT: [Say(ruled.OpeningRoll(*values))]}

    # --- dice thrown by hand --------------------------------------------------------------------------------

    def _watch_dice(self, known: Table, t: float) -> None:
        """Have the opponent throw early where that befalls a turn, and note the turns whose dice were taken up."""
        intent, throws = self._intent, self._throws
        if known.phase in (Phase.SET_UP, Phase.GAME_OVER):
            self._throws = None
        if intent is None or throws is None or throws.noted:
            return
        lies, arms = self.table.checkers.position(), {arm.side: arm for arm in self.table.hands}
        arm = arms.get(colour_of(throws.side))
        holds = arm is not None and arm.checker is not None
        if _accident(intent) is Accident.HURRIED and holds and not throws.hurried:
            if count_apart(lies, intent.after) <= 1:
                throws.hurried = True
                other = self.seats[throws.side.opponent]
                other.assign(measured(other.player).throw())
            return
        if lies == intent.after and not holds and self.table.dice != throws.lay:
            throws.noted = True
            self._note(throws.game, throws.ply, throws.side, intent.roll, t)

    def _deeds(
        self, known: Table, dice: tuple[int, int] | None, lights: LightFrame
    ) -> tuple[Side, list[Deed]]:
        if self.throws and known.phase in WITH_DICE:
            return self._with_dice(known, self.table.checkers.position())
        return super()._deeds(known, dice, lights)

    def _with_dice(self, known: Table, lies: Position) -> tuple[Side, list[Deed]]:
        """Dice are thrown by hand, and players know whose turn it is without being told."""
        throws, lying = self._throws, self.table.dice
        again = known.flagged is None and throws is not None and throws.flagged
        if len(lying) == 2 and (throws is None or throws.lay != lying):
            if self._tries == 0 and known.phase is not Phase.MOVING:
                # It was not read yet.
                return Side.LIGHT, [Wait(0.5)]
            side = Side(lying[0].side)
            self._throws = Throws(self.ledger.game, known.ply, side, lying)
            roll = Roll.from_dice(lying[0].value, lying[1].value)
            self._intent, self._believed = self._choose(known, side, roll, lies), known.position
            return side, self._move(known, side, roll, lies)
        if throws is None:
            side = known.match.game.turn or Side.LIGHT
            return side, self.seats[side].player.roll()
        player, intent = self.seats[throws.side].player, self._intent
        if again and intent is not None and known.phase is Phase.MOVING and self._tries == 0:
            # The illegal play was put back: the same roll is played again, its dice are not needed any more.
            throws.flagged, throws.noted, throws.lay = False, False, None
            roll = intent.roll if known.thrown is None else known.thrown.roll
            self._intent = player.intend(intent.before, roll)
            return throws.side, self._move(known, throws.side, roll, lies)
        if not throws.noted and intent is not None:
            return throws.side, player.put_right(lies, intent.after, LightFrame()) + player.end_turn()
        if known.phase is Phase.TURN_ENDED and self._tries < 2:
            return throws.side, self._unclear(known, throws.side, lies)
        if known.phase is not Phase.TO_ROLL and self._tries < 2:
            return throws.side, [Wait(1.0)]
        following = throws.side.opponent
        if known.phase is Phase.TO_ROLL and known.on_turn is following:
            return following, self._to_roll(known, following)
        return following, self.seats[following].player.roll()

    def _set_up(self, known: Table, lies: Position) -> list[Deed]:
        if self.throws and lies == (known.target or known.position) and self._tries >= 2:
            return [PressButton(Button.DONE)]
        return super()._set_up(known, lies)

    def _give_back(self, side: Side, intent: Intent, lies: Position) -> list[Deed]:
        if self._throws is not None:
            self._throws.noted, self._throws.lay = False, None
        return super()._give_back(side, intent, lies)

    def _put_right(
        self, side: Side, target: Position, lies: Position, lights: LightFrame
    ) -> tuple[Side, list[Deed]]:
        if self._throws is not None:
            self._throws.flagged = True
        return super()._put_right(side, target, lies, lights)

    # --- plays, and what befalls them -----------------------------------------------------------------------

    def _to_roll(self, known: Table, side: Side) -> list[Deed]:
        player, lies = self.seats[side].player, self.table.checkers.position()
        if side in self.carried:
            self._intent = None
            return player.roll()
        free = not known.match.game.names_double and not self._tries
        if free and self.accidents and self.rng.random() < self.accidents / len(WITH_ANY_DICE):
            self._intent = None
            slips = slips_of(lies, self.rng)
            for slip in slips:
                assert isinstance(slip.start, int)
                assert isinstance(slip.end, int)
                self.table.checkers.slip(slip.start, slip.end, slip.colour)
            self._bumped = bool(slips)
            return [Wait(SLIPPED_S), *player.roll()]
        return super()._to_roll(known, side)

    def _move(self, known: Table, side: Side, roll: Roll, lies: Position) -> list[Deed]:
        deeds, intent = super()._move(known, side, roll, lies), self._intent
        begins = self._tries == 0 and isinstance(intent, MeasuredIntent) and lies == intent.before
        if begins and intent is not None and intent.cheat is not None and self.mischief is not None:
            self.mischief.hide(known, side, intent.cheat.points, self._now)
        return deeds

    def _choose(self, known: Table, side: Side, roll: Roll, lies: Position) -> Intent:
        """A legal play, or an illegal one; from how the board lies, where a checker was moved out of turn."""
        player = measured(self.seats[side].player)
        bumped, self._bumped = self._bumped, False
        if bumped and lies != known.position:
            as_it_lies = self.rng.random() < 0.5
            either = player.intend_in_either(known.position, lies, roll) if as_it_lies else None
            return befallen(either or player.intend(known.position, roll), Accident.BUMPED)
        # Whoever throws dice plays on from how the board lies, whatever the device makes of it.
        start = lies if self.throws else known.position
        if lies != known.position and self.mischief is not None and self.mischief.open:
            either = player.intend_in_either(known.position, lies, roll)
            return either or self._intend(known, side, roll, start)
        if self.throws:
            return self._intend(known, side, roll, start)
        return super()._choose(known, side, roll, lies)

    def _intend(self, known: Table, side: Side, roll: Roll, start: Position) -> Intent:
        intent = super()._intend(known, side, roll, start)
        if intent.cheat is None:
            return self._befallen(intent)
        hides = self.mischief is not None and bool(intent.cheat.points) and self.mischief.hides(side)
        return hidden(intent) if hides else intent

    def _befallen(self, intent: Intent) -> Intent:
        """An honest turn, with what befalls it."""
        if not self.accidents or self.rng.random() >= self.accidents:
            return intent
        kinds = [Accident.DROPPED, Accident.TRIED, *([Accident.HURRIED] if self.throws else [])]
        return befallen(intent, kinds[int(self.rng.integers(len(kinds)))])

    def _note(self, game: int, ply: int, side: Side, roll: Roll, t: float) -> None:
        noted, intent = len(self.ledger.truths), self._intent
        super()._note(game, ply, side, roll, t)
        if isinstance(intent, MeasuredIntent) and isinstance(self.ledger, MeasuringLedger):
            self.ledger.remark(self.ledger.truths[noted:], intent)


def _accident(intent: Intent) -> Accident | None:
    return intent.accident if isinstance(intent, MeasuredIntent) else None


def count_apart(one: Position, other: Position) -> int:
    """By how many checkers two positions differ on the points and on the bar."""
    points = sum(abs(a - b) for a, b in zip(one.points, other.points, strict=True))
    return points + sum(abs(one.bar(side) - other.bar(side)) for side in Side)
