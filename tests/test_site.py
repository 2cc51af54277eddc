"""The site of the pages: everything is on it once, and its links lead to what is on it. mkdocs is not needed here."""

import re
from pathlib import Path

import pytest

from hardware_docs.site import ELSEWHERE, PAGES, deepened, with_links

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / PAGES
IN_MENU = re.findall(r"^ {6}- (?:.*: )?(\S+\.md)$", (ROOT / "mkdocs.yml").read_text(), re.MULTILINE)
PATHS = sorted(DOCS.glob("path_*.md"))


def test_the_menu_has_every_page_once() -> None:
    there = {page.name for page in DOCS.glob("*.md")} | {
        name for name in ELSEWHERE.values() if name.endswith(".md")
    }
    assert sorted(IN_MENU) == sorted(there)


@pytest.mark.parametrize("source", [*(f"{PAGES}/{page.name}" for page in DOCS.glob("*.md")), *ELSEWHERE])
def test_links_lead_to_what_is_on_the_site(source: str) -> None:
    text = with_links((ROOT / source).read_text(encoding="utf-8"), source)
    text = re.sub(r"^ *```.*?^ *```$", "", text, flags=re.MULTILINE | re.DOTALL)
    targets = {link for link in re.findall(r"\]\(([^)\s#]+)", text) if "://" not in link}
    on_site = set(ELSEWHERE.values())
    assert {target for target in targets if target not in on_site and not (DOCS / target).is_file()} == set()


def test_lists_get_the_depth_that_the_site_wants_and_code_stays_as_it_is() -> None:
    page = "Steps:\n1. one\n   more\n\n       code\n\nEnd.\n```\n- no list\n  here\n```"
    assert deepened(page) == (
        "Steps:\n\n1. one\n    more\n\n        code\n\nEnd.\n```\n- no list\n  here\n```"
    )


def test_five_paths_lead_to_every_page_that_is_not_for_looking_inside() -> None:
    assert len(PATHS) == 5
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    inside = set(re.findall(r"\]\((\w+\.md)", index.split("## To look inside")[1]))
    led_to = {
        name for page in PATHS for name in re.findall(r"\]\((\w+\.md)", page.read_text(encoding="utf-8"))
    }
    others = {page.name for page in DOCS.glob("*.md")} - {"README.md", *(page.name for page in PATHS)}
    assert others - led_to - inside == {"regions.md"}


def test_the_index_begins_with_the_paths_and_keeps_the_inside_for_the_end() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    first = re.findall(r"\]\((\w+\.md)\)", index)[:5]
    assert sorted(first) == [page.name for page in PATHS]
    assert re.findall(r"^## (.*)$", index, re.MULTILINE)[-1] == "To look inside"
