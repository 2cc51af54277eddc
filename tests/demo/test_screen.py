"""What people read of a demo: the table as they know it, and each illegal play once."""

from dataclasses import replace
from io import StringIO

import pytest
from rich.console import Console

from controller.demo.screen import DemoScreen, Transcript
from controller.demo.show import NAMES
from controller.devices.lights.frame import LightFrame, Signal
from controller.messages.catalogue import LANGUAGES
from controller.referee.actions import (
    Action,
    Flagged,
    GameOpened,
    Message,
    Phase,
    PhaseBegun,
    Told,
    TurnJudged,
    Unsure,
)
from controller.referee.table.settings import Settings
from controller.referee.table.state import begin
from controller.rules.game.match import Score, Terms
from controller.rules.judging.judge import judge
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.conduct import Party
from controller.rules.profile.profile import STANDARD

LIT = LightFrame().lit(Signal.TAKE, [6]).lit(Signal.PUT, [8, "bar-dark"]).lit(Signal.WAITING, ["status"])
SHORT = Position.from_compact("b...AE.B...eE...c.e....B..")
WRONG = TurnJudged(
    ply=7,
    side=Side.LIGHT,
    roll=Roll.from_dice(3, 1),
    play=None,
    text="8/5",
    legal=False,
    reasons=judge(START, Side.LIGHT, Roll.from_dice(3, 1), SHORT).reasons,
    also=(),
    instead=None,
    stands=True,
    before=START,
    after=SHORT,
    frame=3,
    t=9.0,
)


def drawn(language: str) -> str:
    known = begin(Settings(Terms.match(STANDARD, 5)))
    console = Console(width=120, file=StringIO())
    with console.capture() as written:
        console.print(DemoScreen(language, NAMES).picture(known, START, (3, 1), LIT))
    return written.get()


def told(*actions: Action, at_once: bool) -> list[str]:
    transcript = Transcript("en", NAMES, at_once=at_once)
    return [line for action in actions for line in transcript.lines(action)]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_is_drawn_with_names_dice_cube_score_and_point_numbers(language: str) -> None:
    text = drawn(language)
    for part in ("○ Anna", "● Bruno", "3-1", "0 : 0", " 13  14  15 ", "  3   2   1 "):
        assert part in text
    assert not any(str(phase) in text for phase in Phase if "_" in phase)


def test_fifteen_checkers_of_each_side_are_drawn() -> None:
    board = drawn("en").partition("╭")[2]
    assert (board.count("○"), board.count("●")) == (15, 15)


def test_of_three_checkers_a_side_none_lies_in_the_trays_at_the_start() -> None:
    hypergammon = load_profile("hypergammon")
    known = begin(Settings(Terms.match(hypergammon, 5)))
    console = Console(width=120, file=StringIO())
    with console.capture() as written:
        console.print(DemoScreen("en", NAMES).picture(known, known.position, (3, 1), LIT))
    board = written.get().partition("╭")[2]
    assert (board.count("○"), board.count("●")) == (3, 3)


def test_the_lights_lie_at_their_points_and_say_what_they_mean() -> None:
    lines = drawn("en").splitlines()
    near = next(number for number, line in enumerate(lines) if "12  11  10" in line)
    column = lines[near].index(" 6 ") + 1
    assert lines[near - 1][column] == "-"
    assert any("take a checker away: 6" in line for line in lines)
    assert any("put a checker here: 8, the bar (Dark)" in line for line in lines)


def test_an_illegal_play_is_told_once_in_a_transcript_with_what_became_of_it() -> None:
    actions = (Flagged(8.0, WRONG, frozenset(Party)), WRONG)
    (line,) = told(*actions, at_once=False)
    assert "Anna" in line
    assert "ILLEGAL, left standing" in line


def test_an_illegal_play_is_told_once_and_at_once_on_the_screen() -> None:
    (line,) = told(Flagged(8.0, WRONG, frozenset(Party)), replace(WRONG, t=12.0), at_once=True)
    assert line.strip().startswith("Anna, 3-1: 8/5")


def test_points_are_numbered_as_the_player_on_turn_counts_them() -> None:
    lines = told(
        PhaseBegun(1.0, Phase.MOVING, Side.DARK),
        Unsure(2.0, None, 0, (23, 24)),
        Told(2.0, Message.LOOK, {"points": [23, 24]}),
        at_once=False,
    )
    assert "1, 2" in lines[0]
    assert "from Dark's side: 1, 2." in lines[1]


def test_points_are_numbered_as_the_game_of_the_series_does_that_is_played() -> None:
    games = [load_profile(name).movement for name in ("plakoto", "fevga")]
    transcript = Transcript("en", NAMES, at_once=False, games=games)
    look = Told(2.0, Message.LOOK, {"points": [1, 2]})
    told = []
    for number in (1, 2, 3):
        list(transcript.lines(GameOpened(1.0, number, START, Score(0, 0))))
        list(transcript.lines(PhaseBegun(1.0, Phase.MOVING, Side.DARK)))
        told += list(transcript.lines(look))
    assert ["23, 24" in told[0], "13, 14" in told[1], "23, 24" in told[2]] == [True] * 3


def test_a_roll_that_cannot_be_played_is_told_once() -> None:
    assert told(Told(2.0, Message.NO_PLAY, {"side": "dark", "dice": [6, 6]}), at_once=False) == []
