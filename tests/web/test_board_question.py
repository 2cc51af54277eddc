"""The board under the camera as a question on the page to learn from: over HTTP, and in a browser."""

from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from controller.analysis.quiz import Quiz
from controller.messages.catalogue import LANGUAGES
from controller.referee import Phase
from controller.rules import START, Position, Side
from controller.vision.reading import DieSeen, Reading
from controller.web.table_service import RoomState
from tests.browser import browser
from tests.referee.staging import Film
from tests.referee.table.scenes import SCENES
from tests.striped import BOARD, picture_of
from tests.web.axe import violations
from tests.web.browsers import Hall, opened
from tests.web.served_table import TableHouse
from tests.web.test_dragging import DESK, PHONE, page_at
from tests.web.test_learning import lesson_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]
ASKED = "/api/v1/learn/board"
XGID = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
DICE = (DieSeen(3, 40.0, 60.0, 0.99, owner="light"), DieSeen(1, 60.0, 60.0, 0.99, owner="light"))


@pytest.fixture(autouse=True)
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """The exercises lie in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "pointsman" / "quiz.json"


def read(position: Position = START, **more: Any) -> Reading:
    certain = tuple({count: 0.0} for count in position.points)
    plain = replace(Film(Random(1)).read(position), points=position.points, likelihoods=certain)
    return replace(plain, **more)


def watched(reading: Reading | None, house: TableHouse | None = None) -> TableHouse:
    """A table whose camera shows this; no match is on unless there is a house."""
    found = house or TableHouse(SCENES[Phase.TO_ROLL](), RoomState.READY)
    found.picture, found.reading, found.board = picture_of(5), reading, BOARD
    return found


@pytest.fixture
def hall() -> Iterator[Hall]:
    with opened(watched(read(dice=DICE))) as hall:
        yield hall


def asked(house: TableHouse, query: str = "") -> dict[str, Any]:
    with opened(house) as hall:
        said: dict[str, Any] = hall.player(Side.LIGHT).get(ASKED + query).json()
    return said


def test_a_board_with_dice_whose_colour_tells_is_a_question_at_once(hall: Hall) -> None:
    said = hall.player(Side.LIGHT).get(ASKED).json()
    assert (said["xgid"], said["doubts"], said["picture"]) == (XGID, [], 7)


def test_what_the_board_does_not_tell_is_asked_and_dice_that_are_not_certain_are_a_guess() -> None:
    doubted = tuple(replace(die, owner=None, confidence=0.6) for die in DICE)
    said = asked(watched(read(dice=doubted)))
    assert (said["xgid"], said["side"], said["dice"]) == (None, None, [3, 1])
    told = asked(watched(read()), "?side=dark&dice=61")
    assert told["xgid"] == "XGID=-b----E-C---eE---c-e----B-:0:0:-1:61:0:0:0:0:10"


def test_while_a_match_is_on_its_roll_score_and_side_are_taken() -> None:
    said = asked(watched(read(), lesson_house()))
    assert (said["side"], said["dice"], said["doubts"]) == ("light", [3, 1], [])
    assert said["xgid"].endswith(":0:0:0:5:10")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_board_that_is_no_position_is_told_and_never_put_right(language: str) -> None:
    sixteen = Position.seen((*START.points[:3], 1, *START.points[4:]))
    said = asked(watched(read(sixteen, dice=DICE)), f"?language={language}")
    assert said["position"] is None
    assert said["xgid"] is None
    assert "16" in said["doubts"][0]
    assert "4 (1), 6 (5)" in said["doubts"][0]


def test_where_nothing_can_be_read_yet_that_is_said() -> None:
    empty = TableHouse(SCENES[Phase.TO_ROLL](), RoomState.READY)
    assert "no camera" in asked(empty)["detail"]
    empty.picture = picture_of(5)
    assert "The board is not known" in asked(empty)["detail"]
    assert "moving" in asked(watched(None))["detail"]


def test_where_no_play_is_legal_there_is_nothing_to_ask() -> None:
    shut = Position.from_compact("CCCCB" + "." * 12 + "cbbbbbbA.")
    assert "no legal play" in asked(watched(read(shut, dice=DICE)))["doubts"][0]


def test_where_the_rules_forbid_aids_nothing_is_told_while_the_match_is_on() -> None:
    with opened(watched(read(), TableHouse(SCENES[Phase.TO_ROLL]()))) as hall:
        person = hall.player(Side.DARK)
        assert person.get(ASKED).status_code == 409
        assert person.get(f"{ASKED}.jpg?picture=7").status_code == 409
        assert person.post("/api/v1/learn/keep", json={"xgid": XGID}).status_code == 409


def test_an_answer_says_why(hall: Hall) -> None:
    person = hall.player(Side.LIGHT)
    said = person.post("/api/v1/learn/answer", json={"xgid": XGID, "play": "13/9"}).json()
    assert said["why"].startswith("Better was 8/5 6/5: ")


def test_the_position_is_shared_as_drawing_and_as_the_picture_it_was_read_from(hall: Hall) -> None:
    person = hall.player(Side.LIGHT)
    assert person.get(f"{ASKED}.jpg?picture=7").status_code == 404
    person.get(ASKED)
    shot = person.get(f"{ASKED}.jpg?picture=7")
    picture = cv2.imdecode(np.frombuffer(BytesIO(shot.content).read(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    assert picture.shape == (600, 805, 3)
    drawn = person.get(f"/api/v1/learn/drawing.svg?xgid={XGID}")
    assert (drawn.headers["content-type"], drawn.text[:4]) == ("image/svg+xml", "<svg")


def test_it_is_kept_once_with_the_play_that_was_chosen(hall: Hall, kept: Path) -> None:
    person = hall.player(Side.LIGHT)
    for expected in (True, False):
        said = person.post("/api/v1/learn/keep", json={"xgid": XGID, "play": "13/9"}).json()
        assert said["kept"] is expected
        assert said["text"]
    (item,) = Quiz.load(kept).items.values()
    assert (item.place, item.played, item.answers[0].text) == (XGID, "13/9", "8/5 6/5")
    assert person.post("/api/v1/learn/keep", json={"xgid": XGID, "play": "x"}).status_code == 422


@pytest.mark.parametrize("size", [DESK, (1024, 600), PHONE])
def test_the_board_is_asked_answered_shared_and_kept_on_the_page(
    browser: "Browser", kept: Path, size: tuple[int, int]
) -> None:
    house = watched(read())
    with page_at(browser, house, "/learn#exercise", size) as page:
        page.get_by_role("button", name="The board under the camera").click()
        page.get_by_text("Whose turn is it?").wait_for()
        assert violations(page) == []
        page.get_by_role("radio", name="Light", exact=True).check()
        page.get_by_label("First die").select_option("3")
        page.get_by_role("button", name="Show it").first.click()
        page.get_by_text("Light to play.").wait_for()
        page.locator(".one-form input").first.fill("13/9")
        page.get_by_role("button", name="Compare with the best").click()
        page.get_by_text("Better was 8/5 6/5").wait_for()
        page.get_by_text("Share this position").click()
        assert page.get_by_label("As text (XGID)").input_value() == XGID
        with page.expect_download() as saved:
            page.get_by_role("link", name="Drawing (PNG)").click()
        assert cv2.imread(str(saved.value.path())).shape[1] == 1200
        assert page.get_by_role("link", name="The camera's picture").is_visible()
        page.get_by_role("button", name="Keep it for the quiz").click()
        page.get_by_text("Kept: the quiz asks").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page) == []
    assert len(Quiz.load(kept).items) == 1


def test_from_the_table_page_it_is_one_press_and_doubts_stand_there_with_a_way_on(browser: "Browser") -> None:
    house = watched(read(unsure=frozenset({6, 13})), lesson_house())
    with page_at(browser, house, "/", DESK) as page:
        page.get_by_role("link", name="What would you play here?").click()
        page.get_by_text("6, 13. It is not certain").wait_for()
        house.reading = read()
        page.get_by_role("button", name="Look again").press("Enter")
        page.get_by_text("Light to play.").wait_for()
