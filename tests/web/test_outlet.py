"""What a live page hears of the end of a game: who won it, or that nobody did."""

import asyncio
import json
from typing import Any

import pytest

from controller.rules import Position, Side
from controller.web.audience import Audience
from controller.web.channel import Follower
from controller.web.outlet import Outlet
from tests.referee.table.test_family import board, standing
from tests.web.served_table import TableHouse

MOTHERS = board({1: 1, 24: 1, 6: 13}, {22: 1, 20: 13}, pinned=(1,))
"""Light has pinned dark's last checker on its start, and dark may pin light's."""


def end_of_game(before: Position, after: Position) -> dict[str, Any]:
    """The message of a plakoto game that ends as dark plays 2-1."""

    async def evening() -> list[dict[str, Any]]:
        table = standing("plakoto", before, Side.DARK)
        house = TableHouse(table)
        outlet = Outlet(house, lambda: 0)
        outlet.open()
        follower = Follower()
        outlet.channel(Audience()).followers.add(follower)
        table.roll(2, 1)
        table.move(after, 3)
        house.say(actions=table.done())
        await asyncio.sleep(0)
        told = [json.loads(follower.queue.get_nowait()) for _ in range(follower.queue.qsize())]
        outlet.close()
        return told

    (over,) = [message for message in asyncio.run(evening()) if message.get("what") == "over"]
    return over


@pytest.mark.parametrize(
    ("before", "after", "winner", "points"),
    [
        (MOTHERS, board({1: 1, 6: 13}, {24: 1, 20: 12, 21: 1}), None, 0),
        (board({6: 15}, {24: 1}), board({6: 15}, {}), "dark", 2),
    ],
    ids=["drawn", "won"],
)
def test_a_drawn_game_has_no_winner(
    before: Position, after: Position, winner: str | None, points: int
) -> None:
    over = end_of_game(before, after)
    assert (over["winner"], over["points"]) == (winner, points)
