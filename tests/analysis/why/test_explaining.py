"""One sentence why one play is better than another."""

from dataclasses import replace

from controller.analysis.why.explaining import reason_words
from controller.messages.catalogue import LANGUAGES
from controller.record.match.corrections import after_play
from controller.referee import TurnJudged
from controller.rules import START, Position, Roll, Side
from tests.rows import each_row

POINT = Position.from_compact("b...BD.B...eE...c.e....B..")
ROLL = Roll.from_dice(3, 1)
TURN = TurnJudged(
    ply=0,
    side=Side.LIGHT,
    roll=ROLL,
    play=None,
    text="8/5 6/5",
    legal=True,
    reasons=(),
    also=(),
    instead=None,
    stands=False,
    before=START,
    after=POINT,
    frame=None,
    t=0.0,
)


def told(after: Position, *plays: tuple[Position, float], language: str = "en") -> str:
    return reason_words(replace(TURN, after=after), plays, language) or ""


def other(text: str) -> Position:
    return after_play(START, Side.LIGHT, text)


def test_a_better_play_is_named_with_what_it_does() -> None:
    blot = other("13/9")
    said = told(blot, (POINT, 0.0), (blot, 0.15))
    assert said.startswith("Better was 8/5 6/5: ")
    assert "of 36" in said
    assert "makes the 5-point" in said


def test_the_best_play_is_praised_for_what_it_does() -> None:
    assert told(POINT, (POINT, 0.0), (other("13/9"), 0.15)).startswith("A good play: ")


def test_where_plays_are_close_that_is_said() -> None:
    one, two = other("24/20"), other("24/21 24/23")
    assert told(one, (two, 0.0), (one, 0.03)).startswith(("It is close", "Better was 24/21 24/23"))
    assert told(POINT, (POINT, 0.0), (POINT, 0.0)) == ""


def test_of_an_illegal_play_nothing_is_said() -> None:
    assert reason_words(replace(TURN, legal=False), ((POINT, 0.0),), "en") is None


@each_row("language", LANGUAGES)
def test_every_language_has_the_sentence(language: str) -> None:
    blot = other("13/9")
    assert "8/5 6/5" in told(blot, (POINT, 0.0), (blot, 0.15), language=language)
