"""Any program is scored that answers as `pointsman read` does; what is in the set has floors."""

import json
import shlex
import sys
from pathlib import Path

import pytest

from controller.boardset.folder import read_contribution
from controller.boardset.score import ReadingScore, ScoreError, score, total
from tests.boardset.folders import SAMPLE, SET, contributions
from tests.rows import each_row

FLOORS = json.loads((SET / "floors.json").read_text())
COUNTED = ("refused", "sure_wrong")
"""These may be that many at most, the others are percent at least."""


def test_every_contribution_has_floors() -> None:
    assert {path.name for path in contributions()} == set(FLOORS)


@pytest.mark.parametrize("folder", contributions(), ids=lambda path: path.name)
def test_pointsman_reads_the_set_at_least_so_well(folder: Path) -> None:
    figures = score(read_contribution(folder)).figures()
    for name, floor in FLOORS[folder.name].items():
        value = figures[name]
        assert value is not None
        assert value <= floor if name in COUNTED else value >= floor, f"{name}: {value}"


def _program(tmp_path: Path, answers: str) -> str:
    """A program that learns any board and answers to picture `k` of its pictures what an expression gives."""
    file = tmp_path / "program.py"
    file.write_text(
        "import json, sys\n"
        "if sys.argv[1] == 'calibrate': open(sys.argv[sys.argv.index('--out') + 1], 'w').close()\n"
        "else:\n"
        "    for k, name in enumerate(sys.argv[sys.argv.index('--json') + 1:]):\n"
        f"        {answers}\n"
    )
    return shlex.join([sys.executable, str(file)])


START = "[-2,0,0,0,0,5,0,3,0,0,0,-5,5,0,0,0,-3,0,-5,0,0,0,0,2]"


def test_a_stranger_is_scored_by_what_it_prints(tmp_path: Path) -> None:
    says = f"k == 6 or print(json.dumps({{'file': name, 'points': {START}, 'unsure': [7], 'dice': []}}))"
    found = score(read_contribution(SAMPLE), _program(tmp_path, says))
    assert (found.pictures, found.refused, found.exact) == (7, 1, 2)
    # After one turn two points are wrong, after two turns six; point 7 is said to be unsure.
    assert (found.points - found.points_right, found.sure_wrong) == (2 * 2 + 2 * 6, 2 * 1 + 2 * 5)
    assert (found.dice, found.dice_right) == (6, 1)
    # It told of no cube, and one lay in the middle.
    assert (found.cubes, found.cubes_right) == (6, 0)


@each_row(
    ("says", "sentence"),
    [
        ("print('hello')", "a line that is no reading"),
        ("print(json.dumps({'file': name, 'points': [1]}))", "a line that is no reading"),
        ("print(json.dumps([name]))", "a line that is no reading"),
        ("print(json.dumps({'file': name, 'points': [0] * 24, 'dice': [3, 1]}))", "another form than"),
        ("print(json.dumps({'file': name, 'points': [0] * 24, 'unsure': [[]]}))", "another form than"),
    ],
)
def test_answers_in_another_form_are_told(
    says: str, sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with pytest.raises(ScoreError, match=sentence):
        score(read_contribution(SAMPLE), _program(tmp_path_factory.mktemp("program"), says))


@each_row(
    ("program", "sentence"), [("no-such-program", "cannot be run"), ("false", "did not learn the board")]
)
def test_a_program_that_cannot_be_scored_is_named(program: str, sentence: str) -> None:
    with pytest.raises(ScoreError, match=f"{program} {sentence}"):
        score(read_contribution(SAMPLE), program)


def test_boards_add_up_and_what_was_not_asked_has_no_figure() -> None:
    both = total([ReadingScore(pictures=2, points=48, points_right=47), ReadingScore(pictures=1, refused=1)])
    assert both.figures()["points"] == pytest.approx(97.92)
    assert both.figures()["refused"] == 1
    assert both.figures()["dice"] is None
