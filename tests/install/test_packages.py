"""The Debian packages, built with stand-ins for the wheels; `make test-packages` tries the whole in clean systems."""

import ast
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.messages.catalogue import PLURALS
from tests.install.test_install import FILES, SCRIPT, UNITS
from tests.test_imports import ROOT

DEBIAN = FILES / "debian"
BUILDER = FILES / "build_packages.sh"
PROGRAM = "/opt/pointsman/current"
SITES = [f"{PROGRAM}/lib/python{version}/site-packages" for version in ("3.11", "3.13")]
BUILD = """#!/bin/sh
while [ "$1" != --outdir ]; do shift; done
grep -q opencv-python-headless "$3/pyproject.toml" && touch "$2/pointsman-0-py3-none-any.whl"
"""
FETCH = """#!/bin/sh
place='' version='' what="$*"
while [ "$#" != 0 ]; do
    case $1 in --target) place=$2 ;; --python-version) version=$2 ;; esac
    shift
done
mkdir -p "$place/bin" "$place/pydantic_core" "$place/cv2/data"
echo 'never loaded' >"$place/cv2/data/haarcascade.xml"
echo same >"$place/typer.py"
echo "$version" >"$place/pydantic_core/compiled.so"
case $what in *hub*) echo same >"$place/networkx.py" ;; esac
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both packages for the processor of a Raspberry Pi, in a folder."""
    if shutil.which("dh") is None:
        pytest.skip("debhelper is not installed")
    copy, stubs = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("stubs")
    shutil.copytree(FILES, copy / "hardware_docs" / "system")
    for name in ("install.sh", "pyproject.toml", "constraints.txt", "README.md", "LICENSE", "CITATION.cff"):
        shutil.copy(ROOT / name, copy)
    for room in ("controller", "calibration"):
        (copy / room).mkdir()
        shutil.copy(ROOT / room / "__init__.py", copy / room)
    for name, text in (("python", BUILD), ("uv", FETCH)):
        (stubs / name).write_text(text)
        (stubs / name).chmod(0o755)
    said = subprocess.run(
        [copy / "hardware_docs" / "system" / "build_packages.sh", "arm64", copy / "dist"],
        capture_output=True,
        text=True,
        env=os.environ | {"PATH": f"{stubs}:{os.environ['PATH']}", "DPKG_DEB_COMPRESSOR_TYPE": "none"},
    )
    assert said.returncode == 0, said.stdout + said.stderr
    return copy / "dist"


def unpacked(built: Path, name: str, into: Path) -> Path:
    (package,) = built.glob(f"{name}_*_arm64.deb")
    subprocess.run(["dpkg-deb", "-R", package, into], check=True)
    return into


def test_a_table_has_both_pythons_its_commands_units_and_rules(built: Path, tmp_path: Path) -> None:
    root = unpacked(built, "pointsman", tmp_path / "root")
    for site in SITES:
        assert (root / site[1:] / "typer.py").exists()
        assert not (root / site[1:] / "networkx.py").exists()
        assert not (root / site[1:] / "bin").exists()
        assert not (root / site[1:] / "cv2/data/haarcascade.xml").exists()
    one, other = (root / site[1:] for site in SITES)
    assert (one / "typer.py").samefile(other / "typer.py")
    assert (one / "pydantic_core" / "compiled.so").read_text() == "3.11\n"
    assert (other / "pydantic_core" / "compiled.so").read_text() == "3.13\n"
    assert (root / PROGRAM[1:] / "bin" / "python").readlink() == Path("/usr/bin/python3")
    assert (root / "usr/bin/pointsman").readlink() == Path(PROGRAM, "bin/pointsman")
    assert os.access(root / PROGRAM[1:] / "bin" / "pointsman", os.X_OK)
    assert os.access(root / "usr/bin/pointsman-table", os.X_OK)
    for program in ("pointsman-code", "pointsman-update"):
        assert os.access(root / "usr/bin" / program, os.X_OK)
    found = {
        path.name for path in root.rglob("*") if path.suffix in {".service", ".timer", ".path", ".rules"}
    }
    assert found == {
        "pointsman.service",
        "pointsman-backup.service",
        "pointsman-backup.timer",
        "pointsman-code.service",
        "pointsman-update.path",
        "pointsman-update.service",
        "70-pointsman.rules",
    }


def test_a_hub_has_what_the_table_lacks_and_the_club_keeps_its_options(built: Path, tmp_path: Path) -> None:
    root = unpacked(built, "pointsman-hub", tmp_path / "root")
    one, other = (root / site[1:] for site in SITES)
    assert [path.name for path in one.iterdir()] == [path.name for path in other.iterdir()] == ["networkx.py"]
    assert (root / "DEBIAN/conffiles").read_text() == "/etc/default/pointsman-hub\n"
    assert (root / "etc/default/pointsman-hub").read_text() == (FILES / "pointsman-hub.default").read_text()
    found = {path.name for path in root.rglob("*") if path.suffix in {".service", ".timer"}}
    assert found == {path.name for path in UNITS if path.name.startswith("pointsman-hub")}


def test_what_a_package_does_on_a_machine_is_a_script_that_can_be_read(built: Path, tmp_path: Path) -> None:
    for name in ("pointsman", "pointsman-hub"):
        control = unpacked(built, name, tmp_path / name) / "DEBIAN"
        for script in ("postinst", "prerm", "postrm"):
            text = (control / script).read_text()
            assert "#DEBHELPER#" not in text
            subprocess.run(["sh", "-n", control / script], check=True)
        assert f"enable '{name}.service'" in (control / "postinst").read_text()


def test_the_pythons_that_are_packed_are_those_that_the_package_asks_for() -> None:
    (listed,) = re.findall(r"^readonly PYTHONS=\((.*)\)", BUILDER.read_text(), re.MULTILINE)
    versions = [tuple(map(int, each.split("."))) for each in listed.split()]
    (first, after) = re.findall(r"python3 \((?:>=|<<) 3\.(\d+)\)", (DEBIAN / "control").read_text())
    assert versions[0] == (3, int(first))
    assert versions[-1] == (3, int(after) - 1)
    assert [f"{PROGRAM}/lib/python{each}/site-packages" for each in listed.split()] == SITES


def test_a_table_from_a_package_may_speak_and_be_pressed_without_being_asked_for() -> None:
    """Whoever sets it up by a phone cannot give the installer's options --speech and --keys."""
    (packaged,) = re.findall(r"for group in (.*); do", (DEBIAN / "pointsman.postinst").read_text())
    (installed,) = re.findall(r"^readonly GROUPS_WANTED=\((.*)\)", SCRIPT.read_text(), re.MULTILINE)
    assert packaged.split() == [*installed.split(), "audio", "input"]
    (recommended,) = re.findall(r"^Recommends: (.*)$", (DEBIAN / "control").read_text(), re.MULTILINE)
    assert "python3-evdev" in recommended.split(", ")


def test_a_package_refuses_the_place_of_the_installer_and_the_installer_that_of_a_package() -> None:
    assert "./install.sh --uninstall" in (DEBIAN / "pointsman.preinst").read_text()
    assert "Pointsman is installed here as a package" in SCRIPT.read_text()


WIFI = FILES / "wifi"


def test_the_pages_of_the_wifi_say_the_same_in_every_language() -> None:
    text = (WIFI / "pages" / "words.html").read_text(encoding="utf-8")
    (said,) = re.findall(r"{% set all = ({.*?}) %}", text, re.DOTALL)
    all_words = ast.literal_eval(said)
    assert set(all_words) == set(PLURALS)
    assert len({tuple(words) for words in all_words.values()}) == 1
    used = {
        word
        for page in ("index", "confirm", "connect", "frame")
        for word in re.findall(
            r"words\.(?!html)(\w+)", (WIFI / "pages" / f"{page}.html").read_text(encoding="utf-8")
        )
    }
    results = {"wrong_password", "not_found", "failed"}
    assert used | results == set(all_words["en"])
    assert all(len(sentence.split()) <= 35 for words in all_words.values() for sentence in words.values())


def test_comitup_goes_on_where_its_library_does_not_know_a_device(tmp_path: Path) -> None:
    """As NetworkManager 1.42 of Debian 12 lists its loopback, kind 32."""
    (tmp_path / "NetworkManager.py").write_text(
        "class Generic: pass\nclass Wireless: pass\n"
        "def device_class(kind): return {14: Generic, 2: Wireless}[kind]\n"
        "def kinds(): return [device_class(kind).__name__ for kind in (2, 14, 32)]\n"
    )
    path = f"{WIFI / 'python'}:{tmp_path}"
    said = subprocess.run(
        [sys.executable, "-c", "import NetworkManager; print(*NetworkManager.kinds())"],
        env=os.environ | {"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout.split() == ["Wireless", "Generic", "Generic"]
    for unit in ("comitup", "comitup-web"):
        settings = (WIFI / f"{unit}.service.conf").read_text()
        assert "Environment=PYTHONPATH=/usr/lib/pointsman-wifi/python\n" in settings
    assert "wifi/python usr/lib/pointsman-wifi\n" in (DEBIAN / "pointsman-wifi.install").read_text()


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., None]:
    """Tells what becomes of the Wi-Fi, on a machine whose journal holds these lines."""
    stubs = {
        "journalctl": 'cat "$TOLD_JOURNAL"',
        "nmcli": "printf 'Home\\npointsman-123-0af1\\n'",
        "hostname": "echo table4",
        "agetty": ":",
    }
    for name, does in stubs.items():
        (tmp_path / name).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / name).chmod(0o755)

    def tell(state: str, *journal: str, settings: Path = WIFI / "pointsman-wifi.conf") -> None:
        (tmp_path / "journal").write_text("".join(f"{line}\n" for line in journal))
        environment = {
            "PATH": f"{tmp_path}:{os.environ['PATH']}",
            "POINTSMAN_WIFI": str(tmp_path / "run"),
            "POINTSMAN_WIFI_SETTINGS": str(settings),
            "POINTSMAN_PYTHON": sys.executable,
            "TOLD_JOURNAL": str(tmp_path / "journal"),
        }
        subprocess.run([WIFI / "wifi-told", state], env=os.environ | environment, check=True)

    return tell


@pytest.mark.parametrize(
    ("line", "result"),
    [
        ("device (wlan0): state change: need-auth -> failed (reason 'no-secrets', ...)", "wrong_password"),
        ("device (wlan0): state change: config -> failed (reason 'ssid-not-found', ...)", "not_found"),
        ("device (wlan0): state change: ip-config -> failed (reason 'ip-config-unavailable')", "failed"),
    ],
)
def test_the_page_says_why_a_wifi_was_not_joined(
    told: Callable[..., None], tmp_path: Path, line: str, result: str
) -> None:
    told("CONNECTING")
    told("HOTSPOT", "another line", line)
    assert (tmp_path / "run" / "result").read_text() == f"{result}\n"
    assert (tmp_path / "run" / "host").read_text() == "table4\n"
    told("CONNECTING")
    told("CONNECTED")
    assert not (tmp_path / "run" / "result").exists()
    assert not (tmp_path / "run" / "screen").exists()


def test_a_first_start_that_tried_no_wifi_reports_no_failure(
    told: Callable[..., None], tmp_path: Path
) -> None:
    told("HOTSPOT")
    told("CONNECTING")
    told("HOTSPOT")
    assert (tmp_path / "run" / "result").read_text() == ""
    square = (tmp_path / "run" / "screen").read_text(encoding="utf-8")
    assert "Wi-Fi: pointsman-123\n" in square
    assert "█" in square


def test_a_password_of_the_tables_own_wifi_is_in_the_square(
    told: Callable[..., None], tmp_path: Path
) -> None:
    settings = tmp_path / "settings"
    settings.write_text("ap_name: pointsman-<nnn>\nap_password: on-a-label\n")
    told("HOTSPOT")
    without = (tmp_path / "run" / "screen").read_text(encoding="utf-8")
    told("HOTSPOT", settings=settings)
    assert (tmp_path / "run" / "screen").read_text(encoding="utf-8") != without
