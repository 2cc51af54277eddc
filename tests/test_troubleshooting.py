"""Whatever the devices complain of is explained on the page for it."""

import ast
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from controller.devices.firmware.flashing import FlashFault
from tests.rows import each_row

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "hardware_docs" / "troubleshooting.md"
DEVICES = ROOT / "controller" / "devices"
SOURCES = sorted(
    path for folder in ("lights", "link", "dice", "camera") for path in (DEVICES / folder).glob("*.py")
)
SOURCES += [DEVICES / "buttons.py", DEVICES / "pins.py", DEVICES / "pictures.py"]
SOURCES += [ROOT / "controller" / "rules" / "game" / "clock.py", ROOT / "calibration" / "lights.py"]
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


@cache
def all_complaints() -> list[tuple[Path, str]]:
    return [(path, text) for path in SOURCES for text in complaints(path)]


def test_complaints_are_found_at_all() -> None:
    assert len(all_complaints()) >= 25


@each_row(("path", "text"), all_complaints)
def test_every_complaint_of_a_device_has_its_remedy(path: Path, text: str) -> None:
    assert landmark(text) in page(), f"{path.name}: {text}"


@cache
def english() -> dict[str, Any]:
    """The English catalogue."""
    return tomllib.loads((ROOT / "controller" / "messages" / "en.toml").read_text(encoding="utf-8"))


def texts(*table: str) -> list[tuple[str, str]]:
    """Each entry of a table of the English catalogue, with gaps where something is filled in."""
    entries: Any = english()
    for name in table:
        entries = entries[name]
    return [(code, re.sub(r"\{\w+\}", GAP, text)) for code, text in entries.items()]


def rows(heading: str) -> str:
    """The page under a heading."""
    return " ".join(PAGE.read_text().partition(f"\n## {heading}\n")[2].partition("\n## ")[0].split())


@each_row(("code", "text"), lambda: texts("board", "reason"))
def test_every_state_of_the_link_is_on_the_page_with_its_words(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in rows("The link to the board")


@each_row(("code", "text"), lambda: texts("camera", "reason"))
def test_every_state_of_a_camera_is_on_the_page_with_its_words(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in rows("The camera")


@each_row(("code", "text"), lambda: texts("dice", "reason"))
def test_every_state_of_a_dice_unit_is_on_the_page_with_its_words(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in rows("A dice unit")


@each_row(("code", "text"), lambda: texts("lights", "reason"))
def test_every_state_of_lights_in_the_network_is_on_the_page_with_its_words(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in rows("Lights in the network")


@each_row(("code", "text"), lambda: texts("keys", "reason"))
def test_every_state_of_a_device_with_keys_is_on_the_page_with_its_words(code: str, text: str) -> None:
    assert f"| `{code}` | {text} |" in rows("Keys as buttons")


@each_row("code", [str(fault) for fault in FlashFault])
def test_every_fault_of_writing_firmware_is_on_the_page(code: str) -> None:
    assert f"| `{code}` |" in rows("Writing firmware")


@each_row(("code", "text"), lambda: texts("program"))
def test_what_the_program_says_in_a_match_is_on_the_page(code: str, text: str) -> None:
    assert f"| {text} |" in rows("A match in play"), code


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


@cache
def all_remedies() -> list[tuple[Path, str]]:
    doctor = sorted((ROOT / "controller" / "doctor").glob("*.py"))
    return [(path, text) for path in doctor for text in remedies(path)]


def test_remedies_are_found_at_all() -> None:
    assert len(all_remedies()) >= 30


@each_row(("path", "text"), all_remedies)
def test_every_remedy_of_the_self_test_is_on_the_page(path: Path, text: str) -> None:
    plain = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"hardware_docs/\1", page()).replace("`", "")
    for piece in text.split(GAP):
        assert piece.strip(" .") in plain, f"{path.name}: {text}"


@each_row(("code", "text"), lambda: [*texts("club", "state"), *texts("club", "refused")])
def test_what_is_said_of_the_clubs_hub_is_on_the_page(code: str, text: str) -> None:
    assert f"| {text} |" in rows("The club's hub"), code
