"""What the real gnubg says of a match, against what it prints itself."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from controller.analysis.engine import Analysis, EngineError
from controller.analysis.gnubg import analyse
from controller.analysis.report import report
from controller.record.files.mat import mat_text
from controller.record.match.match import GameRecord, MatchRecord
from controller.rules.game.match import Terms
from controller.rules.notation import parse_play
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from tests.record.gnubg import run_commands
from tests.record.matches import random_match

MATCH = random_match(11, games=2, length=5, illegal=0.06, corrected=0.04)


@pytest.fixture(scope="module")
def analysed() -> tuple[Analysis, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    return analyse(MATCH, lambda done, of: told.append((done, of))), told


def printed(folder: Path) -> str:
    (folder / "match.mat").write_text(mat_text(MATCH), encoding="utf-8")
    plies = [f"set analysis {kind} evaluation plies 0" for kind in ("chequerplay", "cubedecision")]
    return run_commands(["import mat match.mat", *plies, "analyse match", "show statistics match"], folder)


def test_the_figures_are_those_that_gnubg_prints(
    analysed: tuple[Analysis, list[tuple[int, int]]], tmp_path: Path
) -> None:
    found, said = analysed[0], printed(tmp_path)
    for line, values in (
        ("Unforced moves", [found.light.unforced, found.dark.unforced]),
        ("Total moves", [found.light.moves, found.dark.moves]),
    ):
        assert numbers(line, said) == values
    overall = said[said.index("Overall statistics") :]
    rates = [rate for rate in (found.light.rate, found.dark.rate) if rate is not None]
    assert numbers("Error rate mEMG", overall) == pytest.approx([-rate for rate in rates], abs=0.051)
    assert numbers("Luck total EMG", said) == pytest.approx([found.light.luck, found.dark.luck], abs=0.0006)


def numbers(line: str, said: str) -> list[float]:
    """The two figures of a line, what stands in brackets left out."""
    row = re.search(rf"^{line}(.*)$", said, re.MULTILINE)
    assert row, line
    return [float(each) for each in re.findall(r"[-+]?\d+(?:\.\d+)?", re.sub(r"\([^)]*\)", "", row[1]))]


def test_illegal_plays_are_left_out_and_progress_is_told(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    found, told = analysed
    illegal = [turn for game in MATCH.games for turn in game.played if not turn.legal]
    assert illegal
    assert found.left_out >= len(illegal)
    assert told == [(game, len(MATCH.games)) for game in range(1, len(MATCH.games) + 1)]
    judged = {(mistake.game, mistake.ply) for mistake in found.mistakes}
    assert not judged & {
        (number, turn.ply)
        for number, game in enumerate(MATCH.games, start=1)
        for turn in game.played
        if not turn.legal
    }


def test_every_mistake_is_a_turn_of_the_record_and_names_a_better_play(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    mistakes = analysed[0].mistakes
    assert len(mistakes) > 20
    assert [m.loss for m in mistakes] == sorted((m.loss for m in mistakes), reverse=True)
    for mistake in mistakes:
        turn = next(t for t in MATCH.games[mistake.game - 1].played if t.ply == mistake.ply)
        assert (turn.player, turn.roll, turn.text) == (mistake.player, mistake.roll, mistake.played)
        assert parse_play(mistake.best) != parse_play(mistake.played)


def test_the_report_shows_figures_and_the_worst_plays_with_boards(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    text = report(replace(MATCH, light="Éva\x1b[2J"), analysed[0], worst=3)
    assert "\x1b" not in text
    assert "Éva [2J" in text
    assert text.count("better: ") == 3
    assert text.count("13  14  15  16  17  18 | bar |") == 3
    assert "No double is recorded" in text


def test_rules_no_engine_knows_are_cautioned_against() -> None:
    rules = load_profile("hunbg-club")
    turns = MATCH.games[0].turns[:6]
    match = MatchRecord("A", "B", Terms.money(rules), (GameRecord(turns),))
    found = analyse(match, lambda _done, _of: None)
    assert any("does not know the rules hunbg-club" in caution for caution in found.cautions)


def test_nothing_to_analyse_and_no_gnubg_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineError, match="nothing to analyse"):
        analyse(MatchRecord("A", "B"), lambda _done, _of: None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("controller.analysis.gnubg.PLACES", ())
    with pytest.raises(EngineError, match="apt install gnubg"):
        analyse(MATCH, lambda _done, _of: None)


def test_sides_are_told_apart_whoever_begins() -> None:
    for seed in range(2):
        match = random_match(seed, games=1, length=1)
        found = analyse(match, lambda _done, _of: None)
        legal = [turn for turn in match.games[0].played if turn.legal]
        assert found.light.moves == sum(turn.player is Side.LIGHT for turn in legal)
        assert found.dark.moves == sum(turn.player is Side.DARK for turn in legal)
