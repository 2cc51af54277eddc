"""The page for a dispute: what must be on it, and what must never get onto it."""

import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from controller.devices.pictures import encode_jpeg
from controller.messages.catalogue import LANGUAGES, LanguageError, catalogue
from controller.messages.game_words import reason_words
from controller.record.evidence.diagram import diagram_svg
from controller.record.evidence.dispute import Dispute, dispute_html, gather_dispute
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.evidence.turn_pictures import PictureRecorder, TurnPicture
from controller.record.files.html_page import script_hash
from controller.record.journal.journal import Journal, Json
from controller.record.match.corrections import CorrectionError, Director
from controller.record.match.history import TABLE
from controller.record.match.match import Act, Facts, Note, Turn
from controller.record.match.match_log import MatchLog
from controller.record.table.inputs import start_record
from controller.rules.game.events import Doubled, Taken
from controller.rules.judging.judge import judge
from controller.rules.position import START, Position, Roll, Side
from controller.vision import Board, BoardGeometry, CameraModel, Home
from controller.vision.board.board import PointSegments, point_segments
from controller.vision.counting.appearance import Appearance
from tests.record.match.test_match_log import noon
from tests.record.matches import terms_of
from tests.rows import each_row

if TYPE_CHECKING:
    from playwright.sync_api import Browser

AFTER = Position.from_compact("b...BD.B...eE...c.e....B..")
WRONG = Position.from_compact("b....E.C...eE...c.e.AA....")
ENDS = Position.from_compact("A......................a..")
HOSTILE = "</td><script>alert('x')</script>\x1b[2J\u202e\"onload=\"x"


class Page(HTMLParser):
    """Reads a page strictly: every element is closed in its order."""

    EMPTY = frozenset({"meta", "img", "br", "rect", "circle", "path"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data

    def count(self, tag: str) -> int:
        return sum(each == tag for each, _ in self.found)


def turn(
    ply: int, side: Side, roll: Roll, before: Position, after: Position, *, stands: bool = False
) -> Turn:
    verdict = judge(before, side, roll, after)
    text = "24/22 24/21" if after == WRONG else "played"
    return Turn(
        ply, side, roll, verdict.play, text, verdict.legal, verdict.reasons, stands, before, after, ply, 1.0
    )


def shot(frame: int, position: Position) -> TurnPicture:
    picture = np.full((60, 80, 3), frame, np.uint8)
    seen: dict[str, Json] = {
        "points": list(position.points),
        "bar": [0, 0],
        "off": [0, 0],
        "confidence": [99] * 23 + [61],
        "unsure": [24],
        "covered": [],
        "hand": False,
        "dice": [3, 1],
    }
    return TurnPicture(frame, frame / 2, encode_jpeg(picture, 100, 80), seen)


class Table:
    """A journal with a wrong play that was put right, and its pictures."""

    def __init__(self, path: Path, name: str = "Anna", segments: PointSegments | None = None) -> None:
        self.path = path
        self.journal = Journal(path)
        self.store = EvidenceStore(evidence_name(path))
        log = MatchLog(self.journal, "1", noon)
        recorder = PictureRecorder(log, self.store)
        log.begin_match(name, "Béla", terms_of(5), Facts(event=name))
        log.append(log.draft(TABLE, start_record(None, segments)))
        log.begin_game(START, 1, 2)
        roll = Roll.from_dice(3, 1)
        recorder.add(shot(1, START))
        recorder.add(shot(2, AFTER))
        recorder.add(shot(3, WRONG))
        wrong = turn(0, Side.LIGHT, roll, START, WRONG)
        recorder.keep(log.add(wrong), wrong, 3, flagged=True)
        log.add(Note("unsure", 3, 1.5, {"ply": 0, "points": [21]}))
        recorder.add(shot(4, AFTER))
        right = turn(0, Side.LIGHT, roll, START, AFTER)
        recorder.keep(log.add(right), right, 4, flagged=False)

    def dispute(self, ply: int = 0) -> Dispute:
        return gather_dispute(self.journal, self.store, "1", None, ply)

    def page(self, language: str = "en") -> Page:
        return Page(dispute_html(self.dispute(), language))


def doubt_last_turn(table: Table) -> None:
    """Dark plays, and nobody confirms what it was."""
    log = MatchLog(table.journal, "1", noon)
    recorder = PictureRecorder(log, table.store)
    after = WRONG.mirrored()
    likely: list[dict[str, str | float | None]] = [
        {"move": "24/22 24/21", "legal": None, "position": after.compact(), "probability": 0.61},
        {"move": None, "legal": None, "position": START.compact(), "probability": 0.2},
    ]
    recorder.add(shot(5, after))
    log.add(Note("unsure", 5, 2.5, {"ply": 1, "points": [21], "candidates": likely}))
    doubted = Turn(
        1, Side.DARK, Roll.from_dice(3, 1), None, "", None, (), False, AFTER, after, 5, 3.0, probability=0.61
    )
    recorder.keep(log.add(doubted), doubted, 5, flagged=True)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "journal.db")
    yield made
    made.journal.close()
    made.store.close()


def test_the_page_holds_both_tellings_with_verdict_pictures_and_diagrams(table: Table) -> None:
    page = table.page()
    assert page.count("img") == 5
    diagrams = [1 for tag, attributes in page.found if tag == "svg" and attributes["class"] == "diagram"]
    assert len(diagrams) == 4 + len(table.dispute().tries[0].nearest)
    for said in (
        "Illegal, corrected",
        "Legal",
        "3-1",
        "24/22 24/21",
        "Anna",
        "1 / 5",
        "not sure",
        "61 %",
        "unsure",
    ):
        assert said in page.text, said
    for reason in table.dispute().tries[0].turn.reasons:
        assert reason_words(reason) in page.text
    assert "The journal's chain is unbroken: of 8 events none" in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_comes_in_every_language(table: Table, language: str) -> None:
    page = table.page(language)
    assert ("html", {"lang": language}) in page.found
    reasons = table.dispute().tries[0].turn.reasons
    assert all(reason_words(reason, language) in page.text for reason in reasons)
    assert ("Illegal" in page.text) == (language == "en")
    with pytest.raises(LanguageError):
        table.page("xx")


def test_nothing_is_loaded_and_nothing_runs_but_the_page_s_own_script(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", HOSTILE)
    director = Director(table.journal, "1", noon, by=HOSTILE)
    director.rule(1, 0, HOSTILE)
    director.change_roll(1, 0, Roll.from_dice(6, 5), HOSTILE)
    page = table.page()
    assert not {tag for tag, _ in page.found} & {"iframe", "object", "link", "a", "form"}
    assert page.count("script") == 1
    policy = next(a["content"] for tag, a in page.found if tag == "meta" and "http-equiv" in a)
    assert policy is not None
    assert "unsafe" not in policy
    own = files("controller.record.evidence").joinpath("dispute.js").read_text(encoding="utf-8")
    assert f"script-src {script_hash(own)}" in policy
    for tag, attributes in page.found:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "data:image/jpeg;base64,").startswith("data:image/jpeg;base64,")
    assert "alert('x')" in page.text.replace(own, "")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", page.text)
    table.journal.close()
    table.store.close()


def test_corrections_show_what_was_recorded_at_first(table: Table) -> None:
    director = Director(table.journal, "1", noon, by="Éva")
    director.change_roll(1, 0, Roll.from_dice(2, 1), "dice lifted")
    director.revoke(director.rule(1, 0, "warning for dark").id)
    page = table.page()
    assert "Originally recorded: 3-1 played" in page.text
    assert "Illegal, left standing" in page.text
    assert "Game 1: turn 1 was 2-1 8/5 6/5. By: Éva. (dice lifted)" in page.text
    assert "Game 1: ruling on turn 1: warning for dark By: Éva." in page.text
    assert "(taken back)" in page.text


def test_each_correction_of_a_game_says_in_words_what_it_is_about(table: Table) -> None:
    director = Director(table.journal, "1", noon)
    director.rule(1, None, "both were late")
    director.change_score(1, 3, 0)
    director.change_result(1, Side.DARK, 2)
    director.change_result(1, None)
    director.change_cube(1, 0, ("double", "take"))
    text = table.page().text
    for said in (
        "ruling: both were late",
        "the score before it is 3-0.",
        "won by Béla: 2.",
        "won by -.",
        "what was done with the cube.",
    ):
        assert f"Game 1: {said}" in text
    assert "{" not in text[text.index("Corrections and rulings") : text.index("Integrity of the record")]


def test_a_turn_has_the_number_that_the_pages_of_the_table_give_it(table: Table) -> None:
    for language, title in (("en", "Game 1, turn 1"), ("hu", "1. játszma, 1. lépés")):
        assert title in Page(dispute_html(table.dispute(), language)).text
    assert "from 0; there it is number 0" in table.page().text


def test_the_page_says_where_the_cube_lay_before_the_turn(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db")
    assert "1, in the middle" in table.page().text
    log = MatchLog(table.journal, "1", noon)
    for act in (Doubled(Side.DARK), Taken(Side.LIGHT)):
        log.add(Act(act))
    roll = Roll.from_dice(3, 1)
    log.add(turn(1, Side.DARK, roll, AFTER, WRONG.mirrored()))
    assert "2, with Anna" in Page(dispute_html(table.dispute(1))).text
    assert "1, in the middle" in table.page().text
    log.begin_game(START, 4, 2)
    log.add(turn(0, Side.LIGHT, roll, START, AFTER))
    crawford = gather_dispute(table.journal, table.store, "1", 2, 0)
    for language in LANGUAGES:
        words = catalogue(language).text("dispute", "cube_crawford")
        assert words in Page(dispute_html(crawford, language)).text
    table.journal.close()
    table.store.close()


def test_a_changed_picture_or_journal_shows_on_the_page(table: Table) -> None:
    digest = table.dispute().tries[1].pictures[0].sha256
    with sqlite3.connect(evidence_name(table.path)) as database:
        database.execute("UPDATE picture SET jpeg = x'00' WHERE sha256 = ?", (digest,))
    database.close()
    page = table.page()
    assert page.text.count("or it was changed after it was recorded") == 2
    assert page.count("img") == 3
    table.journal._database.execute("DROP TRIGGER event_is_not_changed")
    table.journal._database.execute("UPDATE event SET utc = '' WHERE id = 2")
    assert "CHANGED AFTER IT WAS WRITTEN" in table.page().text
    assert "first at event 2" in table.page().text


def test_without_pictures_the_page_says_so(table: Table) -> None:
    page = Page(dispute_html(gather_dispute(table.journal, None, "1", 1, 0)))
    assert page.count("img") == 0
    assert "is no longer kept" in page.text


def test_a_ply_that_is_not_there_is_named(table: Table) -> None:
    for game, ply, said in (
        (None, 7, "No game of this match has a ply 7"),
        (1, 7, "no ply 7"),
        (2, 0, "no game 2"),
    ):
        with pytest.raises(CorrectionError, match=said):
            gather_dispute(table.journal, table.store, "1", game, ply)


def test_a_diagram_draws_every_checker_and_says_the_position() -> None:
    crowded = Position.from_compact("Ea...E.C...e...........gBb")
    svg = Page(diagram_svg(crowded, Side.DARK, Roll.from_dice(6, 5), {1, 24}))
    assert svg.count("svg") == 1
    labels = [attributes.get("aria-label") for tag, attributes in svg.found if tag == "svg"]
    assert labels == [crowded.compact()]
    drawn = Counter(str(attributes.get("class")).split()[0] for _, attributes in svg.found)
    assert drawn["checker"] == 5 + 1 + 5 + 3 + 5 + 5 + 2 + 2
    assert drawn["off"] == crowded.off(Side.LIGHT) + crowded.off(Side.DARK)
    assert drawn["pip"] == 11
    assert drawn["mark"] == 2 * 2


def places(svg: str) -> dict[str, tuple[float, float]]:
    """Where the checkers of each side lie, as shares of the drawing."""
    page = Page(svg)
    _, _, width, height = map(float, re.findall(r"[\d.]+", dict(page.found[0][1])["viewbox"] or ""))
    return {
        str(a["class"]).split()[1]: (float(str(a["cx"])) / width, float(str(a["cy"])) / height)
        for _, a in page.found
        if str(a.get("class")).startswith("checker")
    }


def test_light_s_home_is_at_the_bottom_right_where_no_picture_says_otherwise() -> None:
    found = places(diagram_svg(ENDS, Side.LIGHT))
    (light_x, light_y), (dark_x, dark_y) = found["light"], found["dark"]
    assert light_x == dark_x > 0.8
    assert light_y > 0.8
    assert dark_y < 0.2


@each_row(
    ("home", "light", "dark"),
    [
        ("right", (0.88, 0.9), (0.88, 0.1)),
        ("left", (0.12, 0.9), (0.12, 0.1)),
    ],
)
@each_row("quarters", range(4))
def test_a_diagram_lies_as_the_board_in_its_pictures(
    home: Home, light: tuple[float, float], dark: tuple[float, float], quarters: int
) -> None:
    segments = point_segments(board_seen(home, quarters))
    assert segments is not None
    found = places(diagram_svg(ENDS, Side.DARK, segments=segments))
    for side, (x, y) in (("light", light), ("dark", dark)):
        for _ in range(quarters):
            x, y = 1 - y, x
        assert found[side] == pytest.approx((x, y), abs=0.02)


def board_seen(home: Home, quarters: int) -> Board:
    """A board from straight above, turned clockwise in the picture by so many quarters."""
    turned = Rotation.from_euler("z", 90 * quarters, degrees=True) * Rotation.from_euler(
        "x", 180, degrees=True
    )
    x, y, z = turned.as_rotvec().tolist()
    camera = CameraModel(1280, 1280, 1000.0, 0.0, 0.0, (x, y, z), (0.0, 0.0, 1000.0))
    geometry = BoardGeometry(home, 44.0, 40.0, 500.0, 36.0, 34.0, 10.0)
    return Board(camera, geometry, cast(Appearance, None))


def test_points_are_numbered_as_the_player_on_roll_counts_them() -> None:
    for side, first in ((Side.LIGHT, "1"), (Side.DARK, "24")):
        numbers = re.findall(r">(\d+)</text>", diagram_svg(Position.from_compact("." * 26), side))[:24]
        assert numbers[0] == first
        assert sorted(map(int, numbers)) == list(range(1, 25))


def test_what_changed_is_marked_in_the_photographs_too(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", segments=point_segments(board_seen("left", 1)))
    page = table.page()
    overlays = [1 for tag, attributes in page.found if tag == "svg" and attributes["class"] == "overlay"]
    assert len(overlays) == 4
    assert sum(tag == "path" and "Z" in (a["d"] or "") and "fill" not in a for tag, a in page.found) == 2 * (
        6 + 6
    )
    table.journal.close()
    table.store.close()


def test_the_page_fits_a_phone_prints_on_two_pages_and_slides_between_its_pictures(
    tmp_path: Path, browser: "Browser"
) -> None:
    table = Table(tmp_path / "journal.db", segments=point_segments(board_seen("right", 0)))
    path = tmp_path / "page.html"
    path.write_text(dispute_html(table.dispute(), "hu"), encoding="utf-8")
    with browser.new_context(offline=True, viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        page.goto(path.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        after = page.locator(".stage .photo + .photo").first
        assert after.evaluate("(each) => each.style.opacity") == "0"
        page.locator(".compare button").first.click()
        assert after.evaluate("(each) => each.style.opacity") == "1"
        page.get_by_role("slider").first.fill("40")
        assert after.evaluate("(each) => each.style.opacity") == "0.4"
        assert len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True))) <= 2
        assert said == []
    table.journal.close()
    table.store.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_turn_that_nobody_confirmed_is_called_so_and_not_illegal(table: Table, language: str) -> None:
    doubt_last_turn(table)
    page = Page(dispute_html(table.dispute(1), language))
    said = catalogue(language)
    assert said.text("dispute", "unconfirmed") in page.text
    assert said.text("dispute", "illegal_stands") not in page.text
    assert said.text("dispute", "illegal_put_right") not in page.text
    assert said.text("dispute", "nearest") not in page.text
    assert "24/22 24/21 (0.61) None (0.2)" in page.text
