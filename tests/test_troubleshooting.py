"""Whatever the devices complain of is explained on the page for it."""

import ast
import re
from pathlib import Path

import pytest

from controller.devices.camera import status as camera_status
from controller.devices.link import status

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "hardware_docs" / "troubleshooting.md"
DEVICES = ROOT / "controller" / "devices"
SOURCES = sorted(
    path
    for folder in ("lights", "link", "dice", "buttons", "clock", "camera")
    for path in (DEVICES / folder).glob("*.py")
)
SOURCES += [DEVICES / "pins.py", DEVICES / "snapshot.py", ROOT / "calibration" / "lights.py"]
GAP = "…"


def text_of(node: ast.expr) -> str | None:
    """A sentence of the code with gaps where something is filled in; None if it is no text."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(str(part.value) if isinstance(part, ast.Constant) else GAP for part in node.values)
    return None


def complaints(path: Path) -> list[str]:
    """Every sentence that a module raises as an error for people."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id.endswith("Error") and node.func.id not in (
            "ValueError",
            "OSError",
            "AssertionError",
            "_BrokenError",
        ):
            found += [text for argument in node.args if (text := text_of(argument))]
    return found


def landmark(text: str) -> str:
    """The longest stretch of the complaint's beginning that is the same every time."""
    stretches = [piece.strip(" '\",=().") for piece in text.split(";")[0].split(GAP)]
    return max(stretches, key=len)


def page() -> str:
    return " ".join(PAGE.read_text().split())


ALL = [(path, text) for path in SOURCES for text in complaints(path)]


def test_complaints_are_found_at_all() -> None:
    assert len(ALL) >= 25


@pytest.mark.parametrize(("path", "text"), ALL, ids=[f"{p.stem}-{t[:40]}" for p, t in ALL])
def test_every_complaint_of_a_device_has_its_remedy(path: Path, text: str) -> None:
    assert landmark(text) in page(), f"{path.name}: {text}"


@pytest.mark.parametrize(
    "told",
    [
        status.ready("PORT", (1, 0, 0)),
        status.closed("PORT"),
        status.no_port(),
        status.absent("PORT"),
        status.denied("PORT"),
        status.taken("PORT"),
        status.open_failed("PORT", "why"),
        status.greeting("PORT"),
        status.silent("PORT"),
        status.other_device("PORT"),
        status.stuck("PORT"),
        status.lost("PORT", "why"),
        status.version("PORT", 2, 0, (1, 0)),
        status.journal("PORT", "why"),
    ],
    ids=lambda told: told.code,
)
def test_every_state_of_the_link_has_its_line(told: status.LinkStatus) -> None:
    assert f"| `{told.code}` |" in page()


def test_no_state_of_the_link_is_left_out() -> None:
    named = set(
        re.findall(r'"([a-z_]+)",\n        (?:port|"auto"),', (DEVICES / "link" / "status.py").read_text())
    )
    assert len(named) >= 11
    assert {code for code in named if f"| `{code}` |" not in page()} == set()


CAMERA = [
    camera_status.starting("EYE"),
    camera_status.ok("EYE", 1280, 720),
    camera_status.closed("EYE"),
    camera_status.ended("EYE"),
    camera_status.no_camera(),
    camera_status.absent("EYE"),
    camera_status.denied("EYE"),
    camera_status.taken("EYE"),
    camera_status.no_library("EYE", "why"),
    camera_status.no_pi_camera("EYE", "why"),
    camera_status.unreachable("EYE"),
    camera_status.bad_film("EYE", "why"),
    camera_status.silent("EYE"),
    camera_status.stuck("EYE"),
    camera_status.driver("EYE", "why"),
    camera_status.lost("EYE"),
    camera_status.frozen("EYE"),
    camera_status.dark("EYE"),
    camera_status.wrong_size("EYE", (640, 480), (1280, 720)),
]


@pytest.mark.parametrize("told", CAMERA, ids=lambda told: told.code)
def test_every_state_of_a_camera_has_its_line(told: camera_status.CameraStatus) -> None:
    assert f"`{told.code}`" in page()
    if told.code != "bad_film":
        reason = told.reason.split("EYE")[-1].split("(why)")[0].split(" 1280")[0].split(" 640")[0]
        assert landmark(reason) in page()


def test_no_state_of_a_camera_is_left_out() -> None:
    named = re.findall(r'CameraState\.[A-Z]+,\s+"([a-z_]+)",', (DEVICES / "camera" / "status.py").read_text())
    assert set(named) == {told.code for told in CAMERA}


FINDERS = ("warn", "fail", "missing")


def remedies(path: Path) -> list[str]:
    """Every remedy that a module of the self-test gives."""
    source = path.read_text()
    constants = dict(re.findall(r'^(_[A-Z]+): Final = "([^"]+)"', source, re.MULTILINE))
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FINDERS:
            remedy = node.args[2]
            text = constants.get(remedy.id) if isinstance(remedy, ast.Name) else text_of(remedy)
            found += [text] if text else []
    return found


REMEDIES = [
    (path, text) for path in sorted((ROOT / "controller" / "doctor").glob("*.py")) for text in remedies(path)
]


def test_remedies_are_found_at_all() -> None:
    assert len(REMEDIES) >= 30


@pytest.mark.parametrize(("path", "text"), REMEDIES, ids=[f"{p.stem}-{t[:40]}" for p, t in REMEDIES])
def test_every_remedy_of_the_self_test_is_on_the_page(path: Path, text: str) -> None:
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"hardware_docs/\1", page()).replace("`", "")
    for piece in text.split(GAP):
        assert piece.strip(" .") in plain, f"{path.name}: {text}"
