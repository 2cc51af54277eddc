"""What is sent to the server by machines and by pages that stall: nothing of it ends in a fault."""

import json
import socket
import time
from collections.abc import Iterator
from uuid import uuid4

import httpx
import pytest

from controller.referee import Phase
from controller.rules import Side
from controller.web.audience import Audience
from tests.referee.table.scenes import SCENES
from tests.rows import each_row
from tests.web.attacks import attack
from tests.web.browsers import HALL, SEAT, TABLE, Browser, Hall, opened
from tests.web.served_table import TableHouse

EXAMPLES = 12
SETTLED_S = 60.0


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    with opened(TableHouse(SCENES[Phase.CUBE_OFFERED]())) as hall:
        yield hall


def browser_of(hall: Hall, person: str) -> Browser:
    if person == "player":
        return hall.player(Side.LIGHT)
    return {"spectator": hall.browser, "director": hall.director}[person]()


@pytest.mark.parametrize("person", ["spectator", "player", "director"])
def test_no_request_that_a_machine_thinks_up_ends_in_a_fault(hall: Hall, person: str) -> None:
    statuses = attack(hall, browser_of(hall, person), EXAMPLES)
    assert {200, 404} <= set(statuses)


@pytest.mark.parametrize(
    "path", ["/", "/watch", "/login", "/pins", "/setup", "/nothing", "/static/../access.py"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"])
def test_pages_take_any_method_and_strange_queries_without_a_fault(
    hall: Hall, path: str, method: str
) -> None:
    for query in ("", "?language=%00&next=//evil.example&as=%F0%9F%8E%B2", "?" + "a" * 5000):
        answer = hall.browser(TABLE).request(method, path + query)
        assert answer.status_code < 500
        assert "evil.example" not in answer.text


@pytest.mark.parametrize(
    "cookie",
    [
        "",
        "x",
        ".",
        "a.b.c",
        "eyJpZCI6IngifQ.aaaa.bbbb",
        "%00",
        '"',
        "\\",
        "é".encode().decode("latin-1"),
        "a" * 4000,
    ],
)
def test_a_cookie_of_nothing_makes_a_spectator(hall: Hall, cookie: str) -> None:
    headers = {SEAT: HALL, "cookie": f"pointsman={cookie}".encode("latin-1")}
    with httpx.Client(base_url=hall.server.address, trust_env=False, timeout=30) as client:
        answer = client.get("/api/v1/state", headers=headers)  # type: ignore[arg-type]
    assert answer.json()["state"]["viewer"]["role"] == "viewer"


def test_one_bit_of_a_cookie_makes_it_worthless(hall: Hall) -> None:
    good = hall.director().cookies["pointsman"]
    for at in range(0, len(good), 7):
        other = good[:at] + ("A" if good[at] != "A" else "B") + good[at + 1 :]
        # The last letter of base64 carries bits that mean nothing.
        if at < len(good) - 1:
            answer = hall.browser().get("/api/v1/state", headers={"cookie": f"pointsman={other}"})
            assert answer.json()["state"]["viewer"]["role"] == "viewer", other


def stall(hall: Hall) -> socket.socket:
    """A page that follows and never reads."""
    silent = socket.socket()
    silent.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    silent.connect(("127.0.0.1", hall.server.port))
    lines = (
        "GET /api/v1/live HTTP/1.1",
        f"Host: 127.0.0.1:{hall.server.port}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        "Sec-WebSocket-Version: 13",
    )
    silent.sendall("\r\n".join((*lines, "", "")).encode())
    return silent


def test_pages_that_stall_are_cut_off_and_a_healthy_one_misses_nothing() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall, hall.browser().follow() as healthy:
        healthy.recv(timeout=30)
        stalled = [stall(hall) for _ in range(5)]
        followers = hall.site.outlet.channel(Audience()).followers
        end = time.monotonic() + SETTLED_S
        while len(followers) < 6 and time.monotonic() < end:
            time.sleep(0.01)
        assert len(followers) == 6
        seq = 0
        long = "x" * 60_000
        while len(followers) > 1 and time.monotonic() < end:
            hall.house.say(lambda _, number=seq: f"{number} {long}")
            message = json.loads(healthy.recv(timeout=30))
            while message["kind"] == "beat":
                message = json.loads(healthy.recv(timeout=30))
            assert message["text"].startswith(f"{seq} ")
            seq += 1
        assert len(followers) == 1
        for each in stalled:
            each.close()


def test_a_page_that_is_back_after_an_hour_gets_the_state_as_it_is_now() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        with hall.browser().follow() as live:
            first = json.loads(live.recv(timeout=30))
        for number in range(600):
            hall.house.say(lambda _, number=number: f"sentence {number}")
        with hall.browser().follow(f"?run={first['run']}&seq={first['seq']}") as live:
            message = json.loads(live.recv(timeout=30))
        assert message["kind"] == "snapshot"
        assert message["state"]["talk"] == "sentence 599"


def test_after_a_restart_a_page_gets_a_snapshot_and_its_player_is_known_again() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        dark = hall.player(Side.DARK)
        cookie = dark.cookies["pointsman"]
        with dark.follow() as live:
            first = json.loads(live.recv(timeout=30))
    with opened(TableHouse(SCENES[Phase.CUBE_OFFERED]())) as hall:
        again = hall.browser()
        again.cookies.set("pointsman", cookie)
        with again.follow(f"?run={first['run']}&seq={first['seq']}") as live:
            message = json.loads(live.recv(timeout=30))
    assert message["kind"] == "snapshot"
    assert message["run"] != first["run"]
    assert message["state"]["phase"] == "cube_offered"
    assert message["state"]["viewer"] == {"role": "player", "side": "dark"}


def test_the_command_of_a_page_from_before_a_restart_is_stale() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        said = {"id": str(uuid4()), "what": "double", "side": "dark", "seen": 0, "run": "another"}
        answer = hall.player(Side.DARK).post("/api/v1/commands", json=said).json()
        assert answer["answer"] == "stale"
        assert answer["text"]
        assert not hall.house.asked


MARKUP = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</script><b>",
    "{{7*7}}",
    "{light}",
    "\u202eabc",
)


@each_row("name", MARKUP)
def test_markup_in_names_is_text_on_every_page_and_in_every_answer(name: str) -> None:
    of = TableHouse(SCENES[Phase.CUBE_OFFERED](), names={Side.LIGHT: name, Side.DARK: name + "2"})
    with opened(of) as hall:
        director = hall.director()
        for path in ("/", "/watch", "/overlay", "/pins", "/director", "/setup", "/see", "/learn"):
            answer = director.get(path)
            if answer.status_code == 200:
                body = answer.text.split("<body", 1)[1]
                for bad in ("<script>alert", "<img src=x", "</script><b>", ">49<"):
                    assert bad not in body, path
        assert director.state()["match"]["light"] == name
        assert director.get("/api/v1/state").headers["x-content-type-options"] == "nosniff"
