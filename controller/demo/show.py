"""The main loop of a demo: table, camera, electronics, referee and players, all on one virtual clock."""

import datetime
import hashlib
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

import numpy as np

from controller.app.desk import Desk, Runner
from controller.demo.floor import Floor
from controller.demo.ledger import Ledger
from controller.demo.looks import TableSight
from controller.demo.seat import Seat
from controller.devices import Button, DiceMode, EventMark, StripOrder
from controller.devices.lights.palette import Dimming
from controller.devices.link.happenings import BoardEvent, ButtonChanged, DiceRolled
from controller.messages.device_words import LocalText
from controller.record import MatchFolder
from controller.record.journal.seal import KEY_FILE, SigningKey
from controller.record.match.match import Facts
from controller.referee import (
    Action,
    DiceFrom,
    Event,
    Phase,
    Pressed,
    RollReported,
    Settings,
    Ticked,
    TurnJudged,
)
from controller.referee.actions import GameEnded, Lit, RollAllowed
from controller.referee.events import DeviceChanged, Resumed, Said
from controller.rules import Profile, Side, Terms, start_position
from controller.rules.game.events import RulesEvent as Saying
from controller.simulation.boards.hands import SKINS
from controller.simulation.boards.setting import Setting
from controller.simulation.electronics.chip import Chip, FirmwareError
from controller.simulation.electronics.microcontroller import Microcontroller
from controller.simulation.electronics.probe import Probe
from controller.simulation.electronics.twin import Twin
from controller.simulation.electronics.wire import Wire
from controller.simulation.players.player import CLOCKS, Player
from controller.simulation.players.temperament import TEMPERAMENTS, Temperament
from controller.simulation.tabletop.arm import Build
from controller.simulation.tabletop.tabletop import Tabletop
from controller.vision import Owner

EPOCH: Final = datetime.datetime(2026, 1, 1, 18, 0, tzinfo=datetime.UTC)
"""When an evening with a seed begins, so that it is the same to the letter each time."""
NAMES: Final = {Side.LIGHT: "Anna", Side.DARK: "Bruno"}
"""What the players are called."""
PLIES_PER_GAME: Final = 60
"""About how many turns a game has: illegal plays are spread over them."""
TICK_S: Final = 0.5
ENDING = {Button.CLOCK_LIGHT, Button.CLOCK_DARK, Button.DONE}
STUCK_S: Final = 300.0
"""A table at which one turn lasts this long is stuck, however often it is flagged meanwhile."""


class StuckError(RuntimeError):
    """The table does not come any further: a defect, with where it stood."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be played.

    Attributes:
        games: how many games in all.
        length: points of a match; 0 for a money session.
        profile: the rules.
        seed: everything follows from it.
        cheats: illegal plays in a game, on average.
        first_cheat: the turn of the first match from which on the first of them comes for certain; None for chance.
        fps: pictures a second.
        firmware: whether the real firmware runs in the electronics; else the program that stands in for it.
        temperaments: light's and dark's; of more than two, two are drawn.
        others: the rules of further games that take turns with the first: a series, such as tavli.
    """

    games: int
    length: int
    profile: Profile
    seed: int
    cheats: float = 0.0
    fps: float = 5.0
    firmware: bool = True
    temperaments: tuple[Temperament, ...] = TEMPERAMENTS
    others: tuple[Profile, ...] = ()
    first_cheat: int | None = None

    def settings(self) -> Settings:
        """How the table is run. Raises TermsError for what cannot be played."""
        terms = terms_of(self.length, (self.profile, *self.others))
        return Settings(terms, clock=True, dice=DiceFrom.ELECTRONIC)

    def player(self, side: Side, temper: Temperament, rng: np.random.Generator) -> Player:
        """A player with the clock of its side."""
        return Player(side, temper, rng, self.profile.movement, done=CLOCKS[side])

    def floor(
        self, seats: Mapping[Side, Seat], table: Tabletop, ledger: Ledger, rng: np.random.Generator
    ) -> Floor:
        """What tells the players what is asked of them."""
        return Floor(seats, table, ledger, rng, self.cheats / PLIES_PER_GAME)


class Show(Runner):
    """A table with everything around it; `step` lets one picture's time go by.

    Attributes:
        plan: what is played.
        table: what truly lies there.
        looks: the camera and what reads it.
        wire: the electronics.
        floor: the players.
        probe: what the lamps show.
        dice: those thrown last.
        ended: results of games so far.
        t: seconds since the match began.
    """

    def __init__(
        self,
        plan: Plan,
        number: int,
        sight: TableSight,
        chip: Microcontroller,
        folder: MatchFolder,
        ledger: Ledger,
        tell: Callable[[Action], None],
    ) -> None:
        """A match begins.

        Args:
            plan: what is to be played.
            number: of the match in its evening, from 0.
            sight: the table, and how it is looked at.
            chip: the electronics.
            folder: takes the record.
            ledger: what truly happens goes in here.
            tell: is given every action, for people to see.
        """
        rngs = [np.random.default_rng(each) for each in np.random.SeedSequence((plan.seed, number)).spawn(6)]
        tempers, builds = draw_players(rngs[0], plan.temperaments)
        ledger.begin_match()
        self.plan, self._folder, self._tell = plan, folder, tell
        settings = plan.settings()
        self.table = first_table(sight.setting, settings.terms, rngs[1], builds)
        self.looks = sight.looks(settings.terms.profiles, rngs[2])
        facts = Facts(transcriber="Pointsman, on a simulated table")
        names = (NAMES[Side.LIGHT], NAMES[Side.DARK])
        super().__init__(
            Desk.open(settings, folder.book, folder.follow, names=names, facts=facts, segments=sight.segments)
        )
        self.order = StripOrder.as_delivered()
        self.probe = Probe(self.order)
        self.dice: tuple[int, int] | None = None
        self.ended, self.t = 0, 0.0
        self._ticked = self._judged_t = 0.0
        self._judged_ply = -1
        self._sayings: list[Saying] = []
        self._casts: list[tuple[int, int]] = []
        self.wire = Wire(chip, host_session=number + 1, deliver=self.deliver)
        press, say, cast = self.wire.press, self._sayings.append, self._casts.append
        seats = {
            side: Seat(
                plan.player(side, temper, rng),
                self.table,
                press,
                say,
                cast,
            )
            for side, temper, rng in zip(Side, tempers, rngs[3:5], strict=True)
        }
        self.floor = plan.floor(seats, self.table, ledger, rngs[5])
        self.floor.first_cheat = plan.first_cheat if number == 0 else None
        # The roll button is a button only until a roll is due.
        self.wire.arm_dice(DiceMode.OFF)

    def step(self) -> None:
        """One picture's time. Raises StuckError if nothing goes on any more."""
        self.t += 1.0 / self.plan.fps
        for seat in self.floor.seats.values():
            seat.go_on()
        while self._sayings:
            self.put(Said(self.t, self._sayings.pop(0)))
        while self._casts:
            self._report_roll(self.t, self._casts.pop(0))
        self.table.run_until(self.t)
        self.wire.run_until(self.t)
        self.probe.sample(self.wire.chip.strip, self.t)
        for news, shot in self.looks.next_sighting(self.table, self.t):
            self.put(news, shot=shot)
        if self.t - self._ticked >= TICK_S:
            self._ticked = self.t
            self.put(Ticked(self.t))
        self.floor.attend(self.desk.table, self.dice, self.probe.frame, self.t)
        if self.t - self._judged_t > STUCK_S:
            known = self.desk.table
            raise StuckError(f"no other turn since {self._judged_t:.0f} s: {known.phase}, ply {known.ply}")

    def deliver(self, event: BoardEvent) -> None:
        """The electronics report something."""
        match event.what:
            case DiceRolled(dice=dice):
                self._report_roll(event.at_s, dice, event.mark)
            case ButtonChanged(button=Button() as button, down=True):
                if button in ENDING:
                    self.floor.turn_ends(self.desk.table, event.at_s)
                self.put(Pressed(event.at_s, button), mark=event.mark)

    def carry_out(self, action: Action) -> Iterable[Event]:
        """See `Runner`."""
        self.floor.ledger.on_action(action, self.table.checkers.position())
        match action:
            case Lit(frame=frame):
                self.wire.show(self.order.picture(frame, Dimming().level(at_night=False)))
                self.probe.forget()
            case RollAllowed():
                self.wire.arm_dice(DiceMode.ONCE)
            case TurnJudged(ply=ply) if ply != self._judged_ply:
                self._judged_t, self._judged_ply = self.t, ply
            case GameEnded():
                self._judged_t = self.t
                self.ended += 1
        self._tell(action)
        return ()

    def unplug(self, pulled: bool) -> None:
        """The cable of the electronics comes off, or is put back."""
        if pulled:
            self.wire.pull()
        else:
            self.wire.plug()
        self.put(DeviceChanged(self.t, "board", not pulled, "the cable was pulled" if pulled else ""))

    def blind(self, lost: bool) -> None:
        """The camera is pulled out, or put back."""
        self.looks.lose(lost)
        self.put(DeviceChanged(self.t, "camera", not lost, "the camera was pulled out" if lost else ""))

    def cut_power(self) -> None:
        """The computer loses its power: all that is known afterwards is in the journal."""
        self.wire.restart()
        self.looks.forget()
        self.desk = Desk.resume(self._folder.new_book(), self._folder.follow)
        self.put(Resumed(max(self.t, self.desk.table.t)))
        self.wire.show(self.order.picture(self.desk.table.lit, Dimming().level(at_night=False)))

    def _report_roll(self, t: float, dice: tuple[int, int], mark: EventMark | None = None) -> None:
        self.dice = dice
        self.floor.ledger.roll(t)
        self.put(RollReported(t, dice), mark=mark)

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return self.desk.table.phase is Phase.MATCH_OVER


def terms_of(length: int, profiles: Sequence[Profile]) -> Terms:
    """A match, a money session (length 0), or a series of several games. Raises TermsError for what cannot be."""
    if len(profiles) > 1:
        return Terms.series(length, *profiles)
    return Terms.match(profiles[0], length) if length else Terms.money(profiles[0])


def first_table(
    setting: Setting, terms: Terms, rng: np.random.Generator, builds: tuple[Build, Build]
) -> Tabletop:
    """The table as the first game begins: its checkers laid out, with a cube where one is played with."""
    profile = terms.profiles[0]
    start = start_position(profile.opening.layout, profile.movement.direction)
    cube: tuple[int, Owner] | None = (1, "center") if profile.cube.enabled else None
    return Tabletop(setting, start, rng, cube=cube, builds=builds, each=profile.movement.checkers)


def draw_players(
    rng: np.random.Generator, among: tuple[Temperament, ...]
) -> tuple[tuple[Temperament, Temperament], tuple[Build, Build]]:
    """Light's and Dark's temperaments, of more than two any two, and what their arms look like."""
    tempers = _draw_two(rng, among)
    return tempers, (_draw_build(rng, tempers[0]), _draw_build(rng, tempers[1]))


def _draw_two(rng: np.random.Generator, among: tuple[Temperament, ...]) -> tuple[Temperament, Temperament]:
    if len(among) == 2:
        return among[0], among[1]
    first, second = rng.choice(len(among), 2, replace=False)
    return among[int(first)], among[int(second)]


def _draw_build(rng: np.random.Generator, temper: Temperament) -> Build:
    skin = SKINS[int(rng.integers(len(SKINS)))]
    b, g, r = (float(value) for value in rng.uniform(15, 200, 3))
    return Build(skin, (b, g, r), float(rng.uniform(30, 120)), bool(rng.random() < 0.85), speed=temper.speed)


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
        sight: the table, and how it is looked at.
        ledger: what truly happened, and what the referee said.
        clock: dates what is written.
    """

    plan: Plan
    sight: TableSight
    ledger: Ledger = field(default_factory=Ledger)
    clock: VirtualClock = field(default_factory=VirtualClock)
    played: int = 0

    def folder(self, path: Path, warn: Callable[[LocalText], None] | None = None) -> MatchFolder:
        """The folder of a match that is about to be played.

        Its key follows from the seed, so that the same evening is the same to the letter; it is no secret. It lies in
        the folder itself: packets are signed with it, and no real table takes it for its own.

        Args:
            path: where it is to be.
            warn: called with what the disk refuses, and play goes on as at any table; without it that is an error.
        """
        self.clock.t = 0.0
        key = SigningKey.from_secret(hashlib.sha256(f"pointsman demo {self.plan.seed}".encode()).digest())
        told = warn or (lambda _: None)
        folder = MatchFolder(path, self.clock, told, time.monotonic, strict=warn is None, key=key)
        key.keep(path / KEY_FILE)
        return folder

    def match(
        self, number: int, folder: MatchFolder, tell: Callable[[Action], None], attend: Callable[[Show], None]
    ) -> Show:
        """Play one match (or what is left of the games), with ``attend`` called after each picture."""
        with microcontroller(self.plan.seed + number, firmware=self.plan.firmware) as chip:
            show = Show(
                self.plan,
                number,
                self.sight,
                chip=chip,
                folder=folder,
                ledger=self.ledger,
                tell=tell,
            )
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
