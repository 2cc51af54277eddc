"""Files of BGBlitz: read as the match that they tell, or refused in a sentence."""

import sys
import zlib
from pathlib import Path

import pytest

from controller.errors import UserError
from controller.record.files.bgf import GvformatMissingError, is_bgf
from controller.record.files.formats import read_match_file
from controller.record.match.playthrough import objections


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'{"format": "BGF", "version": "1.0"}\nnothing', "no whole file of BGBlitz"),
        (b'{"format": "BGF"}', "no whole file of BGBlitz"),
        (b'{"format": "BGF"}\n' + zlib.compress(b":)\n\x03\xfa" * 9), "no whole file of BGBlitz"),
    ],
)
def test_a_damaged_file_is_refused_in_a_sentence(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message) as caught:
        read_match_file(data, "f")
    assert "\n" not in str(caught.value)


def test_a_file_that_unpacks_to_more_than_any_match_has_is_refused() -> None:
    packed = zlib.compress(bytes(65_000_000))
    with pytest.raises(UserError, match="unpacks to more than any match has") as caught:
        read_match_file(b'{"format": "BGF"}\n' + packed, "f")
    assert "\n" not in str(caught.value)


def test_without_the_package_people_hear_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    with pytest.raises(GvformatMissingError, match=r"pip install gammonview PyYAML"):
        read_match_file(b'{"format": "BGF"}\n', "m.bgf")


def test_other_files_are_not_taken_for_those_of_these_programs() -> None:
    assert not is_bgf(b'{"format": "pointsman match"}')
    assert is_bgf(b'{"format":"BGF","version":"1.0","compress":true}\n')


def test_a_file_that_the_program_wrote_is_the_match_that_its_text_tells() -> None:
    folder = Path(__file__).parents[2] / "data" / "record" / "gammonview"
    name = "B4_SrGcsKAQmoTyHlgJCbM"
    binary, text = (
        read_match_file((folder / f"{name}.{ending}").read_bytes(), name) for ending in ("bgf", "mat")
    )
    assert list(objections(binary)) == []
    assert (binary.light, binary.dark) == (text.dark, text.light)
    for game, other in zip(binary.games, text.games, strict=True):
        assert [turn.after.mirrored() for turn in game.turns] == [turn.after for turn in other.turns]
        assert (game.result and game.result.points) == (other.result and other.result.points)
