"""PINs, cookies and where requests come from."""

import asyncio

import pytest
from itsdangerous import URLSafeTimedSerializer
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.referee import Phase
from controller.rules import Side
from controller.web.server.access import (
    COOKIE,
    Access,
    LoginResult,
    hash_pin,
    is_loopback,
    is_own_host,
)
from controller.web.server.devices import DeviceCookies
from controller.web.server.tries import COUNTED_S, LONGEST_LINE_S, LONGEST_WAIT_S, TRIES, WAIT_S
from controller.web.settings import WebSettings
from controller.web.table_service import Role
from tests.referee.table.scenes import SCENES
from tests.rows import each_row
from tests.web.browsers import HASH, PIN, SETTINGS, TABLE, opened
from tests.web.served_table import TableHouse


def house() -> TableHouse:
    return TableHouse(SCENES[Phase.TO_ROLL]())


class Hours:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.t = 0.0

    def __call__(self) -> float:
        return self.t

    async def pass_by(self, seconds: float) -> None:
        self.t += seconds


def new_access(clock: Hours | None = None, director_hash: str = HASH, secret: bytes = b"s" * 32) -> Access:
    kept: list[str] = []
    hours = clock or Hours()
    return Access(secret, Role.PLAYER, director_hash, kept.append, hours, hours.pass_by)


def enter(access: Access, pin: str, match: str, address: str, *, loopback: bool) -> tuple[LoginResult, str]:
    entry = asyncio.run(access.log_in(pin, match, address, loopback=loopback))
    return entry.result, entry.session


def test_a_pin_lets_each_in_as_whom_it_is_for() -> None:
    access = new_access()
    for side in Side:
        result, cookie = enter(access, access.pin_of("m", side), "m", "hall", loopback=False)
        assert result is LoginResult.DONE
        person = access.who(cookie, "m", loopback=False)
        assert (person.role, person.side) == (Role.PLAYER, side)
    _, cookie = enter(access, PIN, "m", "hall", loopback=False)
    assert access.who(cookie, "m", loopback=False).role is Role.DIRECTOR


def test_after_a_restart_players_are_known_and_the_director_is_asked_again() -> None:
    before = new_access()
    _, dark = enter(before, before.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    _, director = enter(before, PIN, "m", "hall", loopback=False)
    after = new_access()
    assert after.who(dark, "m", loopback=False).side is Side.DARK
    assert after.who(director, "m", loopback=False).role is Role.VIEWER
    assert new_access(secret=b"o" * 32).who(dark, "m", loopback=False).role is Role.VIEWER


HALF_A_DAY_S, FIFTY_YEARS_S = 12 * 3600.0, 50 * 365.25 * 86_400
NOW_S = 1_790_000_000.0
"""A time of day in 2026."""


@pytest.mark.parametrize("from_s", [0.0, NOW_S - FIFTY_YEARS_S, NOW_S - 3600.0, NOW_S + 1.0, NOW_S + 3600.0])
def test_who_is_logged_in_stays_so_when_the_clock_of_the_table_is_set(
    monkeypatch: pytest.MonkeyPatch, from_s: float
) -> None:
    access = new_access()
    monkeypatch.setattr("time.time", lambda: from_s)
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    _, hers = enter(access, PIN, "m", "hall", loopback=False)
    monkeypatch.setattr("time.time", lambda: NOW_S)
    assert access.who(cookie, "m", loopback=False).side is Side.DARK
    assert access.who(hers, "m", loopback=False).role is Role.DIRECTOR


def test_who_is_logged_in_stays_so_for_half_a_day_whatever_the_clock_of_the_table_says() -> None:
    hours = Hours()
    access = new_access(hours)
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    _, hers = enter(access, PIN, "m", "hall", loopback=False)
    session = access.who(hers, "m", loopback=False).session
    hours.t = HALF_A_DAY_S - 1
    assert access.who(cookie, "m", loopback=False).side is Side.DARK
    assert access.who(hers, "m", loopback=False).role is Role.DIRECTOR
    hours.t = HALF_A_DAY_S + 1
    assert not access.is_open(session, "m")
    assert access.who(cookie, "m", loopback=False).role is Role.VIEWER
    assert access.who(hers, "m", loopback=False).role is Role.VIEWER


@pytest.mark.parametrize("from_s", [0.0, NOW_S - 3600.0, NOW_S + 3600.0])
def test_players_are_known_after_a_power_cut_that_set_the_clock_back(
    monkeypatch: pytest.MonkeyPatch, from_s: float
) -> None:
    before, after = new_access(), new_access()
    monkeypatch.setattr("time.time", lambda: from_s)
    _, cookie = enter(before, before.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    monkeypatch.setattr("time.time", lambda: NOW_S)
    assert after.who(cookie, "m", loopback=False).side is Side.DARK


def test_a_cookie_of_the_day_before_opens_nothing_after_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = new_access(), new_access()
    monkeypatch.setattr("time.time", lambda: NOW_S - 86_400)
    _, cookie = enter(before, before.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    monkeypatch.setattr("time.time", lambda: NOW_S)
    assert after.who(cookie, "m", loopback=False).role is Role.VIEWER


def test_a_device_is_known_again_when_the_clock_was_set(monkeypatch: pytest.MonkeyPatch) -> None:
    devices = DeviceCookies(b"s" * 32)
    monkeypatch.setattr("time.time", lambda: NOW_S)
    cookie = devices.make("director")
    for now_s, known in ((NOW_S - 3600, True), (NOW_S + 86_400, True), (NOW_S + 400 * 86_400, False)):
        monkeypatch.setattr("time.time", lambda now_s=now_s: now_s)
        assert bool(devices.find(cookie, "director")) is known


def test_a_player_of_one_match_is_a_spectator_of_the_next() -> None:
    access = new_access()
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    assert access.who(cookie, "n", loopback=False).role is Role.VIEWER


def test_what_a_page_follows_ends_with_the_match_of_its_player_and_the_directors_goes_on() -> None:
    access = new_access()
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    _, hers = enter(access, PIN, "m", "hall", loopback=False)
    player, director = (access.who(each, "m", loopback=False).session for each in (cookie, hers))
    assert access.is_open(player, "m")
    assert not access.is_open(player, "n")
    assert not access.is_open(player, "")
    assert access.is_open(director, "n")
    assert access.is_open("", "n"), "nobody's goes on"


def test_another_pin_of_the_director_ends_what_was_opened_with_the_old_one_and_players_stay() -> None:
    access = new_access()
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    _, hers = enter(access, PIN, "m", "hall", loopback=False)
    session = access.who(hers, "m", loopback=False).session
    access.take_director(HASH)
    assert access.who(hers, "m", loopback=False).role is Role.DIRECTOR, "the same PIN is no other"
    access.take_director(hash_pin("13572468"))
    assert access.who(hers, "m", loopback=False).role is Role.VIEWER
    assert not access.is_open(session, "m")
    assert access.who(cookie, "m", loopback=False).side is Side.DARK


def test_another_pin_that_was_chosen_at_the_machine_ends_it_from_that_moment() -> None:
    """Nobody has to log in for that: `pointsman pin` is for whoever lost the old PIN to somebody."""
    kept, access = [HASH], new_access()
    access.find = lambda: kept[0]
    _, hers = enter(access, PIN, "m", "hall", loopback=False)
    session = access.who(hers, "m", loopback=False).session
    kept[0] = ""
    assert access.who(hers, "m", loopback=False).role is Role.DIRECTOR, (
        "a file that cannot be read is no other PIN"
    )
    kept[0] = hash_pin("13572468")
    assert not access.is_open(session, "m")
    assert access.who(hers, "m", loopback=False).role is Role.VIEWER


def test_an_ended_session_stays_ended() -> None:
    access = new_access()
    _, cookie = enter(access, access.pin_of("m", Side.DARK), "m", "hall", loopback=False)
    access.log_out(access.who(cookie, "m", loopback=False))
    assert access.who(cookie, "m", loopback=False).role is Role.VIEWER


@pytest.mark.parametrize("content", [{"id": "x", "side": "dark", "match": "m"}, {"id": ["x"]}, ["x"], "x"])
def test_a_forged_cookie_opens_nothing(content: object) -> None:
    access = new_access()
    forged = URLSafeTimedSerializer(b"another secret", "pointsman-session").dumps(content)
    assert access.who(forged, "m", loopback=False).role is Role.VIEWER
    assert access.who("no cookie at all", "m", loopback=False).role is Role.VIEWER


def test_whoever_guesses_waits_longer_and_longer() -> None:
    clock = Hours()
    access = new_access(clock)
    for _ in range(TRIES):
        assert enter(access, "000000", "m", "hall", loopback=False)[0] is LoginResult.WRONG
    assert enter(access, PIN, "m", "hall", loopback=False)[0] is LoginResult.WAIT
    assert enter(access, PIN, "m", "other", loopback=False)[0] is LoginResult.DONE
    clock.t += WAIT_S
    assert enter(access, "000000", "m", "hall", loopback=False)[0] is LoginResult.WRONG
    clock.t += WAIT_S
    assert enter(access, PIN, "m", "hall", loopback=False)[0] is LoginResult.WAIT
    clock.t += LONGEST_WAIT_S
    assert enter(access, PIN, "m", "hall", loopback=False)[0] is LoginResult.DONE


def test_many_addresses_that_guess_have_everybody_wait_for_seconds_and_shut_nobody_out() -> None:
    clock = Hours()
    access = new_access(clock)
    for number in range(10 * TRIES):
        assert enter(access, "000000", "m", f"phone {number}", loopback=False)[0] is LoginResult.WRONG
    asked = clock.t
    assert enter(access, PIN, "m", "phone", loopback=False)[0] is LoginResult.DONE
    assert 0 < clock.t - asked <= LONGEST_LINE_S


def test_however_many_addresses_guess_few_of_their_pins_are_looked_at() -> None:
    clock = Hours()
    access = new_access(clock)
    looked_at = []
    for hour in range(1, 4):
        number = 0
        while clock.t < hour * COUNTED_S:
            if enter(access, "0000", "m", f"phone {number}", loopback=False)[0] is LoginResult.WRONG:
                looked_at.append(hour)
            number += 1
            clock.t += 0.5
    assert looked_at.count(1) <= 125
    assert max(looked_at.count(2), looked_at.count(3)) <= 85


def test_the_tables_own_machine_never_waits() -> None:
    clock = Hours()
    access = new_access(clock)
    for number in range(10 * TRIES):
        enter(access, "000000", "m", f"phone {number}", loopback=False)
        enter(access, "000000", "m", "table", loopback=True)
    asked = clock.t
    assert enter(access, PIN, "m", "table", loopback=True)[0] is LoginResult.DONE
    assert clock.t == asked


def test_the_directors_first_pin_is_set_at_the_tables_own_machine() -> None:
    kept: list[str] = []
    access = Access(b"s", Role.PLAYER, "", kept.append, Hours())
    assert enter(access, PIN, "m", "hall", loopback=False)[0] is LoginResult.NOT_HERE
    assert enter(access, "12345", "m", "table", loopback=True)[0] is LoginResult.TOO_SHORT
    assert enter(access, PIN, "m", "table", loopback=True)[0] is LoginResult.DONE
    assert kept == [access.director_hash]
    assert "argon2id" in kept[0]
    assert enter(access, PIN, "m", "hall", loopback=False)[0] is LoginResult.DONE


@pytest.mark.parametrize("client", ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"])
def test_the_tables_own_machine_is_known_by_its_address(client: str) -> None:
    assert is_loopback(client, {})
    assert not is_loopback(client, {"x-forwarded-for": "192.168.7.20"})


@each_row("client", ["192.168.7.20", "::ffff:192.168.7.20", "", None, "localhost"])
def test_nobody_else_is_taken_for_somebody_at_the_table(client: str | None) -> None:
    assert not is_loopback(client, {})


@each_row("host", ["localhost:80", "LOCALHOST", "10.0.0.7:8080", "[::1]:80", "[::1]", "table4."])
def test_names_and_addresses_of_the_table_are_its_own(host: str) -> None:
    assert is_own_host(host, frozenset({"localhost", "table4"}))


@each_row("host", ["evil.example", "evil.example:80", "", "localhost.evil.example", "a:b:c"])
def test_a_foreign_name_that_leads_to_the_table_is_refused(host: str) -> None:
    assert not is_own_host(host, frozenset({"localhost"}))


def test_a_foreign_page_can_neither_command_nor_listen() -> None:
    with opened(house()) as hall:
        browser = hall.browser(TABLE)
        for headers in ({"origin": "http://evil.example"}, {"origin": "null"}):
            answer = browser.post("/api/v1/commands", json={}, headers=headers)
            assert answer.status_code == 403
            with pytest.raises(InvalidStatus) as refused, browser.follow(**headers):
                pass
            assert refused.value.response.status_code == 403
        del browser.headers["origin"]
        assert browser.post("/login", headers={"sec-fetch-site": "cross-site"}).status_code == 403
        assert browser.say("dispute").json()["answer"] == "done"
        assert browser.get("/api/v1/state", headers={"host": "evil.example"}).status_code == 421


def test_a_cookie_is_out_of_reach_of_scripts_and_of_other_sites() -> None:
    with opened(house()) as hall:
        answer = hall.browser().post("/login", data={"pin": PIN, "next": "//evil.example"})
        cookie = answer.headers["set-cookie"].lower()
        assert answer.headers["location"] == "/"
        assert {"httponly", "samesite=strict", "path=/"} <= set(cookie.split("; "))


def test_every_answer_has_the_headers_that_keep_foreign_content_out() -> None:
    with opened(house()) as hall:
        for path in ("/login", "/api/v1/state", "/static/login.css", "/nothing"):
            headers = hall.browser().get(path).headers
            assert "default-src 'none'" in headers["content-security-policy"]
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"


def test_a_request_that_is_too_large_is_refused_whether_it_says_so_or_not() -> None:
    with opened(house()) as hall:
        browser = hall.browser(TABLE)
        assert browser.post("/api/v1/commands", content=b"x" * 20_000).status_code == 413
        parts = (b"x" * 1000 for _ in range(20))
        assert browser.post("/api/v1/commands", content=parts).status_code in (400, 413)


def test_logging_out_ends_the_page_that_follows() -> None:
    with opened(house()) as hall:
        director = hall.director()
        with director.follow() as live:
            live.recv(timeout=30)
            director.post("/logout")
            hall.house.say()
            hall.house.play(lambda evening: evening.roll(5, 2))
            with pytest.raises(ConnectionClosed):
                live.recv(timeout=30)
        assert director.state()["viewer"]["role"] == "viewer"


def test_without_leave_the_tables_own_browser_is_a_spectator() -> None:
    settings = WebSettings(director_hash=HASH, secret=SETTINGS.secret, at_table=Role.VIEWER)
    with opened(house(), settings) as hall:
        assert hall.browser(TABLE).state()["viewer"]["role"] == "viewer"
        assert COOKIE not in hall.browser(TABLE).cookies
