"""The server as a browser meets it: state, live channel, commands."""

import json
from collections.abc import Callable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection

from controller.devices import Button
from controller.record.journal.journal import Json
from controller.referee import Phase
from controller.rules import Side
from controller.web.table_service import Reply, StillHolds
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG
from tests.rows import each_row
from tests.web.browsers import TABLE, opened
from tests.web.served_table import TableHouse


def heard(live: ClientConnection) -> dict[str, Any]:
    message: dict[str, Any] = json.loads(live.recv(timeout=30))
    return message


def house(phase: Phase = Phase.TO_ROLL) -> TableHouse:
    return TableHouse(SCENES[phase]())


def test_the_state_of_a_table_is_a_snapshot_of_the_live_channel() -> None:
    with opened(house()) as hall:
        content = hall.browser().get("/api/v1/state").json()
        assert content["kind"] == "snapshot"
        assert content["state"]["phase"] == "to_roll"
        assert content["state"]["headline"] == "Béla to roll"
        with hall.browser().follow() as live:
            assert heard(live)["state"] == content["state"]


def test_what_happens_at_the_table_reaches_every_page_with_all_that_changed() -> None:
    with opened(house(Phase.MOVING)) as hall, hall.browser().follow() as live:
        state = heard(live)["state"]
        hall.house.play(lambda evening: (evening.move(GOOD), evening.done()))
        message = heard(live)
        state |= message["set"]
        assert message["kind"] == "turn"
        assert (message["move"], message["legal"], message["replaces"]) == ("8/5 6/5", True, False)
        assert [(step["from"], step["to"]) for step in message["steps"]] == [(8, 5), (6, 5)]
        assert state["position"] == GOOD.compact()
        assert state["plays"][0]["move"] == "8/5 6/5"
        assert state == hall.browser().get("/api/v1/state").json()["state"]


def test_a_page_that_comes_back_gets_what_it_missed_and_nothing_twice() -> None:
    with opened(house(Phase.MOVING)) as hall:
        client = hall.browser()
        with client.follow() as live:
            first = heard(live)
            state, seq, run = first["state"], first["seq"], first["run"]
        hall.house.play(lambda evening: (evening.move(GOOD), evening.done()))
        now = client.get("/api/v1/state").json()
        with client.follow(f"?run={run}&seq={seq}") as live:
            while seq < now["seq"]:
                message = heard(live)
                assert message["seq"] == seq + 1
                seq, state = message["seq"], state | message["set"]
        assert state == now["state"]


@pytest.mark.parametrize("query", ["run=other&seq=0", "seq=0", "run=&seq=x", "run={run}&seq=99"])
def test_a_page_of_another_start_of_the_program_gets_a_snapshot(query: str) -> None:
    with opened(house()) as hall:
        run = hall.browser().get("/api/v1/state").json()["run"]
        with hall.browser().follow("?" + query.format(run=run)) as live:
            assert heard(live)["kind"] == "snapshot"


def test_a_player_does_by_a_command_what_the_buttons_offer() -> None:
    with opened(house(Phase.CUBE_OFFERED)) as hall:
        anna = hall.player(Side.LIGHT)
        offered = anna.get("/api/v1/state").json()["state"]["allowed"]
        take = next(each for each in offered if each["what"] == "take")
        answer = anna.say("take", **take["keys"]).json()
        assert answer["answer"] == "done"
        assert hall.house.asked[-1][1] == "light"
        assert hall.browser().get("/api/v1/state").json()["state"]["cube"] == {
            "value": 2, "face": 2, "owner": "light", "in_play": True, "offer": None,
        }  # fmt: skip


def test_no_button_that_is_offered_is_refused() -> None:
    with opened(house()) as hall:
        clients = [hall.player(Side.LIGHT), hall.player(Side.DARK), hall.browser(TABLE), hall.director()]
        for phase, client in product(Phase, clients):
            hall.house.stage(SCENES[phase]())
            for choice in client.state()["allowed"]:
                if choice["needs"] is None:
                    hall.house.stage(SCENES[phase]())
                    answer = client.say(choice["what"], **choice["keys"])
                    assert answer.json().get("answer") == "done", (phase, choice, answer.json())


def test_a_play_is_entered_in_the_players_own_notation() -> None:
    with opened(house(Phase.MOVING)) as hall:
        anna = hall.player(Side.LIGHT)
        answer = anna.say("played", side="light", play="8/5 6/5")
        assert answer.json()["answer"] == "done"
        assert hall.house.evening.table.position == GOOD


def test_the_same_command_sent_again_is_done_once_and_answered_alike() -> None:
    with opened(house()) as hall:
        said = {"id": "12345678-a", "what": "double", "side": "dark"}
        client = hall.player(Side.DARK)
        answers = [client.post("/api/v1/commands", json=said).json() for _ in range(3)]
        assert [answer["answer"] for answer in answers] == ["done"] * 3
        assert len(hall.house.asked) == 1
        assert answers[0] == answers[1] == answers[2]


def test_of_two_directors_who_rule_at_once_the_second_is_told_that_something_happened() -> None:
    with opened(house(Phase.DISPUTE)) as hall:
        one, other = hall.director(), hall.director()
        seen = one.get("/api/v1/state").json()["seq"]
        ruling = {"position": GOOD.compact(), "on_roll": "dark", "seen": seen}
        first = one.say("ruling", **ruling).json()
        second = other.say("ruling", **ruling).json()
        assert (first["answer"], second["answer"]) == ("done", "stale")
        again = other.get("/api/v1/state").json()["seq"]
        ruling["seen"] = again
        assert other.say("ruling", **ruling).json()["answer"] == "done"


@dataclass
class BusyHouse(TableHouse):
    """A table that is busy until two have asked: both have seen the same by then."""

    waiting: list[tuple["Future[Reply]", Callable[[], "Future[Reply]"]]] = field(default_factory=list)

    def ask(
        self, saying: Mapping[str, Json], by: str, command: str = "", holds: StillHolds | None = None
    ) -> "Future[Reply]":
        answer: Future[Reply] = Future()
        self.waiting.append((answer, partial(super().ask, saying, by, command, holds)))
        if len(self.waiting) == 2:
            for each, do in self.waiting:
                each.set_result(do().result())
        return answer


def test_of_two_phones_that_enter_a_roll_at_one_moment_one_is_told_that_it_is_late() -> None:
    with opened(BusyHouse(SCENES[Phase.OPENING_ROLL]())) as hall, ThreadPoolExecutor(2) as people:
        phones = [hall.browser(TABLE), hall.browser(TABLE)]
        seen = phones[0].get("/api/v1/state").json()["seq"]
        rolls = [{"light": 3, "dark": 1, "seen": seen}, {"light": 5, "dark": 2, "seen": seen}]
        said = [
            people.submit(each.say, "opening_roll", **roll) for each, roll in zip(phones, rolls, strict=True)
        ]
        found = [each.result().json() for each in said]
        state = phones[0].get("/api/v1/state").json()["state"]
    assert sorted(each["answer"] for each in found) == ["done", "stale"]
    late = next(each for each in found if each["answer"] == "stale")
    assert late["text"] == "Something has happened meanwhile. Please look again."
    assert (state["phase"], state["question"]) == ("moving", None)


def test_a_refused_command_says_why_in_the_language_of_the_page() -> None:
    with opened(house(Phase.MOVING)) as hall:
        answer = (
            hall.player(Side.LIGHT)
            .post("/api/v1/commands?language=hu", json={"id": "12345678", "what": "accept"})
            .json()
        )
        assert answer["answer"] == "refused"
        assert answer["text"]


def test_a_table_that_does_not_answer_is_said_to_be_slow_and_the_command_stays_one() -> None:
    of = house()
    of.answers = False
    with opened(of) as hall:
        client, said = hall.player(Side.DARK), {"id": "12345678-a", "what": "double", "side": "dark"}
        assert client.post("/api/v1/commands", json=said).status_code == 503
        assert client.post("/api/v1/commands", json=said).status_code == 503
        assert len(of.asked) == 1


@each_row(
    "wrong",
    [
        {"what": "double"},
        {"id": "12345678", "what": "dance"},
        {"id": "12345678", "what": "roll", "side": "dark", "dice": [7, 1]},
        {"id": "12345678", "what": "played", "side": "dark", "play": "6/7"},
        {"id": "12345678", "what": "played", "side": "dark", "play": "3/1"},
        {"id": "12345678", "what": "double", "side": "dark", "colour": "red"},
        {"id": "12345678", "what": "pressed", "button": "bell"},
    ],
)
def test_a_command_that_cannot_be_one_is_refused_with_a_sentence(wrong: dict[str, object]) -> None:
    with opened(house()) as hall:
        answer = hall.player(Side.DARK).post("/api/v1/commands", json=wrong)
        assert answer.status_code == 422
        assert answer.json()["detail"]
        assert not hall.house.asked


def test_pages_speak_the_language_that_is_asked_for() -> None:
    with opened(house()) as hall:
        client = hall.browser()
        by_browser = client.get("/api/v1/state", headers={"accept-language": "fr, sk;q=0.8, en;q=0.2"})
        assert by_browser.json()["state"]["headline"] == "Hádže Béla"
        client.get("/login?language=et")
        assert client.get("/api/v1/state").json()["state"]["headline"] == "Béla veeretab"


def test_names_with_markup_stand_in_pages_as_text() -> None:
    of = TableHouse(SCENES[Phase.TO_ROLL](), names={Side.LIGHT: "</script><b>A", Side.DARK: "{{7*7}}"})
    with opened(of) as hall:
        for path in ("/login?next=%22%3E%3Cscript%3E", "/login"):
            assert "<script>" not in hall.browser().get(path).text
        assert hall.browser().get("/api/v1/state").headers["content-type"] == "application/json"


def test_the_illegal_play_is_flagged_for_those_who_may_know_and_asks_for_its_correction() -> None:
    with opened(house(Phase.MOVING)) as hall, hall.browser().follow() as live:
        heard(live)
        hall.house.play(lambda evening: (evening.move(WRONG), evening.press(Button.CLOCK_LIGHT)))
        message = heard(live)
        assert message["kind"] == "flagged"
        question = message["set"]["question"]
        assert (question["kind"], question["asks"], question["tone"]) == ("illegal", "light", "warn")
        assert question["position"] == WRONG.compact()
        assert question["moves"] == [
            {"side": "light", "from": 4, "to": 8},
            {"side": "light", "from": 5, "to": 6},
        ]


def test_a_hall_is_a_folder_for_nothing(tmp_path: Path) -> None:
    of = house()
    of.folder = tmp_path
    with opened(of) as hall:
        assert hall.director().get("/api/v1/matches/m1/plies").status_code == 409
        assert hall.director().get("/api/v1/matches/other/plies").status_code == 404
