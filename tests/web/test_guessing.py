"""Guessing PINs over the network: many requests at once get no more tries than one after the other."""

import httpx
import pytest

from controller.referee import Phase
from controller.rules import Side
from controller.web.server.access import hash_pin
from controller.web.server.tries import TRIES
from controller.web.settings import WebSettings
from tests.referee.table.scenes import SCENES
from tests.web.at_once import Form, post_at_once
from tests.web.browsers import HALL, PIN, SEAT, SETTINGS, TABLE, Browser, Hall, opened
from tests.web.served_table import TableHouse

GUESSES = 60
OTHER = "192.168.7.21"
# As slow as that of a real table: while one is looked at, all others have come.
SLOW = WebSettings(director_hash=hash_pin(PIN), secret=SETTINGS.secret)
WITHOUT_DIRECTOR = WebSettings(secret=SETTINGS.secret)


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


def guess(pin: str, seat: str = HALL, **headers: str) -> Form:
    return Form("/login", {"pin": pin}, headers={SEAT: seat, **headers})


def wrong_pin(hall: Hall) -> str:
    """Four digits that are nobody's."""
    right = {hall.site.access.pin_of("m1", side) for side in Side}
    return next(f"{n:04d}" for n in range(3) if f"{n:04d}" not in right)


def log_in(browser: Browser, pin: str) -> httpx.Response:
    return browser.post("/login", data={"pin": pin})


@pytest.mark.parametrize("pin", ["000000", "0000000000"])
def test_many_directors_pins_sent_at_once_are_no_more_tries_than_one_after_the_other(pin: str) -> None:
    with opened(house(), SLOW) as hall:
        statuses = post_at_once(hall.server.port, [guess(pin) for _ in range(GUESSES)])
        assert (statuses.count(403), statuses.count(429)) == (TRIES, GUESSES - TRIES)


def test_who_guesses_shuts_nobody_else_out() -> None:
    with opened(house(), SLOW) as hall:
        post_at_once(hall.server.port, [guess("000000") for _ in range(GUESSES)])
        assert log_in(hall.browser(HALL), PIN).status_code == 429
        assert log_in(hall.browser(OTHER), PIN).status_code == 303
        assert log_in(hall.browser(TABLE), PIN).status_code == 303


def test_right_pins_sent_at_once_let_everybody_in() -> None:
    with opened(house(), SLOW) as hall:
        pins = [hall.site.access.pin_of("m1", side) for side in Side]
        statuses = post_at_once(hall.server.port, [guess(pin) for pin in pins * 2])
        assert statuses == [303] * 4
        assert log_in(hall.browser(HALL), PIN).status_code == 303


def test_players_pins_of_a_table_without_a_directors_pin_are_counted() -> None:
    with opened(house(), WITHOUT_DIRECTOR) as hall:
        browser, wrong = hall.browser(), wrong_pin(hall)
        assert [log_in(browser, wrong).status_code for _ in range(TRIES + 3)] == [403] * TRIES + [429] * 3
        right = hall.site.access.pin_of("m1", Side.DARK)
        assert log_in(browser, right).status_code == 429
        assert log_in(hall.browser(OTHER), right).status_code == 303


def test_behind_a_program_in_front_each_address_has_tries_of_its_own() -> None:
    with opened(house(), SLOW) as hall:
        # As a program in front adds the address that it sees to whatever the sender has claimed before.
        guesses = [guess("000000", TABLE, **{"X-Forwarded-For": f"10.0.0.{n}, {HALL}"}) for n in range(20)]
        assert post_at_once(hall.server.port, guesses).count(403) == TRIES
        again = guess(PIN, TABLE, **{"X-Forwarded-For": HALL})
        other = guess(PIN, TABLE, **{"X-Forwarded-For": OTHER})
        assert post_at_once(hall.server.port, [again, other]) == [429, 303]


def test_an_address_that_somebody_claims_who_is_not_in_front_counts_for_nothing() -> None:
    with opened(house(), SLOW) as hall:
        guesses = [guess("000000", HALL, **{"X-Forwarded-For": f"10.0.0.{n}"}) for n in range(20)]
        assert post_at_once(hall.server.port, guesses).count(403) == TRIES


def test_a_directors_device_gets_in_from_an_address_that_somebody_guesses_from() -> None:
    with opened(house(), SLOW) as hall:
        known = hall.director()
        known.post("/logout")
        post_at_once(hall.server.port, [guess("000000") for _ in range(GUESSES)])
        assert log_in(hall.browser(HALL), PIN).status_code == 429
        assert log_in(known, PIN).status_code == 303


def test_a_directors_device_has_no_more_tries_than_others() -> None:
    with opened(house(), SLOW) as hall:
        known = hall.director()
        statuses = [log_in(known, "000000").status_code for _ in range(2 * TRIES + 2)]
        # First those of the device, then those of its address, as if it were not known.
        assert statuses == [403] * 2 * TRIES + [429] * 2


def test_who_logs_in_again_and_again_throws_nobody_out() -> None:
    with opened(house()) as hall:
        director, player = hall.director(), hall.player(Side.DARK)
        browser, right = hall.browser(), hall.site.access.pin_of("m1", Side.LIGHT)
        for _ in range(300):
            assert log_in(browser, right).status_code == 303
        assert director.state()["viewer"]["role"] == "director"
        assert player.state()["viewer"] == {"role": "player", "side": "dark"}
