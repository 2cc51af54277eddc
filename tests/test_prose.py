"""The pages can be read aloud."""

from pathlib import Path

import pytest

from tests.prose import Sentence, sentences
from tests.test_docs import PAGES, name_of

LONGEST = 35
"""Words in a sentence; whoever reads it aloud runs out of breath after that."""


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_no_sentence_is_too_long_to_be_read_aloud(page: Path) -> None:
    long = [each for each in sentences(page) if each.words > LONGEST]
    assert [f"{name_of(page)}:{each.line} ({each.words} words) {each.text}" for each in long] == []


def test_sentences_are_told_apart_and_tables_and_code_are_left_out(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n\nOne `a b. c` is. `--two` is\ntoo; three.\n\n"
        "| a | b |\n|---|---|\n| c. D | e |\n\n    code. More\n"
    )
    assert list(sentences(page)) == [
        Sentence(1, "Title"),
        Sentence(3, "One Code is."),
        Sentence(3, "Code is too; three."),
    ]
    assert [each.words for each in sentences(page)] == [1, 3, 4]
