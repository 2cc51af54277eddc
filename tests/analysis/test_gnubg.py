"""What the real gnubg says of a match, against what it prints itself."""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from controller.analysis import gnubg
from controller.analysis.answers import Answers
from controller.analysis.engine import (
    Analysis,
    CubeAction,
    CubeDecision,
    EngineError,
    PlayDecision,
    Skill,
)
from controller.analysis.gnubg import GnubgRecord, analyse
from controller.analysis.report import report
from controller.record.files.formats import read_match_file
from controller.record.files.mat import mat_text
from controller.record.match.match import Act, GameRecord, MatchRecord, Turn
from controller.rules.game.events import Beavered, Doubled, Taken
from controller.rules.game.match import Terms
from controller.rules.moves.plays import resolve, results
from controller.rules.notation import parse_play
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from tests.record.gnubg import run_commands
from tests.record.matches import played, random_match, terms_of


@cache
def judged_match() -> MatchRecord:
    return random_match(11, games=2, length=5, illegal=0.06, corrected=0.04)


@pytest.fixture(scope="module")
def analysed() -> tuple[Analysis, list[tuple[int, int]]]:
    told: list[tuple[int, int]] = []
    return analyse(judged_match(), lambda done, of: told.append((done, of))), told


CUBED = """ 5 point match

 Game 1
 Anna : 0                              Bela : 0
  1) 31: 8/5 6/5                        64: 24/14
  2) 66: 24/18(2) 13/7(2)                Doubles => 2
  3)  Takes                             43: 14/10 13/10
  4) 65: 18/7                            31: 10/7 8/7
  5)  Doubles => 4                        Drops
      Wins 2 points

 Game 2
 Anna : 2                              Bela : 0
  1) 52: 13/8 24/22                      64: 24/14
  2)  Doubles => 2                        Drops
      Wins 1 point
"""
"""A short match with doubles, a take and passes, most of them wrong."""


def cubed() -> MatchRecord:
    return read_match_file(CUBED.encode(), "cubed.mat")


def printed(folder: Path, match: MatchRecord, plies: int = 0) -> str:
    (folder / "match.mat").write_text(mat_text(match), encoding="utf-8")
    settings = [f"set analysis {kind} evaluation plies {plies}" for kind in ("chequerplay", "cubedecision")]
    return run_commands(["import mat match.mat", *settings, "analyse match", "show statistics match"], folder)


def same_as_printed(found: Analysis, said: str) -> None:
    """Every figure is the one that gnubg prints, to its last digit."""
    light, dark = found.light, found.dark
    for line, of in (
        ("Unforced moves", lambda skill: skill.unforced),
        ("Total moves", lambda skill: skill.moves),
        ("Close or actual cube decisions", lambda skill: skill.cube_decisions),
    ):
        assert numbers(line, said) == [of(light), of(dark)], line
    for heading, of in (
        ("Chequerplay statistics", lambda skill: skill.play_error),
        ("Cube statistics", lambda skill: skill.cube_error),
    ):
        part = said[said.index(heading) :]
        assert numbers("Error total EMG", part) == pytest.approx([-of(light), -of(dark)], abs=0.00051)
    overall = said[said.index("Overall statistics") :]
    assert numbers("Error rate mEMG", overall) == pytest.approx([-rate(light), -rate(dark)], abs=0.051)
    assert numbers("Luck total EMG", said) == pytest.approx([light.luck, dark.luck], abs=0.00051)


def rate(skill: Skill) -> float:
    assert skill.rate is not None
    assert skill.pr == pytest.approx(skill.rate / 2)
    return skill.rate


def test_the_figures_are_those_that_gnubg_prints(
    analysed: tuple[Analysis, list[tuple[int, int]]], tmp_path: Path
) -> None:
    same_as_printed(analysed[0], printed(tmp_path, judged_match()))


@pytest.mark.parametrize("plies", [0, 1, 2])
def test_the_figures_of_the_cube_are_those_that_gnubg_prints(plies: int, tmp_path: Path) -> None:
    found = analyse(cubed(), lambda _done, _of: None, plies)
    assert found.plies == plies
    same_as_printed(found, printed(tmp_path, cubed(), plies))


def test_every_cube_decision_is_known_with_what_it_lost() -> None:
    found = analyse(cubed(), lambda _done, _of: None)
    made = [each for each in found.decisions if isinstance(each, CubeDecision) and each.action != "roll"]
    assert [(each.game, each.ply, each.player, each.action) for each in made] == [
        (1, 3, Side.DARK, CubeAction.DOUBLE),
        (1, 3, Side.LIGHT, CubeAction.TAKE),
        (1, 6, Side.LIGHT, CubeAction.DOUBLE),
        (1, 6, Side.DARK, CubeAction.PASS),
        (2, 2, Side.LIGHT, CubeAction.DOUBLE),
        (2, 2, Side.DARK, CubeAction.PASS),
    ]
    wrong_double, take = made[:2]
    assert (wrong_double.best, take.best, take.loss) == (CubeAction.ROLL, CubeAction.TAKE, 0)
    assert wrong_double.loss == pytest.approx(0.788, abs=0.001)
    assert found.mistakes[0] is made[-1]


def test_what_was_judged_before_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An analysis that is stopped half way goes on with the other half, and ends as if it had not been stopped."""

    class StoppedError(Exception):
        pass

    def stop(done: int, _: int) -> None:
        if done:
            raise StoppedError

    asked: list[int] = []
    judge = gnubg._Questions._judge

    def count(self: gnubg._Questions, plies: int, wanted: Sequence[GnubgRecord], *more: Any) -> None:
        asked.append(len(wanted))
        judge(self, plies, wanted, *more)

    monkeypatch.setattr(gnubg._Questions, "_judge", count)
    whole = analyse(cubed(), lambda _done, _of: None)
    with Answers(tmp_path / "answers.db") as answers, pytest.raises(StoppedError):
        analyse(cubed(), stop, answers=answers)
    for _ in range(2):
        with Answers(tmp_path / "answers.db") as answers:
            assert answers.kept
            assert analyse(cubed(), lambda _done, _of: None, answers=answers) == whole
    first, stopped, rest, again = asked
    assert first == stopped == 11
    assert 0 < rest < stopped
    assert again == 0


def test_other_plies_are_other_answers(tmp_path: Path) -> None:
    with Answers(tmp_path / "answers.db") as answers:
        quick = analyse(cubed(), lambda _done, _of: None, 0, answers)
        deeper = analyse(cubed(), lambda _done, _of: None, 1, answers)
    assert deeper.light != quick.light


@pytest.mark.parametrize(("patience_s", "plies"), [(1e9, 2), (0.0, 0)])
def test_two_plies_are_the_default_where_there_is_time_for_them(
    patience_s: float, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gnubg, "PATIENCE_S", patience_s)
    found = analyse(cubed(), lambda _done, _of: None, None)
    assert found.plies == plies
    assert (found.deeper_s is None) == (plies == 2)


def test_two_gnubgs_at_most_work_at_once_and_give_way_to_others(monkeypatch: pytest.MonkeyPatch) -> None:
    running: list[subprocess.Popen[str]] = []
    most: list[int] = []
    nice: list[int] = []
    begin = gnubg.start

    def count(script: str, folder: Path) -> subprocess.Popen[str]:
        running.append(begin(script, folder))
        most.append(sum(each.poll() is None for each in running))
        return running[-1]

    def lower(_kind: int, _process: int, by: int) -> None:
        nice.append(by)

    monkeypatch.setattr(gnubg, "start", count)
    monkeypatch.setattr(gnubg.os, "setpriority", lower)
    analyse(cubed(), lambda _done, _of: None)
    assert max(most) <= 2
    assert len(nice) == len(running)
    assert min(nice) > 0
    assert all(each.poll() is not None for each in running)


def numbers(line: str, said: str) -> list[float]:
    """The two figures of a line, what stands in brackets left out."""
    row = re.search(rf"^{line}(.*)$", said, re.MULTILINE)
    assert row, line
    return [float(each) for each in re.findall(r"[-+]?\d+(?:\.\d+)?", re.sub(r"\([^)]*\)", "", row[1]))]


def test_illegal_plays_are_left_out_and_progress_is_told(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    found, told = analysed
    illegal = [turn for game in judged_match().games for turn in game.played if not turn.legal]
    assert illegal
    assert found.left_out >= len(illegal)
    done, of = zip(*told, strict=True)
    assert list(done) == list(range(of[0] + 1))
    assert set(of) == {done[-1]}
    judged = {(mistake.game, mistake.ply) for mistake in found.mistakes}
    assert not judged & {
        (number, turn.ply)
        for number, game in enumerate(judged_match().games, start=1)
        for turn in game.played
        if not turn.legal
    }


def test_every_mistake_is_a_turn_of_the_record_and_names_better_plays(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    mistakes = [each for each in analysed[0].mistakes if isinstance(each, PlayDecision)]
    assert len(mistakes) > 20
    assert [m.loss for m in mistakes] == sorted((m.loss for m in mistakes), reverse=True)
    for mistake in mistakes:
        turn = next(t for t in judged_match().games[mistake.game - 1].played if t.ply == mistake.ply)
        assert (turn.player, turn.roll, turn.text) == (
            mistake.player,
            mistake.state.roll,
            mistake.played.text,
        )
        assert mistake.best[0].after != turn.after
        assert [each.equity for each in mistake.best] == sorted(
            (e.equity for e in mistake.best), reverse=True
        )
        lawful = results(turn.before, turn.player, turn.roll)[0]
        assert {each.after.code for each in mistake.best} <= set(lawful)


def test_the_report_shows_figures_and_the_worst_mistakes_with_boards(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    text = report(replace(judged_match(), light="Éva\x1b[2J"), analysed[0], worst=3)
    assert "\x1b" not in text
    assert "Éva [2J" in text
    assert text.count("  best") == 3
    assert text.count("13  14  15  16  17  18 | bar |") == 3
    assert "No double is recorded" in text
    assert re.search(r"PR \(performance rating\) +\d", text)


def test_rules_no_engine_knows_are_cautioned_against() -> None:
    rules = load_profile("hunbg-club")
    turns = judged_match().games[0].turns[:6]
    match = MatchRecord("A", "B", Terms.money(rules), (GameRecord(turns),))
    found = analyse(match, lambda _done, _of: None)
    assert ("rules", "hunbg-club") in found.cautions


def test_nothing_to_analyse_and_no_gnubg_are_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EngineError, match="nothing to analyse"):
        analyse(MatchRecord("A", "B"), lambda _done, _of: None)
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("controller.analysis.gnubg.PLACES", ())
    with pytest.raises(EngineError, match="apt install gnubg"):
        analyse(judged_match(), lambda _done, _of: None)


def test_sides_are_told_apart_whoever_begins() -> None:
    for seed in range(2):
        match = random_match(seed, games=1, length=1)
        found = analyse(match, lambda _done, _of: None)
        legal = [turn for turn in match.games[0].played if turn.legal]
        assert found.light.moves == sum(turn.player is Side.LIGHT for turn in legal)
        assert found.dark.moves == sum(turn.player is Side.DARK for turn in legal)


def test_a_play_that_nobody_confirmed_is_nobodys_mistake_and_the_others_stay_theirs(
    analysed: tuple[Analysis, list[tuple[int, int]]],
) -> None:
    sure = analysed[0]
    worst = next(each for each in sure.mistakes if isinstance(each, PlayDecision))
    game = judged_match().games[worst.game - 1]
    turns = tuple(
        replace(turn, legal=None, probability=0.8) if turn.ply == worst.ply and turn.counts else turn
        for turn in game.turns
    )
    games = list(judged_match().games)
    games[worst.game - 1] = replace(game, entries=turns)
    found = analyse(replace(judged_match(), games=tuple(games)), lambda *_: None)
    assert found.decisions == tuple(each for each in sure.decisions if each != worst)
    assert found.left_out == sure.left_out + 1
    assert found.skill(worst.player).play_error == pytest.approx(
        sure.skill(worst.player).play_error - worst.loss
    )


def gone_on(turns: Sequence[tuple[Side, tuple[int, int], str]], boards: dict[int, Position]) -> MatchRecord:
    """A game of these turns; some begin from a board of their own, which those before them do not reach."""
    board, entries = START, list[Turn]()
    for ply, (side, dice, text) in enumerate(turns):
        before, roll = boards.get(ply, board), Roll.from_dice(*dice)
        made = resolve(before, side, roll, parse_play(text))
        entries.append(played(ply, side, roll, before, made))
        board = made.after
    return MatchRecord("Anna", "Bela", terms_of(5), (GameRecord(tuple(entries)),))


def judged_turns(match: MatchRecord) -> list[tuple[int, str, list[str]]]:
    """The turns that gnubg judged, with the text of each and of the best plays."""
    found = analyse(match, lambda *_: None).decisions
    plays = [each for each in found if isinstance(each, PlayDecision)]
    return [(each.ply, each.played.text, [best.text for best in each.best]) for each in plays]


def test_a_turn_from_a_board_that_none_reaches_gets_no_judgement_of_a_later_one_with_the_same_dice() -> None:
    opening = [(Side.LIGHT, (6, 1), "13/7 8/7"), (Side.DARK, (2, 1), "13/11 6/5")]
    later = [
        (Side.LIGHT, (5, 3), "8/3 6/3"),
        (Side.DARK, (4, 2), "8/4 6/4"),
        (Side.LIGHT, (5, 3), "13/10 13/8"),
    ]
    match = gone_on([*opening, *later], {2: START, 3: START})
    assert [(ply, text) for ply, text, _ in judged_turns(match)] == [
        (0, "13/7 8/7"),
        (1, "13/11 6/5"),
        (4, "13/10 13/8"),
    ]


def test_after_a_turn_of_which_only_the_board_is_known_the_others_are_judged_all_the_same() -> None:
    plain = gone_on(
        [
            *[(Side.LIGHT, (6, 1), "13/7 8/7"), (Side.DARK, (2, 1), "13/11 6/5")],
            *[(Side.LIGHT, (5, 3), "8/3 6/3"), (Side.DARK, (4, 2), "8/4 6/4")],
        ],
        {},
    )
    (game,) = plain.games
    turns = list(game.turns)
    turns[1] = replace(turns[1], play=None, legal=None, text="", probability=0.8)
    match = replace(plain, games=(replace(game, entries=tuple(turns)),))
    assert [ply for ply, _, _ in judged_turns(match)] == [0, 2, 3]


BEAVERED = """ 0 point match

 Game 1
 Anna : 0                              Bela : 0
  1) 31: 8/5 6/5                        64: 24/14
  2)  Doubles => 2                        Beavers => 4
  3)  Takes
  4) 66: 24/18(2) 13/7(2)                43: 14/10 13/10
  5) 65: 18/7                            31: 10/7 8/7
"""


def test_after_a_beaver_every_turn_is_judged_and_the_double_is_the_doublers() -> None:
    match = read_match_file(BEAVERED.encode(), "beavered.mat")
    acts = [type(entry.event) for entry in match.games[0].entries if isinstance(entry, Act)]
    assert acts == [Doubled, Beavered, Taken]
    found = analyse(match, lambda *_: None)
    assert [each.ply for each in found.decisions if isinstance(each, PlayDecision)] == [0, 1, 2, 3, 4, 5]
    cube = [each for each in found.decisions if isinstance(each, CubeDecision)]
    doubles = [each for each in cube if each.action is CubeAction.DOUBLE]
    assert [(each.player, each.ply) for each in doubles] == [(Side.LIGHT, 2)]
    assert found.left_out == 0
