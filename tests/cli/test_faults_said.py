"""Faults in what people say to the referee, each told to it in lines as any program does."""

import pytest

from controller.messages.catalogue import LANGUAGES
from controller.messages.table_words import message_words
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.profile.conduct import DeviceRole
from tests.cli.referee_lines import (
    DARK_61,
    DARK_WRONG,
    OPENED,
    Object,
    asked,
    moving,
    of_kind,
    pressed,
    rolled,
    said,
    seen,
    timed,
)
from tests.referee.table.test_turns import rules
from tests.rows import each_row

DARK_BACK = said("dark", "played", position=OPENED)
LIGHT_52 = "b...BD.C..AdC...bbe....B.."
"""Then light has played 5-2."""


def messages(answers: list[Object]) -> list[str]:
    return [line["message"] for line in of_kind(answers, "told")]


def phases(answers: list[Object]) -> list[str]:
    return [line["phase"] for line in of_kind(answers, "phase")]


def judged(answers: list[Object]) -> list[tuple[int, str, bool, bool]]:
    """Each turn: its number, whose it was, whether it was legal, whether it stands."""
    return [
        (turn["ply"], turn["player"], turn["legal"], turn.get("stands", False))
        for turn in of_kind(answers, "turn")
    ]


# --- an illegal play that is typed stands only if the opponent lets it ----------------------------------------

TYPED = [*rolled(6, 1), *said("dark", "played", position=DARK_WRONG)]


def test_an_illegal_play_that_is_typed_does_not_stand_at_once() -> None:
    answers = asked(timed(TYPED))
    assert judged(answers) == []
    (flag,) = of_kind(answers, "flagged")
    assert (flag["player"], {*flag["codes"]}) == ("dark", {"wrong_distance"})
    assert flag["move"]
    assert messages(answers)[-1] == "put_back"
    assert phases(answers)[-1] == "put_right"


def test_an_illegal_play_that_is_typed_is_put_right_by_another_word() -> None:
    answers = asked(timed(TYPED, said("dark", "played", position=DARK_61)))
    assert judged(answers) == [(0, "dark", False, False), (0, "dark", True, False)]
    assert phases(answers)[-1] == "to_roll"


def test_an_illegal_play_that_is_typed_but_does_not_lie_on_the_board_is_played_again() -> None:
    answers = asked(timed(seen(OPENED), TYPED))
    assert judged(answers) == [(0, "dark", False, False)]
    assert messages(answers) == ["play_again"]
    assert phases(answers) == ["moving"]


def test_an_illegal_play_that_is_typed_and_lies_on_the_board_is_put_right_there() -> None:
    answers = asked(
        timed(
            seen(OPENED),
            rolled(6, 1),
            moving(),
            seen(DARK_WRONG),
            said("dark", "played", position=DARK_WRONG),
            moving(),
            seen(DARK_61),
        )
    )
    assert [flag["move"] for flag in of_kind(answers, "flagged")] == ["13/6 8/7"]
    assert judged(answers) == [(0, "dark", False, False), (0, "dark", True, False)]


def test_saying_an_illegal_play_once_more_does_not_let_it_stand() -> None:
    answers = asked(timed(TYPED, said("dark", "played", position=DARK_WRONG)))
    assert judged(answers) == []
    assert len(of_kind(answers, "flagged")) == 1
    assert phases(answers)[-1] == "put_right"


@pytest.mark.parametrize(
    "word",
    [
        said("light", "let_stand"),
        said("light", "played", side="dark", position=DARK_WRONG),
        said("director", "played", side="dark", position=DARK_WRONG),
        rolled(5, 2),
    ],
    ids=["let stand", "as the opponent says, too", "as the director says, too", "the opponent's roll"],
)
def test_an_illegal_play_that_is_typed_stands_when_the_opponent_lets_it(word: list[Object]) -> None:
    answers = asked(timed(TYPED, word))
    assert judged(answers) == [(0, "dark", False, True)]


def test_an_illegal_play_that_is_typed_at_a_silent_table_can_still_be_corrected() -> None:
    silent = Settings(Terms.match(rules(device_role=DeviceRole.SILENT_RECORDER), 5))
    answers = asked(timed(TYPED), silent)
    assert judged(answers) == []
    assert [flag["to"] for flag in of_kind(answers, "flagged")] == [["director"]]
    assert phases(answers)[-1] == "to_roll"
    assert judged(asked(timed(TYPED, rolled(5, 2)), silent)) == [(0, "dark", False, True)]
    corrected = asked(timed(TYPED, said("light", "correct")), silent)
    assert phases(corrected)[-1] == "put_right"


def test_saying_that_nothing_was_moved_is_no_illegal_play() -> None:
    answers = asked(timed(rolled(6, 1), DARK_BACK))
    assert not of_kind(answers, "flagged")
    assert messages(answers) == ["nothing_moved"]
    assert phases(answers) == ["moving"]


# --- a player speaks for himself alone ------------------------------------------------------------------------


def told_after(before: list[Object], *word: Object) -> list[Object]:
    """What a word is answered that follows these lines."""
    earlier = asked(timed(seen(OPENED), before))
    answers = asked(timed(seen(OPENED), before, word))
    assert answers[: len(earlier)] == earlier
    return answers[len(earlier) :]


@each_row("by", ["light", "dark"])
@each_row(
    ("what", "keys"),
    [
        ("award", {"winner": "light", "points": 3}),
        ("forfeit", {"loser": "dark"}),
        ("ruling", {"position": OPENED, "on_roll": "light"}),
    ],
)
def test_a_player_s_word_is_no_director_s(by: str, what: str, keys: Object) -> None:
    assert [line["message"] for line in told_after([], *said(by, what, **keys))] == ["director_only"]
    assert len(told_after([], *said("director", what, **keys))) > 1


DOUBLED = said("dark", "double")
RESIGNED = said("dark", "resign", amount=3)


@each_row(
    ("before", "by", "what", "side"),
    [
        ([], "light", "double", "dark"),
        (DOUBLED, "dark", "take", "light"),
        (DOUBLED, "dark", "pass", "light"),
        ([], "light", "resign", "dark"),
        (RESIGNED, "dark", "accept", "light"),
        (RESIGNED, "dark", "refuse", "light"),
    ],
)
def test_a_player_s_word_binds_nobody_else(before: list[Object], by: str, what: str, side: str) -> None:
    keys = {"amount": 3} if what == "resign" else {}
    (told,) = told_after(before, *said(by, what, side=side, **keys))
    assert (told["message"], told["arguments"]) == ("answer_is_others", {"side": side})
    assert "answer_is_others" not in messages(told_after(before, *said(side, what, **keys)))


def test_a_player_cannot_resign_for_the_opponent_and_accept_it() -> None:
    answers = asked(
        timed(seen(OPENED), said("light", "resign", side="dark", amount=3), said("light", "accept"))
    )
    assert not of_kind(answers, "game_over")


def test_the_director_speaks_for_both_players() -> None:
    answers = asked(
        timed(
            seen(OPENED),
            said("director", "resign", side="dark", amount=1),
            said("director", "accept", side="light"),
        )
    )
    assert of_kind(answers, "game_over")


# --- the last turn is taken back ------------------------------------------------------------------------------

PLAYED = [*seen(OPENED), *rolled(6, 1), *moving(), *seen(DARK_61), *pressed("done", "dark")]
UNDONE = {"ply": 0, "player": "dark", "dice": [6, 1], "position": OPENED}


def undone(answers: list[Object]) -> list[Object]:
    return of_kind(answers, "undone")


@pytest.mark.parametrize(("asker", "other"), [("light", "dark"), ("dark", "light")])
@pytest.mark.parametrize("since", [[], rolled(5, 2)], ids=["before the next roll", "after it"])
def test_both_players_take_the_last_turn_back(asker: str, other: str, since: list[Object]) -> None:
    answers = asked(timed(PLAYED, since, said(asker, "undo"), said(other, "undo")))
    (told,) = undone(answers)
    assert {key: told[key] for key in UNDONE} == UNDONE
    assert told["by"] == "players"
    assert [void["dice"] for void in of_kind(answers, "dice_void")] == ([[5, 2]] if since else [])
    assert [told for told in messages(answers) if told.startswith("und")] == ["undo_asked", "undone"]
    assert (of_kind(answers, "phase")[-1]["phase"], of_kind(answers, "phase")[-1]["on_turn"]) == (
        "set_up",
        "dark",
    )


def test_after_a_turn_is_taken_back_the_lights_show_how_the_board_stood() -> None:
    answers = asked(timed(PLAYED, said("dark", "undo"), said("light", "undo")))
    shown = of_kind(answers, "lit")[-1]["points"]
    assert {point for point, signal in shown.items() if signal == "take"} == {"18"}
    assert {point for point, signal in shown.items() if signal == "put"} == {"12", "17"}


def test_a_turn_that_was_taken_back_is_played_again_with_the_same_roll() -> None:
    again = "b...BD.B...dE...c.f....B.."
    answers = asked(
        timed(
            PLAYED,
            said("dark", "undo"),
            said("light", "undo"),
            moving(),
            seen(OPENED),
            moving(),
            seen(again),
            pressed("done", "dark"),
        )
    )
    assert len(undone(answers)) == 1
    turns = of_kind(answers, "turn")
    assert [(turn["ply"], turn["dice"], turn["legal"], turn["position"]) for turn in turns] == [
        (0, [6, 1], True, DARK_61),
        (0, [6, 1], True, again),
    ]
    assert of_kind(answers, "phase")[-1] == of_kind(answers, "phase")[-1] | {
        "phase": "to_roll",
        "on_turn": "light",
    }


def test_where_no_picture_was_seen_the_roll_can_be_played_again_at_once() -> None:
    blind = [*rolled(6, 1), *said("dark", "played", position=DARK_61)]
    answers = asked(timed(blind, said("dark", "undo"), said("light", "undo")))
    assert phases(answers)[-1] == "moving"


def test_one_player_alone_takes_nothing_back() -> None:
    answers = asked(timed(PLAYED, said("dark", "undo"), said("dark", "undo")))
    assert not undone(answers)
    assert messages(answers) == ["undo_asked", "undo_asked"]
    (told, _) = of_kind(answers, "told")
    assert told["arguments"] == {"side": "dark", "other": "light", "player": "dark", "dice": [6, 1]}


def test_playing_on_is_no_agreement_to_take_a_turn_back() -> None:
    answers = asked(timed(PLAYED, said("dark", "undo"), rolled(5, 2), said("light", "undo")))
    assert not undone(answers)
    assert messages(answers) == ["undo_asked", "undo_asked"]


@pytest.mark.parametrize("side", ["light", "dark"])
def test_the_director_takes_the_last_turn_back_alone(side: str) -> None:
    (told,) = undone(asked(timed(PLAYED, said("director", "undo", side=side))))
    assert {key: told[key] for key in UNDONE} == UNDONE
    assert told["by"] == "director"


def test_a_double_after_the_turn_is_taken_back_with_it() -> None:
    answers = asked(
        timed(
            PLAYED,
            said("light", "double"),
            said("dark", "take"),
            said("director", "undo", side="dark"),
            seen(OPENED),
            said("dark", "played", position=DARK_61),
            said("light", "double"),
        )
    )
    assert len(undone(answers)) == 1
    assert [line["side"] for line in of_kind(answers, "doubled")] == ["light", "light"]


def test_two_turns_are_taken_back_one_after_the_other() -> None:
    camera = [
        *seen(OPENED),
        *seen(OPENED, dice=[[6, 1]]),
        *seen(DARK_61, times=3, dice=[[6, 1]]),
        *seen(DARK_61, times=3),
        *seen(DARK_61, dice=[[5, 2]]),
        *seen(LIGHT_52, times=3, dice=[[5, 2]]),
        *seen(LIGHT_52, times=3),
    ]
    answers = asked(
        timed(
            camera,
            said("director", "undo", side="light"),
            seen(DARK_61),
            said("director", "undo", side="dark"),
        )
    )
    assert [(line["ply"], line["player"], line["position"]) for line in undone(answers)] == [
        (1, "light", DARK_61),
        (0, "dark", OPENED),
    ]


# --- whatever is refused names its cause ----------------------------------------------------------------------


@each_row(
    ("before", "word", "cause"),
    [
        ([], said("light", "undo"), "nothing_to_undo"),
        (DOUBLED, said("light", "undo"), "cube_offered"),
        (RESIGNED, said("light", "undo"), "resignation_offered"),
        (DOUBLED, said("dark", "resign", amount=1), "offer_pending"),
        (RESIGNED, said("dark", "double"), "offer_pending"),
        ([], said("light", "played", position=OPENED), "not_on_turn"),
        ([], said("dark", "played", position=OPENED), "play_not_due"),
        ([], said("dark", "roll_void"), "no_roll"),
        ([], said("light", "let_stand"), "nothing_illegal"),
        ([], said("light", "correct"), "nothing_to_correct"),
        ([], said("light", "roll_stands"), "no_early_roll"),
        ([], said("light", "go_on"), "not_interrupted"),
        ([], said("light", "stop"), "no_session"),
        ([], pressed("take", "light"), "nothing_offered"),
        ([], pressed("done", "dark"), "to_roll"),
        (said("light", "dispute"), said("light", "undo"), "dispute"),
        (said("light", "pause"), said("light", "pause"), "paused"),
    ],
)
def test_a_refusal_names_its_cause(before: list[Object], word: list[Object], cause: str) -> None:
    (told,) = (line for line in told_after(before, *word) if line["kind"] == "told")
    assert told["arguments"].get("why", told["arguments"].get("code")) == cause
    for language in LANGUAGES:
        assert message_words(told["message"], told["arguments"], language)[-1] == "."


def test_a_double_before_the_opening_roll_is_told_that_the_opening_roll_is_due() -> None:
    answers = asked(timed(seen(), said("light", "double")), at=None)
    told = of_kind(answers, "told")[-1]
    assert (told["message"], told["arguments"]) == ("refused", {"code": "opening_roll_due", "side": "light"})
