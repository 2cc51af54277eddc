"""The course on the page to learn from: asked over HTTP, and taken in a browser with mouse and keys."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.analysis.lessons.lesson_words import lesson_text
from controller.analysis.lessons.progress import ProgressFile
from controller.messages.catalogue import LANGUAGES
from controller.referee import Phase
from controller.rules import Side
from controller.web.server.site import page_words
from controller.web.table_service import Role
from tests.browser import browser
from tests.referee.table.scenes import SCENES
from tests.web.axe import violations
from tests.web.browsers import Hall, opened
from tests.web.served_table import TableHouse
from tests.web.test_dragging import DESK, PHONE, area, drag, page_at
from tests.web.test_learning import lesson_house

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]
COURSE = "/api/v1/learn/course"
WAITED = {
    "course": ".course-part",
    "course/opening_31": ".board-holder .board",
    "course/pips": "text=How many pips",
    "course/last_take": "text=Take, or pass?",
    "class": ".class-table",
}
"""Places of the page, and what is on them once they are there."""


@pytest.fixture(autouse=True)
def own(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> ProgressFile:
    """What was learned lies in a folder of the test."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return ProgressFile()


@pytest.fixture
def hall() -> Iterator[Hall]:
    with opened(lesson_house()) as hall:
        yield hall


def answer(hall: Hall, answer: str, lesson: str = "opening_31", learner: str = "Anna") -> dict[str, object]:
    said: dict[str, object] = (
        hall.player(Side.LIGHT)
        .post(f"{COURSE}/answer", json={"lesson": lesson, "learner": learner, "answer": answer})
        .json()
    )
    return said


def test_an_answer_is_marked_with_words_and_kept_for_its_learner(hall: Hall, own: ProgressFile) -> None:
    said = answer(hall, "13/9")
    assert (said["right"], said["legal"]) == (False, True)
    assert "Better was 8/5 6/5" in str(said["sentences"])
    assert answer(hall, "8/5 6/5")["right"]
    listed = hall.player(Side.DARK).get(f"{COURSE}?learner=Anna").json()
    assert (listed["known"], listed["all"], listed["next"]) == (1, 52, "way")
    assert own.load().of("Anna")["opening_31"].tries == 2


def test_an_illegal_play_is_explained_and_not_kept(hall: Hall, own: ProgressFile) -> None:
    said = answer(hall, "8/4 6/5")
    assert not said["legal"]
    assert "does not allow" in str(said["sentences"])
    assert own.load().of("Anna") == {}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("typed", ["balra", "bar/20"])
def test_what_is_no_play_is_told_in_the_language_of_the_page(hall: Hall, language: str, typed: str) -> None:
    said = hall.player(Side.LIGHT).post(
        f"{COURSE}/answer?language={language}",
        json={"lesson": "opening_31", "learner": "Anna", "answer": typed},
    )
    unread = lesson_text("course", "unread", language, play=typed)
    assert (said.status_code, said.json()["detail"]) == (422, unread)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lesson_is_told_in_the_language_of_the_page(hall: Hall, language: str) -> None:
    told = hall.player(Side.LIGHT).get(f"{COURSE}/lesson?name=last_take&language={language}").json()
    assert (told["title"] == "Take with a quarter") == (language == "en")
    assert (told["asked"], told["answers"], told["cube"]["offer"]["by"]) == ("take", ["take", "pass"], "dark")


def test_where_a_checker_may_land_is_told_by_the_rules_of_the_lessons_game(hall: Hall) -> None:
    moves = hall.player(Side.LIGHT).get(f"{COURSE}/landings?name=fevga").json()["moves"]
    assert {each["from"] for each in moves} == {24}
    moves = hall.player(Side.LIGHT).get(f"{COURSE}/landings?name=pips").json()["moves"]
    assert moves == []


def test_the_class_is_shown_to_the_director_alone(hall: Hall) -> None:
    answer(hall, "13/9", learner="Anna")
    answer(hall, "8/5 6/5", learner="Béla")
    assert hall.player(Side.LIGHT).get(f"{COURSE}/class").status_code == 403
    anna, bela = hall.director().get(f"{COURSE}/class").json()["learners"]
    assert (anna["name"], anna["known"], anna["wrong"]) == ("Anna", 0, ["The first roll 3-1"])
    assert (bela["name"], bela["known"], bela["right"]) == ("Béla", 1, 1)


@pytest.mark.parametrize(
    ("path", "text"),
    [("lesson?name=chess", "no lesson"), ("landings?name=way&play=nonsense", "nonsense")],
)
def test_bad_input_is_refused_with_a_sentence(hall: Hall, path: str, text: str) -> None:
    said = hall.player(Side.LIGHT).get(f"{COURSE}/{path}")
    assert said.status_code == 422
    assert text in said.json()["detail"]


def test_a_course_that_cannot_be_read_is_told(hall: Hall, own: ProgressFile) -> None:
    own.path.parent.mkdir(parents=True)
    own.path.write_text("nonsense")
    assert "name another file" in str(answer(hall, "13/9")["detail"])


def test_where_the_rules_forbid_aids_no_lesson_is_told_while_the_match_is_on() -> None:
    with opened(TableHouse(SCENES[Phase.TO_ROLL]())) as hall:
        assert hall.player(Side.DARK).get(f"{COURSE}/lesson?name=way").status_code == 409


@pytest.mark.parametrize("size", [DESK, (1024, 600), PHONE])
def test_a_lesson_is_dragged_answered_and_the_next_one_follows(
    browser: "Browser", own: ProgressFile, size: tuple[int, int]
) -> None:
    with page_at(browser, lesson_house(), "/learn#course", size) as page:
        page.get_by_label("Who learns").fill("Anna")
        page.get_by_role("link", name="Hit a blot").click()
        page.get_by_role("heading", name="Hit a blot").wait_for()
        page.get_by_role("button", name="Show the hint").click()
        page.get_by_text("four steps before your back checkers").wait_for()
        drag(page, 24, 20)
        page.wait_for_function("() => document.querySelector('.one-form input').value === '24/20'")
        drag(page, 6, 5)
        page.get_by_role("button", name="Check", exact=True).click()
        page.get_by_text("Right.").wait_for()
        page.get_by_role("button", name="The next lesson").click()
        page.get_by_role("heading", name="Which way checkers go").wait_for()
    assert own.load().of("Anna")["hit"].last


def test_the_cube_is_answered_by_keyboard(browser: "Browser", own: ProgressFile) -> None:
    with page_at(browser, lesson_house(), "/learn#course/last_pass") as page:
        page.get_by_role("button", name="Take", exact=True).press("Enter")
        page.get_by_text("Better is to pass.").wait_for()
    assert not own.load().of("me")["last_pass"].last


@pytest.mark.parametrize("language", LANGUAGES)
def test_who_gave_no_name_is_named_in_the_language_of_the_page(browser: "Browser", language: str) -> None:
    with page_at(browser, lesson_house(), f"/learn?language={language}#course") as page:
        page.locator(".course-part").first.wait_for()
        field = page.locator(".field input")
        named = {"en": "me", "hu": "\u00e9n", "et": "mina", "sk": "ja"}[language]
        assert (field.input_value(), field.get_attribute("placeholder")) == ("", named)
        field.press_sequentially("mehmet")
        assert field.input_value() == "mehmet"


def test_a_nameless_learner_stands_in_the_class_in_the_language_of_the_page(browser: "Browser") -> None:
    with opened(lesson_house()) as hall:
        answer(hall, "13/9", learner="me")
    with page_at(browser, lesson_house(), "/learn?language=hu#class", role=Role.DIRECTOR) as page:
        page.locator(".class-table").wait_for()
        assert page.locator(".class-table tbody th").inner_text() == "\u00e9n"


@pytest.mark.parametrize("mirrored", [False, True])
def test_the_boards_to_learn_from_lie_as_this_device_shows_the_table(
    browser: "Browser", mirrored: bool
) -> None:
    with page_at(browser, lesson_house(), "/learn#course") as page:
        wishes = f'{{"mirrored": {str(mirrored).lower()}, "board": "blue"}}'
        page.evaluate("wishes => localStorage.setItem('pointsman.view', wishes)", wishes)
        page.goto(page.url.replace("#course", "?again#course/opening_31"))
        one, twelve = (area(page, point).bounding_box() for point in (1, 12))
        assert one is not None
        assert twelve is not None
        assert (one["x"] < twelve["x"]) == mirrored
        assert page.locator("html").get_attribute("data-board") == "blue"
        drag(page, 8, 5)
        page.wait_for_function("() => document.querySelector('.one-form input').value === '8/5'")


@pytest.mark.parametrize("language", LANGUAGES)
def test_that_the_rules_forbid_aids_is_said_once_in_the_language_of_the_page(
    browser: "Browser", language: str
) -> None:
    with page_at(browser, TableHouse(SCENES[Phase.TO_ROLL]()), f"/learn?language={language}#course") as page:
        page.locator(".tool p.verdict").wait_for()
        page.wait_for_load_state("networkidle")
        assert page.locator(".tool p.verdict").inner_text() == page_words("learn", language)["barred"]
        assert page.locator(".tool .notice").inner_text() == ""


def test_the_day_of_a_lesson_is_that_of_the_tables_clock(
    hall: Hall, own: ProgressFile, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five minutes after a first right answer it is another day on one of these two tables."""
    days = set()
    for zone in ("UTC-14", "UTC+12"):
        monkeypatch.setenv("TZ", zone)
        time.tzset()
        said = answer(hall, "8/5 6/5", learner=zone)
        due = own.load().of(zone)["opening_31"].due
        assert f"{due.astimezone():%Y-%m-%d}" in str(said["again"])
        days.add(said["again"])
    monkeypatch.undo()
    time.tzset()
    assert len(days) == 2


@pytest.mark.parametrize("size", [DESK, PHONE])
def test_axe_finds_nothing_on_the_course_and_the_class(browser: "Browser", size: tuple[int, int]) -> None:
    with opened(lesson_house()) as hall:
        answer(hall, "13/9")
    with page_at(browser, lesson_house(), "/learn#course", size, Role.DIRECTOR) as page:
        for place, sign in WAITED.items():
            page.evaluate(f"location.hash = {place!r}")
            page.locator(sign).first.wait_for()
            if place == "course/last_take":
                page.get_by_role("button", name="Pass", exact=True).click()
                page.locator(".lesson-mark").wait_for()
                box = page.locator(".lesson-mark").bounding_box()
                assert box is not None
                assert box["width"] > 200
            assert [each["id"] for each in violations(page)] == [], place
