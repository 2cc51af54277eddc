"""With a real table and a real broker: what was played last week, or beside the event, is no result of tonight."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from controller.app.club import RoomClub
from controller.app.pairing import paired_config
from controller.app.room import Room
from controller.club.membership import Membership
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.hub.hub import Hub, HubSettings
from controller.hub.server.deeds import DeedSent, carry_out
from controller.rules import Side
from controller.tournament.tournament import Tournament
from tests.app.test_live import Scene
from tests.app.test_room import Staying, config_in
from tests.hub.evening.test_club_evening import wait_for
from tests.hub.hubs import running_hub
from tests.hub.test_real_table import forfeit


@contextmanager
def joined(hub: Hub, folder: Path) -> Iterator[Room]:
    """A table that plays no film: its people do what the test says; it belongs to the club."""
    host, _, port = hub.broker_address.rpartition(":")
    member = Membership(TableAddress("club", "table-1"), BrokerAddress(host, int(port)), hub.key)
    with (
        Staying(config_in(folder), Scene(), known=True) as room,
        RoomClub(room, member) as club,
    ):
        club.start()
        yield room


def begin(hub: Hub, name: str, *, assign: bool) -> None:
    carry_out(hub.evening, DeedSent(what="begin", name=name, format="swiss", length="5", rounds=1))
    carry_out(hub.evening, DeedSent(what="enter", players="Ada\nAnu"))
    wait_for(lambda: any(each.up for each in hub.service.tables()))
    if assign:
        wait_for(hub.evening.matches.free_tables)
    carry_out(hub.evening, DeedSent(what="draw", by="Éva", assign=assign))


def tournament(hub: Hub) -> Tournament:
    found = hub.evening.tournament()
    assert found is not None
    return found


def play(hub: Hub, room: Room, loser: Side) -> None:
    """The match of the hub begins at the table, and one side gives it up; its result is entered and confirmed."""
    wait_for(lambda: room.state == "playing")
    forfeit(room, loser)
    wait_for(lambda: tournament(hub).results)
    carry_out(hub.evening, DeedSent(what="confirm", match=1, by="Éva"))


def test_a_confirmed_result_of_last_week_does_not_come_back_though_the_hub_was_restarted_and_the_two_meet_again(
    tmp_path: Path,
) -> None:
    with running_hub(tmp_path / "hub") as hub, joined(hub, tmp_path / "table") as room:
        begin(hub, "Last week", assign=True)
        play(hub, room, Side.DARK)
        carry_out(hub.evening, DeedSent(what="put_away"))
        hub.close()
        with Hub(HubSettings(tmp_path / "hub", port=0), lambda _: None) as again:
            begin(again, "Tonight", assign=False)
            # The table still shows the end of its last match, and the hub looks at that record.
            wait_for(lambda: again.evening.notices.shown() or tournament(again).results)
            assert not tournament(again).results
            assert [str(each.kind) for each in again.evening.notices.shown()] == ["earlier"]
            carry_out(again.evening, DeedSent(what="assign_free"))
            play(again, room, Side.LIGHT)
            assert tournament(again).journals.keys() == {1}


def test_a_friendly_match_of_the_two_who_are_paired_decides_nothing(tmp_path: Path) -> None:
    with running_hub(tmp_path / "hub") as hub, joined(hub, tmp_path / "table") as room:
        begin(hub, "Cup", assign=False)
        body = {"light": "Ada", "dark": "Anu", "length": 5, "event": "Cup", "round": "Final"}
        config = paired_config(room.config, body)
        assert room.inbox.ask(lambda: room.begin_match(config)).result(30).done
        forfeit(room, Side.DARK)
        wait_for(lambda: hub.evening.notices.shown() or tournament(hub).results)
        assert not tournament(hub).results
        assert [str(each.kind) for each in hub.evening.notices.shown()] == ["not_sent"]
