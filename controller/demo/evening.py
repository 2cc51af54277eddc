"""An evening of matches on one simulated table."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from controller.app.desk import Desk
from controller.app.eyes import Eyes
from controller.demo.ledger import Ledger
from controller.demo.looks import PaintedLooks, TruthfulLooks
from controller.demo.preparing import Prepared, random_table
from controller.demo.show import MakeMischief, Room, Show
from controller.record.match.match import Facts
from controller.record.table.match_folder import MatchFolder
from controller.referee.actions import Action
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.position import START, Side
from controller.rules.profile.profile import Profile
from controller.simulation.boards.hands import SKINS
from controller.simulation.electronics.chip import Chip, FirmwareError
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.twin import Twin
from controller.simulation.players.player import CLOCKS, Player
from controller.simulation.players.temperament import TEMPERAMENTS, Temperament
from controller.simulation.tabletop.arm import Build
from controller.simulation.tabletop.tabletop import Tabletop
from controller.simulation.tabletop.truthful_eye import Errors, TruthfulEye

NAMES: Final = {Side.LIGHT: "Anna", Side.DARK: "Bruno"}
"""What the players are called."""
PLIES_PER_GAME: Final = 60
"""About so many turns a game has, to spread illegal plays over them."""
EPOCH: Final = datetime.datetime(2026, 1, 1, 18, 0, tzinfo=datetime.UTC)
"""When an evening with a seed begins, so that it is the same to the letter each time."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played.

    Attributes:
        games: how many games in all.
        length: points of a match; 0 for a money session.
        profile: the rules.
        seed: everything follows from it.
        cheats: illegal plays in a game, on average.
        fps: pictures a second.
        firmware: whether the real firmware runs in the electronics; else the program that stands in for it.
        hint: how much a learner is shown.
        temperaments: light's and dark's; of more than two, two are drawn.
    """

    games: int
    length: int
    profile: Profile
    seed: int
    cheats: float = 0.0
    fps: float = 5.0
    firmware: bool = True
    hint: int = 0
    temperaments: tuple[Temperament, ...] = TEMPERAMENTS


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
        mischief: see `Room`.
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
            show = self._show(number, folder, tell, chip)
            while not show.over and self.played + show.ended < self.plan.games:
                show.step()
                self.clock.t = show.t
                attend(show)
            self.played += show.ended
        return show

    def _show(
        self, number: int, folder: MatchFolder, tell: Callable[[Action], None], chip: Microcontroller
    ) -> Show:
        plan = self.plan
        seeds = np.random.SeedSequence((plan.seed, number)).spawn(6)
        rngs = [np.random.default_rng(each) for each in seeds]
        tempers = _draw_two(rngs[0], plan.temperaments)
        setting = random_table(plan.seed) if self.prepared is None else self.prepared.setting
        builds = (_draw_build(rngs[0], tempers[0]), _draw_build(rngs[0], tempers[1]))
        self.ledger.begin_match()
        table = Tabletop(setting, START, rngs[1], builds=builds)
        looks: PaintedLooks | TruthfulLooks
        if self.prepared is None:
            looks = TruthfulLooks(TruthfulEye(Errors(), rngs[2]))
        else:
            looks = PaintedLooks(self.prepared.painter, Eyes(self.prepared.board), rngs[2])
        players = {
            side: Player(side, temper, rng, plan.profile.movement, done=CLOCKS[side])
            for side, temper, rng in zip(Side, tempers, rngs[3:5], strict=True)
        }
        desk = Desk.open(
            settings_of(plan),
            folder.book,
            folder.follow,
            names=(NAMES[Side.LIGHT], NAMES[Side.DARK]),
            facts=Facts(transcriber="Pointsman, on a simulated table"),
        )
        room = Room(
            folder,
            table,
            looks,
            chip,
            players,
            self.ledger,
            rngs[5],
            plan.cheats / PLIES_PER_GAME,
            plan.fps,
            self.mischief,
        )
        return Show(desk, room, number + 1, tell)


def settings_of(plan: Plan) -> Settings:
    """How the table is run: with clock buttons and electronic dice."""
    terms = Terms.match(plan.profile, plan.length) if plan.length else Terms.money(plan.profile)
    return Settings(terms, clock=True, hint=plan.hint)


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


def _draw_two(rng: np.random.Generator, among: tuple[Temperament, ...]) -> tuple[Temperament, Temperament]:
    if len(among) == 2:
        return among[0], among[1]
    first, second = rng.choice(len(among), 2, replace=False)
    return among[int(first)], among[int(second)]


def _draw_build(rng: np.random.Generator, temper: Temperament) -> Build:
    skin = SKINS[int(rng.integers(len(SKINS)))]
    b, g, r = (float(value) for value in rng.uniform(15, 200, 3))
    return Build(skin, (b, g, r), float(rng.uniform(30, 120)), bool(rng.random() < 0.85), speed=temper.speed)
