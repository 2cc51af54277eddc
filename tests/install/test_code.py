"""`pointsman-code`: a new table's code stands on the machine's screen, and no longer when somebody has brought it."""

import json
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from controller.app.fitting.welcoming import CODE
from controller.app.pages import KEYS, square_code
from tests.install.photographed import square_on_console
from tests.test_imports import ROOT

PROGRAM = ROOT / "hardware_docs" / "system" / "pointsman-code"
PATIENCE_S = 60.0
ADDRESS = "http://192.0.2.7:8080/welcome#"
PIN = """#!/bin/sh
[ -e {folder}/refuses ] && {{ echo "web.open is false" >&2; exit 2; }}
echo x >>{folder}/made
[ -e {data}/.pointsman-code ] || cp {folder}/new {data}/.pointsman-code
cat {folder}/told
"""


@dataclass
class Machine:
    """A machine whose table makes one code after the other."""

    folder: Path
    program: "subprocess.Popen[bytes] | None" = field(default=None, init=False)

    @property
    def screen(self) -> str:
        issue = self.folder / "run/pointsman-code/screen"
        return issue.read_text() if issue.exists() else ""

    @property
    def data(self) -> Path:
        return self.folder / "var/lib/pointsman"

    def make(self, code: str, holds_s: float = 600.0, *, network: bool = True) -> None:
        """The next code that the table makes, and how long it holds."""
        (self.folder / "new").write_text(json.dumps({"code": code, "until": time.monotonic() + holds_s}))
        address = f"{ADDRESS}{code}" if network else ""
        told = {"code": code, "address": address, "square": square_code(address) if network else ""}
        (self.folder / "told").write_text(json.dumps(told))

    def start(self) -> None:
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        environment = {"POINTSMAN_ROOT": str(self.folder), "PATH": path}
        self.program = subprocess.Popen([PROGRAM], env=environment)

    def until(self, holds: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < end, self.screen
            time.sleep(0.05)


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    machine = Machine(tmp_path)
    machine.data.mkdir(parents=True)
    programs = {"pointsman-table": PIN.format(folder=tmp_path, data=machine.data), "agetty": "#!/bin/sh\n"}
    for name, text in programs.items():
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).write_text(text)
        (tmp_path / "bin" / name).chmod(0o755)
    machine.make("ABCDEFGH")
    yield machine
    if machine.program is not None:
        machine.program.terminate()
        assert machine.program.wait(PATIENCE_S) == 0
        assert machine.screen == ""


def test_a_phone_scans_the_screen_until_the_table_has_a_director(machine: Machine) -> None:
    (machine.data / KEYS).write_text('{"director": ""}')
    machine.start()
    machine.until(lambda: square_on_console(machine.screen) == f"{ADDRESS}ABCDEFGH")
    assert "type the code ABCDEFGH" in machine.screen
    (machine.data / KEYS).write_text('{"director": "$argon2"}')
    machine.until(lambda: not machine.screen)
    assert machine.program is not None
    assert machine.program.wait(PATIENCE_S) == 0


def test_a_code_that_holds_no_more_gives_way_to_a_new_one(machine: Machine) -> None:
    machine.make("OLDOLDOL", holds_s=1.0)
    machine.start()
    machine.until(lambda: "OLDOLDOL" in machine.screen)
    machine.make("NEWNEWNE")
    machine.until(lambda: "NEWNEWNE" in machine.screen)
    assert "OLDOLDOL" not in machine.screen


def test_a_code_that_was_used_or_made_elsewhere_is_shown_as_it_is_now(machine: Machine) -> None:
    machine.start()
    machine.until(lambda: "ABCDEFGH" in machine.screen)
    machine.make("ELSEWHER")
    (machine.folder / "new").rename(machine.data / CODE)
    machine.until(lambda: "ELSEWHER" in machine.screen)
    made = (machine.folder / "made").read_text()
    time.sleep(3)
    assert (machine.folder / "made").read_text() == made


def test_without_a_network_the_page_of_the_tables_own_wifi_has_the_code(machine: Machine) -> None:
    machine.make("ABCDEFGH", network=False)
    machine.start()
    code = machine.folder / "run/pointsman-code/code"
    machine.until(code.exists)
    assert (code.read_text(), machine.screen) == ("ABCDEFGH", "")


def test_on_that_page_a_code_holds_until_the_phone_is_in_the_other_wifi(machine: Machine) -> None:
    """It is read there, and typed minutes later; once the table tries to join, the code stays as it was read."""
    hotspot = machine.folder / "run/pointsman-wifi/screen"
    hotspot.parent.mkdir(parents=True)
    hotspot.touch()
    tried = machine.folder / "run/pointsman-wifi/tried"
    tried.touch()
    machine.make("HALFDONE", holds_s=300.0)
    machine.start()
    machine.until(lambda: "HALFDONE" in machine.screen)
    machine.make("NEWNEWNE")
    time.sleep(3)
    assert "HALFDONE" in machine.screen
    tried.unlink()
    machine.until(lambda: "NEWNEWNE" in machine.screen)


def test_a_table_that_lets_no_phone_in_shows_nothing(machine: Machine) -> None:
    (machine.folder / "refuses").touch()
    machine.start()
    time.sleep(2)
    assert machine.screen == ""
