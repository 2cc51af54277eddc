"""The package `pointsman`: where it lies, what it promises, and what importing it costs."""

import inspect
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import controller
import pointsman
from tests.rows import each_row
from tests.test_imports import LIBRARY, ROOT

PROMISED = Path(__file__).parent / "promised.txt"
INNER = "not part of the stable library"


def test_the_wheel_has_the_library_as_pointsman_and_nowhere_else() -> None:
    discovery = pytest.importorskip("setuptools.discovery")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    finding = project["tool"]["setuptools"]["packages"]["find"]
    found = {
        package: where
        for where in finding["where"]
        for package in discovery.PEP420PackageFinder.find(
            str(ROOT / where), include=finding["include"], exclude=finding["exclude"]
        )
    }
    assert found["pointsman"] == str(LIBRARY.relative_to(ROOT))
    assert found["controller"] == found["calibration"] == found["controller.rules.moves"] == "."
    assert not [package for package in found if package.startswith("controller.library")]
    tops = {package.split(".")[0] for package in found}
    assert tops == {"calibration", "controller", "pointsman"}
    assert project["project"]["scripts"]["pointsman"] == "controller.cli:main"


def test_it_is_typed_and_says_its_version() -> None:
    assert Path(pointsman.__file__) == LIBRARY / "pointsman" / "__init__.py"
    assert (LIBRARY / "pointsman" / "py.typed").exists()
    assert pointsman.__version__ == controller.__version__


def test_importing_it_loads_the_rules_alone() -> None:
    """Neither OpenCV nor the match files: a program that plays backgammon starts at once."""
    code = "import sys, pointsman; print(*sorted({name.split('.')[0] for name in sys.modules}), *sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": f"{ROOT}:{LIBRARY}"},
    ).stdout.split()
    heavy = {
        "cv2",
        "numpy",
        "scipy",
        "sqlite3",
        "controller.record",
        "controller.vision",
        "controller.analysis",
    }
    assert not heavy & set(loaded)


def members(name: str, value: Any) -> Iterator[str]:
    """A public name, and of a class of the library each public member that is stable, with its parameters."""
    if not inspect.isclass(value) or not value.__module__.startswith("pointsman"):
        yield name + (parameters(value) if inspect.isfunction(value) else "")
        return
    yield name
    for member, found in inspect.getmembers_static(value):
        inner = INNER in (inspect.getdoc(getattr(value, member)) or "")
        if member.startswith("_") or inner:
            continue
        function = found.__func__ if isinstance(found, classmethod) else found
        yield f"{name}.{member}{parameters(function) if inspect.isfunction(function) else ''}"


def parameters(function: Any) -> str:
    """The names of the parameters, those apart that everybody leaves out."""
    listed = [
        ("*, " if each.kind is each.KEYWORD_ONLY else "") + each.name
        for each in inspect.signature(function).parameters.values()
        if each.name not in ("self", "cls")
    ]
    return f"({', '.join(listed)})"


def test_what_is_promised_is_kept() -> None:
    """A line that is missing or changed breaks programs of others: it needs a new first number of the version."""
    offered = sorted(line for name in pointsman.__all__ for line in members(name, getattr(pointsman, name)))
    promised = PROMISED.read_text(encoding="utf-8").splitlines()
    assert offered == promised, "write new names into tests/library/promised.txt, and keep the old ones"


@each_row("name", pointsman.__all__)
def test_every_public_name_explains_itself(name: str) -> None:
    value = getattr(pointsman, name)
    if inspect.isclass(value) or inspect.isfunction(value):
        assert inspect.getdoc(value)
