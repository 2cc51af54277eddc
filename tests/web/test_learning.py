"""What the page to learn from is told, and when it is told nothing."""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record.journal.journal import Journal
from controller.record.match.match import Facts
from controller.record.match.match_log import MatchLog
from controller.referee import Phase, Settings
from controller.rules import Position, Roll, Side
from controller.rules.position import START
from controller.rules.profile.conduct import Leds
from controller.rules.profile.profile import STANDARD
from controller.web.table_service import RoomState
from tests.record.evidence.test_dispute_page import turn
from tests.record.match.test_match_log import noon
from tests.record.matches import terms_of
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG, after
from tests.web.browsers import Browser, Hall, opened
from tests.web.served_table import TableHouse

THREE_ONE = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
TEACHING = replace(STANDARD, conduct=replace(STANDARD.conduct, leds=Leds.TEACH))


def lesson_house(moving: bool = True) -> TableHouse:
    """A table whose rules allow aids; light is to play 3-1."""
    evening = Evening(Settings(match_terms(TEACHING)))
    evening.start()
    if not moving:
        evening.move(GOOD)
        evening.done()
    return TableHouse(evening)


@pytest.fixture
def hall() -> Iterator[Hall]:
    with opened(lesson_house(moving=False)) as hall:
        yield hall


def answer(browser: Browser, play: str, xgid: str = THREE_ONE) -> Any:
    return browser.post("/api/v1/learn/answer", json={"xgid": xgid, "play": play})


ASK: dict[str, Callable[[Browser], Any]] = {
    "an exercise": lambda browser: answer(browser, "8/5 6/5"),
    "the play before": lambda browser: browser.get("/api/v1/learn/last"),
    "the mistakes": lambda browser: browser.get("/api/v1/learn/mistakes?match=m1"),
}


@pytest.mark.parametrize("what", ASK)
def test_where_the_rules_forbid_aids_nothing_is_told_while_the_match_is_on(what: str) -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        browser = hall.player(Side.DARK)
        assert browser.get("/api/v1/learn").json() == {"allowed": False, "level": 0, "text": [], "points": []}
        assert ASK[what](browser).status_code == 409


@pytest.mark.parametrize(
    ("phase", "state"), [(Phase.MATCH_OVER, RoomState.OVER), (Phase.TO_ROLL, RoomState.READY)]
)
def test_where_no_match_is_on_everything_may_be_asked(phase: Phase, state: RoomState) -> None:
    with opened(TableHouse(SCENES[phase](), state)) as hall:
        assert hall.player(Side.DARK).get("/api/v1/learn").json()["allowed"]


def test_a_learner_sees_on_the_page_what_the_lights_show() -> None:
    with opened(lesson_house()) as hall:
        browser = hall.player(Side.LIGHT)
        assert browser.get("/api/v1/learn").json()["points"] == []
        assert browser.say("hint", level=1).json()["answer"] == "done"
        hall.house.play(lambda evening: evening.look())
        shown = browser.get("/api/v1/learn").json()
        assert (shown["allowed"], shown["level"]) == (True, 1)
        assert {6, 8, 13, 24} <= set(shown["points"])
        assert shown["text"]


def test_the_best_plays_are_told_with_their_numbers_and_what_the_own_play_loses(hall: Hall) -> None:
    said = answer(hall.player(Side.LIGHT), "24/23 13/10").json()
    assert said["plays"][0]["text"] == "8/5 6/5"
    assert said["plays"][0]["loss"] == 0
    assert said["played"]["loss"] > 0.1
    equities = [each["equity"] for each in said["plays"]]
    assert equities == sorted(equities, reverse=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_no_play_was_made_yet_is_told_in_the_language_of_the_page(language: str) -> None:
    with opened(TableHouse(SCENES[Phase.OPENING_ROLL](), RoomState.READY)) as hall:
        said = hall.player(Side.LIGHT).get(f"/api/v1/learn/last?language={language}")
    yet = catalogue(language).text("question", "no_play_yet")
    assert (said.status_code, said.json()["detail"]) == (404, yet)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_play_that_no_rule_allows_is_told_to_be_none(hall: Hall, language: str) -> None:
    browser = hall.player(Side.LIGHT)
    said = browser.post(
        f"/api/v1/learn/answer?language={language}", json={"xgid": THREE_ONE, "play": "8/4 6/5"}
    ).json()
    assert not said["legal"]
    assert said["reasons"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_no_play_is_told_in_the_language_of_the_page(hall: Hall, language: str) -> None:
    said = hall.player(Side.LIGHT).post(
        f"/api/v1/learn/answer?language={language}", json={"xgid": THREE_ONE, "play": "balra"}
    )
    unread = catalogue(language).text("question", "unread", play="balra")
    assert (said.status_code, said.json()["detail"]) == (422, unread)


@pytest.mark.parametrize(
    ("xgid", "play"),
    [
        ("no id at all", "8/5"),
        (THREE_ONE.replace(":31:", ":00:"), "8/5"),
        (THREE_ONE, "to the left"),
        (THREE_ONE, "5/2"),
    ],
)
def test_what_cannot_be_practised_is_refused_with_a_reason(hall: Hall, xgid: str, play: str) -> None:
    said = answer(hall.player(Side.LIGHT), play, xgid)
    assert said.status_code == 422
    assert said.json()["detail"]


def test_a_position_to_practise_is_drawn_with_its_roll(hall: Hall) -> None:
    place = hall.player(Side.DARK).get(f"/api/v1/learn/position?xgid={THREE_ONE}").json()
    assert (place["position"], place["side"], place["dice"]) == (START.compact(), "light", [3, 1])


def test_after_the_play_the_best_ones_are_shown(hall: Hall) -> None:
    said = hall.player(Side.LIGHT).get("/api/v1/learn/last").json()
    assert said["position"] == START.compact()
    assert said["played"]["text"] == "8/5 6/5"
    assert said["played"]["loss"] == 0


def test_the_mistakes_of_a_match_are_found_each_player_sees_his_own(tmp_path: Path) -> None:
    poor = after((24, 23), (24, 21))
    with Journal(tmp_path / "journal.db") as journal:
        log = MatchLog(journal, "1", noon)
        log.begin_match("Anna", "Béla", terms_of(5), Facts())
        log.begin_game(START, 0, 0)
        log.add(turn(0, Side.LIGHT, Roll.from_dice(3, 1), START, poor))
    house = TableHouse(SCENES[Phase.MATCH_OVER](), RoomState.OVER, folder=tmp_path)
    with opened(house) as hall:
        light, dark, director = hall.player(Side.LIGHT), hall.player(Side.DARK), hall.director()
        said = found(light)
        assert [(each["game"], each["ply"], each["player"]) for each in said["mistakes"]] == [(1, 0, "light")]
        assert said["mistakes"][0]["options"][0]["text"] == "8/5 6/5"
        assert found(dark)["mistakes"] == []
        assert len(found(director)["mistakes"]) == 1


def found(browser: Browser) -> dict[str, Any]:
    """The mistakes, when they have been found."""
    while True:
        said: dict[str, Any] = browser.get("/api/v1/learn/mistakes?match=m1").json()
        if said["state"] == "done":
            return said
        time.sleep(0.2)


@pytest.mark.parametrize(("end", "told"), [(GOOD, "8/5 6/5 (not confirmed)"), (WRONG, None)])
def test_a_play_that_nobody_confirmed_is_marked_so_and_is_not_called_illegal(
    end: Position, told: str | None
) -> None:
    house = lesson_house(moving=False)
    table = house.evening.table
    last = table.closings[-1]
    assert last.turn is not None
    doubted = replace(last.turn, legal=None, after=end, probability=0.6)
    house.evening.table = replace(table, closings=(*table.closings[:-1], replace(last, turn=doubted)))
    with opened(house) as hall:
        said = hall.player(Side.LIGHT).get("/api/v1/learn/last")
    assert said.status_code == (404 if told is None else 200)
    assert told is None or said.json()["played"]["text"] == told
