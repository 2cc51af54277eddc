"""What cannot be done is said in the language of the page, by its remedy there, and changes nothing."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES, catalogue
from tests.hub.desk_hall import PIN, DeskHall, desk_hall

NAMES = ("Ann", "Bob", "Cid", "Dan")


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DeskHall]:
    """A hall with two tables, at which the first round is on; event 6 is its draw."""
    place: Path = tmp_path_factory.mktemp("refusals")
    with desk_hall(place, tables=2) as hall:
        chosen = DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=2, seed="6-1")
        carry_out(hall.evening, chosen)
        carry_out(hall.evening, DeedSent(what="enter", players="\n".join(NAMES)))
        carry_out(hall.evening, DeedSent(what="draw"))
        carry_out(hall.evening, DeedSent(what="result", match=1, score=(5, 2)))
        yield hall


@pytest.fixture(scope="module")
def director(running: DeskHall) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=running.address, trust_env=False) as client:
        assert client.post("/login", data={"pin": PIN}).status_code == 303
        yield client


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("deed", "key", "values"),
    [
        ({"what": "enter", "players": "ann"}, "has_entered", {"name": "Ann"}),
        ({"what": "enter", "players": " \n"}, "nobody_named", {}),
        ({"what": "withdraw", "name": "Zoltán"}, "no_player", {"text": "Zoltán"}),
        ({"what": "withdraw", "name": "Annn"}, "no_player_but", {"text": "Annn", "near": "Ann"}),
        ({"what": "draw"}, "match_not_over", {"match": 2, "round": 1}),
        ({"what": "pair", "name": "Ann", "other": "Bob"}, "pairs_drawn", {"name": "Cup"}),
        ({"what": "play_off", "name": "Ann", "other": "Bob", "length": "0"}, "no_length", {"text": "'0'"}),
        ({"what": "result", "match": 2, "score": [4, 2]}, "no_score", {"score": "4-2", "length": 5}),
        ({"what": "result", "match": 2}, "score_missing", {}),
        ({"what": "result", "match": 9, "score": [0, 1], "ending": "walkover"}, "no_match", {"match": 9}),
        ({"what": "late", "name": "Ann", "minutes": 0}, "no_minutes", {"minutes": 0, "most": 600}),
        ({"what": "confirm", "match": 9}, "no_match", {"match": 9}),
        ({"what": "undo", "event": 1}, "undo_beginning", {}),
        ({"what": "assign", "match": 2, "table": "table-99"}, "no_table", {"table": "table-99"}),
        ({"what": "send", "match": 9}, "at_no_table", {"match": 9}),
    ],
)
def test_a_deed_that_cannot_be_done_is_refused_in_the_language_of_the_page(
    running: DeskHall,
    director: httpx.Client,
    language: str,
    deed: Mapping[str, Any],
    key: str,
    values: Mapping[str, object],
) -> None:
    before = running.events()
    if key == "no_table":
        values = {**values, "tables": ", ".join(sorted(each.name for each in running.evening.hall.tables()))}
    answer = director.post("/api/v1/evening", json=dict(deed), headers={"Accept-Language": language})
    expected = catalogue(language).text("tournament", "refused", key, **values)
    assert (answer.status_code, answer.json()["detail"]) == (409, expected)
    assert running.events() == before


@pytest.mark.parametrize("language", LANGUAGES)
def test_why_an_event_cannot_be_undone_alone_is_said_in_one_language(
    director: httpx.Client, language: str
) -> None:
    answer = director.post(
        "/api/v1/evening", json={"what": "undo", "event": 6}, headers={"Accept-Language": language}
    )
    why = catalogue(language).text("tournament", "refused", "result_undrawn", match=1)
    assert answer.status_code == 409
    assert why in answer.json()["detail"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_pasted_list_is_refused_by_its_line(director: httpx.Client, language: str) -> None:
    pasted = {"what": "enter", "players": "name,rating\nEva,1500\nFred,good"}
    answer = director.post("/api/v1/evening", json=pasted, headers={"Accept-Language": language})
    texts = catalogue(language)
    named = texts.text("tournament", "refused", "what", "list")
    given = {"label": named, "line": 3, "text": "'good'", "column": "rating"}
    assert answer.json()["detail"] == texts.text("tournament", "refused", "no_number", **given)
