"""The whole product on the filmed game: from pictures to verdicts and to a match file that gnubg takes."""

import json
import shutil
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from controller.cli import main
from controller.record.journal.journal import Journal
from controller.record.match.match_log import read_match
from tests.bench.films import KINDS, compact, lines_of
from tests.calibration.pictures import GAME
from tests.record.gnubg import COMPLAINTS, import_all

TRUTH = lines_of(GAME / "events.jsonl")


def run(*arguments: str) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.argv", ["pointsman", *arguments])
        with pytest.raises(SystemExit) as ended:
            main()
    assert not ended.value.code


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The board file of the film."""
    board, first = tmp_path_factory.mktemp("board") / "board.toml", GAME / "frames" / "00000.jpg"
    run(
        "calibrate",
        "board",
        "--image",
        str(first),
        "--image",
        str(first.with_name("00001.jpg")),
        "--out",
        str(board),
    )
    return board


@pytest.fixture(scope="module")
def out(board: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of results of a replay with the dice file."""
    folder = tmp_path_factory.mktemp("film")
    dice, frames = str(GAME / "dice.jsonl"), str(GAME / "frames")
    run("replay", "--board", str(board), "--frames", frames, "--dice", dice, "--out", str(folder / "out"))
    return folder / "out"


@pytest.fixture(scope="module")
def told(out: Path) -> dict[int, list[dict[str, Any]]]:
    """The lines of each ply."""
    lines = lines_of(out / "events.jsonl")
    by_ply = defaultdict(list)
    for line in lines:
        if "move" in line:
            by_ply[line["ply"]].append(line)
    return by_ply


def test_at_least_nine_plies_of_ten_are_concluded_right(told: dict[int, list[dict[str, Any]]]) -> None:
    right = [
        ply["ply"] in told
        and told[ply["ply"]][-1]["position"] == compact(ply["after"])
        and told[ply["ply"]][-1]["player"] == ply["player"]
        and sorted(told[ply["ply"]][-1]["dice"]) == sorted(ply["dice"])
        for ply in TRUTH
    ]
    assert sum(right) >= 0.9 * len(TRUTH)


def test_nobody_is_accused_of_a_legal_play(told: dict[int, list[dict[str, Any]]]) -> None:
    accused = [
        ply["ply"] for ply in TRUTH if ply["legal"] and any(not line["legal"] for line in told[ply["ply"]])
    ]
    assert accused == []


def test_illegal_plays_are_noticed_with_the_rule_that_was_broken(
    told: dict[int, list[dict[str, Any]]],
) -> None:
    illegal = [ply for ply in TRUTH if not ply["legal"]]
    assert {ply["illegal_kind"] for ply in illegal} == set(KINDS)
    noticed = 0
    for ply in illegal:
        wrong = [line for line in told[ply["ply"]] if not line["legal"]]
        codes = {reason["code"] for line in wrong for reason in line["reasons"]}
        noticed += bool(codes & KINDS[ply["illegal_kind"]])
        if wrong and ply["resolution"] == "corrected":
            assert told[ply["ply"]][-1]["legal"], "the play that was made instead follows"
        if wrong and ply["resolution"] == "left_standing":
            assert wrong[-1]["stands"] is True
    assert noticed >= len(illegal) - 1


def test_no_turn_is_judged_before_it_is_over(told: dict[int, list[dict[str, Any]]]) -> None:
    early = [ply["ply"] for ply in TRUTH if told[ply["ply"]] and told[ply["ply"]][-1]["t"] < ply["t_settled"]]
    assert early == []


def test_gnubg_takes_the_match_file_without_a_word_and_sees_the_same_game(
    out: Path, tmp_path: Path, told: dict[int, list[dict[str, Any]]]
) -> None:
    said, matches = import_all([(out / "match.mat").read_text()], tmp_path)
    assert COMPLAINTS.findall(said) == []
    last = told[max(told)][-1]["position"]
    assert matches[0].games[0].boards[-1].compact() == last


def test_the_journal_holds_what_the_events_tell(out: Path) -> None:
    with Journal(out / "journal.db", read_only=True) as journal:
        journal.verify()
        turns = [event for event in journal.events() if event.kind == "turn"]
    lines = lines_of(out / "events.jsonl")
    assert [event.payload["ply"] for event in turns] == [line["ply"] for line in lines if "move" in line]


def test_live_the_same_referee_tells_what_the_table_would_have_said(
    board: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    film, pictures = tmp_path / "film", 12
    film.mkdir()
    times = (GAME / "frames" / "times.jsonl").read_text().splitlines()[:pictures]
    (film / "times.jsonl").write_text("\n".join(times))
    for line in times:
        name = json.loads(line)["file"]
        shutil.copy(GAME / "frames" / name, film / name)
    dice, out = str(GAME / "dice.jsonl"), str(tmp_path / "out")
    run("replay", "--live", "--board", str(board), "--frames", str(film), "--dice", dice, "--out", out)
    said = capsys.readouterr().out
    assert "Light starts with 5-1." in said
    lines = lines_of(tmp_path / "out" / "events.jsonl")
    first, second = [line for line in lines if "move" in line][:2]
    assert [first["position"], second["position"]] == [compact(ply["after"]) for ply in TRUTH[:2]]
    with Journal(tmp_path / "out" / "journal.db", read_only=True) as journal:
        terms = read_match(journal, "1").terms
    assert (terms.length, terms.profiles[0].name) == (7, "standard-match")
