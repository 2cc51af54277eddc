"""Every sentence of the pages of set-up is run by a test, or the page says that only real hardware can show it."""

import re
from pathlib import Path

import pytest

from tests.docs.claims import MEASURED_ONCE, Claim, Piece, claims, is_bench, is_there, pieces
from tests.docs.set_up_page import CAMERA, INSTALLATION
from tests.test_imports import ROOT

HERE = Path(__file__).parent
LISTS = {INSTALLATION: "What only a real Pi can show", CAMERA: "What only real hardware can show"}
"""Where each page tells its readers what only real hardware can show."""
MOST_EXPLAINED = 0.12
"""Of the pieces of a page; installation.md has 0.08, camera.md 0.02."""
MOST_MEASURED_ONCE = 25
"""Pieces whose figures nobody can measure again with what is in the project."""

FIGURE = re.compile(r"(?<![\w.])\d+(?:[.,]\d+)?(?!\w)")

each = pytest.mark.parametrize("page", list(LISTS), ids=lambda page: page.name)


def map_of(page: Path) -> tuple[Claim, ...]:
    return claims(HERE / f"{page.stem}.toml")


def hardware(page: Path) -> list[str]:
    """The rows or items of the page's list of what only real hardware can show."""
    listed = [piece.words for piece in pieces(page) if piece.section == LISTS[page]]
    return [words for words in listed if " | " in words or words.startswith(("Whether", "How", "What"))]


def missing(page: Path, found: list[Piece], known: tuple[Claim, ...]) -> list[str]:
    """A sentence for each piece that no entry knows."""
    said = {words for claim in known for words in claim.says}
    return [
        f"{page.name}, line {piece.line}: nothing runs {piece.words!r}; in tests/docs/{page.stem}.toml name the test "
        "that does, or the row of what only real hardware can show."
        for piece in found
        if piece.words not in said
    ]


def unknown_figures(words: str, tests: tuple[str, ...], page: str) -> list[str]:
    """The figures in a piece that stand in no file of its tests; none where one of these reads the page."""
    sources = [(ROOT / test.partition("::")[0]).read_text(encoding="utf-8") for test in tests]
    if any(
        reads in source for source in sources for reads in (page, "hardware_docs/*.md", "docs.set_up_page")
    ):
        return []
    known = set(FIGURE.findall(" ".join(sources)))
    return [figure for figure in FIGURE.findall(words) if figure not in known]


@each
def test_each_sentence_row_and_block_has_an_entry(page: Path) -> None:
    found = [piece for piece in pieces(page) if piece.words not in hardware(page)]
    if without := missing(page, found, map_of(page)):
        pytest.fail("\n".join(without), pytrace=False)


@each
def test_no_entry_is_of_words_that_are_gone_and_none_comes_twice(page: Path) -> None:
    there = {piece.words for piece in pieces(page)}
    said = [words for claim in map_of(page) for words in claim.says]
    if gone := [words for words in said if words not in there]:
        pytest.fail(f"{page.name} says no more, so take it out of the map: {gone}", pytrace=False)
    assert [words for words in there if said.count(words) > 1] == []


@each
def test_each_entry_says_in_one_way_what_holds_its_words(page: Path) -> None:
    wrong = [
        claim.says[0]
        for claim in map_of(page)
        if bool(claim.explains) == bool(claim.tests or claim.hardware or claim.measured)
    ]
    assert wrong == []


@each
def test_each_test_that_an_entry_names_is_one_that_runs(page: Path) -> None:
    gone = {test for claim in map_of(page) for test in claim.tests if not is_there(test)}
    assert sorted(gone) == []


@each
def test_what_only_hardware_can_show_is_what_the_page_tells_its_readers(page: Path) -> None:
    listed = hardware(page)
    named = {claim.hardware for claim in map_of(page) if claim.hardware}
    assert [name for name in named if not any(row.startswith(name) for row in listed)] == []
    rows = [row for row in listed if not row.startswith("what | ")]
    assert [row for row in rows if not any(row.startswith(name) for name in named)] == []


@each
def test_a_figure_stands_in_a_test_that_knows_it_or_that_reads_it_on_the_page(page: Path) -> None:
    unknown = [
        (words, figures)
        for claim in map_of(page)
        if claim.tests and not (claim.hardware or claim.measured)
        for words in claim.says
        if (figures := unknown_figures(words, claim.tests, page.name))
    ]
    assert unknown == []


@each
def test_few_pieces_only_explain_and_few_figures_cannot_be_measured_again(page: Path) -> None:
    known = map_of(page)
    pieces_of = {
        "explained": sum(len(claim.says) for claim in known if claim.explains),
        "once": sum(len(claim.says) for claim in known if claim.measured.startswith(MEASURED_ONCE)),
    }
    assert pieces_of["explained"] / len(list(pieces(page))) <= MOST_EXPLAINED
    assert pieces_of["once"] <= MOST_MEASURED_ONCE
    benches = [claim.measured for claim in known if claim.measured]
    assert [name for name in benches if not is_bench(name) and not name.startswith(MEASURED_ONCE)] == []


def test_an_edited_sentence_a_new_row_and_a_test_that_is_gone_are_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# One\n\nIt waits 5 s. It `asks`\n[you](x.md).\n\n| a | b |\n|---|---|\n| c | d |\n\n    run\n"
    )
    found = list(pieces(page))
    assert found == [
        Piece(3, "One", "It waits 5 s."),
        Piece(3, "One", "It asks you."),
        Piece(6, "One", "a | b"),
        Piece(8, "One", "c | d"),
        Piece(10, "One", "run", is_code=True),
    ]
    known = (Claim(("It waits 6 s.", "It asks you.", "a | b", "run"), ("x::y",)),)
    first, second = missing(page, found, known)
    assert first.startswith(
        "page.md, line 3: nothing runs 'It waits 5 s.'; in tests/docs/page.toml name the test"
    )
    assert "'c | d'" in second
    here = "tests/docs/test_claims.py::test_an_edited_sentence_a_new_row_and_a_test_that_is_gone_are_noticed"
    assert is_there(here)
    assert not is_there(here.replace("edited", "old"))
    assert not is_there("tests/docs/claims.py::pieces")
    assert not is_there("tests/install/clean_root.sh::a step that nobody takes")
