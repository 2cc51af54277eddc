"""The pages of a room: what they are offered with, and where."""

import json
import socket
import stat
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from controller.app.pages import (
    KEYS,
    RoomPages,
    open_pages,
    page_addresses,
    square_code,
)
from controller.app.room import Room
from controller.config.sections import WebSection
from controller.errors import UserError
from controller.rules import Side
from controller.web.keys import KeysError, PageKeys
from controller.web.server.access import player_pin
from controller.web.table_service import News
from tests.app.test_live import Scene
from tests.app.test_room import config_in
from tests.striped import BOARD


def room_in(folder: Path) -> Room:
    scene = Scene()
    return Room(config_in(folder), BOARD, lambda _: None, open_camera=scene.open, read=scene.reading)


def test_keys_hold_over_a_restart_and_are_their_owners_alone(tmp_path: Path) -> None:
    path = tmp_path / KEYS
    first = PageKeys.load(path)
    first.keep_director("$argon2id$some")
    again = PageKeys.load(path)
    assert (again.secret, again.director_hash) == (first.secret, "$argon2id$some")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


@pytest.mark.parametrize("text", ["", "[]", '{"secret": "zz", "director": ""}', '{"director": ""}'])
def test_keys_that_cannot_be_read_are_made_anew(tmp_path: Path, text: str) -> None:
    (tmp_path / KEYS).write_text(text)
    assert len(PageKeys.load(tmp_path / KEYS).secret) == 32
    assert json.loads((tmp_path / KEYS).read_text())["director"] == ""


def test_keys_that_cannot_be_read_are_told_and_kept_aside(tmp_path: Path) -> None:
    PageKeys.load(tmp_path / KEYS).keep_director("$argon2id$some")
    half = (tmp_path / KEYS).read_text()[:60]
    (tmp_path / KEYS).write_text(half)
    said: list[str] = []
    scene = Scene()
    room = Room(config_in(tmp_path), BOARD, said.append, open_camera=scene.open, read=scene.reading)
    for _ in range(2):
        open_pages(room, WebSection(port=0)).close()
    aside = tmp_path / f"{KEYS}.unreadable"
    assert aside.read_text() == half
    assert "".join(said).count(f"{tmp_path / KEYS} could not be read, and {aside} keeps it") == 1
    room.close()


def test_keys_that_cannot_be_kept_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(KeysError, match=r"web\.use = false"):
        PageKeys.load(tmp_path / "nowhere" / KEYS)


def test_the_pages_of_a_room_show_its_state(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    server = open_pages(room, WebSection(port=0))
    try:
        (address,) = page_addresses(server.port, WebSection())
        with urllib.request.urlopen(f"{address}api/v1/state", timeout=120) as answer:
            snapshot = json.loads(answer.read())
    finally:
        server.close()
        room.close()
    assert snapshot["state"]["room"] == "ready"


def test_whoever_comes_before_the_pages_are_open_is_answered_then(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    with RoomPages(room, WebSection(port=0)) as pages, socket.socket() as early:
        early.connect(("127.0.0.1", pages.port))
        early.sendall(b"GET /api/v1/state HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        pages.open()
        with early.makefile("rb") as answer:
            assert answer.readline().split()[1] == b"200"
    room.close()


def test_pages_that_are_closed_before_they_are_open_stay_closed(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    pages = RoomPages(room, WebSection(port=0))
    pages.close()
    pages.open()
    with socket.socket() as late, pytest.raises(ConnectionRefusedError):
        late.connect(("127.0.0.1", pages.port))
    room.close()


def test_a_port_that_is_taken_is_named_with_its_remedy(tmp_path: Path) -> None:
    room = room_in(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(UserError, match="name another port"):
            open_pages(room, WebSection(port=taken.getsockname()[1]))
    room.close()


def test_others_are_told_a_name_that_they_can_open() -> None:
    own, *others = page_addresses(8080, WebSection(open=True, names=("table4.local",)))
    assert own == "http://127.0.0.1:8080/"
    assert others[0] == "https://table4.local:8080/"


def test_the_players_pins_are_written_in_the_terminal_once_for_each_match_and_never_told_to_pages(
    tmp_path: Path,
) -> None:
    scene, lines, told = Scene(), list[str](), list[News]()
    room = Room(config_in(tmp_path), BOARD, lines.append, open_camera=scene.open, read=scene.reading)
    server = open_pages(room, WebSection(port=0, open=True))
    room.subscribe(told.append)
    try:
        assert room.begin_match().done
        room.tell(lambda _: "Anything.")
        secret, match = PageKeys.load(tmp_path / KEYS).secret, room.view().match
        assert match is not None
        pins = [player_pin(secret, match.id, side) for side in Side]
        assert [line for line in lines if all(pin in line for pin in pins)] == [
            f"To play by phone: Anna has the PIN {pins[0]}, Béla has {pins[1]}.\n"
        ]
        said = [words("en") for news in told for words in news.words]
        assert not [text for text in said if pins[0] in text]
    finally:
        server.close()
        room.close()


def test_an_address_is_a_square_that_a_phone_can_read() -> None:
    import cv2
    import numpy as np

    text = square_code("http://192.0.2.7:8080/")
    rows: list[list[int]] = []
    for line in text.split("\n"):
        rows += [[255 * (char in "█▀") for char in line], [255 * (char in "█▄") for char in line]]
    picture = np.kron(np.array(rows, np.uint8), np.ones((8, 8), np.uint8))
    found, *_ = cv2.QRCodeDetector().detectAndDecode(
        cv2.copyMakeBorder(picture, *[32] * 4, cv2.BORDER_CONSTANT, value=(255,))
    )
    assert found == "http://192.0.2.7:8080/"


def test_without_pages_nothing_of_the_web_is_loaded() -> None:
    program = (
        "import sys, controller.cli.run, controller.app.room\n"
        "loaded = {name.split('.')[0] for name in sys.modules}\n"
        "assert not loaded & {'fastapi', 'starlette', 'uvicorn', 'pydantic', 'jinja2', 'argon2', 'segno'}, loaded\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=300)
