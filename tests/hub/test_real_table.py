"""A tournament of one match at a real table: through a real broker there and back."""

from dataclasses import replace
from pathlib import Path

import pytest

from controller.app.club import RoomClub
from controller.app.pages import RoomPages
from controller.app.pairing import paired_config
from controller.app.room import Room
from controller.club.membership import Credentials, Membership
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.config.sections import ClubSection, WebSection
from controller.hub.evidence.fetch import FetchFault, PictureFetchError, fetch_picture
from controller.hub.folder import HubFolder
from controller.hub.hub import Hub, HubSettings
from controller.hub.server.deeds import DeedSent, carry_out
from controller.record.evidence.picture_pass import sign_pass
from controller.record.evidence.store import EvidenceStore, evidence_name
from controller.record.table.match_folder import JOURNAL
from controller.referee import Phase
from controller.rules import Side
from tests.app.test_live import Scene
from tests.app.test_room import Staying, ask, config_in
from tests.hub.evening.test_club_evening import wait_for


def score(room: Room) -> tuple[int, int]:
    """Light's and dark's points at the table; none before the match has begun."""
    if room.match.table is None:
        return 0, 0
    points = room.match.table.state.match.score
    return points.points(Side.LIGHT), points.points(Side.DARK)


def forfeit(room: Room, loser: Side) -> None:
    """Light wins nothing yet; the director gives the match to the other side."""
    wait_for(lambda: room.match.table is not None and room.match.table.state.phase is Phase.OPENING_ROLL)
    assert ask(room, "director", what="forfeit", loser=str(loser)).done


def test_a_match_goes_to_the_table_and_its_result_comes_back(tmp_path: Path) -> None:
    with HubFolder(tmp_path / "hub") as folder:
        key = folder.key.public
    with (
        Hub(HubSettings(tmp_path / "hub", port=0), lambda _: None) as hub,
        Staying(config_in(tmp_path / "table"), Scene(), known=True) as room,
    ):
        host, _, port = hub.broker_address.rpartition(":")
        member = Membership(TableAddress("club", "table-1"), BrokerAddress(host, int(port)), key)
        with RoomClub(room, member) as club:
            club.start()
            evening = hub.evening
            carry_out(evening, DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=1))
            carry_out(evening, DeedSent(what="enter", players="Ada\nAnu"))
            wait_for(evening.matches.free_tables)
            carry_out(evening, DeedSent(what="draw", by="Éva"))
            wait_for(lambda: room.state == "playing")
            played = room.view().match
            assert played is not None
            assert {*played.names.values()} == {"Ada", "Anu"}
            assert (played.event, played.round) == ("Cup", "Round 1 of 1")
            forfeit(room, Side.DARK)
            wait_for(lambda: (made := evening.tournament()) is not None and made.results)
            made = evening.tournament()
            assert made is not None
            state = made.states()[1]
            assert state.winner is not None
            assert made.entries[state.winner].name == played.names[Side.LIGHT]
            assert made.results[1].score in ((5, 0), (0, 5))
            assert made.is_unconfirmed(1)
            assert not evening.notices.shown()


def test_a_match_begins_with_the_points_for_the_opponents_coming_late(tmp_path: Path) -> None:
    with HubFolder(tmp_path / "hub") as folder:
        key = folder.key.public
    with (
        Hub(HubSettings(tmp_path / "hub", port=0), lambda _: None) as hub,
        Staying(config_in(tmp_path / "table"), Scene(), known=True) as room,
    ):
        host, _, port = hub.broker_address.rpartition(":")
        member = Membership(TableAddress("club", "table-1"), BrokerAddress(host, int(port)), key)
        with RoomClub(room, member) as club:
            club.start()
            evening = hub.evening
            carry_out(evening, DeedSent(what="begin", name="Cup", format="swiss", length="5", rounds=1))
            carry_out(evening, DeedSent(what="enter", players="name,head_start\nAda,1\nAnu,0"))
            wait_for(evening.matches.free_tables)
            carry_out(evening, DeedSent(what="draw", by="Éva"))
            wait_for(lambda: sorted(score(room)) == [0, 1])
            carry_out(evening, DeedSent(what="late", name="Anu", minutes=7, by="Éva"))
            wait_for(lambda: sorted(score(room)) == [0, 2])
            played = room.view().match
            assert played is not None
            ahead = next(side for side in Side if played.names[side] == "Ada")
            assert score(room)[ahead is Side.DARK] == 2
            forfeit(room, ahead)
            wait_for(lambda: (made := evening.tournament()) is not None and made.results)
            made = evening.tournament()
            assert made is not None
            assert {*made.results[1].score} == {5, 2}
            assert not evening.notices.shown()


def test_the_hub_gets_a_picture_from_the_pages_of_a_table_that_was_paired_with_it(tmp_path: Path) -> None:
    with HubFolder(tmp_path / "hub") as folder:
        key = folder.key
    config = config_in(tmp_path / "table")
    config = replace(config, club=ClubSection(use=True, hub="h:1883", club="club", table="table-1"))
    config.folder.mkdir(exist_ok=True)
    Credentials("table-1", "secret", None, key.public).write(config.credentials_file(), "")
    with (
        Staying(config, Scene(), known=True) as room,
        RoomPages(room, WebSection(port=0)) as pages,
    ):
        pages.open()
        body = {"light": "Ada", "dark": "Anu", "length": 5, "event": "Cup", "round": "1"}
        assert room.inbox.ask(lambda: room.begin_match(paired_config(config, body))).result(30).done
        wait_for(lambda: room.view().match is not None)
        shown = room.view().match
        assert shown is not None
        jpeg = b"\xff\xd8\xff" + bytes(100)
        with EvidenceStore(evidence_name(shown.folder / JOURNAL)) as store:
            (kept,) = store.keep(1, [jpeg])
        address = f"http://127.0.0.1:{pages.port}/"
        given = sign_pass(key, "club/table-1", kept.sha256)
        assert fetch_picture(address, kept.sha256, given) == jpeg
        with pytest.raises(PictureFetchError) as caught:
            fetch_picture(address, kept.sha256, sign_pass(key, "club/table-2", kept.sha256))
        assert caught.value.fault is FetchFault.MISSING
