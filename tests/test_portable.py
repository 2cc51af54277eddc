"""A laptop alone: what runs there needs nothing that only Linux has. Neither macOS nor Windows is tried itself."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import httpx
import pytest

from controller import whole_file
from controller.config import load_config
from tests.test_imports import PATHS, ROOT

ABSENT: Final = ("fcntl", "termios", "pwd", "grp", "resource", "tty", "pty", "syslog")
"""Modules of Python that Windows has not."""
LACKING: Final = (
    "O_CLOEXEC",
    "O_NOFOLLOW",
    "O_DIRECTORY",
    "fork",
    "geteuid",
    "getuid",
    "getgroups",
    "openpty",
)
"""What `os` has not there; of signals it lacks SIGHUP, SIGUSR1 and SIGKILL."""
PRELUDE: Final = f'''
import os, signal, sys
# What others bring may know its system better, and is loaded before.
import asyncio, concurrent.futures, multiprocessing, socket, subprocess, tempfile, uuid, zipfile, tarfile, shutil
import argon2, cryptography, cv2, fastapi, gpiozero, numpy, platformdirs.unix, serial, typer
import uvicorn, websockets, zeroconf
for name in {ABSENT!r}:
    sys.modules[name] = None
class Locks:
    """What holds files there: a lock on some bytes."""
    LK_NBLCK, LK_LOCK, locking = 2, 1, staticmethod(lambda descriptor, kind, size: None)
sys.modules["msvcrt"] = Locks
for name in {LACKING!r}:
    delattr(os, name)
for name in ("SIGHUP", "SIGUSR1", "SIGKILL"):
    delattr(signal, name)
'''
INSIDE_GNUBG: Final = "controller.analysis.inside_gnubg"
"""It runs in gnubg's own Python."""


def run(code: str, folder: Path, patience_s: float = 120) -> "subprocess.CompletedProcess[str]":
    """Run code as on a system without what only Linux has."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", f"{PRELUDE}\n{code}"]
    return subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=patience_s
    )


def test_no_module_needs_linux_to_be_imported(tmp_path: Path) -> None:
    names = sorted(
        name
        for name in PATHS
        if name.startswith(("controller", "calibration"))
        and not name.startswith(("calibration.training", "controller.library", "controller.__main__"))
        and name != INSIDE_GNUBG
    )
    code = f"""
import importlib
for name in {names!r}:
    try:
        importlib.import_module(name)
    except Exception as error:
        print(name, repr(error))
"""
    said = run(code, tmp_path)
    assert (said.returncode, said.stdout) == (0, ""), said.stderr[-2000:]


def test_a_table_runs_without_it_and_is_set_up_on_its_page(tmp_path: Path) -> None:
    (tmp_path / "pointsman.toml").write_text('[camera]\nsource = "phone"\n[web]\nport = 0\n')
    code = """
sys.argv = ["pointsman", "run", "--no-keyboard"]
from controller.cli import main
main()
"""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", f"{PRELUDE}\n{code}"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as table:
        assert table.stdout is not None
        assert table.stderr is not None
        try:
            address = table.stdout.readline().strip()
            with httpx.Client(base_url=address, timeout=60) as screen:
                assert screen.get("/setup").status_code == 200
                chosen = screen.post("/api/v1/setup/settings", json={"values": {"match": {"table": "4"}}})
                assert chosen.json()["answer"] == "done", chosen.text
        finally:
            table.terminate()
        complaints = table.stderr.read()
    assert (table.returncode, "Traceback" in complaints) == (0, False), complaints
    assert load_config(tmp_path / "pointsman.toml").match.table == "4"


def test_where_folders_cannot_be_opened_files_are_still_written_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(whole_file, "FOLDERS", False)
    whole_file.replace_file(tmp_path / "file", b"whole", 0o644)
    assert (tmp_path / "file").read_bytes() == b"whole"
