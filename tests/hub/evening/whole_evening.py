"""A whole evening at the director's desk, by people with browsers: entries, rounds, a dispute, an undo, the files."""

import hashlib
import io
import json
import random
import time
import zipfile
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from controller.hub.hall import TableFault, TableFaultSeen
from controller.referee import Phase
from controller.rules import Side
from controller.tournament.match import Bracket
from controller.tournament.tournament import Progress, Tournament
from tests.hub.desk_hall import PIN, DeskHall
from tests.hub.evidence.disputed_table import disputed_table
from tests.hub.stand_in import NOW_MS
from tests.web.walk.visitor import Device, visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PATIENCE_S = 180.0
NAMES = ["Anna Kovács", "Béla Szabó", "Éva Nagy", "Mari Tamm", "Jüri Saar", "Ľubica Ďurčová", "Žofia Šimková"]


class EveningWalk:
    """Walks through the evening with a director and somebody in the hall, and looks at each page on its way."""

    def __init__(
        self, browser: "Browser", running: DeskHall, device: Device, players: int, rounds: int
    ) -> None:
        self.running, self.device = running, device
        self.players, self.rounds = players, rounds
        self._browser = browser
        self._folder = running.folder
        self._stack = ExitStack()
        self._chance = random.Random(5)

    def walk(self) -> None:
        with self._stack as stack:
            self.director = stack.enter_context(visiting(self._browser, self.running.address, self.device))
            self.guest = stack.enter_context(visiting(self._browser, self.running.address, self.device))
            self.log_in()
            self.begin()
            self.enter()
            for number in range(1, self.rounds + 1):
                self.draw(number)
                if number == 1:
                    self.look_around()
                    self.dispute()
                if number == 2:
                    self.withdraw()
                self.play(number)
                if number == 1:
                    self.undo()
                self.confirm_all()
            self.end()

    # --- the parts -----------------------------------------------------------------------------------------

    @property
    def tournament(self) -> Tournament:
        found = self.running.evening.tournament()
        assert found is not None
        return found

    def say(self, *path: str, **arguments: object) -> str:
        return self.director.words("page", *path, **arguments)

    def log_in(self) -> None:
        """The first PIN is set at the hub's own machine."""
        self.director.open("/director")
        self.director.page.locator("input[name=pin]").fill(PIN)
        self.director.page.keyboard.press("Enter")
        self.director.page.wait_for_url("**/director")
        self.director.page.locator(".needs.calm a").first.wait_for()
        self.director.page.locator(".who-rules input").fill("Éva")
        self.director.page.keyboard.press("Tab")

    def begin(self) -> None:
        page = self.director.page
        self.director.open("/tournament")
        page.locator("#field-name").fill("Thursday <cup>")
        page.locator("#field-format").select_option("swiss")
        page.locator("#field-length").fill("5")
        page.locator("#field-rounds").fill(str(self.rounds))
        page.locator("#field-clock").select_option("bronstein")
        page.locator("#field-seed").fill("5-2-6-1")
        self.director.look("begin")
        page.locator("form.fields button.main").click()
        page.locator("#field-players").wait_for()

    def enter(self) -> None:
        page = self.director.page
        names = [f"{NAMES[n % len(NAMES)]} {n // len(NAMES) + 1}" for n in range(self.players)]
        page.locator("#field-players").fill(
            "name,club\n" + "\n".join(f"{each},C{n % 4}" for n, each in enumerate(names))
        )
        page.locator("form.stack button.main").click()
        self.wait(lambda: len(self.tournament.entries) == self.players)
        page.locator("ol.players li").nth(self.players - 1).wait_for()
        # A name that is there already is told, and nobody is entered.
        page.locator("#field-players").fill(f"Somebody New\n{names[0]}")
        page.locator("form.stack button.main").click()
        page.locator(".refused").wait_for()
        assert names[0] in page.locator(".refused").inner_text()
        assert len(self.tournament.entries) == self.players
        self.director.wrong.clear()  # the browser's own line for an answer 409
        page.locator("#field-players").fill("")
        self.director.look("players")

    def draw(self, number: int) -> None:
        page = self.director.page
        self.director.open("/tournament#matches")
        page.locator("button.main:not([aria-disabled])").first.click()
        page.locator(".sure button[type=submit]").click()
        self.wait(lambda: self.tournament.rounds_drawn() == number)
        page.locator("section.round").nth(number - 1).wait_for()
        open_now = [s for s in self.tournament.states().values() if s.progress is Progress.OPEN]
        self.wait(lambda: all(s.match.number in self.running.hall_tables(self.tournament) for s in open_now))

    def look_around(self) -> None:
        """Everybody's pages while a round is on, the desk with needs of every kind."""
        hall = self.running.hall
        low = {"light_s": 40.0, "dark_s": 300.0, "runs": "light", "delay_s": 0.0, "at_ms": NOW_MS}
        for name, phase in (
            ("table-2", Phase.DISPUTE),
            ("table-3", Phase.PUT_RIGHT),
            ("table-5", Phase.CUBE_OFFERED),
        ):
            hall.show(name, phase)
        for name in ("table-4",):
            desk = {**(hall.shown(name).desk or {}), "clock": low}
            hall.change(name, desk=desk, screen={**(hall.shown(name).screen or {}), "clock": low})
        hall.change("table-40", up=False, faults=(TableFaultSeen(TableFault.SILENT, NOW_MS - 90_000),))
        hall.change("table-39", faults=(TableFaultSeen(TableFault.CLOCK, NOW_MS, {"seconds": "3600"}),))
        self.director.open("/director")
        self.director.page.locator(".needs .need-fault").first.wait_for()
        kinds = self.director.page.locator(".needs:not(.calm) a").evaluate_all(
            "links => links.map(each => each.className)"
        )
        assert kinds == ["need-dispute", "need-flagged", "need-clock", "need-silent", "need-fault"], kinds
        self.director.look("desk")
        for path in ("/", "/wall?tables=1-12", "/screen", "/overlay?table=2&board=1"):
            self.guest.open(path)
            self.guest.page.wait_for_timeout(400)
            if path in ("/", "/wall?tables=1-12"):
                self.guest.page.locator(".tile svg").first.wait_for()
                count = self.guest.page.locator(".tile").count()
                assert count == (40 if path == "/" else 12)
            self.guest.look(path.strip("/").partition("?")[0] or "hall")
        hall.change("table-40", up=True, faults=())
        hall.change("table-39", faults=())

    def dispute(self) -> None:
        """The director opens the table, sees the play before and after with the camera's pictures, and rules."""
        page = self.director.page
        table = self._stack.enter_context(disputed_table(self._folder / "disputed"))
        self.director.open("/director#table-2")
        page.locator(".one-matter").wait_for()
        assert page.locator(".one-matter figure").count() == 2
        assert page.locator(".one-matter img").count() == 0
        # Nobody reaches the table at first: its sentence stands there, and the boards as they are recorded.
        table.dispute(self.running.hall, pages="")
        page.get_by_text("open = true").wait_for()
        self.director.look("dispute-closed")
        table.dispute(self.running.hall)
        page.locator(".one-matter img").nth(1).wait_for()
        self.wait(lambda: page.evaluate("[...document.images].every(each => each.naturalWidth > 0)"))
        assert not page.get_by_text("open = true").count()
        self.director.look("dispute")
        page.locator(".one-matter .pair button").first.click()
        assert page.evaluate("document.activeElement.id") == "safe"
        page.keyboard.press("Enter")
        assert not [
            body for _, body, _ in self.running.hall.asked if body["what"] not in ("start_match", "message")
        ]
        page.locator(".one-matter .pair button").first.click()
        page.locator(".sure button[type=submit]").click()
        self.wait(
            lambda: any(
                told == "table-2" and body["what"] != "start_match"
                for told, body, _ in self.running.hall.asked
            )
        )
        asked, _, name = self.running.hall.asked[-1]
        assert (asked, name) == ("table-2", "Éva")
        for each in ("table-2", "table-3", "table-4", "table-5"):
            self.running.hall.show(each, Phase.MOVING)
        page.locator("details summary").filter(has_text=self.say("desk", "earlier_disputes")).click()
        page.locator(".past-dispute img").nth(1).wait_for()
        self.director.look("past-dispute")
        self.director.open("/director#all")
        page.locator("#to-all").fill("Round one is on.")
        page.locator("form.stack button.main").click()
        self.wait(lambda: sum(body["what"] == "message" for _, body, _ in self.running.hall.asked) == 40)
        page.locator(".notice-line").wait_for()
        self.director.look("message")

    def withdraw(self) -> None:
        page = self.director.page
        self.director.open("/tournament#players")
        page.locator("ol.players li").nth(0).get_by_role("button").click()
        page.locator(".sure button[type=submit]").click()
        self.wait(lambda: bool(self.tournament.withdrawn))
        page.locator("ol.players li.gone").wait_for()

    def play(self, number: int) -> None:
        """Every match ends at its table, and its record brings the result."""
        states = [s for s in self.tournament.states().values() if s.progress is Progress.OPEN]
        for state in states:
            table = self.tournament.tables[state.match.number]
            self.running.hall.finish(table, self._chance.choice([*Side]), self._chance.randrange(5))
        self.wait(lambda: not any(s.progress is Progress.OPEN for s in self.tournament.states().values()))
        assert all(self.tournament.states()[s.match.number].result is not None for s in states)
        if number == 1:
            self.director.open("/tournament#matches")
            self.director.page.locator(".match.unconfirmed").nth(len(states) - 1).wait_for()
            self.director.look("unconfirmed")

    def undo(self) -> None:
        """A result is confirmed by hand, another one is put right, one is undone and entered anew."""
        page = self.director.page
        third = list(self.tournament.results)[2]
        self.confirm_by_phone(third)
        first, second = list(self.tournament.results)[:2]
        page.locator(f"#match-{first} .match-row > button").first.click()
        self.wait(lambda: first in self.tournament.confirmed)
        before = self.tournament.results[second]
        self.director.open("/tournament#log")
        number = next(
            n
            for n, each in enumerate(self.running.events(), start=1)
            if getattr(each, "match", 0) == second and hasattr(each, "result")
        )
        row = (
            page.locator("ol.log > li", has=page.locator(".number", has_text=f"{number}"))
            .filter(has_text=f"{number}")
            .first
        )
        row.get_by_role("button").click()
        self.director.look("log")
        page.locator(".sure button[type=submit]").click()
        self.wait(lambda: second not in self.tournament.results)
        self.director.open(f"/tournament#match-{second}")
        # The page is still the one on which it was undone, and hears of it a moment later.
        page.locator(f"#match-{second}.open").wait_for()
        page.locator("#points-0").fill(str(before.score[0]))
        page.locator("#points-1").fill(str(before.score[1]))
        self.director.look("result")
        page.locator(".edit form button.main").click()
        self.wait(lambda: second in self.tournament.results)
        assert self.tournament.results[second] == before
        assert not self.tournament.is_unconfirmed(second)

    def confirm_by_phone(self, match: int) -> None:
        """Both players type their PINs behind the match's code, which hall and desk show."""
        page, phone = self.director.page, self.guest.page
        table = self.tournament.tables[match]
        self.director.open(f"/director#{table}")
        page.locator(".phone-code img").wait_for()
        self.director.look("result-here")
        self.guest.open("/screen?seconds=3600")
        phone.locator(".codes img").first.wait_for()
        self.guest.look("screen-codes")
        self.guest.open("/confirm")
        self.guest.look("confirm-list")
        phone.locator(f'a[href="/confirm/{match}"]').click()
        self.director.open("/tournament#players")
        pins = self.pins_shown()
        wrong = next(f"{n:04d}" for n in range(200) if f"{n:04d}" not in pins.values())
        for pin in (wrong, *(pins[self.tournament.entries[each].name] for each in self.seated(match))):
            phone.locator("#pin").fill(pin)
            phone.locator("form button").click()
            if pin == wrong:
                phone.get_by_role("alert").wait_for()
                self.guest.wrong.clear()  # the browser's own line for an answer 403
                self.guest.look("confirm-wrong")
            elif pin == pins[self.tournament.entries[self.seated(match)[0]].name]:
                self.wait(lambda: self.tournament.confirmed_by.get(match))
                phone.get_by_text(self.guest.words("page", "confirm", "has_confirmed"), exact=True).wait_for()
                self.guest.look("confirm-half")
        self.wait(lambda: match in self.tournament.confirmed)
        phone.get_by_role("status").wait_for()
        self.guest.look("confirm-done")
        self.director.open("/player-pins")
        assert page.locator(".slips li").count() == self.players
        self.director.look("player-pins")
        self.director.open("/tournament#matches")
        page.locator(f"#match-{match}").filter(
            has_text=self.tournament.entries[self.seated(match)[1]].name
        ).wait_for()

    def seated(self, match: int) -> tuple[int, ...]:
        return self.tournament.states()[match].players

    def pins_shown(self) -> dict[str, str]:
        """The PINs beside the players' names, as the director reads them."""
        page = self.director.page
        page.locator("ol.players li").nth(self.players - 1).wait_for()
        rows: list[list[str]] = page.locator("ol.players li").evaluate_all(
            "rows => rows.map(row => ['.person', '.small'].map(name => row.querySelector(name).textContent))"
        )
        return {name: told.partition("PIN ")[2][:4] for name, told in rows}

    def confirm_all(self) -> None:
        for number in [n for n in self.tournament.results if self.tournament.is_unconfirmed(n)]:
            self.running.evening.confirm(number, "Éva")

    def end(self) -> None:
        """Standings and files; what was exported says what was played."""
        page = self.director.page
        self.director.open("/tournament#standings")
        page.locator("table tbody tr").nth(self.players - 1).wait_for()
        self.director.look("standings")
        self.director.open("/tournament#matches")
        page.locator(".champion").wait_for()
        self.guest.open("/screen?seconds=3")
        self.guest.page.locator(".rows li").first.wait_for()
        self.guest.look("screen-end")
        self.director.open("/reports")
        page.locator(".pins .code").first.wait_for()
        self.director.look("reports")
        self.director.open("/tournament#files")
        page.locator("ul.files a").first.wait_for()
        self.director.look("files")
        addresses = page.locator("ul.files a").evaluate_all(
            "links => links.map(each => each.getAttribute('href'))"
        )
        for address in addresses:
            answer = page.request.get(f"{self.running.address}{address}")
            assert answer.ok, address
        self.disputes_are_in_the_file()
        told = json.loads(page.request.get(f"{self.running.address}/api/v1/evening/export/json").text())
        assert told["over"]
        assert len(told["players"]) == self.players
        played = [m for m in told["matches"] if m["bracket"] == Bracket.ROUNDS and m["ending"] == "played"]
        assert len(played) >= self.rounds * (self.players // 2 - 1)
        assert all(m["confirmed"] for m in played)
        assert sum(bool(m["journal"]) for m in played) == len(played) - 1

    def disputes_are_in_the_file(self) -> None:
        """The one dispute of the evening, for the director alone."""
        address = f"{self.running.address}/api/v1/evidence.zip"
        assert self.guest.page.request.get(address).status == 401
        with zipfile.ZipFile(io.BytesIO(self.director.page.request.get(address).body())) as packed:
            (told,) = json.loads(packed.read("disputes.json"))
            assert told["table"] == "table-2"
            for each in told["pictures"]:
                assert hashlib.sha256(packed.read(each["file"])).hexdigest() == each["sha256"]

    def wait(self, come: Callable[[], object]) -> None:
        end = time.monotonic() + PATIENCE_S
        while not come():
            assert time.monotonic() < end, self.director.page.inner_text("body")
            self.director.page.wait_for_timeout(50)
