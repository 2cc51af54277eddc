"""A seat that an engine plays: what it says to each state of the table."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from controller.partner.mind import Mind, best_double
from controller.record.match.playthrough import Moment, moment_state
from controller.referee import Event, Phase, Table
from controller.referee.events import PlayAnnounced, Said
from controller.referee.table.games import refusal
from controller.rules import Side, results
from controller.rules.forms.xgid import MatchState, OfferCode
from controller.rules.game import events as ruled
from controller.simulation.players.player import hopeless

GAMMON: Final = 2
Question = tuple[object, ...]
"""What is asked of a seat, by which it answers each question once."""


class EngineSeat:
    """One side, played by a mind. For one thread; asking it again while nothing has changed costs nothing."""

    def __init__(self, side: Side, mind: Mind) -> None:
        """Nothing was asked yet."""
        self.side = side
        self._mind = mind
        self._answered: Question | None = None
        self._resigned: tuple[int, int] | None = None

    def waits(self, table: Table) -> bool:
        """Whether the table asks something of this side that it has not answered yet."""
        asked = self._asked(table)
        return asked is not None and asked != self._answered

    def answer(self, table: Table) -> tuple[Event, ...]:
        """What this side says now; nothing where it is not asked, or has answered."""
        asked = self._asked(table)
        if asked is None or asked == self._answered:
            return ()
        self._answered = asked
        return tuple(self._answers(table))

    def close(self) -> None:
        """Let go of the mind."""
        self._mind.close()

    def _asked(self, table: Table) -> Question | None:
        game, thrown, place = table.match.game, table.thrown, (table.match.number, table.ply, table.phase)
        if table.undo_asked is self.side.opponent:
            return (*place, "undo")
        match table.phase:
            case Phase.MOVING if thrown is not None and thrown.side is self.side and table.announced is None:
                return (*place, thrown.roll, thrown.t, table.position)
            case Phase.TO_ROLL if game.turn is self.side:
                return (*place, table.position, game.cube)
            case Phase.CUBE_OFFERED if game.offer is not None and game.offer.to is self.side:
                return (*place, game.offer)
            case Phase.RESIGNATION_OFFERED if game.resignation is not None:
                mine = game.resignation.by is self.side
                return None if mine else (*place, game.resignation)
        return None

    def _answers(self, table: Table) -> Iterator[Event]:
        if table.undo_asked is self.side.opponent:
            yield self._said(table, ruled.TakenBack(self.side))
            return
        match table.phase:
            case Phase.MOVING:
                yield from self._play(table)
            case Phase.TO_ROLL:
                yield from self._before_roll(table)
            case Phase.CUBE_OFFERED:
                taken = self._mind.takes(table.position, self._state(table, self.side.opponent))
                yield self._said(table, ruled.Taken(self.side) if taken else ruled.Passed(self.side))
            case Phase.RESIGNATION_OFFERED:
                yield self._said(table, self._to_resignation(table))

    def _play(self, table: Table) -> Iterator[Event]:
        assert table.thrown is not None
        roll, rules = table.thrown.roll, table.match.game.profile.movement
        if results(table.position, self.side, roll, rules)[0] == {table.position.code}:
            return
        after = self._mind.play(table.position, self._state(table, self.side), roll, rules)
        yield PlayAnnounced(table.t, table.ply, self.side, after)

    def _before_roll(self, table: Table) -> Iterator[Event]:
        """Name a double, resign what is lost, or double; else people roll for it."""
        state, rules = self._state(table, self.side), table.match.game.profile.movement
        if table.match.game.names_double:
            number = best_double(self._mind, table.position, state, rules)
            yield self._said(table, ruled.DoubleNamed(self.side, number))
            return
        level = hopeless(table.position, self.side, rules)
        offer = (table.match.number, level)
        if level and offer != self._resigned and self._may(table, ruled.Resigned(self.side, level)):
            self._resigned = offer
            yield self._said(table, ruled.Resigned(self.side, level))
        elif self._may(table, ruled.Doubled(self.side)) and self._mind.doubles(table.position, state):
            yield self._said(table, ruled.Doubled(self.side))

    def _to_resignation(self, table: Table) -> ruled.RulesEvent:
        """It takes what is offered, unless a gammon is still to be won and only a single game was offered."""
        offered = table.match.game.resignation
        assert offered is not None
        other = self.side.opponent
        checkers = table.match.game.profile.movement.checkers
        more = offered.amount < GAMMON <= hopeless(table.position, other, table.match.game.profile.movement)
        refused = ruled.ResignationRefused(self.side)
        open_ = more and table.position.off(other, checkers) == 0
        return refused if open_ and self._may(table, refused) else ruled.ResignationAccepted(self.side)

    def _state(self, table: Table, on_roll: Side) -> MatchState:
        state = moment_state(Moment(0, None, table.match))
        return replace(state, on_roll=on_roll, offer=OfferCode.NONE, roll=None)

    def _may(self, table: Table, event: ruled.RulesEvent) -> bool:
        return refusal(table.match, event) is None

    def _said(self, table: Table, event: ruled.RulesEvent) -> Said:
        return Said(table.t, event, str(self.side))
