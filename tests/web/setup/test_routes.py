"""From "no board" to "start" by the routes of the set-up page."""

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from controller.messages.catalogue import LANGUAGES, catalogue
from controller.rules import START, Side
from controller.simulation.boards.arranging import arrange
from controller.web.server.application import make_inner_app
from controller.web.setup.set_up import DiceFound, FoundDie, LearnedButton, MatchPlan, VoiceChoice
from controller.web.table_service import RoomState
from tests.calibration.pictures import corners, picture
from tests.calibration.test_things import SEED, painter, setting
from tests.rows import each_row
from tests.web.browsers import TABLE, Browser
from tests.web.setup.still import SetUpHall, StillSetUp

Client = tuple[Browser, StillSetUp]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Client]:
    setup = StillSetUp(picture("game"), tmp_path)
    with SetUpHall(setup) as hall:
        yield hall.browser(TABLE), setup


def searched(client: Browser, language: str = "en") -> dict[str, Any]:
    """Set-up when the search is over."""
    while True:
        state: dict[str, Any] = client.get(f"/api/v1/setup?language={language}").json()
        if state["aim"]["search"]["state"] != "running":
            return state
        time.sleep(0.05)


def test_a_board_is_found_checked_kept_and_a_match_begun(table: Client) -> None:
    client, setup = table
    begun = client.get("/api/v1/setup").json()
    assert begun["aim"]["search"]["state"] == "none"
    assert [one["enough"] for one in begun["aim"]["measures"]] == [True, False, True]
    assert client.post("/api/v1/setup/start").json()["answer"] == "refused"

    assert client.post("/api/v1/setup/find", json={}).json()["answer"] == "done"
    found = searched(client)
    assert found["aim"]["search"]["heading"] == "The board is found."
    assert np.abs(np.array(found["aim"]["corners"]) - corners("game")).max() < 12
    size = found["aim"]["measures"][1]
    assert (size["text"], size["enough"]) == ("a little closer", False)

    seen = client.get("/api/v1/setup/seen").json()
    assert seen["right"]
    counts = {one["point"]: (one["count"], one["side"]) for one in seen["seen"]["points"] if one["count"]}
    assert counts[6] == (5, "light")
    assert counts[19] == (5, "dark")

    assert not setup.board_file.exists()
    assert client.post("/api/v1/setup/confirm").json()["state"]["board_known"]
    assert setup.board_file.exists()
    plan = {"light": " Anna ", "dark": "Béla", "length": 5, "profile": "standard-match", "consent": True}
    plan |= {"learning": True, "engine": "dark"}
    assert client.post("/api/v1/setup/match", json=plan).json()["state"]["plan"]["light"] == "Anna"
    assert client.post("/api/v1/setup/start").json()["answer"] == "done"
    assert setup.started == [MatchPlan("Anna", "Béla", 5, "standard-match", True, True, "dark")]


def test_a_match_against_another_table_is_planned_with_its_code(table: Client) -> None:
    client, _ = table
    plan = {"light": "Anna", "dark": "Béla", "length": 5, "away": "dark", "code": " host:8080/K7QFW2MXAB\n"}
    shown = client.post("/api/v1/setup/match", json=plan).json()["state"]["plan"]
    assert (shown["away"], shown["code"], shown["engine"]) == ("dark", "host:8080/K7QFW2MXAB", "")


@each_row("language", LANGUAGES)
def test_rules_are_chosen_in_three_families_each_with_what_is_played(table: Client, language: str) -> None:
    client, _ = table
    rules = client.get(f"/api/v1/setup?language={language}").json()["profiles"]
    assert [one["key"] for one in rules] == ["standard-match", "standard-money", "portes", "plakoto"]
    assert len(dict.fromkeys(one["family"] for one in rules)) == 3
    assert len({one["about"] for one in rules}) == 3
    assert all(one["about"] and one["family"] for one in rules)


def test_corners_placed_by_hand_are_named_by_where_lights_home_lies(table: Client) -> None:
    client, _ = table
    around = np.roll(corners("game")[::-1], 1, axis=0).tolist()
    client.post("/api/v1/setup/find", json={"corners": around, "light_home": "bottom-right"})
    found = searched(client)
    assert found["aim"]["search"]["state"] == "found"
    assert np.abs(np.array(found["aim"]["corners"]) - corners("game")).max() < 12


def test_what_cannot_be_found_is_told_with_its_remedy_in_every_language(tmp_path: Path) -> None:
    bare = StillSetUp(np.full((360, 480, 3), 90, np.uint8), tmp_path)
    told = set()
    with SetUpHall(bare) as hall:
        client = hall.browser(TABLE)
        client.post("/api/v1/setup/find", json={})
        for language in LANGUAGES:
            search = searched(client, language)["aim"]["search"]
            assert search["state"] == "failed", language
            assert search["text"], language
            assert "{" not in search["text"], language
            told.add(search["text"])
    assert len(told) == len(LANGUAGES)
    assert list(tmp_path.iterdir()) == []


def test_what_lies_on_a_board_that_was_found_all_the_same_is_told_in_every_language(tmp_path: Path) -> None:
    scene = arrange(
        setting(), START, np.random.default_rng(SEED), dice=[("light", 1), ("light", 2)], sloppiness=0.6
    )
    painted = painter().paint(scene, np.random.default_rng(SEED)).picture
    around = setting().camera.project(setting().geometry.corners()).tolist()
    with SetUpHall(StillSetUp(painted, tmp_path)) as hall:
        client = hall.browser(TABLE)
        client.post("/api/v1/setup/find", json={"corners": around})
        for language in LANGUAGES:
            search = searched(client, language)["aim"]["search"]
            assert search["state"] == "found"
            assert catalogue(language).text("page", "setup", "fault", "things_lie") in search["text"]


def test_corners_that_make_no_board_are_refused_in_words(table: Client) -> None:
    client, _ = table
    client.post("/api/v1/setup/find", json={"corners": [[1, 1]] * 4})
    assert "do not make a board" in searched(client)["aim"]["search"]["text"]


def test_a_search_can_be_stopped_and_begun_again(table: Client) -> None:
    client, _ = table
    client.post("/api/v1/setup/find", json={})
    assert client.post("/api/v1/setup/end").json()["state"]["aim"]["search"]["state"] == "none"
    client.post("/api/v1/setup/find", json={"corners": corners("game").tolist()})
    assert searched(client)["aim"]["search"]["state"] == "found"


def test_pictures_come_once_each_and_the_saved_one_has_lost_nothing(table: Client) -> None:
    client, setup = table
    first = client.get("/api/v1/setup/picture")
    assert first.headers["content-type"] == "image/jpeg"
    assert first.headers["cache-control"] == "no-store"
    setup.began = time.monotonic() - 0.5 * int(first.headers["x-picture"])
    assert client.get(f"/api/v1/setup/picture?after={first.headers['x-picture']}").status_code == 204
    saved = client.get("/api/v1/setup/snapshot.png").content
    assert np.array_equal(cv2.imdecode(np.frombuffer(saved, np.uint8), cv2.IMREAD_COLOR), setup.picture)


def test_a_camera_that_vanishes_leaves_the_page_its_words(table: Client) -> None:
    client, setup = table
    client.get("/api/v1/setup")
    setup.picture = None
    state = client.get("/api/v1/setup").json()
    assert state["aim"]["picture"] is None
    assert state["aim"]["advice"] == "No camera is plugged in."
    for path in ("picture", "flat", "snapshot.png"):
        assert client.get(f"/api/v1/setup/{path}").status_code == 204
    assert client.get("/api/v1/setup/seen").json()["seen"] is None
    assert client.post("/api/v1/setup/find", json={}).json()["answer"] == "refused"
    assert client.post("/api/v1/setup/confirm").json()["answer"] == "refused"


@each_row(
    ("path", "body"),
    [
        ("find", {"corners": [[1, 1], [2, 2], [3, 3]]}),
        ("find", {"corners": [[1, 1, 1]] * 4}),
        ("find", {"light_home": "left"}),
        ("camera", {"key": ""}),
        ("camera", {}),
        ("match", {"length": 0}),
        ("match", {"light": "x" * 61}),
        ("match", {"lenght": 5}),
        ("lamps", {"source": "plugin"}),
        ("voice", {}),
        ("voice", {"use": True, "volume": 1.5}),
        ("voice", {"use": True, "language": "tlh"}),
        ("voice", {"use": True, "command": "rm -r /"}),
    ],
)
def test_what_is_no_answer_to_the_page_is_refused(table: Client, path: str, body: dict[str, object]) -> None:
    client, _ = table
    assert client.post(f"/api/v1/setup/{path}", json=body).status_code == 422


def test_devices_are_chosen_and_one_that_is_gone_stays_named(table: Client) -> None:
    client, _ = table
    state = client.post("/api/v1/setup/camera", json={"key": "/dev/video7"}).json()["state"]
    assert state["camera"]["choices"][-1] == {"key": "/dev/video7", "name": "/dev/video7 (not there)"}
    assert state["camera"]["choices"][0]["name"] == "The first one that is found"
    assert client.post("/api/v1/setup/port", json={"key": "auto"}).json()["state"]["port"]["key"] == "auto"


def test_lights_and_dice_are_tried(table: Client) -> None:
    client, _ = table
    assert client.post("/api/v1/setup/lights").json()["state"]["lights"]["state"] == "done"
    refused = client.post("/api/v1/setup/dice").json()
    assert (refused["answer"], refused["text"]) == ("refused", "There are no dice.")


def test_lights_are_chosen_looked_for_and_their_firmware_written(table: Client) -> None:
    client, setup = table
    chosen = {"source": "wled", "address": " 192.168.1.30 "}
    state = client.post("/api/v1/setup/lamps", json=chosen).json()["state"]
    assert state["lamps"] == {"source": "wled", "address": "192.168.1.30", "text": ""}
    assert setup.lamps.source == "wled"
    state = client.post("/api/v1/setup/lamps/find").json()["state"]
    assert state["search"] == {"state": "running", "text": "Lamp 3 of 29 is lit."}
    state = client.post("/api/v1/setup/firmware").json()["state"]
    assert state["firmware"] == {"state": "running", "text": "Writing the firmware: 40 %"}


def test_dice_are_looked_for_told_in_a_row_and_given_to_sides(table: Client) -> None:
    client, setup = table
    red = FoundDie("GoDice_1", "GoDice", "red", 80, 5, rolled=True)
    setup.found = DiceFound(False, (red, FoundDie("Clear one", "Pixels", "clear"), FoundDie("GoDice_2")))
    state = client.post("/api/v1/setup/dice/find").json()["state"]["found"]
    assert state["running"] is True
    texts = [(die["text"], die["rolled"]) for die in state["dice"]]
    assert texts[0] == ("GoDice, red, battery 80 %, shows 5, just rolled", True)
    assert texts[1:] == [("Pixels, Clear", False), ("not heard yet", False)]
    sets = {"light": ["GoDice_1", "A"], "dark": ["Clear one", "B"], "shared": []}
    rolls = client.post("/api/v1/setup/rolls", json={"source": "bluetooth", **sets}).json()["state"]["rolls"]
    assert {name: rolls[name] for name in sets} == sets
    assert client.post("/api/v1/setup/dice/end").json()["state"]["found"]["running"] is False
    three = {"source": "bluetooth", "shared": ["A", "B", "C"]}
    assert client.post("/api/v1/setup/rolls", json=three).status_code == 422


def test_a_key_is_learned_forgotten_and_its_device_kept_for_the_table(table: Client) -> None:
    client, setup = table
    setup.learned = replace(
        setup.learned, buttons=(LearnedButton("done", "KEY_B", "Foot Switch"), LearnedButton("roll"))
    )
    state = client.post("/api/v1/setup/keys/learn", json={"button": "roll"}).json()["state"]["keys"]
    assert state["listening"] == "roll"
    assert state["text"] == "Press the key that shall be this button: Roll the electronic dice."
    assert state["buttons"][0] == {"key": "done", "name": "End the turn", "learned": "B (Foot Switch)"}
    state = client.post("/api/v1/setup/keys/end").json()["state"]["keys"]
    assert (state["listening"], state["text"]) == ("", "")
    state = client.post("/api/v1/setup/keys/grab", json={"grab": True}).json()["state"]["keys"]
    assert state["grab"] is True
    state = client.post("/api/v1/setup/keys/forget", json={"button": "done"}).json()["state"]["keys"]
    assert state["buttons"][0]["learned"] == ""
    assert client.post("/api/v1/setup/keys/learn", json={"button": "reset"}).status_code == 422


def test_a_table_is_shown_its_dice(table: Client) -> None:
    client, _ = table
    shown = {"dice": 2, "cube": True}
    state = client.post("/api/v1/setup/faces/begin", json=shown).json()["state"]["faces"]
    assert (state["state"], state["number"], state["face"], state["done"]) == ("running", 1, 2, 0)
    assert state["text"] == "Lay 2 dice with the 1 up."
    state = client.post("/api/v1/setup/faces/confirm").json()["state"]["faces"]
    assert (state["number"], state["done"]) == (2, 1)
    assert client.post("/api/v1/setup/faces/end").json()["state"]["faces"]["known"]
    assert not client.post("/api/v1/setup/faces/forget").json()["state"]["faces"]["known"]
    assert client.post("/api/v1/setup/faces/begin", json={"dice": 5}).status_code == 422


def test_a_voice_is_chosen_and_no_program_can_be_named_from_a_page(table: Client) -> None:
    client, setup = table
    chosen = {"use": True, "sounds": False, "volume": 0.3, "language": "sk"}
    answer = client.post("/api/v1/setup/voice", json=chosen).json()
    assert (answer["answer"], answer["state"]["voice"]) == ("done", chosen)
    assert setup.voice == VoiceChoice(use=True, sounds=False, volume=0.3, language="sk")


def addresses(hall: SetUpHall, setup: StillSetUp) -> list[tuple[str, str]]:
    """Those that are there for set-up only."""
    plain = make_inner_app(hall.site).openapi()["paths"]
    whole = make_inner_app(hall.site, setup).openapi()["paths"]
    return [(method.upper(), path) for path in set(whole) - set(plain) for method in whole[path]]


@pytest.mark.parametrize("state", [RoomState.NO_BOARD, RoomState.READY, RoomState.PLAYING])
def test_nobody_but_the_director_and_who_sits_at_the_table_gets_anything(
    tmp_path: Path, state: RoomState
) -> None:
    setup = StillSetUp(None, tmp_path)
    with SetUpHall(setup, state) as hall:
        there = addresses(hall, setup)
        assert len(there) >= 16
        people = {
            "spectator": (hall.browser(), False),
            "player": (hall.player(Side.LIGHT), False),
            "director": (hall.director(), True),
            "at the table": (hall.browser(TABLE), state is not RoomState.PLAYING),
        }
        for who, (browser, may) in people.items():
            for method, path in there:
                refused = browser.request(method, path, json={}).status_code == 403
                assert refused is not may, (who, method, path)


def test_another_site_cannot_use_the_browser_of_who_sits_at_the_table(table: Client) -> None:
    client, setup = table
    asked = client.post("/api/v1/setup/camera", json={"key": "x"}, headers={"origin": "http://evil.example"})
    assert asked.status_code == 403
    assert setup.camera == "auto"


@each_row("name, language", list(product(["setup", "see"], LANGUAGES)))
def test_the_pages_carry_their_words_and_nothing_that_the_policy_forbids(
    table: Client, name: str, language: str
) -> None:
    client, _ = table
    text = client.get(f"/{name}?language={language}").text
    assert f'lang="{language}"' in text
    assert " style=" not in text
    assert "onclick" not in text


def test_markup_in_names_stays_text(table: Client) -> None:
    client, _ = table
    name = "<img src=x onerror=alert(1)>"
    state = client.post("/api/v1/setup/match", json={"light": name, "dark": "B"}).json()["state"]
    assert state["plan"]["light"] == name
    static = Path(__file__).parents[3] / "controller" / "web" / "static"
    for script in ("setup.js", "see.js", "sight.js"):
        assert "innerHTML" not in (static / script).read_text()
