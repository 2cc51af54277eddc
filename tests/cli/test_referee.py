"""`pointsman referee` as other programs use it."""

import io
import json
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from select import select

import pytest

from controller.app.filter import Filter
from controller.cli import main
from controller.referee.actions import Action
from controller.referee.events import Event, FrameMoving
from controller.referee.table.machine import step
from controller.referee.table.state import Table
from tests.cli.conftest import Run
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

COMMAND = [sys.executable, "-c", "from controller.cli import main; main()", "referee"]
DARKS = ("--position", OPENED, "--on-roll", "dark")
GAME = timed(
    seen(off={"light": 0, "dark": 0}),
    rolled(3, 1),
    moving(),
    seen(OPENED),
    pressed("done", "light"),
    rolled(6, 1),
    moving(),
    seen(DARK_61),
    pressed("done", "dark"),
)


def answers_of(text: str) -> list[Object]:
    return [json.loads(line) for line in text.splitlines()]


def in_file(folder: Path, text: str) -> Path:
    path = folder / "evening.jsonl"
    path.write_text(text)
    return path


def test_a_game_in_lines_is_judged_turn_by_turn(tmp_path: Path, run: Run) -> None:
    turns = of_kind(answers_of(run("referee", in_file(tmp_path, GAME))), "turn")
    assert [(turn["ply"], turn["player"], turn["move"], turn["legal"]) for turn in turns] == [
        (0, "light", "8/5 6/5", True),
        (1, "dark", "13/7 8/7", True),
    ]
    assert [turn["position"] for turn in turns] == [OPENED, DARK_61]


def test_each_answer_bears_the_time_of_its_line(tmp_path: Path, run: Run) -> None:
    answers = answers_of(run("referee", in_file(tmp_path, GAME)))
    asked_at = {json.loads(line)["t"] for line in GAME.splitlines()}
    times = [answer["t"] for answer in answers]
    assert times == sorted(times)
    assert set(times) <= asked_at
    (first, _) = of_kind(answers, "turn")
    assert first["t"] == 3.0


def test_a_line_is_answered_before_the_next_one_is_written() -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=buffered
    ) as asking:
        assert asking.stdin
        assert asking.stdout
        for line in GAME.splitlines(keepends=True)[:2]:
            asking.stdin.write(line)
        asking.stdin.flush()
        assert select([asking.stdout], [], [], 120)[0], "no answer until the next line"
        assert json.loads(asking.stdout.readline())["kind"] == "game_begun"
        asking.stdin.close()
        asking.stdout.read()
        assert asking.wait(120) == 0


def test_ctrl_c_ends_it_without_a_word() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as asking:
        assert asking.stdin
        assert asking.stdout
        asking.stdin.write("".join(GAME.splitlines(keepends=True)[:2]))
        asking.stdin.flush()
        asking.stdout.readline()
        asking.send_signal(signal.SIGINT)
        _, said_of_it = asking.communicate(timeout=120)
        assert (asking.returncode, said_of_it) == (0, "")


def test_nobody_reading_the_answers_any_more_ends_it_without_a_word() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    try:
        asked_for = subprocess.run(COMMAND, input=GAME.encode(), stdout=writing, stderr=subprocess.PIPE)
    finally:
        os.close(writing)
    assert (asked_for.returncode, asked_for.stderr) == (0, b"")


def test_standard_input_is_read_where_no_file_is_named(
    monkeypatch: pytest.MonkeyPatch, run: Run, tmp_path: Path
) -> None:
    file = run("referee", in_file(tmp_path, GAME))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(GAME.encode())))
    assert run("referee") == file != ""


BAD_LINES = {
    "no json": ("{", "not a JSON object"),
    "deep": ("[" * 100_000, "not a JSON object"),
    "no object": ("[1]", "JSON object"),
    "no time": ('{"kind": "tick"}', '"t"'),
    "no number": ('{"t": NaN, "kind": "tick"}', '"t"'),
    "endless": ('{"t": 1e999, "kind": "tick"}', '"t"'),
    "huge": ('{"t": 1' + "0" * 400 + ', "kind": "tick"}', '"t"'),
    "backwards": ('{"t": 1, "kind": "tick"}', "backwards"),
    "unknown kind": ('{"t": 9, "kind": "juggled"}', "juggled"),
    "kind of a list": ('{"t": 9, "kind": ["tick"]}', '"kind"'),
    "unknown key": ('{"t": 9, "kind": "seen", "positoin": "x"}', "positoin"),
    "no position": ('{"t": 9, "kind": "seen"}', '"position"'),
    "bad position": ('{"t": 9, "kind": "seen", "position": "xyz"}', "xyz"),
    "no such point": (json.dumps({"t": 9, **seen(hidden=[25])[0]}), '"hidden"'),
    "half a tray": (json.dumps({"t": 9, **seen(off={"light": 16})[0]}), '"off"'),
    "strange cube": (json.dumps({"t": 9, **seen(cube={"value": 3, "owner": "light"})[0]}), '"value"'),
    "cube of nobody": (json.dumps({"t": 9, **seen(cube={"value": 2})[0]}), '"owner"'),
    "one die": (json.dumps({"t": 9, **seen(dice=[3, 1])[0]}), "two numbers"),
    "a seven": ('{"t": 9, "kind": "rolled", "dice": [7, 1]}', "[7, 1]"),
    "true dice": ('{"t": 9, "kind": "rolled", "dice": [true, 1]}', "two numbers"),
    "no dice": ('{"t": 9, "kind": "rolled"}', "two numbers"),
    "half cocked": ('{"t": 9, "kind": "rolled", "dice": [6, 1], "cocked": 1}', '"cocked"'),
    "unknown button": ('{"t": 9, "kind": "pressed", "button": "fire"}', "fire"),
    "unknown side": ('{"t": 9, "kind": "pressed", "button": "take", "side": "red"}', "red"),
    "nobody said it": ('{"t": 9, "kind": "said", "what": "pause"}', '"by"'),
    "unknown saying": ('{"t": 9, "kind": "said", "by": "light", "what": "hello"}', "hello"),
    "whose take": ('{"t": 9, "kind": "said", "by": "director", "what": "take"}', '"side"'),
    "too many checkers": (
        json.dumps({"t": 9, **said("light", "played", position="O" * 24 + "..")[0]}),
        "fifteen|only 15",
    ),
    "nothing left to play": (
        json.dumps({"t": 9, **said("director", "ruling", position="A" + "." * 25, on_roll="light")[0]}),
        "no checkers left",
    ),
    "unknown rules": (json.dumps({"t": 9, **said("light", "profile", profile="chess")[0]}), "chess"),
    "settings too late": ('{"t": 9, "kind": "agreed", "terms": {}, "settings": {}}', "first line"),
    "no reading": ('{"t": 9, "kind": "seen", "reading": {"points": 3}}', "journal inputs"),
    "no input": ('{"t": 9, "kind": "input", "input": {"input": "rolled", "t": 1, "dice": [9, 9]}}', "rolled"),
    "not utf-8": ('{"t": 9, "kind": "tick\udcff"}', "UTF-8"),
}


@pytest.mark.parametrize(("line", "named"), BAD_LINES.values(), ids=BAD_LINES)
def test_a_line_that_cannot_be_used_is_one_sentence_with_its_number(
    line: str,
    named: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What the lines before it brought about has been told by then."""
    path = tmp_path / "evening.jsonl"
    before = "".join(GAME.splitlines(keepends=True)[:4])
    path.write_bytes((before + line + "\n").encode(errors="surrogateescape"))
    monkeypatch.setattr("sys.argv", ["pointsman", "referee", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert ended.value.code == 2
    assert len(told.err.splitlines()) == 1
    assert f"{path}, line 5: " in told.err
    assert any(word in told.err for word in named.split("|")), told.err
    assert of_kind(answers_of(told.out), "opening_roll")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("--position", OPENED), "--on-roll"),
        (("--on-roll", "dark"), "--position"),
        (("--position", "abc", "--on-roll", "dark"), "abc"),
        (("--position", "A" + "." * 25, "--on-roll", "dark"), "game is over"),
        (("--profile", "chess"), "chess"),
        (("--length", "0"), "length"),
        (("--profile", "standard-money", "--length", "3"), "money"),
        (("missing.jsonl",), "missing.jsonl"),
        ((".",), "cannot be read"),
    ],
)
def test_options_that_make_no_sense_are_one_sentence(
    arguments: tuple[str, ...], named: str, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    complaint = run("referee", *arguments, status=2)
    assert len(complaint.splitlines()) == 1
    assert named in complaint


def test_an_unknown_role_is_refused(run: Run) -> None:
    assert "silent_recorder" in run("referee", "--role", "umpire", status=2)


def test_a_line_that_the_referee_trips_over_is_told_and_the_next_one_counts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fragile(table: Table, event: Event) -> tuple[Table, tuple[Action, ...]]:
        if isinstance(event, FrameMoving):
            raise RuntimeError("tripped")
        return step(table, event)

    monkeypatch.setattr("controller.cli.referee.Filter", partial(Filter, step=fragile))
    monkeypatch.setattr("sys.argv", ["pointsman", "referee", str(in_file(tmp_path, GAME))])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert ended.value.code == 1
    assert "line 4: " in told.err
    assert "tripped" in told.err
    assert "Traceback" not in told.err
    assert of_kind(answers_of(told.out), "turn")


def test_a_game_begins_in_its_middle_with_the_side_that_is_to_roll(tmp_path: Path, run: Run) -> None:
    played = in_file(tmp_path, timed(seen(OPENED), rolled(6, 1), moving(), seen(DARK_61), pressed("done")))
    answers = answers_of(run("referee", *DARKS, played))
    (turn,) = of_kind(answers, "turn")
    assert (turn["player"], turn["move"], turn["ply"]) == ("dark", "13/7 8/7", 0)
    assert not of_kind(answers, "opening_roll")


def test_the_role_decides_who_is_told_of_an_illegal_play(tmp_path: Path, run: Run) -> None:
    wrong = in_file(tmp_path, timed(seen(OPENED), rolled(6, 1), moving(), seen(DARK_WRONG), pressed("done")))
    told = {
        role: of_kind(answers_of(run("referee", *DARKS, "--role", role, wrong)), "flagged")
        for role in ("monitor", "silent_recorder", "teacher")
    }
    assert [flag["to"] for flag in told["monitor"]] == [["mover", "opponent", "director"]]
    assert all("mover" not in flag["to"] for flag in told["silent_recorder"])
    assert [flag["to"] for flag in told["teacher"]] == [["mover", "opponent", "director"]]


def test_the_clock_ends_a_turn_only_where_it_is_used(tmp_path: Path, run: Run) -> None:
    played = in_file(
        tmp_path, timed(seen(OPENED), rolled(6, 1), moving(), seen(DARK_61), pressed("clock_dark"))
    )
    with_clock = answers_of(run("referee", *DARKS, "--clock", played))
    assert of_kind(with_clock, "turn")
    assert [line["runs"] for line in of_kind(with_clock, "clock")][-1] == "light"
    assert not of_kind(answers_of(run("referee", *DARKS, played)), "clock")


def test_a_match_ends_at_its_length(tmp_path: Path, run: Run) -> None:
    given_up = in_file(
        tmp_path, timed(seen(OPENED), said("dark", "resign", amount=1), said("light", "accept"))
    )
    short = answers_of(run("referee", *DARKS, "--length", "1", given_up))
    assert [line["winner"] for line in of_kind(short, "match_over")] == ["light"]
    long = answers_of(run("referee", *DARKS, given_up))
    assert of_kind(long, "game_over")
    assert not of_kind(long, "match_over")


def test_a_cocked_roll_is_void_and_the_next_one_counts() -> None:
    answers = asked(
        timed(
            seen(OPENED),
            rolled(4, 4, cocked=True),
            rolled(6, 1),
            moving(),
            seen(DARK_61),
            pressed("done"),
        )
    )
    (void,) = of_kind(answers, "dice_void")
    assert void["dice"] == [4, 4]
    (turn,) = of_kind(answers, "turn")
    assert (turn["dice"], turn["legal"]) == ([6, 1], True)


def test_an_illegal_play_is_flagged_with_its_reason_and_lit() -> None:
    answers = asked(timed(seen(OPENED), rolled(6, 1), moving(), seen(DARK_WRONG), pressed("done", "dark")))
    (flag,) = of_kind(answers, "flagged")
    assert flag["player"] == "dark"
    assert flag["reasons"][0]["code"] in flag["codes"]
    assert flag["reasons"][0]["text"]
    shown = of_kind(answers, "lit")[-1]
    assert "put" in shown["points"].values()
    assert set(shown["points"]) <= {str(point) for point in range(1, 25)}
    assert of_kind(answers, "phase")[-1]["phase"] == "put_right"


def test_what_is_hidden_is_asked_about_and_settled_when_it_is_seen() -> None:
    away = [17, 18, 19]
    answers = asked(
        timed(
            seen(OPENED),
            rolled(6, 1),
            moving(),
            seen(DARK_61, hidden=away),
            pressed("done"),
            moving(),
            seen(DARK_61),
        )
    )
    look = next(line for line in of_kind(answers, "told") if line["message"] == "look")
    (turn,) = of_kind(answers, "turn")
    assert set(look["points"]) <= set(away)
    assert look["points"]
    assert look["t"] < turn["t"]


def test_nothing_is_known_of_a_hidden_point_whatever_the_line_says_of_it() -> None:
    def told(position: str) -> list[Object]:
        return asked(
            timed(seen(OPENED), rolled(6, 1), moving(), seen(position, hidden=[17, 18, 19]), pressed("done"))
        )

    assert told(DARK_61) == told(DARK_61[:16] + "OOO" + DARK_61[19:])


def test_a_turn_that_counts_without_being_certain_has_its_doubt_before_it() -> None:
    answers = asked(
        timed(
            seen(OPENED),
            rolled(6, 1),
            moving(),
            seen(DARK_61, hidden=[17, 18, 19]),
            pressed("done"),
            rolled(5, 3),
        )
    )
    told = [answer.get("kind", "turn") for answer in answers]
    assert told.index("unsure") < told.index("turn")
    assert told.count("unsure") == 1
    assert of_kind(answers, "unsure")[0]["ply"] == of_kind(answers, "turn")[0]["ply"]


def test_where_no_line_tells_a_roll_the_dice_on_the_board_do() -> None:
    dice = [[6, 1]]
    answers = asked(
        timed(
            seen(OPENED),
            seen(OPENED, dice=dice),
            moving(),
            seen(DARK_61, dice=dice),
            seen(DARK_61),
            seen(DARK_61, dice=[[6, 1]]),
        )
    )
    (turn,) = of_kind(answers, "turn")
    assert (turn["dice"], turn["player"]) == ([6, 1], "dark")
    phases = [(line["phase"], line["on_turn"]) for line in of_kind(answers, "phase")]
    assert phases == [("moving", "dark"), ("to_roll", "light"), ("moving", "light")]


def test_dice_on_the_board_are_no_second_roll_where_lines_tell_the_rolls() -> None:
    dice = [[6, 1]]
    answers = asked(timed(seen(OPENED), rolled(6, 1), seen(OPENED, times=4, dice=dice)))
    assert [line["phase"] for line in of_kind(answers, "phase")] == ["moving"]
    assert not of_kind(answers, "dice_void")


def test_a_cube_seen_turned_is_a_double() -> None:
    answers = asked(timed(seen(OPENED), seen(OPENED, times=4, cube={"value": 2, "owner": "light"})))
    assert [line["side"] for line in of_kind(answers, "doubled")] == ["dark"]


def test_empty_lines_are_passed_over_but_counted(tmp_path: Path, run: Run) -> None:
    path = in_file(tmp_path, "\n" + GAME.splitlines()[0] + "\n   \n{\n")
    assert "line 4" in run("referee", path, status=2)
