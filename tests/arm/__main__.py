"""`make test-arm`: the product on an emulated 64-bit ARM processor, beside the same on this machine.

QEMU runs the Python and the wheels that a Raspberry Pi with Debian 12 runs. Readings, plays and a film must come out
as they do here. It shows that everything loads and answers alike, and nothing about speed, camera or pins.
"""

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from tests.arm.root import ROOT, arm_command, arm_environment, make_root

GAME: Final = ROOT / "tests" / "data" / "game"
START: Final = ("00000.jpg", "00001.jpg")
PICTURES: Final = ("00000.jpg", "00005.jpg", "00042.jpg", "00085.jpg", "00130.jpg", "00171.jpg")
FILM: Final = 26
"""Pictures of the filmed game that are followed: its first turns."""
POSITIONS: Final = 600
SURE: Final = 1e-3
"""The chance of a count may differ by this much; the counts themselves must be the same."""
NEAR: Final = 1e-3
"""A board that is found may differ by this share of its measures, or by so much where they are near 0."""
STEP_S: Final = 1800.0
"""No step takes longer than this, also on a slow machine with neighbours."""
TESTS: Final = (
    *(f"tests/rules/test_{name}.py" for name in ("position", "notation", "gnuid", "xgid", "cube", "scoring")),
    *(f"tests/rules/test_{name}.py" for name in ("movement", "hit_log", "match_record")),
    *(f"tests/devices/test_{name}.py" for name in ("lights", "link_framing", "link_session", "names")),
    *(
        f"tests/vision/{name}.py"
        for name in ("fitted/test_network", "geometry/test_geometry", "counting/test_counts")
    ),
    *("tests/record/journal/test_journal.py", "tests/record/journal/test_seal.py"),
)
LEFT_OUT: Final = (
    # A serial line at 250,000 baud: QEMU refuses the rate, and the firmware waits for ever.
    "tests/devices/test_lights.py::test_the_firmware_shows_the_frame_and_goes_dark_at_the_end",
    # Whole matches by the dozen, Python alone: a minute or two each, and nothing of the processor in them.
    "tests/rules/test_hit_log.py::test_the_log_is_never_wrong_about_checkers_that_can_be_told_apart",
    "tests/rules/test_match_record.py::test_a_match_is_built_again_from_its_record",
    "tests/rules/test_match_record.py::test_points_are_never_lost_and_the_cube_stays_a_power_of_two",
)
"""Tests of those files that are not run."""


class DifferentError(Exception):
    """The two processors do not agree; the sentence says in what."""


class Both:
    """Runs the same Python arguments here and on ARM, in folders of their own."""

    def __init__(self, folder: Path) -> None:
        self.here, self.arm = folder / "here", folder / "arm"
        for each in (self.here, self.arm):
            each.mkdir()

    def run_arm(self, *arguments: str, given: bytes = b"") -> bytes:
        return _output(arm_command(arguments), arm_environment(), self.arm, given)

    def run_here(self, *arguments: str, given: bytes = b"") -> bytes:
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        return _output([sys.executable, *arguments], environment, self.here, given)

    def run(self, *arguments: str, given: bytes = b"") -> tuple[bytes, bytes]:
        return self.run_here(*arguments, given=given), self.run_arm(*arguments, given=given)


def main() -> None:
    """Make the root, run every step, print how each ended and how long it took; exit 1 at the first failure."""
    began = time.monotonic()
    with TemporaryDirectory(prefix="pointsman-arm-") as folder:
        both = Both(Path(folder))
        for step in (root, imports, help_text, plays, board, readings, film, unit_tests):
            with _timed(step):
                print(f"{step.__name__.replace('_', ' ')}: {step(both)}", end="", flush=True)
    print(f"All as on this machine; {time.monotonic() - began:.0f} s.")


def root(_: Both) -> str:
    """Debian and the wheels."""
    return "made" if make_root() else "kept from the last time (make clean removes it)"


def imports(both: Both) -> str:
    """Every module of the product loads."""
    names = json.loads(both.run_arm("-m", "tests.arm.answers", "imports"))
    return f"{len(names)} modules load"


def help_text(both: Both) -> str:
    """The command line answers, the same words."""
    here, arm = both.run("-m", "controller", "--help")
    _same("the help", here.decode(), arm.decode())
    return "the same"


def plays(both: Both) -> str:
    """The complete plays of many positions are identical."""
    with gzip.open(ROOT / "tests" / "data" / "rules" / "positions.jsonl.gz") as counted:
        given = b"".join(line for line, _ in zip(counted, range(POSITIONS), strict=False))
    here, arm = both.run("-m", "controller", "plays", given=given)
    _same("plays", here.splitlines(), arm.splitlines())
    return f"{POSITIONS} positions, identical"


def board(both: Both) -> str:
    """A board is found where it is found here."""
    images = [word for name in START for word in ("--image", str(GAME / "frames" / name))]
    both.run("-m", "controller", "calibrate", "board", *images, "--out", "board.toml")
    here, arm = ((each / "board.toml").read_text(encoding="utf-8") for each in (both.here, both.arm))
    _near_board(here, arm)
    return f"found, measures alike within {NEAR:g}"


def readings(both: Both) -> str:
    """Pictures are read alike, with the board file that was made here."""
    pictures = [str(GAME / "frames" / name) for name in PICTURES]
    shutil.copyfile(both.here / "board.toml", both.arm / "board.toml")
    here, arm = (
        json.loads(said) for said in both.run("-m", "tests.arm.answers", "readings", "board.toml", *pictures)
    )
    furthest = 0.0
    for name, ours, theirs in zip(PICTURES, here, arm, strict=True):
        chances, others = ours.pop("chances"), theirs.pop("chances")
        _same(name, ours, theirs)
        for place, (one, other) in enumerate(zip(chances, others, strict=True), start=1):
            if one.keys() != other.keys():
                raise DifferentError(f"{name}, place {place}: other counts are considered")
            furthest = max([furthest, *(abs(one[count] - other[count]) for count in one)])
    if furthest > SURE:
        raise DifferentError(f"the chance of a count differs by {furthest:.2g}")
    _same_lines(both, str(GAME / "frames" / PICTURES[1]))
    return (
        f"{len(PICTURES)} pictures, the same counts, dice and cube; chances differ by {furthest:.1g} at most"
    )


def film(both: Both) -> str:
    """A short film is judged alike, turn by turn."""
    frames = both.here.parent / "frames"
    frames.mkdir()
    for path in sorted((GAME / "frames").glob("*.jpg"))[:FILM]:
        shutil.copyfile(path, frames / path.name)
    times = (GAME / "frames" / "times.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    (frames / "times.jsonl").write_text("".join(times[:FILM]), encoding="utf-8")
    rolls = (GAME / "dice.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)
    end = json.loads(times[FILM - 1])["t"]
    dice = frames.with_name("dice.jsonl")
    dice.write_text("".join(line for line in rolls if json.loads(line)["t"] <= end), encoding="utf-8")
    both.run(
        *("-m", "controller", "replay", "--board", "board.toml", "--frames", str(frames)),
        *("--dice", str(dice), "--out", "film"),
    )
    here, arm = ((each / "film" / "events.jsonl").read_text() for each in (both.here, both.arm))
    _same("events of the film", here.splitlines(), arm.splitlines())
    turns = [line for line in map(json.loads, here.splitlines()) if "ply" in line]
    if len(turns) < 2:
        raise DifferentError(f"only {len(turns)} turns were followed, here too; the film is too short")
    return f"{FILM} pictures, {len(turns)} turns, identical events"


def unit_tests(both: Both) -> str:
    """A set of tests passes that start no other program: QEMU cannot start itself."""
    options = ["-q", "-p", "no:cacheprovider", "--hypothesis-profile=few", "--rootdir", str(ROOT)]
    options += ["--config-file", str(ROOT / "pyproject.toml")]
    options += [f"--deselect={each}" for each in LEFT_OUT]
    said = both.run_arm("-m", "pytest", *options, *(str(ROOT / each) for each in TESTS))
    summary = said.decode().strip().splitlines()[-1].strip("= ")
    if f"{len(LEFT_OUT)} deselected" not in summary:
        raise DifferentError(f"not every test of LEFT_OUT is there any more: {summary}")
    return summary


def _same_lines(both: Both, picture: str) -> None:
    """The command gives the same line but for the time it took, and for the last digits."""
    here, arm = (
        json.loads(line)
        for line in both.run("-m", "controller", "read", "--board", "board.toml", "--json", picture)
    )
    for line in (here, arm):
        del line["ms"]
        line["dice"] = [die["value"] for die in line["dice"]]
        line["confidence"] = round(line["confidence"], 2)
        line["point_confidence"] = [round(each, 2) for each in line["point_confidence"]]
    _same("the line of pointsman read", here, arm)


def _near_board(here: str, arm: str) -> None:
    import tomllib

    ours, theirs = tomllib.loads(here), tomllib.loads(arm)
    for section in ("camera", "geometry"):
        for key, one in _numbers(ours[section]):
            other = dict(_numbers(theirs[section]))[key]
            if abs(one - other) > NEAR * max(1.0, abs(one)):
                raise DifferentError(f"the board's {section}{key} is {one} here and {other} on ARM")


def _numbers(value: Any, name: str = "") -> Iterator[tuple[str, float]]:
    """All numbers in a table, with where they stand."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _numbers(each, f"{name}.{key}")
    elif isinstance(value, list):
        for index, each in enumerate(value):
            yield from _numbers(each, f"{name}[{index}]")
    elif isinstance(value, int | float):
        yield name, float(value)


def _same(what: str, here: object, arm: object) -> None:
    if here == arm:
        return
    if isinstance(here, list) and isinstance(arm, list):
        pairs = (pair for pair in zip(here, arm, strict=False) if pair[0] != pair[1])
        here, arm = next(pairs, (f"{len(here)} lines", f"{len(arm)} lines"))
    raise DifferentError(f"{what} differ.\nhere: {here}\nARM:  {arm}")


def _output(command: list[str], environment: dict[str, str], folder: Path, given: bytes) -> bytes:
    ended = subprocess.run(
        command, cwd=folder, env=environment, input=given, capture_output=True, timeout=STEP_S
    )
    if ended.returncode:
        said = (ended.stdout + ended.stderr).decode(errors="replace")[-4000:]
        raise DifferentError(f"{' '.join(command[:6])} ... ended with {ended.returncode}:\n{said}")
    return ended.stdout


@contextmanager
def _timed(step: Callable[[Both], str]) -> Iterator[None]:
    began = time.monotonic()
    try:
        yield
    except (DifferentError, subprocess.SubprocessError, OSError) as error:
        sys.exit(
            f"{step.__name__.replace('_', ' ')}: failed after {time.monotonic() - began:.0f} s.\n{error}"
        )
    print(f" ({time.monotonic() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
