"""What spectators see later, and what they never see because it was put right meanwhile."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from controller.referee import Action, Message, Phase, Told
from controller.referee.events import Said
from controller.rules import START, Party, Side
from controller.rules.game import events as ruled
from controller.web.audience import Audience
from controller.web.channel import Follower
from controller.web.outlet import Outlet
from controller.web.settings import WebSettings
from controller.web.table_service import ClockShown, Role, RoomState
from tests.referee.table.evening import Evening
from tests.referee.table.scenes import SCENES
from tests.referee.table.test_turns import GOOD, OTHER
from tests.web.browsers import HASH, SETTINGS, opened
from tests.web.served_table import TableHouse

DELAY_S = 60.0
SPECTATOR, PLAYER = Audience(), Audience(Role.PLAYER, Side.LIGHT)
JUDGED = "turn"


@dataclass
class LateHall:
    """A table, its outlet with a delay, and one spectator; the test turns the clock."""

    house: TableHouse
    t_s: float = 1000.0
    heard: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.outlet = Outlet(self.house, lambda: round(self.t_s * 1000), DELAY_S)
        self.outlet.open()
        self.follower = Follower()
        self.outlet.channel(SPECTATOR).followers.add(self.follower)

    async def pass_s(self, seconds: float) -> None:
        """Time goes by."""
        await asyncio.sleep(0)
        self.t_s += seconds
        self.outlet.show_due()
        while not self.follower.queue.empty():
            self.heard.append(json.loads(self.follower.queue.get_nowait()))

    def sees(self, audience: Audience = SPECTATOR) -> dict[str, Any]:
        state: dict[str, Any] = self.outlet.snapshot(audience)["state"]  # type: ignore[assignment]
        return state

    def kinds(self) -> list[str]:
        return [message["kind"] for message in self.heard]


def in_hall(phase: Phase, play: Callable[[LateHall], Any]) -> None:
    async def evening() -> None:
        hall = LateHall(TableHouse(SCENES[phase]()))
        await play(hall)
        hall.outlet.close()

    asyncio.run(evening())


def played(evening: Evening) -> None:
    evening.move(GOOD)
    evening.done()


def test_spectators_see_a_play_when_it_is_old_enough_and_players_at_once() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        assert hall.sees()["phase"] == "moving"
        hall.house.play(played)
        await hall.pass_s(DELAY_S - 1)
        assert (hall.sees()["phase"], hall.sees(PLAYER)["phase"]) == ("moving", "to_roll")
        assert JUDGED not in hall.kinds()
        await hall.pass_s(1)
        assert hall.sees()["phase"] == "to_roll"
        assert hall.kinds().count(JUDGED) == 1

    in_hall(Phase.MOVING, play)


def test_after_a_start_of_the_program_spectators_see_nothing_of_the_match_for_as_long() -> None:
    async def play(hall: LateHall) -> None:
        assert (hall.sees()["match"], hall.sees()["position"], hall.sees()["plays"]) == (None, None, [])
        assert hall.sees()["headline"] == "Spectators see this table with a delay."
        assert hall.sees(PLAYER)["match"]["light"] == "Anna Kovács"
        await hall.pass_s(DELAY_S)
        assert hall.sees()["match"]["light"] == "Anna Kovács"

    in_hall(Phase.TO_ROLL, play)


def test_a_play_that_turns_out_to_be_another_is_told_only_as_that_one() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        hall.house.play(played)
        await hall.pass_s(DELAY_S / 2)
        hall.house.play(lambda evening: evening.move(OTHER, pictures=3))
        await hall.pass_s(DELAY_S - 1)
        assert JUDGED not in hall.kinds()
        assert hall.sees()["phase"] == "moving"
        assert hall.sees()["on_turn"] == "light"
        await hall.pass_s(1)
        turns = [message for message in hall.heard if message["kind"] == JUDGED]
        assert [(turn["move"], turn["replaces"]) for turn in turns] == [("24/23 13/10", False)]
        assert [each["move"] for each in hall.sees()["plays"]][:1] == ["24/23 13/10"]
        assert hall.sees()["on_turn"] == "dark"

    in_hall(Phase.MOVING, play)


def test_a_play_that_is_put_right_after_it_was_seen_replaces_it() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        hall.house.play(played)
        await hall.pass_s(DELAY_S)
        hall.house.play(lambda evening: evening.move(OTHER, pictures=3))
        await hall.pass_s(DELAY_S)
        turns = [message for message in hall.heard if message["kind"] == JUDGED]
        assert [(turn["move"], turn["replaces"]) for turn in turns] == [
            ("8/5 6/5", False),
            ("24/23 13/10", True),
        ]

    in_hall(Phase.MOVING, play)


def test_a_play_that_the_director_takes_back_in_time_is_never_seen() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        before = hall.house.evening
        standing = replace(before.table)
        hall.house.play(played)
        await hall.pass_s(DELAY_S / 2)
        undone: Action = Told(before.t, Message.CORRECTED, to=frozenset(Party))
        before.table = standing
        hall.house.say(actions=(undone,))
        for _ in range(8):
            await hall.pass_s(DELAY_S / 4)
            assert hall.sees()["position"] == standing.position.compact()
        assert JUDGED not in hall.kinds()
        assert (hall.sees()["plays"], hall.sees()["phase"]) == ([], "moving")

    in_hall(Phase.MOVING, play)


def take_back(evening: Evening) -> None:
    """Both players take the last turn back, and the board is laid out as before it."""
    evening.tell(Said(evening.t, ruled.TakenBack(Side.LIGHT), "light"))
    evening.tell(Said(evening.t, ruled.TakenBack(Side.DARK), "dark"))
    evening.move(START)


def test_a_play_that_is_taken_back_in_time_is_never_seen() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        hall.house.play(played)
        await hall.pass_s(DELAY_S / 2)
        hall.house.play(take_back)
        for _ in range(8):
            await hall.pass_s(DELAY_S / 4)
            assert hall.sees()["position"] == START.compact()
        assert JUDGED not in hall.kinds()
        assert (hall.sees()["plays"], hall.sees()["phase"]) == ([], "moving")

    in_hall(Phase.MOVING, play)


def test_a_play_that_is_taken_back_is_on_no_page_any_more_and_is_told_anew_when_it_is_played_again() -> None:
    async def play(hall: LateHall) -> None:
        await hall.pass_s(DELAY_S)
        shown = []
        for act in (played, take_back, played):
            hall.house.play(act)
            await hall.pass_s(DELAY_S)
            shown.append([each["move"] for each in hall.sees()["plays"]])
        assert shown == [["8/5 6/5"], [], ["8/5 6/5"]]
        told = [message["kind"] for message in hall.heard if message["kind"] in (JUDGED, "undone")]
        assert told == [JUDGED, "undone", JUDGED]
        (undone,) = (message for message in hall.heard if message["kind"] == "undone")
        assert (undone["game"], undone["ply"]) == (1, 0)
        assert not [message for message in hall.heard if message.get("replaces")]

    in_hall(Phase.MOVING, play)


def test_a_late_clock_stands_where_it_stood() -> None:
    async def play(hall: LateHall) -> None:
        hall.house.clock = ClockShown({Side.LIGHT: 600.0, Side.DARK: 500.0}, 0.0, Side.DARK, 0.0)
        hall.house.say()
        await hall.pass_s(DELAY_S)
        hall.outlet.channel(replace(SPECTATOR, language="hu"))
        await hall.pass_s(10)
        for audience in (SPECTATOR, replace(SPECTATOR, language="hu")):
            assert hall.sees(audience)["clock"]["dark_s"] == pytest.approx(490.0)
        assert hall.sees(replace(PLAYER, language="hu"))["clock"]["dark_s"] == pytest.approx(430.0)

    in_hall(Phase.TO_ROLL, play)


def test_an_hour_of_waiting_pictures_takes_little_room() -> None:
    async def play(hall: LateHall) -> None:
        for _ in range(40):
            hall.house.say()
            await hall.pass_s(0.025)
        await hall.pass_s(DELAY_S)
        assert len(hall.heard) <= 5

    in_hall(Phase.TO_ROLL, play)


def test_the_server_delays_what_spectators_get_in_every_way() -> None:
    settings = WebSettings(director_hash=HASH, secret=SETTINGS.secret, delay_s=3600)
    with opened(TableHouse(SCENES[Phase.TO_ROLL]()), settings) as hall:
        hall.house.state = RoomState.PLAYING
        director, spectator = hall.director(), hall.browser()
        assert director.state()["match"]["light"] == "Anna Kovács"
        assert director.state()["late_s"] == 0
        for path in ("/api/v1/state", "/api/v1/state?as=viewer"):
            assert spectator.get(path).json()["state"]["match"] is None
        assert director.get("/api/v1/state?as=viewer").json()["state"]["late_s"] == 3600
        with spectator.follow() as live:
            assert json.loads(live.recv(timeout=30))["state"]["position"] is None
        for page in ("/watch", "/overlay", "/"):
            assert "Kovács" not in spectator.get(page).text
