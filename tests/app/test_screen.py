"""What the players read at the table."""

from dataclasses import replace

import pytest

from controller.app.screen import LineScreen
from controller.referee.actions import Flagged, Message, Told, TurnJudged
from controller.rules.judging.judge import judge
from controller.rules.position import START, Position, Roll, Side
from controller.rules.profile.conduct import Party

EVERYBODY, DIRECTOR = frozenset(Party), frozenset({Party.DIRECTOR})
NAMES = {Side.LIGHT: "Anna", Side.DARK: "Béla"}
AFTER = Position.from_compact("b...AE.B...eE...c.e....B..")
WRONG = TurnJudged(
    ply=0,
    side=Side.LIGHT,
    roll=Roll.from_dice(3, 1),
    play=None,
    text="8/5",
    legal=False,
    reasons=judge(START, Side.LIGHT, Roll.from_dice(3, 1), AFTER).reasons,
    also=(),
    instead=None,
    stands=True,
    before=START,
    after=AFTER,
    frame=3,
    t=9.0,
)


def shown(*actions: TurnJudged | Flagged | Told, know: frozenset[Party], languages: tuple[str, ...]) -> str:
    text: list[str] = []
    screen = LineScreen(text.append, languages, NAMES)
    for action in actions:
        screen.print_action(action, know)
    return "".join(text)


def test_each_message_comes_in_every_language_once() -> None:
    told = Told(1.0, Message.STARTS, {"side": "dark", "dice": [3, 1]})
    lines = shown(told, know=EVERYBODY, languages=("en", "hu", "en")).splitlines()
    assert len(lines) == 2
    assert all("Béla" in line for line in lines)


def test_what_only_the_director_may_know_is_not_shown_to_the_players() -> None:
    assert shown(Flagged(9.0, WRONG, DIRECTOR), know=DIRECTOR, languages=("en",)) == ""
    silent = shown(WRONG, know=DIRECTOR, languages=("en",))
    assert "8/5" in silent
    assert "not legal" not in silent
    assert silent == shown(replace(WRONG, legal=True, reasons=()), know=DIRECTOR, languages=("en",))


def test_players_who_may_know_read_the_broken_rule() -> None:
    assert "not legal" in shown(WRONG, know=EVERYBODY, languages=("en",))


@pytest.mark.parametrize(
    "error",
    [
        BrokenPipeError(32, "Broken pipe"),
        ValueError("I/O operation on closed file"),
        UnicodeEncodeError("ascii", "é", 0, 1, "no"),
    ],
)
def test_a_terminal_that_is_gone_or_lacks_a_letter_ends_nothing(error: Exception) -> None:
    def write(_: str) -> None:
        raise error

    LineScreen(write, ("en",), {}).print_words(lambda _: "Béla")


@pytest.mark.parametrize("know", [EVERYBODY, DIRECTOR], ids=["told", "not told"])
def test_a_play_that_nobody_confirmed_is_called_so_whoever_may_know(know: frozenset[Party]) -> None:
    doubted = replace(WRONG, legal=None, reasons=(), stands=False, probability=0.6)
    assert shown(doubted, know=know, languages=("en",)) == "Anna, 3-1: 8/5 (not confirmed).\n"
