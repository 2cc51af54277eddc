"""What pages tell of a turn that nobody confirmed, and the plays that they offer as answers to what it was."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.match.match import GameRecord, MatchRecord
from controller.record.table.table_log import turn_of
from controller.referee import Message, Phase, TurnJudged
from controller.referee.actions import Candidate, TurnAsked, Unsure
from controller.rules import Position, Side
from controller.web.audience import Audience
from controller.web.plies import plies_of
from controller.web.setup.minute import Minute
from controller.web.table_service import News, Role
from tests.record.matches import terms_of
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG
from tests.web.browsers import Hall, opened
from tests.web.served_table import TableHouse

DARK = Side.DARK


def doubtful_turn(house: TableHouse, after: Position | None = None, text: str = "8/5 6/5") -> TurnJudged:
    """The last turn of a table, but nobody confirmed it."""
    last = house.evening.table.last_turn
    assert last is not None
    assert last.turn is not None
    play = last.turn.play if after is None else None
    return replace(
        last.turn, legal=None, play=play, text=text, after=after or last.turn.after, probability=0.61
    )


def tell(house: TableHouse, *candidates: Candidate, after: Position | None = None) -> TurnJudged:
    turn = doubtful_turn(house, after)
    house.say(actions=(Unsure(turn.t, turn.frame, turn.ply, (6, 8), candidates), turn))
    return turn


def needs(hall: Hall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hall.director().state()["needs"]
    return found


def test_it_is_no_illegal_play_on_any_page_and_players_read_words_and_no_numbers() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        tell(hall.house, after=WRONG)
        for browser in (hall.browser(), hall.player(DARK), hall.director()):
            (play,) = browser.state()["plays"]
            assert (play["legal"], play["stands"], play["unsure"], play["reasons"]) == (None, False, True, [])
            assert play["words"] == "8/5 6/5 (not confirmed)"
            assert play["text"] == "Anna, 3-1: 8/5 6/5 (not confirmed)."
        for browser in (hall.browser(), hall.player(DARK)):
            assert "61" not in json.dumps([browser.state()["plays"], browser.state()["allowed"]])


@pytest.mark.parametrize("role", list(Role))
def test_how_probable_a_turn_is_goes_to_the_director_alone(role: Role) -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    turn = turn_of(doubtful_turn(house))
    record = MatchRecord("Anna", "Béla", terms_of(5), (GameRecord((turn,)),))
    (line,) = plies_of(record, 1, house.view(), Audience(role))
    assert (line["legal"], line["words"]) == (None, "8/5 6/5 (not confirmed)")
    assert line.get("probability") == (0.61 if role is Role.DIRECTOR else None)


def test_the_director_sees_the_likeliest_readings_with_their_probabilities_and_may_rule() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        other = Position.from_compact("b....E.C...eE...c.e...AA..")
        turn = doubtful_turn(hall.house)
        tell(
            hall.house,
            Candidate("8/5 6/5", True, turn.after, 0.61),
            Candidate("24/20", True, other, 0.3),
            Candidate("24/23", False, WRONG, 0.05),
        )
        (matter,) = needs(hall)
        assert (matter["kind"], matter["heading"]) == ("unsure", "Anna: play not confirmed")
        assert matter["text"] == "Likeliest: 8/5 6/5 (61 %), 24/20 (30 %), 24/23 (5 %)."
        assert [(each["what"], each["keys"].get("play")) for each in matter["rulings"]] == [
            ("change_play", "8/5 6/5"),
            ("change_play", "24/20"),
            ("undo_ply", None),
            ("settle", None),
        ]
        assert hall.director().post(f"/api/v1/needs/{matter['id']}/settle").json()["answer"] == "done"
        assert needs(hall) == []


def test_where_no_other_reading_is_known_the_likeliest_is_told() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        tell(hall.house)
        (matter,) = needs(hall)
        assert matter["text"] == "Likeliest: 8/5 6/5 (61 %)."


def test_a_turn_that_became_certain_needs_nobody_any_more() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        turn = tell(hall.house)
        assert len(needs(hall)) == 1
        hall.house.say(actions=(replace(turn, legal=True, revises=True, probability=1.0),))
        assert needs(hall) == []
        assert hall.browser().state()["plays"][0]["words"] == "8/5 6/5"


def asking() -> tuple[TableHouse, tuple[Candidate, ...]]:
    """A table that asks what light has played."""
    evening = SCENES[Phase.MOVING]()
    evening.table = replace(evening.table, phase=Phase.TURN_ENDED, warned=(Message.LOOK, (6, 8)))
    likely = (Candidate("8/5 6/5", True, GOOD, 0.61), Candidate("24/23", None, WRONG, 0.3))
    return TableHouse(evening), likely


def ask(house: TableHouse, candidates: tuple[Candidate, ...]) -> None:
    house.say(actions=(TurnAsked(house.evening.t, house.evening.table.ply, (6, 8), candidates),))


def answers(state: dict[str, Any]) -> list[dict[str, Any]]:
    return [each for each in state["allowed"] if each["what"] == "played" and each["needs"] is None]


def test_the_readings_are_buttons_that_answer_what_was_played() -> None:
    house, candidates = asking()
    with opened(house) as hall:
        ask(house, candidates)
        state = hall.browser("127.0.0.1").state()
        assert [each["text"] for each in answers(state)] == ["8/5 6/5", "24/23"]
        assert state["question"]["note"] == "Which of these was played?"
        told = hall.director().state()
        assert [each["text"] for each in answers(told)] == ["8/5 6/5 (61 %)", "24/23 (30 %)"]
        assert "8/5 6/5 (61 %), 24/23 (30 %)" in needs(hall)[0]["text"]
        assert answers(hall.browser().state()) == []


def test_a_button_tells_the_table_the_position_of_its_play() -> None:
    house, candidates = asking()
    with opened(house) as hall:
        ask(house, candidates)
        page = hall.browser("127.0.0.1")
        choice = answers(page.state())[0]
        assert page.say(choice["what"], **choice["keys"]).json()["answer"] == "done"
        table = house.evening.table
        assert (table.phase, table.position) == (Phase.TO_ROLL, candidates[0].after)
        assert page.state()["plays"][0]["words"] == "8/5 6/5"


def test_where_nobody_knows_who_started_each_reading_is_that_of_its_side() -> None:
    house, (first, other) = asking()
    table = house.evening.table
    assert table.thrown is not None
    house.evening.table = replace(table, thrown=replace(table.thrown, side=None))
    with opened(house) as hall:
        ask(house, (replace(first, side=Side.LIGHT), replace(other, side=Side.DARK)))
        told = hall.director().state()
        assert [(each["side"], each["text"]) for each in answers(told)] == [
            ("light", "8/5 6/5 (61 %)"),
            ("dark", "Béla: 24/23 (30 %)"),
        ]
        entered = [each["side"] for each in told["allowed"] if each["what"] == "played" and each["needs"]]
        assert entered == ["light", "dark"]


@pytest.mark.parametrize(
    "act",
    [lambda house: house.stage(SCENES[Phase.MOVING]()), lambda house: ask(house, ())],
    ids=["played on", "asked anew"],
)
def test_answers_go_with_their_question(act: Callable[[TableHouse], None]) -> None:
    house, candidates = asking()
    with opened(house) as hall:
        ask(house, candidates)
        act(house)
        ask_again = hall.director().state()
        assert answers(ask_again) == []
        assert (ask_again["question"] or {}).get("note") != "Which of these was played?"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_question_and_its_answers_are_worded_in_every_language(language: str) -> None:
    house, candidates = asking()
    with opened(house) as hall:
        ask(house, candidates)
        state = hall.browser("127.0.0.1").get(f"/api/v1/state?language={language}").json()["state"]
        assert state["question"]["note"] == catalogue(language).text("live", "note", "which_play")


def test_the_last_minute_marks_what_nobody_confirmed() -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    minute = Minute()
    turn = doubtful_turn(house)
    minute.on_news(News(house.view(), (turn,)))
    minute.on_news(News(house.view(), (replace(turn, legal=True, revises=True),)))
    assert [one.legal for one in minute.last(turn.t)] == [None, True]
