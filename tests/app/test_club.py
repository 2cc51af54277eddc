"""A room in its club: what the hub sees of it, and what its commands do at the table."""

import asyncio
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from controller.app.club import RoomClub
from controller.app.opening import config_to_resume
from controller.app.pairing import paired_config
from controller.club.commands import CommandFault, signature_holds
from controller.club.membership import Credentials, Membership
from controller.club.messages import TableCommand, TableReply
from controller.club.status import ClubState, ClubStatus
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.config.sections import ClockKind, ClubSection
from controller.errors import UserError
from controller.record.journal.journal import Journal
from controller.record.table.match_folder import JOURNAL, NAME
from controller.referee import Phase
from controller.tournament.entry import tidy
from tests.app.test_live import Running, Scene
from tests.app.test_room import begin_game, config_in
from tests.club.broker import Broker
from tests.club.plain_hub import PlainHub
from tests.club.signing import PUBLIC, command, message
from tests.club.writing import at_work, until

MATCH = {"what": "start_match", "light": "Ada", "dark": "Anu", "length": 5, "event": "Cup", "round": "Final"}
CLOCK = {"kind": "bronstein", "reserve_s": 600.0, "delay_s": 8.0}
SECONDS = 20.0


def club_of(table: Running, port: int = 1) -> RoomClub:
    member = Membership(TableAddress("club", "table-1"), BrokerAddress("127.0.0.1", port), PUBLIC)
    return RoomClub(table.room, member)


def give(club: RoomClub, **body: Any) -> TableReply:
    by = body.pop("by", "director")
    return club.carry_out(command("0" * 16, by=by, **body)).result(SECONDS)


def entries(folder: Path, kind: str) -> list[dict[str, Any]]:
    with Journal(folder / JOURNAL, read_only=True) as journal:
        return [dict(event.payload) for event in journal.events(NAME) if event.kind == kind]


def test_what_the_director_says_at_the_hub_is_done_and_can_be_proved_later(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
        reply = give(club_of(table), what="pause")
        assert reply.done
        assert table.table.state.phase is Phase.PAUSED
    (kept,) = entries(table.table.path, "command")
    said = TableCommand.decode(json.dumps(kept).encode())
    assert signature_holds(said)
    assert said.key == PUBLIC
    assert (said.by, said.name, said.body) == ("director", "Réka", {"what": "pause"})
    inputs = entries(table.table.path, "input")
    assert [each["by"] for each in inputs if each.get("command") == said.id] == ["director"]


def test_a_command_counts_once_also_over_a_restart(tmp_path: Path) -> None:
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
        club, said = club_of(table), command("0" * 16, what="pause")
        assert club.carry_out(said).result(SECONDS).done
        again = club.carry_out(said).result(SECONDS)
        assert not again.done
        assert "a second time" in again.text
        assert any("a second time" in notice.words("en") for notice in table.room.view().notices)
    with Running(config_in(tmp_path), Scene()) as resumed:
        assert not club_of(resumed).carry_out(said).result(SECONDS).done
    assert sum(each["input"] == "pause" for each in entries(table.table.path, "input")) == 1


def test_what_needs_the_director_came_up_as_long_ago_as_before_when_the_tables_clock_was_set(
    tmp_path: Path,
) -> None:
    ahead_ms = 0
    member = Membership(TableAddress("club", "table-1"), BrokerAddress("127.0.0.1", 1), PUBLIC)
    with Running(config_in(tmp_path), Scene()) as table:
        begin_game(table)
        assert give(club_of(table), what="dispute").done
        club = RoomClub(table.room, member, wall_ns=lambda: time.time_ns() + ahead_ms * 1_000_000)

        def since_ms() -> int:
            (need,) = json.loads(club.state() or b"{}")["desk"]["needs"]
            return int(need["since_ms"])

        before = since_ms()
        for ahead_ms in (50 * 365 * 86_400_000, -3_600_000):
            assert abs(since_ms() - before - ahead_ms) < 60_000


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ({"what": "set_clock", "light_s": 5, "dark_s": 5, "by": "light"}, "Only the director"),
        ({"what": "dance"}, "no command 'dance'"),
        ({"what": "pressed", "button": "lever"}, "button"),
        ({"what": "message", "text": ""}, "one line"),
        ({"what": "message", "text": "two\nlines"}, "one line"),
        (MATCH, "A match is on"),
        ({**MATCH, "length": 0}, "length"),
        ({**MATCH, "light": ""}, '"light"'),
        ({**MATCH, "profile": "nonesuch"}, "nonesuch"),
        ({**MATCH, "stake": 5}, "stake"),
        ({**MATCH, "clock": {"kind": "sundial"}}, "kind"),
    ],
)
def test_what_cannot_be_done_is_answered_in_one_sentence_and_changes_nothing(
    body: dict[str, Any], why: str, seated: Running
) -> None:
    before, told = seated.table.state, dict(body)
    reply = give(club_of(seated), **told)
    assert not reply.done
    assert why in reply.text
    assert seated.table.state.match == before.match
    assert seated.room.config.match.light == "Anna"


@pytest.fixture(scope="module")
def seated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with Running(config_in(tmp_path_factory.mktemp("seated")), Scene()) as table:
        begin_game(table)
        yield table


def test_a_ruling_on_what_has_moved_on_meanwhile_is_stale(seated: Running) -> None:
    club = club_of(seated)
    assert give(club, what="message", text="Five minutes").done
    stale = replace(command("0" * 16, what="pause"), seen=1)
    reply = club.carry_out(stale).result(SECONDS)
    assert not reply.done
    assert "meanwhile" in reply.text
    assert "Message of the director: Five minutes" in "".join(seated.text)


def test_a_refused_command_is_shown_to_the_director_with_its_own_sentence(seated: Running) -> None:
    club, said = club_of(seated), command("0" * 16, what="undo")
    told = {club.refuse(said, fault) for fault in CommandFault}
    assert len(told) == len(CommandFault)
    seated.until(lambda: told <= {notice.words("en") for notice in seated.room.view().notices})


def test_the_match_that_the_hub_wants_is_played_and_goes_on_with_its_clock(tmp_path: Path) -> None:
    config = config_in(tmp_path)
    with Running(config, Scene()) as table:
        club = club_of(table)
        begin_game(table)
        assert give(club, what="resign", side="light", amount=3, by="light").done
        assert give(club, what="accept", side="dark", by="dark").done
        table.until(lambda: table.room.state == "over")
        reply = give(club, **MATCH, clock=CLOCK, profile="standard-match")
        assert reply.done, reply.text
        played = table.room.match.table
        assert played is not None
        view = table.room.view()
        assert view.match is not None
        assert [*view.match.names.values()] == ["Ada", "Anu"]
        assert (view.match.event, view.match.round) == ("Cup", "Final")
        assert played.state.match.terms.length == 5
        assert entries(played.path, "command")[0]["body"]["what"] == "start_match"
    resumed = config_to_resume(config)
    assert resumed is not None
    assert (resumed.match.light, resumed.match.length) == ("Ada", 5)
    assert (resumed.clock.kind, resumed.clock.delay_s) == (ClockKind.BRONSTEIN, 8.0)
    with Running(resumed, Scene()) as again:
        assert again.table.path == played.path
        assert again.table.parts.timekeeper is not None


def test_a_paired_match_keeps_all_else_of_the_table(tmp_path: Path) -> None:
    config = config_in(tmp_path)
    paired = paired_config(config, MATCH)
    assert paired.clock.kind is ClockKind.NONE
    assert replace(paired, match=config.match, clock=config.clock, table=config.table) == config


def test_every_name_that_a_tournament_takes_can_be_seated_at_a_table(tmp_path: Path) -> None:
    light, dark = tidy("शर्\u200dमा"), tidy("Anna 👩\u200d👧")
    paired = paired_config(config_in(tmp_path), {**MATCH, "light": light, "dark": dark})
    assert (paired.match.light, paired.match.dark) == (light, dark)


def test_a_tournament_match_shows_nobody_what_a_learner_is_shown_at_that_table(tmp_path: Path) -> None:
    config = config_in(tmp_path)
    teaching = replace(config, table=replace(config.table, hint=2))
    assert paired_config(teaching, MATCH).table.hint == 0


def test_the_hub_sees_the_table_and_has_its_journal(tmp_path: Path) -> None:
    async def story(table: Running) -> None:
        with Broker(tmp_path) as broker:
            hub, club = PlainHub(broker.port), club_of(table, broker.port)
            club.start()
            try:
                async with at_work(hub.run()):
                    journal = table.table.path / JOURNAL
                    await until(lambda: "table-1" in hub.states and table.room.club_status is not None)
                    said = command(hub.presence["table-1"]["journal"], what="pause")
                    await hub.command("table-1", message(said))
                    await until(lambda: said.id in hub.answers)
                    assert hub.answers[said.id]["done"]
                    await until(lambda: hub.states["table-1"]["screen"]["phase"] == "paused")
                    assert hub.states["table-1"]["screen"]["viewer"]["role"] == "viewer"
                    assert hub.states["table-1"]["desk"]["viewer"]["role"] == "director"
                    with Journal(journal, read_only=True) as opened:
                        rows = [[*row] for row in opened.rows()]
                        name = opened.chain(1)
                    assert name is not None
                    await until(lambda: hub.rows.get(("table-1", name[:16]), [])[: len(rows)] == rows)
                    forged = replace(command(said.journal, what="go_on"), signature="00" * 64)
                    await hub.command("table-1", message(forged))
                    await until(lambda: forged.id in hub.answers)
                    assert "false signature" in hub.answers[forged.id]["text"]
                    await until(lambda: table.room.club_status.state is ClubState.CONNECTED)  # type: ignore[union-attr]
                broker.kill()
                await until(lambda: not table.room.club_status.ready)  # type: ignore[union-attr]
            finally:
                await asyncio.to_thread(club.close)
        (shown,) = [device for device in table.room.view().devices if device.name == "club"]
        assert not shown.ready
        assert "Play goes on" in shown.words("en")
        assert table.table.state.phase is Phase.PAUSED

    with Running(config_in(tmp_path / "table"), Scene()) as table:
        begin_game(table)
        asyncio.run(story(table))


@pytest.mark.parametrize("language", ["en", "hu", "et", "sk"])
def test_every_state_has_a_sentence(language: str) -> None:
    told = {ClubStatus(state, 3, "hub:1883", "why", "abcd").words()(language) for state in ClubState}
    assert len(told) == len(ClubState)
    assert not any("{" in text for text in told)


def test_a_table_without_what_it_logs_in_with_says_how_to_get_it(tmp_path: Path) -> None:
    config = replace(config_in(tmp_path), club=ClubSection(use=True, hub="h:1883", club="c", table="t"))
    with pytest.raises(UserError, match="pointsman pair"):
        config.membership()
    Credentials("t", "secret", None, PUBLIC).write(config.credentials_file(), "PEM")
    member = config.membership()
    assert member is not None
    assert member.broker == BrokerAddress("h", 1883, "t", "secret", tmp_path / "club.pem")
    assert member.hub_key == PUBLIC
    assert config.credentials_file().stat().st_mode & 0o077 == 0
