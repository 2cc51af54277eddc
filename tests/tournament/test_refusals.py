"""What a tournament refuses has a sentence in every language, and no sentence is there for nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from controller.cli.tournament.log import HINTS
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.tournament.fault import RefusalError, RefusedThing

CONTROLLER = Path(__file__).resolve().parents[2] / "controller"
THINGS = "what"
"""The words for what a refusal speaks of, among the sentences."""


def calls(*names: str) -> Iterator[tuple[ast.Call, str]]:
    """Every call of one of these functions in the tournament's and the hub's modules, and where it stands."""
    for room in ("tournament", "hub"):
        for path in sorted((CONTROLLER / room).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names:
                    yield node, f"{path.name}, line {node.lineno}"


def refusals() -> dict[str, list[tuple[set[str], bool, str]]]:
    """The keys with which something is refused, each with the values given, whether these are all, and where."""
    found: dict[str, list[tuple[set[str], bool, str]]] = {}
    for call, where in calls("RefusalError", "_refuse"):
        for given in call.args:
            if isinstance(given, ast.Constant) and isinstance(given.value, str):
                values = {each.arg for each in call.keywords if each.arg is not None}
                whole = all(each.arg is not None for each in call.keywords)
                found.setdefault(given.value, []).append((values, whole, where))
    return found


def blanks(key: str) -> set[str]:
    entry = catalogue("en").entries("tournament", "refused")[key]
    texts = [entry] if isinstance(entry, str) else [text for form, text in entry.items() if form != "count"]
    return {name for text in texts for _, name, _, _ in Formatter().parse(text) if name is not None}


def test_every_sentence_is_said_somewhere_and_every_refusal_has_its_sentence() -> None:
    assert set(refusals()) == catalogue("en").names("tournament", "refused") - {THINGS}


def test_every_refusal_gives_what_its_sentence_names() -> None:
    for key, places in refusals().items():
        for values, whole, where in places:
            assert values == blanks(key) if whole else values < blanks(key), f"{where}: {key}"


def test_every_thing_has_its_word() -> None:
    named = {
        given.value
        for call, _ in calls("RefusedThing", "tidy")
        for given in call.args
        if isinstance(given, ast.Constant) and isinstance(given.value, str)
    }
    words = catalogue("en").names("tournament", "refused", THINGS)
    assert named <= words
    assert words - named == {"name"}, "what tidy() calls it unless told otherwise"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_sentence_speaks_of_options_which_a_page_does_not_have(language: str) -> None:
    for key, entry in catalogue(language).entries("tournament", "refused").items():
        assert "--" not in str(entry), key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_within_a_refusal_is_told_in_the_same_language(language: str) -> None:
    texts = catalogue(language)
    inner = RefusalError("no_bye_left", match=3, name="Ann")
    told = RefusalError("undo_alone", number=7, why=inner, events="9").in_language(language)
    assert texts.text("tournament", "refused", "no_bye_left", match=3, name="Ann") in told
    long = RefusalError("wrong_length", text="'x'", what=RefusedThing("seed"), least=1, most=60)
    assert texts.text("tournament", "refused", THINGS, "seed") in long.in_language(language)


def test_a_refusal_is_english_where_nobody_says_otherwise() -> None:
    assert str(RefusalError("no_event", number=9)) == "There is no event 9; check its number."


def test_the_command_line_adds_options_to_sentences_that_there_are() -> None:
    assert set(HINTS) <= set(refusals())
