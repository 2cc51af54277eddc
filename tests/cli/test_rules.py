"""`pointsman plays`, `judge` and `profiles` as a user calls them."""

import json
from pathlib import Path

import pytest

from controller import cli
from controller.cli.options import STANDARD_NAME
from controller.rules.game.events import Refusal, RefusedError
from controller.rules.moves.movement import STANDARD
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from tests.cli.test_boards import run

OPENING = {
    "points": [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2],
    "bar": {"light": 0, "dark": 0},
    "off": {"light": 0, "dark": None},
    "turn": "light",
    "dice": [3, 1],
}


def test_plays_lists_the_sixteen_results_of_an_opening_31(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(json.dumps(OPENING) + "\n")
    assert run(monkeypatch, "plays", str(file)) == 0
    answer = json.loads(capsys.readouterr().out)
    assert len(answer["results"]) == len(answer["plays"]) == 16
    assert "8/5 6/5" in answer["plays"]


def test_judge_knows_the_rule_that_was_broken_and_the_house_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    six = {
        "points": [0, -1, 2, 0, 0, 2, *[0] * 16, -7, -7],
        "bar": {"light": 0, "dark": 0},
        "off": {"light": 11, "dark": 0},
        "turn": "light",
        "dice": [3, 3],
    }
    six["dice"] = [3, 5]
    file = tmp_path / "case.jsonl"
    file.write_text(json.dumps({**six, "after": ".aBA.." + "." * 16 + "gg" + ".."}) + "\n")
    assert run(monkeypatch, "judge", str(file)) == 0
    verdict = json.loads(capsys.readouterr().out)
    assert verdict["legal"] is False
    assert verdict["reasons"][0]["code"]
    assert verdict["nearest"]


def test_a_bad_line_is_named_with_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(json.dumps(OPENING) + "\n" + json.dumps({**OPENING, "dice": [7, 1]}) + "\n")
    assert run(monkeypatch, "plays", str(file)) == 2
    answer = capsys.readouterr()
    assert len(answer.out.splitlines()) == 1
    assert "positions.jsonl, line 2" in answer.err
    assert "7" in answer.err


def test_trays_that_cannot_be_are_named_with_their_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    turn = {**OPENING, "after": "b...BD.B...eE...c.e....B.."}
    file = tmp_path / "turns.jsonl"
    file.write_text(json.dumps(turn) + "\n" + json.dumps({**turn, "after_off": {"light": 16}}) + "\n")
    assert run(monkeypatch, "judge", str(file)) == 2
    answer = capsys.readouterr()
    assert json.loads(answer.out)["legal"] is True
    assert answer.err.count("\n") == 1
    assert "turns.jsonl, line 2" in answer.err
    assert '"after_off" of light is 16' in answer.err


def test_profiles_are_listed_and_explained(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "profiles") == 0
    assert "terebess-cap5" in capsys.readouterr().out
    assert run(monkeypatch, "profiles", "show", "terebess-cap5", "--language", "hu") == 0
    after = capsys.readouterr().out
    assert "öt" in after
    assert run(monkeypatch, "profiles", "--language", "hu", "show", "terebess-cap5") == 0
    assert capsys.readouterr().out == after


def test_an_unknown_profile_names_those_there_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "positions.jsonl"
    file.write_text(json.dumps(OPENING) + "\n")
    assert run(monkeypatch, "plays", "--profile", "chess", str(file)) == 2
    error = capsys.readouterr().err
    assert "chess" in error
    assert "standard-match" in error


@pytest.mark.parametrize("command", ["plays", "judge"])
def test_deeply_nested_json_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], command: str
) -> None:
    file = tmp_path / "deep.jsonl"
    file.write_text('{"points": ' + "[" * 100_000 + "]" * 100_000 + "}\n")
    assert run(monkeypatch, command, str(file)) == 2
    error = capsys.readouterr().err
    assert "deep.jsonl, line 1: The line is not a JSON object" in error
    assert "(it is nested too deeply)" in error
    assert error.count("\n") == 1


def test_the_standard_profile_moves_by_the_standard_rules() -> None:
    """`plays` does not read the profile that it judges by when none is named."""
    assert load_profile(STANDARD_NAME).movement == STANDARD


def test_a_refusal_that_reaches_the_command_line_ends_in_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refused(**_: object) -> None:
        raise RefusedError(Refusal.CUBE_NOT_OWNED, side=Side.LIGHT, owner=Side.DARK)

    monkeypatch.setattr(cli, "app", refused)
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    assert capsys.readouterr().err == "pointsman: Light cannot double: the cube belongs to Dark.\n"
