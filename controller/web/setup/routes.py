"""What stands behind the pages `/setup` and `/see`: for the director, or whoever sits at the table itself."""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

import cv2
import numpy as np
from fastapi import APIRouter, Depends, FastAPI, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field, FiniteFloat

from calibration.aim import flatten_board
from calibration.face_lesson import MOST_DICE
from controller.arrays import Picture
from controller.devices.pictures import encode_jpeg
from controller.record.journal.journal import Json
from controller.web.setup.minute import Minute
from controller.web.setup.set_up import DiceChoice, LightsChoice, MatchPlan, SetUp, VoiceChoice
from controller.web.setup.sight import sight_of
from controller.web.setup.wording import reading_words, setup_state
from controller.web.table_service import News, Reply, TableService
from controller.web.wire.download import kept_as

WIDEST: Final = 1280
"""Pictures go to pages this wide at most."""
QUALITY: Final = 72
NEVER_KEPT: Final = {"Cache-Control": "no-store"}
NOTHING_NEW: Final = 204

Spot = Annotated[list[FiniteFloat], Field(min_length=2, max_length=2)]
ShortText = Annotated[str, Field(max_length=200)]
Home = Literal["bottom-right", "bottom-left", "top-right", "top-left"]
Admit = Callable[..., Any]
"""A dependency of FastAPI that raises `HTTPException` for everybody but the director."""
LanguageOf = Callable[[Request], str]
"""The language of whoever asks."""


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Chosen(_Body):
    """A camera or port by its key."""

    key: Annotated[str, Field(min_length=1, max_length=300)]


DiceSet = Annotated[list[Annotated[str, Field(min_length=1, max_length=60)]], Field(max_length=2)]


class ChosenDice(_Body):
    """Where the rolls come from.

    Whose the dice are is for those with Bluetooth, the rest is for a unit that writes lines of text.
    """

    source: Literal["camera", "board", "text", "pins", "bluetooth"]
    port: Annotated[str, Field(max_length=200)] = ""
    baud: Annotated[int, Field(ge=50, le=4_000_000)] = 9600
    dtr: bool = True
    pattern: Annotated[str, Field(max_length=300)] = ""
    light: DiceSet = []
    dark: DiceSet = []
    shared: DiceSet = []


class ChosenLights(_Body):
    """What drives the lights; the address is that of a WLED."""

    source: Literal["board", "strip", "leds", "wled", "none"]
    address: Annotated[str, Field(max_length=200)] = "auto"


class ShownFaces(_Body):
    """How many dice are shown at once, whether the cube is, and whether this round is added to what was shown."""

    dice: Annotated[int, Field(ge=1, le=MOST_DICE)]
    cube: bool = False
    more: bool = False


class ChosenButton(_Body):
    """A button of the table."""

    button: Literal["roll", "clock_light", "clock_dark", "double", "take", "drop", "pause", "done"]


class ChosenGrab(_Body):
    """Whether the devices of learned keys are the table's alone."""

    grab: bool


class ChosenVoice(_Body):
    """What the table says aloud; without a language it is that of the messages."""

    use: bool
    sounds: bool = True
    volume: Annotated[FiniteFloat, Field(ge=0, le=1)] = 0.8
    language: Literal["", "en", "hu", "et", "sk"] = ""


class AskedUpdate(_Body):
    """To look for a newer version, to take it, or to go back to the one before."""

    what: Literal["check", "update", "back"]


class ChosenSettings(_Body):
    """Values by section and key of the configuration; null leaves a key out."""

    values: dict[
        Annotated[str, Field(max_length=20)],
        dict[
            Annotated[str, Field(max_length=40)],
            bool | int | FiniteFloat | ShortText | list[ShortText] | None,
        ],
    ]


class Wanted(_Body):
    """Where to look for the board: anywhere, or between four corners in pixels."""

    corners: Annotated[list[Spot], Field(min_length=4, max_length=4)] | None = None
    light_home: Home | None = None


class Planned(_Body):
    """The match to be played."""

    light: Annotated[str, Field(max_length=60)] = ""
    dark: Annotated[str, Field(max_length=60)] = ""
    length: Annotated[int, Field(ge=1, le=99)] | None = 7
    profile: Annotated[str, Field(max_length=200)] = ""
    consent: bool = False
    learning: bool = False
    engine: Literal["", "light", "dark"] = ""
    level: int = Field(6, ge=1, le=7)
    external: str = Field("", max_length=200)
    away: Literal["", "light", "dark"] = ""
    code: str = Field("", max_length=400)


class SetUpAnswer(BaseModel):
    """What became of a request.

    ``answer`` is ``done`` or ``refused``; ``text`` is what to say to whoever asked; ``state`` is set-up after it.
    """

    answer: Literal["done", "refused"]
    text: str
    state: dict[str, Any]


def mount_setup(
    app: FastAPI,
    setup: SetUp,
    house: TableService,
    *,
    admit: Admit,
    language_of: LanguageOf,
) -> None:
    """Give an application all that stands behind the pages of the templates ``setup.html`` and ``see.html``.

    Args:
        app: the application.
        setup: from camera to match.
        house: the table.
        admit: lets the director pass and nobody else.
        language_of: the language of whoever asks.

    """
    minute = Minute()

    def hear(news: News) -> None:
        minute.on_news(news)
        glimpse = house.glimpse()
        if glimpse is not None and glimpse.reading is not None:
            minute.see(glimpse.t_s, None if glimpse.moving else glimpse.reading)

    house.subscribe(hear)
    app.include_router(setup_router(setup, language_of), dependencies=[Depends(admit)])
    app.include_router(see_router(setup, house, minute, language_of), dependencies=[Depends(admit)])


def setup_router(setup: SetUp, language_of: LanguageOf) -> APIRouter:
    """The routes of the set-up page. Functions here run in threads, since pictures are measured in them."""
    router = APIRouter(tags=["set-up"])

    def answered(request: Request, reply: Reply) -> SetUpAnswer:
        language = language_of(request)
        text = "" if reply.words is None else reply.words(language)
        answer: Literal["done", "refused"] = "done" if reply.done else "refused"
        return SetUpAnswer(answer=answer, text=text, state=setup_state(setup.view(), language))

    @router.get("/api/v1/setup")
    def state(request: Request) -> dict[str, Any]:
        return setup_state(setup.view(), language_of(request))

    @router.get("/api/v1/setup/picture", responses=_picture_responses())
    def picture(after: Annotated[int, Query(ge=-1)] = -1) -> Response:
        """The newest picture as JPEG; 204 where it is still the one that the page has."""
        glimpse = setup.glimpse()
        if glimpse is None or glimpse.number == after:
            return Response(status_code=NOTHING_NEW, headers=NEVER_KEPT)
        return _jpeg(glimpse.picture, glimpse.number)

    @router.get("/api/v1/setup/flat", responses=_picture_responses())
    def flat() -> Response:
        """The board that was found, drawn straight; 204 where none was."""
        aiming = setup.view().aiming
        if aiming.glimpse is None or aiming.corners is None or not aiming.placed:
            return Response(status_code=NOTHING_NEW, headers=NEVER_KEPT)
        return _jpeg(flatten_board(aiming.glimpse.picture, aiming.corners), aiming.glimpse.number)

    @router.get("/api/v1/setup/snapshot.png", responses=_picture_responses("image/png"))
    def snapshot() -> Response:
        """The newest picture as it came, without loss."""
        glimpse = setup.glimpse()
        if glimpse is None:
            return Response(status_code=NOTHING_NEW, headers=NEVER_KEPT)
        _, data = cv2.imencode(".png", glimpse.picture)
        named = {**kept_as("snapshot.png"), **NEVER_KEPT}
        return Response(data.tobytes(), media_type="image/png", headers=named)

    @router.get("/api/v1/setup/seen")
    def seen(request: Request) -> dict[str, Any]:
        """What is read in the newest picture by the board that was found; null without one."""
        language, read = language_of(request), setup.board.read()
        if read is None:
            return {"seen": None, "right": False, "text": ""}
        glimpse, board, reading = read
        return {"seen": sight_of(glimpse, board, reading, language), **reading_words(reading, language)}

    @router.post("/api/v1/setup/camera")
    def choose_camera(request: Request, chosen: Chosen) -> SetUpAnswer:
        return answered(request, setup.choose_camera(chosen.key))

    @router.post("/api/v1/setup/port")
    def choose_port(request: Request, chosen: Chosen) -> SetUpAnswer:
        return answered(request, setup.choose_port(chosen.key))

    @router.post("/api/v1/setup/find")
    def find(request: Request, wanted: Wanted) -> SetUpAnswer:
        corners = None if wanted.corners is None else np.array(wanted.corners, float)
        return answered(request, setup.board.find(corners, wanted.light_home))

    @router.post("/api/v1/setup/end")
    def end(request: Request) -> SetUpAnswer:
        return answered(request, setup.board.end_search())

    @router.post("/api/v1/setup/confirm")
    def confirm(request: Request) -> SetUpAnswer:
        return answered(request, setup.board.confirm())

    @router.post("/api/v1/setup/lights")
    def try_lights(request: Request) -> SetUpAnswer:
        return answered(request, setup.lights.try_all())

    @router.post("/api/v1/setup/lamps")
    def choose_lights(request: Request, chosen: ChosenLights) -> SetUpAnswer:
        return answered(
            request, setup.lights.choose(LightsChoice(chosen.source, chosen.address.strip() or "auto"))
        )

    @router.post("/api/v1/setup/lamps/find")
    def find_lamps(request: Request) -> SetUpAnswer:
        return answered(request, setup.lights.find())

    @router.post("/api/v1/setup/firmware")
    def write_firmware(request: Request) -> SetUpAnswer:
        return answered(request, setup.write_firmware())

    @router.post("/api/v1/setup/rolls")
    def choose_dice(request: Request, chosen: ChosenDice) -> SetUpAnswer:
        choice = DiceChoice(
            chosen.source,
            chosen.port.strip(),
            chosen.baud,
            chosen.dtr,
            chosen.pattern.strip(),
            light=tuple(chosen.light),
            dark=tuple(chosen.dark),
            shared=tuple(chosen.shared),
        )
        return answered(request, setup.dice.choose(choice))

    @router.post("/api/v1/setup/dice/find")
    def find_dice(request: Request) -> SetUpAnswer:
        return answered(request, setup.dice.find())

    @router.post("/api/v1/setup/dice/end")
    def end_finding(request: Request) -> SetUpAnswer:
        return answered(request, setup.dice.end_search())

    @router.post("/api/v1/setup/settings")
    def choose_settings(request: Request, chosen: ChosenSettings) -> SetUpAnswer:
        return answered(request, setup.choose_settings(chosen.values))

    @router.post("/api/v1/setup/updates")
    def ask_update(request: Request, asked: AskedUpdate) -> SetUpAnswer:
        return answered(request, setup.ask_update(asked.what))

    @router.post("/api/v1/setup/dice")
    def try_dice(request: Request) -> SetUpAnswer:
        return answered(request, setup.dice.try_next())

    @router.post("/api/v1/setup/faces/begin")
    def show_faces(request: Request, shown: ShownFaces) -> SetUpAnswer:
        return answered(request, setup.faces.begin(shown.dice, cube=shown.cube, more=shown.more))

    @router.post("/api/v1/setup/faces/confirm")
    def confirm_faces(request: Request) -> SetUpAnswer:
        return answered(request, setup.faces.confirm())

    @router.post("/api/v1/setup/faces/end")
    def end_faces(request: Request) -> SetUpAnswer:
        return answered(request, setup.faces.end())

    @router.post("/api/v1/setup/faces/forget")
    def forget_faces(request: Request) -> SetUpAnswer:
        return answered(request, setup.faces.forget())

    @router.post("/api/v1/setup/keys/learn")
    def learn_key(request: Request, chosen: ChosenButton) -> SetUpAnswer:
        return answered(request, setup.keys.learn(chosen.button))

    @router.post("/api/v1/setup/keys/end")
    def end_learning(request: Request) -> SetUpAnswer:
        return answered(request, setup.keys.end())

    @router.post("/api/v1/setup/keys/forget")
    def forget_key(request: Request, chosen: ChosenButton) -> SetUpAnswer:
        return answered(request, setup.keys.forget(chosen.button))

    @router.post("/api/v1/setup/keys/grab")
    def grab_keys(request: Request, chosen: ChosenGrab) -> SetUpAnswer:
        return answered(request, setup.keys.grab(chosen.grab))

    @router.post("/api/v1/setup/voice")
    def choose_voice(request: Request, chosen: ChosenVoice) -> SetUpAnswer:
        choice = VoiceChoice(chosen.use, chosen.sounds, chosen.volume, chosen.language)
        return answered(request, setup.choose_voice(choice))

    @router.post("/api/v1/setup/match")
    def plan_match(request: Request, planned: Planned) -> SetUpAnswer:
        plan = MatchPlan(
            planned.light.strip(),
            planned.dark.strip(),
            planned.length,
            planned.profile,
            consent=planned.consent,
            learning=planned.learning,
            engine=planned.engine,
            level=planned.level,
            external=planned.external.strip(),
            away=planned.away,
            code=planned.code.strip(),
        )
        return answered(request, setup.plan_match(plan))

    @router.post("/api/v1/setup/start")
    def start(request: Request) -> SetUpAnswer:
        return answered(request, setup.start())

    return router


def see_router(setup: SetUp, house: TableService, minute: Minute, language_of: LanguageOf) -> APIRouter:
    """The routes of "what I see"."""
    router = APIRouter(tags=["what I see"])

    @router.get("/api/v1/seen")
    def seen(request: Request) -> dict[str, Any]:
        """What was read last, with the board's place in the picture and the last minute; null without a board."""
        read = setup.board.read()
        view = house.view()
        names: Json = None if view.match is None else list(view.match.names.values())
        about: dict[str, Any] = {"table": "" if view.match is None else view.match.table, "names": names}
        if read is None:
            return {"seen": None, **about}
        glimpse, board, reading = read
        minute.see(glimpse.t_s, None if glimpse.moving and reading is glimpse.reading else reading)
        expected = None if view.referee is None else view.referee.position
        shown = sight_of(glimpse, board, reading, language_of(request), expected, minute.last(glimpse.t_s))
        return {"seen": shown, **about}

    @router.get("/api/v1/seen/picture", responses=_picture_responses())
    def picture(after: Annotated[int, Query(ge=-1)] = -1) -> Response:
        """The picture that was read last; 204 where it is still the one that the page has."""
        read = setup.board.read()
        if read is None or read[0].number == after:
            return Response(status_code=NOTHING_NEW, headers=NEVER_KEPT)
        return _jpeg(read[0].picture, read[0].number)

    return router


def _jpeg(picture: Picture, number: int) -> Response:
    if not picture.size:
        raise HTTPException(404)
    headers = {"X-Picture": str(number), **NEVER_KEPT}
    return Response(encode_jpeg(picture, WIDEST, QUALITY), media_type="image/jpeg", headers=headers)


def _picture_responses(kind: str = "image/jpeg") -> dict[int | str, dict[str, Any]]:
    return {200: {"content": {kind: {}}}, NOTHING_NEW: {"description": "Nothing new."}}
