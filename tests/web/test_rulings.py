"""What the director's page asks for beside the state: pictures of turns, the page for a dispute, the dice."""

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import cv2
import numpy as np
import pytest

from controller.record import Journal
from controller.record.evidence.packet import unpack
from controller.record.files.formats import Format
from controller.record.journal.seal import seal_from
from controller.referee import Phase
from controller.rules import Side
from controller.vision.reading import DieSeen
from controller.web.server.picture import DICE_WIDTH, dice_jpeg
from controller.web.wire.download import kept_as
from tests.record.evidence.test_dispute_page import Table
from tests.record.sealing import put_seal
from tests.referee.table.scenes import SCENES
from tests.web.browsers import Hall, opened
from tests.web.served_table import TableHouse

TURN = "/api/v1/matches/m1/turns/1/0"


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    """A table whose journal has a wrong play that was put right, and its pictures."""
    recorded = Table(tmp_path / "journal.db")
    with opened(TableHouse(SCENES[Phase.TO_ROLL](), folder=tmp_path)) as hall:
        yield hall
    recorded.journal.close()
    recorded.store.close()


def brightness(jpeg: bytes) -> float:
    return float(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR).mean())


def test_the_director_sees_the_board_before_and_after_the_last_telling_of_a_turn(hall: Hall) -> None:
    director = hall.director()
    listed = director.get(TURN).json()["pictures"]
    assert [(each["role"], each["number"]) for each in listed] == [("before", 1), ("after", 4)]
    shown = [brightness(director.get(f"{TURN}/{role}.jpg").content) for role in ("before", "after")]
    assert [round(each) for each in shown] == [1, 4]


@pytest.mark.parametrize("path", ["1/7", "9/0", "1/0/between.jpg", "1/0/nothing.jpg", "9/0/dispute.html"])
def test_what_there_is_not_is_not_found(hall: Hall, path: str) -> None:
    answer = hall.director().get(f"/api/v1/matches/m1/turns/{path}")
    assert answer.status_code in (404, 409)
    assert answer.json()["detail"]


def test_another_match_is_not_at_this_table(hall: Hall) -> None:
    assert hall.director().get("/api/v1/matches/other/turns/1/0").status_code == 404


def test_a_picture_that_was_changed_is_not_shown(hall: Hall, tmp_path: Path) -> None:
    with sqlite3.connect(tmp_path / "journal.evidence.db") as database:
        database.execute("UPDATE picture SET jpeg = ?", (b"changed",))
    database.close()
    assert hall.director().get(f"{TURN}/after.jpg").status_code == 404


def test_the_page_for_a_dispute_comes_as_a_file_in_the_language_of_the_director(hall: Hall) -> None:
    answer = hall.director().get(f"{TURN}/dispute.html?language=hu")
    assert answer.headers["content-disposition"] == 'attachment; filename="m1-game-1-turn-1.html"'
    assert '<html lang="hu"' in answer.text
    assert answer.text.count("<img") == 5


def test_a_turn_whose_page_the_director_takes_keeps_its_pictures_longest(hall: Hall, tmp_path: Path) -> None:
    asked = "SELECT count(*) FROM use WHERE worth = 2"
    with sqlite3.connect(tmp_path / "journal.evidence.db") as database:
        assert database.execute(asked).fetchone() == (0,)
        hall.director().get(f"{TURN}/dispute.html")
        assert database.execute(asked).fetchone()[0] > 0
    database.close()


def test_no_two_files_of_a_match_have_the_same_name(hall: Hall) -> None:
    director = hall.director()
    paths = [*(f"m1.{form}" for form in Format), "m1/packet.zip", "m1/turns/1/0/dispute.html"]
    answers = [director.get(f"/api/v1/matches/{path}") for path in paths]
    assert {each.status_code for each in answers} == {200}
    names = [each.headers["content-disposition"].split("filename=")[1] for each in answers]
    assert len({*names}) == len(paths)
    assert all(each.startswith('"m1') for each in names)


@pytest.mark.parametrize("name", ['Ő"rs.mat', "李.html", "a\\b\r\nSet-Cookie: x", "plain name.zip", "a/b;c"])
def test_a_name_of_any_letters_goes_into_a_header(name: str) -> None:
    (said,) = kept_as(name).values()
    assert said.isascii()
    assert said.isprintable()
    plain, _, other = said.removeprefix("attachment; filename=").partition("; filename*=UTF-8''")
    assert (unquote(other) if other else plain.strip('"')) == name
    assert not set('"\\/') & set(plain.strip('"'))


def test_the_packet_of_a_match_holds_its_journal_and_the_pictures_of_flagged_turns(hall: Hall) -> None:
    answer = hall.director().get("/api/v1/matches/m1/packet.zip")
    held = unpack(answer.content, "match.zip")
    assert held.events[-1].kind == "evidence"
    assert held.pictures


def test_a_score_sheet_from_the_page_bears_the_last_seal_of_the_table(hall: Hall, tmp_path: Path) -> None:
    director, sheet = hall.director(), "/api/v1/matches/m1.html"
    assert "<svg" not in director.get(sheet).text
    with Journal(tmp_path / "journal.db") as journal:
        put_seal(journal)
        last = seal_from(put_seal(journal).payload)
    text = director.get(sheet).text
    assert last.statement.code in text
    assert "<svg" in text


@pytest.mark.parametrize("side", Side)
def test_pictures_are_for_the_director_alone(hall: Hall, side: Side) -> None:
    for path in (TURN, f"{TURN}/after.jpg", f"{TURN}/dispute.html", "/api/v1/dice.jpg"):
        assert hall.player(side).get(path).status_code == 403
        assert hall.browser().get(path).status_code == 401


def test_dice_are_cut_out_of_the_picture_and_enlarged() -> None:
    picture = np.zeros((720, 1280, 3), np.uint8)
    picture[300:320, 600:620] = 255
    cut = cv2.imdecode(
        np.frombuffer(dice_jpeg(picture, [DieSeen(3, 610, 310), DieSeen(1, 660, 330)]), np.uint8),
        cv2.IMREAD_COLOR,
    )
    assert cut.shape[1] >= DICE_WIDTH
    assert cut.mean() > 5


@pytest.mark.parametrize(("x", "y"), [(0.0, 0.0), (1279.0, 719.0), (-5.0, 800.0)])
def test_dice_at_the_edge_of_the_picture_are_cut_out_too(x: float, y: float) -> None:
    assert dice_jpeg(np.zeros((720, 1280, 3), np.uint8), [DieSeen(3, x, y)])


def test_without_dice_there_is_no_picture_of_them(hall: Hall) -> None:
    assert hall.director().get("/api/v1/dice.jpg").status_code == 404
    hall.house.picture = np.zeros((72, 128, 3), np.uint8)
    assert hall.director().get("/api/v1/dice.jpg").status_code == 404
