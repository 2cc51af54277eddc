"""The page on tournaments names every format, every key and every criterion, with the words of the code."""

from pathlib import Path

from controller.tomlfile.checks import keys_of, shown
from controller.tournament.catalogue import format_names
from controller.tournament.format import TABLES, Criterion, StageRules, TieBreak
from tests.rows import each_row

PAGE = Path(__file__).resolve().parents[2] / "hardware_docs" / "tournament.md"


def key_tables() -> str:
    """The tables of keys as they stand on the page."""
    blocks = []
    for table, kind in TABLES.items():
        rows = [
            f"### `[{table}]`",
            "",
            f"{kind.__doc__}",
            "",
            "| key | usual value | what it is for |",
            "|---|---|---|",
        ]
        for each in keys_of(kind):
            usual = each.otherwise or ("none" if each.default is None else f"`{shown(each.default)}`")
            rows.append(f"| `{each.name}` | {usual} | {each.words} |")
        blocks.append("\n".join(rows))
    return "\n\n".join(blocks)


def test_the_page_has_the_keys_as_the_code_has_them() -> None:
    assert key_tables() in PAGE.read_text(encoding="utf-8")


@each_row("name", [*format_names(), *Criterion, *TieBreak])
def test_the_page_has_a_row_for_everything_that_has_a_name(name: str) -> None:
    assert f"\n| `{name}` | " in PAGE.read_text(encoding="utf-8")


def test_the_page_lists_the_criteria_in_the_order_in_which_they_count() -> None:
    text = PAGE.read_text(encoding="utf-8")
    places = [text.index(f"\n| `{each}` | ") for each in StageRules().pairing]
    assert places == sorted(places)
