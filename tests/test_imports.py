"""The one-way import rule: a room may import only from rooms on a lower floor (or from itself)."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

FLOORS: list[set[str]] = [
    {"controller.errors", "controller.arrays"},
    {"controller.rules", "controller.devices", "controller.vision"},
    {"controller.messages", "controller.referee", "controller.simulation", "calibration"},
    {"controller.record", "controller.telling"},
    {"controller.web", "controller.club", "controller.analysis"},
    {"controller.config"},
    {
        "controller.app",
        "controller.doctor",
        "controller.training",
    },
    {"controller.demo", "controller.exercise", "controller.replay"},
    {"controller.cli"},
    {"controller.__main__"},
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}
EDGES_ONLY = {"serial", "gpiozero", "RPi", "picamera2"}


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str | None:
    parts = module.split(".")
    if parts[0] == "calibration":
        return "calibration"
    return ".".join(parts[:2]) if parts[0] == "controller" and len(parts) > 1 else None


def imported_modules(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the room they come from"
            base = node.module or ""
            found |= {f"{base}.{alias.name}" if base == "controller" else base for alias in node.names}
    return found


SOURCES = sorted(p for package in ("controller", "calibration") for p in (ROOT / package).rglob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_imports_run_downwards_only(path: Path) -> None:
    own = room_of(module_name(path))
    if own is None:
        return
    assert own in FLOOR_OF, f"{own} has no floor: put the room into the plan in README.md and here"
    for module in imported_modules(path):
        room = room_of(module)
        if room is None or room == own:
            continue
        assert room in FLOOR_OF, f"{module_name(path)} imports {room}, which has no floor"
        assert FLOOR_OF[room] < FLOOR_OF[own], f"{module_name(path)} must not import {module}"


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_modules_read_in_one_sitting(path: Path) -> None:
    assert len(path.read_text().splitlines()) <= 420


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_pure_rooms_import_nothing_that_touches_the_world(path: Path) -> None:
    if room_of(module_name(path)) in {"controller.rules", "controller.vision", "controller.referee"}:
        tops = {module.split(".")[0] for module in imported_modules(path)}
        assert not tops & {"time", "random", "socket", "subprocess", "threading", "sqlite3", *EDGES_ONLY}


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_the_rules_need_no_arrays(path: Path) -> None:
    if room_of(module_name(path)) == "controller.rules":
        imported = imported_modules(path)
        assert "controller.arrays" not in imported
        assert not {module.split(".")[0] for module in imported} & {"numpy", "cv2", "scipy"}
