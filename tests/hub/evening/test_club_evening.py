"""The tournament at the hub: tables get matches, records bring results, once, and people confirm them."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from controller.errors import UserError
from controller.hub.evening.club_evening import ClubEvening
from controller.hub.evening.given_matches import GivenMatches
from controller.hub.evening.notice import NoticeKind
from controller.hub.evening.sent_match import SendingState
from controller.hub.evening.tournament_log import read_log
from controller.hub.hall import TableFault, TableFaultSeen
from controller.hub.server.deeds import DeedSent, carry_out
from controller.messages.catalogue import LANGUAGES, catalogue
from controller.record import Journal
from controller.referee import Phase
from controller.rules import Side
from controller.tournament.catalogue import load_format
from controller.tournament.changes import EntryWish
from controller.tournament.events import ResultReported
from controller.tournament.match import MatchEnding
from controller.tournament.tournament import Progress, Tournament
from controller.web.table_service import RoomState
from tests.hub.stand_in import NOW_MS, StandInHall, match_record, sign

PATIENCE_S = 120.0
BY = "Éva"


@contextmanager
def evening_of(
    folder: Path, tables: int = 3, players: int = 4, *, drawn: bool = True, form: str = "swiss"
) -> Iterator[tuple[ClubEvening, StandInHall]]:
    """A tournament whose first round is drawn, at tables that are free."""
    hall = StandInHall(folder, tables)
    with ClubEvening(
        hall, folder / "tournament.jsonl", lambda: "2026-11-23T18:00:00Z", lambda: NOW_MS
    ) as evening:
        evening.begin("Cup", load_format(form), "1", BY)
        evening.enter([EntryWish(f"Player {letter}") for letter in "ABCDEFGH"[:players]], BY)
        if drawn:
            evening.draw(BY, assign=True)
        yield evening, hall


def wait_for(come: Callable[[], object]) -> None:
    """Wait until something has come true that another thread brings about."""
    end = time.monotonic() + PATIENCE_S
    while not come():
        assert time.monotonic() < end
        time.sleep(0.002)


def tournament(evening: ClubEvening) -> Tournament:
    found = evening.tournament()
    assert found is not None
    return found


def settled(evening: ClubEvening) -> None:
    """Wait until all that is watched has been looked at: twice, because one look may have begun before."""
    look_again(evening)
    look_again(evening)


def look_again(evening: ClubEvening) -> None:
    """Have everything that is watched looked at once more, and wait for that."""
    records = evening._records
    before = [(record, each, each.looks) for record, each in [*records._watched.items()]]
    with evening._version.lock:
        records._heard.update(table for (table, _), _, _ in before)
    evening._wake.set()
    wait_for(
        lambda: all(
            each.looks > looks or records._watched.get(record) is not each for record, each, looks in before
        )
    )


def test_a_draw_gives_its_matches_to_free_tables_and_sends_them_there(tmp_path: Path) -> None:
    with evening_of(tmp_path, tables=3) as (evening, hall):
        states = tournament(evening).states()
        assert tournament(evening).tables == {1: "table-1", 2: "table-2"}
        told = {table: body for table, body, _ in hall.asked}
        first, second = (tournament(evening).entries[each].name for each in states[1].players)
        assert told["table-1"] == {
            "what": "start_match",
            "light": first,
            "dark": second,
            "length": 7,
            "event": "Cup",
            "round": "Round 1 of 5",
            "clock": None,
            "profile": "standard-match",
        }
        assert {each.state for each in evening.matches.sent().values()} == {SendingState.TAKEN}
        assert [each.name for each in evening.matches.free_tables()] == ["table-3"]


def test_the_clock_of_the_event_is_sent_with_the_match(tmp_path: Path) -> None:
    with evening_of(tmp_path, drawn=False) as (evening, hall):
        evening.put_away()
        carry_out(
            evening, DeedSent(what="begin", name="Clocked", format="swiss", length="5", clock="bronstein")
        )
        evening.enter([EntryWish("Ann"), EntryWish("Bob")], BY)
        evening.draw(BY, assign=True)
        assert hall.asked[0][1]["clock"] == {"kind": "bronstein", "reserve_s": 600.0, "delay_s": 12.0}


def test_a_result_comes_from_the_record_and_waits_to_be_confirmed(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        journal = hall.finish("table-1", Side.DARK, 4)
        wait_for(lambda: tournament(evening).results)
        made = tournament(evening)
        assert made.results[1].score == (4, 7)
        assert made.journals == {1: journal}
        assert made.is_unconfirmed(1)
        assert evening.unconfirmed() == {journal}
        evening.confirm(1, BY)
        assert not evening.unconfirmed()
        assert read_log(tmp_path / "tournament.jsonl").file.records[-1]["by"] == BY


def test_a_result_comes_from_the_record_though_the_table_shows_nothing_of_the_match_any_more(
    tmp_path: Path,
) -> None:
    with evening_of(tmp_path) as (evening, hall):
        shown = hall.shown("table-1").screen
        assert shown is not None
        match = shown["match"]
        assert isinstance(match, dict)
        names = (str(match["light"]), str(match["dark"]))
        record = match_record(names, 7, Side.LIGHT, 2, "Cup")
        journal = hall.store("table-1", record)
        hall.show("table-1", Phase.MATCH_OVER, RoomState.READY, journal=journal)
        wait_for(lambda: tournament(evening).results)
        assert tournament(evening).journals == {1: journal}


def test_the_same_record_counts_once_however_often_it_is_heard_and_also_after_its_undoing(
    tmp_path: Path,
) -> None:
    with evening_of(tmp_path) as (evening, hall):
        journal = hall.finish("table-1", Side.LIGHT, 2)
        wait_for(lambda: tournament(evening).results)
        for _ in range(5):
            hall.change("table-1", heard_ms=NOW_MS)
        number = len(read_log(tmp_path / "tournament.jsonl").events)
        evening.undo(number, BY)
        hall.change("table-1", journal=journal)
        hall.finish("table-2", Side.LIGHT, 2)
        wait_for(lambda: tournament(evening).results)
        settled(evening)
        events = read_log(tmp_path / "tournament.jsonl").events
        assert [e.match for e in events if isinstance(e, ResultReported)] == [1, 2]
        assert tournament(evening).states()[1].progress is Progress.OPEN


def test_a_hub_that_is_started_again_enters_what_came_meanwhile_and_nothing_twice(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.finish("table-1", Side.LIGHT, 0)
        wait_for(lambda: tournament(evening).results)
    hall.finish("table-2", Side.DARK, 1)
    with ClubEvening(hall, tmp_path / "tournament.jsonl", lambda: "", lambda: NOW_MS) as again:
        wait_for(lambda: len(tournament(again).results) == 2)
        assert [each.match for each in read_log(again.path).events if isinstance(each, ResultReported)] == [
            1,
            2,
        ]


def test_seals_of_players_with_keys_that_nobody_knows_confirm_nothing(tmp_path: Path) -> None:
    """Whoever has the table makes a key for each player in a second."""
    with evening_of(tmp_path) as (evening, hall):
        hall.finish("table-1", Side.LIGHT, 3, signed=True)
        later = hall.finish("table-2", Side.LIGHT, 3)
        wait_for(lambda: len(tournament(evening).results) == 2)
        with Journal(tmp_path / "table-2-2.db") as record:
            sign(record)
            hall.add("table-2", later, [*record.rows()][-2:])
        hall.change("table-2", heard_ms=NOW_MS + 1)
        settled(evening)
        assert tournament(evening).is_unconfirmed(1)
        assert tournament(evening).is_unconfirmed(2)
        evening.confirm(1, BY)
        assert tournament(evening).confirmed == {1}


def test_a_match_that_was_not_paired_is_told_and_changes_nothing(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        before = (tmp_path / "tournament.jsonl").read_bytes()
        hall.finish("table-3", Side.LIGHT, 3, names=("Player A", "Somebody"), length=7)
        wait_for(evening.notices.shown)
        (notice,) = evening.notices.shown()
        assert (notice.kind, notice.arguments["names"]) == (NoticeKind.NOT_PAIRED, "Player A - Somebody")
        assert (tmp_path / "tournament.jsonl").read_bytes() == before
        evening.notices.forget(notice.journal)
        assert not evening.notices.shown()


def test_a_match_to_another_length_is_told_and_not_entered(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.finish("table-1", Side.LIGHT, 1, length=5)
        wait_for(evening.notices.shown)
        assert evening.notices.shown()[0].kind is NoticeKind.OTHER_LENGTH
        assert not tournament(evening).results


def told_scores(hall: StandInHall, table: str = "table-1") -> list[dict[str, object]]:
    return [{**body} for asked, body, _ in [*hall.asked] if asked == table and body["what"] == "change_score"]


def test_a_match_with_a_head_start_begins_with_it_at_its_table(tmp_path: Path) -> None:
    with evening_of(tmp_path, drawn=False, players=3) as (evening, hall):
        evening.enter([EntryWish("Player Z", head_start=2)], BY)
        evening.draw(BY, assign=True)
        made = tournament(evening)
        (number,) = (each for each, state in made.states().items() if any(made.start(state)))
        table, state = made.tables[number], made.states()[number]
        light, dark = made.start(state)
        wait_for(lambda: told_scores(hall, table))
        assert told_scores(hall, table) == [{"what": "change_score", "game": 1, "light": light, "dark": dark}]
        assert evening.matches.sent()[number].state is SendingState.TAKEN
        hall.finish(table, Side.LIGHT if light else Side.DARK, 1)
        wait_for(lambda: tournament(evening).results)
        assert not evening.notices.shown()
        assert made.entries[tournament(evening).states()[number].winner or 0].name == "Player Z"


def test_no_score_is_told_before_the_checkers_stand_as_they_should(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        name = first_player(evening)
        hall.show("table-1", Phase.SET_UP, match={"score": {"light": 0, "dark": 0}, "game": 1})
        carry_out(evening, DeedSent(what="late", name=name, minutes=12))
        settled(evening)
        assert not told_scores(hall)
        hall.show("table-1", Phase.OPENING_ROLL)
        wait_for(lambda: told_scores(hall))


def first_player(evening: ClubEvening, match: int = 1) -> str:
    """The name at the first seat of a match."""
    made = tournament(evening)
    return made.entries[made.states()[match].players[0]].name


def test_points_for_the_opponents_coming_late_are_told_once_to_the_table_that_plays(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        carry_out(evening, DeedSent(what="late", name=first_player(evening), minutes=7))
        wait_for(lambda: told_scores(hall))
        carry_out(evening, DeedSent(what="late", name=first_player(evening), minutes=12))
        wait_for(lambda: len(told_scores(hall)) == 2)
        hall.show("table-1", Phase.MOVING)
        settled(evening)
        assert [each["dark"] for each in told_scores(hall)] == [1, 2]
        hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(evening).results)
        assert tournament(evening).results[1].score == (7, 3)


def test_a_table_that_has_the_players_the_other_way_round_gets_the_points_so(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        one, other = (tournament(evening).entries[n].name for n in tournament(evening).states()[1].players)
        hall.play("table-1", other, one, 7, {"event": "Cup"})
        carry_out(evening, DeedSent(what="late", name=one, minutes=12))
        wait_for(lambda: told_scores(hall))
        assert (told_scores(hall)[0]["light"], told_scores(hall)[0]["dark"]) == (2, 0)


@pytest.mark.parametrize("shown", [{"game": 2}, {"score": {"light": 3, "dark": 0}}], ids=str)
def test_a_score_that_is_no_longer_the_hubs_to_change_is_left_to_the_director_at_the_table(
    tmp_path: Path, shown: dict[str, object]
) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.show("table-1", Phase.MOVING, match=shown)
        carry_out(evening, DeedSent(what="late", name=first_player(evening), minutes=12))
        wait_for(lambda: evening.matches.sent()[1].state is SendingState.REFUSED)
        assert not told_scores(hall)
        for language in LANGUAGES:
            told = catalogue(language).text("tournament", "refused", "start_too_late", score="0-2")
            assert evening.matches.sent()[1].text(language) == told


def test_a_score_that_did_not_reach_its_table_is_told_and_sent_again(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.refuse["table-1"] = ""
        carry_out(evening, DeedSent(what="late", name=first_player(evening), minutes=12))
        wait_for(lambda: evening.matches.sent()[1].state is SendingState.REFUSED)
        hall.refuse.clear()
        carry_out(evening, DeedSent(what="send", match=1))
        wait_for(lambda: evening.matches.sent()[1].state is SendingState.TAKEN)
        assert len(told_scores(hall)) == 2


def test_a_record_that_began_at_another_score_than_its_match_is_told_and_not_entered(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        state = tournament(evening).states()[1]
        name = tournament(evening).entries[state.players[0]].name
        hall.refuse["table-1"] = "No."
        carry_out(evening, DeedSent(what="late", name=name, minutes=12))
        hall.finish("table-1", Side.LIGHT, 0)
        wait_for(evening.notices.shown)
        assert evening.notices.shown()[0].kind is NoticeKind.HEAD_START
        assert evening.notices.shown()[0].arguments["start"] == "0-2"
        assert evening.notices.shown()[0].arguments["begun"] == "0-0"
        assert not tournament(evening).results


def test_a_result_by_hand_takes_the_place_of_the_records_and_needs_nobody_to_confirm_it(
    tmp_path: Path,
) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(evening).results)
        evening.report(1, (5, 7), BY)
        settled(evening)
        assert tournament(evening).results[1].score == (5, 7)
        assert not evening.unconfirmed()


def test_a_walkover_goes_to_the_seat_that_has_more(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, _):
        evening.report(1, (0, 1), BY, MatchEnding.WALKOVER)
        evening.report(2, None, BY, MatchEnding.DOUBLE_WALKOVER)
        states = tournament(evening).states()
        assert states[1].winner == states[1].seats[1]
        assert states[2].winner == 0


def test_a_table_that_refuses_is_shown_with_its_words_and_can_be_asked_again(tmp_path: Path) -> None:
    with evening_of(tmp_path, drawn=False) as (evening, hall):
        hall.refuse = {"table-1": "A match is on.", "table-2": ""}
        evening.draw(BY, assign=True)
        sent = evening.matches.sent()
        assert (sent[1].state, sent[1].text("en")) == (SendingState.REFUSED, "A match is on.")
        for language in LANGUAGES:
            assert sent[2].text(language) == catalogue(language).text("hall", "ask", "slow", table="table-2")
        hall.refuse = {}
        evening.send(1, BY)
        assert evening.matches.sent()[1].state is SendingState.TAKEN


def test_a_match_is_moved_to_another_table_and_never_two_to_one(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        evening.assign(1, "table-3", BY)
        assert tournament(evening).tables[1] == "table-3"
        with pytest.raises(UserError, match="not free"):
            evening.assign(2, "table-3", BY)
        with pytest.raises(UserError, match="There is no table table-9"):
            evening.assign(2, "table-9", BY)
        evening.assign(1, "", BY)
        assert 1 not in tournament(evening).tables
        assert hall.asked[-1][0] == "table-3"


@pytest.mark.parametrize("fault", [TableFault.SILENT, TableFault.TWO_TABLES, TableFault.NOT_ACCEPTED])
def test_a_table_that_something_is_wrong_with_gets_no_match(tmp_path: Path, fault: TableFault) -> None:
    with evening_of(tmp_path, drawn=False) as (evening, hall):
        hall.change("table-1", faults=(TableFaultSeen(fault, NOW_MS),))
        hall.show("table-2", Phase.MOVING)
        evening.draw(BY, assign=True)
        assert [*tournament(evening).tables.values()] == ["table-3"]


def test_what_the_command_line_does_to_the_file_is_seen_and_what_it_holds_waits(tmp_path: Path) -> None:
    with evening_of(tmp_path, drawn=False) as (evening, _):
        from controller.hub.evening.tournament_log import change_log
        from controller.tournament import changes

        version = evening.version
        with change_log(evening.path) as log:
            log.append(changes.enter(log.events, [EntryWish("Late")]), "2026-11-23T18:10:00Z")
        assert "Late" in {each.name for each in tournament(evening).entries.values()}
        assert evening.version > version


@pytest.mark.parametrize(
    "sent",
    [
        {"what": "draw"},
        {"what": "begin", "name": "Another", "format": "swiss"},
        {"what": "begin", "name": "x", "format": "none"},
        {"what": "enter", "players": "\n"},
        {"what": "enter", "players": "Player A"},
        {"what": "enter", "players": "name,shoe\nZoe,41"},
        {"what": "withdraw", "name": "Nobody"},
        {"what": "result", "match": 1},
        {"what": "result", "match": 1, "score": [3, 2]},
        {"what": "result", "match": 99, "score": [7, 2]},
        {"what": "confirm", "match": 1},
        {"what": "undo", "event": 1},
        {"what": "undo", "event": 99},
        {"what": "assign", "match": 1, "table": "table-9"},
        {"what": "send", "match": 99},
        {"what": "pair", "name": "Player A", "other": "Player C"},
        {"what": "play_off", "name": "Player A", "other": "Player C"},
        {"what": "late", "name": "Nobody", "minutes": 12},
        {"what": "dance"},
    ],
    ids=lambda sent: "-".join(map(str, sent.values())).replace("\n", "/"),
)
def test_what_cannot_be_is_refused_in_one_sentence_and_changes_nothing(
    tmp_path: Path, sent: dict[str, object]
) -> None:
    with evening_of(tmp_path) as (evening, _):
        before = evening.path.read_bytes()
        with pytest.raises(UserError) as refused:
            carry_out(evening, DeedSent.model_validate(sent))
        text = str(refused.value)
        assert text.endswith(".")
        assert "\n" not in text
        assert evening.path.read_bytes() == before


@pytest.mark.parametrize("shares", ["50,60", "half", "50,,20", "-1", "nan", "101"])
def test_shares_that_make_no_pot_are_refused_and_no_tournament_begins(tmp_path: Path, shares: str) -> None:
    with evening_of(tmp_path) as (evening, _):
        evening.put_away()
        with pytest.raises(UserError, match="percent"):
            carry_out(evening, DeedSent(what="begin", name="Cup", format="swiss", fee=20, shares=shares))
        assert evening.tournament() is None


def test_a_tournament_is_put_away_and_another_one_begins(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, _):
        place = evening.put_away()
        assert evening.tournament() is None
        assert read_log(place).tournament().name == "Cup"
        evening.begin("Next", load_format("swiss"), "2", BY)
        assert tournament(evening).name == "Next"


def test_every_event_says_who_and_when(tmp_path: Path) -> None:
    with evening_of(tmp_path) as (evening, hall):
        hall.finish("table-1", Side.LIGHT, 3)
        wait_for(lambda: tournament(evening).results)
        records = read_log(evening.path).file.records
        assert all(each["utc"] == "2026-11-23T18:00:00Z" and each["by"] for each in records)
        assert records[-1]["by"] == "Table 1"


def test_a_walk_over_is_entered_for_its_own_match_though_the_two_meet_again(tmp_path: Path) -> None:
    with evening_of(tmp_path, players=2, form="free", drawn=False) as (evening, _):
        for match in (1, 2):
            carry_out(evening, DeedSent(what="pair", name="Player A", other="Player B"))
            carry_out(evening, DeedSent(what="result", match=match, score=(7, match)))
        carry_out(evening, DeedSent(what="result", match=1, score=(0, 1), ending=MatchEnding.WALKOVER))
        assert [result.score for result in tournament(evening).results.values()] == [(0, 1), (7, 2)]


def test_a_match_that_somebody_else_takes_back_at_that_moment_is_sent_to_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    send = GivenMatches.send

    def send_late(matches: GivenMatches, match: int, command: str, by: str) -> None:
        evening.undo(len(read_log(evening.path).events) - 1, BY)
        send(matches, match, command, by)

    with evening_of(tmp_path, form="single-elimination") as (evening, hall):
        for match in (1, 2):
            evening.report(match, (7, 1), BY)
        monkeypatch.setattr(GivenMatches, "send", send_late)
        with pytest.raises(UserError, match="Match 3 is not open"):
            evening.assign(3, "table-3", BY)
        assert "table-3" not in [table for table, _, _ in hall.asked]
        evening.report(2, (7, 1), BY)
        assert evening.assign_free(BY) == 0
