"""A table to be set up whose camera always shows the same picture, and its pages on a port of this machine."""

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Literal

import cv2
import numpy as np
import uvicorn
from fastapi import FastAPI, Request, Response
from fastapi.staticfiles import StaticFiles
from jinja2 import ChoiceLoader, DictLoader, Environment, FileSystemLoader

import controller.web
from calibration.boardfile import save_board
from calibration.finder import Quadrant
from controller.arrays import FloatArray, Picture
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.messages.device_words import Words
from controller.record.journal.journal import Json
from controller.vision import Board, Reading
from controller.vision.board import load_board
from controller.web.house import Glimpse, Hear, House, MatchShown, News, Reply, RoomState, RoomView
from controller.web.setup.aiming import Aiming
from controller.web.setup.routes import mount_setup
from controller.web.setup.set_up import MatchPlan, Named, SetUpView, Trial, TrialState

WEB = Path(controller.web.__file__).parent
BASE = (
    '<!doctype html><html lang="{{ language }}"><head><meta charset="utf-8">'
    '<meta name="viewport" content="width=device-width, initial-scale=1"><title>{{ title }}</title>'
    '<link rel="icon" href="data:,"><link rel="stylesheet" href="/static/tokens.css">'
    "{% block styles %}{% endblock %}</head><body>{% block content %}{% endblock %}"
    '<script type="application/json" id="page">{{ {"words": words, "language": language, "snapshot": snapshot,'
    ' "token": None}|tojson }}</script>{% block script %}{% endblock %}</body></html>'
)
"""What the pages need of the frame around them, where it is not there."""
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
DONE = Reply(done=True)


def said(text: str) -> Words:
    return lambda _: text


class StillSetUp:
    """A `SetUp` without a room: one picture, a folder for the board file, and nothing that could light or roll."""

    def __init__(
        self, picture: Picture | None, folder: Path, read: Callable[..., Reading] | None = None
    ) -> None:
        self.picture = picture
        self.folder = folder
        self.camera, self.port = "auto", "none"
        self.match = MatchPlan()
        self.lights, self.dice = Trial(TrialState.READY), Trial(TrialState.ABSENT)
        self.started: list[MatchPlan] = []
        self.playing = False
        self.began = time.monotonic()
        more = {} if read is None else {"read": read}
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
            self.lights,
            self.dice,
            self.match,
            (Named("standard-match", "Match play"), Named("standard-money", "Money play")),
            self.playing,
        )

    def choose_camera(self, key: str) -> Reply:
        self.camera = key
        return DONE

    def choose_port(self, key: str) -> Reply:
        self.port = key
        return DONE

    def find(self, corners: FloatArray | None, light_home: Quadrant | None) -> Reply:
        return Reply(done=self.aiming.find(corners, light_home))

    def end_search(self) -> Reply:
        self.aiming.end()
        return DONE

    def read(self) -> tuple[Glimpse, Board, Reading] | None:
        known = None
        if self.board_file.exists():
            known = load_board(self.board_file.read_text(), str(self.board_file))
        return self.aiming.read(known)

    def confirm(self) -> Reply:
        return Reply(done=self.aiming.confirm() is not None, words=None)

    def try_lights(self) -> Reply:
        self.lights = Trial(TrialState.DONE)
        return DONE

    def try_dice(self) -> Reply:
        return Reply(done=False, words=said("There are no dice."))

    def plan_match(self, plan: MatchPlan) -> Reply:
        self.match = plan
        return DONE

    def start(self) -> Reply:
        if not self.board_file.exists():
            return Reply(done=False, words=said("There is no board yet."))
        self.started.append(self.match)
        return DONE


class QuietHouse:
    """A `House` in which nothing happens unless a test says so."""

    def __init__(self, view: RoomView | None = None) -> None:
        self.now = view or RoomView(RoomState.NO_BOARD)
        self.listeners: list[Hear] = []

    def view(self) -> RoomView:
        return self.now

    def hear(self, hear: Hear) -> None:
        self.listeners.append(hear)

    def tell(self, news: News) -> None:
        for hear in self.listeners:
            hear(news)

    def ask(self, saying: Mapping[str, Json], by: str, command: str = "") -> "Future[Reply]":
        raise NotImplementedError((saying, by, command))

    def glimpse(self) -> Glimpse | None:
        return None


def make_app(setup: StillSetUp, house: House, admit: Callable[..., object] = lambda: None) -> FastAPI:
    """An application with the set-up page and "what I see" and no other."""
    app = FastAPI()
    pages = Environment(
        loader=ChoiceLoader([FileSystemLoader(WEB / "templates"), DictLoader({"base.html": BASE})]),
        autoescape=True,
    )
    app.mount("/static", StaticFiles(directory=WEB / "static"))

    def language_of(request: Request) -> str:
        wanted = request.query_params.get("lang") or request.headers.get("accept-language", "en")[:2]
        return wanted if wanted in LANGUAGES else "en"

    @app.get("/{name}")
    def page(request: Request, name: Literal["setup", "see"]) -> Response:
        language = language_of(request)
        words = texts_of(language, name)
        text = pages.get_template(f"{name}.html").render(
            words=words, language=language, title=words["title"], page=name, token=None, snapshot=None
        )
        return Response(text, media_type="text/html", headers={"Content-Security-Policy": POLICY})

    mount_setup(app, setup, house, admit=admit, language_of=language_of)
    return app


def texts_of(language: str, name: str) -> dict[str, object]:
    """All texts of a page, as they stand in the catalogue."""
    whole = catalogue(language)._at(("page", name))
    return dict(json.loads(json.dumps(whole)))


@contextmanager
def served(app: FastAPI) -> Iterator[str]:
    """The address of an application while it is served."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = uvicorn.Server(uvicorn.Config(app, port=port, log_level="warning", ws="websockets-sansio"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


def playing(house: QuietHouse, **names: str) -> None:
    """Let a match be on."""
    from controller.rules import Side

    shown = MatchShown("m", Path(), {Side.LIGHT: names["light"], Side.DARK: names["dark"]}, table="7")
    house.now = replace(house.now, state=RoomState.PLAYING, match=shown)


def picture_of(path: Path) -> Picture:
    return np.asarray(cv2.imread(str(path)), np.uint8)
