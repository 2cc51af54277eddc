"""What an engine in a seat says to each state of the table."""

import queue
from dataclasses import replace

import pytest

from controller.partner.actor import SeatActor
from controller.partner.mind import EngineMind, Mind, RuleOfThumb
from controller.partner.seat import EngineSeat
from controller.referee import Event, Phase, Settings
from controller.referee.actions import Message
from controller.referee.events import PlayAnnounced, Said
from controller.rules import Position, Side, is_result, load_profile
from controller.rules.game import events as ruled
from tests.referee.table.evening import Evening, match_terms


def game(profile: str = "standard-match") -> Evening:
    evening = Evening(Settings(match_terms(load_profile(profile))))
    evening.start()
    return evening


def answered(evening: Evening, seat: EngineSeat) -> tuple[Event, ...]:
    said = seat.answer(evening.table)
    for event in said:
        evening.tell(event)
    return said


@pytest.mark.parametrize("mind", [RuleOfThumb, EngineMind])
def test_an_engine_announces_a_legal_play_of_its_roll_once(mind: type[Mind]) -> None:
    evening, seat = game(), EngineSeat(Side.LIGHT, mind())
    (said,) = answered(evening, seat)
    assert isinstance(said, PlayAnnounced)
    assert evening.table.thrown is not None
    assert is_result(evening.table.position, Side.LIGHT, evening.table.thrown.roll, said.after)
    assert evening.table.announced == said.after
    assert not seat.waits(evening.table)
    assert answered(evening, seat) == ()
    seat.close()


def test_the_side_of_a_person_is_left_alone() -> None:
    assert EngineSeat(Side.DARK, RuleOfThumb()).answer(game().table) == ()


def test_a_play_is_taken_back_as_its_opponent_asks() -> None:
    evening, seat = game(), EngineSeat(Side.DARK, RuleOfThumb())
    evening.move(evening.legal())
    evening.done()
    seat.answer(evening.table)
    evening.tell(Said(evening.t, ruled.TakenBack(Side.LIGHT), "light"))
    assert [said.event for said in answered(evening, seat) if isinstance(said, Said)] == [
        ruled.TakenBack(Side.DARK)
    ]
    assert Message.UNDONE in evening.messages()


@pytest.mark.parametrize("mind", [RuleOfThumb, EngineMind])
def test_a_double_at_the_start_is_taken(mind: type[Mind]) -> None:
    evening, seat = game(), EngineSeat(Side.LIGHT, mind())
    evening.move(evening.legal())
    evening.done()
    evening.say(ruled.Doubled(Side.DARK))
    assert evening.table.phase is Phase.CUBE_OFFERED
    answered(evening, seat)
    assert evening.table.match.game.cube.owner is Side.LIGHT
    seat.close()


def test_a_resignation_is_accepted() -> None:
    evening, seat = game(), EngineSeat(Side.DARK, RuleOfThumb())
    evening.tell(Said(evening.t, ruled.Resigned(Side.LIGHT, 1), "light"))
    answered(evening, seat)
    assert evening.table.match.score.dark == 1


def test_what_is_lost_is_resigned_once() -> None:
    evening, seat = game(), EngineSeat(Side.LIGHT, RuleOfThumb())
    evening.stand(Position.from_compact("............O.........ab.."), Side.LIGHT)
    (said,) = answered(evening, seat)
    assert isinstance(said, Said)
    assert said.event == ruled.Resigned(Side.LIGHT, 2)
    evening.tell(Said(evening.t, ruled.ResignationRefused(Side.DARK), "dark"))
    assert answered(evening, seat) == ()


def test_an_engine_that_is_not_there_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.analysis.gnubg.PLACES", ())
    monkeypatch.setenv("PATH", "")
    evening, seat = game(), EngineSeat(Side.LIGHT, EngineMind("gnubg"))
    answered(evening, seat)
    assert evening.table.announced is not None


def test_what_is_thought_comes_from_a_thread_of_its_own() -> None:
    said: queue.Queue[Event] = queue.Queue()
    actor = SeatActor([EngineSeat(Side.LIGHT, RuleOfThumb())], said.put)
    evening = game()
    actor.attend(replace(evening.table, t=1.0))
    assert isinstance(said.get(timeout=60), PlayAnnounced)
    actor.close()
