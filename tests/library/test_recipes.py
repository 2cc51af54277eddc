"""Every example of the page for programmers prints what the page says, each by itself after `import pointsman`."""

import doctest
import re
import shutil
from pathlib import Path

import pytest

import pointsman
from calibration.boardfile import save_board
from calibration.calibrate import CalibrationPicture, calibrate
from controller.devices.pictures import load_picture
from controller.rules import START
from tests.test_imports import ROOT

PAGE = ROOT / "hardware_docs" / "library.md"
EXAMPLE = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
GAME = ROOT / "tests" / "data" / "game" / "frames"
MATCH = ROOT / "tests" / "data" / "record" / "gammonview" / "hQ8sVn2LbTdF4wRm.mat"
LEAST = 30


def examples() -> list[doctest.DocTest]:
    """The page's examples, named by the heading they stand under and their line."""
    text = PAGE.read_text(encoding="utf-8")
    parser = doctest.DocTestParser()
    found = []
    for block in EXAMPLE.finditer(text):
        line = text.count("\n", 0, block.start())
        heading = text.rfind("\n## ", 0, block.start())
        name = text[heading + 4 :].split("\n")[0] if heading >= 0 else "first"
        found.append(
            parser.get_doctest(block[1], {"pointsman": pointsman}, f"{name}:{line}", str(PAGE), line)
        )
    return found


@pytest.fixture(scope="session")
def table(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that the page speaks of: a board file, a picture of that board, and a match."""
    folder = tmp_path_factory.mktemp("table")
    views = [
        CalibrationPicture.reduced(name, load_picture(GAME / name), START.points)
        for name in ("00000.jpg", "00001.jpg")
    ]
    save_board(calibrate(views, None, None, "auto").board, folder / "board.toml")
    shutil.copy(GAME / "00002.jpg", folder / "table.jpg")
    shutil.copy(MATCH, folder / "final.mat")
    return folder


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.name)
def test_the_example_prints_what_the_page_says(
    example: doctest.DocTest, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(table, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    said: list[str] = []
    missing = {"gnubg", "bgsage"} - set(pointsman.engines())
    if missing and re.search(r"engine|ratings", "".join(each.source for each in example.examples)):
        pytest.skip(f"{', '.join(sorted(missing))} is not installed")
    failed, tried = doctest.DocTestRunner(verbose=False).run(example, out=said.append)
    assert tried
    assert not failed, "".join(said)


def test_there_are_recipes_enough() -> None:
    assert len(examples()) >= LEAST


def test_everything_that_is_public_stands_on_the_page_or_in_what_its_recipes_return() -> None:
    page = PAGE.read_text(encoding="utf-8")
    returned = {
        "BoardReading",
        "Game",
        "Move",
        "Play",
        "RatedPlay",
        "Reason",
        "Roll",
        "Side",
        "Turn",
        "Verdict",
    }
    named = {name for name in pointsman.__all__ if f"pointsman.{name}" in page}
    assert set(pointsman.__all__) - named <= returned
