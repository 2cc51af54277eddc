"""A table to be set up whose camera always shows the same picture, and the server of its pages."""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.boardfile import save_board
from calibration.finder import Quadrant
from controller.app.fitting.keeping import settings_of
from controller.arrays import FloatArray, Picture
from controller.config import Config
from controller.devices.dice.textline import USUAL_PATTERN
from controller.messages.device_words import LocalText
from controller.referee import Phase
from controller.vision import Board, Reading
from controller.vision.board.board import load_board
from controller.web.server.application import make_inner_app
from controller.web.server.guard import Guard
from controller.web.server.site import Site
from controller.web.server.thread import WebServer
from controller.web.setup.aiming import Aiming
from controller.web.setup.set_up import (
    DiceChoice,
    DiceFound,
    FacesView,
    KeysView,
    LearnedButton,
    LightsChoice,
    MatchPlan,
    Named,
    SetUpView,
    Trial,
    TrialState,
    UpdateView,
    VoiceChoice,
)
from controller.web.table_service import Glimpse, Reply, RoomState
from tests.referee.table.scenes import SCENES
from tests.web.browsers import SETTINGS, Hall, Seated
from tests.web.served_table import TableHouse

DONE = Reply(done=True)


def said(text: str) -> LocalText:
    return lambda _: text


class StillBoard:
    """See `BoardSetUp`."""

    def __init__(self, setup: "StillSetUp") -> None:
        self._setup = setup

    def find(self, corners: FloatArray | None, light_home: Quadrant | None) -> Reply:
        return Reply(done=self._setup.aiming.find(corners, light_home))

    def end_search(self) -> Reply:
        self._setup.aiming.end()
        return DONE

    def read(self) -> tuple[Glimpse, Board, Reading] | None:
        known = None
        if self._setup.board_file.exists():
            known = load_board(self._setup.board_file.read_text(), str(self._setup.board_file))
        return self._setup.aiming.read(known)

    def confirm(self) -> Reply:
        return Reply(done=self._setup.aiming.confirm() is not None, words=None)


class StillLights:
    """See `LightsSetUp`."""

    def __init__(self, setup: "StillSetUp") -> None:
        self._setup = setup

    def try_all(self) -> Reply:
        self._setup.lit = Trial(TrialState.DONE)
        return DONE

    def choose(self, choice: LightsChoice) -> Reply:
        self._setup.lamps = choice
        return DONE

    def find(self) -> Reply:
        self._setup.search = Trial(TrialState.RUNNING, said("Lamp 3 of 29 is lit."))
        return DONE


class StillDice:
    """See `DiceSetUp`."""

    def __init__(self, setup: "StillSetUp") -> None:
        self._setup = setup

    def choose(self, choice: DiceChoice) -> Reply:
        self._setup.rolls = choice
        return DONE

    def find(self) -> Reply:
        self._setup.found = replace(self._setup.found, running=True)
        return DONE

    def end_search(self) -> Reply:
        self._setup.found = replace(self._setup.found, running=False)
        return DONE

    def try_next(self) -> Reply:
        return Reply(done=False, words=said("There are no dice."))


class StillFaces:
    """See `FacesSetUp`."""

    def __init__(self, setup: "StillSetUp") -> None:
        self._setup = setup

    def begin(self, dice: int, *, cube: bool, more: bool) -> Reply:
        face = 2 if cube else None
        asked = said(f"Lay {dice} dice with the 1 up.")
        self._setup.shown = FacesView(TrialState.RUNNING, face=face, doubted=more, words=(asked,))
        return DONE

    def confirm(self) -> Reply:
        self._setup.shown = replace(self._setup.shown, number=2, done=1, doubted=False)
        return DONE

    def end(self) -> Reply:
        self._setup.shown = FacesView(TrialState.DONE, known=True)
        return DONE

    def forget(self) -> Reply:
        self._setup.shown = FacesView(TrialState.READY)
        return DONE


class StillKeys:
    """See `KeysSetUp`."""

    def __init__(self, setup: "StillSetUp") -> None:
        self._setup = setup

    def learn(self, button: str) -> Reply:
        self._setup.learned = replace(self._setup.learned, listening=button)
        return DONE

    def end(self) -> Reply:
        self._setup.learned = replace(self._setup.learned, listening="")
        return DONE

    def forget(self, button: str) -> Reply:
        kept = [
            LearnedButton(button) if each.button == button else each for each in self._setup.learned.buttons
        ]
        self._setup.learned = replace(self._setup.learned, buttons=tuple(kept))
        return DONE

    def grab(self, grab: bool) -> Reply:
        self._setup.learned = replace(self._setup.learned, grab=grab)
        return DONE


class StillSetUp:
    """A `SetUp` without a room: one picture, a folder for the board file, and nothing that could light or roll."""

    def __init__(
        self, picture: Picture | None, folder: Path, read: Callable[..., Reading] | None = None
    ) -> None:
        self.picture = picture
        self.folder = folder
        self.camera, self.port = "auto", "none"
        self.match = MatchPlan()
        self.voice = VoiceChoice()
        self.found = DiceFound()
        self.learned = KeysView(tuple(LearnedButton(name) for name in ("done", "roll")))
        self.updates = UpdateView()
        self.settings: dict[str, dict[str, Any]] = {
            name: dict(of) for name, of in settings_of(Config()).items()
        }
        self.lamps, self.search = LightsChoice(), Trial(TrialState.READY)
        self.firmware = Trial(TrialState.READY, said("Pointsman brings firmware 1.2.0."))
        self.rolls = DiceChoice("camera", "", 9600, True, USUAL_PATTERN)
        self.lit, self.rolled = Trial(TrialState.READY), Trial(TrialState.ABSENT)
        self.board, self.lights = StillBoard(self), StillLights(self)
        self.dice, self.keys = StillDice(self), StillKeys(self)
        self.faces, self.shown = StillFaces(self), FacesView(TrialState.READY)
        self.started: list[MatchPlan] = []
        self.playing = False
        self.began = time.monotonic()
        more: dict[str, Any] = {} if read is None else {"read": read}
        self.aiming = Aiming(self.glimpse, lambda board: save_board(board, self.board_file), **more)

    @property
    def board_file(self) -> Path:
        return self.folder / "board.toml"

    def glimpse(self) -> Glimpse | None:
        if self.picture is None:
            return None
        number = int((time.monotonic() - self.began) * 2)
        return Glimpse(self.picture, number, float(number), None, 0.2)

    def view(self) -> SetUpView:
        ready = self.picture is not None
        return SetUpView(
            "4",
            (Named("auto"), Named("/dev/v4l/by-id/usb-0-video-index0", "HD Pro Webcam C920")),
            self.camera,
            ready,
            said("The camera gives pictures." if ready else "No camera is plugged in."),
            (Named("none"), Named("auto")),
            self.port,
            False,
            None,
            self.board_file.exists(),
            self.aiming.view(),
            self.lit,
            self.rolled,
            self.match,
            (
                Named("standard-match", "Match play", "backgammon"),
                Named("standard-money", "Money play", "backgammon"),
                Named("plakoto", "Plakoto", "plakoto"),
                Named("portes", "Portes", "portes"),
            ),
            self.rolls,
            ("/dev/serial/by-id/usb-dice",),
            dice_found=self.found,
            faces=self.shown,
            keys=self.learned,
            voice=self.voice,
            updates=self.updates,
            settings=self.settings,
            lights_choice=self.lamps,
            lamp_search=self.search,
            firmware=self.firmware,
            playing=self.playing,
        )

    def choose_camera(self, key: str) -> Reply:
        self.camera = key
        return DONE

    def choose_port(self, key: str) -> Reply:
        self.port = key
        return DONE

    def write_firmware(self) -> Reply:
        self.firmware = Trial(TrialState.RUNNING, said("Writing the firmware: 40 %"))
        return DONE

    def choose_settings(self, values: Mapping[str, Mapping[str, Any]]) -> Reply:
        self.settings = {**self.settings, **{section: dict(chosen) for section, chosen in values.items()}}
        return Reply(True)

    def ask_update(self, what: str) -> Reply:
        self.updates = UpdateView(TrialState.RUNNING, words=said(what))
        return Reply(True)

    def choose_voice(self, choice: VoiceChoice) -> Reply:
        self.voice = choice
        return DONE

    def plan_match(self, plan: MatchPlan) -> Reply:
        self.match = plan
        return DONE

    def start(self) -> Reply:
        if not self.board_file.exists():
            return Reply(done=False, words=said("There is no board yet."))
        self.started.append(self.match)
        return DONE


class SetUpHall(Hall):
    """A server that runs for a table that is to be set up."""

    def __init__(self, setup: StillSetUp, state: RoomState = RoomState.NO_BOARD) -> None:
        self.house = TableHouse(SCENES[Phase.TO_ROLL](), state)
        self.site = Site(self.house, SETTINGS)
        app = Guard(make_inner_app(self.site, setup), frozenset({"localhost"}))
        self.server = WebServer(Seated(app), SETTINGS)
        self._browsers = []


def picture_of(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), np.uint8)
