"""Seams that say what they carry: no call hands over a long row of arguments by their place alone, and no class
has so many methods that it must own several things."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("controller", "calibration", "hardware_docs")
MOST_BY_PLACE = 6
"""From the seventh on nobody sees which value is which, and types do not tell two of the same kind apart."""
ANY_NUMBER = {"_modules"}
"""Functions that take names, as many as there are: there is no order to get wrong."""

MOST_METHODS = 25
"""A class with more owns several things: each of them, with the methods that use it, is a class of its own."""
MAY_HAVE_MORE = {
    # What a program asks of a position, it asks of the position itself, as in python-chess: its names are promised.
    "controller/library/pointsman/position.py Position",
}


def of_others(tree: ast.Module) -> set[str]:
    """The names that a file has from other packages, whose calls are as they are."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.asname or alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not (node.module or "").startswith(OURS):
            names |= {alias.asname or alias.name for alias in node.names}
    # `partial` hands on what it is given by its place.
    return names - {"partial"}


def root_of(call: ast.expr) -> str:
    while isinstance(call, ast.Attribute):
        call = call.value
    return call.id if isinstance(call, ast.Name) else ""


def long_calls(tree: ast.Module) -> Iterator[ast.Call]:
    others = of_others(tree) | ANY_NUMBER
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) > MOST_BY_PLACE and root_of(node.func) not in others:
            yield node


@pytest.mark.parametrize("package", OURS)
def test_no_call_hands_over_seven_arguments_by_their_place(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{call.lineno} {ast.unparse(call.func)}, {len(call.args)} by place"
        for path in sorted((ROOT / package).rglob("*.py"))
        for call in long_calls(ast.parse(path.read_text()))
    ]
    assert not found, "Name the arguments from the fourth on."


def test_a_call_of_seven_by_place_is_found_and_one_with_names_is_not() -> None:
    assert list(long_calls(ast.parse("f(1, 2, 3, 4, 5, 6, 7)")))
    assert list(long_calls(ast.parse("from functools import partial\npartial(f, 1, 2, 3, 4, 5, 6)")))
    assert not list(long_calls(ast.parse("f(1, 2, 3, four=4, five=5, six=6, seven=7)")))
    assert not list(long_calls(ast.parse("import cv2\ncv2.line(1, 2, 3, 4, 5, 6, 7)")))


def large_classes(tree: ast.Module) -> Iterator[tuple[str, int]]:
    """Classes with more methods than a class may have, and how many they have; properties are methods."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            methods = sum(isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef) for part in node.body)
            if methods > MOST_METHODS:
                yield node.name, methods


def test_no_class_has_more_methods_than_one_thing_needs() -> None:
    found = {
        f"{path.relative_to(ROOT)} {name}": methods
        for package in OURS
        for path in sorted((ROOT / package).rglob("*.py"))
        for name, methods in large_classes(ast.parse(path.read_text()))
    }
    assert found.keys() == MAY_HAVE_MORE, found


def test_a_class_of_more_methods_is_found_with_its_properties() -> None:
    methods = "".join(
        f"    @property\n    def of_{number}(self): ...\n" for number in range(MOST_METHODS + 1)
    )
    assert list(large_classes(ast.parse(f"class Large:\n{methods}"))) == [("Large", MOST_METHODS + 1)]
