"""A real Mosquitto for tests, that can be killed and started again at the same port."""

import contextlib
import datetime
import ipaddress
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.ports import free_port

PATIENCE_S: Final = 120.0
PROGRAM = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin")
PASSWD = shutil.which("mosquitto_passwd")


def write_certificate(certificate: Path, key: Path) -> None:
    """A certificate for 127.0.0.1 that vouches for itself, and its private key."""
    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "broker")])
    begin = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, private.public_key(), 1, begin, begin.replace(year=2090))
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]), critical=False
        )
        .sign(private, hashes.SHA256())
    )
    certificate.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


class Broker:
    """Mosquitto at a port of its own while the block is not left.

    With ``logins`` (names and passwords) everybody has to log in, and ``rules`` are its access rules. With ``tls`` it
    vouches for itself, for 127.0.0.1, by a certificate in ``authority.pem``.
    """

    def __init__(
        self, folder: Path, logins: Mapping[str, str] | None = None, rules: str = "", *, tls: bool = False
    ) -> None:
        self.port = free_port()
        self._folder = folder
        lines = [f"listener {self.port} 127.0.0.1", "persistence false", "log_dest none", "user root"]
        if tls:
            write_certificate(folder / "authority.pem", folder / "key.pem")
            lines += [f"certfile {folder / 'authority.pem'}", f"keyfile {folder / 'key.pem'}"]
        if logins is None:
            lines.append("allow_anonymous true")
        else:
            assert PASSWD is not None
            (folder / "passwords").touch(0o600)
            for name, password in logins.items():
                subprocess.run([PASSWD, "-b", folder / "passwords", name, password], check=True)
            lines += ["allow_anonymous false", f"password_file {folder / 'passwords'}"]
            self.allow(rules)
            lines.append(f"acl_file {folder / 'rules'}")
        (folder / "mosquitto.conf").write_text("\n".join(lines) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.kill()

    def allow(self, rules: str) -> None:
        """Other access rules; a broker that runs is told of them by `read_rules`."""
        (self._folder / "rules").write_text(rules)

    def read_rules(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def start(self) -> None:
        assert PROGRAM is not None, "the package mosquitto is not installed"
        command = [PROGRAM, "-c", str(self._folder / "mosquitto.conf")]
        self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port), 1):
                return
            time.sleep(0.01)
        raise AssertionError("the broker does not listen")

    def kill(self) -> None:
        """As when the power of its machine is cut."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None
