"""How a tournament begins on the page: what is typed reaches every match, and what a format refuses is not asked."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.tournament.fault import RefusalError
from controller.tournament.match import Bracket
from tests.browser import browser
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.web.walk.visitor import Device, Visitor, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

NAMES = "\n".join(f"Player {letter}" for letter in "ABCDEFGH")


def lengths(running: DeskHall) -> dict[Bracket, set[int]]:
    """The match lengths that were drawn, by bracket."""
    found: dict[Bracket, set[int]] = {}
    made = running.evening.tournament()
    assert made is not None
    for match in made.matches.values():
        found.setdefault(match.bracket, set()).add(match.length)
    return found


def log_in(director: Visitor) -> None:
    director.open("/tournament")
    director.page.locator("input[name=pin]").fill(PIN)
    director.page.keyboard.press("Enter")
    director.page.wait_for_url("**/tournament")
    director.page.locator("#field-name").wait_for()


def begin_and_draw(director: Visitor) -> None:
    """Begin what the page has, enter eight players, and draw."""
    page = director.page
    page.locator("form.fields button.main").click()
    page.locator("#field-players").fill(NAMES)
    page.locator("form.stack button.main").click()
    page.locator("ol.players li").nth(7).wait_for()
    director.open("/tournament#matches")
    page.locator("button.main:not([aria-disabled])").first.click()
    page.locator(".sure button[type=submit]").click()
    page.locator("section.round").first.wait_for()


def test_a_match_length_that_is_typed_reaches_consolation_and_last_chance_too(
    browser: "Browser", tmp_path: Path
) -> None:
    with desk_hall(tmp_path, tables=2) as running, visiting(browser, running.address) as director:
        log_in(director)
        page = director.page
        page.locator("#field-name").fill("Quick cup")
        page.locator("#field-format").select_option("consolation")
        page.locator("#field-length").fill("1")
        begin_and_draw(director)
        assert lengths(running) == {Bracket.MAIN: {1}, Bracket.CONSOLATION: {1}, Bracket.LAST_CHANCE: {1}}


@pytest.mark.parametrize("device", [Device(1280, 800), Device(390, 844, "hu", "dark", touch=True)], ids=str)
def test_fields_that_a_format_refuses_are_not_shown_for_it_and_not_sent(
    browser: "Browser", tmp_path: Path, device: Device
) -> None:
    with desk_hall(tmp_path, tables=2) as running, visiting(browser, running.address, device) as director:
        log_in(director)
        page = director.page
        page.locator("#field-name").fill("Cup")

        def shown(chosen: str) -> list[str]:
            page.locator("#field-format").select_option(chosen)
            page.wait_for_timeout(50)
            names = ("length", "consolation", "last_chance", "knockout", "rounds")
            return [each for each in names if page.locator(f"#field-{each}").count()]

        assert shown("swiss") == ["length", "rounds"]
        page.locator("#field-rounds").fill("4")
        assert shown("swiss-knockout") == ["length", "knockout", "rounds"]
        assert page.locator("#field-rounds").input_value() == "4"
        assert shown("round-robin") == ["length", "rounds"]
        assert shown("groups-knockout") == ["length", "knockout", "rounds"]
        assert shown("free") == ["length"]
        assert shown("single-elimination") == ["length"]
        assert shown("double-elimination") == ["length", "consolation"]
        assert shown("consolation") == ["length", "consolation", "last_chance"]
        # What the format says stands in the empty fields; a length that is typed is for all of them.
        assert page.locator("#field-length").get_attribute("placeholder") == "9"
        assert page.locator("#field-consolation").get_attribute("placeholder") == "7"
        assert page.locator("#field-last_chance").get_attribute("placeholder") == "5"
        page.locator("#field-length").fill("3")
        director.until(lambda: page.locator("#field-last_chance").get_attribute("placeholder") == "3")
        page.locator("#field-last_chance").fill("1")
        director.look("begin-consolation")
        # The four rounds that were typed for another format are not sent with this one.
        begin_and_draw(director)
        assert lengths(running) == {Bracket.MAIN: {3}, Bracket.CONSOLATION: {3}, Bracket.LAST_CHANCE: {1}}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("chosen", "field", "key"),
    [
        ("swiss", "consolation", "no_consolation"),
        ("double-elimination", "last_chance", "no_last_chance"),
        ("free", "knockout", "no_knockout"),
        ("free", "rounds", "no_rounds"),
        ("consolation", "rounds", "no_rounds"),
    ],
)
def test_a_program_that_sends_what_a_format_refuses_is_told_so(
    tmp_path: Path, language: str, chosen: str, field: str, key: str
) -> None:
    with desk_hall(tmp_path, tables=1) as running:
        told = {"what": "begin", "name": "Cup", "format": chosen, field: 3 if field == "rounds" else "3"}
        with pytest.raises(RefusalError) as refused:
            carry_out(running.evening, DeedSent.model_validate(told))
        assert refused.value.in_language(language) == catalogue(language).text("tournament", "refused", key)
        assert running.evening.tournament() is None


def test_rounds_are_chosen_for_a_round_robin_too(tmp_path: Path) -> None:
    with desk_hall(tmp_path, tables=1) as running:
        carry_out(running.evening, DeedSent(what="begin", name="Cup", format="round-robin", rounds=3))
        carry_out(running.evening, DeedSent(what="enter", players=NAMES))
        carry_out(running.evening, DeedSent(what="draw"))
        made = running.evening.tournament()
        assert made is not None
        assert {each.round for each in made.matches.values()} == {1, 2, 3}
