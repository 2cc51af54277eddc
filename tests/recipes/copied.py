"""A copy of the project in which a recipe of CONTRIBUTING is followed."""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
FOLDERS: Final = ("calibration", "controller", "firmware", "hardware_docs", "tests")
LEFT_OUT: Final = shutil.ignore_patterns("build", "data", "scenes", "long", "arm", "install")
"""What is compiled comes along: the copies keep the times of their files, so nothing is compiled a second time."""
DATA: Final = "tests/data"
"""Nobody changes it: the copy has a link."""
LIMIT_S: Final = 300


def recipe(title: str) -> str:
    """The text of a recipe."""
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = re.search(rf"^### {re.escape(title)}\n(.*?)(?=^##)", page, re.MULTILINE | re.DOTALL)
    assert found, f"CONTRIBUTING has no recipe {title}"
    return found[1]


def named_tests(title: str) -> list[str]:
    """The tests that a recipe ends with."""
    found = re.search(r'`make test ARGS="([^"]+)"`', recipe(title))
    assert found, f"the recipe {title} ends with no test"
    return found[1].split()


@dataclass(frozen=True, slots=True)
class Project:
    """The copy, and the title of the recipe that is followed: it has to name whatever is changed."""

    folder: Path
    title: str

    @classmethod
    def copied(cls, folder: Path, title: str) -> "Project":
        """Copy the project into ``folder``, which is empty."""
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name, ignore=LEFT_OUT)
        (folder / DATA).symlink_to(ROOT / DATA)
        (folder / "tests" / "scenes").symlink_to(ROOT / "tests" / "scenes")
        for path in ROOT.glob("*"):
            if path.is_file():
                shutil.copy(path, folder)
        return cls(folder, title)

    def write(self, name: str, text: str) -> None:
        """Add a file, in a folder that the recipe names."""
        assert f"`{Path(name).parent}`" in recipe(self.title), (
            f"the recipe does not name the folder of {name}"
        )
        (self.folder / name).write_text(text, encoding="utf-8")

    def put_before(self, name: str, place: str, text: str) -> None:
        """Put lines into a file that the recipe names, before the first line that begins with ``place``."""
        told = recipe(self.title)
        assert f"`{name}`" in told or f"`{Path(name).parent}`" in told, f"the recipe does not name {name}"
        path = self.folder / name
        before = path.read_text(encoding="utf-8")
        assert f"\n{place}" in before, f"{name} has no line that begins with {place!r}"
        path.write_text(before.replace(f"\n{place}", f"\n{text}{place}", 1), encoding="utf-8")

    def make_pages(self) -> None:
        """What `make pages` does."""
        assert "`make pages`" in recipe(self.title)
        assert "-m tests.pages" in (ROOT / "Makefile").read_text(encoding="utf-8")
        self._run("-m", "tests.pages")

    def test(self, *more: str) -> None:
        """Run the tests that the recipe names, and ``more``. They pass."""
        options = ("-q", "-n0", "-p", "no:cacheprovider")
        self._run("-m", "pytest", *options, *named_tests(self.title), *more)

    def _run(self, *words: str) -> None:
        path = os.pathsep.join(map(str, (self.folder, self.folder / "controller" / "library")))
        done = subprocess.run(
            [sys.executable, *words],
            cwd=self.folder,
            env={**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=LIMIT_S,
        )
        assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
