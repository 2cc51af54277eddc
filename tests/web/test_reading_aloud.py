"""Pages that read aloud: what they are sent to say, to whom, when, and what a browser says of it."""

import asyncio
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from controller.referee.table.settings import Settings
from controller.rules.position import Side
from controller.rules.profile.conduct import IllegalPolicy
from controller.rules.profile.profile import STANDARD
from controller.speech.announcement import TimeLeft
from controller.speech.phrase import SpokenTopic
from controller.web.audience import Audience
from controller.web.channel import Follower
from controller.web.outlet import Outlet
from controller.web.table_service import News, Role
from tests.referee.staging import cheated
from tests.referee.table.evening import Evening, match_terms
from tests.web.browsers import TABLE, opened
from tests.web.served_table import TableHouse

if TYPE_CHECKING:
    from playwright.sync_api import Browser

SPECTATOR, DIRECTOR = Audience(), Audience(Role.DIRECTOR)
DELAY_S = 60.0
RECORDER = """
window.said = [];
class Utterance { constructor(text) { this.text = text; } }
Object.defineProperty(window, 'SpeechSynthesisUtterance', {value: Utterance});
Object.defineProperty(window, 'speechSynthesis', {value: {
  getVoices: () => [{lang: 'hu-HU'}, {lang: 'en-GB'}],
  cancel: () => window.said.push('cut off'),
  speak: (utterance) => window.said.push(`${utterance.voice?.lang}: ${utterance.text}`),
}});
"""


def at_roll(profile: Any = STANDARD) -> TableHouse:
    """A table at which Light, who rolled 3-1, is to play."""
    evening = Evening(Settings(match_terms(profile, 3)))
    evening.start(3, 1)
    return TableHouse(evening)


def play_legally(evening: Evening) -> None:
    evening.move(evening.legal())
    evening.done()


def play_wrongly(evening: Evening) -> None:
    thrown = evening.table.thrown
    assert thrown is not None
    assert thrown.side is not None
    bad = cheated("wrong_distance", evening.table.position, thrown.side, thrown.roll, evening.rng)
    assert bad is not None
    evening.move(bad, 3)
    evening.done()


class Listeners:
    """An outlet and one page of each audience; the test turns the clock."""

    def __init__(self, house: TableHouse, *audiences: Audience, delay_s: float = 0.0, **given: Any) -> None:
        self.house, self.t_s = house, 1000.0
        self.outlet = Outlet(house, lambda: round(self.t_s * 1000), delay_s, **given)
        self.outlet.open()
        self.followers = {audience: Follower() for audience in audiences}
        for audience, follower in self.followers.items():
            self.outlet.channel(audience).followers.add(follower)

    async def after(self, seconds: float = 0.0) -> None:
        await asyncio.sleep(0)
        self.t_s += seconds
        self.outlet.show_due()

    def told(self, audience: Audience = SPECTATOR) -> list[dict[str, Any]]:
        queue = self.followers[audience].queue
        return [json.loads(queue.get_nowait()) for _ in range(queue.qsize())]

    def said(self, audience: Audience = SPECTATOR) -> list[str]:
        return [each["text"] for each in self.told(audience) if each["kind"] == "speech"]


def test_pages_are_sent_what_is_said_and_one_that_comes_back_never_hears_it_late() -> None:
    async def evening() -> None:
        pages = Listeners(at_roll(), SPECTATOR)
        channel = pages.outlet.channel(SPECTATOR)
        run, seq = channel.run, channel.seq
        pages.house.play(play_legally)
        await pages.after()
        (speech,) = [each for each in pages.told() if each["kind"] == "speech"]
        assert speech["text"].startswith("Anna: ")
        assert speech["text"].endswith("Béla to roll.")
        assert (speech["language"], speech["sound"], speech["waits"]) == ("en", "legal", False)
        assert "seq" not in speech
        missed = channel.since(run, seq)
        assert missed
        assert all(json.loads(text)["kind"] != "speech" for text in missed)
        pages.outlet.close()

    asyncio.run(evening())


def test_each_page_is_told_in_its_own_language() -> None:
    async def evening() -> None:
        languages = [Audience(language=each) for each in ("en", "hu", "et", "sk")]
        pages = Listeners(at_roll(), *languages)
        pages.house.play(play_legally)
        await pages.after()
        said = [pages.said(each)[-1] for each in languages]
        assert [text.split(". ")[-1] for text in said] == [
            "Béla to roll.",
            "Béla dob.",
            "Béla veeretab.",
            "Hádže Béla.",
        ]
        pages.outlet.close()

    asyncio.run(evening())


def test_not_even_the_directors_page_reads_aloud_what_both_players_may_not_know() -> None:
    conduct = replace(STANDARD.conduct, illegal_policy=IllegalPolicy.RESPONSIBLE)

    async def evening() -> None:
        pages = Listeners(at_roll(replace(STANDARD, conduct=conduct)), DIRECTOR, SPECTATOR)
        pages.house.play(play_wrongly)
        await pages.after()
        pages.house.play(lambda evening: evening.turn(6, 5))
        await pages.after()
        to_director = pages.told(DIRECTOR)
        assert any(each["kind"] == "flagged" for each in to_director)
        aloud = [each["text"] for each in to_director if each["kind"] == "speech"]
        assert aloud == pages.said(SPECTATOR)
        assert aloud
        assert not any("legal" in text for text in aloud)
        pages.outlet.close()

    asyncio.run(evening())


def test_spectators_hear_it_as_late_as_they_see_it() -> None:
    async def evening() -> None:
        pages = Listeners(at_roll(), SPECTATOR, delay_s=DELAY_S)
        await pages.after(DELAY_S)
        pages.told()
        pages.house.play(play_legally)
        await pages.after(DELAY_S - 1)
        assert not pages.said()
        await pages.after(2)
        assert [text.split(":")[0] for text in pages.said()] == ["Anna"]
        pages.outlet.close()

    asyncio.run(evening())


def test_pages_speak_of_the_topics_that_the_configuration_names() -> None:
    async def evening() -> None:
        pages = Listeners(at_roll(), SPECTATOR, topics=(SpokenTopic.REQUEST,))
        pages.house.play(play_legally)
        await pages.after()
        assert pages.said() == ["Béla to roll."]
        pages.outlet.close()

    asyncio.run(evening())


def test_the_last_minute_is_called_on_pages_and_late_where_spectators_are_late() -> None:
    async def evening() -> None:
        house = at_roll()
        pages = Listeners(house, SPECTATOR, DIRECTOR, delay_s=DELAY_S)
        await pages.after(DELAY_S)
        left = News(house.view(), left=TimeLeft(Side.DARK, 60))
        for news in (News(house.view()), left, News(house.view())):
            pages.outlet.publish(news)
        await pages.after()
        assert pages.said(DIRECTOR) == ["Béla: one minute left."]
        assert not pages.said()
        await pages.after(DELAY_S)
        assert pages.said() == ["Béla: one minute left."]
        pages.outlet.close()

    asyncio.run(evening())


@pytest.mark.parametrize("path", ["/", "/watch"])
def test_a_page_is_mute_until_somebody_ticks_the_box_and_again_when_it_is_loaded_anew(
    browser: "Browser", path: str
) -> None:
    house = at_roll()
    with opened(house) as hall:
        context = browser.new_context(extra_http_headers={"x-test-seat": TABLE})
        page = context.new_page()
        errors: list[object] = []
        page.on("pageerror", lambda it: errors.append(it))
        page.on("console", lambda it: errors.append(it.text) if it.type == "error" else None)
        page.add_init_script(RECORDER)
        with page.expect_websocket() as line:
            page.goto(hall.server.address + path)
        line.value.wait_for_event("framereceived")
        page.locator("details.status summary").first.click()
        box = page.get_by_label("Read aloud")
        assert not box.is_checked()
        # What is to be said is never sent again, so the page must have had it while it was mute.
        with line.value.expect_event("framereceived", lambda frame: '"speech"' in frame):
            house.play(play_legally)
        assert page.evaluate("said") == []
        box.check()
        assert page.evaluate("said.at(-1)") == "en-GB: Read aloud"
        house.play(lambda evening: evening.roll(6, 6))
        page.wait_for_function("() => said.at(-1) === 'en-GB: Béla: double sixes.'")
        assert page.evaluate("said.at(-2)") == "cut off"
        page.reload()
        page.locator("details.status summary").first.click()
        assert not page.get_by_label("Read aloud").is_checked()
        assert errors == []
        context.close()
