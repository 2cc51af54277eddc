"""The broker: Mosquitto as a child of the hub, started again when it dies."""

import contextlib
import ctypes
import datetime
import getpass
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Final

from controller.closing import Closeable
from controller.club.transport import PORT, TLS_PORT, BrokerAddress
from controller.errors import UserError
from controller.hub.folder import BROKER, HubFolder
from controller.hub.logins import HUB, PASSWORDS, RULES, BrokerLogins, hub_client
from controller.systemd import SOCKET
from controller.web.wire.authority import OwnAuthority, hub_authority
from controller.web.wire.private_file import write_private

LOOPBACK: Final = "127.0.0.1"
EVERYWHERE: Final = "0.0.0.0"
SEARCHED: Final = "/usr/local/bin:/usr/bin:/bin:/usr/local/sbin:/usr/sbin:/sbin"
FIRST_WAIT_S: Final = 0.1
LONGEST_WAIT_S: Final = 5.0
STEADY_S: Final = 30.0
"""After a broker has run for this time, the wait before the next start is the shortest again."""
STOP_S: Final = 5.0
WORDS_KEPT: Final = 5
COMERS_KEPT: Final = 16
LARGEST_MESSAGE: Final = 2 << 20
MOST_QUEUED: Final = 32 << 20
"""Bytes that wait in the broker for one client at most; tables send again what is not confirmed."""
_PR_SET_PDEATHSIG: Final = 1
_PORT: Final = "broker_port"
# Where the usual one is taken. From 32768 on the kernel gives ports away: one of those, kept for good, would some day
# be the near end of somebody's connection when the hub starts.
_OTHER_PORTS: Final = range(20_000, 30_000)


class BrokerError(UserError):
    """A broker that cannot be had."""


@dataclass(frozen=True, slots=True)
class BrokerOffer:
    """What a table needs to log in, beside its password.

    Attributes:
        port: of the broker.
        authority: who vouches for it; None where it is for this machine only, and speaks plainly.
        host: where it is; empty if it is where the hub is.
    """

    port: int
    authority: OwnAuthority | None = None
    host: str = ""


class ChildBroker(Closeable):
    """Mosquitto, kept running by a thread of its own.

    It dies with the hub: the system ends it when that thread ends, however the hub ended.

    Attributes:
        address: how the hub itself logs in.
        offer: how tables do.
        logins: who may; None where it is for this machine only.
        client: the client id of the hub's own connection.
        pid: of the process that runs; 0 for none.
        starts: how often it was started.
    """

    def __init__(
        self, folder: HubFolder, club: str, *, names: tuple[str, ...], say: Callable[[str], None]
    ) -> None:
        """Write its configuration and start it.

        Args:
            folder: the hub's.
            club: its name in addresses.
            names: by which tables reach this machine; none where it is for this machine only.
            say: called with one sentence when it dies, and one when it runs again.

        Raises:
            UserError: if it is not installed, or cannot be configured.
        """
        program = find_program("mosquitto")
        self._say = say
        self._as_hub: deque[str] = deque(maxlen=COMERS_KEPT)
        self._folder = folder.path / BROKER
        self.logins: BrokerLogins | None = None
        if names:
            now = datetime.datetime.now(datetime.UTC)
            self._folder.mkdir(mode=0o700, exist_ok=True)
            authority = hub_authority(folder.path, club, names, now)
            self.logins = BrokerLogins(self._folder, club, find_program("mosquitto_passwd"))
            certificate, key = authority.vouch(self._folder, (*names, "localhost", LOOPBACK), now)
            self.offer = BrokerOffer(TLS_PORT, authority)
            self.address = BrokerAddress(
                LOOPBACK, TLS_PORT, HUB, self.logins.hub_password, authority=authority.path
            )
            text = _open_configuration(self._folder, authority.path, certificate, key)
        else:
            self._folder.mkdir(mode=0o700, exist_ok=True)
            port = _own_port(folder)
            self.offer = BrokerOffer(port)
            self.address = BrokerAddress(LOOPBACK, port)
            text = _loopback_configuration(port)
        self.client = self.address.user or hub_client(club)
        write_private(self._folder / "mosquitto.conf", text.encode())
        self._command = (program, "-c", str((self._folder / "mosquitto.conf").absolute()))
        self._stopped = threading.Event()
        self._running: subprocess.Popen[str] | None = None
        self.starts = 0
        self._thread = threading.Thread(target=self._keep_running, name="pointsman-broker", daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        """See the class."""
        running = self._running
        return running.pid if running is not None and running.poll() is None else 0

    def came_as_hub(self) -> tuple[str, ...]:
        """From which addresses the hub, or somebody in its name, has connected lately; the latest last."""
        return tuple(self._as_hub)

    def add(self, table: str) -> str:
        """Let a table log in; its password, empty where none is needed. Raises UserError."""
        if self.logins is None:
            return ""
        password = self.logins.add(table)
        running = self._running
        if running is not None:
            running.send_signal(signal.SIGHUP)
        return password

    def close(self) -> None:
        """End it."""
        self._stopped.set()
        running = self._running
        if running is not None:
            with contextlib.suppress(ProcessLookupError):
                running.terminate()
        self._thread.join(STOP_S)

    def _keep_running(self) -> None:
        wait, died = FIRST_WAIT_S, False
        while not self._stopped.is_set():
            began = time.monotonic()
            words: deque[str] = deque(maxlen=WORDS_KEPT)
            try:
                self._run_once(words, died=died)
            except OSError as error:
                words.append(str(error))
            if self._stopped.is_set():
                return
            if time.monotonic() - began > STEADY_S:
                wait, died = FIRST_WAIT_S, False
            if not died:
                self._say(f"The broker ended ({_reason(words)}); it is started again by itself.")
            died = True
            self._stopped.wait(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)

    def _run_once(self, words: deque[str], *, died: bool) -> None:
        """Run it until it ends; its last words are kept."""
        self._running = running = subprocess.Popen(
            self._command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            errors="backslashreplace",
            # What systemd hears is said by the hub; Mosquitto, too, would speak to it.
            env={name: value for name, value in os.environ.items() if name != SOCKET},
            start_new_session=True,  # a Ctrl-C at the terminal is the hub's to hear
            preexec_fn=_die_with_parent,
        )
        self.starts += 1
        if self._stopped.is_set():
            running.terminate()
        assert running.stderr is not None
        with running.stderr:
            for line in running.stderr:
                word = _plain(line)
                if _RUNS in word and died:
                    self._say("The broker runs again.")
                if word.startswith(_WORSE):
                    words.append(word)
                came = _CAME.fullmatch(word)
                if came is not None and came["client"] == self.client:
                    self._as_hub.append(came["address"])
        running.wait()
        if running.returncode < 0:
            words.append(signal.Signals(-running.returncode).name)


_LIBC: Final = ctypes.CDLL(None) if sys.platform == "linux" else None
_RUNS: Final = " running"
_WORSE: Final = "Error"
_CAME: Final = re.compile(r"New client connected from (?P<address>\S+) as (?P<client>.+) \(p\d, .*\)\.")
"""As Mosquitto says it since version 2.0; at the end stand version of MQTT, clean start, keep alive, and login."""


def _die_with_parent() -> None:
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)


def _plain(line: str) -> str:
    """A line of Mosquitto's without the time that it begins with."""
    first, _, rest = line.strip().partition(": ")
    return rest if first.isdecimal() else line.strip()


def _reason(words: deque[str]) -> str:
    return words[-1].removeprefix("Error: ").rstrip(".") if words else "it did not say why"


def find_program(name: str) -> str:
    """Where a program of the package mosquitto lies. Raises BrokerError if it is not installed."""
    found = shutil.which(name) or shutil.which(name, path=SEARCHED)
    if found is None:
        raise BrokerError(
            f"{name} is not installed; install it with sudo apt install mosquitto, or name a broker with --broker."
        )
    return found


def _own_port(folder: HubFolder) -> int:
    """The port at which the broker of this folder is for this machine: always the same, so that tables find it."""
    kept = folder.recall(_PORT)
    if isinstance(kept, int):
        return kept
    port = PORT if _is_free(PORT) else _free_port()
    folder.remember(_PORT, port)
    return port


def _is_free(port: int) -> bool:
    with socket.socket() as asking:
        asking.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            asking.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def _free_port() -> int:
    begin = os.getpid() % len(_OTHER_PORTS)  # hubs that start at once look from different places
    ports: Iterator[int] = chain(_OTHER_PORTS[begin:], _OTHER_PORTS[:begin])
    return next(port for port in ports if _is_free(port))


def _common_lines() -> str:
    # Started by root Mosquitto would become another user, who cannot read what is private here.
    return (
        f"user {getpass.getuser()}\n"
        "persistence false\n"
        "log_dest stderr\n"
        "log_type error\n"
        "log_type warning\n"
        "log_type information\n"
        "log_type notice\n"  # who connects, and under what name
        "set_tcp_nodelay true\n"
        "sys_interval 0\n"
        "max_queued_messages 20000\n"
        f"max_queued_bytes {MOST_QUEUED}\n"
        "max_inflight_messages 1000\n"
        f"max_inflight_bytes {MOST_QUEUED}\n"
        f"message_size_limit {LARGEST_MESSAGE}\n"
    )


def _loopback_configuration(port: int) -> str:
    return f"{_common_lines()}listener {port} {LOOPBACK}\nallow_anonymous true\n"


def _open_configuration(folder: Path, authority: Path, certificate: Path, key: Path) -> str:
    return (
        f"{_common_lines()}listener {TLS_PORT} {EVERYWHERE}\n"
        "allow_anonymous false\n"
        # Any login could take the client id of the hub or of another table otherwise, and so end its connection.
        "use_username_as_clientid true\n"
        f"cafile {authority.absolute()}\n"
        f"certfile {certificate.absolute()}\n"
        f"keyfile {key.absolute()}\n"
        "tls_version tlsv1.2\n"
        f"password_file {(folder / PASSWORDS).absolute()}\n"
        f"acl_file {(folder / RULES).absolute()}\n"
    )
