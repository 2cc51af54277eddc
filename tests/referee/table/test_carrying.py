"""The play of an engine: a person carries it out, and it counts only as it was announced."""

from controller.devices import Signal
from controller.referee.actions import Message, Phase, Told, TurnJudged
from controller.referee.belief.steps import shift_checker
from controller.referee.events import PlayAnnounced, Said
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules import START, Position, Side, load_profile
from controller.rules.game import events as ruled
from tests.referee.table.evening import Evening, match_terms

POINT = Position.from_compact("b...BD.B...eE...c.e....B..")


def announced(after: Position = POINT) -> Evening:
    evening = Evening(Settings(match_terms(load_profile("standard-match"))))
    evening.start()
    evening.look()
    evening.tell(PlayAnnounced(evening.t, 0, Side.LIGHT, after))
    return evening


def test_the_lights_show_from_where_to_where_the_announced_play_goes() -> None:
    lit = announced().table.lit
    assert {point for point in range(1, 25) if lit[point] is Signal.TAKE} == {6, 8}
    assert lit[5] is Signal.PUT


def test_the_turn_is_over_as_soon_as_the_play_lies_there_as_announced() -> None:
    evening = announced()
    evening.move(POINT)
    (turn,) = evening.of(TurnJudged)
    assert isinstance(turn, TurnJudged)
    assert (turn.text, turn.legal, evening.table.phase) == ("8/5 6/5", True, Phase.TO_ROLL)


def test_another_legal_play_is_named_and_not_written_down() -> None:
    evening = announced()
    evening.move(evening.legal(3))
    evening.done()
    said = evening.of(Told)[-1]
    assert isinstance(said, Told)
    assert said.message is Message.OTHER_PLAY
    assert (said.arguments["play"], said.arguments["moves"]) == ("8/5 6/5", "6 → 5, 8 → 5, 9 → 13")
    assert evening.of(TurnJudged) == []
    evening.move(POINT)
    assert [turn.text for turn in evening.of(TurnJudged) if isinstance(turn, TurnJudged)] == ["8/5 6/5"]


def test_an_illegal_carrying_accuses_nobody() -> None:
    evening = announced()
    evening.move(shift_checker(START, Side.LIGHT, 6, 3))
    evening.done()
    assert evening.messages()[-1] is Message.OTHER_PLAY
    assert evening.of(TurnJudged) == []


def test_a_roll_before_the_play_is_carried_out_does_not_count() -> None:
    evening = announced()
    evening.move(evening.legal(3))
    evening.roll(5, 2)
    assert Message.ROLL_TOO_EARLY in evening.messages()
    assert evening.of(TurnJudged) == []


def test_what_is_no_legal_play_of_the_roll_is_not_heard() -> None:
    evening = announced(Position.from_compact("bA..BD.B...eE...c.e....A.."))
    assert evening.table.announced is None


def test_nobody_can_say_that_an_engine_played_something_else() -> None:
    evening = announced()
    evening.tell(Said(evening.t, ruled.Played(Side.LIGHT, evening.legal(3), None), "dark"))
    assert evening.of(TurnJudged) == []
    assert evening.messages()[-1] is Message.OTHER_PLAY


def test_who_takes_up_the_dice_before_the_play_is_told_nothing() -> None:
    evening = Evening(Settings(match_terms(load_profile("teaching")), dice=DiceFrom.CAMERA))
    evening.look(evening.table.position)
    evening.film.roll((3, 1), reported=False)
    evening.look(pictures=3)
    evening.say(ruled.OpeningRoll(3, 1))
    evening.tell(PlayAnnounced(evening.t, 0, Side.LIGHT, POINT))
    evening.film.dice = ()
    evening.look(pictures=4)
    assert (evening.table.phase, evening.messages()[-1]) == (Phase.MOVING, Message.ANNOUNCED)
    evening.move(POINT)
    assert evening.table.phase is Phase.TO_ROLL
