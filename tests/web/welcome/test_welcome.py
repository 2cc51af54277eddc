"""A new table lets in the one phone that brings its code, and tells everybody else in a sentence that it is new."""

import socket
from html import unescape
from pathlib import Path

import pytest

from controller.config import load_config
from controller.config.sections import WebSection
from controller.messages.catalogue import catalogue
from controller.web.keys import PageKeys
from controller.web.server.access import hash_pin
from tests.web.welcome.new_table import NewTable, new_table

PIN = "482913"


@pytest.fixture(autouse=True)
def in_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine of the test may be in none."""
    monkeypatch.setattr("controller.app.pages.own_address", lambda: "192.0.2.7")


def test_a_phone_with_the_code_becomes_the_directors_and_the_table_is_open(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor(language="hu-HU,hu") as phone:
        answer = phone.post("/welcome", data={"code": table.code(), "pin": PIN})
        assert answer.headers["location"] == "/setup"
        assert phone.get("/setup").status_code == 200
        with table.visitor() as stranger:
            assert stranger.get("/watch").status_code == 200
            assert stranger.get("/setup").headers["location"] == "/login?next=/setup"
        kept = load_config(table.file)
        assert (kept.web.open, kept.table.languages) == (True, ("hu",))
        assert table.room.config.table.languages == ("hu",)


def test_a_stranger_gets_a_sentence_and_nothing_of_the_table(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor() as stranger:
        for path in ("/", "/setup", "/watch", "/see", "/login", "/camera", "/openapi.json", "/api/v1/setup"):
            assert stranger.get(path).headers.get("location") == "/welcome", path
        told = stranger.get("/api/v1/state", headers={"Accept": "*/*"})
        assert (told.status_code, "new" in told.text) == (403, True)
        assert stranger.post("/login", data={"pin": PIN}).status_code == 403
        assert stranger.post("/api/v1/commands", json={}).status_code == 403
        shown = stranger.get("/welcome")
        assert catalogue("en").text("page", "welcome", "first") in unescape(shown.text)
        assert table.code() not in shown.text
        for path in ("/api/v1/welcome", "/welcome.svg"):
            assert stranger.get(path).headers["location"] == "/welcome"


def test_a_code_is_taken_once_and_a_wrong_one_never(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor() as phone, table.visitor() as other:
        code = table.code()
        assert phone.post("/welcome", data={"code": "AAAABBBB", "pin": PIN}).status_code == 403
        assert phone.post("/welcome", data={"code": code, "pin": "12345"}).status_code == 400
        assert phone.post("/welcome", data={"code": code, "pin": PIN}).status_code == 303
        again = other.post("/welcome", data={"code": code, "pin": "999999"})
        assert again.status_code == 403
        assert catalogue("en").text("page", "welcome", "result", "wrong_code") in unescape(again.text)
        assert other.get("/setup").headers["location"] == "/login?next=/setup"


def test_whoever_tries_many_codes_has_to_wait(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor() as stranger:
        code = table.code()
        tries = [stranger.post("/welcome", data={"code": "AAAABBBB", "pin": PIN}) for _ in range(5)]
        assert {each.status_code for each in tries} == {403}
        assert stranger.post("/welcome", data={"code": code, "pin": PIN}).status_code == 429


def test_the_tables_own_screen_shows_the_code_until_somebody_is_the_director(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor({}) as screen, table.visitor() as phone:
        assert screen.get("/").headers["location"] == "/welcome"
        code = screen.get("/api/v1/welcome").json()["code"]
        assert screen.get("/welcome.svg").status_code == 200
        assert phone.post("/welcome", data={"code": code, "pin": PIN}).status_code == 303
        assert screen.get("/api/v1/welcome").json() == {"director": True, "code": "", "address": ""}
        assert screen.get("/").status_code == 200


def test_a_director_who_forgot_the_pin_chooses_another_with_a_code(tmp_path: Path) -> None:
    with new_table(tmp_path) as table, table.visitor() as phone:
        assert phone.post("/welcome", data={"code": table.code(), "pin": PIN}).status_code == 303
        with table.visitor() as other:
            assert other.post("/welcome", data={"code": table.code(), "pin": "777777"}).status_code == 303
            assert other.get("/director").status_code == 200
        assert phone.get("/director").headers["location"] == "/login?next=/director"
        assert phone.post("/login", data={"pin": PIN}).status_code == 403


def test_a_pin_that_was_chosen_at_the_machine_counts_at_once(tmp_path: Path) -> None:
    with new_table(tmp_path, WebSection(port=0, open=True)) as table, table.visitor() as phone:
        keys = PageKeys.find(tmp_path / ".pointsman-keys.json")
        assert keys is not None
        keys.keep_director(hash_pin("777777"))
        assert phone.post("/login", data={"pin": "777777"}).status_code == 303


def test_a_table_whose_configuration_closes_it_listens_to_its_own_machine_only(tmp_path: Path) -> None:
    with new_table(tmp_path, WebSection(port=0, open=False)) as table:
        assert listens_at(table) == "127.0.0.1"
        with table.visitor() as stranger:
            assert stranger.get("/welcome").status_code == 403
        with table.visitor({}) as screen:
            assert screen.get("/").status_code == 200


def test_a_table_is_opened_and_closed_while_it_runs(tmp_path: Path) -> None:
    with new_table(tmp_path, WebSection(port=0, open=False)) as table, table.visitor({}) as screen:
        screen.get("/")
        for is_open, host in ((True, "0.0.0.0"), (False, "127.0.0.1"), (True, "0.0.0.0")):
            table.pages.let_in(is_open)
            assert listens_at(table) == host
            assert screen.get("/").status_code == 200
            with table.visitor() as stranger:
                assert stranger.get("/watch").status_code == (200 if is_open else 403)


def listens_at(table: NewTable) -> str:
    """The address at which the pages listen: whether a second one can be taken there beside it."""
    with socket.socket() as probe:
        try:
            probe.bind(("127.0.0.2", table.pages.port))
        except OSError:
            return "0.0.0.0"
    return "127.0.0.1"
