"""The page for a dispute: what must be on it, and what must never get onto it."""

import re
import sqlite3
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from controller.devices.pictures import encode_jpeg
from controller.messages.catalogue import LANGUAGES, LanguageError
from controller.messages.game_words import reason_words
from controller.record.evidence.diagram import diagram_svg
from controller.record.evidence.dispute import Dispute, dispute_html, gather_dispute
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.evidence.turn_pictures import PictureRecorder, TurnPicture
from controller.record.journal.journal import Journal, Json
from controller.record.match.corrections import CorrectionError, Director
from controller.record.match.match import Facts, Note, Turn
from controller.record.match.match_log import MatchLog
from controller.rules.judging.judge import judge
from controller.rules.position import START, Position, Roll, Side
from tests.record.match.test_match_log import noon
from tests.record.matches import terms_of

AFTER = Position.from_compact("b...BD.B...eE...c.e....B..")
WRONG = Position.from_compact("b....E.C...eE...c.e.AA....")
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

    def __init__(self, path: Path, name: str = "Anna") -> None:
        self.path = path
        self.journal = Journal(path)
        self.store = EvidenceStore(evidence_name(path))
        log = MatchLog(self.journal, "1", noon)
        recorder = PictureRecorder(log, self.store)
        log.begin_match(name, "Béla", terms_of(5), Facts(event=name))
        log.begin_game(START, 1, 2)
        roll = Roll.of(3, 1)
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


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path / "journal.db")
    yield made
    made.journal.close()
    made.store.close()


def test_the_page_holds_both_tellings_with_verdict_pictures_and_diagrams(table: Table) -> None:
    page = table.page()
    assert page.count("img") == 5
    assert page.count("svg") == 4 + len(table.dispute().tries[0].nearest)
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
    assert "The journal's chain is unbroken: of 7 events none" in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_comes_in_every_language(table: Table, language: str) -> None:
    page = table.page(language)
    assert ("html", {"lang": language}) in page.found
    reasons = table.dispute().tries[0].turn.reasons
    assert all(reason_words(reason, language) in page.text for reason in reasons)
    assert ("Illegal" in page.text) == (language == "en")
    with pytest.raises(LanguageError):
        table.page("xx")


def test_nothing_is_loaded_and_nothing_runs(tmp_path: Path) -> None:
    table = Table(tmp_path / "journal.db", HOSTILE)
    director = Director(table.journal, "1", noon, by=HOSTILE)
    director.rule(1, 0, HOSTILE)
    director.change_roll(1, 0, Roll.of(6, 5), HOSTILE)
    page = table.page()
    assert not {tag for tag, _ in page.found} & {"script", "iframe", "object", "link", "a", "form"}
    for tag, attributes in page.found:
        assert not [name for name in attributes if name.startswith("on")], tag
        for name in ("src", "href", "xlink:href"):
            assert (attributes.get(name) or "data:image/jpeg;base64,").startswith("data:image/jpeg;base64,")
    assert "alert('x')" in page.text
    assert not re.search(r"[\x00-\x09\x0b-\x1f\u202e]", page.text)
    table.journal.close()
    table.store.close()


def test_corrections_show_what_was_recorded_at_first(table: Table) -> None:
    director = Director(table.journal, "1", noon, by="Éva")
    director.change_roll(1, 0, Roll.of(2, 1), "dice lifted")
    director.revoke(director.rule(1, 0, "warning for dark").id)
    page = table.page()
    assert "Originally recorded: 3-1 played" in page.text
    assert "Illegal, left standing" in page.text
    assert "0: 2-1" in page.text
    assert "(Éva) (dice lifted)" in page.text
    assert "warning for dark" in page.text
    assert "(taken back)" in page.text


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
    svg = Page(diagram_svg(crowded, Side.DARK, Roll.of(6, 5), {1, 24}))
    assert svg.count("svg") == 1
    labels = [attributes.get("aria-label") for tag, attributes in svg.found if tag == "svg"]
    assert labels == [crowded.compact()]
    checkers = [1 for tag, attributes in svg.found if tag == "circle" and attributes.get("r") == "12.5"]
    assert len(checkers) == 5 + 1 + 5 + 3 + 5 + 5 + 2 + 2
    pips = [1 for tag, attributes in svg.found if tag == "circle" and attributes.get("r") == "2.4"]
    assert len(pips) == 11
    marked = [attributes for tag, attributes in svg.found if tag == "path" and attributes.get("stroke")]
    assert len(marked) == 2


def test_light_s_home_is_at_the_bottom_right_and_the_numbers_fit_their_points() -> None:
    only = Position.from_compact("A......................a..")
    svg = Page(diagram_svg(only, Side.LIGHT))
    where: dict[str, Any] = {
        str(a["fill"]): (float(str(a["cx"])), float(str(a["cy"])))
        for tag, a in svg.found
        if tag == "circle" and a.get("r") == "12.5" and float(str(a["cx"])) < 400
    }
    (light_x, light_y), (dark_x, dark_y) = where["#fffdf6"], where["#2c2c34"]
    assert light_x == dark_x > 300
    assert light_y > dark_y


def test_points_are_numbered_as_the_player_on_roll_counts_them() -> None:
    for side, first in ((Side.LIGHT, "1"), (Side.DARK, "24")):
        numbers = re.findall(r">(\d+)</text>", diagram_svg(Position.from_compact("." * 26), side))[:24]
        assert numbers[0] == first
        assert sorted(map(int, numbers)) == list(range(1, 25))
