"""An evening of matches on one simulated table."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.demo.ledger import Ledger
from controller.demo.preparing import Prepared
from controller.demo.show import MakeMischief, Plan, Show
from controller.record import MatchFolder
from controller.referee import Action
from controller.simulation.electronics.chip import Chip, FirmwareError
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.twin import Twin

EPOCH: Final = datetime.datetime(2026, 1, 1, 18, 0, tzinfo=datetime.UTC)
"""When an evening with a seed begins, so that it is the same to the letter each time."""


@dataclass(slots=True)
class VirtualClock:
    """The time of day on a simulated table; ``t`` are the virtual seconds since each match ``began``."""

    began: datetime.datetime = EPOCH
    t: float = 0.0

    def __call__(self) -> str:
        """ISO 8601 in UTC."""
        return (self.began + datetime.timedelta(seconds=self.t)).isoformat(timespec="milliseconds")


@dataclass(slots=True)
class Evening:
    """Plays match after match until all games are played.

    Attributes:
        plan: what is to be played.
        prepared: the table; None to look straight at the truth, for statistics.
        ledger: what truly happened, and what the referee said.
        clock: dates what is written.
        mischief: makes what players do beside their plays; None if they do nothing.
    """

    plan: Plan
    prepared: Prepared | None
    ledger: Ledger = field(default_factory=Ledger)
    clock: VirtualClock = field(default_factory=VirtualClock)
    played: int = 0
    mischief: MakeMischief | None = None

    def folder(self, path: Path) -> MatchFolder:
        """The folder of a match that is about to be played; what the disk refuses is an error."""
        self.clock.t = 0.0
        return MatchFolder(path, self.clock, lambda _: None, strict=True)

    def match(
        self, number: int, folder: MatchFolder, tell: Callable[[Action], None], attend: Callable[[Show], None]
    ) -> Show:
        """Play one match (or what is left of the games), with ``attend`` called after each picture."""
        with microcontroller(self.plan.seed + number, firmware=self.plan.firmware) as chip:
            show = Show(self.plan, number, self.prepared, chip, folder, self.ledger, tell, self.mischief)
            while not show.over and self.played + show.ended < self.plan.games:
                show.step()
                self.clock.t = show.t
                attend(show)
            self.played += show.ended
        return show


def microcontroller(seed: int, *, firmware: bool) -> Microcontroller:
    """The board's chip: the real firmware where it can be had and is wanted, else the program in its place."""
    noise = seed % (2**32 - 1) + 1
    if firmware:
        try:
            return Chip(noise_seed=noise)
        except FirmwareError:
            return Twin(noise_seed=noise)
    return Twin(noise_seed=noise)


def free_folder(out: Path, number: int) -> Path:
    """Where a match goes: the folder after those that are there already, so that none is written over."""
    while (out / f"match-{number:02d}").exists():
        number += 1
    return out / f"match-{number:02d}"
