"""Small faults planted in the product, one at a time: the tests that stand nearest have to find each.

    python -m tests.mutants            # all of them
    python -m tests.mutants spoken     # those whose file or change has this word

`mutants.toml` lists them. Each is planted in a copy of the project, where the tests named with it are run. One that
no test finds is told, and so is one whose line is no longer there: write it anew at another place.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, Self

ROOT: Final = Path(__file__).resolve().parent.parent
LIST: Final = Path(__file__).parent / "mutants.toml"
FOLDERS: Final = ("calibration", "controller", "firmware", "hardware_docs", "tests")
LIMIT_S: Final = 1800
"""A fault may make a program wait for ever; no test takes that long."""


class Fate(StrEnum):
    """What became of a mutant."""

    FOUND = "found"
    SURVIVED = "SURVIVED"
    GONE = "the line is gone"


@dataclass(frozen=True, slots=True)
class Mutant:
    """A fault.

    Attributes:
        file: of the product, by its path from the root.
        line: what stands there, in one line only.
        fault: what stands there instead.
        tests: the files of tests that have to find it.
    """

    file: str
    line: str
    fault: str
    tests: tuple[str, ...]

    @classmethod
    def from_table(cls, table: dict[str, str]) -> Self:
        """That of an entry of the list, whose tests stand in one text."""
        return cls(table["file"], table["line"], table["fault"], tuple(table["tests"].split()))

    def __str__(self) -> str:
        return f"{self.file}: {self.line}  ->  {self.fault}"


def mutants(path: Path = LIST) -> list[Mutant]:
    """Those of the list."""
    return [Mutant.from_table(table) for table in tomllib.loads(path.read_text("utf-8"))["mutant"]]


def planted(text: str, mutant: Mutant) -> str | None:
    """The text of its file with the fault; None if its line stands there no longer, or more than once."""
    return text.replace(mutant.line, mutant.fault) if text.count(mutant.line) == 1 else None


def copied(folder: Path) -> Path:
    """The project in an empty folder."""
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("build"))
    for path in ROOT.glob("*"):
        if path.is_file():
            shutil.copy2(path, folder)
    return folder


def fate_of(mutant: Mutant, project: Path) -> Fate:
    """Plant a mutant in a copy of the project, run its tests, and put the file right again."""
    path = project / mutant.file
    whole = path.read_text("utf-8")
    wrong = planted(whole, mutant)
    if wrong is None:
        return Fate.GONE
    path.write_text(wrong, "utf-8")
    try:
        return Fate.SURVIVED if _pass(mutant.tests, project) else Fate.FOUND
    finally:
        path.write_text(whole, "utf-8")


def _pass(tests: tuple[str, ...], project: Path) -> bool:
    places = f"{project}{os.pathsep}{project / 'controller' / 'library'}"
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *tests]
    try:
        ended = subprocess.run(
            command,
            cwd=project,
            env={**os.environ, "PYTHONPATH": places},
            capture_output=True,
            text=True,
            check=False,
            timeout=LIMIT_S,
        )
    except subprocess.TimeoutExpired:
        return False
    assert ended.returncode in {0, 1}, f"the tests cannot be run: {ended.stdout}{ended.stderr}"
    return ended.returncode == 0


def main(words: list[str]) -> int:
    """Run those that have all these words, and say what became of them."""
    fates: Counter[Fate] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        project = copied(Path(folder))
        for mutant in mutants():
            if all(word in str(mutant) for word in words):
                fate = fate_of(mutant, project)
                fates[fate] += 1
                print(f"{fate}: {mutant}", flush=True)
    print(", ".join(f"{number} {fate}" for fate, number in fates.items()))
    return int(fates.total() > fates[Fate.FOUND])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
