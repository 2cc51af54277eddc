"""``pointsman demo``."""

import datetime
import json
import os
import secrets
import sys
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Final

import numpy as np
import typer

from controller.app.pages import open_pages, page_addresses
from controller.cli.options import STANDARD_NAME, Language, LogLevelGiven
from controller.cli.output import put, write_out
from controller.demo.faults import Trouble, faults_of
from controller.demo.floor import Manner
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
)
from controller.demo.sitting import USUAL_PORT, SimulatedRoom, Sitting, faults_at_pages
from controller.devices.film import TIMES
from controller.devices.pictures import encode_jpeg
from controller.errors import UserError
from controller.logs.level import LogLevel
from controller.logs.log import begin_log
from controller.messages.catalogue import catalogue
from controller.messages.device_words import LocalText
from controller.record.journal.delivery import make_folder
from controller.record.table.sequence import discard_if_blank
from controller.referee import Action
from controller.rules import MovementRules, Side, load_profile
from controller.signals import on_signals
from controller.simulation.electronics.chip import Chip

LIVE_FPS, FAST_FPS = 15.0, 5.0
ROLLS: Final = "dice.jsonl"
"""The file beside the pictures that holds the rolls, as `replay --dice` reads them."""
TOUR_SPEED: Final = 2.0
"""How many times as fast as people the players move while somebody is shown round."""
WIDEST, QUALITY = 1280, 90
TOUR_SEED: Final = 5
"""The evening that people are shown round at: its board is calibrated from the first pictures that are painted."""
SEEDS: Final = 10**6
SHOWN_SOON: Final = 1
"""From this turn on, counted from 0, somebody cheats for the first time: it is soon seen how that is caught."""
WRITTEN: Final = ("match.mat", "match.ogxm", "match.json", "journal.db", "events.jsonl")
"""What a match leaves behind, as far as its game can be written so."""
FIRMWARE_RUNS: Final = "the real firmware, in its simulator."
STAND_IN: Final = (
    "a program that stands in for the firmware (make firmware builds the real one and its simulator)."
)


class Seats(StrEnum):
    """Which sides somebody at the pages plays."""

    LIGHT = "light"
    DARK = "dark"
    BOTH = "both"


def demo(
    context: typer.Context,
    headless: Annotated[
        bool, typer.Option("--headless", help="Only print the transcript, then end.")
    ] = False,
    web: Annotated[
        bool,
        typer.Option(
            "--web",
            help="Show the pages of the table in the browser; the first line is their address, Ctrl-C ends it.",
        ),
    ] = False,
    games: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", min=1, help="How many games in all.", show_default="1; with --web no end"
        ),
    ] = None,
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
    profile: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Rule profile: a name that `pointsman profiles` lists, or a file. Several with commas between "
            "take turns in a series: portes,plakoto,fevga is tavli.",
        ),
    ] = STANDARD_NAME,
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
    port: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=0,
            max=65535,
            help="With --web: the port of the pages; 0 takes any that is free.",
            show_default=str(USUAL_PORT),
        ),
    ] = None,
    play: Annotated[
        Seats | None,
        typer.Option(
            help="With --web: you play this side at the page, with rolls and plays in words; hands do as you say."
        ),
    ] = None,
    answers: Annotated[
        float | None,
        typer.Option(
            metavar="SHARE",
            min=0,
            max=1,
            help="With --web: the share of doubles, resignations and illegal plays that the players settle "
            "themselves; the others wait for you at the page.",
            show_default="1",
        ),
    ] = None,
    tour: Annotated[
        bool,
        typer.Option(
            "--tour",
            help="As --web, and you are shown round: you put an illegal play right, answer a double, and cheat. "
            "Without any option it is the same, where a browser can be opened.",
        ),
    ] = False,
    set_up: Annotated[
        bool,
        typer.Option("--set-up", help="With --web: the board is not known yet; the set-up page finds it."),
    ] = False,
    language: Language = "en",
    log_level: LogLevelGiven = None,
) -> None:
    """The whole product on a simulated table: players, camera, dice, buttons and lights, refereed and recorded."""
    alone = not any(_given(context))
    tour = tour or (alone and has_display())
    web = web or tour
    _check_options(
        web,
        speed,
        {"--headless": headless, "--pictures": pictures},
        {"--port": port, "--play": play, "--answers": answers, "--set-up": set_up},
    )
    if tour:
        rules = None if profile == STANDARD_NAME else profile
        _check_tour({"--play": play, "--answers": answers, "--set-up": set_up or None, "--profile": rules})
    pace = (0.0 if headless else TOUR_SPEED if tour else 1.0) if speed is None else speed
    kinds = faults_at_pages(faults) if web else faults_of(faults)
    drawn = TOUR_SEED if tour else secrets.randbelow(SEEDS)
    chosen = drawn if seed is None else seed
    began = EPOCH if seed is not None else datetime.datetime.now(datetime.UTC)
    names = tuple(name.strip() for name in profile.split(","))
    first, *others = (load_profile(name) for name in names)
    plan = Plan(
        games or 1,
        length,
        first,
        chosen,
        cheat,
        FAST_FPS if pace == 0 else LIVE_FPS,
        firmware=firmware,
        others=tuple(others),
        first_cheat=SHOWN_SOON if cheat else None,
    )
    plan.settings()
    catalogue(language)
    context.with_resource(begin_log(log_level or LogLevel.INFO, out)).begin()
    album = None if pictures is None else Album(pictures)
    sys.stderr.write(f"Seed {chosen}. Painting a board and calibrating ...\n")
    with microcontroller(chosen, firmware=firmware) as chip:
        real = isinstance(chip, Chip)
    sys.stderr.write(f"Electronics: {FIRMWARE_RUNS if real else STAND_IN}\n")
    prepared = prepare(chosen)
    if web:
        sitting = Sitting(
            chosen,
            out,
            length,
            profiles=names,
            language=language,
            speed=pace,
            cheats=cheat,
            settles=1.0 if answers is None else answers,
            manners=_manners(play),
            faults=kinds,
            games=games,
            firmware=firmware,
            knows_board=not set_up,
            # A browser that opens by itself finds the pages at any port.
            port=(0 if alone else USUAL_PORT) if port is None else port,
            tour=tour,
        )
        _show_pages(SimulatedRoom(sitting, prepared, _say), opens=alone)
        return
    evening = Evening(plan, prepared, clock=VirtualClock(began))
    trouble = Trouble(kinds, np.random.default_rng((chosen, len(kinds))))
    games_in_turn = [profile.movement for profile in (plan.profile, *plan.others)]
    screen = None if headless else DemoScreen(language, NAMES, games_in_turn)

    def warn(words: LocalText) -> None:
        sys.stderr.write(f"{words(language)}\n")
        sys.stderr.flush()

    number, stop = 0, threading.Event()
    while evening.played < plan.games and not stop.is_set():
        target = free_folder(out, number + 1)
        if number == 0:
            _make_first_folder(target)
        pacer = _Pacer(pace)

        def attend(show: Show, pacer: _Pacer = pacer) -> None:
            trouble.attend(show)
            if screen is not None:
                screen.attend(show)
            if album is not None:
                album.keep(show)
            pacer.wait(show.t)
            if stop.is_set():
                raise _StoppedError

        with ExitStack() as stack:
            if screen is not None:
                stack.enter_context(screen.live)
            folder = stack.enter_context(evening.folder(target, warn))
            stack.enter_context(on_signals(stop.set))
            with suppress(_StoppedError):  # what was played so far is kept, as at any table
                evening.match(number, folder, _teller(screen, language, games_in_turn), attend)
        number += 1
        # What the disk holds in part is no blank match, and where the whole is has been said.
        if folder.complete and not discard_if_blank(target):
            written = ", ".join(name for name in WRITTEN if (target / name).exists())
            sys.stdout.write(f"\n{target}: {written}\n")
            sys.stdout.flush()
    if stop.is_set():
        raise KeyboardInterrupt
    sys.stderr.write(f"{_summary(evening.ledger)}\n\n{_what_next()}\n")


def _what_next() -> str:
    """What somebody may try who has seen the demo, as two lines."""
    called = Path(sys.argv[0])
    program = str(called) if called.name == "pointsman" and not called.is_absolute() else "pointsman"
    return (
        f"Play at such a table yourself, in the browser: {program} demo --web --play light\n"
        f"Have your own board refereed by a camera: {program} run (hardware_docs/installation.md)"
    )


class _StoppedError(Exception):
    """Somebody has ended the demo; between two pictures, so that nothing is half written."""


def _make_first_folder(path: Path) -> None:
    """Make the folder of the first match before anybody plays. Raises UserError where that cannot be."""
    try:
        make_folder(path)
    except OSError as error:
        raise UserError(
            f"Cannot write to {path} ({error.strerror}); name another folder for the matches with --out."
        ) from error


def _check_options(
    web: bool, speed: float | None, without: Mapping[str, object], only: Mapping[str, object]
) -> None:
    """Raise UserError for options that go ``only`` with the pages, or ``without`` them."""
    for option, given in (without if web else only).items():
        if given is not None and given is not False:
            remedy = "leave one of them out" if web else "give --web too"
            raise UserError(f"{option} goes {'not' if web else 'only'} with --web; {remedy}.")
    if web and speed == 0:
        raise UserError(
            "--speed 0 goes not with --web: camera and electronics run in real time; give 1 or more."
        )


def _check_tour(without: Mapping[str, object]) -> None:
    """Raise UserError for an option that goes not with being shown round."""
    for option, given in without.items():
        if given is not None:
            raise UserError(f"{option} goes not with --tour; leave one of them out.")


def _manners(play: Seats | None) -> dict[Side, Manner]:
    """What the hands of the sides do that somebody at the pages plays."""
    return {side: Manner.FOLLOWS for side in Side if play in (Seats.BOTH, Seats(str(side)))}


def _given(context: typer.Context) -> Iterator[str]:
    """The options that somebody has written."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            yield name


def has_display() -> bool:
    """Whether a browser has somewhere to open a window."""
    if sys.platform in ("darwin", "win32"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


def _show_pages(simulated: SimulatedRoom, *, opens: bool) -> None:
    """Play in real time, with the pages at an address that is printed first, until Ctrl-C.

    ``opens`` a browser with them.
    """
    stop = threading.Event()

    def leave() -> None:
        stop.set()
        simulated.room.inbox.wake()

    with on_signals(leave), ExitStack() as stack:
        stack.callback(simulated.close)
        section = simulated.room.config.web
        server = stack.enter_context(open_pages(simulated.room, section))
        address = page_addresses(server.port, section)[0]
        put(address)
        if opens:
            # A browser that starts with the window may keep whoever opens it waiting.
            threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
        simulated.run(stop)
    sys.stderr.write(f"{_summary(simulated.table.ledger)}\n\n{_what_next()}\n")


def _say(text: str) -> None:
    put(text.removesuffix("\n"))


def _summary(ledger: Ledger) -> str:
    """How the verdicts compare with what truly happened."""
    right, turns = ledger.count_concluded()
    noticed = [ok for _, ok in ledger.list_noticed()]
    return (
        f"{right} of {turns} turns read correctly; {sum(noticed)} of {len(noticed)} illegal plays noticed with the "
        f"right reason; {len(ledger.list_accused())} legal plays called illegal; {ledger.helped} needed help."
    )


def _teller(
    screen: DemoScreen | None, language: str, games: Sequence[MovementRules]
) -> Callable[[Action], None]:
    if screen is not None:
        return screen.on_action

    transcript = Transcript(language, NAMES, at_once=False, games=games)

    def tell(action: Action) -> None:
        for line in transcript.lines(action):
            sys.stdout.write(line + "\n")
        sys.stdout.flush()

    return tell


class _Pacer:
    """Holds virtual time back to ``speed`` times real time; 0 does not."""

    def __init__(self, speed: float) -> None:
        self._speed = speed
        self._began = time.monotonic()

    def wait(self, t: float) -> None:
        if self._speed:
            time.sleep(max(0.0, self._began + t / self._speed - time.monotonic()))


class Album:
    """Writes every new picture of the camera into a folder, with its time, and the rolls: a film for `replay`."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._kept, self._number = folder, 0, 0
        self._times, self._rolls = list[str](), list[str]()
        self._thrown: float | None = None
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(f"Cannot write to {folder} ({error.strerror}); name another folder.") from error

    def keep(self, show: Show) -> None:
        """Keep the picture that was painted last and the roll being played, each once. Raises UserError."""
        looks = show.looks
        if isinstance(looks, PaintedLooks) and looks.picture is not None and looks.painted != self._kept:
            self._kept = looks.painted
            jpeg = encode_jpeg(looks.picture, WIDEST, QUALITY)
            name = f"{self._number:06d}.jpg"
            write_out(self._folder / name, jpeg)
            self._times.append(json.dumps({"file": name, "t": round(show.t, 3)}) + "\n")
            write_out(self._folder / TIMES, "".join(self._times).encode())
            self._number += 1
        thrown = show.desk.table.thrown
        if thrown is not None and thrown.t != self._thrown:
            self._thrown = thrown.t
            self._rolls.append(json.dumps({"t": round(thrown.t, 3), "dice": thrown.dice}) + "\n")
            write_out(self._folder / ROLLS, "".join(self._rolls).encode())
