"""Simulated tables at a hub: recorded matches, played by whom the hub wants."""

import asyncio
import random
from pathlib import Path

from controller.club.membership import Membership
from controller.club.topics import TableAddress
from controller.club.transport import BrokerAddress
from controller.demo.crowd.recording import recordings
from controller.demo.crowd.replayed_table import ReplayedTable, play_together
from controller.record.journal.journal import Journal
from controller.record.match.history import COMMAND
from controller.record.match.match_log import read_match
from controller.record.table.match_folder import JOURNAL, NAME
from tests.club.broker import Broker
from tests.club.plain_hub import PlainHub
from tests.club.signing import PUBLIC, command, message
from tests.club.writing import at_work, until

WANTED = {
    "what": "start_match",
    "light": "Réka",
    "dark": "Jaan",
    "length": 1,
    "event": "Cup",
    "round": "Final",
}


def test_a_table_that_waits_plays_the_match_that_the_hub_sends(tmp_path: Path) -> None:
    async def story(broker: Broker) -> None:
        member = Membership(
            TableAddress("club", "table-1"), BrokerAddress("127.0.0.1", broker.port), PUBLIC, "Table 1"
        )
        table = ReplayedTable(
            member, tmp_path / "out", recordings(), random.Random(1), 400.0, "0", waits=True
        )
        hub, stop = PlainHub(broker.port), asyncio.Event()
        async with at_work(hub.run(), play_together([table], stop, lambda _: None, 20.0)):
            await until(lambda: "table-1" in hub.states)
            assert hub.states["table-1"]["screen"]["room"] == "ready"
            first, second = command(**WANTED), command(**WANTED)
            odd = command(what="pause")
            for said in (odd, first):
                await hub.command("table-1", message(said))
            await until(lambda: first.id in hub.answers)
            assert hub.answers[first.id]["done"]
            assert not hub.answers[odd.id]["done"]
            await until(lambda: (hub.states["table-1"]["screen"]["match"] or {}).get("light") == "Réka")
            await hub.command("table-1", message(second))
            await until(lambda: second.id in hub.answers)
            assert "A match is on" in hub.answers[second.id]["text"]
            await until(lambda: hub.states["table-1"]["screen"]["room"] == "over")
            match = hub.states["table-1"]["screen"]["match"]
            assert (match["dark"], match["event"], match["round"]) == ("Jaan", "Cup", "Final")
            stop.set()
        with Journal(tmp_path / "out" / "match-001" / JOURNAL, read_only=True) as journal:
            record = read_match(journal, NAME)
            (given,) = (each.payload for each in journal.events() if each.kind == COMMAND)
        assert (record.light, record.dark, record.terms.length) == ("Réka", "Jaan", 1)
        assert (record.facts.event, record.facts.round) == ("Cup", "Final")
        assert given == message(first)

    with Broker(tmp_path) as broker:
        asyncio.run(story(broker))


def test_recordings_are_whole_matches_without_names() -> None:
    assert {recording.length for recording in recordings()} == {1, 3, 5, 7}
    for recording in recordings():
        kinds = [kind for moment in recording.moments for kind, _, _ in moment.entries]
        assert kinds[0] == "match"
        assert kinds.count("game") == kinds.count("result") > 0
        assert "Anna" not in recording.text
        assert "Bruno" not in recording.text
