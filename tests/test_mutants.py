"""Faults that are planted: each in a file of the product, with tests that are there."""

from pathlib import Path

import pytest

from tests.mutants import ROOT, Fate, Mutant, fate_of, mutants, planted


def test_each_fault_is_one_and_names_its_file_and_tests() -> None:
    for mutant in mutants():
        assert mutant.line != mutant.fault, mutant
        assert planted((ROOT / mutant.file).read_text("utf-8"), mutant) is not None, mutant
        assert mutant.file.startswith(("controller/", "calibration/")), mutant
        assert mutant.tests, mutant
        assert [each for each in mutant.tests if not (ROOT / each).is_file()] == [], mutant


def test_a_fault_is_planted_where_its_line_stands_once() -> None:
    mutant = Mutant("one.py", "a < b", "a <= b", ())
    assert planted("if a < b:\n", mutant) == "if a <= b:\n"
    assert planted("if b < a:\n", mutant) is None
    assert planted("a < b or a < b\n", mutant) is None


@pytest.mark.parametrize(
    ("fault", "line", "fate"),
    [
        ("3 - 1", "1 + 1", Fate.SURVIVED),
        ("1 - 1", "1 + 1", Fate.FOUND),
        ("0", "2 + 2", Fate.GONE),
    ],
    ids=str,
)
def test_a_fault_is_found_survives_or_is_gone_and_its_file_is_put_right(
    fault: str, line: str, fate: Fate, tmp_path: Path
) -> None:
    product, test = tmp_path / "sums.py", tmp_path / "test_sums.py"
    product.write_text("TWO = 1 + 1\n")
    test.write_text("import sums\n\n\ndef test_two():\n    assert sums.TWO == 2\n")
    assert fate_of(Mutant("sums.py", line, fault, ("test_sums.py",)), tmp_path) is fate
    assert product.read_text() == "TWO = 1 + 1\n"
