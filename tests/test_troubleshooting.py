"""Whatever the devices complain of is explained on the page for it."""

import ast
import re
from pathlib import Path

import pytest

from controller.devices.link import status

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "hardware_docs" / "troubleshooting.md"
DEVICES = ROOT / "controller" / "devices"
SOURCES = sorted(
    path
    for folder in ("lights", "link", "dice", "buttons", "clock")
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
