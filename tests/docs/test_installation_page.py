"""What hardware_docs/installation.md has people type does what it says; its numbers and places are the program's."""

import configparser
import inspect
import os
import re
import subprocess
import tarfile
import time
import tomllib
from importlib.metadata import distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from controller.app.live import Stopwatch
from controller.app.room import Room
from controller.club.pairing import USUAL_PORT
from controller.config.sections import WebSection
from controller.devices.camera.live import LiveCamera
from controller.hub import managed
from controller.record.journal.seal import KEY_FILE
from controller.upkeep.backup import PAGE_KEYS
from controller.web.server.access import DIRECTOR_DIGITS
from controller.web.wire.one_time_code import LASTS_S
from tests.docs.set_up_page import INSTALLATION, PageMachine, block, page_machine, section, sentence
from tests.hub.plain_tables import PlainTable
from tests.install.test_install import FILES, SCRIPT, hub_options, unit
from tests.install.test_update import executable, publish
from tests.test_imports import ROOT
from tests.upkeep.tables import kept, make_table
from tests.upkeep.test_hub_backup import make_hub

NUMBERS = {"five": 5, "six": 6, "seven": 7, "ten": 10}
TEXT = SCRIPT.read_text(encoding="utf-8")


@pytest.fixture
def machine(tmp_path: Path) -> PageMachine:
    return page_machine(tmp_path)


def number(words: str, pattern: str) -> int:
    """The one number in a sentence, in figures or in letters."""
    found = re.search(pattern, words)
    assert found is not None, words
    return NUMBERS[found[1]] if found[1] in NUMBERS else int(found[1])


def constant(name: str) -> str:
    """The value of a constant of install.sh."""
    found = re.search(rf"^readonly {name}=(\([^)]*\)|\S+)", TEXT, re.MULTILINE)
    assert found is not None, name
    return found[1].strip("()")


# --- what is typed --------------------------------------------------------------------------------------------


def test_the_program_is_fetched_and_brought_up_to_date_as_the_page_types_it(
    machine: PageMachine, tmp_path: Path
) -> None:
    upstream = tmp_path / "upstream"
    executable(upstream / "install.sh", "#!/bin/sh\ncat controller/__init__.py\n")
    publish(upstream, "1.0.0", "# Changelog\n", begin=True)
    first = block(INSTALLATION, "sudo apt install git")
    assert '"1.0.0"' in machine.type(first, **{"<address of this repository>": str(upstream)})
    publish(upstream, "1.1.0", "# Changelog\n")
    assert '"1.1.0"' in machine.type(block(INSTALLATION, "cd pointsman\ngit pull"))


def test_a_tables_backup_is_fetched_and_put_back_as_the_page_types_it(machine: PageMachine) -> None:
    table = machine.root / "var/lib/pointsman"
    make_table(table)
    before = kept(table)
    machine.type(block(INSTALLATION, "ssh -t USER@table4.local"))
    archive = machine.home / "table4.tar.gz"
    with tarfile.open(archive) as tar:
        names = {Path(name).name for name in tar.getnames()}
    assert {
        "pointsman.toml",
        "ours.toml",
        "board.toml",
        PAGE_KEYS,
        KEY_FILE,
        "journal.db",
        "journal.evidence.db",
    } <= names
    (table / "pointsman.toml").write_text("[match]\nlength = 5\n")
    machine.type(block(INSTALLATION, "sudo systemctl stop pointsman\nsudo cp table4"))
    aside = table / "before-restore-1"
    assert (aside / "pointsman.toml").read_text() == "[match]\nlength = 5\n"
    assert {name: kept(table)[name] for name in before} == before
    assert machine.told[1] == "systemctl stop pointsman"
    assert machine.told[-1] == "systemctl start pointsman"


def test_a_hubs_backup_is_made_and_put_back_as_the_page_types_it(machine: PageMachine) -> None:
    hub = make_hub(machine.root / "var/lib/pointsman-hub/hub", PlainTable("table-1").write(5))
    played = (hub / "tournament.jsonl").read_bytes()
    commands = block(INSTALLATION, "sudo pointsman-hub backup")
    machine.type(commands)
    assert (hub / "tournament.jsonl").read_bytes() == played
    assert (hub / "evidence/a.jpg").exists()
    assert (hub.parent / "before-restore-1").is_dir()
    assert [line for line in machine.told if "chown" not in line] == [
        "systemctl stop pointsman-hub",
        "systemctl start pointsman-hub",
    ]


def test_a_command_of_the_hub_that_the_page_names_is_run_in_its_folder(machine: PageMachine) -> None:
    (machine.root / "var/lib/pointsman-hub/hub").mkdir()
    named = re.search(
        r"sudo pointsman-hub tournament standings (\S+?)\.$", sentence(INSTALLATION, "such as sudo")
    )
    assert named is not None
    cup = named[1]
    machine.type(f"pointsman-hub tournament new {cup} --format swiss --name Cup --rounds 1")
    machine.type(f"pointsman-hub tournament enter {cup} Ann Ben && pointsman-hub tournament draw {cup}")
    assert "Ann" in machine.type(named[0].rstrip("."))


def test_data_move_to_a_stick_as_the_page_types_it(machine: PageMachine) -> None:
    data = machine.root / "var/lib/pointsman"
    (data / "matches").mkdir()
    (data / "matches/kept").write_text("a match")
    (machine.root / "etc/fstab").write_text("proc /proc proc defaults 0 0\n")
    machine.type(block(INSTALLATION, "sudo systemctl stop pointsman pointsman-backup.timer"))
    assert (data / "matches/kept").read_text() == "a match"
    assert (data.with_suffix(".card") / "matches/kept").read_text() == "a match"
    told = [line.replace(str(machine.root), "") for line in machine.told]
    assert told == [
        "systemctl stop pointsman pointsman-backup.timer",
        "systemctl daemon-reload",
        "mount /var/lib/pointsman",
        "chown pointsman:pointsman /var/lib/pointsman",
        "systemctl start pointsman pointsman-backup.timer",
    ]
    table = subprocess.run(
        [
            "findmnt",
            "--tab-file",
            machine.root / "etc/fstab",
            "--noheadings",
            "--output",
            "SOURCE,FSTYPE,OPTIONS",
        ],
        capture_output=True,
        text=True,
        check=True,
    )
    assert table.stdout.splitlines()[-1].split() == ["LABEL=pointsman", "ext4", "noatime,nofail"]


def test_the_log_is_kept_on_the_card_as_the_page_types_it(machine: PageMachine) -> None:
    machine.type(block(INSTALLATION, "sudo mkdir -p /etc/systemd/journald.conf.d"))
    read = configparser.ConfigParser()
    read.read(machine.root / "etc/systemd/journald.conf.d/pointsman.conf")
    assert dict(read["Journal"]) == {"storage": "persistent", "systemmaxuse": "100M"}
    assert machine.told == ["systemctl restart systemd-journald"]


@pytest.mark.parametrize(("lines", "wrong"), [("", False), ("[Service]\nReadWritePath=/x\n", True)])
def test_the_lines_for_another_disk_are_taken_by_systemd(tmp_path: Path, lines: str, wrong: bool) -> None:
    """What is no key of a unit is told, so what is not told is one."""
    service = tmp_path / "pointsman.service"
    text = (FILES / service.name).read_text()
    service.write_text(re.sub(r"^ExecStart=.*", "ExecStart=/bin/true", text, flags=re.MULTILINE))
    override = tmp_path / f"{service.name}.d" / "override.conf"
    override.parent.mkdir()
    override.write_text((lines or block(INSTALLATION, "[Service]")) + "\n")
    said = subprocess.run(["systemd-analyze", "verify", "--man=no", service], capture_output=True, text=True)
    assert ("override.conf" in said.stderr) == wrong, said.stderr


def test_a_package_of_what_helps_is_made_and_looked_into_as_the_page_types_it(machine: PageMachine) -> None:
    make_table(machine.root / "var/lib/pointsman")
    machine.type(block(INSTALLATION, "sudo pointsman-table support"))
    look = re.findall(r"(sudo tar xzf \S+)\.", sentence(INSTALLATION, "Look into it before"))[0]
    machine.type(look)
    text = "".join(
        path.read_text(errors="replace")
        for path in machine.home.rglob("*")
        if path.is_file() and path.suffix != ".db"
    )
    assert "Person 1" in text
    assert "Kovács" not in text
    assert "topsecret" not in text
    assert Path(look).name == "support.tar.gz"
    assert f"pointsman reproduce {Path(look).name}" in sentence(INSTALLATION, "pointsman reproduce")


# --- numbers and places ---------------------------------------------------------------------------------------


def test_the_services_do_at_these_times_what_the_page_says() -> None:
    table, hub = (unit(FILES / f"{name}.service")["Service"] for name in ("pointsman", "pointsman-hub"))
    again = sentence(INSTALLATION, "systemd starts it again after")
    assert int(table["RestartSec"]) == number(again, r"after (\w+) seconds")
    for service, words in (
        (table, sentence(INSTALLATION, "main loop stands still")),
        (hub, sentence(INSTALLATION, "loop stands still for 30 seconds, systemd")),
    ):
        assert int(service["WatchdogSec"]) == number(words, r"still for (\d+) seconds")
    broker = sentence(INSTALLATION, "without a broker after")
    assert number(broker, r"after (\d+) seconds") == managed.READY_S


def test_backups_are_made_kept_and_without_pictures_as_the_page_says() -> None:
    words = sentence(INSTALLATION, "A timer makes a backup")
    for name in ("pointsman", "pointsman-hub"):
        timer = unit(FILES / f"{name}-backup.timer")["Timer"]
        minutes = number(words, r"backup (\w+) minutes")
        assert timer["OnBootSec"] == f"{minutes}min"
        assert timer["OnUnitActiveSec"] == "1d"
        command = unit(FILES / f"{name}-backup.service")["Service"]["ExecStart"].split()
        assert command[command.index("--keep") + 1] == str(number(words, r"last (\w+),"))
        assert "--no-pictures" in command
        assert "--out" not in command


def test_what_the_page_places_is_what_the_installer_places() -> None:
    places = [row.split(" | ")[0] for row in section(INSTALLATION, "What lies where") if row.startswith("/")]
    units = {
        f"{constant('UNITS')}/{name}"
        for name in (constant("TABLE_UNITS") + " " + constant("HUB_UNITS")).split()
    }
    folders = {constant(name) for name in ("DATA", "PROGRAM", "HUB_DATA", "HUB_OPTIONS", "RULES")}
    known = {*units, *folders, f"{constant('SETTINGS')}/pointsman.toml"}
    assert [place for place in places if place not in known] == []
    linked = INSTALLATION.read_text(encoding="utf-8")
    named = {f"{constant('UNITS')}/{name}" for name in re.findall(r"system/(pointsman[\w.-]+)\)", linked)}
    assert units <= {*places, *named}
    assert folders <= set(places)


def test_the_table_is_in_the_groups_of_the_page() -> None:
    words = sentence(INSTALLATION, "It is in the groups")
    groups = (
        words.removeprefix("It is in the groups ").partition(", as far")[0].replace(" and ", ", ").split(", ")
    )
    assert groups == constant("GROUPS_WANTED").split()
    for option, group in (("speech", "audio"), ("keys", "input")):
        assert f"--{option} in {group}" in words
        assert re.search(rf'{option}\)?" = yes \]; then\s+groups\+=\({group}\)', TEXT)


def test_the_table_may_write_to_its_folder_and_its_configuration_only() -> None:
    service = unit(FILES / "pointsman.service")["Service"]
    assert service["ProtectSystem"] == "strict"
    assert service["ReadWritePaths"].lstrip("-") == constant("SETTINGS")
    assert f"/var/lib/{service['StateDirectory']}" == constant("DATA")


def test_table_and_hub_have_the_ports_of_the_page() -> None:
    words = sentence(INSTALLATION, "The table has the port")
    assert [int(each) for each in re.findall(r"\d{4}", words)] == [WebSection().port, 8100, 8101, 8883]
    assert (int(constant("PORT")), int(constant("HUB_PORT"))) == (WebSection().port, 8100)
    assert f"//127.0.0.1:{WebSection().port}/" in sentence(INSTALLATION, "A screen at the machine shows")
    assert f" 127.0.0.1:{USUAL_PORT} CODE" in block(INSTALLATION, "sudo pointsman-table pair")
    assert f"as delivered {hub_options()}" in sentence(INSTALLATION, "The options of the hub stand in")


def test_a_broker_that_is_told_nothing_has_the_port_of_the_page() -> None:
    port = number(sentence(INSTALLATION, "Debian starts a broker"), r"port (\d+)")
    command = ["/usr/sbin/mosquitto", "-v"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as broker:
        assert broker.stdout is not None
        opened = next(line for line in broker.stdout if "listen socket" in line)
        broker.kill()  # a request to end that comes before its loop begins is lost, and it would run for ever
    assert f"port {port}." in opened


def test_code_pin_and_python_are_as_the_page_says() -> None:
    assert number(sentence(INSTALLATION, "minutes of the code"), r"the (\w+) minutes") == LASTS_S / 60
    assert number(sentence(INSTALLATION, "Choose the director's PIN"), r"(\w+) digits") == DIRECTOR_DIGITS
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    python = re.findall(
        r"Python ([\d.]+) or newer", sentence(INSTALLATION, "a virtual environment is enough")
    )
    assert project["requires-python"] == f">={python[0]}"


def test_the_installer_takes_the_opencv_of_the_page() -> None:
    row = sentence(INSTALLATION, "OpenCV, without windows |").split(" | ")
    (pinned,) = re.findall(r"^opencv-python==(\d+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    assert row[1].startswith(f"{pinned},")
    assert row[2].startswith(f"{constant('RIBBON_OPENCV')},")


def test_the_packages_of_a_table_are_as_large_as_the_page_says() -> None:
    """What pip puts there beside OpenCV, in MB of the disk: within a fifth, since wheels differ."""
    wanted, found = ["pointsman"], set[str]()
    while wanted:
        name = wanted.pop().lower().replace("_", "-")
        if name not in found:
            found.add(name)
            needs = map(Requirement, requires(name) or ())
            wanted += [
                each.name for each in needs if each.marker is None or each.marker.evaluate({"extra": ""})
            ]
    size = sum(
        path.stat().st_size
        for name in found - {"opencv-python", "pointsman"}
        for path in map(Path, (file.locate() for file in distribution(name).files or ()))
        if path.is_file()
    )
    own = sum(
        path.stat().st_size for room in ("controller", "calibration") for path in (ROOT / room).rglob("*")
    )
    said = number(sentence(INSTALLATION, "MB beside OpenCV"), r"in (\d+) MB")
    assert 0.8 < (size + own) / 1e6 / said < 1.2, (size / 1e6, own / 1e6)


def test_each_extra_of_the_page_brings_what_it_names() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    rows = [row for row in section(INSTALLATION, "With pip") if row.startswith("pip install 'pointsman[")]
    assert len(rows) >= 5
    for row in rows:
        (extra,) = re.findall(r"pointsman\[(\w+)\]", row)
        packages = " ".join(extras[extra]).casefold()
        for name in ("SQLAlchemy", "networkx", "gpiozero", "lgpio", "bgsage"):
            assert (name.casefold() in packages) or name not in row, (extra, name)
    assert any("RPi.GPIO" in each for each in extras["pi-legacy"])


def test_whatever_is_waited_for_is_measured_by_a_clock_that_never_jumps() -> None:
    for owner in (Room, Stopwatch, LiveCamera):
        clock = inspect.signature(owner).parameters.get("clock")
        assert clock is None or clock.default in (time.monotonic, inspect.Parameter.empty), owner
    assert inspect.signature(Room).parameters["clock"].default is time.monotonic


# --- what the installer decides -------------------------------------------------------------------------------


def decided(folder: Path, call: str, *functions: str, **stands_for: str) -> str:
    """What functions of install.sh answer, with programs that say what they are to say."""
    bodies = [re.search(rf"^{name}\(\) {{.*?^}}$", TEXT, re.MULTILINE | re.DOTALL) for name in functions]
    assert all(bodies), functions
    for program, does in stands_for.items():
        executable(folder / "bin" / program, f"#!/bin/sh\n{does}\n")
    script = "\n".join(
        ["say() { :; }", 'give_up() { echo "$*"; exit 1; }', *(each[0] for each in bodies if each), call]
    )
    path = f"{folder / 'bin'}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-eu", "-c", script], cwd=folder, env={"PATH": path}, capture_output=True, text=True
    )
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize(("enabled", "table"), [("exit 1", "no"), ("exit 0", "yes")])
def test_a_service_that_was_switched_off_stays_off(tmp_path: Path, enabled: str, table: str) -> None:
    (tmp_path / "pointsman.service").touch()
    call = "UNITS=. hub=no table_on=yes; look_at_services; echo $table_on"
    assert decided(tmp_path, call, "look_at_services", systemctl=enabled) == table


def test_the_way_to_postgresql_is_kept_by_updates(tmp_path: Path) -> None:
    call = "PROGRAM=. with_hub=yes bluetooth=no keys=no; extras"
    functions = ("extras", "has_module", "with_bluetooth", "with_keys")
    assert decided(tmp_path, call, *functions) == "[hub]"
    (tmp_path / "current/lib/python3.11/site-packages/psycopg").mkdir(parents=True)
    assert decided(tmp_path, call, *functions) == "[hub,postgresql]"
    assert "pip install 'psycopg[binary]'" in sentence(INSTALLATION, "A store in PostgreSQL")


def test_with_the_ribbon_the_numpy_of_the_system_is_kept(tmp_path: Path) -> None:
    call = f"source_folder={ROOT} RIBBON_OPENCV={constant('RIBBON_OPENCV')} camera=%s; constraints"
    pins = {
        way: dict(line.split("==") for line in told.splitlines() if "==" in line)
        for way in ("usb", "ribbon")
        for told in [decided(tmp_path, call % way, "constraints", python3="echo numpy==1.24.2")]
    }
    assert pins["ribbon"]["numpy"] == "1.24.2"
    assert pins["ribbon"]["opencv-python"] == constant("RIBBON_OPENCV")
    different = {name for name in pins["usb"] if pins["usb"][name] != pins["ribbon"].get(name)}
    assert different == {"numpy", "opencv-python"}


def test_the_lgpio_of_the_system_is_lent_to_the_program(tmp_path: Path) -> None:
    """The function of the script, with the folder of the system's packages in the place of Debian's."""
    lgpio = [tmp_path / "system" / name for name in ("lgpio.py", "_lgpio.cpython-311-aarch64-linux-gnu.so")]
    for file in lgpio:
        executable(file, "")
    found = re.search(r"^link_library\(\) {.*?^}$", TEXT, re.MULTILINE | re.DOTALL)
    assert found is not None
    (tmp_path / "into").mkdir()
    executable(tmp_path / "new/bin/python", f"#!/bin/sh\necho {tmp_path / 'into'}\n")
    script = found[0].replace("/usr/lib/python3/dist-packages", str(tmp_path / "system"))
    subprocess.run(["bash", "-eu", "-c", f"as_root=(env)\n{script}\nlink_library {tmp_path}/new"], check=True)
    assert {path.readlink() for path in (tmp_path / "into").iterdir()} == set(lgpio)
    assert re.search(r"is_pi; then\s+wanted\+=\('gpiozero", TEXT)


def test_a_version_that_does_not_start_is_taken_back_for_table_and_hub(tmp_path: Path) -> None:
    call = (
        "changed=yes old_version=1 new_version=2 hub_before=yes table_on=yes hub_on=yes PROGRAM=here\n"
        'change() { [ "$*" = "systemctl restart pointsman-hub" ] && [ ! -e back ] && return 1; echo "$*"; }\n'
        'link_version() { touch back; echo "version $1"; }\n'
        "start_service pointsman-hub 'The hub starts'"
    )
    *steps, last = decided(tmp_path, call, "start_service", systemctl="exit 0").splitlines()
    assert steps == [
        "version 1",
        "systemctl restart pointsman",
        "systemctl restart pointsman-hub",
        "rm -rf here/versions/2",
    ]
    assert "the one before is in use again" in last


def test_after_an_upgrade_of_the_system_the_installer_makes_a_new_version(tmp_path: Path) -> None:
    """Another Python is another version of the program, though its files are the same."""
    call = f"source_folder={ROOT} camera=usb with_hub=no bluetooth=no keys=no PROGRAM=.; source_digest"
    functions = ("source_digest", "with_bluetooth", "with_keys", "has_module", "is_pi")
    before = decided(tmp_path, call, *functions, python3="echo Python 3.11.2")
    assert before == decided(tmp_path, call, *functions, python3="echo Python 3.11.2")
    assert before != decided(tmp_path, call, *functions, python3="echo Python 3.13.5")


def test_the_modem_manager_keeps_away_from_microcontroller_boards_and_they_have_a_name() -> None:
    rules = (FILES / "70-pointsman.rules").read_text()
    (rule,) = (line for line in rules.splitlines() if line.startswith('SUBSYSTEMS=="usb"'))
    name = sentence(INSTALLATION, "keep ModemManager away").rpartition("/dev/")[2]
    assert f'SYMLINK+="{name}"' in rule
    assert 'ENV{ID_MM_DEVICE_IGNORE}="1"' in rule
    assert '"2341|' in rule
