"""Faults by dice that were misread, told to the referee in lines as any program does."""

import pytest

from tests.cli.referee_lines import (
    DARK_61,
    OPENED,
    Object,
    asked,
    moving,
    of_kind,
    pressed,
    said,
    seen,
    timed,
)

DARK_66 = "b...BD.B...cE...abe...bB.."
DARK_64 = "b...BD.B...dE...c.e..a.B.."
DARK_32 = "b...BD.B...dE.a.b.f....B.."
"""Dark's 13/10 8/6, a play of neither 4-1 nor 6-1."""
Dice = tuple[int, int]


def played(dice: Dice, after: str) -> list[Object]:
    """Dark's dice look like this, and the play is made; then the dice are lifted."""
    lying = [list(dice)]
    return [
        *seen(OPENED),
        *seen(OPENED, times=4, dice=lying),
        *moving(),
        *seen(after, times=4, dice=lying),
        *seen(after, times=3),
    ]


def messages(answers: list[Object]) -> list[str]:
    return [line["message"] for line in of_kind(answers, "told")]


@pytest.mark.parametrize(
    ("looks", "after", "is_"),
    [
        ((4, 1), DARK_61, (6, 1)),
        ((4, 4), DARK_66, (6, 6)),
        ((4, 4), DARK_64, (6, 4)),
        ((6, 4), DARK_66, (6, 6)),
    ],
)
def test_a_play_that_is_legal_if_a_four_is_a_six_is_asked_about_and_nobody_is_accused(
    looks: Dice, after: str, is_: Dice
) -> None:
    answers = asked(timed(played(looks, after)))
    assert not of_kind(answers, "flagged")
    assert not of_kind(answers, "turn")
    (question,) = (line for line in of_kind(answers, "told") if line["message"] == "which_roll")
    assert question["arguments"] == {"first": [*looks], "dice": [*is_]}
    assert of_kind(answers, "phase")[-1]["phase"] == "turn_ended"


@pytest.mark.parametrize(
    "answer",
    [
        said("dark", "played", position=DARK_61),
        pressed("done", "dark"),
        seen(DARK_61, times=4, dice=[[5, 2]]),
    ],
    ids=["said", "as it lies", "the opponent rolls"],
)
def test_a_play_of_a_six_that_looks_like_a_four_counts_as_one_of_a_six_with_a_doubt(
    answer: list[Object],
) -> None:
    answers = asked(timed(played((4, 1), DARK_61), answer))
    (turn,) = of_kind(answers, "turn")
    assert (turn["dice"], turn["move"], turn["legal"]) == ([6, 1], "13/7 8/7", True)
    assert [line["ply"] for line in of_kind(answers, "unsure")] == [0]
    assert not of_kind(answers, "flagged")


def test_a_play_that_neither_a_four_nor_a_six_explains_is_still_told() -> None:
    answers = asked(timed(played((4, 1), DARK_32)))
    (flag,) = of_kind(answers, "flagged")
    assert (flag["player"], flag["move"]) == ("dark", "13/10 8/6")


def test_a_play_of_a_four_is_told_without_a_question() -> None:
    answers = asked(timed(played((4, 1), "b...BD.B...dE..ac.d....B..")))
    assert "which_roll" not in messages(answers)
