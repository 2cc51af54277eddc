"""Who may not be told of an illegal play gets exactly what a legal play gives: the same messages at the same time."""

import asyncio
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from controller.referee import Action, Event
from controller.referee.table.settings import Settings
from controller.rules import Position, Side
from controller.rules.profile.conduct import DeviceRole, IllegalPolicy
from controller.web.audience import Audience
from controller.web.channel import Follower
from controller.web.outlet import Outlet
from controller.web.table_service import Role
from tests.referee.table.evening import Evening, match_terms
from tests.referee.table.test_turns import GOOD, WRONG, rules
from tests.rows import each_row
from tests.web.served_table import TableHouse

SECRET = [
    {"device_role": DeviceRole.SILENT_RECORDER},
    {"illegal_policy": IllegalPolicy.RESPONSIBLE},
    {"illegal_policy": IllegalPolicy.CONDONE_OPTION},
]
"""Ways to run a table at which the director alone is told."""
OF_THE_PLAY = {"move", "words", "steps", "position", "text", "talk", "plays", "points"}
"""What differs because the checkers lie elsewhere."""
UNTOLD = [Audience(), Audience(Role.PLAYER), *(Audience(Role.PLAYER, side) for side in Side)]


@dataclass
class Published(Evening):
    """An evening that tells its house of each event, as a table does."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self.publish: Callable[[tuple[Action, ...]], None] = lambda _: None

    def tell(self, event: Event) -> tuple[Action, ...]:
        actions = super().tell(event)
        self.publish(actions)
        return actions


def heard(conduct: dict[str, object], play: Position, audience: Audience) -> tuple[list[Any], dict[str, Any]]:
    """Every message of an audience from the roll to the opponent's roll, and the state after it."""

    async def evening() -> tuple[list[Any], dict[str, Any]]:
        table = Published(Settings(match_terms(rules(**conduct)), clock=True))
        table.start(3, 1)
        house = TableHouse(table)
        outlet = Outlet(house, lambda: 0)
        outlet.open()
        follower = Follower()
        outlet.channel(audience).followers.add(follower)
        table.publish = lambda actions: house.say(actions=actions)
        told: list[Any] = []
        for act in (
            lambda: table.move(play),
            table.done,
            lambda: table.look(pictures=3),
            lambda: table.roll(6, 4),
        ):
            act()
            await asyncio.sleep(0)
            told.append("then")
            while not follower.queue.empty():
                told.append(json.loads(follower.queue.get_nowait()))
        state: Any = outlet.snapshot(audience)["state"]
        outlet.close()
        return told, state

    return asyncio.run(evening())


def without_play(content: Any) -> Any:
    """A message without what differs because the checkers lie elsewhere."""
    if isinstance(content, dict):
        return {name: without_play(each) for name, each in content.items() if name not in OF_THE_PLAY}
    return [without_play(each) for each in content] if isinstance(content, list | tuple) else content


def values(content: Any) -> Iterator[Any]:
    yield content
    if isinstance(content, dict | list):
        for each in content.values() if isinstance(content, dict) else content:
            yield from values(each)


@each_row(("conduct", "audience"), [*product(SECRET, UNTOLD)])
def test_an_illegal_play_looks_like_a_legal_one_to_those_who_may_not_be_told(
    conduct: dict[str, object], audience: Audience
) -> None:
    legal, illegal = (heard(conduct, play, audience) for play in (GOOD, WRONG))
    assert without_play(illegal) == without_play(legal)
    told = list(values(list(illegal)))
    assert "flagged" not in told
    plays = [each for each in told if isinstance(each, dict) and "move" in each and "legal" in each]
    assert plays
    for each in plays:
        assert (each["legal"], each["reasons"], each.get("stands", False)) == (True, [], False)


def test_the_director_hears_of_it_at_once() -> None:
    legal, illegal = (heard(SECRET[0], play, Audience(Role.DIRECTOR))[0] for play in (GOOD, WRONG))
    assert without_play(illegal) != without_play(legal)
    assert any(
        each["kind"] in ("flagged", "turn") and not each["legal"] for each in illegal if "move" in each
    )
