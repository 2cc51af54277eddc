"""Tells the players what is asked of them, from what the device shows and says, as a person at the table would."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Protocol

import numpy as np

from controller.demo.ledger import Ledger, Truth
from controller.demo.seat import Seat
from controller.devices import Button, LightFrame
from controller.referee import Phase, Table
from controller.referee.table.games import refusal
from controller.rules import Position, Roll, Side, is_result, results
from controller.rules.game import events as ruled
from controller.simulation.boards.arranging import colour_of
from controller.simulation.boards.scene import Die
from controller.simulation.players.accidents import WITH_ANY_DICE, Accident, slips_of
from controller.simulation.players.cheating import BEAR_OFFS, OTHERS_MOVED, Wrong, any_cheat
from controller.simulation.players.player import Deed, Intent, PressButton, Say, Wait
from controller.simulation.tabletop.gestures import LayOut, MoveAway, TurnCube
from controller.simulation.tabletop.tabletop import Tabletop

FIRST_S, AGAIN_S = 0.5, 2.5
"""How long the table waits before somebody does what is asked, and before the next try."""
LAST_TRY: Final = 6
"""Then somebody says how the board stands."""
HIDES_S: Final = 4.0
"""How long a hand lies over what it did."""

GIVEN_BACK: Final = OTHERS_MOVED | {*BEAR_OFFS, Wrong.BEARS_OFF_EARLY}
"""What a player undoes when the device asks to look at it: a checker is where it should not be, or gone."""

BETWEEN_PLAYS: Final = frozenset({Phase.TO_ROLL, Phase.CUBE_OFFERED, Phase.RESIGNATION_OFFERED})
"""When the board lies as the device knows it."""

WITH_DICE: Final = frozenset({Phase.OPENING_ROLL, Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED})
"""When a roll may be thrown, or lie on the board."""
BY_HAND: Final = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})
"""When a player rolls, or moves checkers."""
SLIPPED_S: Final = 1.5
"""How long after a bump the next roll comes."""

Acts = Mapping[Side, list[Deed]]
"""Who does what now."""


class Manner(StrEnum):
    """What the hands of a side do by themselves."""

    PLAYS = "plays"
    """A simulated player has them: it rolls, plays, doubles, answers."""
    FOLLOWS = "follows"
    """They lay the checkers as the device knows them: somebody plays this side at a page."""
    STILL = "still"
    """They do only what they are told."""


class Mischief(Protocol):
    """Has players do what is no part of their own play. In a demo nobody does; measurements have them do it."""

    @property
    def open(self) -> object | None:
        """What was done and can still be noticed."""

    def urge(self, known: Table) -> None:
        """Have the opponent roll while what was done is not seen."""

    def settle(self, known: Table, t: float) -> Acts | None:
        """Undo what was noticed, or can no longer be."""

    def tempt(self, known: Table, t: float) -> Acts | None:
        """Perhaps have somebody do something now."""

    def hides(self, side: Side) -> bool:
        """Whether a side that plays illegally hides it this time."""

    def hide(self, known: Table, side: Side, points: tuple[int, ...], t: float) -> None:
        """Note that an illegal play is done under a hand."""


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


OpenQuestion = tuple[Phase, Side | None, int, int, object]


@dataclass(slots=True)
class Floor:
    """Watches over the seats.

    Attributes:
        seats: the two players.
        table: what truly lies there.
        ledger: what truly happened.
        rng: whether somebody cheats this time.
        cheats: illegal plays in a turn, on average.
        first_cheat: the turn of the first game from which on the first illegal play comes as soon as there is one;
            None to leave that to chance, too.
        accidents: the share of honest turns that something befalls.
        mischief: what players do beside their plays.
        manners: what the hands of each side do; it may be changed at any time.
        settles: how many of the doubles, resignations and illegal plays the players settle among themselves; the
            others are left to somebody else.
        moved_by_page: whether somebody at a page has moved checkers in this turn: then they lie as they are to.
        carried: the sides that engines play: somebody rolls for them and moves their checkers as was announced.
        miscarries: the share of those plays that are carried out otherwise at first.
        miscarried: how many were.
        goes_on: whether they end a pause or a dispute, which in a demo nobody else would.
    """

    seats: Mapping[Side, Seat]
    table: Tabletop
    ledger: Ledger
    rng: np.random.Generator
    cheats: float = 0.0
    accidents: float = 0.0
    mischief: Mischief | None = None
    manners: dict[Side, Manner] = field(default_factory=lambda: dict.fromkeys(Side, Manner.PLAYS))
    settles: float = 1.0
    goes_on: bool = True
    first_cheat: int | None = None
    moved_by_page: bool = False
    carried: frozenset[Side] = frozenset()
    miscarries: float = 0.0
    miscarried: int = 0
    _carrying: tuple[int, int, Roll] | None = None
    _asked: OpenQuestion | None = None
    _since: float = 0.0
    _tries: int = 0
    _settled: bool = True
    _intent: Intent | None = None
    _believed: Position | None = None
    _bumped: bool = False
    _throws: Throws | None = None
    _counted: set[object] = field(default_factory=set)

    def attend(self, known: Table, dice: tuple[int, int] | None, lights: LightFrame, t: float) -> None:
        """Give somebody something to do, if nobody is busy and something is asked for.

        ``known`` is what the device shows, ``dice`` those thrown last, ``lights`` what was seen on the lamps.
        """
        asked = (
            known.phase,
            known.on_turn,
            known.match.number,
            known.ply,
            known.thrown and known.thrown.t,
        )
        movement = known.match.game.profile.movement
        self.table.each = movement.checkers
        for seat in self.seats.values():
            seat.player.rules = movement
        if asked != self._asked:
            self._asked, self._since, self._tries = asked, t, 0
            self._settled = self.settles >= 1.0 or self.rng.random() < self.settles
            self.moved_by_page = self.moved_by_page and known.phase not in BETWEEN_PLAYS
        if self.table.moving:
            self.ledger.moved_t = t
        if self.mischief is not None:
            self.mischief.urge(known)
        if self.throws:
            self._watch_dice(known, t)
        if not all(seat.idle for seat in self.seats.values()):
            self._since = t
            return
        if self.mischief is not None and (acts := self.mischief.settle(known, t)) is not None:
            self._intent = None
            self._do(acts, t)
            return
        if t - self._since < (FIRST_S if self._tries == 0 else AGAIN_S):
            return
        if (acts := self._carry(known) or self._follow(known)) is not None:
            self._do(acts, t)
            return
        if not self._is_theirs(known):
            return
        first = self._tries == 0
        if first and self.mischief is not None and (acts := self.mischief.tempt(known, t)) is not None:
            self._do(acts, t)
            return
        side, deeds = self._deeds(known, dice, lights, t)
        self._tries += 1
        self._do({side: deeds}, t)

    def _carry(self, known: Table) -> Acts | None:
        """What an engine needs hands for: who starts, its play, and the cube as it was agreed."""
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

    def _follow(self, known: Table) -> Acts | None:
        """What was played by words is done on the board; None where there is nothing like that."""
        lies, side = self.table.checkers.position(), self._first(Manner.FOLLOWS)
        by_words = known.on_turn is not None and self.manners[known.on_turn] is Manner.FOLLOWS
        to_lay = known.phase is Phase.MOVING and by_words and not self.moved_by_page
        may = known.phase in BETWEEN_PLAYS or to_lay
        if side is None or not may:
            return None
        if lies != known.position:
            return {side: self.seats[side].player.put_right(lies, known.position, LightFrame())}
        return self._turn_cube(known, side)

    def _turn_cube(self, known: Table, side: Side) -> Acts | None:
        """The cube is laid as it was agreed by words, with its owner; None where it lies so."""
        cube, lies = known.match.game.cube, self.table.cube
        owner = "center" if cube.owner is None else colour_of(cube.owner)
        turned = lies is not None and (lies.owner != owner or (cube.value > 1 and lies.face != cube.value))
        if not turned or not known.match.game.has_cube:
            return None
        return {cube.owner or side: [Wait(FIRST_S), TurnCube(cube.value, owner), MoveAway(0.3)]}

    def _is_theirs(self, known: Table) -> bool:
        """Whether what is asked for is for the simulated players; else it is left to somebody else."""
        if known.on_turn in self.carried and known.phase in (Phase.CUBE_OFFERED, Phase.RESIGNATION_OFFERED):
            return False
        manner = Manner.STILL if known.on_turn is None else self.manners[known.on_turn]
        match known.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                return self._first(Manner.PLAYS, Manner.FOLLOWS) is not None
            case Phase.OPENING_ROLL:
                return self._first(Manner.PLAYS) is not None
            case Phase.MOVING if known.on_turn is None:
                # Only the camera sees the dice, and the first play shows who started.
                return self.throws
            case Phase.PUT_RIGHT:
                return self._puts_right(manner)
            case Phase.CUBE_OFFERED | Phase.RESIGNATION_OFFERED:
                return manner is Manner.PLAYS and self._settled
            case Phase.PAUSED | Phase.DISPUTE:
                return self.goes_on
        return manner is Manner.PLAYS

    def _puts_right(self, manner: Manner) -> bool:
        """Whether hands that do this put an illegal play right by themselves, if nobody at a page has made it."""
        return manner is not Manner.STILL and self._settled and not self.moved_by_page

    def leaves(self, known: Table) -> Side | None:
        """The side whose checkers somebody at a page moves: who plays it does not do so by themselves."""
        side = known.on_turn if known.flagged is None else known.flagged.side
        if side is None or known.phase not in BY_HAND:
            return None
        if known.phase is Phase.PUT_RIGHT:
            return None if self._puts_right(self.manners[side]) else side
        return side if self.manners[side] is Manner.FOLLOWS else None

    def _first(self, *manners: Manner) -> Side | None:
        """Light, or else Dark, if its hands do one of these."""
        return next((side for side in Side if self.manners[side] in manners), None)

    def _do(self, acts: Acts, t: float) -> None:
        self._since = t
        for side, deeds in acts.items():
            self.seats[side].assign(deeds)

    @property
    def throws(self) -> bool:
        """Whether dice are thrown onto the board; else a button throws electronic ones."""
        return any(seat.player.throws for seat in self.seats.values())

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
        if intent.accident is Accident.HURRIED and holds and not throws.hurried:
            if count_apart(lies, intent.after) <= 1:
                throws.hurried = True
                other = self.seats[throws.side.opponent]
                other.assign(other.player.throw())
            return
        if lies == intent.after and not holds and self.table.dice != throws.lay:
            throws.noted = True
            self._note(throws.game, throws.ply, throws.side, intent.roll, t)

    def turn_ends(self, known: Table, t: float) -> None:
        """A button ended a turn: what lies there is the truth of it."""
        if (
            known.phase not in (Phase.MOVING, Phase.TURN_ENDED)
            or known.on_turn is None
            or known.thrown is None
            or self._intent is None
            or self.throws
        ):
            return
        self._note(self.ledger.game, known.ply, known.on_turn, known.thrown.roll, t)

    def _note(self, game: int, ply: int, side: Side, roll: Roll, t: float) -> None:
        """A turn is over: if the board lies as its player meant it, that is the truth of it."""
        intent, after = self._intent, self.table.checkers.position()
        if intent is None or after != intent.after:
            return
        key = (game, ply, intent.cheat and intent.cheat.wrong)
        if key in self._counted:
            return
        self._counted.add(key)
        self.ledger.truths.append(
            Truth(
                game,
                ply,
                side,
                roll=roll,
                before=intent.before,
                after=after,
                cheat=intent.cheat,
                ended_t=t,
                hidden=intent.hidden,
                accident=intent.accident,
            )
        )

    def _deeds(
        self, known: Table, dice: tuple[int, int] | None, lights: LightFrame, t: float
    ) -> tuple[Side, list[Deed]]:
        on_turn = known.on_turn or Side.LIGHT
        player = self.seats[on_turn].player
        lies = self.table.checkers.position()
        if self.throws and known.phase in WITH_DICE:
            return self._with_dice(known, lies, t)
        match known.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                return self._first(Manner.PLAYS, Manner.FOLLOWS) or on_turn, self._set_up(known, lies)
            case Phase.OPENING_ROLL:
                first = self._first(Manner.PLAYS) or on_turn
                return first, self.seats[first].player.roll()
            case Phase.TO_ROLL:
                return on_turn, self._to_roll(known, on_turn)
            case Phase.MOVING if dice is not None:
                return on_turn, self._move(known, on_turn, Roll.from_dice(*_counting(known, dice)), lies, t)
            case Phase.TURN_ENDED:
                return on_turn, self._unclear(known, on_turn, lies)
            case Phase.PUT_RIGHT if known.flagged is not None:
                return self._put_right(on_turn, known.flagged.before, lies, lights)
            case Phase.CUBE_OFFERED if known.match.game.offer is not None:
                return on_turn, player.answer_double(known.position, known.match.game.offer.value)
            case Phase.RESIGNATION_OFFERED:
                return on_turn, player.answer_resignation()
            case Phase.PAUSED | Phase.DISPUTE:
                return on_turn, [PressButton(Button.PAUSE)]
        return on_turn, [Wait(AGAIN_S)]

    def _with_dice(self, known: Table, lies: Position, t: float) -> tuple[Side, list[Deed]]:
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
            return side, self._move(known, side, roll, lies, t)
        if throws is None:
            side = known.match.game.turn or Side.LIGHT
            return side, self.seats[side].player.roll()
        player, intent = self.seats[throws.side].player, self._intent
        if again and intent is not None and known.phase is Phase.MOVING and self._tries == 0:
            # The illegal play was put back: the same roll is played again, its dice are not needed any more.
            throws.flagged, throws.noted, throws.lay = False, False, None
            roll = intent.roll if known.thrown is None else known.thrown.roll
            self._intent = player.intend(intent.before, roll)
            return throws.side, self._move(known, throws.side, roll, lies, t)
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
        target = known.target or known.position
        if lies != target:
            return [LayOut(target), MoveAway(0.5)]
        if self._tries < 2:
            return [Wait(1.0)]
        # Who plays by words rolls by words, too: hands that only follow would roll in somebody's name.
        if self._tries % 2 or self.throws or self._first(Manner.PLAYS) is None:
            return [PressButton(Button.DONE)]
        return [PressButton(Button.ROLL)]

    def _to_roll(self, known: Table, side: Side) -> list[Deed]:
        self._intent = None
        player, lies = self.seats[side].player, self.table.checkers.position()
        if side in self.carried:
            return player.roll()
        if known.match.game.names_double:
            return player.name_double(known.position)
        if self._tries:
            return player.roll()
        if self.accidents and self.rng.random() < self.accidents / len(WITH_ANY_DICE):
            slips = slips_of(lies, self.rng)
            for slip in slips:
                assert isinstance(slip.start, int)
                assert isinstance(slip.end, int)
                self.table.checkers.slip(slip.start, slip.end, slip.colour)
            self._bumped = bool(slips)
            return [Wait(SLIPPED_S), *player.roll()]
        may = known.match.game.plays > 1 and refusal(known.match, ruled.Doubled(side)) is None
        most = 2 if refusal(known.match, ruled.Resigned(side, 2)) is None else 1
        return player.before_roll(lies, may_double=may, most_lost=most)

    def _move(self, known: Table, side: Side, roll: Roll, lies: Position, t: float) -> list[Deed]:
        """The play; once more the end of the turn, if that was not noticed."""
        player, intent = self.seats[side].player, self._intent
        if intent is None or self._believed != known.position or intent.roll != roll:
            intent = self._choose(known, side, roll, lies)
        elif intent.cheat is not None and (self.ledger.game, known.ply, intent.cheat.wrong) in self._counted:
            intent = player.intend(known.position, roll)
        self._intent, self._believed = intent, known.position
        if lies == intent.before and self._tries == 0:
            if intent.hidden and intent.cheat is not None and self.mischief is not None:
                self.mischief.hide(known, side, intent.cheat.points, t)
                return player.play_hidden(intent, HIDES_S)
            return player.play(intent)
        if lies != intent.after:
            return player.put_right(lies, intent.after, LightFrame()) + player.end_turn()
        return player.end_turn()

    def _choose(self, known: Table, side: Side, roll: Roll, lies: Position) -> Intent:
        """A legal play, or an illegal one; from how the board lies, where a checker was moved out of turn."""
        player = self.seats[side].player
        bumped, self._bumped = self._bumped, False
        if bumped and lies != known.position:
            as_it_lies = self.rng.random() < 0.5
            either = player.intend_in_either(known.position, lies, roll) if as_it_lies else None
            intent = either or player.intend(known.position, roll)
            return replace(intent, accident=Accident.BUMPED)
        if lies != known.position and self.mischief is not None and self.mischief.open:
            either = player.intend_in_either(known.position, lies, roll)
            if either is not None:
                return either
        elif (
            not self.throws
            and lies != known.position
            and is_result(known.position, side, roll, lies, player.rules)
        ):
            # What somebody else had moved was put back after the play: what lies there now is the play.
            return Intent(known.position, lies, roll)
        # Whoever throws dice plays on from how the board lies, whatever the device makes of it.
        start = lies if self.throws else known.position
        if self.rng.random() < self.cheats or (
            self.first_cheat is not None and known.ply >= self.first_cheat
        ):
            wrongs = player.temperament.wrongs
            cheat = any_cheat(start, side, roll, self.rng, player.rules, wrongs)
            if cheat is not None:
                self.first_cheat = None
                hidden = self.mischief is not None and bool(cheat.points) and self.mischief.hides(side)
                return Intent(start, cheat.after, roll, cheat, hidden)
        return self._befallen(player.intend(start, roll))

    def _befallen(self, intent: Intent) -> Intent:
        """An honest turn, with what befalls it."""
        if not self.accidents or self.rng.random() >= self.accidents:
            return intent
        kinds = [Accident.DROPPED, Accident.TRIED, *([Accident.HURRIED] if self.throws else [])]
        return replace(intent, accident=kinds[int(self.rng.integers(len(kinds)))])

    def _unclear(self, known: Table, side: Side, lies: Position) -> list[Deed]:
        """The turn cannot be judged: straighten what is asked about, give a checker back, say how it stands."""
        player, intent = self.seats[side].player, self._intent
        thrown = known.thrown
        moved = lies != known.position
        if not moved and thrown and not is_result(lies, side, thrown.roll, lies, player.rules):
            # The turn was ended before anything was moved, such as by the opponent: it is played now.
            self._intent, self._believed = player.intend(lies, thrown.roll), known.position
            return player.play(self._intent)
        gives_in = intent is not None and intent.cheat is not None and intent.cheat.wrong in GIVEN_BACK
        if intent is not None and gives_in and self._tries == 1:
            self._intent = player.intend(intent.before, intent.roll)
            if self._throws is not None:
                self._throws.noted, self._throws.lay = False, None
            return player.put_right(lies, self._intent.after, LightFrame())
        points = [point for warned in known.warned if isinstance(warned, tuple) for point in warned]
        if self._tries < 2 and points:
            return player.straighten(points, lies)
        if self._tries < LAST_TRY:
            return [Wait(1.0)]
        self.ledger.helped += 1
        return [Say(ruled.Played(side, lies, None))]

    def _put_right(
        self, side: Side, target: Position, lies: Position, lights: LightFrame
    ) -> tuple[Side, list[Deed]]:
        """The checkers go back; where that is not seen the opponent lets the play stand, or says how it stands."""
        if self._throws is not None:
            self._throws.flagged = True
        if self._tries < LAST_TRY and lies != target:
            return side, self.seats[side].player.put_right(lies, target, lights)
        if self._tries < LAST_TRY:
            return side, [Wait(0.5)]
        self.ledger.helped += 1
        if self._tries == LAST_TRY:
            return side.opponent, [PressButton(Button.TAKE)]
        return side.opponent, [Say(ruled.Played(side, lies, None))]


def count_apart(one: Position, other: Position) -> int:
    """By how many checkers two positions differ on the points and on the bar."""
    points = sum(abs(a - b) for a, b in zip(one.points, other.points, strict=True))
    return points + sum(abs(one.bar(side) - other.bar(side)) for side in Side)


def _counting(known: Table, dice: tuple[int, int]) -> tuple[int, int]:
    """The roll that is played: where dice of one's own were thrown again, the one that the device counts."""
    return dice if known.thrown is None or known.thrown.dice is None else known.thrown.dice
