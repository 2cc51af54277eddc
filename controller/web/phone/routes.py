"""What stands behind the page `/camera`: a phone shows its code once, and sends pictures from then on."""

import asyncio
import contextlib
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Annotated, Any, Final

from fastapi import APIRouter, HTTPException, Query, Request, Response
from pydantic import BaseModel, ConfigDict, Field
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket, WebSocketDisconnect

from controller.devices.camera.phone import PhoneLine
from controller.json_object import parse_object
from controller.record.journal.journal import Json
from controller.web.phone.desk import PhoneDesk

LARGEST: Final = 4 << 20
"""Bytes of a picture. One of 4000 x 3000 pixels has about half of that."""
PATH: Final = "/api/v1/camera/picture"
"""Where pictures come that cannot come over the WebSocket."""
LARGEST_STILL: Final = 24 << 20
"""Bytes of a still, as the phone's camera writes it: those of 50 megapixels have 10 to 20 million."""
MOST_PIXELS: Final = 20_000
"""Along a side of it."""
STILL_PATH: Final = "/api/v1/camera/still"
"""Where stills come, beside the others: `?number=` says which wish one answers."""
HELLO_S: Final = 5.0
"""How long a phone may take to say which one it is."""
WRONG_S: Final = 1.0
"""How long a wrong code is thought about, so that nobody tries many."""
LOOK_S: Final = 2.0
"""How often the phone is told anew what the table sees: to measure a picture takes a Pi a tenth of a second."""
TOLD_S: Final = 0.3
"""How often a phone is told that some more of a picture has come which takes longer than that."""
JPEG: Final = b"\xff\xd8\xff"
"""What every JPEG begins with."""
REFUSED: Final = 4401
"""The code for a phone that may not send, or no longer."""
WRONG: Final = 4400
"""The code for one that sends something else than pictures."""

_NONSENSE: Final = (ValueError, KeyError, TypeError, OverflowError, RecursionError)
"""What comes of a text that no page sends."""

Look = Callable[[str], Mapping[str, Json]]
"""What the table sees, in a language, for the page to show."""


class CodeShown(BaseModel):
    """What a phone has read off the table."""

    model_config = ConfigDict(extra="forbid")

    code: Annotated[str, Field(max_length=32)]


class PhoneAdmitted(BaseModel):
    """What the phone shows from now on."""

    token: str


class PhonePictures:
    """Takes in what the phone sends, and says what the table sees."""

    def __init__(self, desk: PhoneDesk, look: Look, pool: ThreadPoolExecutor) -> None:
        """Nobody has asked yet. ``look`` may take a while, and is called in a thread of the pool."""
        self._desk, self._look, self._pool = desk, look, pool
        self._seen: Mapping[str, Json] = {}
        self._looking: asyncio.Task[None] | None = None
        self._due = float("-inf")

    def take(self, jpeg: bytes, language: str) -> dict[str, Json]:
        """One picture; the answer is what the phone is to know. Raises ValueError if it is none."""
        if not jpeg.startswith(JPEG):
            raise ValueError
        self._desk.line.put(jpeg)
        if self._desk.now() >= self._due and (self._looking is None or self._looking.done()):
            self._due = self._desk.now() + LOOK_S
            self._looking = asyncio.create_task(self._look_again(language))
        line = self._desk.line
        size: Json = None if line.wanted is None else list(line.wanted)
        still: Json = None if line.still is None else {"number": line.still.number, "stops": line.still.stops}
        return {"size": size, "lock": line.lock, "still": still, "seen": dict(self._seen)}

    def take_still(self, number: int, jpeg: bytes) -> None:
        """The still of a number; no bytes where the phone cannot take it. Raises ValueError if it is none."""
        if jpeg and not jpeg.startswith(JPEG):
            raise ValueError
        self._desk.line.put_still(number, jpeg)

    async def _look_again(self, language: str) -> None:
        loop = asyncio.get_running_loop()
        self._seen = await loop.run_in_executor(self._pool, self._look, language)


def phone_router(desk: PhoneDesk, pictures: PhonePictures) -> APIRouter:
    """The routes for the phone, but for its WebSocket."""
    router = APIRouter(tags=["phone"])

    def admit(request: Request) -> None:
        if not desk.admits(request.headers.get("authorization", "").removeprefix("Bearer ")):
            raise HTTPException(401, "Another phone is the camera now.")

    @router.post("/api/v1/camera/claim")
    async def claim(shown: CodeShown) -> PhoneAdmitted:
        """Be the camera from now on, with the code that the table shows; it holds once."""
        token = desk.claim(shown.code)
        if not token:
            await asyncio.sleep(WRONG_S)
            raise HTTPException(403, "This code is not right, or was used; have the table show another one.")
        return PhoneAdmitted(token=token)

    @router.post(PATH, response_model=None)
    async def picture(request: Request) -> Response | dict[str, Json]:
        """One picture as JPEG, for phones that can open no WebSocket."""
        admit(request)
        with contextlib.suppress(KeyError, ValueError):
            desk.line.still_size = _size(request.headers["x-still"].split("x"))
        with contextlib.suppress(KeyError, ValueError):
            level = float(request.headers["x-battery"])
            desk.take_battery(level, charging=request.headers.get("x-charging") == "1")
        try:
            return pictures.take(await _body(request, desk.line), request.headers.get("x-language", "en"))
        except ValueError:
            raise HTTPException(422, "A picture has to be a JPEG.") from None

    @router.post(STILL_PATH, status_code=204)
    async def still(request: Request, number: Annotated[int, Query(ge=1)]) -> None:
        """The still that the table has asked for, as JPEG; empty where the phone cannot take it."""
        admit(request)
        try:
            pictures.take_still(number, await request.body())
        except ValueError:
            raise HTTPException(422, "A picture has to be a JPEG.") from None

    return router


def _size(told: Any) -> tuple[int, int]:
    """Width and height as a phone tells them. Raises ValueError."""
    width, height = (int(side) for side in told)
    if not (0 < width <= MOST_PIXELS and 0 < height <= MOST_PIXELS):
        raise ValueError
    return width, height


def phone_socket(desk: PhoneDesk, pictures: PhonePictures) -> WebSocketRoute:
    """The WebSocket by which pictures come: a text with the number of bytes, then the bytes; each is answered."""

    async def camera(socket: WebSocket) -> None:
        await socket.accept()
        code = WRONG
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            try:
                async with asyncio.timeout(HELLO_S):
                    hello = _told(await socket.receive_text())
                code = await _follow(socket, desk, pictures, hello)
            except _NONSENSE:  # a text where pieces are due, or the other way round
                code = WRONG
            await socket.close(code)

    return WebSocketRoute("/api/v1/camera", camera)


async def _follow(socket: WebSocket, desk: PhoneDesk, pictures: PhonePictures, hello: dict[str, Any]) -> int:
    """Take pictures until the phone may send no more. Raises ValueError for what is no picture."""
    token, language = str(hello.get("token", "")), str(hello.get("language", "en"))
    told_of_pieces = hello.get("pieces") is True
    while desk.admits(token):
        told = _told(await socket.receive_text())
        if "battery" in told:
            desk.take_battery(float(told["battery"]), charging=bool(told.get("charging")))
            continue
        if "still" in told:
            desk.line.still_size = _size(told["still"])
            continue
        jpeg = await _whole(socket, int(told["bytes"]), desk, tell=told_of_pieces)
        if desk.admits(token):
            await socket.send_text(json.dumps(pictures.take(jpeg, language)))
    return REFUSED


async def _whole(socket: WebSocket, size: int, desk: PhoneDesk, *, tell: bool) -> bytes:
    """A picture of so many bytes, which comes in pieces; the phone is told of them if it takes long."""
    if not 0 < size <= LARGEST:
        raise ValueError
    found = bytearray()
    told_s = desk.now()
    desk.line.note()
    while len(found) < size:
        found += await socket.receive_bytes()
        desk.line.note()
        if tell and len(found) < size and desk.now() - told_s >= TOLD_S:
            told_s = desk.now()
            await socket.send_text(json.dumps({"came": len(found)}))
    return bytes(found)


async def _body(request: Request, line: PhoneLine) -> bytes:
    """A picture that comes as one request."""
    found = bytearray()
    async for piece in request.stream():
        line.note()
        found += piece
    return bytes(found)


def _told(text: str) -> dict[str, Any]:
    """What a text of the phone says. Raises ValueError."""
    told = parse_object(text)
    if not told.keys() & {"token", "battery", "still", "bytes"}:
        raise ValueError
    return told
