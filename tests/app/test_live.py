"""A whole table at work: a scripted camera, the simulated board behind a line, and the program between them."""

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

from controller.app.live import LiveTable
from controller.app.room import Room
from controller.arrays import Picture
from controller.config import Config
from controller.config.sections import BoardSection, DiceAt, DiceSection, MatchSection
from controller.devices.camera.camera import Frame, Wish
from controller.devices.camera.status import CameraCode, CameraStatus
from controller.devices.link.happenings import Button
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import EVENTS, JOURNAL, MAT, NAME, OGXM
from controller.referee.actions import Phase
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position
from controller.vision.board.board import Board as SeenBoard
from controller.vision.reading import Reading
from tests.app.opened import standing
from tests.firmware.board import Board
from tests.referee.staging import Film
from tests.striped import BOARD, number_in, picture_of
from tests.threads import no_thread_left

FPS = 15.0
SETTLED_S = 120.0


class Scene:
    """What a camera would see: the test lays the checkers."""

    def __init__(self) -> None:
        self.positions = [START]
        self.tell: Callable[[CameraStatus], None] = lambda _: None
        self.status = CameraStatus(CameraCode.OK, "scripted", {"size": "160x128"})
        self.wishes: list[Wish] = []
        self._number = 0
        self._film = Film(Random(1))

    def lay(self, position: Position) -> int:
        """Lay the checkers so; which picture is the last that may show them as they lay before."""
        self.positions.append(position)
        return self._number

    def open(self, wish: Wish, tell: Callable[[CameraStatus], None]) -> "Scene":
        self.wishes.append(wish)
        self.tell, self.status = tell, CameraStatus(CameraCode.OK, "scripted", {"size": "160x128"})
        return self

    def unplug(self) -> None:
        self.status = CameraStatus(CameraCode.LOST, "scripted")
        self.tell(self.status)

    def plug(self) -> None:
        self.status = CameraStatus(CameraCode.OK, "scripted", {"size": "160x128"})
        self.tell(self.status)

    def read(self, timeout_s: float) -> Frame | None:
        time.sleep(min(timeout_s, 1 / FPS))
        if self.status.code != "ok":
            return None
        self._number += 1
        return Frame(self._number, time.monotonic(), picture_of(len(self.positions)))

    def close(self) -> None:
        self.status = CameraStatus(CameraCode.CLOSED, "scripted")

    def reading(self, picture: Picture, _: SeenBoard) -> Reading:
        return self._film.read(self.positions[number_in(picture) - 1])


class Running:
    """A table at work in a thread."""

    def __init__(self, config: Config, scene: Scene) -> None:
        self.text: list[str] = []
        self.room: Room
        self.table: LiveTable
        self._config, self._scene = config, scene
        self._stop, self._open = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._work)

    def _work(self) -> None:
        scene = self._scene
        self.room = Room(self._config, BOARD, self.text.append, open_camera=scene.open, read=scene.reading)
        self.table = self.room.open_match()
        self._open.set()
        self.room.run(self._stop)

    def __enter__(self) -> "Running":
        self._thread.start()
        assert self._open.wait(SETTLED_S)
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def until(self, what: Callable[[], bool]) -> None:
        """Wait for something to come true."""
        end = time.monotonic() + SETTLED_S
        while not what():
            assert time.monotonic() < end, "".join(self.text)
            time.sleep(0.01)

    def until_phase(self, phase: Phase) -> None:
        self.until(lambda: self.table.state.phase is phase)

    def until_told(self, words: str) -> None:
        self.until(lambda: words in "".join(self.text))


def config_for(folder: Path, port: str) -> Config:
    return Config(
        folder=folder,
        match=MatchSection(light="Anna", dark="Béla"),
        dice=DiceSection(source=DiceAt.BOARD),
        board=BoardSection(port=port),
    )


def press_until(running: Running, board: Board, button: Button, come_true: Callable[[], bool]) -> None:
    """Press a button, again if what it should bring about does not come true within a while."""
    last = time.monotonic() + SETTLED_S
    while time.monotonic() < last:
        board.press(button)
        again = time.monotonic() + 2.0
        while time.monotonic() < again:
            if come_true():
                return
            time.sleep(0.01)
    raise AssertionError("".join(running.text))


def test_a_turn_is_played_at_the_board_and_the_match_goes_on_after_a_stop(tmp_path: Path) -> None:
    scene = Scene()
    with no_thread_left("pointsman"), Board(tmp_path) as board:
        config = config_for(tmp_path, board.port)
        with Running(config, scene) as running:
            running.until_phase(Phase.OPENING_ROLL)
            press_until(running, board, Button.ROLL, lambda: running.table.state.phase is Phase.MOVING)
            thrown = running.table.state.thrown
            assert thrown is not None
            play = legal_plays(START, thrown.side, thrown.roll)[0]
            scene.lay(play.after)
            time.sleep(1.0)
            press_until(running, board, Button.DONE, lambda: running.table.state.phase is Phase.TO_ROLL)
            running.until(lambda: running.table.state.position == play.after)
            board.kill()
            running.until_told("Electronics lost.")
            board.start()
            running.until_told("Electronics back.")
            scene.unplug()
            running.until_told("Camera lost.")
            scene.plug()
            running.until_told("Camera back.")
        before = running.table.state
        folder = running.table.path
        assert sorted(path.name for path in folder.iterdir() if not path.name.endswith(("-wal", "-shm"))) == [
            EVENTS,
            JOURNAL,
            "journal.evidence.db",
            "journal.head",
            MAT,
            OGXM,
        ]
        with Running(config, scene) as again:
            assert again.table.path == folder
            again.until_phase(before.phase)
            assert standing(again.table.state)[:6] == standing(before)[:6]
            again.until_told("continues")
    with Journal(folder / JOURNAL, read_only=True) as journal:
        record = read_match(journal, NAME)
    (game,) = record.games
    (turn,) = game.turns
    assert (turn.after, turn.roll, turn.legal) == (play.after, thrown.roll, True)


def test_a_power_cut_of_the_board_is_a_notice_for_the_director_and_a_refused_limit_leaves_the_lights_dark(
    tmp_path: Path,
) -> None:
    scene = Scene()
    with Board(tmp_path) as board, Running(config_for(tmp_path, board.port), scene) as running:
        running.until_phase(Phase.OPENING_ROLL)
        board.do("power")
        running.until_told("The electronics were without power.")
        running.until(lambda: len(running.room.view().notices) == 1)
        (notice,) = running.room.view().notices
        assert notice.words("en").startswith("The electronics were without power.")
        electronics = running.room.electronics
        electronics.adjust = lambda kept: replace(kept, limit_ma=50)
        assert electronics.link is not None
        electronics.link.settle()
        running.until_told("so their lights stay dark")
        (lights,) = (each for each in running.room.view().devices if each.name == "lights")
        assert not lights.ready
        running.until(
            lambda: any(board.do("leds")[28 * 6 :].strip("0"))
        )  # the safe pattern: the status lamp alone
        assert not board.do("leds")[: 28 * 6].strip("0")
        electronics.adjust = lambda kept: kept
        electronics.link.settle()
        running.until(lambda: "lights" not in {each.name for each in running.room.view().devices})
