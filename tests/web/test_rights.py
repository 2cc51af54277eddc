"""Who may open what and say what: every address and every command, tried by everybody."""

import time
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Final

import httpx
import pytest
from starlette.routing import Mount
from websockets.exceptions import ConnectionClosed, InvalidStatus

from controller.referee import Phase
from controller.rules import Side
from controller.web.server.application import make_inner_app
from controller.web.server.rights import COMMANDS, PLAYERS_ONLY, ROUTES, Right
from controller.web.server.site import PAGES, TEMPLATES, Site
from controller.web.table_service import Role, RoomState
from controller.web.welcome.desk import WelcomeDesk
from controller.web.wire.one_time_code import OneTimeCode
from tests.referee.table.scenes import SCENES
from tests.web.browsers import SETTINGS, TABLE, Browser, Hall, opened
from tests.web.served_table import TableHouse

FILLED: Final = {
    "match": "m1",
    "form": "mat",
    "game": 1,
    "ply": 0,
    "role": "before",
    "need": "result",
    "side": "dark",
    "sha256": "0" * 64,
}
WELCOMING: Final = replace(SETTINGS, welcome=WelcomeDesk(OneTimeCode(time.monotonic), opened=True))
"""Of a table that a phone with its code may set up."""
PEOPLE: Final = ("spectator", "player", "director", "at the table")


@pytest.fixture(scope="module")
def hall() -> Iterator[Hall]:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]()), WELCOMING) as hall:
        yield hall


@pytest.fixture(scope="module")
def people(hall: Hall) -> dict[str, Browser]:
    made = (hall.browser(), hall.player(Side.DARK), hall.director(), hall.browser(TABLE))
    return dict(zip(PEOPLE, made, strict=True))


def role_of(person: str) -> Role:
    return {"spectator": Role.VIEWER, "director": Role.DIRECTOR}.get(person, Role.PLAYER)


def is_allowed(right: Right, person: str, room: RoomState) -> bool:
    return right.allows(role_of(person), at_table=person == "at the table", room=room)


@cache
def addresses() -> frozenset[tuple[str, str]]:
    """Every address of the application, but for the files below `/static`."""
    app = make_inner_app(Site(TableHouse(SCENES[Phase.TO_ROLL]()), WELCOMING))
    found = {(method.upper(), path) for path, on in app.openapi()["paths"].items() for method in on}
    for route in app.routes:
        if not isinstance(route, Mount) and getattr(route, "path", None):
            methods = getattr(route, "methods", None) or {"WS"}
            found |= {(method, route.path) for method in methods - {"HEAD"}}
    return frozenset(found)


def test_every_address_is_in_the_table_of_rights_and_every_right_has_an_address() -> None:
    not_drawn = {("GET", path) for path, page in PAGES.items() if not (TEMPLATES / f"{page}.html").exists()}
    assert addresses() == set(ROUTES) - not_drawn


@pytest.mark.parametrize("room", [RoomState.PLAYING, RoomState.READY, RoomState.OVER])
@pytest.mark.parametrize("person", PEOPLE)
def test_every_address_opens_to_those_who_may_and_to_nobody_else(
    hall: Hall, people: dict[str, Browser], person: str, room: RoomState
) -> None:
    hall.house.state = room
    hall.house.say()
    for method, path in sorted(addresses() - {("POST", "/logout")}):
        opens = opens_to(people[person], method, path.format(**FILLED))
        assert opens == is_allowed(ROUTES[method, path], person, room), (method, path)


def opens_to(browser: Browser, method: str, path: str) -> bool:
    """Whether an address answers anything but that one may not."""
    if method != "WS":
        answer = browser.request(method, path)
        refused = answer.status_code in (401, 403) or answer.headers.get("location", "").startswith("/login")
        return path == "/login" or not refused
    try:
        with browser.follow(path=path) as socket:
            socket.send("next")
            socket.recv(timeout=0.3)
    except InvalidStatus:
        return False
    except (TimeoutError, ConnectionClosed):
        return True
    return True


@pytest.mark.parametrize("person", PEOPLE)
@pytest.mark.parametrize("what", sorted(COMMANDS))
def test_every_command_is_taken_from_those_who_may_and_from_nobody_else(
    hall: Hall, people: dict[str, Browser], person: str, what: str
) -> None:
    hall.house.state = RoomState.PLAYING
    hall.house.say()
    answer = people[person].say(what, key_that_no_command_has=1)
    right = COMMANDS[what]
    if is_allowed(right, person, RoomState.PLAYING):
        assert answer.status_code == 422
    else:
        assert answer.status_code == (403 if is_allowed(PLAYERS_ONLY, person, RoomState.PLAYING) else 401)
    assert not hall.house.asked


@pytest.mark.parametrize("side", Side)
def test_a_player_speaks_for_himself_only(hall: Hall, side: Side) -> None:
    answer = hall.player(side).say("double", side=str(side.opponent))
    assert answer.status_code == 422


def test_a_spectators_page_gets_no_picture_and_no_buttons(hall: Hall) -> None:
    state = hall.browser().state()
    assert (state["allowed"], state["seen"], state["needs"]) == ([], None, None)


def test_a_page_shows_what_spectators_see_where_it_asks_for_that(hall: Hall) -> None:
    answer: httpx.Response = hall.director().get("/api/v1/state?as=viewer")
    assert answer.json()["state"]["viewer"] == {"role": "viewer", "side": None}


def test_the_director_may_forfeit_for_either_side_and_players_choose_how_much_they_resign(hall: Hall) -> None:
    losers = [each["keys"] for each in hall.director().state()["allowed"] if each["what"] == "forfeit"]
    assert losers == [{"loser": "light"}, {"loser": "dark"}]
    resign = [each for each in hall.player(Side.DARK).state()["allowed"] if each["what"] == "resign"]
    assert [each["keys"]["amount"] for one in resign for each in one["options"]] == [1, 2, 3]
    assert [one["needs"] for one in resign] == ["amount"]
