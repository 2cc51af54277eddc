"""What is played where it is measured: as a demo, with more that can happen."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from controller.arrays import another_chance
from controller.demo.floor import Floor
from controller.demo.ledger import Ledger
from controller.demo.seat import Seat
from controller.demo.show import PLIES_PER_GAME, Plan
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules.position import Side
from controller.simulation.players.player import CLOCKS, Player
from controller.simulation.players.temperament import Temperament
from controller.simulation.tabletop.tabletop import Tabletop
from tests.demo.measured_floor import MeasuredFloor
from tests.demo.measured_player import MeasuredPlayer
from tests.demo.measuring import MeasuringLedger
from tests.demo.mischief import Mischief


@dataclass(frozen=True)
class MeasuredPlan(Plan):
    """What is to be played.

    Attributes:
        dice: who tells the rolls: the camera, then they are thrown by hand, and lifting them ends a turn.
        accidents: the share of honest turns that something befalls.
        tempted: the share of the moments at which a player could do what is no part of their play, and does.
        carried: the sides that engines play: somebody rolls for them and moves their checkers.
        miscarries: the share of their plays that are carried out otherwise at first.
    """

    dice: DiceFrom = DiceFrom.ELECTRONIC
    accidents: float = 0.0
    tempted: float = 0.0
    carried: frozenset[Side] = frozenset()
    miscarries: float = 0.0

    def settings(self) -> Settings:
        """See `Plan`; dice that the camera sees come without clock buttons."""
        return replace(super().settings(), clock=self.dice is DiceFrom.ELECTRONIC, dice=self.dice)

    def player(self, side: Side, temper: Temperament, rng: np.random.Generator) -> Player:
        """See `Plan`."""
        throws = self.dice is DiceFrom.CAMERA
        done = None if throws else CLOCKS[side]
        return MeasuredPlayer(side, temper, rng, self.profile.movement, done, throws)

    def floor(
        self, seats: Mapping[Side, Seat], table: Tabletop, ledger: Ledger, rng: np.random.Generator
    ) -> Floor:
        """See `Plan`."""
        mischief = None
        if self.tempted:
            assert isinstance(ledger, MeasuringLedger)
            # With luck of its own, so that the plays stay the same without it.
            mischief = Mischief(seats, table, ledger, another_chance(rng), self.tempted)
        return MeasuredFloor(
            seats,
            table,
            ledger,
            rng=rng,
            cheats=self.cheats / PLIES_PER_GAME,
            accidents=self.accidents,
            mischief=mischief,
            carried=self.carried,
            miscarries=self.miscarries,
        )
