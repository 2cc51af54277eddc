"""Tells the players what is asked of them, from what the device shows and says, as a person at the table would."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

import numpy as np

from controller.demo.ledger import Ledger, Truth
from controller.demo.seat import Seat
from controller.devices import Button, LightFrame
from controller.referee import Phase, Table
from controller.referee.table.games import refusal
from controller.rules import Position, Roll, Side, is_result
from controller.rules.game import events as ruled
from controller.simulation.boards.arranging import colour_of
from controller.simulation.players.cheating import BEAR_OFFS, OTHERS_MOVED, Wrong, any_cheat
from controller.simulation.players.player import Deed, Intent, PressButton, Say, Wait
from controller.simulation.tabletop.gestures import LayOut, MoveAway, TurnCube
from controller.simulation.tabletop.tabletop import Tabletop

FIRST_S, AGAIN_S = 0.5, 2.5
"""How long the table waits before somebody does what is asked, and before the next try."""
LAST_TRY: Final = 6
"""Then somebody says how the board stands."""

GIVEN_BACK: Final = OTHERS_MOVED | {*BEAR_OFFS, Wrong.BEARS_OFF_EARLY}
"""What a player undoes when the device asks to look at it: a checker is where it should not be, or gone."""

BETWEEN_PLAYS: Final = frozenset({Phase.TO_ROLL, Phase.CUBE_OFFERED, Phase.RESIGNATION_OFFERED})
"""When the board lies as the device knows it."""

BY_HAND: Final = frozenset({Phase.TO_ROLL, Phase.MOVING, Phase.TURN_ENDED, Phase.PUT_RIGHT})
"""When a player rolls, or moves checkers."""

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
        manners: what the hands of each side do; it may be changed at any time.
        settles: how many of the doubles, resignations and illegal plays the players settle among themselves; the
            others are left to somebody else.
        moved_by_page: whether somebody at a page has moved checkers in this turn: then they lie as they are to.
        goes_on: whether they end a pause or a dispute, which in a demo nobody else would.
    """

    seats: Mapping[Side, Seat]
    table: Tabletop
    ledger: Ledger
    rng: np.random.Generator
    cheats: float = 0.0
    manners: dict[Side, Manner] = field(default_factory=lambda: dict.fromkeys(Side, Manner.PLAYS))
    settles: float = 1.0
    goes_on: bool = True
    first_cheat: int | None = None
    moved_by_page: bool = False
    _asked: OpenQuestion | None = None
    _since: float = 0.0
    _tries: int = 0
    _settled: bool = True
    _intent: Intent | None = None
    _believed: Position | None = None
    _counted: set[object] = field(default_factory=set)

    def attend(self, known: Table, dice: tuple[int, int] | None, lights: LightFrame, t: float) -> None:
        """Give somebody something to do, if nobody is busy and something is asked for.

        ``known`` is what the device shows, ``dice`` those thrown last, ``lights`` what was seen on the lamps.
        """
        self._look(known, t)
        if not self._all_idle():
            self._since = t
        elif t - self._since >= (FIRST_S if self._tries == 0 else AGAIN_S):
            acts = self._acts(known, dice, lights)
            if acts is not None:
                self._do(acts, t)

    def _look(self, known: Table, t: float) -> None:
        """See what is asked for, and whether it is something new."""
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

    def _all_idle(self) -> bool:
        return all(seat.idle for seat in self.seats.values())

    def _acts(self, known: Table, dice: tuple[int, int] | None, lights: LightFrame) -> Acts | None:
        """Who does what is asked for, and how; None where that is left to somebody else."""
        if (acts := self._follow(known)) is not None:
            return acts
        if not self._is_theirs(known):
            return None
        side, deeds = self._deeds(known, dice, lights)
        self._tries += 1
        return {side: deeds}

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
        manner = Manner.STILL if known.on_turn is None else self.manners[known.on_turn]
        match known.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                return self._first(Manner.PLAYS, Manner.FOLLOWS) is not None
            case Phase.OPENING_ROLL:
                return self._first(Manner.PLAYS) is not None
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

    def turn_ends(self, known: Table, t: float) -> None:
        """A button ended a turn: what lies there is the truth of it."""
        if (
            known.phase not in (Phase.MOVING, Phase.TURN_ENDED)
            or known.on_turn is None
            or known.thrown is None
            or self._intent is None
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
            )
        )

    def _deeds(
        self, known: Table, dice: tuple[int, int] | None, lights: LightFrame
    ) -> tuple[Side, list[Deed]]:
        on_turn = known.on_turn or Side.LIGHT
        player = self.seats[on_turn].player
        lies = self.table.checkers.position()
        match known.phase:
            case Phase.SET_UP | Phase.GAME_OVER:
                return self._first(Manner.PLAYS, Manner.FOLLOWS) or on_turn, self._set_up(known, lies)
            case Phase.OPENING_ROLL:
                first = self._first(Manner.PLAYS) or on_turn
                return first, self.seats[first].player.roll()
            case Phase.TO_ROLL:
                return on_turn, self._to_roll(known, on_turn)
            case Phase.MOVING if dice is not None:
                return on_turn, self._move(known, on_turn, Roll.from_dice(*_counting(known, dice)), lies)
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

    def _set_up(self, known: Table, lies: Position) -> list[Deed]:
        target = known.target or known.position
        if lies != target:
            return [LayOut(target), MoveAway(0.5)]
        if self._tries < 2:
            return [Wait(1.0)]
        # Who plays by words rolls by words, too: hands that only follow would roll in somebody's name.
        if self._tries % 2 or self._first(Manner.PLAYS) is None:
            return [PressButton(Button.DONE)]
        return [PressButton(Button.ROLL)]

    def _to_roll(self, known: Table, side: Side) -> list[Deed]:
        self._intent = None
        player, lies = self.seats[side].player, self.table.checkers.position()
        if known.match.game.names_double:
            return player.name_double(known.position)
        if self._tries:
            return player.roll()
        may = known.match.game.plays > 1 and refusal(known.match, ruled.Doubled(side)) is None
        most = 2 if refusal(known.match, ruled.Resigned(side, 2)) is None else 1
        return player.before_roll(lies, may_double=may, most_lost=most)

    def _move(self, known: Table, side: Side, roll: Roll, lies: Position) -> list[Deed]:
        """The play; once more the end of the turn, if that was not noticed."""
        player, intent = self.seats[side].player, self._intent
        if intent is None or self._believed != known.position or intent.roll != roll:
            intent = self._choose(known, side, roll, lies)
        elif intent.cheat is not None and (self.ledger.game, known.ply, intent.cheat.wrong) in self._counted:
            intent = player.intend(known.position, roll)
        self._intent, self._believed = intent, known.position
        if lies == intent.before and self._tries == 0:
            return player.play(intent)
        if lies != intent.after:
            return player.put_right(lies, intent.after, LightFrame()) + player.end_turn()
        return player.end_turn()

    def _choose(self, known: Table, side: Side, roll: Roll, lies: Position) -> Intent:
        """The play of a roll."""
        rules = self.seats[side].player.rules
        if lies != known.position and is_result(known.position, side, roll, lies, rules):
            # What somebody else had moved was put back after the play: what lies there now is the play.
            return Intent(known.position, lies, roll)
        return self._intend(known, side, roll, known.position)

    def _intend(self, known: Table, side: Side, roll: Roll, start: Position) -> Intent:
        """A legal play from a position, or an illegal one."""
        player = self.seats[side].player
        if self.rng.random() < self.cheats or (
            self.first_cheat is not None and known.ply >= self.first_cheat
        ):
            wrongs = player.temperament.wrongs
            cheat = any_cheat(start, side, roll, self.rng, player.rules, wrongs)
            if cheat is not None:
                self.first_cheat = None
                return Intent(start, cheat.after, roll, cheat)
        return player.intend(start, roll)

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
            return self._give_back(side, intent, lies)
        points = [point for warned in known.warned if isinstance(warned, tuple) for point in warned]
        if self._tries < 2 and points:
            return player.straighten(points, lies)
        if self._tries < LAST_TRY:
            return [Wait(1.0)]
        self.ledger.helped += 1
        return [Say(ruled.Played(side, lies, None))]

    def _give_back(self, side: Side, intent: Intent, lies: Position) -> list[Deed]:
        """A legal play is made of one that was asked about."""
        player = self.seats[side].player
        self._intent = player.intend(intent.before, intent.roll)
        return player.put_right(lies, self._intent.after, LightFrame())

    def _put_right(
        self, side: Side, target: Position, lies: Position, lights: LightFrame
    ) -> tuple[Side, list[Deed]]:
        """The checkers go back; where that is not seen the opponent lets the play stand, or says how it stands."""
        if self._tries < LAST_TRY and lies != target:
            return side, self.seats[side].player.put_right(lies, target, lights)
        if self._tries < LAST_TRY:
            return side, [Wait(0.5)]
        self.ledger.helped += 1
        if self._tries == LAST_TRY:
            return side.opponent, [PressButton(Button.TAKE)]
        return side.opponent, [Say(ruled.Played(side, lies, None))]


def _counting(known: Table, dice: tuple[int, int]) -> tuple[int, int]:
    """The roll that is played: where dice of one's own were thrown again, the one that the device counts."""
    return dice if known.thrown is None or known.thrown.dice is None else known.thrown.dice
