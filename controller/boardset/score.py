"""How well a program reads the boards of the set: any program that answers as ``pointsman read`` does."""

import json
import shlex
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2

from controller.boardset.folder import Contribution
from controller.boardset.truth import KnownMoment, truths
from controller.errors import UserError
from controller.rules import Side
from controller.rules.game.cube import Cube

OWN: Final = f"{shlex.quote(sys.executable)} -m controller"
"""This program, as a program like others."""
LONGEST_S: Final = 600.0
"""A program has this long for the pictures of one board."""


class ScoreError(UserError):
    """A program that cannot be scored; the sentence says what it did."""


@dataclass(frozen=True, slots=True)
class ReadingScore:
    """What became of the pictures of a board.

    Counts of pictures, those without an answer, those read to the checker; of points, those right, those wrong and
    not marked as unsure; of moments with known dice, and those read right; of cubes, and those told right.
    """

    pictures: int = 0
    refused: int = 0
    exact: int = 0
    points: int = 0
    points_right: int = 0
    sure_wrong: int = 0
    dice: int = 0
    dice_right: int = 0
    cubes: int = 0
    cubes_right: int = 0

    def figures(self) -> Mapping[str, float | None]:
        """Shares of what was read in percent, None where there was nothing; counts of what must not happen."""
        return {
            "pictures": self.pictures,
            "refused": self.refused,
            "exact": _percent(self.exact, self.pictures - self.refused),
            "points": _percent(self.points_right, self.points),
            "sure_wrong": self.sure_wrong,
            "dice": _percent(self.dice_right, self.dice),
            "cube": _percent(self.cubes_right, self.cubes),
        }


def score(given: Contribution, program: str = OWN) -> ReadingScore:
    """Let a program learn the board from its first moment and read all moments; compare with the match.

    The program is called as ``PROGRAM calibrate board --image FILE --position COMPACT --out FILE`` (with
    ``--light-home`` where the contribution says so), then as ``PROGRAM read --board FILE --json IMAGE...``.

    Raises:
        ScoreError: the program cannot be run, learns no board or answers otherwise.
        UserError: as `truths`.
    """
    shown = truths(given)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = [_written(folder / f"{number:03}.png", one) for number, one in enumerate(shown)]
        board = folder / "board.toml"
        home = ("--light-home", given.board.light_home) if given.board.light_home else ()
        position = ("--position", shown[0].position.compact())
        learn = ("calibrate", "board", "--image", str(files[0]), *position, *home, "--out", str(board))
        _answer(program, learn, needed=True)
        text = _answer(program, ("read", "--board", str(board), "--json", *map(str, files)), needed=False)
        told = _by_file(text, program)
    answers = [told.get(file.name) for file in files]
    try:
        return total(
            _compared(one, answer, with_cube=given.board.cube)
            for one, answer in zip(shown, answers, strict=True)
        )
    except (TypeError, AttributeError):
        raise ScoreError(
            f"{program} printed a reading with another form than the interface has; compare it with read --json."
        ) from None


def _written(file: Path, one: KnownMoment) -> Path:
    cv2.imwrite(str(file), one.picture)
    return file


def _answer(program: str, arguments: Sequence[str], *, needed: bool) -> str:
    """What it prints; a picture that it refuses may make it fail, a board that it does not learn may not."""
    try:
        done = subprocess.run(
            [*shlex.split(program), *arguments],
            capture_output=True,
            text=True,
            timeout=LONGEST_S,
            check=False,
        )
    except (OSError, ValueError):
        raise ScoreError(f"{program} cannot be run; give a command line that can.") from None
    except subprocess.TimeoutExpired:
        raise ScoreError(
            f"{program} took more than {LONGEST_S:g} s for one board; it is not scored."
        ) from None
    if needed and done.returncode:
        *_, last = done.stderr.strip().splitlines() or ["nothing was said"]
        raise ScoreError(f"{program} did not learn the board: {last}")
    return done.stdout


def _by_file(text: str, program: str) -> Mapping[str, Mapping[str, Any]]:
    """The answers by the name of their picture."""
    told: dict[str, Mapping[str, Any]] = {}
    for line in text.splitlines():
        try:
            answer = json.loads(line)
            if len(answer["points"]) != 24:
                raise ValueError
            told[Path(answer["file"]).name] = answer
        except (ValueError, TypeError, KeyError):
            raise ScoreError(
                f"{program} printed a line that is no reading; each is a JSON object with file and 24 points."
            ) from None
    return told


def _compared(one: KnownMoment, told: Mapping[str, Any] | None, *, with_cube: bool) -> ReadingScore:
    if told is None:
        return ReadingScore(pictures=1, refused=1)
    points, bar = one.position.points, {side.value: one.position.bar(side) for side in Side}
    wrong = {point for point in range(1, 25) if told["points"][point - 1] != points[point - 1]}
    dice = one.moment.dice
    return ReadingScore(
        pictures=1,
        exact=not wrong and told.get("bar", bar) == bar,
        points=24,
        points_right=24 - len(wrong),
        sure_wrong=len(wrong - set(told.get("unsure") or ())),
        dice=dice is not None,
        dice_right=dice is not None
        and sorted(dice) == sorted(die.get("value", 0) for die in told.get("dice") or ()),
        cubes=1,
        cubes_right=_same(one.cube if with_cube else None, told.get("cube")),
    )


def _same(cube: Cube | None, told: Mapping[str, Any] | None) -> bool:
    """Whether a cube, or that there is none, is told rightly; one in the middle needs no number."""
    if cube is None or told is None:
        return cube is None and told is None
    owner = "center" if cube.owner is None else cube.owner.value
    return told.get("owner") == owner and (owner == "center" or told.get("value") == cube.value)


def total(scores: Iterable[ReadingScore]) -> ReadingScore:
    """All of them together."""
    counts = Counter[str]()
    for one in scores:
        counts.update({name: int(getattr(one, name)) for name in ReadingScore.__slots__})
    return ReadingScore(**counts)


def _percent(part: int, whole: int) -> float | None:
    return round(100 * part / whole, 2) if whole else None
