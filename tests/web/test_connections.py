"""Connections that say nothing, or say it slowly, take the pages away from nobody."""

import contextlib
import datetime
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from controller.web.server import connections
from controller.web.server.connections import ConnectionLimits
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
from controller.web.wire.authority import OwnAuthority
from tests.hub.hubs import ROOT, until
from tests.web.plain_app import APP, SLOW_S

HERE, STRANGER, OTHER = "127.0.0.1", "127.0.0.2", "127.0.0.3"
"""Three computers: the server's own, where programs in front of it run, and two that it knows by their addresses."""
HALF_SENT = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
HALF_POSTED = b"POST /sent HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n"
DESCRIPTORS = 400
SERVER = f"""
import resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))
from tests.web.plain_app import APP
from controller.web.server.thread import WebServer
from controller.web.settings import WebSettings
with WebServer(APP, WebSettings()) as server:
    print(server.port, flush=True)
    sys.stdin.read()
"""
PATIENCE_S = 60.0
QUICK_S = 0.3
"""In the place of the time that a real request has."""


class Computer:
    """Somebody's computer, with the connections that it holds."""

    def __init__(self, port: int, address: str) -> None:
        self._port, self._address = port, address
        self._held = ExitStack()

    def hold(self, sent: bytes = HALF_SENT) -> socket.socket:
        """One more connection that has sent this."""
        made = socket.create_connection((HERE, self._port), PATIENCE_S, (self._address, 0))
        self._held.enter_context(made)
        with contextlib.suppress(OSError):
            made.sendall(sent)
        return made

    def get(self, path: str = "/") -> httpx.Response:
        """A page, over a connection of its own."""
        transport = httpx.HTTPTransport(local_address=self._address)
        address = f"http://{HERE}:{self._port}"
        with httpx.Client(base_url=address, transport=transport, timeout=PATIENCE_S) as client:
            return client.get(path)

    def reaches(self) -> bool:
        """Whether it gets a page."""
        try:
            return self.get().text == "here"
        except httpx.TransportError:
            return False

    def close(self) -> None:
        self._held.close()


def is_cut(held: socket.socket) -> bool:
    """Whether the server ends a connection without an answer, as long as somebody waits for it."""
    try:
        return held.recv(1000) == b""
    except ConnectionResetError:
        return True


def drip(held: socket.socket) -> None:
    """Send letter by letter, without an end."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        held.sendall(b"x")
        time.sleep(QUICK_S / 10)


@contextmanager
def served(
    limits: ConnectionLimits | None = None, certificate: tuple[Path, Path] | None = None
) -> Iterator[WebServer]:
    with WebServer(APP, WebSettings(), certificate=certificate, limits=limits) as server:
        yield server


@contextmanager
def at(server: WebServer, address: str) -> Iterator[Computer]:
    computer = Computer(server.port, address)
    try:
        yield computer
    finally:
        computer.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_S", QUICK_S)
    monkeypatch.setattr(connections, "BODY_S", QUICK_S)


def test_more_half_sent_requests_than_there_are_descriptors_keep_nobody_else_out() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", SERVER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout is not None
        port = int(process.stdout.readline())
        stranger = Computer(port, STRANGER)
        try:
            for _ in range(DESCRIPTORS + 50):
                stranger.hold()
            assert Computer(port, HERE).get().text == "here"
            assert Computer(port, OTHER).get().text == "here"
        finally:
            stranger.close()
            process.communicate()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("said", [b"", b"GET", HALF_SENT])
def test_a_request_whose_head_does_not_come_is_cut(said: bytes) -> None:
    with served() as server, at(server, STRANGER) as stranger:
        assert is_cut(stranger.hold(said))


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("began", [HALF_SENT, HALF_POSTED])
def test_a_request_that_comes_letter_by_letter_is_cut(began: bytes) -> None:
    with served() as server, at(server, STRANGER) as stranger:
        held = stranger.hold(began)
        with pytest.raises(OSError, match=r"reset|pipe"):
            drip(held)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("began", [HALF_SENT, HALF_POSTED])
@pytest.mark.parametrize("together", [False, True])
def test_the_second_request_of_a_connection_has_no_more_time_than_the_first(
    began: bytes, together: bool
) -> None:
    first = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served() as server, at(server, STRANGER) as stranger:
        held = stranger.hold(first + began if together else first)
        answer = b""
        while not answer.endswith(b"here"):
            answer += held.recv(1000)
        if not together:
            held.sendall(began)
        assert is_cut(held)


def test_who_has_said_what_they_want_has_all_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "HEAD_S", SLOW_S)
    monkeypatch.setattr(connections, "BODY_S", SLOW_S)
    with (
        served() as server,
        connect(f"ws://{HERE}:{server.port}/echo") as followed,
        httpx.Client(base_url=server.address, timeout=PATIENCE_S) as page,
    ):
        assert page.post("/sent", content=b"x" * 10_000).text == "x" * 10_000
        assert page.get("/slow").text == "slow"
        followed.send("still there")
        assert followed.recv(timeout=PATIENCE_S) == "still there"
        assert page.get("/").text == "here"


def test_one_address_has_no_more_connections_than_its_share() -> None:
    with (
        served(ConnectionLimits(total=50, per_address=10)) as server,
        at(server, STRANGER) as stranger,
        at(server, OTHER) as other,
    ):
        held = [stranger.hold() for _ in range(10)]
        assert is_cut(stranger.hold())
        assert other.reaches()
        held[0].close()
        until(stranger.reaches)


def test_pages_that_follow_are_among_the_connections_of_their_address() -> None:
    with (
        served(ConnectionLimits(total=50, per_address=3)) as server,
        at(server, STRANGER) as stranger,
        ExitStack() as stack,
    ):
        for _ in range(3):
            stack.enter_context(connect(f"ws://{HERE}:{server.port}/echo", source_address=(STRANGER, 0)))
        assert not stranger.reaches()
        stack.close()
        until(stranger.reaches)


def test_what_comes_from_the_machine_itself_is_limited_as_a_whole_only() -> None:
    # A program in front of the pages brings everybody's requests from there.
    with (
        served(ConnectionLimits(total=12, per_address=3)) as server,
        at(server, HERE) as front,
        at(server, STRANGER) as stranger,
    ):
        held = [front.hold() for _ in range(12)]
        assert is_cut(stranger.hold())
        assert is_cut(front.hold())
        held[0].close()
        until(stranger.reaches)


def test_who_never_begins_to_speak_tls_is_counted_too(tmp_path: Path) -> None:
    now = datetime.datetime.now(datetime.UTC)
    certificate = OwnAuthority.make(tmp_path, "club", now).vouch(tmp_path, ("localhost", HERE), now)
    with (
        served(ConnectionLimits(total=50, per_address=10), certificate) as server,
        at(server, STRANGER) as stranger,
    ):
        for _ in range(10):
            stranger.hold(b"")
        assert is_cut(stranger.hold(b""))
        assert httpx.get(f"https://{HERE}:{server.port}/", verify=False).text == "here"


def test_a_server_leaves_descriptors_for_everything_else() -> None:
    limits = ConnectionLimits.within(1024)
    assert 256 <= limits.total <= 1024 - 256
    assert limits.per_address * 3 <= limits.total


def test_whoever_comes_while_a_server_ends_is_sent_away_and_waits_for_no_answer() -> None:
    came: list[socket.socket] = []

    def keep_coming(port: int) -> None:
        with contextlib.suppress(OSError):  # until nobody listens any more
            while True:
                came.append(socket.create_connection((HERE, port), PATIENCE_S))

    for _ in range(5):
        with WebServer(APP, WebSettings(port=0)) as server:
            visitor = threading.Thread(target=keep_coming, args=(server.port,))
            visitor.start()
            until(lambda: bool(came))
        visitor.join()
        for connection in came:
            with connection, contextlib.suppress(ConnectionError):
                assert connection.recv(1) == b""
        came.clear()
