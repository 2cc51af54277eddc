"""What of `install.sh` can be tried on any machine; `make test-install` tries all of it in clean systems."""

import configparser
import os
import re
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

from controller.config.config import parse_config
from controller.config.sample import sample
from controller.hub import hub
from controller.web.server import thread
from tests.test_docs import complaint
from tests.test_imports import ROOT

SCRIPT = ROOT / "install.sh"
FILES = ROOT / "hardware_docs" / "system"
AS_ROOT = {FILES / "pointsman-update.service", FILES / "pointsman-code.service"}
"""They run programs of root: one runs `install.sh`, the other writes above the login of the machine's screen."""
UNITS = sorted({*FILES.glob("*.service"), *FILES.glob("*.timer")} - AS_ROOT)
RELEASE = Path("/etc/os-release")
IS_DEBIAN = RELEASE.exists() and any(name in RELEASE.read_text() for name in ("bookworm", "trixie"))
MAY = os.geteuid() == 0 or shutil.which("sudo") is not None
on_debian = pytest.mark.skipif(
    not (IS_DEBIAN and MAY), reason="install.sh is for Debian, for root or with sudo"
)


def copied(place: Path, *rooms: str) -> Path:
    """A copy of the project as far as the script looks at it before it changes anything.

    The script reads each module as Python does, which takes most of its time: most tests give it few.
    """
    for part in (*rooms, "hardware_docs/system"):
        shutil.copytree(ROOT / part, place / part, ignore=shutil.ignore_patterns("__pycache__"))
    for part in ("install.sh", "pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / part, place / part)
    return place


@pytest.fixture(scope="module")
def few_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy with some modules of each room that the script reads, and all else that it needs."""
    place = copied(tmp_path_factory.mktemp("few") / "pointsman", "controller/club")
    (place / "calibration").mkdir()
    shutil.copy(ROOT / "controller" / "errors.py", place / "controller")
    shutil.copy(ROOT / "calibration" / "calibrate.py", place / "calibration")
    return place


def install(*options: str, source: Path = ROOT, **environment: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [source / SCRIPT.name, *options],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | environment,
    )


@cache
def dry_run(source: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    """What the script would do; as it does nothing, it is asked once for each choice of options."""
    return install("--dry-run", *options, source=source)


def test_help_names_every_option() -> None:
    said = install("--help")
    assert said.returncode == 0
    text = SCRIPT.read_text().partition("for word in")[2].partition("esac")[0]
    options = [
        word for line in text.splitlines() for word in line.split(")")[0].split() if word.startswith("--")
    ]
    assert len(options) >= 6
    assert [option for option in options if option not in said.stdout] == []


def test_an_unknown_option_is_named() -> None:
    said = install("--dryrun")
    assert said.returncode == 2
    assert said.stderr == "install.sh: there is no option --dryrun; ./install.sh --help lists them.\n"
    assert said.stdout == ""


@on_debian
@pytest.mark.parametrize("way", [(), ("--ribbon",)])
def test_a_dry_run_tells_every_step_and_takes_none(way: tuple[str, ...], few_modules: Path) -> None:
    there = Path("/opt/pointsman").exists()
    said = dry_run(few_modules, *way) if way else install("--dry-run")
    assert said.returncode == 0, said.stderr
    lines = [line for line in said.stdout.splitlines() if line.startswith("+ ")]
    for step in ("venv", "ln -sfn versions/", "systemctl --quiet enable pointsman.service"):
        assert any(step in line for line in lines), step
    assert any("--system-site-packages" in line for line in lines) == bool(way)
    assert Path("/opt/pointsman").exists() == there


@on_debian
def test_a_table_that_speaks_gets_its_programs_and_the_sound_card_and_no_other_table_does(
    few_modules: Path,
) -> None:
    speaks, mute = dry_run(few_modules, "--speech"), dry_run(few_modules)
    for program in ("espeak-ng", "alsa-utils"):
        assert shutil.which({"alsa-utils": "aplay"}.get(program, program)) or program in speaks.stdout
        assert program not in mute.stdout
    if "usermod --append --groups dialout pointsman" in mute.stdout:
        assert "usermod --append --groups audio pointsman" in speaks.stdout
    assert "groups audio" not in mute.stdout


def test_a_new_configuration_switches_on_the_voice_and_nothing_else() -> None:
    """The line of the script that does it, on what `pointsman config` prints."""
    found = re.search(r"sed '(/.\\\[speech.*?)'; else", SCRIPT.read_text())
    assert found is not None
    plain = sample()
    made = subprocess.run(["sed", found[1]], input=plain, capture_output=True, text=True, check=True).stdout
    changed = [(a, b) for a, b in zip(plain.splitlines(), made.splitlines(), strict=True) if a != b]
    assert changed == [("#use = false", "use = true")]
    assert parse_config(made, "new", Path()).speech.use


@on_debian
def test_a_table_that_opens_a_wifi_of_its_own_has_what_the_package_has(few_modules: Path) -> None:
    opens, plain = dry_run(few_modules, "--wifi"), dry_run(few_modules)
    assert opens.returncode == 0, opens.stderr
    installed = re.findall(
        r"^wifi/(\S+) (\S+)$", (FILES / "debian/pointsman-wifi.install").read_text(), re.MULTILINE
    )
    for file, place in installed:
        if (FILES / "wifi" / file).is_file():
            assert f"/{place}/{Path(file).name}" in opens.stdout
    assert "/usr/lib/pointsman-wifi/python/sitecustomize.py" in opens.stdout
    linked = (FILES / "debian/pointsman-wifi.links").read_text().splitlines()
    for target, link in (line.split() for line in linked):
        assert f"ln -sfn /{target} /{link}" in opens.stdout
    assert "/etc/systemd/system/comitup.service.d/pointsman.conf" in opens.stdout
    assert "comitup" not in plain.stdout


@on_debian
def test_a_hub_is_a_service_of_its_own_with_a_user_of_its_own(few_modules: Path) -> None:
    said, plain = dry_run(few_modules, "--hub"), dry_run(few_modules)
    assert said.returncode == 0, said.stderr
    lines = [line for line in said.stdout.splitlines() if line.startswith("+ ")]
    for step in (
        "useradd --system --user-group --home-dir /var/lib/pointsman-hub",
        "install -d -o pointsman-hub -g pointsman-hub -m 0750 /var/lib/pointsman-hub",
        "/etc/systemd/system/pointsman-hub.service",
        "/usr/local/bin/pointsman-hub",
        "/etc/default/pointsman-hub",
        "systemctl --quiet enable pointsman-hub.service",
    ):
        assert any(step in line for line in lines), step
    if not Path("/etc/systemd/system/pointsman-hub.service").exists():
        assert "pointsman-hub" not in plain.stdout


@on_debian
def test_a_hub_gets_its_broker_and_the_one_that_debian_starts_is_stopped_if_it_is_new(
    tmp_path: Path, few_modules: Path
) -> None:
    (tmp_path / "dpkg-query").write_text(
        '#!/bin/sh\ncase "$*" in *mosquitto*) exit 1 ;; *) printf "ii " ;; esac\n'
    )
    (tmp_path / "dpkg-query").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    said = {way: install("--dry-run", *way, source=few_modules, PATH=path) for way in ((), ("--hub",))}
    stop, fetch = "systemctl --quiet disable", "--no-install-recommends mosquitto"
    for way, told in said.items():
        assert told.returncode == 0, told.stderr
        assert (fetch in told.stdout) == bool(way)
        assert any(stop in line and "mosquitto" in line for line in told.stdout.splitlines()) == bool(way)
    (tmp_path / "dpkg-query").write_text('#!/bin/sh\nprintf "ii "\n')
    there = install("--dry-run", "--hub", source=few_modules, PATH=path)
    assert "mosquitto" not in there.stdout


LOCKED = "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 812 (apt-get)"
OFFLINE = (
    "E: Failed to fetch http://deb.debian.org/debian/dists/bookworm/InRelease  Temporary failure resolving "
    "'deb.debian.org'"
)


def first_install(
    folder: Path, source: Path, *, update: str, found: str = ""
) -> "subprocess.CompletedProcess[str]":
    """Run the script for real where no system package is there and apt cannot help: it gets no further than that.

    ``update`` is what apt says when it fetches its lists, ``found`` when it is to install something.
    """
    stand_ins = {
        "dpkg-query": "exit 1",
        "apt-cache": "exit 0",
        "apt-get": f'case "$*" in update*) echo "{update}" >&2; exit 100;; *) echo "{found}" >&2; exit 100;; esac',
        # Whatever comes after apt would change this machine.
        **dict.fromkeys(("useradd", "usermod", "install", "systemctl", "runuser", "udevadm"), "exit 77"),
        "sudo": 'exec "$@"',
    }
    folder.mkdir()
    for name, does in stand_ins.items():
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)
    return subprocess.run(
        [source / "install.sh"],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        env=os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"},
    )


@on_debian
def test_a_first_install_without_a_network_says_so_in_words_of_its_own(
    tmp_path: Path, few_modules: Path
) -> None:
    said = first_install(
        tmp_path / "bin", few_modules, update=OFFLINE, found="E: Unable to locate package python3-venv"
    )
    assert said.returncode == 1
    last = said.stderr.splitlines()[-1]
    assert last.startswith(
        "install.sh: the system packages python3 python3-venv cannot be fetched: is there a network?"
    )
    assert "version" in last


@on_debian
def test_an_apt_that_is_busy_or_fails_is_not_told_as_a_network_that_is_missing(
    tmp_path: Path, few_modules: Path
) -> None:
    busy = first_install(tmp_path / "busy", few_modules, update=LOCKED, found=LOCKED)
    fails = first_install(
        tmp_path / "fails", few_modules, update="", found="E: Sub-process /usr/bin/dpkg returned an error"
    )
    assert "apt is busy" in busy.stderr.splitlines()[-1]
    assert "what it said stands above" in fails.stderr.splitlines()[-1]
    assert "network" not in busy.stderr + fails.stderr


@on_debian
@pytest.mark.parametrize(
    ("file", "text", "named"),
    [
        ("controller/errors.py", "def broken(:\n    pass\n", "controller/errors.py, line 1: "),
        ("controller/errors.py", "x = 1\0\n", "controller/errors.py"),
        ("pyproject.toml", "[project\n", "pyproject.toml: "),
    ],
)
def test_a_file_with_a_syntax_error_is_named_before_anything_is_changed(
    tmp_path: Path, file: str, text: str, named: str
) -> None:
    copy = copied(tmp_path / "pointsman", "controller", "calibration")
    (copy / file).write_text(text)
    said = first_install(tmp_path / "bin", copy, update=OFFLINE)
    assert said.returncode == 1
    (sentence,) = said.stderr.splitlines()
    assert sentence.startswith(f"install.sh: a file of this copy of Pointsman is faulty: {copy}/{named}")
    assert "network" not in sentence


@on_debian
def test_no_package_of_the_system_is_wanted_for_windows_that_nobody_opens() -> None:
    lines = SCRIPT.read_text()
    assert "libgl" not in lines.casefold().replace("libgl from the system", "")
    swap = lines.partition("WITHOUT_WINDOWS='")[2].partition("'")[0]
    for file in ("pyproject.toml", "constraints.txt"):
        text = (ROOT / file).read_text()
        assert text.count("opencv-python") == 1, file
        swapped = subprocess.run(["sed", "-E", swap], input=text, capture_output=True, text=True, check=True)
        assert swapped.stdout == text.replace("opencv-python", "opencv-python-headless")


@on_debian
def test_a_dry_run_of_taking_it_away_names_no_data() -> None:
    said = install("--uninstall", "--dry-run")
    assert said.returncode == 0, said.stderr
    lines = [line for line in said.stdout.splitlines() if line.startswith("+ ")]
    assert any(line.endswith("rm -rf /opt/pointsman") for line in lines)
    data = ("/var/lib/pointsman", "/etc/pointsman", "/etc/default/pointsman-hub")
    assert [line for line in lines if any(place in line for place in data)] == []
    assert any("/usr/local/bin/pointsman-hub" in line for line in lines)


def unit(path: Path) -> configparser.ConfigParser:
    read = configparser.ConfigParser(strict=False, interpolation=None, delimiters=("=",))
    read.optionxform = str  # type: ignore[assignment,method-assign]
    read.read_string(path.read_text())
    return read


@pytest.mark.parametrize(
    "path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name
)
def test_a_unit_runs_a_command_that_there_is_and_not_as_root(path: Path) -> None:
    service = unit(path)["Service"]
    home = service["StateDirectory"]
    assert service["User"] == service["Group"] == home
    assert home == ("pointsman-hub" if path.name.startswith("pointsman-hub") else "pointsman")
    assert service["WorkingDirectory"] == f"/var/lib/{home}"
    program, _, rest = service["ExecStart"].partition(" ")
    assert program == "/opt/pointsman/current/bin/pointsman"
    assert complaint(f"pointsman {rest.replace('$HUB_OPTIONS', hub_options())}") is None


def hub_options() -> str:
    """What the delivered file of options gives the hub."""
    (line,) = [
        line
        for line in (FILES / "pointsman-hub.default").read_text().splitlines()
        if line.startswith("HUB_OPTIONS=")
    ]
    return line.partition("=")[2].strip('"')


def test_a_service_that_is_restarted_for_ever_says_when_it_is_ready_and_that_it_goes_on() -> None:
    for name in ("pointsman", "pointsman-hub"):
        service = unit(FILES / f"{name}.service")["Service"]
        assert (service["Type"], service["Restart"]) == ("notify", "always")
        assert int(service["WatchdogSec"]) > 0


@pytest.mark.parametrize(
    ("name", "descriptors"),
    [("pointsman.service", thread.DESCRIPTORS), ("pointsman-hub.service", hub.DESCRIPTORS)],
)
def test_a_service_may_have_as_many_descriptors_as_its_pages_reckon_with(name: str, descriptors: int) -> None:
    assert int(unit(FILES / name)["Service"]["LimitNOFILE"]) == descriptors


@pytest.mark.parametrize("name", ["pointsman-table", "pointsman-hub"])
def test_a_command_of_table_or_hub_runs_as_the_user_and_in_the_folder_of_its_unit(name: str) -> None:
    service = unit(FILES / f"{name.removesuffix('-table')}.service")["Service"]
    script = (FILES / name).read_text()
    assert f"cd {service['WorkingDirectory']}\n" in script
    assert f"runuser -u {service['User']} -- " in script
    assert (FILES / name).stat().st_mode & 0o111


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
@pytest.mark.parametrize(
    "path", [path for path in UNITS if path.suffix == ".service"], ids=lambda path: path.name
)
def test_a_unit_has_no_more_rights_than_ok(path: Path) -> None:
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=50", "--no-pager", path]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 0, said.stdout[-300:] + said.stderr


def test_a_unit_of_root_runs_a_program_that_installer_and_package_bring() -> None:
    builder = (FILES / "build_packages.sh").read_text()
    for path in AS_ROOT:
        program = unit(path)["Service"]["ExecStart"].split()[0]
        assert (FILES / program).stat().st_mode & 0o111
        assert f'"$COMMANDS/{program}" 0755' in SCRIPT.read_text()
        assert f'"$place/table/usr/bin/{program}"' in builder


def test_a_timer_starts_the_unit_of_its_name() -> None:
    timers = [path for path in UNITS if path.suffix == ".timer"]
    assert len(timers) == 2
    assert [timer for timer in timers if timer.with_suffix(".service") not in UNITS] == []
