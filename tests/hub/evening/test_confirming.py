"""Players confirm results by phone: each with a PIN of his own, both of them, and nobody in their place."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.server.confirming import player_pins
from controller.hub.server.deeds import DeedSent, carry_out
from controller.hub.server.evening_api import TABLES_OF_CSV
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.rules import Side
from controller.tournament.tournament import Tournament
from controller.web.server.tries import TRIES
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.hub.hubs import until

NAMES = ("Anna Kovács", "Béla Szabó", "Mari Tamm", "Jüri <Saar>")


@dataclass
class Finished:
    """A hall in which the first match is over and waits to be confirmed."""

    running: DeskHall
    phone: httpx.Client
    director: httpx.Client
    match: int

    @property
    def evening(self) -> ClubEvening:
        return self.running.evening

    @property
    def tournament(self) -> Tournament:
        found = self.evening.tournament()
        assert found is not None
        return found

    def pins(self) -> list[str]:
        """Those of the two players, as the director's page has them."""
        told = self.director.get("/api/v1/evening").json()["tournament"]
        pin_of = {each["number"]: each["pin"] for each in told["players"]}
        return [pin_of[each] for each in self.tournament.states()[self.match].players]

    def confirm(self, pin: str) -> httpx.Response:
        return self.phone.post(f"/confirm/{self.match}", data={"pin": pin})

    def shown(self) -> dict[str, Any]:
        told = self.phone.get("/api/v1/evening").json()["tournament"]["rounds"]
        return next(each for part in told for each in part["matches"] if each["number"] == self.match)


@pytest.fixture
def finished(tmp_path: Path) -> Iterator[Finished]:
    with desk_hall(tmp_path, tables=2) as running:
        evening = running.evening
        carry_out(
            evening, DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=1, seed="6-1")
        )
        carry_out(evening, DeedSent(what="enter", players="\n".join(NAMES)))
        carry_out(evening, DeedSent(what="draw", by="Éva"))
        made = evening.tournament()
        assert made is not None
        running.hall.finish(made.tables[1], Side.LIGHT, 2)
        until(lambda: (now := evening.tournament()) is not None and now.is_unconfirmed(1))
        with (
            httpx.Client(base_url=running.address, trust_env=False) as phone,
            httpx.Client(base_url=running.address, trust_env=False) as director,
        ):
            assert director.post("/login", data={"pin": PIN}).status_code == 303
            yield Finished(running, phone, director, 1)


def test_a_result_is_confirmed_when_both_players_have_done_so(finished: Finished) -> None:
    first, second = finished.pins()
    assert finished.confirm(first).status_code == 303
    assert finished.tournament.is_unconfirmed(1)
    names = [finished.tournament.entries[each].name for each in finished.tournament.states()[1].players]
    assert finished.shown()["confirmed_by"] == names[:1]
    # Once more by the same player: nothing is written twice, and it is still the other one's turn.
    events = len(finished.running.events())
    assert finished.confirm(first).status_code == 303
    assert len(finished.running.events()) == events
    assert finished.confirm(second).status_code == 303
    assert not finished.tournament.is_unconfirmed(1)
    assert finished.shown()["confirmed_by"] == names
    log = finished.director.get("/api/v1/evening").json()["tournament"]["log"]
    assert [each["by"] for each in log[-2:]] == names
    exported = finished.phone.get("/api/v1/evening/export/json").json()["matches"][0]
    assert (exported["confirmed"], len(exported["confirmed_by"])) == (True, 2)


def test_each_table_of_the_tournament_is_a_file_with_a_name_of_its_own(finished: Finished) -> None:
    answers = [
        finished.phone.get("/api/v1/evening/export/csv", params={"table": table}) for table in TABLES_OF_CSV
    ]
    names = {each.headers["content-disposition"] for each in answers}
    assert names == {f'attachment; filename="tournament-{table}.csv"' for table in TABLES_OF_CSV}
    assert len({each.text for each in answers}) == len(TABLES_OF_CSV)


def test_nobody_else_confirms_a_result(finished: Finished) -> None:
    others = player_pins(b"another secret", finished.tournament).values()
    players = finished.tournament.states()[1].players
    pins = {
        each["number"]: each["pin"]
        for each in finished.director.get("/api/v1/evening").json()["tournament"]["players"]
    }
    stranger = next(pin for number, pin in pins.items() if number not in players)
    for wrong in (stranger, "", "12", next(each for each in others if each not in pins.values())):
        answer = finished.confirm(wrong)
        assert answer.status_code == 403
        assert "the PIN of neither player" in answer.text
    assert not finished.tournament.confirmed_by


def test_who_guesses_has_to_wait(finished: Finished) -> None:
    pins = finished.pins()
    wrong = next(f"{n:04d}" for n in range(10) if f"{n:04d}" not in pins)
    for _ in range(TRIES):
        assert finished.confirm(wrong).status_code == 403
    assert finished.confirm(pins[0]).status_code == 429
    assert not finished.tournament.confirmed_by
    # The director's own way in is another one, and stays open.
    assert finished.director.get("/player-pins").status_code == 200


def test_a_result_that_is_replaced_waits_for_both_again_or_for_nobody(finished: Finished) -> None:
    first, second = finished.pins()
    assert finished.confirm(first).status_code == 303
    finished.evening.report(1, (2, 5), "Éva")
    assert not finished.tournament.confirmed_by
    assert not finished.tournament.is_unconfirmed(1)
    assert finished.confirm(second).status_code == 303  # the page says that it is confirmed
    assert not finished.tournament.confirmed_by


def test_the_director_confirms_without_the_players(finished: Finished) -> None:
    assert finished.confirm(finished.pins()[0]).status_code == 303
    finished.evening.confirm(1, "Éva")
    assert not finished.tournament.is_unconfirmed(1)
    assert finished.shown()["confirmed_by"][-1] == "Éva"


def test_pins_are_for_the_director_alone(finished: Finished) -> None:
    assert "pin" not in finished.phone.get("/api/v1/evening").json()["tournament"]["players"][0]
    assert finished.phone.get("/player-pins").headers["location"] == "/login?next=/player-pins"
    page = finished.director.get("/player-pins").text
    assert all(pin in page for pin in finished.pins())
    assert "Jüri &lt;Saar&gt;" in page


def test_pins_differ_and_stay_when_others_enter(finished: Finished) -> None:
    before = player_pins(b"secret", finished.tournament)
    carry_out(finished.evening, DeedSent(what="enter", players="\n".join(f"Late {n}" for n in range(120))))
    after = player_pins(b"secret", finished.tournament)
    assert {number: after[number] for number in before} == before
    assert len({*after.values()}) == len(after) == 124
    assert all(len(pin) == 4 and pin.isdecimal() for pin in after.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_the_score_and_who_is_missing(finished: Finished, language: str) -> None:
    words = catalogue(language)
    page = finished.phone.get(f"/confirm/1?language={language}").text
    assert page.count(words.text("page", "confirm", "has_not")) == 2
    assert "<b>5</b>" in page
    assert "<b>2</b>" in page
    listed = finished.phone.get(f"/confirm?language={language}").text
    assert 'href="/confirm/1"' in listed
    assert 'href="/confirm/2"' not in listed


def test_a_match_that_is_not_over_says_so_and_takes_no_pin(finished: Finished) -> None:
    assert "This match is not over yet" in finished.phone.get("/confirm/2").text
    assert finished.phone.post("/confirm/2", data={"pin": "1234"}).status_code == 409
    assert finished.phone.get("/confirm/99").status_code == 404


def test_the_codes_lead_to_the_pages(finished: Finished) -> None:
    for path in ("/confirm/1/code.svg", "/confirm/code.svg"):
        answer = finished.phone.get(path)
        assert answer.headers["content-type"] == "image/svg+xml"
        assert answer.text.startswith("<?xml")


def test_without_a_tournament_nothing_waits(tmp_path: Path) -> None:
    with desk_hall(tmp_path, tables=1) as running, httpx.Client(base_url=running.address) as phone:
        assert "No result waits" in phone.get("/confirm").text
        assert phone.get("/confirm/1").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_director_without_a_name_did_bears_the_word_for_him(finished: Finished, language: str) -> None:
    log = finished.director.get(f"/api/v1/evening?language={language}").json()["tournament"]["log"]
    assert log[0]["by"] == catalogue(language).text("seal", "by", "director")
    assert "Éva" in {each["by"] for each in log}
