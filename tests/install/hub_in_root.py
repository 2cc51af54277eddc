"""Runs the hub as its unit says, and a table that joins it: ``hub_in_root.py FOLDER``, as root, in a clean root.

It stands in for systemd: user, folder, options and the socket for sd_notify are those of the unit. FOLDER is that of
the sources, whose table writes the entries. What is expected and does not come is told, with status 1.
"""

import json
import os
import shlex
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

UNIT = Path("/etc/systemd/system/pointsman-hub.service")
NOTIFY = Path("/tmp/notify-hub")
PAGE = "http://127.0.0.1:8100/"
PIN = "135790"
ENTRIES = 20
PATIENCE_S = 60.0


def until(holds: Callable[[], object], what: str) -> None:
    """Wait until something holds; end with a sentence if it never does."""
    end = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > end:
            sys.exit(f"hub_in_root.py: {what}")
        time.sleep(0.1)


def command_of(unit: Path) -> tuple[str, str, list[str]]:
    """User, folder and command line of a unit, with the options of its file."""
    lines = [line.split("=", 1) for line in unit.read_text().splitlines() if "=" in line and line[0] != "#"]
    keys = dict(lines)
    options = Path(keys["EnvironmentFile"].removeprefix("-")).read_text()
    told = dict(word.split("=", 1) for word in shlex.split(options, comments=True))
    command = [
        part
        for word in keys["ExecStart"].split()
        for part in (told[word[1:]].split() if word[0] == "$" else [word])
    ]
    return keys["User"], keys["WorkingDirectory"], command


def as_user(user: str, command: list[str], **more: Any) -> "subprocess.Popen[str]":
    """Start a command as somebody."""
    return subprocess.Popen(["runuser", "-u", user, "--", *command], text=True, **more)


def main(sources: str) -> None:
    """Start the hub, choose a PIN, pair a table, have it write, see that all is stored, and end the hub."""
    user, folder, command = command_of(UNIT)
    NOTIFY.unlink(missing_ok=True)
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(NOTIFY))
    NOTIFY.chmod(0o666)
    systemd.setblocking(False)
    heard: list[str] = []

    def hears(line: str) -> bool:
        while True:
            try:
                heard.append(systemd.recv(4096).decode())
            except BlockingIOError:
                return any(each.startswith(line) for each in heard)

    told = {"NOTIFY_SOCKET": str(NOTIFY), "WATCHDOG_USEC": "8000000", "USER": user, "LOGNAME": user}
    os.umask(0o077)
    hub = as_user(user, command, cwd=folder, env=os.environ | told)
    until(lambda: hears("READY=1") or hub.poll() is not None, "the hub is never ready")
    if hub.poll() is not None:
        sys.exit("hub_in_root.py: the hub ended")
    until(lambda: hears("STATUS=0 of 0 tables"), f"the hub does not say how it stands: {heard}")
    until(lambda: hears("WATCHDOG=1"), "the hub does not say that it goes on")
    subprocess.run(["pointsman-hub", "hub", "pin"], input=f"{PIN}\n", text=True, check=True)
    browser = build_opener(HTTPCookieProcessor(CookieJar()))

    def asked(path: str, form: dict[str, str] | None = None) -> bytes:
        data = None if form is None else urlencode(form).encode()
        with browser.open(f"{PAGE}{path}", data) as answer:
            return bytes(answer.read())

    asked("login", {"pin": PIN})
    code = json.loads(asked("api/v1/pairings-code", {}))["code"]
    subprocess.run(["pointsman-table", "pair", "127.0.0.1:8100", code, "--table", "table-1"], check=True)
    table_folder = Path("/var/lib/pointsman/hub-trial")
    table_folder.mkdir()
    subprocess.run(["chown", "pointsman", table_folder], check=True)
    python = "/opt/pointsman/current/bin/python"
    table = as_user(
        "pointsman",
        [python, "-m", "tests.hub.paired_table", "/var/lib/pointsman/pointsman.toml", str(table_folder)],
        cwd=sources,
        env=os.environ | {"PYTHONDONTWRITEBYTECODE": "1"},
        stdout=subprocess.DEVNULL,
    )

    def stored() -> int:
        tables = json.loads(asked("api/v1/tables"))["tables"]
        return sum(each["stored"] for each in tables if each["up"])

    until(lambda: stored() >= ENTRIES or table.poll() is not None, "the hub has no entries of the table")
    until(lambda: hears("STATUS=1 of 1 tables"), f"the hub does not tell of its table: {heard[-3:]}")
    table.terminate()
    table.wait()
    hub.terminate()
    status = hub.wait(PATIENCE_S)
    if not hears("STOPPING=1"):
        sys.exit(f"hub_in_root.py: the hub ended with {status} and did not say so")
    store = Path(folder) / "hub" / "hub.db"
    with sqlite3.connect(store) as database:
        ((rows,),) = database.execute("SELECT count(*) FROM entry")
    if rows < ENTRIES:
        sys.exit(f"hub_in_root.py: {store} holds {rows} entries")
    if store.stat().st_mode & 0o077:
        sys.exit(f"hub_in_root.py: {store} can be read by others")
    sys.stdout.write(f"The hub was ready, took {rows} entries of a paired table, and ended.\n")


if __name__ == "__main__":
    main(sys.argv[1])
