"""The server's thread: it comes up, goes away, and is not there where nobody asked for it."""

import socket
import subprocess
import sys

import httpx
import pytest

from controller.referee import Phase
from controller.web.port import ServerError
from controller.web.server.application import serve
from controller.web.settings import WebSettings, WebSettingsError
from tests.referee.table.scenes import SCENES
from tests.threads import no_thread_left
from tests.web.browsers import Hall
from tests.web.served_table import TableHouse

OF_THE_WEB = ("fastapi", "starlette", "uvicorn", "websockets", "pydantic", "argon2", "jinja2", "segno")


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


def test_a_server_is_up_when_it_is_made_and_gone_when_it_is_closed() -> None:
    with no_thread_left("pointsman-web"), serve(house(), WebSettings()) as server:
        assert server.address.startswith("http://127.0.0.1:")
        assert httpx.get(f"{server.address}/api/v1/state", trust_env=False).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{server.address}/api/v1/state", trust_env=False)


def test_what_is_sent_goes_out_at_once_and_waits_for_no_word_that_the_part_before_has_come() -> None:
    with serve(house(), WebSettings()) as server, httpx.Client(trust_env=False) as client:
        client.get(f"{server.address}/api/v1/state")
        (connection,) = server._server.server_state.connections
        taken = connection.transport.get_extra_info("socket")
        assert taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_a_port_that_is_taken_is_named_in_one_sentence() -> None:
    with (
        serve(house(), WebSettings()) as server,
        pytest.raises(ServerError, match=str(server.port)) as refused,
    ):
        serve(house(), WebSettings(port=server.port))
    assert str(refused.value).count(".") == 1 + "127.0.0.1".count(".")


def test_closing_does_not_wait_for_pages_that_stay() -> None:
    hall = Hall(house())
    with hall, hall.browser().follow() as live:
        live.recv(timeout=30)


def test_a_table_that_tells_after_the_server_is_gone_is_not_disturbed() -> None:
    of = house()
    with Hall(of):
        pass
    of.play(lambda evening: evening.roll(5, 2))


@pytest.mark.parametrize(("port", "delay_s"), [(-1, 0), (65536, 0), (0, -1), (0, 3601)])
def test_settings_that_make_no_sense_are_refused(port: int, delay_s: float) -> None:
    with pytest.raises(WebSettingsError):
        WebSettings(port=port, delay_s=delay_s)


def test_nothing_of_the_web_is_loaded_where_no_pages_are_asked_for() -> None:
    program = (
        "import sys\n"
        "import controller.cli, controller.app.live, controller.app.opening, controller.web.table_service\n"
        f"print([name for name in {OF_THE_WEB} if name in sys.modules])\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "[]"
