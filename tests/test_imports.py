"""The house: imports run downwards only, between the rooms and inside each; no name stands for two things."""

import ast
import importlib
import importlib.util
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from tests.rows import each_row

ROOT = Path(__file__).resolve().parent.parent
LIBRARY = ROOT / "controller" / "library"
"""Here begins `pointsman`, the package for programmers, as the wheel has it."""

FLOORS: list[set[str]] = [
    {
        "controller.dates",
        "controller.errors",
        "controller.even_clock",
        "controller.json_object",
        "controller.arrays",
        "controller.aside",
        "controller.closing",
        "controller.locks",
        "controller.signals",
        "controller.systemd",
    },
    {"controller.logs", "controller.whole_file"},
    {"controller.plugins", "controller.tomlfile"},
    {"controller.rules", "controller.devices", "controller.vision"},
    {"controller.messages", "controller.referee", "controller.simulation", "calibration"},
    {"controller.record", "controller.telling", "controller.speech"},
    {"controller.analysis", "controller.tournament"},
    {"controller.web", "controller.club", "controller.partner"},
    {"controller.config"},
    {
        "controller.app",
        "controller.doctor",
        "controller.hub",
        "calibration.training",
    },
    {
        "controller.demo",
        "controller.exercise",
        "controller.replay",
        "controller.upkeep",
        "controller.boardset",
    },
    {"controller.cli", "pointsman"},
    {"controller.__main__"},
]
FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS) for room in rooms}

# The floors inside a room, from the ground up; "" are the modules that lie flat in it.
FLOORS_WITHIN: Mapping[str, list[set[str]]] = {
    "controller.devices": [
        {"status"},
        {"link"},
        {""},
        {"camera", "dice", "firmware", "keys", "lights", "voice"},
    ],
    "controller.rules": [{""}, {"moves"}, {"judging", "profile", "profiles"}, {"game"}, {"forms"}],
    "controller.referee": [{""}, {"seeing"}, {"belief"}, {"table"}],
    "controller.record": [{""}, {"journal"}, {"match"}, {"files"}, {"evidence"}, {"table"}, {"filter"}],
    "controller.tournament": [{"", "formats"}, {"sheets"}],
    "controller.web": [{"wire"}, {"partner", "phone", "welcome"}, {""}, {"learning", "setup"}, {"server"}],
    "controller.vision": [{"geometry"}, {"fitted"}, {"counting"}, {"board"}, {"dice"}, {"hands"}, {""}],
    "controller.simulation": [{""}, {"boards"}, {"painting", "tabletop"}, {"players", "electronics"}],
}
MOST_FILES = 20
PURE = {"controller.rules", "controller.vision", "controller.referee", "controller.tournament"}
EDGES_ONLY = {"serial", "gpiozero", "RPi", "picamera2"}


def module_name(path: Path) -> str:
    root = LIBRARY if path.is_relative_to(LIBRARY) else ROOT
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str | None:
    parts = module.split(".")
    if parts[:2] == ["calibration", "training"]:
        return "calibration.training"
    if parts[0] in ("calibration", "pointsman"):
        return parts[0]
    return ".".join(parts[:2]) if parts[0] == "controller" and len(parts) > 1 else None


@cache
def imported_modules(path: Path) -> set[str]:
    """What a module imports, wherever in it: of a package the module inside it that is named."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative imports hide the room they come from"
            base = node.module or ""
            within = {f"{base}.{alias.name}" for alias in node.names}
            found |= within & set(PATHS) or {base}
    return found


SOURCES = sorted(p for package in ("controller", "calibration") for p in (ROOT / package).rglob("*.py"))
PATHS = {module_name(path): path for path in SOURCES}
PACKAGES = sorted({path.parent for path in SOURCES})


@each_row("path", SOURCES, ids=module_name)
def test_imports_run_downwards_only(path: Path) -> None:
    own = room_of(module_name(path))
    if own is None:
        return
    assert own in FLOOR_OF, f"{own} has no floor: put the room into the plan in CONTRIBUTING.md and here"
    for module in imported_modules(path):
        room = room_of(module)
        if room is None or room == own:
            continue
        assert room in FLOOR_OF, f"{module_name(path)} imports {room}, which has no floor"
        assert FLOOR_OF[room] < FLOOR_OF[own], f"{module_name(path)} must not import {module}"


@each_row("path", SOURCES, ids=module_name)
def test_nothing_of_the_product_imports_what_is_for_programmers(path: Path) -> None:
    if room_of(module_name(path)) != "pointsman":
        assert not {module for module in imported_modules(path) if room_of(module) == "pointsman"}


@each_row("path", SOURCES, ids=module_name)
def test_imports_run_downwards_inside_a_room(path: Path) -> None:
    name = module_name(path)
    room = room_of(name)
    floors = FLOORS_WITHIN.get(room or "")
    if floors is None or name == room:
        return
    floor_of = {part: number for number, parts in enumerate(floors) for part in parts}
    own = _part(path)
    assert own in floor_of, f"{name} lies in a part of its room that has no floor"
    for module in imported_modules(path) & set(PATHS):
        if room_of(module) == room and module != room:
            other = _part(PATHS[module])
            assert other == own or floor_of[other] < floor_of[own], f"{name} must not import {module}"


def _part(path: Path) -> str:
    """The folder inside its room that a module lies in, "" if it lies flat in the room."""
    parts = path.relative_to(ROOT).parts
    inside = parts[1:-1] if parts[0] == "calibration" else parts[2:-1]
    return inside[0] if inside else ""


def test_no_imports_go_in_a_circle() -> None:
    graph = {
        module_name(path): (imported_modules(path) & set(PATHS)) - {module_name(path)} for path in SOURCES
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" imports ".join(error.args[1][::-1]))


@each_row("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_room_holds_more_flat_files_than_can_be_taken_in(package: Path) -> None:
    files = [path for path in package.glob("*.py") if path.name != "__init__.py"]
    assert len(files) <= MOST_FILES


@each_row("package", PACKAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_room_says_what_it_is_for_and_has_what_it_promises(package: Path) -> None:
    module = importlib.import_module(module_name(package / "__init__.py"))
    assert module.__doc__
    for name in getattr(module, "__all__", ()):
        assert getattr(module, name) is not None


def test_no_class_name_stands_for_two_things() -> None:
    """Except between the house and the library: whoever sees its `Position` and `Match` sees no other ones."""
    defined: defaultdict[tuple[bool, str], list[str]] = defaultdict(list)
    for path in SOURCES:
        for name in _classes(ast.parse(path.read_text())):
            defined[path.is_relative_to(LIBRARY), name].append(module_name(path))
    assert not {name: places for (_, name), places in defined.items() if len(places) > 1}


def _classes(tree: ast.Module) -> Iterator[str]:
    return (node.name for node in tree.body if isinstance(node, ast.ClassDef))


@each_row("path", SOURCES, ids=module_name)
def test_pure_rooms_import_nothing_that_touches_the_world(path: Path) -> None:
    if room_of(module_name(path)) in PURE:
        tops = {module.split(".")[0] for module in imported_modules(path)}
        assert not tops & {"time", "random", "socket", "subprocess", "threading", "sqlite3", *EDGES_ONLY}


@each_row("path", SOURCES, ids=module_name)
def test_the_rules_need_no_arrays(path: Path) -> None:
    if room_of(module_name(path)) == "controller.rules":
        imported = imported_modules(path)
        assert "controller.arrays" not in imported
        assert not {module.split(".")[0] for module in imported} & {"numpy", "cv2", "scipy"}


def own_names(path: Path) -> Iterator[tuple[str, str]]:
    """What a file imports by name from the project's own modules."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and (ROOT / node.module.split(".")[0]).is_dir():
            yield from ((node.module, alias.name) for alias in node.names)


def has(module: str, name: str) -> bool:
    held = importlib.import_module(module)
    inside = hasattr(held, "__path__") and importlib.util.find_spec(f"{module}.{name}") is not None
    return inside or hasattr(held, name)


@each_row("path", sorted((ROOT / "tests" / "long").glob("*.py")))
def test_what_the_long_tests_import_is_there(path: Path) -> None:
    """They run seldom, so nothing else tells that a name went elsewhere; what trains networks needs more packages."""
    names = [each for each in own_names(path) if not each[0].startswith("calibration.training")]
    assert [each for each in names if not has(*each)] == []
