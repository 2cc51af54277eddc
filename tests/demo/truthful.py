"""A table that is looked at without pictures: readings of the truth, in the form in which eyes give theirs."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from controller.app.eyes import NewsWithPicture
from controller.demo.looks import Looks
from controller.demo.preparing import random_table
from controller.demo.show import Plan
from controller.referee import FrameLost, FrameSeen
from controller.referee.events import FrameMoving, FrameSame
from controller.rules import Profile
from controller.simulation.boards.scene import Scene
from controller.simulation.boards.setting import Setting
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision.watch import LOOKS
from tests.demo.truthful_eye import FLEETING, Errors, TruthfulEye


@dataclass(frozen=True, slots=True)
class TruthfulSight:
    """A `TableSight` of the truth, for statistics.

    Attributes:
        setting: the table.
        errors: how often the eye errs.
        trays: whether it has trays in sight; None where the board decides.
        tells_hands: whether it tells whose hand was where.
    """

    setting: Setting
    errors: Errors = FLEETING
    trays: bool | None = None
    tells_hands: bool = False
    segments: None = None

    def looks(self, _: Sequence[Profile], rng: np.random.Generator) -> Looks:
        """See `TableSight`."""
        return TruthfulLooks(
            TruthfulEye(self.errors, rng, tells_hands=self.tells_hands, sees_trays=self.trays)
        )


def truthful(
    plan: Plan, errors: Errors = FLEETING, trays: bool | None = None, *, tells_hands: bool = False
) -> TruthfulSight:
    """The truth of the table that follows from a plan's seed."""
    return TruthfulSight(random_table(plan.seed), errors, trays, tells_hands)


class TruthfulLooks(Looks):
    """Readings of the truth, in the form in which eyes give theirs."""

    def __init__(self, eye: TruthfulEye) -> None:
        """``eye`` makes the readings."""
        super().__init__()
        self._eye = eye
        self._last: Scene | None = None
        self._looks = 0
        self._moving = self._told_lost = False

    def next_sighting(self, table: Tabletop, t: float) -> list[NewsWithPicture]:
        """See `Looks`."""
        self._number += 1
        if self._lost:
            told, self._told_lost = self._told_lost, True
            return (
                [] if told else [(FrameLost(t, self._number, "camera", "the camera does not answer"), None)]
            )
        self._told_lost = False
        scene, last = table.scene(), self._last
        self._last = scene
        # A hand that lies still in two pictures is seen like anything else that hides a part of the board.
        self._eye.notice_hands(table)
        if table.moving and scene != last:
            moved, self._moving, self._rested = self._moving, True, None
            return [] if moved else [(FrameMoving(t, self._number), None)]
        if scene != self._rested:
            self._rested, self._looks = scene, 0
        self._moving = False
        self._looks += 1
        if self._looks > LOOKS:
            return [(FrameSame(t, self._number), None)]
        return [(FrameSeen(t, self._number, self._eye.read(table)), None)]
