"""An evening of matches on one simulated table."""

import datetime
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from controller.app.desk import Desk
from controller.app.eyes import Eyes
from controller.demo.floor import Floor
from controller.demo.folder import MatchFolder
from controller.demo.ledger import Ledger
from controller.demo.looks import PaintedLooks, TruthfulLooks
from controller.demo.preparing import Prepared, random_table
from controller.demo.seat import Seat
from controller.demo.show import Show
from controller.devices.link.happenings import BoardEvent
from controller.record.transcript import Facts
from controller.referee.table.actions import Action
from controller.referee.table.settings import Settings
from controller.rules.events import Event as Saying
from controller.rules.match import Terms
from controller.rules.position import START, Side
from controller.rules.profile import Profile
from controller.simulation.electronics.chip import Chip, FirmwareError
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.twin import Twin
from controller.simulation.electronics.wire import Wire
from controller.simulation.hands import SKINS
from controller.simulation.players.player import CLOCKS, Player
from controller.simulation.players.temperament import ROGUES, TEMPERAMENTS, Temperament
from controller.simulation.tabletop.arm import Build
from controller.simulation.tabletop.tabletop import Tabletop
from controller.simulation.tabletop.truthful_eye import Errors, TruthfulEye

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
        temperaments: light's and dark's; drawn at random where there are none.
        misdeeds: of the moments at which a player could do what is no part of his play, the share at which he does.
    """

    games: int
    length: int
    profile: Profile
    seed: int
    cheats: float = 0.0
    fps: float = 5.0
    firmware: bool = True
    hint: int = 0
    temperaments: tuple[Temperament, Temperament] | None = None
    misdeeds: float = 0.0


@dataclass(slots=True)
class Evening:
    """Plays match after match until all games are played.

    Attributes:
        plan: what is to be played.
        prepared: the table; None to look straight at the truth, for statistics.
        ledger: what truly happened, and what the referee said.
    """

    plan: Plan
    prepared: Prepared | None
    ledger: Ledger = field(default_factory=Ledger)
    played: int = 0

    def match(
        self, number: int, folder: MatchFolder, tell: Callable[[Action], None], attend: Callable[[Show], None]
    ) -> Show:
        """Play one match (or what is left of the games), with ``attend`` called after each picture."""
        with microcontroller(self.plan.seed + number, firmware=self.plan.firmware) as chip:
            show = self._show(number, folder, tell, chip)
            while not show.over and self.played + show.ended < self.plan.games:
                show.step()
                folder.t = show.t
                attend(show)
            self.played += show.ended
        return show

    def _show(
        self, number: int, folder: MatchFolder, tell: Callable[[Action], None], chip: Microcontroller
    ) -> Show:
        plan = self.plan
        seeds = np.random.SeedSequence((plan.seed, number)).spawn(6)
        rngs = [np.random.default_rng(each) for each in seeds]
        tempers = plan.temperaments or _drawn(rngs[0], ROGUES if plan.misdeeds else TEMPERAMENTS)
        setting = random_table(plan.seed) if self.prepared is None else self.prepared.setting
        builds = (_build(rngs[0], tempers[0]), _build(rngs[0], tempers[1]))
        self.ledger.begin_match()
        table = Tabletop(setting, START, rngs[1], builds=builds)
        looks: PaintedLooks | TruthfulLooks
        if self.prepared is None:
            looks = TruthfulLooks(TruthfulEye(Errors(), rngs[2]))
        else:
            eyes = Eyes(self.prepared.board)
            looks = PaintedLooks(self.prepared.painter, eyes, rngs[2])
        later = _Later()
        wire = Wire(chip, host_session=number + 1, deliver=later.deliver)
        seats = {
            side: Seat(
                Player(side, temper, rngs[3 + k], plan.profile.movement, done=CLOCKS[side]),
                table,
                wire.press,
                later.say,
                later.cast,
            )
            for k, (side, temper) in enumerate(zip(Side, tempers, strict=True))
        }
        floor = Floor(seats, table, self.ledger, rngs[5], plan.cheats / PLIES_PER_GAME, plan.misdeeds)
        desk = Desk.open(
            settings_of(plan),
            folder.book,
            later.carry_out,
            folder.follow,
            names=(tempers[0].name.title(), tempers[1].name.title()),
            facts=Facts(transcriber="Pointsman, on a simulated table"),
        )

        def resume(t: float) -> Desk:
            return Desk.resume(folder.new_book(), later.carry_out, folder.follow, t=t)

        show = Show(desk, table, wire, looks, floor, plan.fps, tell, resume)
        later.show = show
        return show


@dataclass(slots=True)
class _Later:
    """Leads back to the show, which can only be made when everything else is."""

    show: Show | None = None

    def deliver(self, event: BoardEvent) -> None:
        if self.show is not None:
            self.show.deliver(event)

    def carry_out(self, action: Action) -> None:
        if self.show is not None:
            self.show.carry_out(action)

    def say(self, event: Saying) -> None:
        if self.show is not None:
            self.show.say(event)

    def cast(self, dice: tuple[int, int]) -> None:
        if self.show is not None:
            self.show.cast(dice)


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


def folder_of(out: Path, number: int) -> Path:
    """Where a match lies."""
    return out / f"match-{number + 1:02d}"


def _drawn(rng: np.random.Generator, among: tuple[Temperament, ...]) -> tuple[Temperament, Temperament]:
    first, second = rng.choice(len(among), 2, replace=False)
    return among[int(first)], among[int(second)]


def _build(rng: np.random.Generator, temper: Temperament) -> Build:
    skin = SKINS[int(rng.integers(len(SKINS)))]
    b, g, r = (float(value) for value in rng.uniform(15, 200, 3))
    return Build(skin, (b, g, r), float(rng.uniform(30, 120)), bool(rng.random() < 0.85), speed=temper.speed)
