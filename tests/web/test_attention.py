"""What needs the director: what is listed, in which order, since when, and where each ruling leads."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from controller.messages.catalogue import LANGUAGES
from controller.messages.table_words import trouble_words
from controller.referee import Phase, Settings
from controller.referee.events import Disputed
from controller.rules import Position, Side
from controller.rules.profile.conduct import DeviceRole
from controller.rules.profile.profile import STANDARD
from controller.web.table_service import ClockShown, DeviceShown, Notice
from controller.web.wire.attention_kind import AttentionKind
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, WRONG
from tests.rows import each_row
from tests.web.browsers import Hall, opened
from tests.web.served_table import TableHouse

SILENT = replace(STANDARD, conduct=replace(STANDARD.conduct, device_role=DeviceRole.SILENT_RECORDER))
BROKEN = DeviceShown("camera", False, lambda language: f"No picture ({language}).")


def silent_house() -> TableHouse:
    """A table whose device tells nobody but the director of an illegal play."""
    evening = Evening(Settings(match_terms(SILENT), clock=True))
    evening.start()
    return TableHouse(evening)


def play_wrong(evening: Evening) -> None:
    evening.move(WRONG)
    evening.done()


def needs(hall: Hall) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = hall.director().state()["needs"]
    return found


def kinds(hall: Hall) -> list[str]:
    return [each["kind"] for each in needs(hall)]


@each_row(
    ("phase", "kind"),
    [
        (Phase.DISPUTE, "dispute"),
        (Phase.PUT_RIGHT, "illegal"),
        (Phase.TURN_ENDED, "unsure"),
        (Phase.MATCH_OVER, "result"),
        (Phase.TO_ROLL, None),
        (Phase.PAUSED, None),
        (Phase.CUBE_OFFERED, None),
    ],
)
def test_a_matter_comes_up_where_people_cannot_settle_it_alone(phase: Phase, kind: str | None) -> None:
    with opened(TableHouse(SCENES[phase]())) as hall:
        assert kinds(hall) == ([] if kind is None else [kind])


def test_only_the_director_has_matters_and_the_course_of_events() -> None:
    with opened(TableHouse(SCENES[Phase.DISPUTE]())) as hall:
        for browser in (hall.browser(), hall.player(Side.DARK)):
            state = browser.state()
            assert (state["needs"], state["course"]) == (None, None)


def test_an_illegal_play_that_the_players_may_not_know_of_is_told_to_the_director_alone() -> None:
    with opened(silent_house()) as hall:
        hall.house.play(play_wrong)
        (matter,) = needs(hall)
        assert (matter["kind"], matter["turn"]["legal"]) == ("illegal", False)
        assert (matter["before"], matter["after"]) == (
            hall.house.evening.table.closings[-1].turn.before.compact(),
            WRONG.compact(),
        )
        assert hall.player(Side.DARK).state()["plays"][0]["legal"]


def test_urgent_matters_come_first_and_then_the_oldest() -> None:
    house = TableHouse(SCENES[Phase.DISPUTE]())
    house.devices = (BROKEN,)
    house.clock = ClockShown({Side.LIGHT: 100.0, Side.DARK: 0.0}, 0.0, None, 1.0)
    with opened(house) as hall:
        assert kinds(hall) == ["dispute", "time", "device"]


def test_a_play_that_the_players_put_right_themselves_stands_last() -> None:
    house = TableHouse(SCENES[Phase.PUT_RIGHT]())
    house.devices = (BROKEN,)
    with opened(house) as hall:
        assert kinds(hall) == ["device", "illegal"]


def test_a_matter_keeps_the_time_at_which_it_came_up() -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    with opened(house) as hall:
        hall.director().state()
        hall.house.play(lambda evening: evening.tell(Disputed(evening.t)))
        first = needs(hall)[0]["since_ms"]
        house.say(lambda _: "Something else is told.")
        assert needs(hall)[0]["since_ms"] == first


def test_a_matter_that_is_closed_as_it_stands_is_closed_for_every_director_until_it_comes_up_again() -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    house.devices = (BROKEN,)
    with opened(house) as hall:
        one, other = hall.director(), hall.director()
        name = one.state()["needs"][0]["id"]
        assert one.post(f"/api/v1/needs/{name}/settle").json()["answer"] == "done"
        assert other.state()["needs"] == []
        house.devices = ()
        house.say()
        house.devices = (BROKEN,)
        house.say()
        assert len(other.state()["needs"]) == 1


def test_each_notice_of_the_electronics_is_a_matter_until_the_director_has_read_it() -> None:
    house = TableHouse(SCENES[Phase.TO_ROLL]())
    house.notices = tuple(Notice(f"notice-{n}", trouble_words("queue_full", n, "")) for n in (3, 5))
    with opened(house) as hall:
        director = hall.director()
        three, five = director.state()["needs"]
        assert ("3" in three["text"], "5" in five["text"]) == (True, True)
        assert director.post("/api/v1/needs/notice-3/settle").json()["answer"] == "done"
        assert [each["id"] for each in director.state()["needs"]] == ["notice-5"]


def test_a_matter_that_wants_a_ruling_cannot_be_closed_as_it_stands() -> None:
    with opened(TableHouse(SCENES[Phase.DISPUTE]())) as hall:
        name = needs(hall)[0]["id"]
        assert hall.director().post(f"/api/v1/needs/{name}/settle").status_code == 404
        assert kinds(hall) == ["dispute"]


def rulings(hall: Hall) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    return [(each, ruling) for each in needs(hall) for ruling in each["rulings"]]


MAKE: dict[str, Callable[[], TableHouse]] = {
    **{str(phase): lambda phase=phase: TableHouse(SCENES[phase]()) for phase in SCENES},
    "untold": silent_house,
}


@each_row("scene", MAKE)
def test_every_ruling_is_taken_and_leads_to_the_position_that_it_shows(scene: str) -> None:
    with opened(MAKE[scene]()) as hall:
        if scene == "untold":
            hall.house.play(play_wrong)
        count = len(rulings(hall))
    for number in range(count):
        with opened(MAKE[scene]()) as hall:
            if scene == "untold":
                hall.house.play(play_wrong)
            matter, ruling = rulings(hall)[number]
            if ruling["what"] == "settle":
                assert hall.director().post(f"/api/v1/needs/{matter['id']}/settle").status_code == 200
                continue
            answer = hall.director().say(ruling["what"], **ruling["keys"]).json()
            assert answer["answer"] == "done", (ruling, answer)
            assert all(by == "director" for _, by, _ in hall.house.asked)
            if ruling["what"] in ("ruling", "let_stand", "go_on"):
                table = hall.house.evening.table
                assert ruling["position"] in (
                    table.position.compact(),
                    table.target and table.target.compact(),
                )


def test_an_illegal_play_is_ruled_to_stand_to_be_the_nearest_legal_one_or_void() -> None:
    with opened(TableHouse(SCENES[Phase.PUT_RIGHT]())) as hall:
        (matter,) = needs(hall)
        positions = [ruling["position"] for ruling in matter["rulings"]]
        assert positions == [WRONG.compact(), GOOD.compact(), matter["before"]]


def test_a_ruling_on_a_table_that_has_moved_on_is_refused_and_what_happened_is_there_to_read() -> None:
    with opened(TableHouse(SCENES[Phase.PUT_RIGHT]())) as hall:
        one, other = hall.director(), hall.director()
        seen = one.get("/api/v1/state").json()
        assert other.say("let_stand").json()["answer"] == "done"
        late = one.say("let_stand", seen=seen["seq"], run=seen["run"]).json()
        assert late["answer"] == "stale"
        assert late["text"]
        assert one.state()["course"]
        assert [what["what"] for what, _, _ in hall.house.asked] == ["let_stand"]


@each_row("scene", ["dispute", "put_right", "turn_ended", "match_over", "untold"])
def test_matters_are_told_in_every_language(scene: str) -> None:
    with opened(MAKE[scene]()) as hall:
        browser = hall.director()
        if scene == "untold":
            hall.house.play(play_wrong)
        told = [
            browser.get(f"/api/v1/state?language={each}").json()["state"]["needs"][0] for each in LANGUAGES
        ]
        assert len({matter["heading"] for matter in told}) == len(LANGUAGES)
        for matter in told:
            assert AttentionKind(matter["kind"])
            assert all(ruling["text"] and ruling["sure"] for ruling in matter["rulings"])


def test_positions_of_rulings_are_whole_positions() -> None:
    with opened(TableHouse(SCENES[Phase.PUT_RIGHT]())) as hall:
        for _, ruling in rulings(hall):
            assert Position.from_compact(ruling["position"]).pips(Side.LIGHT)
