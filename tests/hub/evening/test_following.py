"""Many pages follow the tournament: what they are told is made once for all, and so many may follow and no more."""

import contextlib
import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES
from tests.hub.desk_hall import PIN, DeskHall, desk_hall

PAGES = 20
PATIENCE_S = 60.0


@pytest.fixture
def running(tmp_path: Path) -> Iterator[DeskHall]:
    with desk_hall(tmp_path, tables=2) as found:
        evening = found.evening
        begin = DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=1, seed="6-1")
        carry_out(evening, begin)
        carry_out(evening, DeedSent(what="enter", players="Anna\nBruno\nMari\nJüri"))
        yield found


def follow(running: DeskHall, language: str = "en", cookie: str = "") -> ClientConnection:
    address = f"{running.address.replace('http', 'ws')}/api/v1/evening/live?language={language}"
    return connect(address, additional_headers={"Cookie": cookie} if cookie else None)


@contextmanager
def logged_in(running: DeskHall) -> Iterator[tuple[httpx.Client, str]]:
    """A director's browser, and the cookie of it."""
    with httpx.Client(base_url=running.address) as client:
        assert client.post("/login", data={"pin": PIN}).status_code == 303
        yield client, f"pointsman={client.cookies['pointsman']}"


def hear(page: ClientConnection) -> dict[str, Any]:
    """The next thing that the page is told about the tournament."""
    while True:
        told: dict[str, Any] = json.loads(page.recv(timeout=PATIENCE_S))
        if told["kind"] == "evening":
            return told


def players(told: dict[str, Any]) -> list[str]:
    return [each["name"] for each in told["tournament"]["players"]]


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """When the whole evening was reckoned for pages that follow it."""
    times: list[float] = []
    unconfirmed = ClubEvening.unconfirmed

    def count(evening: ClubEvening) -> frozenset[str]:
        times.append(time.monotonic())
        return unconfirmed(evening)

    monkeypatch.setattr(ClubEvening, "unconfirmed", count)
    return times


def test_many_pages_cost_no_more_than_one(running: DeskHall, made: list[float]) -> None:
    with ExitStack() as stack:
        pages = [stack.enter_context(follow(running)) for _ in range(PAGES)]
        for page in pages:
            assert len(players(hear(page))) == 4
        made.clear()
        began = time.monotonic()
        time.sleep(2.0)
        took = time.monotonic() - began
        # Twice a second, once for all who see the same in the same language.
        assert len(made) <= 2 * took + 2
        carry_out(running.evening, DeedSent(what="enter", players="Éva"))
        for page in pages:
            assert "Éva" in players(hear(page))


def test_pages_are_told_what_time_it_is_at_the_hub(running: DeskHall) -> None:
    """The clock of the device that shows them may be another one."""
    with follow(running) as page:
        told = {"kind": ""}
        while told["kind"] != "beat":
            told = json.loads(page.recv(timeout=PATIENCE_S))
    assert told["at_ms"] == running.evening.now_ms()


def test_each_page_is_told_in_its_language_and_by_its_right(running: DeskHall) -> None:
    with logged_in(running) as (_, cookie), ExitStack() as stack:
        for language in LANGUAGES:
            asked = httpx.get(f"{running.address}/api/v1/evening?language={language}").json()
            told = hear(stack.enter_context(follow(running, language)))
            assert told["tournament"] == asked["tournament"]
            assert "order" not in told
            director = hear(stack.enter_context(follow(running, language, cookie)))
            assert "order" in director
            assert all("pin" in each for each in director["tournament"]["players"])


def test_a_page_that_comes_later_is_told_at_once_and_a_quiet_one_hears_that_the_hub_is_there(
    running: DeskHall,
) -> None:
    with follow(running) as first:
        hear(first)
        with follow(running) as second:
            assert players(hear(second))
            assert json.loads(second.recv(timeout=PATIENCE_S))["kind"] == "beat"
        assert json.loads(first.recv(timeout=PATIENCE_S))["kind"] == "beat"


def test_no_more_pages_follow_than_there_may(running: DeskHall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("controller.hub.server.evening_live.MOST", 3)
    with ExitStack() as stack:
        pages = [stack.enter_context(follow(running)) for _ in range(3)]
        for page in pages:
            hear(page)
        with pytest.raises((InvalidStatus, ConnectionClosed)), follow(running) as refused:
            hear(refused)
        pages[0].close()
        end = time.monotonic() + PATIENCE_S
        while not gets_in(running):
            assert time.monotonic() < end


def gets_in(running: DeskHall) -> bool:
    try:
        with follow(running) as page:
            return bool(players(hear(page)))
    except (InvalidStatus, ConnectionClosed):
        return False


def test_a_page_that_was_logged_out_hears_no_word_more_of_what_the_director_sees(running: DeskHall) -> None:
    with logged_in(running) as (client, cookie), follow(running, cookie=cookie) as page:
        hear(page)
        client.post("/logout")
        carry_out(running.evening, DeedSent(what="enter", players="Éva"))
        assert "Éva" not in rest(page)


def test_a_page_that_was_logged_out_hears_no_word_more_of_the_hall(running: DeskHall) -> None:
    hall = running.address.replace("http", "ws") + "/api/v1/hall"
    with (
        logged_in(running) as (client, cookie),
        connect(hall, additional_headers={"Cookie": cookie}) as page,
    ):
        assert json.loads(page.recv(timeout=PATIENCE_S))["kind"] == "hall"
        client.post("/logout")
        running.hall.change(running.hall.tables()[0].name, title="Another title")
        assert "Another title" not in rest(page)


def rest(page: ClientConnection) -> str:
    """Everything that a page is told until it is sent away."""
    told: list[str] = []
    with contextlib.suppress(ConnectionClosed):
        while True:
            told.append(str(page.recv(timeout=PATIENCE_S)))
    return "\n".join(told)


def test_a_tournament_whose_file_cannot_be_read_is_told_to_the_director(running: DeskHall) -> None:
    with logged_in(running) as (_, cookie), follow(running, cookie=cookie) as page:
        hear(page)
        running.evening.path.write_text("no tournament\n")
        told = hear(page)
        assert told["tournament"] is None
        assert "tournament.jsonl" in told["trouble"]
