"""What a table says, in the players' languages, with points numbered from the side of who is told."""

import re

import pytest

from controller.messages.catalogue import LANGUAGES, LanguageError
from controller.messages.table_words import Arguments, message_words, phase_words, points_words, refusal_words
from controller.referee.actions import Message, Phase
from controller.referee.events import BoardTrouble
from controller.rules.game.cube import Cube, double
from controller.rules.game.events import Refusal, RefusedError
from controller.rules.position import Side
from controller.rules.profile.profile import STANDARD
from tests.rows import each_row

LIGHT, DARK = Side.LIGHT, Side.DARK
EXAMPLES: dict[Message, Arguments] = {
    Message.SET_UP: {"points": [1, 12]},
    Message.BOARD_TURNED: {},
    Message.HOMES_MIRRORED: {},
    Message.COLOURS_EXCHANGED: {},
    Message.SET_UP_RIGHT: {},
    Message.SET_UP_WRONG: {"points": [24]},
    Message.ROLL_TO_START: {},
    Message.TIE: {"dice": [3, 3], "value": 1},
    Message.STARTS: {"side": "light", "dice": [3, 1]},
    Message.TO_ROLL: {"side": "dark"},
    Message.NAME_DOUBLE: {"side": "dark"},
    Message.PLAYS_DOUBLE: {"side": "light", "dice": [4, 4]},
    Message.ROLLS_AGAIN: {"side": "dark"},
    Message.NO_PLAY: {"side": "dark", "dice": [6, 5]},
    Message.LOOK: {"points": []},
    Message.WHICH_ROLL: {"first": [4, 1], "dice": [6, 1]},
    Message.PUT_BACK: {"side": "light"},
    Message.CHOOSE: {"side": "dark"},
    Message.ANNOUNCED: {"side": "dark", "play": "8/5 6/5"},
    Message.OTHER_PLAY: {"side": "dark", "play": "8/5 6/5", "moves": "9 → 5, 13 → 8"},
    Message.STANDS: {"side": "light"},
    Message.PLAY_AGAIN: {"side": "light"},
    Message.UNDO_ASKED: {"side": "light", "other": "dark", "player": "dark", "dice": [6, 1]},
    Message.UNDONE: {"side": "dark", "dice": [6, 1]},
    Message.MOVED_OUT_OF_TURN: {"points": [8, 13], "since_s": 4},
    Message.ROLL_NOT_DUE: {"dice": [2, 1]},
    Message.ROLL_TOO_EARLY: {"side": "light", "dice": [2, 1]},
    Message.ROLL_BEFORE_ANSWER: {"dice": [2, 1]},
    Message.OTHER_DICE: {"side": "light", "owner": "dark", "dice": [2, 1]},
    Message.OPENING_DICE: {"owner": "dark", "dice": [2, 1]},
    Message.COCKED: {"side": "light", "dice": [2, 1]},
    Message.ROLLED_AGAIN: {"side": "light", "dice": [2, 1], "first": [6, 4]},
    Message.PASSES: {"side": "dark", "ply": 12, "position": "BBBBBB................b..a"},
    Message.NOTHING_MOVED: {"side": "light"},
    Message.NOT_YOUR_CLOCK: {"side": "dark"},
    Message.ANSWER_IS_OTHERS: {"side": "dark"},
    Message.CONSENT_ASKED: {},
    Message.DOUBLES: {"side": "light", "value": 2},
    Message.BEAVERS: {"side": "dark", "value": 4},
    Message.TAKES: {"side": "dark", "value": 2},
    Message.DROPS: {"side": "dark", "value": 2},
    Message.CUBE_MOVED: {"owner": "light", "value": 4},
    Message.CUBE_DUE: {"owner": "light", "value": 4},
    Message.RESIGNS: {"side": "light", "amount": 2},
    Message.RESIGNATION_REFUSED: {"side": "dark"},
    Message.REFUSED: {"code": "cube_not_owned", "side": "light", "owner": "dark"},
    Message.NOT_NOW: {"why": "cube_offered"},
    Message.DIRECTOR_ONLY: {},
    Message.NO_AIDS: {},
    Message.PROFILE_FIXED: {"profile": "hunbg-club"},
    Message.DISPUTE: {},
    Message.RULED: {"side": "dark", "position": "b....E.C...eE...c.e....B.."},
    Message.PAUSED: {},
    Message.GOES_ON: {},
    Message.TIME_OVER: {"side": "light"},
    Message.DEVICE_GONE: {"device": "camera", "why": ""},
    Message.DEVICE_BACK: {"device": "board", "why": ""},
    Message.BOARD_TROUBLE: {"trouble": "queue_full", "count": 3, "why": ""},
    Message.OTHER_ASKED: {},
    Message.TOO_LATE: {},
    Message.ROLL_AGAIN: {},
    Message.BOARD_OTHER: {"points": [1, 2, 3]},
    Message.CHECKER_MISSING: {"side": "dark"},
    Message.GAME_DRAWN: {},
    Message.GAME_WON: {"side": "light", "points": 4},
    Message.MATCH_WON: {"side": "light", "light": 5, "dark": 3},
    Message.RESUMED: {},
    Message.CORRECTED: {},
}


@each_row("language", LANGUAGES)
@each_row("message", Message)
def test_every_message_is_a_sentence_with_its_numbers(message: Message, language: str) -> None:
    arguments = EXAMPLES[message]
    words = message_words(message, arguments, language)
    assert words[0].isupper() or words[0].isdigit()
    assert words[-1] in ".?!"
    assert "{" not in words
    named = [
        value for name, value in arguments.items() if name in ("value", "amount", "light", "dark", "points")
    ]
    told = re.findall(r"\d+", words)
    for value in named:
        wanted = [value] if isinstance(value, int) else value
        assert isinstance(wanted, list)
        assert message in (Message.TIE, Message.DROPS) or {str(each) for each in wanted} <= set(told)


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_are_called_by_their_names(language: str) -> None:
    names = {LIGHT: "Ági", DARK: "{Ödön}"}
    assert "Ági" in message_words(Message.DOUBLES, {"side": "light", "value": 2}, language, names)
    refused = {"code": "cube_not_owned", "side": "light", "owner": "dark"}
    words = message_words(Message.REFUSED, refused, language, names)
    assert "Ági" in words
    assert "{Ödön}" in words


@pytest.mark.parametrize("language", LANGUAGES)
def test_some_messages_have_another_text_for_certain_arguments(language: str) -> None:
    def words(message: Message, **more: str | int) -> str:
        return message_words(message, {**EXAMPLES[message], **more}, language)

    assert "2" in words(Message.TIE, value=2)
    assert "2" not in words(Message.TIE)
    assert words(Message.ROLL_TOO_EARLY, ask=1).endswith("?")
    assert words(Message.ROLL_TOO_EARLY).endswith(".")
    assert words(Message.CUBE_MOVED, owner="center") != words(Message.CUBE_MOVED)
    due = [
        words(Message.CUBE_DUE, owner=owner, value=value)
        for owner, value in (("light", 2), ("center", 2), ("center", 1))
    ]
    assert len(set(due)) == len(due)
    assert "USB" in words(Message.DEVICE_GONE, why="USB pulled")
    assert words(Message.DEVICE_GONE, why="no_port") == words(Message.DEVICE_GONE)
    for message in (Message.DEVICE_GONE, Message.DEVICE_BACK):
        assert words(message, device="journal") != words(message, device="board")
    said = {
        words(Message.BOARD_TROUBLE, trouble=trouble) for trouble in (*BoardTrouble, "of a newer version")
    }
    assert len(said) == len(BoardTrouble) + 1
    restarts = {
        words(Message.BOARD_TROUBLE, trouble="restart", why=why) for why in ("", "brown_out", "watchdog")
    }
    assert len(restarts) == 3
    assert "3" in words(Message.BOARD_TROUBLE)
    assert "04" in words(Message.BOARD_TROUBLE, trouble="request_refused", why="04/2")


@pytest.mark.parametrize("language", LANGUAGES)
def test_points_are_numbered_from_the_side_of_who_is_told(language: str) -> None:
    assert re.findall(r"\d+", points_words([6, 8], language)) == ["6", "8"]
    assert re.findall(r"\d+", points_words([6, 8], language, DARK)) == ["17", "19"]
    dark = message_words(Message.LOOK, {"points": [6, 8]}, language, viewer=DARK)
    assert re.findall(r"\d+", dark) == ["17", "19"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_has_a_word(language: str) -> None:
    assert len({phase_words(phase, language) for phase in Phase}) == len(Phase)


def test_every_refusal_can_be_said() -> None:
    arguments: Arguments = {
        "side": "light", "owner": "dark", "turn": "dark", "winner": "dark", "value": 4, "maximum": 64,
        "number": 7, "amount": 9, "points": 0,
    }  # fmt: skip
    for code in Refusal:
        assert "{" not in message_words(Message.REFUSED, {**arguments, "code": str(code)})


def test_a_language_without_texts_is_refused() -> None:
    with pytest.raises(LanguageError):
        message_words(Message.PAUSED, {}, "de")


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "Light cannot double: the cube belongs to Dark."),
        ("hu", "Világos nem duplázhat: a duplázó kocka birtokosa sötét."),
        ("et", "Hele ei saa duubeldada: kuubiku valdaja on tume."),
        ("sk", "Svetlý nemôže zdvojiť: zdvojovaciu kocku má tmavý."),
    ],
)
def test_a_refusal_is_told_in_each_language(language: str, words: str) -> None:
    with pytest.raises(RefusedError) as caught:
        double(Cube(2, DARK, doubled=True), LIGHT, STANDARD.cube)
    assert refusal_words(caught.value, language) == words
