import json
from dataclasses import replace

from controller.record.match.json_values import event_line, reason_object, turn_from, turn_record
from controller.record.match.match import Note, Turn
from controller.rules.judging.judge import judge
from controller.rules.moves.plays import legal_plays
from controller.rules.position import START, Position, Roll, Side
from tests.record.matches import misplayed, played

ROLL = Roll.from_dice(1, 3)
AFTER = Position.from_compact("b...BD.B...eE...c.e....B..")


def legal_turn() -> Turn:
    [chosen] = [play for play in legal_plays(START, Side.LIGHT, ROLL) if play.after == AFTER]
    return replace(played(0, Side.LIGHT, ROLL, START, chosen), frame=12, t=14.2)


def test_a_legal_turn_is_the_line_that_others_read() -> None:
    assert json.loads(event_line(legal_turn())) == {
        "ply": 0,
        "player": "light",
        "dice": [3, 1],
        "move": "8/5 6/5",
        "legal": True,
        "reasons": [],
        "position": "b...BD.B...eE...c.e....B..",
        "frame": 12,
        "t": 14.2,
    }


def test_an_illegal_turn_names_the_rule_in_code_and_words() -> None:
    wrong = Position.from_compact("b....E.C...eE...c.e...AA..")
    line = json.loads(event_line(misplayed(3, Side.LIGHT, ROLL, START, wrong, stands=False)))
    [reason] = judge(START, Side.LIGHT, ROLL, wrong).reasons
    assert line["legal"] is False
    assert "stands" not in line
    assert line["reasons"] == [reason_object(reason)]
    assert line["reasons"][0]["code"] == "unused_die"
    assert "3" in line["reasons"][0]["text"]
    assert line["reasons"][0]["dice"] == [3]


def test_an_illegal_turn_that_was_left_standing_says_so() -> None:
    turn = misplayed(3, Side.LIGHT, ROLL, START, START, stands=True)
    assert json.loads(event_line(turn))["stands"] is True


def test_a_note_is_a_line_of_its_kind() -> None:
    note = Note("bump", 40, 21.51, {"moved_mm": 12})
    assert json.loads(event_line(note)) == {"kind": "bump", "frame": 40, "t": 21.51, "moved_mm": 12}


def test_a_line_is_one_line() -> None:
    assert "\n" not in event_line(Note("unsure", None, 0.0, {"text": "two\nlines"}))


def test_a_turn_that_nobody_confirmed_is_null_with_its_probability_and_reads_back() -> None:
    doubted = replace(legal_turn(), legal=None, probability=0.87)
    line = json.loads(event_line(doubted))
    assert (line["legal"], line["move"], line["reasons"], line["probability"]) == (None, "8/5 6/5", [], 0.87)
    assert turn_from(turn_record(doubted)) == doubted


def test_a_turn_of_which_not_even_the_likeliest_play_is_known_has_none() -> None:
    doubted = replace(legal_turn(), legal=None, play=None, text="", probability=0.4)
    assert json.loads(event_line(doubted))["move"] is None
    assert turn_from(turn_record(doubted)) == doubted


def test_a_turn_of_an_older_journal_has_no_probability() -> None:
    record = turn_record(legal_turn())
    assert "probability" not in record
    assert turn_from(record).probability is None
