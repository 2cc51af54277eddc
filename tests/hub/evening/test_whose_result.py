"""Which records are results: those of matches that the hub had a table begin since their draw. Others are told."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from errno import ENOSPC
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.content import evening_content
from controller.hub.evening.notice import NoticeKind
from controller.hub.evening.record_watch import AWAITED_MS
from controller.hub.evening.tournament_log import change_log
from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES
from controller.record.journal import event_file
from controller.referee import Phase
from controller.rules import Side
from controller.tournament import changes
from controller.tournament.catalogue import load_format
from controller.tournament.changes import EntryWish
from controller.web.table_service import RoomState
from tests.browser import browser
from tests.hub.desk_hall import PIN, DeskHall, desk_hall
from tests.hub.evening.test_club_evening import BY, look_again, settled, tournament, wait_for
from tests.hub.stand_in import NOW_MS, StandInHall, match_record
from tests.web.walk.visitor import visiting

if TYPE_CHECKING:
    from playwright.sync_api import Browser

__all__ = ["browser"]

LOOK_S = 0.05
"""So often the hub looks again, that nobody waits for it here."""
AN_HOUR_MS = 3_600_000
TWO = ("Ada", "Anu")


@dataclass
class Weeks:
    """A hub's evening, week after week.

    Attributes:
        hall: its tables.
        now_ms: the time by the hub's clock.
    """

    folder: Path
    hall: StandInHall
    now_ms: int = NOW_MS
    evening: ClubEvening = field(init=False)

    def utc(self) -> str:
        import datetime

        return datetime.datetime.fromtimestamp(self.now_ms / 1000, datetime.UTC).isoformat()

    def pass_time(self, ms: int) -> None:
        self.now_ms += ms
        self.hall.now = self.now_ms

    def start(self) -> None:
        file = self.folder / "tournament.jsonl"
        self.evening = ClubEvening(self.hall, file, self.utc, lambda: self.now_ms, LOOK_S)

    def restart(self) -> None:
        """The hub ends, and starts again."""
        self.evening.close()
        self.hall._hearers.clear()
        self.start()

    def begin(self, name: str = "Cup", players: tuple[str, ...] = TWO, *, assign: bool = True) -> None:
        """A tournament whose first round is drawn."""
        self.pass_time(AN_HOUR_MS)
        self.evening.begin(name, load_format("swiss"), "1", BY)
        self.evening.enter([EntryWish(each) for each in players], BY)
        self.evening.draw(BY, assign=assign)
        self.pass_time(AN_HOUR_MS)

    def end_confirmed(self) -> None:
        """The match is played, its result is confirmed, and the tournament is put away."""
        self.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(self.evening).results)
        self.evening.confirm(1, BY)
        self.evening.put_away()

    def play_unsent(self) -> None:
        """The two play a match of their own at another table, which is told."""
        self.hall.play("table-3", *TWO, 7, {"event": ""})
        self.hall.finish("table-3", Side.LIGHT, 3)
        wait_for(self.evening.notices.shown)

    def results(self) -> dict[int, tuple[int, int]]:
        settled(self.evening)
        return {number: each.score for number, each in tournament(self.evening).results.items()}

    def told(self) -> list[NoticeKind]:
        settled(self.evening)
        return [each.kind for each in self.evening.notices.shown()]


@contextmanager
def weeks_in(folder: Path, tables: int = 3) -> Iterator[Weeks]:
    weeks = Weeks(folder, StandInHall(folder, tables))
    weeks.start()
    try:
        yield weeks
    finally:
        weeks.evening.close()


def test_an_unconfirmed_result_of_last_week_decides_nothing_when_the_two_meet_again(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin("Last week")
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        weeks.evening.put_away()
        weeks.begin("Tonight", assign=False)
        assert weeks.results() == {}
        assert weeks.told() == []
        weeks.evening.assign_free(BY)
        assert weeks.results() == {}
        weeks.hall.finish("table-1", Side.DARK, 2)
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (2, 7)}


@pytest.mark.parametrize("event", ["Last week", "Tonight"])
def test_a_confirmed_result_of_last_week_does_not_come_back_after_the_hub_was_restarted(
    tmp_path: Path, event: str
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin(event)
        weeks.end_confirmed()
        weeks.restart()
        weeks.begin("Tonight", assign=False)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        assert weeks.told() == [NoticeKind.EARLIER]


def test_a_match_of_the_last_event_that_ends_in_the_next_one_is_told_as_what_it_is(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin("Last week")
        weeks.evening.put_away()
        weeks.begin("Tonight", assign=False)
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        (notice,) = weeks.evening.notices.shown()
        assert (notice.kind, notice.arguments["event"]) == (NoticeKind.OTHER_EVENT, "Last week")


@pytest.mark.parametrize("ms", [-3 * AN_HOUR_MS, -NOW_MS])
def test_what_the_two_play_for_themselves_is_told_though_the_hubs_clock_was_set_back_after_the_draw(
    tmp_path: Path, ms: int
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin(assign=False)
        weeks.pass_time(ms)
        weeks.play_unsent()
        assert weeks.told() == [NoticeKind.NOT_SENT]


def test_what_another_program_draws_while_the_hub_runs_is_known_by_what_is_stored(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.evening.begin("Cup", load_format("swiss"), "1", BY)
        weeks.evening.enter([EntryWish(each) for each in TWO], BY)
        with change_log(tmp_path / "tournament.jsonl") as log:
            log.append([changes.draw(log.events)], weeks.utc())
        wait_for(lambda: tournament(weeks.evening).matches)
        weeks.pass_time(-3 * AN_HOUR_MS)
        weeks.play_unsent()
        assert weeks.told() == [NoticeKind.NOT_SENT]


def test_a_record_of_last_week_is_told_as_such_though_the_hub_began_tonight_in_1970(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin("Last week")
        weeks.end_confirmed()
        weeks.pass_time(-weeks.now_ms)
        weeks.restart()
        weeks.begin("Tonight", assign=False)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        assert weeks.told() == [NoticeKind.EARLIER]


def test_a_result_counts_though_the_hubs_clock_is_set_back_before_and_after_it(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        weeks.pass_time(-5 * AN_HOUR_MS)
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        weeks.pass_time(-NOW_MS)
        weeks.restart()
        weeks.evening.confirm(1, BY)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


@pytest.mark.parametrize("event", ["", "Cup"])
@pytest.mark.parametrize("table", ["table-1", "table-3"])
def test_what_the_two_play_for_themselves_decides_nothing_whatever_it_calls_itself(
    tmp_path: Path, table: str, event: str
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin(assign=False)
        weeks.hall.play(table, *TWO, 7, {"event": event})
        weeks.hall.finish(table, Side.LIGHT, 3)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        (notice,) = weeks.evening.notices.shown()
        assert (notice.kind, notice.arguments["match"]) == (NoticeKind.NOT_SENT, "1")


def test_another_table_that_sends_the_record_of_a_match_decides_nothing_and_hides_nothing(
    tmp_path: Path,
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        command = weeks.hall.commands["table-1"]
        assert weeks.hall.asked[-1][0] == "table-1"
        weeks.hall.play("table-3", *TWO, 7, {"event": "Cup"})
        weeks.hall.finish("table-3", Side.DARK, 0, command=command)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        assert weeks.told() == [NoticeKind.OTHER_TABLE]
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}


def test_a_copy_of_a_record_from_another_table_does_not_hide_it(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        shown: Any = weeks.hall.shown("table-1").screen
        names = (str(shown["match"]["light"]), str(shown["match"]["dark"]))
        record = match_record(names, 7, Side.LIGHT, 3, "Cup")
        journal = weeks.hall.store("table-1", record)
        rows = [each.row for each in weeks.hall.events("table-1", journal=journal)]
        weeks.hall.add("table-3", journal, rows)
        weeks.hall.show(
            "table-3", Phase.MATCH_OVER, RoomState.OVER, match={"winner": "light"}, journal=journal
        )
        wait_for(weeks.evening.notices.shown)
        assert weeks.told() == [NoticeKind.OTHER_TABLE]
        weeks.hall.show(
            "table-1", Phase.MATCH_OVER, RoomState.OVER, match={"winner": "light"}, journal=journal
        )
        wait_for(lambda: tournament(weeks.evening).results)


def test_a_match_that_was_moved_counts_where_it_was_moved_to(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        weeks.evening.assign(1, "table-2", BY)
        weeks.hall.finish("table-1", Side.DARK, 0)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        assert weeks.told() == [NoticeKind.OTHER_TABLE]
        weeks.hall.finish("table-2", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}


def test_what_began_before_the_match_was_drawn_anew_does_not_count_for_it(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        drawn = next(n for n, each in enumerate(events(weeks), start=1) if hasattr(each, "matches"))
        weeks.evening.undo(drawn, BY, later=True)
        weeks.evening.draw(BY, assign=False)
        weeks.pass_time(1000)
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {}
        assert weeks.told() == [NoticeKind.NOT_SENT]


def events(weeks: Weeks) -> list[object]:
    log = weeks.evening.log()
    return [] if log is None else [*log.events]


def test_a_match_that_was_sent_again_counts_whichever_of_its_commands_began_it(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        first = weeks.hall.commands["table-1"]
        weeks.hall.refuse["table-1"] = "A match is on."
        weeks.evening.send(1, BY)
        weeks.hall.finish("table-1", Side.LIGHT, 3, command=first)
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


def test_a_record_that_says_what_was_entered_by_hand_is_no_news_and_another_one_is_told(
    tmp_path: Path,
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin(players=("Ada", "Anu", "Bob", "Cid"))
        weeks.evening.report(1, (7, 3), BY)
        weeks.evening.report(2, (7, 3), BY)
        one, other = (tournament(weeks.evening).tables[number] for number in (1, 2))
        weeks.hall.finish(one, Side.LIGHT, 3)
        weeks.hall.finish(other, Side.LIGHT, 5)
        wait_for(weeks.evening.notices.shown)
        assert weeks.results() == {1: (7, 3), 2: (7, 3)}
        (notice,) = weeks.evening.notices.shown()
        assert (notice.kind, notice.arguments["match"]) == (NoticeKind.HAS_RESULT, "2")


def test_a_result_that_came_while_the_hub_was_away_is_found_though_its_table_plays_something_else(
    tmp_path: Path,
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        weeks.evening.close()
        weeks.hall._hearers.clear()
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        weeks.hall.play("table-1", "Somebody", "Else", 3, {})
        weeks.hall.change("table-1", journal="0123456789abcdef")
        weeks.start()
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


def test_a_match_with_a_head_start_is_sent_though_its_table_still_shows_the_two_of_last_week(
    tmp_path: Path,
) -> None:
    with weeks_in(tmp_path, tables=1) as weeks:
        weeks.begin("Last week")
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        weeks.evening.put_away()
        before = len(weeks.hall.asked)
        carry_out(weeks.evening, DeedSent(what="begin", name="Tonight", format="swiss"))
        carry_out(weeks.evening, DeedSent(what="enter", players="name,head_start\nAda,1\nAnu,0"))
        carry_out(weeks.evening, DeedSent(what="draw"))
        asked = [body["what"] for _, body, _ in weeks.hall.asked[before:]]
        assert asked[:1] == ["start_match"]


# --- results that are late, or cannot be entered ---------------------------------------------------------------


def test_a_result_is_entered_however_long_the_tournaments_file_could_not_be_read(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        file = tmp_path / "tournament.jsonl"
        whole = file.read_bytes()
        # Somebody has opened it with an editor, and it has kept half a line in the middle.
        file.write_bytes(whole[:200] + b"\n" + whole[200:])
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        weeks.hall.play("table-1", "Somebody", "Else", 3, {})
        weeks.hall.change("table-1", journal="0123456789abcdef")
        look_often(weeks)
        file.write_bytes(whole)
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}


def look_often(weeks: Weeks, times: int = 70) -> None:
    """Have the records looked at more often than once was thought to be enough, and for longer than any may take."""
    weeks.pass_time(AWAITED_MS + 1)
    for _ in range(times):
        look_again(weeks.evening)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_that_cannot_be_entered_because_the_disk_is_full_is_told_until_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, language: str
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()

        def full(*_: object) -> None:
            raise OSError(ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(event_file, "_write", full)
            weeks.hall.finish("table-1", Side.LIGHT, 3)
            wait_for(weeks.evening.notices.shown)
            look_often(weeks)
            assert weeks.told() == [NoticeKind.NOT_ENTERED]
            (said,) = texts(weeks.evening, language)
            assert "Ada - Anu" in said or "Anu - Ada" in said
            assert "No space left on device" in said
            # Who has taken it off the list is not told again of the same.
            weeks.evening.notices.forget(weeks.evening.notices.shown()[0].journal)
            assert weeks.told() == []
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


def texts(evening: ClubEvening, language: str = "en") -> list[str]:
    """The notices as the director reads them."""
    return [each["text"] for each in evening_content(evening, language, director=True)["notices"]]


def go_on_before_record(weeks: Weeks, first: int) -> Callable[[], None]:
    """Table 1 ends its match and goes on to another; the rows of its record from ``first`` on are on their way still.

    What is given back has them come.
    """
    held: list[tuple[str, list[Any]]] = []
    add: Callable[..., None] = weeks.hall.add

    def hold(name: str, journal: str, rows: list[Any]) -> None:
        held.append((journal, rows[first:]))
        if rows[:first]:
            add(name, journal, rows[:first])

    weeks.hall.add = hold  # type: ignore[method-assign,assignment]
    weeks.hall.finish("table-1", Side.LIGHT, 3)
    weeks.hall.add = add  # type: ignore[method-assign]
    weeks.hall.play("table-1", "Somebody", "Else", 3, {})
    weeks.hall.change("table-1", journal="0123456789abcdef")
    ((journal, rows),) = held
    return lambda: weeks.hall.add("table-1", journal, rows)


def test_a_record_that_comes_whole_long_after_its_table_went_on_is_told_as_missing_and_then_entered(
    tmp_path: Path,
) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        have_rest_come = go_on_before_record(weeks, -1)
        assert weeks.told() == []
        look_often(weeks)
        assert weeks.told() == [NoticeKind.UNFINISHED]
        have_rest_come()
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


def test_a_record_of_which_nothing_had_come_when_its_table_went_on_is_waited_for(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        have_rest_come = go_on_before_record(weeks, 0)
        settled(weeks.evening)
        have_rest_come()
        wait_for(lambda: tournament(weeks.evening).results)
        assert weeks.results() == {1: (7, 3)}
        assert weeks.told() == []


def test_a_match_that_goes_on_after_a_power_cut_is_not_told_as_missing(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin()
        record = match_record(TWO, 7, Side.LIGHT, 3, "Cup")
        add: Callable[..., None] = weeks.hall.add
        weeks.hall.add = lambda name, journal, rows: add(name, journal, rows[:-1])  # type: ignore[method-assign]
        journal = weeks.hall.store("table-1", record)
        weeks.hall.add = add  # type: ignore[method-assign]
        weeks.hall.show("table-1", Phase.MOVING, RoomState.READY, journal=journal)
        settled(weeks.evening)
        weeks.hall.play("table-1", *TWO, 7, {"event": "Cup"})
        weeks.hall.change("table-1", journal=journal)
        look_often(weeks, times=2)
        assert weeks.told() == []


# --- what the director reads -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_record_that_brings_no_result_is_told_in_the_language_of_the_page(
    tmp_path: Path, language: str
) -> None:
    told: dict[NoticeKind, str] = {}
    with weeks_in(tmp_path) as weeks:
        weeks.begin("Last week")
        weeks.hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(weeks.evening).results)
        weeks.evening.put_away()
        weeks.restart()
        weeks.begin("Tonight", ("Ada", "Anu", "Bob", "Cid"), assign=False)
        wait_for(weeks.evening.notices.shown)
        for names, more in cases(weeks).items():
            weeks.hall.play("table-2", *names, 7, {"event": more.get("event", "")})
            weeks.hall.finish("table-2", Side.LIGHT, 3, command="", **more)
            settled(weeks.evening)
        for notice, text in zip(weeks.evening.notices.shown(), texts(weeks.evening, language), strict=True):
            told[notice.kind] = text
    assert {*told} == {
        NoticeKind.EARLIER,
        NoticeKind.OTHER_EVENT,
        NoticeKind.NOT_SENT,
        NoticeKind.NOT_PAIRED,
    }
    assert all("Table" in each and "{" not in each for each in told.values())


def cases(weeks: Weeks) -> Mapping[tuple[str, str], dict[str, Any]]:
    """Pairs of players, and what else is said of their match."""
    made = tournament(weeks.evening)
    one, other = (made.entries[each].name for each in made.states()[1].players)
    return {(one, other): {}, ("Dan", "Eve"): {}, ("Fay", "Gil"): {"event": "Another cup"}}


@pytest.mark.parametrize(
    ("language", "said", "said_not"),
    [
        ("en", "instead of 1 point,", "1 points"),
        ("hu", "1 helyett 5 pontig", "{"),
        ("et", "1 asemel 5 punktini", "{"),
        ("sk", "do 5 namiesto 1 bodu,", "1 bodov"),
    ],
)
def test_a_single_point_is_told_as_one(tmp_path: Path, language: str, said: str, said_not: str) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.pass_time(AN_HOUR_MS)
        form = load_format("swiss")
        short = replace(form, match=replace(form.match, length=(1,)))
        weeks.evening.begin("Cup", short, "1", BY)
        weeks.evening.enter([EntryWish(each) for each in TWO], BY)
        weeks.evening.draw(BY, assign=True)
        weeks.hall.finish("table-1", Side.LIGHT, 3, length=5)
        wait_for(weeks.evening.notices.shown)
        assert weeks.told() == [NoticeKind.OTHER_LENGTH]
        (text,) = texts(weeks.evening, language)
        assert said in text
        assert said_not not in text


def test_a_match_to_one_point_that_is_not_paired_is_told_in_slovak_as_one(tmp_path: Path) -> None:
    with weeks_in(tmp_path) as weeks:
        weeks.begin("Tonight")
        weeks.hall.play("table-2", "Dan", "Eve", 1, {"event": ""})
        weeks.hall.finish("table-2", Side.LIGHT, 0, command="")
        wait_for(weeks.evening.notices.shown)
        (text,) = texts(weeks.evening, "sk")
        assert "do 1 bodu," in text


def test_records_of_earlier_matches_are_folded_up_and_no_alarm(browser: "Browser", tmp_path: Path) -> None:
    with desk_hall(tmp_path, tables=2) as running, visiting(browser, running.address) as director:
        show_last_weeks(running)
        carry_out(running.evening, DeedSent(what="begin", name="Tonight", format="swiss"))
        running.hall.change("table-1", heard_ms=NOW_MS + 1)
        wait_for(running.evening.notices.shown)
        for page in ("director", "tournament"):
            director.open(f"/{page}")
            if page == "director":
                director.page.locator("input[name=pin]").fill(PIN)
                director.page.keyboard.press("Enter")
                director.page.wait_for_url("**/director")
            summary = director.page.get_by_text("1 record of an earlier match")
            summary.wait_for()
            assert not director.page.locator(".result.notice").count()
            summary.click()
            director.look(f"earlier-{page}")
        director.page.get_by_role("button", name="Known").click()
        summary.wait_for(state="detached")


def show_last_weeks(running: DeskHall) -> None:
    """A table shows the end of a match that was played long before anything that the hub's file tells."""
    running.hall.now = NOW_MS - 7 * 24 * AN_HOUR_MS
    running.hall.play("table-1", *TWO, 7, {"event": "Last week"})
    running.hall.finish("table-1", Side.LIGHT, 3, command="")
    running.hall.now = NOW_MS
