"""A sitting: a real room around a simulated table, match after match in real time."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.app.room import Room
from controller.config import Config
from controller.config.sections import (
    BoardSection,
    ClockKind,
    ClockSection,
    DiceAt,
    DiceSection,
    MatchSection,
    RecordSection,
    TableSection,
    WebSection,
)
from controller.demo.faults import FaultError, Mishap, faults_of
from controller.demo.floor import Manner
from controller.demo.hands import HandsLent
from controller.demo.preparing import Prepared
from controller.demo.show import NAMES, microcontroller
from controller.demo.simulated import SimulatedTable
from controller.demo.tour import PLAIN, Tour
from controller.errors import UserError
from controller.rules import Form, Side
from controller.simulation.players.temperament import TEMPERAMENTS
from controller.vision import read_board
from controller.vision.watch import Read
from controller.web.table_service import RoomView

USUAL_PORT: Final = WebSection().port
RESERVE_S: Final = 3600.0
"""Long enough that no flag falls while somebody looks round."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """What is to be played, and by whom.

    Attributes:
        seed: board, players and luck follow from it.
        out: the folder for the matches, each with a folder of its own.
        length: points of a match; 0 for a money session.
        profiles: the rules: names, or files; several take turns in a series.
        language: of the texts.
        speed: how many times as fast as people the players move.
        cheats: illegal plays in a game, on average.
        settles: see `Floor`.
        manners: what the hands of the sides do that do not play by themselves.
        faults: what goes wrong; the power never does.
        games: after how many games no match is begun; None for no end.
        firmware: whether the real firmware runs in the electronics.
        knows_board: whether the board is known; else somebody has it found.
        port: of the pages, where they are shown; 0 for any that is free.
        tour: whether somebody at the page is shown round first.
    """

    seed: int
    out: Path
    length: int = 5
    profiles: tuple[str, ...] = ("standard-match",)
    language: str = "en"
    speed: float = 1.0
    cheats: float = 0.0
    settles: float = 1.0
    manners: dict[Side, Manner] = field(default_factory=dict)
    faults: tuple[Mishap, ...] = ()
    games: int | None = None
    firmware: bool = True
    knows_board: bool = True
    port: int = USUAL_PORT
    tour: bool = False

    def config(self, port: str) -> Config:
        """How the table is configured, its electronics at ``port``."""
        profiles = tuple(
            str(Path(name).resolve()) if Path(name).suffix == ".toml" else name for name in self.profiles
        )
        single = Form.MATCH if self.length else Form.MONEY
        return Config(
            folder=self.out,
            match=MatchSection(
                light=NAMES[Side.LIGHT],
                dark=NAMES[Side.DARK],
                form=Form.SERIES if len(profiles) > 1 else single,
                length=max(1, self.length),
                profile=profiles,
            ),
            table=TableSection(languages=(self.language,)),
            clock=ClockSection(kind=ClockKind.SIMPLE, reserve_s=RESERVE_S),
            dice=DiceSection(source=DiceAt.BOARD),
            board=BoardSection(port=port),
            record=RecordSection(folder="."),
            web=WebSection(port=self.port),
        )


class SimulatedRoom:
    """A room whose table, camera and electronics are simulated.

    Attributes:
        table: the table with its people.
        room: the real room around it, a `TableService`.
    """

    def __init__(
        self,
        sitting: Sitting,
        prepared: Prepared,
        write: Callable[[str], object],
        read: Read = read_board,
    ) -> None:
        """Nothing is started yet.

        Args:
            sitting: what is to be played.
            prepared: the board, the camera over it, and what was learnt of it.
            write: takes what people are to read, with line ends.
            read: reads a picture.

        Raises:
            UserError: for rules that cannot be played, or a folder that cannot be made.
        """
        painter = prepared.painter
        terms = sitting.config("none").settings().terms
        try:
            sitting.out.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UserError(
                f"Cannot write to {sitting.out} ({error.strerror}); name another folder."
            ) from error
        self._knows_board = sitting.knows_board
        self.table = SimulatedTable(
            prepared.setting,
            lambda scene, rng: painter.paint(scene, rng).picture,
            microcontroller(sitting.seed, firmware=sitting.firmware),
            sitting.seed,
            terms=terms,
            speed=sitting.speed,
            cheats=0.0 if sitting.tour else sitting.cheats,
            settles=sitting.settles,
            manners=sitting.manners,
            faults=sitting.faults,
            games=sitting.games,
            temperaments=(PLAIN, PLAIN) if sitting.tour else TEMPERAMENTS,
        )
        self.room = Room(
            sitting.config(self.table.cable.port),
            prepared.board if sitting.knows_board else None,
            write,
            open_camera=self.table.open_camera,
            read=read,
        )
        demo = Tour(self.table, NAMES, sitting.cheats) if sitting.tour else HandsLent(self.table)

        def attend(view: RoomView) -> None:
            if demo.attend(view):
                self.room.news.show_anew()

        self.room.demo, self.table.attend = demo, attend

    def run(self, stop: threading.Event) -> None:
        """Play until ``stop`` is set; whoever sets it calls `Inbox.wake` of the room too. Everything is let go of."""
        try:
            if self._knows_board:
                self.room.open_match(new=True)
            self.table.start(self.room)
            self.room.run(stop, stays=True)
        finally:
            self.close()

    def close(self) -> None:
        """Let go of everything; calling it again does nothing."""
        self.room.close()
        self.table.close()


def faults_at_pages(text: str) -> tuple[Mishap, ...]:
    """The faults that a list names, as `faults_of`; without the power, which the pages themselves hang on.

    Raises:
        FaultError: for a fault that there is not, or the power by its name.
    """
    faults = faults_of(text)
    if text != "all" and Mishap.POWER in faults:
        raise FaultError(
            "With --web the power cannot fail: the pages would be gone with it; name other faults."
        )
    return tuple(fault for fault in faults if fault is not Mishap.POWER)
