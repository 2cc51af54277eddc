"""`pointsman-update`: a word is taken, git and install.sh do the rest, and what fails changes nothing."""

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.app.fitting.updating import HELD, REQUEST, STATE, UpdateErrand
from tests.test_imports import ROOT

PROGRAM = ROOT / "hardware_docs" / "system" / "pointsman-update"
INSTALL = """#!/bin/sh
[ -e "$0.fails" ] && { echo "install.sh: no network" >&2; exit 1; }
[ -e "$0.killed" ] && { mkdir -p "$POINTSMAN_ROOT/opt/pointsman/versions/2/bin"; kill -9 $PPID; exit 1; }
cd "$POINTSMAN_ROOT/opt/pointsman" && mkdir -p versions/2/bin &&
cp versions/1/bin/pointsman versions/2/bin/ && touch versions/2/source &&
sed -i s/1.0.0/1.1.0/ versions/2/bin/pointsman && ln -sfn versions/2 current && echo "$*" >way
"""
NEWS = "# Changelog\n\n## [1.1.0]\n\n### Added\n\n- A table is set up by\n  [phone](x.md). More of it.\n- Else.\n"


@dataclass
class Machine:
    """A machine with version 1.0.0, whose system is a log of what it was told."""

    root: Path

    @property
    def request(self) -> Path:
        return self.root / "var/lib/pointsman/.update-request"

    @property
    def state(self) -> dict[str, str]:
        told: dict[str, str] = json.loads((self.root / "opt/pointsman/update.json").read_text())
        return told

    @property
    def current(self) -> str:
        return str((self.root / "opt/pointsman/current").readlink())

    @property
    def told(self) -> str:
        log = self.root / "told"
        return log.read_text() if log.exists() else ""

    def run(self, *words: str) -> int:
        path = f"{self.root / 'bin'}:{os.environ['PATH']}"
        environment = {"POINTSMAN_ROOT": str(self.root), "PATH": path, "HOME": str(self.root)}
        return subprocess.run([PROGRAM, *words], env=environment, capture_output=True, timeout=120).returncode

    def fail(self, program: str) -> None:
        """systemctl fails with this unit from now on."""
        (self.root / f"fails-{program}").touch()


def git(folder: Path, *words: str) -> None:
    named = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", folder, *named, *words], check=True, capture_output=True)


def executable(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o755)


@pytest.fixture
def upstream(tmp_path: Path) -> Path:
    """Where newer versions come from."""
    folder = tmp_path / "upstream"
    executable(folder / "install.sh", INSTALL)
    publish(folder, "1.0.0", "# Changelog\n", begin=True)
    return folder


def publish(folder: Path, version: str, changelog: str, *, begin: bool = False) -> None:
    (folder / "controller").mkdir(exist_ok=True)
    (folder / "controller/__init__.py").write_text(f'__version__ = "{version}"\n')
    (folder / "CHANGELOG.md").write_text(changelog)
    if begin:
        git(folder, "init", "--quiet")
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", version)


@pytest.fixture
def machine(tmp_path: Path, upstream: Path) -> Machine:
    root = tmp_path / "root"
    executable(root / "opt/pointsman/versions/1/bin/pointsman", "#!/bin/sh\necho Pointsman 1.0.0\n")
    (root / "opt/pointsman/versions/1/source").touch()
    (root / "opt/pointsman/current").symlink_to("versions/1")
    (root / "var/lib/pointsman").mkdir(parents=True)
    git(tmp_path, "clone", "--quiet", str(upstream), str(root / "src"))
    (root / "opt/pointsman/source").write_text(f"{root / 'src'}\n")
    executable(
        root / "bin/systemctl",
        f'#!/bin/sh\necho "$*" >>{root}/told\nfor word; do [ -e {root}/fails-$word ] && exit 1; done\nexit 0\n',
    )
    return Machine(root)


def test_what_is_new_is_told_in_one_sentence(machine: Machine, upstream: Path) -> None:
    assert machine.run("check") == 0
    assert (machine.state["new"], machine.state["outcome"]) == ("", "checked")
    publish(upstream, "1.1.0", NEWS)
    assert machine.run("check") == 0
    assert (machine.state["new"], machine.state["news"]) == ("1.1.0", "A table is set up by phone.")
    assert machine.state["version"] == "1.0.0"


def test_an_update_makes_a_backup_first_and_keeps_the_version_before(
    machine: Machine, upstream: Path
) -> None:
    publish(upstream, "1.1.0", NEWS)
    assert machine.run("update") == 0
    assert "start pointsman-backup.service" in machine.told
    assert machine.current == "versions/2"
    state = machine.state
    assert (state["version"], state["before"], state["outcome"]) == ("1.1.0", "1.0.0", "updated")
    assert (machine.root / "opt/pointsman/way").read_text() == "\n"


def test_a_table_with_a_ribbon_is_updated_as_one(machine: Machine, upstream: Path) -> None:
    (machine.root / "opt/pointsman/current/pyvenv.cfg").write_text("include-system-site-packages = true\n")
    publish(upstream, "1.1.0", NEWS)
    machine.run("update")
    assert (machine.root / "opt/pointsman/way").read_text() == "--ribbon\n"


def test_it_goes_back_and_forth(machine: Machine, upstream: Path) -> None:
    assert machine.run("back") == 1
    assert machine.state["outcome"] == "no_version"
    publish(upstream, "1.1.0", NEWS)
    machine.run("update")
    assert machine.run("back") == 0
    assert (machine.current, machine.state["version"]) == ("versions/1", "1.0.0")
    assert "restart pointsman\n" in machine.told
    machine.fail("restart")
    assert machine.run("back") == 1
    assert (machine.current, machine.state["outcome"]) == ("versions/1", "not_started")


def test_without_a_backup_nothing_is_updated(machine: Machine, upstream: Path) -> None:
    publish(upstream, "1.1.0", NEWS)
    machine.fail("pointsman-backup.service")
    assert machine.run("update") == 1
    assert (machine.state["outcome"], machine.current) == ("backup_failed", "versions/1")


def test_a_version_that_cannot_be_installed_can_be_tried_again(machine: Machine, upstream: Path) -> None:
    publish(upstream, "1.1.0", NEWS)
    faulty = machine.root / "src/install.sh.fails"
    faulty.touch()
    assert machine.run("update") == 1
    assert (machine.state["outcome"], machine.state["why"]) == ("not_installed", "install.sh: no network")
    machine.run("check")
    assert machine.state["new"] == "1.1.0"
    faulty.unlink()
    assert machine.run("update") == 0


def errand(machine: Machine) -> UpdateErrand:
    """What the page knows."""
    return UpdateErrand(machine.request.parent, machine.root / "opt/pointsman/update.json")


def test_an_update_that_was_cut_off_is_told_and_made_when_it_is_asked_for_again(
    machine: Machine, upstream: Path
) -> None:
    publish(upstream, "1.1.0", NEWS)
    cut = machine.root / "src/install.sh.killed"
    cut.touch()
    assert machine.run("update") < 0
    assert machine.state["step"] == "installing"
    assert not errand(machine).running
    words = errand(machine).view().words
    assert words is not None
    assert "The last request was cut off" in words("en")
    cut.unlink()
    assert machine.run("check") == 0
    assert (machine.state["version"], machine.state["before"]) == ("1.0.0", "")
    assert machine.state["new"] == "1.1.0", "git has it already, the table has not"
    assert machine.run("back") == 1
    assert machine.state["outcome"] == "no_version", "what was cut off is no version"
    assert machine.run("update") == 0
    assert (machine.state["version"], machine.state["before"]) == ("1.1.0", "1.0.0")
    assert machine.run("check") == 0
    assert machine.state["new"] == ""


def test_an_update_that_was_cut_off_and_fails_when_it_is_made_again_leaves_the_folder_as_it_was(
    machine: Machine, upstream: Path
) -> None:
    publish(upstream, "1.1.0", NEWS)
    cut, fails = machine.root / "src/install.sh.killed", machine.root / "src/install.sh.fails"
    cut.touch()
    machine.run("update")
    cut.unlink()
    fails.touch()
    assert machine.run("update") == 1
    assert machine.state["outcome"] == "not_installed"
    assert "1.0.0" in (machine.root / "src/controller/__init__.py").read_text()


def test_whoever_installs_by_hand_after_a_cut_leaves_nothing_of_it(machine: Machine, upstream: Path) -> None:
    publish(upstream, "1.1.0", NEWS)
    (machine.root / "src/install.sh.killed").touch()
    machine.run("update")
    assert machine.run("show") == 0
    assert (machine.state["step"], machine.state["outcome"]) == ("", "")
    assert machine.run("check") == 0
    assert machine.state["new"] == ""


def test_the_page_knows_that_an_update_is_under_way(machine: Machine, upstream: Path) -> None:
    publish(upstream, "1.1.0", NEWS)
    executable(
        machine.root / "bin/systemctl",
        f"#!/bin/sh\necho >{machine.root}/began; read -r _ <{machine.root}/go\n",
    )
    for name in ("began", "go"):
        os.mkfifo(machine.root / name)
    with ThreadPoolExecutor() as aside:
        update = aside.submit(machine.run, "update")
        (machine.root / "began").read_text()
        try:
            assert machine.state["step"] == "backup"
            assert errand(machine).running
            assert machine.run("show") == 0
            assert machine.state["step"] == "backup"
        finally:
            (machine.root / "go").write_text("on\n")
        assert update.result() == 0
    assert not errand(machine).running


def test_a_network_that_is_missing_and_a_folder_that_is_gone_are_told(
    machine: Machine, upstream: Path
) -> None:
    upstream.rename(upstream.with_name("away"))
    assert machine.run("check") == 1
    assert machine.state["outcome"] == "offline"
    (machine.root / "src").rename(machine.root / "moved")
    assert machine.run("update") == 1
    assert machine.state["outcome"] == "no_source"


def test_a_folder_with_changes_of_its_own_is_left_alone(machine: Machine, upstream: Path) -> None:
    git(machine.root / "src", "commit", "--quiet", "--allow-empty", "--message", "mine")
    publish(upstream, "1.1.0", NEWS)
    assert machine.run("update") == 1
    assert (machine.state["outcome"], machine.current) == ("changed_here", "versions/1")


def test_the_page_leaves_a_word_that_is_taken_once(machine: Machine) -> None:
    machine.request.write_text("check")
    assert machine.run("request") == 0
    assert machine.state["outcome"] == "checked"
    assert not machine.request.exists()
    assert machine.run("request") == 2


@pytest.mark.parametrize("text", ["", "rm -rf /", "show", "request", "update\nback", "x" * 100_000])
def test_nothing_but_the_words_is_taken_from_the_page(machine: Machine, text: str) -> None:
    machine.request.write_text(text)
    assert machine.run("request") == 2
    assert not machine.request.exists()
    assert machine.told == ""


def test_no_link_is_followed_out_of_the_tables_folder(machine: Machine) -> None:
    elsewhere = machine.root / "elsewhere"
    elsewhere.write_text("check")
    machine.request.symlink_to(elsewhere)
    assert machine.run("request") == 2
    assert elsewhere.read_text() == "check"


def test_the_system_watches_for_the_file_that_the_page_writes() -> None:
    watched = (PROGRAM.parent / "pointsman-update.path").read_text()
    assert f"PathExists=/var/lib/pointsman/{REQUEST}\n" in watched
    text = PROGRAM.read_text()
    assert f'"{str(STATE.parent).lstrip("/")}"' in text
    assert f'"{STATE.name}"' in text
    assert f'"{HELD}"' in text
