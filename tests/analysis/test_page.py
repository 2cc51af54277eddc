"""The page of an analysis and what is drawn on it."""

import re
from dataclasses import replace
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest

from controller.analysis import page as page_of_analysis
from controller.analysis.charts import Curve, curve_svg
from controller.analysis.drawing import board_svg
from controller.analysis.engine import Analysis, PlayDecision
from controller.analysis.gnubg import analyse
from controller.analysis.page import analysis_html
from controller.messages.catalogue import LANGUAGES
from controller.record.match.match import GameRecord, MatchRecord, Turn
from controller.rules.forms.xgid import MatchState
from controller.rules.position import START, Position, Roll, Side
from tests.analysis.test_gnubg import cubed

if TYPE_CHECKING:
    from playwright.sync_api import Browser


def timed(match: MatchRecord) -> MatchRecord:
    """The match with a turn every 7 seconds."""
    games = []
    for game in match.games:
        entries = [
            replace(each, t=7.0 * each.ply) if isinstance(each, Turn) else each for each in game.entries
        ]
        games.append(GameRecord(tuple(entries), game.start, game.light_score, game.dark_score, game.result))
    return replace(match, games=tuple(games))


@pytest.fixture(scope="module")
def analysis() -> Analysis:
    return analyse(timed(cubed()), lambda _done, _of: None)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_stands_alone_and_shows_the_worst_mistakes(language: str, analysis: Analysis) -> None:
    page = analysis_html(timed(cubed()), analysis, 4, language)
    assert f'<html lang="{language}">' in page
    assert page.count('class="board"') == page.count('class="mistake"') == 4
    assert page.count('class="chart"') == 1 + len(cubed().games)
    assert "://" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "<script" not in page
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(svg)
    assert f"{analysis.light.pr:.2f}" in page


def test_each_mistake_has_its_best_candidates_and_what_was_played(analysis: Analysis) -> None:
    page = analysis_html(cubed(), analysis, 20)
    parts = page.split('<section class="mistake">')[1:]
    assert len(parts) == len(analysis.mistakes)
    for part, mistake in zip(parts, analysis.mistakes, strict=True):
        rows = re.findall(r"<tr><td>(.*?)</td><td>([-+][\d.]+)</td>", part.split("</section>")[0])
        assert 2 <= len(rows) <= 4
        assert [float(equity) for _, equity in rows] == sorted((float(e) for _, e in rows), reverse=True)
        assert f"{-mistake.loss:.3f}" in part
        # Turns are counted from 1, as on the pages of the table.
        assert f"Game {mistake.game}, turn {mistake.ply + 1}" in part
        assert "XGID=" in part


def test_no_figure_of_the_printed_page_is_broken_in_two(browser: "Browser", analysis: Analysis) -> None:
    page = browser.new_page(viewport={"width": 640, "height": 1000})
    page.emulate_media(media="print", color_scheme="dark")
    page.set_content(analysis_html(cubed(), analysis, 20))
    lines = """all => all.map((each) => {
      const range = document.createRange();
      range.selectNodeContents(each);
      return [each.textContent, range.getClientRects().length];
    })"""
    shown = page.eval_on_selector_all(".mistake td:not(:first-child)", lines)
    assert shown
    assert [text for text, count in shown if count > 1] == []
    assert page.evaluate("() => getComputedStyle(document.body).color") == "rgb(28, 25, 22)"
    page.close()


def test_a_loss_of_a_blunder_to_the_point_is_marked_as_one(
    analysis: Analysis, monkeypatch: pytest.MonkeyPatch
) -> None:
    losses = sorted(each.loss for each in analysis.decisions if isinstance(each, PlayDecision))
    monkeypatch.setattr(page_of_analysis, "BLUNDER", losses[-3])
    page = analysis_html(cubed(), analysis, 4)
    marked = [f", {-loss:.3f}" for loss in losses if loss >= losses[-3]]
    assert len(marked) == 3
    assert all(page.count(each) >= 1 for each in marked), marked


def test_times_are_told_where_they_are_known(analysis: Analysis) -> None:
    assert "5 to 15 s" in analysis_html(timed(cubed()), analysis, 4)
    assert "No times are recorded." in analysis_html(cubed(), analysis, 4)


def test_names_cannot_change_the_page(analysis: Analysis) -> None:
    page = analysis_html(replace(cubed(), light='<img src=x>&"'), analysis, 4)
    assert "<img" not in page


def test_a_money_game_has_no_chance_of_winning_a_match() -> None:
    match = MatchRecord("Anna", "Béla", games=cubed().games[:1])
    page = analysis_html(match, analyse(match, lambda _done, _of: None), 1)
    assert "Chance of winning the match" not in page
    assert "money game" in page


@pytest.mark.parametrize("viewer", Side)
def test_the_board_lies_as_the_player_sees_it(viewer: Side) -> None:
    """The viewer's home is at the bottom right, so its five checkers on the 6-point lie left of the bar there."""
    state = MatchState(on_roll=viewer, roll=Roll(3, 1))
    svg = board_svg(START if viewer is Side.LIGHT else START.mirrored(), viewer, state, "b")
    other = board_svg(START, Side.LIGHT, MatchState(on_roll=Side.LIGHT, roll=Roll(3, 1)), "b")
    for pattern in (
        r'<text x="([\d.]+)" y="([\d.]+)".*?>(\d+)</text>',
        r'<circle cx="([\d.]+)" cy="([\d.]+)" r="[\d.]+" class="checker',
        r'<rect x="([\d.]+)" y="([\d.]+)"',
    ):
        assert sorted(re.findall(pattern, svg)) == sorted(re.findall(pattern, other)) != []
    ElementTree.fromstring(svg)


def test_checkers_that_do_not_fit_are_a_number() -> None:
    crowded = Position.from_compact("O" + 23 * "." + ".a")
    svg = board_svg(crowded, Side.LIGHT, MatchState(on_roll=Side.LIGHT), "b")
    assert ">15</text>" in svg


def test_a_curve_beyond_its_axis_is_drawn_at_the_edge() -> None:
    svg = curve_svg(Curve([0, 9, -9], -2, 2, [(0, "0")], [(1, "<&>")]), "c", 100, 100)
    points = re.search(r'points="([^"]+)"', svg)
    assert points
    heights = [float(point.split(",")[1]) for point in points[1].split()]
    assert 0 <= min(heights) < heights[0] < max(heights) <= 100
    ElementTree.fromstring(svg)
