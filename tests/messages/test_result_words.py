"""Results and refusals in the players' languages."""

import pytest

from controller.messages.catalogue import LANGUAGES
from controller.messages.result_words import refusal_words, result_words
from controller.rules.game.cube import Cube, double
from controller.rules.game.refusal import RefusedError
from controller.rules.game.scoring import Ending, Level, Loss, Result, game_value
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import STANDARD, Profile

LIGHT, DARK = Side.LIGHT, Side.DARK
TAKEN = Cube(4, LIGHT, doubled=True)


def played(level: Level, cube: Cube, profile: Profile = STANDARD, loss: Loss | None = None) -> Result:
    value = game_value(level, cube, profile)
    return Result(LIGHT, value.points, Ending.PLAYED, value, loss)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "gammon 2 x cube 4 = 8"),
        ("hu", "gammon 2 x kocka 4 = 8"),
        ("et", "gammon 2 x kuubik 4 = 8"),
        ("sk", "gammon 2 x kocka 4 = 8"),
    ],
)
def test_the_working_of_a_result_is_told_in_each_language(language: str, words: str) -> None:
    assert result_words(played(Level.GAMMON, TAKEN), language) == words


@pytest.mark.parametrize(
    "result",
    [
        played(Level.GAMMON, TAKEN),
        played(Level.BACKGAMMON, Cube(64, LIGHT, doubled=True), load_profile("hunbg-club")),
        played(Level.GAMMON, Cube(), load_profile("standard-money")),
        Result(DARK, 2, Ending.DROPPED, cube=2),
        Result(DARK, 3, Ending.DROPPED, cube=2),
        Result(DARK, 5, Ending.RESIGNED),
        Result(DARK, 1, Ending.AWARDED),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_result_ends_in_words_with_its_points(result: Result, language: str) -> None:
    assert str(result.points) in result_words(result, language)


def test_in_english_a_played_result_reads_as_its_working() -> None:
    result = played(Level.GAMMON, Cube(), load_profile("standard-money"))
    assert result_words(result) == result.working == "single 1 x cube 1 = 1 (Jacoby: gammon not counted)"


def test_what_was_assumed_is_told() -> None:
    result = played(Level.BACKGAMMON, TAKEN, loss=Loss(Level.BACKGAMMON, assumed=True))
    assert result_words(result).endswith(
        "(a checker in the winner's home board was taken for one that had been hit)"
    )
    late = played(Level.BACKGAMMON, TAKEN, loss=Loss(Level.BACKGAMMON, after_bearoff=True))
    assert result_words(late).endswith("(not all home again after bearing off)")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Light cannot double: the cube belongs to dark."),
        ("hu", "Világos nem duplázhat: a kocka birtokosa sötét."),
        ("et", "Hele ei saa duubeldada: kuubiku valdaja on tume."),
        ("sk", "Svetlý nemôže zdvojiť: kocku má tmavý."),
    ],
)
def test_a_refusal_is_told_in_each_language(language: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        double(Cube(2, DARK, doubled=True), LIGHT, STANDARD.cube)
    assert refusal_words(caught.value, language) == words
