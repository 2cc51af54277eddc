"""The hub's own broker: for this machine at once, for others with logins and TLS; it comes back when it dies."""

import asyncio
import os
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from controller.club.mqtt import connect_mqtt
from controller.club.transport import TransportError
from controller.errors import UserError
from controller.hub import broker
from controller.hub.broker import BrokerError, ChildBroker, find_program
from controller.hub.folder import HubFolder, HubFolderError
from controller.hub.hub import Hub, HubSettings
from tests.hub.hubs import children_of, until
from tests.ports import free_port


@dataclass
class Opened:
    """A broker for other machines."""

    broker: ChildBroker
    folder: HubFolder
    said: list[str]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Opened]:
    said: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(broker, "TLS_PORT", free_port())
        with (
            HubFolder(tmp_path_factory.mktemp("hub")) as folder,
            ChildBroker(folder, "club", names=("hall.local",), say=said.append) as running,
        ):
            yield Opened(running, folder, said)


class Login:
    """A client with a login, and what the broker said to it."""

    def __init__(self, opened: Opened, user: str, password: str, authority: Path) -> None:
        self.refused: list[int] = []
        self.got: list[str] = []
        self.subscribed: list[int] = []
        self.code: int | None = None
        self.client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self.client.username_pw_set(user, password)
        self.client.tls_set(str(authority))
        self.client.on_connect = self._connected
        self.client.on_publish = self._published
        self.client.on_subscribe = lambda _, __, number, *___: self.subscribed.append(number)
        self.client.on_message = lambda _, __, message: self.got.append(message.topic)
        self._address = opened.broker.address

    def connect(self) -> "Login":
        until(self._reaches)
        self.client.loop_start()
        until(lambda: self.code is not None)
        return self

    def listen(self, topic: str) -> None:
        """Subscribe, and wait until the broker has taken it."""
        _, number = self.client.subscribe(topic, qos=1)
        until(lambda: number in self.subscribed)

    def say(self, topic: str) -> int:
        """What the broker answers to a message; 0 if it takes it."""
        count = len(self.refused)
        self.client.publish(topic, b"{}", qos=1)
        until(lambda: len(self.refused) > count)
        return self.refused[-1]

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _reaches(self) -> bool:
        try:
            self.client.connect("127.0.0.1", self._address.port)
        except ConnectionRefusedError:
            return False
        return True

    def _connected(self, _: object, __: object, ___: object, code: ReasonCode, ____: object) -> None:
        self.code = code.value

    def _published(self, _: object, __: object, ___: object, code: ReasonCode, ____: object) -> None:
        self.refused.append(code.value if code.is_failure else 0)


def topic(table: str, what: str) -> str:
    return f"pointsman/1/club/{table}/{what}"


def authority(opened: Opened) -> Path:
    return opened.folder.path / "authority.crt"


def test_a_table_says_what_is_its_own_and_hears_what_is_for_it(opened: Opened) -> None:
    password = opened.broker.add("table-1")
    hub = Login(opened, "hub", opened.broker.address.password, authority(opened)).connect()
    table = Login(opened, "table-1", password, authority(opened)).connect()
    try:
        assert (hub.code, table.code) == (0, 0)
        hub.listen(topic("+", "events"))
        table.listen("#")
        for what in ("presence", "state", "events", "answers", "asked-time"):
            assert table.say(topic("table-1", what)) == 0
            assert table.say(topic("table-2", what)) == 135
        for what in ("confirmed", "commands", "time"):
            assert table.say(topic("table-1", what)) == 135
            assert hub.say(topic("table-1", what)) == 0
            assert hub.say(topic("table-2", what)) == 0
        until(lambda: len(table.got) == 4)
        assert table.got == [topic("table-1", what) for what in ("presence", "confirmed", "commands", "time")]
        assert hub.got == [topic("table-1", "events")]
    finally:
        hub.close()
        table.close()


@pytest.mark.parametrize(("user", "password"), [("table-1", "wrong"), ("nobody", "x"), ("hub", "")])
def test_who_has_no_login_or_a_wrong_one_stays_out(opened: Opened, user: str, password: str) -> None:
    address = replace(opened.broker.address, user=user, password=password)

    async def log_in() -> None:
        async with connect_mqtt(address, client="somebody"):
            pass

    until(lambda: opened.broker.pid)
    with pytest.raises(TransportError, match="Not authorized"):
        asyncio.run(log_in())


def test_who_knows_another_authority_trusts_no_broker_of_this_club(opened: Opened) -> None:
    def shake_hands() -> bool:
        trust = ssl.create_default_context()
        with (
            suppress(ConnectionRefusedError),
            socket.create_connection(("127.0.0.1", opened.broker.address.port)) as raw,
            trust.wrap_socket(raw, server_hostname="127.0.0.1"),
        ):
            return True
        return False

    with pytest.raises(ssl.SSLCertVerificationError):
        until(shake_hands)


def test_passwords_and_keys_are_their_owners_alone_and_no_password_is_written(opened: Opened) -> None:
    password = opened.broker.add("table-3")
    files = [path for path in opened.folder.path.rglob("*") if path.is_file()]
    assert all(path.stat().st_mode & 0o077 == 0 for path in files)
    for secret in (password, opened.broker.address.password):
        assert all(secret.encode() not in path.read_bytes() for path in files)
    assert opened.broker.logins is not None
    assert "table-3" in opened.broker.logins.tables()


def test_a_broker_that_dies_is_started_again_and_that_is_told(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    with HubFolder(tmp_path) as folder, ChildBroker(folder, "club", names=(), say=said.append) as child:
        until(lambda: child.pid)
        os.kill(child.pid, signal.SIGKILL)
        until(lambda: len(said) == 2)
        assert child.starts == 2
        ended = child.pid
    assert said == ["The broker ended (SIGKILL); it is started again by itself.", "The broker runs again."]
    assert not Path(f"/proc/{ended}").exists()


def test_a_broker_whose_port_is_taken_is_told_once_and_tried_again(tmp_path: Path) -> None:
    said: list[str] = []
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    for each in ("one", "two"):
        (tmp_path / each / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    text = (tmp_path / "one" / "hub.json").read_text()
    (tmp_path / "two" / "hub.json").write_text(text)
    with (
        HubFolder(tmp_path / "one") as first,
        HubFolder(tmp_path / "two") as second,
        ChildBroker(first, "club", names=(), say=lambda _: None) as one,
    ):
        until(lambda: is_open(one.address.port))
        with ChildBroker(second, "club", names=(), say=said.append) as two:
            until(lambda: two.starts >= 3)
            assert len(said) == 1
            one.close()
            until(lambda: len(said) == 2)
    assert "Address already in use" in said[0]


def is_open(port: int) -> bool:
    """Whether somebody listens at a port of this machine."""
    with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
        return True
    return False


def test_a_broker_dies_with_its_hub(tmp_path: Path) -> None:
    script = (
        "import sys, time\nfrom pathlib import Path\n"
        "from controller.hub.broker import ChildBroker\nfrom controller.hub.folder import HubFolder\n"
        "broker = ChildBroker(HubFolder(Path(sys.argv[1])), 'club', names=(), say=print)\n"
        "while not broker.pid: time.sleep(0.01)\n"
        "print('up', flush=True)\ntime.sleep(600)\n"
    )
    (tmp_path / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"up\n"
    (child,) = children_of(process.pid)
    process.kill()
    process.communicate()
    until(lambda: not Path(f"/proc/{child}").exists() or _is_dead(child))


def _is_dead(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def test_a_missing_mosquitto_is_told_with_its_remedy() -> None:
    with pytest.raises(
        BrokerError, match="no-such-broker is not installed; install it with sudo apt install mosquitto"
    ):
        find_program("no-such-broker")


def test_where_the_usual_port_is_taken_a_broker_keeps_one_that_the_kernel_gives_to_nobody(
    tmp_path: Path,
) -> None:
    with socket.socket() as usual, pytest.MonkeyPatch.context() as patch:
        usual.bind(("127.0.0.1", 0))
        patch.setattr(broker, "PORT", usual.getsockname()[1])
        with (
            HubFolder(tmp_path) as folder,
            ChildBroker(folder, "club", names=(), say=lambda _: None) as child,
        ):
            port = child.address.port
            until(lambda: is_open(port))
    first_given = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    assert 1024 <= port < first_given
    with HubFolder(tmp_path) as folder, ChildBroker(folder, "club", names=(), say=lambda _: None) as child:
        assert child.address.port == port


def test_one_folder_serves_one_hub(tmp_path: Path) -> None:
    with HubFolder(tmp_path), pytest.raises(HubFolderError, match="Another hub uses the folder"):
        HubFolder(tmp_path)
    HubFolder(tmp_path).close()


def test_a_hub_whose_port_is_taken_or_whose_club_is_no_name_leaves_nothing_running(tmp_path: Path) -> None:
    before = set(children_of(os.getpid()))
    (tmp_path / "hub.json").write_text(f'{{"broker_port": {free_port()}}}')
    with Hub(HubSettings(tmp_path, port=0), print) as running:
        port = int(running.addresses[0].rsplit(":", 1)[1].strip("/"))
        with pytest.raises(UserError, match=f"port {port} .*name another port"):
            Hub(HubSettings(tmp_path / "other", port=port), print)
        with pytest.raises(UserError, match="Another hub"):
            Hub(HubSettings(tmp_path, port=0), print)
        with pytest.raises(UserError, match="no name for a club"):
            Hub(HubSettings(tmp_path / "other", port=0, club="Our Club"), print)
    assert not (tmp_path / "other" / "hub.db").exists()
    with pytest.raises(UserError, match="There is no folder"):
        Hub(HubSettings(tmp_path, port=0, store=str(tmp_path / "no" / "where.db")), print)
    until(lambda: all(map(_is_dead, set(children_of(os.getpid())) - before)))
