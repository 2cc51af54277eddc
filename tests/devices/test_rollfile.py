from pathlib import Path

import pytest

from controller.devices.film import RollFileError, load_rolls


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "dice.jsonl"


def test_rolls_keep_the_order_of_their_dice(path: Path) -> None:
    path.write_text('{"t": 4.12, "dice": [1, 5]}\n\n{"t": 11, "dice": [4, 4]}\n')
    assert [(roll.t, roll.dice) for roll in load_rolls(path)] == [(4.12, (1, 5)), (11.0, (4, 4))]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"t": 2, "dice": [7, 1]}', "line 2: a die shows 7"),
        ('{"t": 2, "dice": [0, 1]}', "line 2: a die shows 0"),
        ('{"t": 2, "dice": [true, 1]}', "line 2: a die shows True"),
        ('{"t": 2, "dice": [3]}', "line 2: write both dice"),
        ('{"t": 0.5, "dice": [3, 1]}', "line 2: the roll at 0.5 s comes after"),
        ('{"dice": [3, 1]}', "line 2: write a roll"),
        ('{"t": NaN, "dice": [3, 1]}', "line 2: write a roll"),
        ("[3, 1]", "line 2: write a roll"),
        ("3 and 1", "line 2: write a roll"),
    ],
)
def test_a_line_that_is_no_roll_is_refused_by_its_number(path: Path, line: str, said: str) -> None:
    path.write_text('{"t": 1, "dice": [3, 1]}\n' + line + "\n")
    with pytest.raises(RollFileError, match=said):
        load_rolls(path)


def test_a_missing_file_of_rolls_is_refused(path: Path) -> None:
    with pytest.raises(RollFileError, match="no such file"):
        load_rolls(path)


def test_a_file_that_is_no_text_is_refused(path: Path) -> None:
    path.write_bytes(b"\xff\xfe\x00\x81")
    with pytest.raises(RollFileError, match="cannot be read as text"):
        load_rolls(path)


@pytest.mark.parametrize("line", ["[" * 100_000, '{"t": ' + "9" * 5000 + ', "dice": [3, 1]}'])
def test_lines_that_break_a_reader_of_json_are_named_like_any_other(tmp_path: Path, line: str) -> None:
    (tmp_path / "dice.jsonl").write_text(line)
    with pytest.raises(RollFileError, match="line 1: write a roll as"):
        load_rolls(tmp_path / "dice.jsonl")
