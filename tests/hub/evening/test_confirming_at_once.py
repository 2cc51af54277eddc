"""Guessing the PINs of players and of the hub's director over the network, many at once."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest

from controller.hub.server.deeds import DeedSent, carry_out
from controller.rules import Side
from controller.web.server.tries import TRIES
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.hub.hubs import until
from tests.web.at_once import Form, post_at_once

GUESSES = 60
STRANGER, PLAYER = "127.0.0.2", "127.0.0.3"
"""Two other computers: as far as the server sees, whatever comes from another address does."""


@dataclass
class Waiting:
    """A hall where the first match waits to be confirmed."""

    running: DeskHall
    pins: list[str]

    @property
    def port(self) -> int:
        return urlsplit(self.running.address).port or 0

    def wrong(self) -> str:
        return next(f"{n:04d}" for n in range(3) if f"{n:04d}" not in self.pins)

    def guess(self, times: int = GUESSES, source: str = STRANGER) -> list[int]:
        wrong = {"pin": self.wrong()}
        return post_at_once(self.port, [Form("/confirm/1", wrong, source) for _ in range(times)])

    def phone(self, source: str) -> httpx.Client:
        transport = httpx.HTTPTransport(local_address=source)
        return httpx.Client(base_url=self.running.address, transport=transport)

    def is_confirmed(self) -> bool:
        made = self.running.evening.tournament()
        assert made is not None
        return not made.is_unconfirmed(1)


@pytest.fixture
def waiting(tmp_path: Path) -> Iterator[Waiting]:
    with desk_hall(tmp_path, tables=1) as running:
        evening = running.evening
        begin = DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=1, seed="6-1")
        carry_out(evening, begin)
        carry_out(evening, DeedSent(what="enter", players="Anna\nBruno"))
        carry_out(evening, DeedSent(what="draw", by="Éva"))
        made = evening.tournament()
        assert made is not None
        running.hall.finish(made.tables[1], Side.LIGHT, 2)
        until(lambda: (now := evening.tournament()) is not None and now.is_unconfirmed(1))
        with httpx.Client(base_url=running.address) as director:
            assert director.post("/login", data={"pin": PIN}).status_code == 303
            told = director.get("/api/v1/evening").json()["tournament"]
        yield Waiting(running, [each["pin"] for each in told["players"]])


def test_many_players_pins_sent_at_once_are_no_more_tries_than_one_after_the_other(
    waiting: Waiting,
) -> None:
    statuses = waiting.guess()
    assert (statuses.count(403), statuses.count(429)) == (TRIES, GUESSES - TRIES)


def test_who_guesses_keeps_no_player_from_confirming(waiting: Waiting) -> None:
    waiting.guess()
    with waiting.phone(STRANGER) as stranger, waiting.phone(PLAYER) as player:
        assert stranger.post("/confirm/1", data={"pin": waiting.pins[0]}).status_code == 429
        for pin in waiting.pins:
            assert player.post("/confirm/1", data={"pin": pin}).status_code == 303
    assert waiting.is_confirmed()


def test_a_phone_that_has_confirmed_does_so_from_an_address_that_somebody_guesses_from(
    waiting: Waiting,
) -> None:
    one, other = waiting.pins
    with waiting.phone(STRANGER) as known:
        assert known.post("/confirm/1", data={"pin": one}).status_code == 303
        waiting.running.evening.report(1, (2, 5), "Éva")
        waiting.running.evening.undo(len(waiting.running.events()), "Éva")
        waiting.guess()
        assert known.post("/confirm/1", data={"pin": one}).status_code == 303
        # It is known as that of one player, and gets no more tries at the other's PIN.
        assert known.post("/confirm/1", data={"pin": other}).status_code == 429
        known.cookies.clear()
        assert known.post("/confirm/1", data={"pin": one}).status_code == 429
    assert not waiting.is_confirmed()


def test_asking_about_a_match_that_is_not_over_uses_up_no_tries(waiting: Waiting) -> None:
    confirmed = Form("/confirm/7", {"pin": "1234"}, STRANGER)
    assert post_at_once(waiting.port, [confirmed] * (2 * TRIES)) == [404] * (2 * TRIES)
    with waiting.phone(STRANGER) as phone:
        assert phone.post("/confirm/1", data={"pin": waiting.pins[0]}).status_code == 303


def test_many_directors_pins_sent_at_once_to_the_hub_are_few_tries_and_shut_nobody_out(
    tmp_path: Path,
) -> None:
    with desk_hall(tmp_path, tables=1) as running:
        port = urlsplit(running.address).port or 0
        with httpx.Client(base_url=running.address) as here:
            assert here.post("/login", data={"pin": PIN}).status_code == 303

        def form(pin: str, address: str) -> Form:
            return Form("/login", {"pin": pin}, headers={"X-Forwarded-For": address})

        statuses = post_at_once(port, [form("000000", "192.168.7.20") for _ in range(GUESSES)])
        assert (statuses.count(403), statuses.count(429)) == (TRIES, GUESSES - TRIES)
        assert post_at_once(port, [form(PIN, "192.168.7.20"), form(PIN, "192.168.7.21")]) == [429, 303]
