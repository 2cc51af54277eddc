"""``pointsman demo``."""

import datetime
import secrets
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer

from controller.cli.options import STANDARD_NAME, Language, ProfileName
from controller.cli.output import write_out
from controller.demo.faults import Trouble, faults_of
from controller.demo.ledger import Ledger
from controller.demo.looks import PaintedLooks
from controller.demo.preparing import prepare
from controller.demo.screen import DemoScreen, Transcript
from controller.demo.show import (
    EPOCH,
    NAMES,
    Evening,
    Plan,
    Show,
    VirtualClock,
    free_folder,
    microcontroller,
    settings_of,
)
from controller.devices.pictures import encode_jpeg
from controller.errors import UserError
from controller.messages.catalogue import catalogue
from controller.record.journal.delivery import Delivery
from controller.referee import Action
from controller.rules import load_profile
from controller.simulation.electronics.chip import Chip

LIVE_FPS, FAST_FPS = 15.0, 5.0
WIDEST, QUALITY = 1280, 90
SEEDS: Final = 10**6
FIRMWARE_RUNS: Final = "the real firmware, in its simulator."
STAND_IN: Final = (
    "a program that stands in for the firmware (make firmware builds the real one and its simulator)."
)


def demo(
    headless: Annotated[
        bool, typer.Option("--headless", help="Only print the transcript, then end.")
    ] = False,
    games: Annotated[int, typer.Option(metavar="NUMBER", min=1, help="How many games in all.")] = 1,
    seed: Annotated[
        int | None, typer.Option(metavar="NUMBER", min=0, help="The same seed plays the same evening.")
    ] = None,
    speed: Annotated[
        float | None,
        typer.Option(
            metavar="FACTOR", min=0, help="1 is real time, 0 as fast as it can; 0 if headless, else 1."
        ),
    ] = None,
    cheat: Annotated[
        float, typer.Option(metavar="NUMBER", min=0, max=30, help="Illegal plays in a game, on average.")
    ] = 1.0,
    out: Annotated[
        Path, typer.Option(metavar="FOLDER", help="One folder for each match goes in here.")
    ] = Path("demo-out"),
    profile: ProfileName = STANDARD_NAME,
    length: Annotated[
        int, typer.Option(metavar="POINTS", min=0, help="Points of a match; 0 for a money session.")
    ] = 5,
    faults: Annotated[
        str,
        typer.Option(
            metavar="FAULTS", help="What goes wrong: some of camera,cable,bump,light,power, or all."
        ),
    ] = "",
    firmware: Annotated[
        bool,
        typer.Option("--firmware/--twin", help="The real firmware in its simulator, or a stand-in for it."),
    ] = True,
    pictures: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Folder for the pictures the camera takes.")
    ] = None,
    language: Language = "en",
) -> None:
    """The whole product on a simulated table: players, camera, dice, buttons and lights, refereed and recorded."""
    pace = (0.0 if headless else 1.0) if speed is None else speed
    kinds = faults_of(faults)
    chosen = secrets.randbelow(SEEDS) if seed is None else seed
    began = EPOCH if seed is not None else datetime.datetime.now(datetime.UTC)
    plan = Plan(
        games,
        length,
        load_profile(profile),
        chosen,
        cheat,
        FAST_FPS if pace == 0 else LIVE_FPS,
        firmware=firmware,
    )
    settings_of(plan)
    catalogue(language)
    album = None if pictures is None else _Album(pictures)
    sys.stderr.write(f"Seed {chosen}. Painting a board and calibrating ...\n")
    with microcontroller(chosen, firmware=firmware) as chip:
        real = isinstance(chip, Chip)
    sys.stderr.write(f"Electronics: {FIRMWARE_RUNS if real else STAND_IN}\n")
    evening = Evening(plan, prepare(chosen), clock=VirtualClock(began))
    trouble = Trouble(kinds, np.random.default_rng((chosen, len(kinds))))
    screen = None if headless else DemoScreen(language, NAMES)
    number = 0
    while evening.played < games:
        target = free_folder(out, number + 1)
        pacer = _Pacer(pace)

        def attend(show: Show, pacer: _Pacer = pacer) -> None:
            trouble.attend(show)
            if screen is not None:
                screen.attend(show)
            if album is not None:
                album.keep(show)
            pacer.wait(show.t)

        with ExitStack() as stack:
            if screen is not None:
                stack.enter_context(screen.live)
            delivery = stack.enter_context(Delivery(target))
            folder = stack.enter_context(evening.folder(delivery.folder))
            evening.match(number, folder, _teller(screen, language), attend)
        number += 1
        sys.stdout.write(f"\n{target}: match.mat, match.ogxm, journal.db, events.jsonl\n")
        sys.stdout.flush()
    sys.stderr.write(_summary(evening.ledger) + "\n")


def _summary(ledger: Ledger) -> str:
    """How the verdicts compare with what truly happened."""
    right, turns = ledger.count_concluded()
    noticed = [ok for _, ok in ledger.list_noticed()]
    return (
        f"{right} of {turns} turns read correctly; {sum(noticed)} of {len(noticed)} illegal plays noticed with the "
        f"right reason; {len(ledger.list_accused())} legal plays called illegal; {ledger.helped} needed help."
    )


def _teller(screen: DemoScreen | None, language: str) -> Callable[[Action], None]:
    if screen is not None:
        return screen.tell

    transcript = Transcript(language, NAMES, at_once=False)

    def tell(action: Action) -> None:
        for line in transcript.lines(action):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()

    return tell


class _Pacer:
    """Holds virtual time back to so many times real time; 0 does not."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began = time.monotonic()

    def wait(self, t: float) -> None:
        if self._speed:
            time.sleep(max(0.0, self._began + t / self._speed - time.monotonic()))


class _Album:
    """Writes every new picture of the camera into a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._kept, self._number = folder, 0, 0
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"Cannot write to {folder} ({error.strerror}); name another folder.") from error

    def keep(self, show: Show) -> None:
        looks = show.looks
        if isinstance(looks, PaintedLooks) and looks.picture is not None and looks.painted != self._kept:
            self._kept = looks.painted
            jpeg = encode_jpeg(looks.picture, WIDEST, QUALITY)
            write_out(self._folder / f"{self._number:06d}.jpg", jpeg)
            self._number += 1
