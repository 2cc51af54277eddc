"""The wheel, built and installed as pip does it, works outside of the checkout."""

import os
import re
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import controller

ROOT = Path(__file__).resolve().parents[2]
Python = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, as `make release` does; without the network."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    told = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in told.stdout.split("\0"):
        if name and not name.startswith(("tests/", "firmware/")) and (ROOT / name).is_file():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            (source / name).write_bytes((ROOT / name).read_bytes())
    built = subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", out, source],
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stdout + built.stderr
    assert [path.name for path in out.glob("*.tar.gz")] == [f"pointsman-{controller.__version__}.tar.gz"]
    (made,) = out.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Python:
    """A Python outside of the checkout that has the wheel, and for its dependencies what this one has."""
    place, folder = tmp_path_factory.mktemp("site"), tmp_path_factory.mktemp("elsewhere")
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-index",
        "--no-deps",
        "--no-compile",  # what is used is compiled when it is
        "--target",
        place,
        wheel,
    ]
    subprocess.run(pip, check=True, capture_output=True)
    environment = {**os.environ, "PYTHONPATH": str(place), "PYTHONWARNINGS": "ignore"}

    def run(*arguments: object) -> subprocess.CompletedProcess[str]:
        ended = subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return ended

    def checked(*arguments: object) -> subprocess.CompletedProcess[str]:
        found = run("-c", "import calibration, controller, pointsman; print(*(m.__file__ for m in "
                    "(calibration, controller, pointsman)))").stdout.split()  # fmt: skip
        assert all(Path(each).is_relative_to(place) for each in found)
        return run(*arguments)

    return checked


def test_the_wheel_has_the_product_and_nothing_that_only_its_makers_need(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
        (told,) = (packed.read(name).decode() for name in names if name.endswith(".dist-info/METADATA"))
    tops = {name.partition("/")[0] for name in names if ".dist-info/" not in name}
    assert tops == {"calibration", "controller", "pointsman"}
    assert not [
        name for name in names if "training" in name or name.startswith("controller/library/pointsman")
    ]
    for needed in (
        "controller/vision/models/points.onnx",
        "controller/messages/hu.toml",
        "controller/web/static/",
    ):
        assert [name for name in names if name.startswith(needed)], needed
    needs = re.findall(r"^Requires-Dist: ([A-Za-z0-9_-]+)[^;\n]*$", told, re.MULTILINE)
    assert {"numpy", "opencv-python"} <= set(needs)
    assert not {"scipy", "networkx", "SQLAlchemy"} & set(needs)
    assert wheel.stat().st_size < 5_000_000


def test_the_installed_command_and_library_are_of_this_version(installed: Python) -> None:
    assert installed("-m", "controller", "--version").stdout == f"pointsman {controller.__version__}\n"
    said = installed("-c", "import pointsman; print(pointsman.__version__)")
    assert said.stdout.strip() == controller.__version__


def test_the_first_recipe_of_the_library_runs_where_it_is_installed(
    installed: Python, tmp_path: Path
) -> None:
    page = (ROOT / "hardware_docs" / "library.md").read_text(encoding="utf-8")
    example = re.search(r"^```pycon\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert example is not None
    recipe = tmp_path / "recipe.txt"
    recipe.write_text(f">>> import pointsman\n{example[1]}", encoding="utf-8")
    installed("-m", "doctest", recipe)


def test_the_demo_plays_a_game_where_it_is_installed(installed: Python, tmp_path: Path) -> None:
    """Of the shortest kind: three checkers a side, 8 turns, and 2 of them illegal."""
    short = ("--profile", "hypergammon", "--seed", 10, "--twin")
    said = installed("-m", "controller", "demo", "--headless", *short, "--out", tmp_path / "demo")
    told = said.stdout + said.stderr
    assert "2 of 2 illegal plays noticed with the right reason; 0 legal plays called illegal" in told
    assert list((tmp_path / "demo").glob("match-01/match.mat"))
