"""The words of the director's page and of the page to learn from: what they ask for is there, and nothing else."""

import re
from pathlib import Path

import pytest

from tests.web.test_page_modules import SAID, STATIC, flat, loaded_by, words

DIRECTOR = {
    *(f"kind.{kind}" for kind in ("dispute", "illegal", "time", "unsure", "device", "result")),
    *(f"tool.{tool}" for tool in ("table", "plays", "rule", "score", "files")),
    *(f"to_page.{page}" for page in ("table", "setup", "see", "watch")),
    *(f"start_from.{start}" for start in ("confirmed", "seen", "before_last")),
    *(f"file.{form}" for form in ("mat", "sgf", "snowie", "ogxm", "json", "html", "text")),
    *(f"cube_talk.{talk}" for talk in ("none", "double_take", "double_drop")),
    *(f"cube_talk.double_beaver_{talk}" for talk in ("take", "drop", "raccoon_take", "raccoon_drop")),
    *("before", "after", "picture_before", "picture_after", "list", "chosen"),
}
LEARN = {
    *(f"tool.{view}" for view in ("exercise", "last", "mistakes", "hints", "course", "class")),
    *(f"course.answer.{answer}" for answer in ("double", "pass", "roll", "take")),
    *(f"course.column.{column}" for column in ("answers", "due", "known", "name", "wrong")),
    *(f"course.state.{state}" for state in ("due", "known", "new", "wrong")),
    *(f"level_{level}" for level in range(5)),
    *("die_1", "die_2"),
    *("list", "chosen"),
}


def own_words(page: str) -> set[str]:
    return flat(words(page, "en")) - flat(words("table", "en"))


PARTS = {"director": ("director.js",), "learn": ("learn.js", "course.js", "question.js")}
"""The modules that are one page's own."""


@pytest.mark.parametrize(("page", "composed"), [("director", DIRECTOR), ("learn", LEARN)])
def test_every_word_that_the_page_asks_for_is_there_and_no_other(page: str, composed: set[str]) -> None:
    script = "".join((STATIC / name).read_text("utf-8") for name in PARTS[page])
    shared = (STATIC / "matters.js").read_text("utf-8")
    asked = {name for pair in SAID.findall(script) for name in pair if name} | composed
    here = flat(words(page, "en"))
    assert asked <= here, sorted(asked - here)
    also = {name for pair in SAID.findall(shared) for name in pair if name}
    either = set(re.findall(r'"([a-z_]+)"', script + shared))
    assert own_words(page) <= asked | also | either, sorted(own_words(page) - asked - also - either)


@pytest.mark.parametrize("page", ["director.js", "learn.js"])
def test_a_page_loads_modules_that_are_there(page: str) -> None:
    assert all(Path(STATIC, name).is_file() for name in loaded_by(page))
