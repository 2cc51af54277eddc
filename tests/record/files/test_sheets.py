"""What people read: the transcript and the score sheet."""

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import segno

from controller.record.files.scoresheet import scoresheet
from controller.record.files.snowie import snowie_text
from controller.record.files.transcript import transcript_text
from controller.record.journal.journal import Journal
from controller.record.journal.seal import seal_from
from tests.record.files.test_gnubg_reads import WILD, matches
from tests.record.matches import random_match
from tests.record.sealing import UTC, put_seal
from tests.record.simulated import simulated


class Page(HTMLParser):
    """Collects what a page shows and which elements are still open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.shown: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.links += [value or "" for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.shown.append(data)


def test_the_score_sheet_is_whole_and_shows_every_turn_and_needs_nothing_from_outside() -> None:
    for record in matches("wild match")[:10]:
        page = Page()
        page.feed(scoresheet(record))
        assert page.open == []
        assert page.links == []
        shown = " ".join(page.shown)
        for game in record.games:
            for turn in game.played:
                assert f"{turn.roll}: {turn.text}" in shown
            if game.result:
                assert f"wins {game.result.points}" in shown


def test_the_transcript_tells_every_turn_with_tries_cube_and_working() -> None:
    record = next(r for r in matches("wild match") if any(not t.counts for g in r.games for t in g.turns))
    text = transcript_text(record)
    assert text.count("Game ") == len(record.games)
    assert text.count("put right") == sum(not turn.counts for game in record.games for turn in game.turns)
    for game in record.games:
        for turn in game.played:
            assert f"{turn.ply:4d}  {turn.player:<5}  {turn.roll}  {turn.text}" in text
        if game.result:
            assert game.result.working in text


def test_a_game_that_goes_on_is_not_called_broken_off() -> None:
    record = next(r for r in matches("wild match") if len(r.games) > 1)
    *games, last = (replace(game, result=None) for game in record.games)
    text = transcript_text(replace(record, games=(*games, last)))
    assert text.count("broken off") == len(games)
    assert text.count("not finished") == 1


def test_rules_that_no_other_program_knows_are_named_in_the_transcript() -> None:
    text = transcript_text(simulated(3, "hunbg-club", 5, WILD))
    assert "the cube is added to the game and not multiplied" in text


def test_a_snowie_line_stands_for_each_turn_and_has_forty_fields() -> None:
    for record in matches("wild money")[:5]:
        lines = snowie_text(record).splitlines()
        turns = [turn for game in record.games for turn in game.played]
        assert len(lines) == len(turns)
        for line, turn in zip(lines, turns, strict=True):
            fields = line.split(";")
            assert len(fields) == 41
            assert fields[38:40] == [str(turn.roll.high), str(turn.roll.low)]
            assert re.fullmatch(r"-?\d+", fields[12])


def test_a_sheet_shows_the_last_seal_as_a_code_and_as_a_square_that_cameras_read(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal.db") as journal:
        journal.append("1", "bump", {}, utc=UTC)
        seal = seal_from(put_seal(journal).payload)
    record = random_match(1, games=1, length=5)
    assert 'class="seal"' not in scoresheet(record)
    sheet = scoresheet(record, [seal])
    assert seal.statement.code in sheet
    assert 'class="square"' in sheet
    square = np.array(segno.make(seal.text(), error="l", micro=False).matrix, np.uint8)
    picture = np.kron(np.pad(255 * (1 - square), 4, constant_values=255), np.ones((6, 6))).astype(np.uint8)
    assert cv2.QRCodeDetectorAruco().detectAndDecode(picture)[0] == seal.text()
