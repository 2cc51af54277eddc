"""What a live table holds does not grow with the evening."""

import functools
import gc
import weakref
from random import Random

from controller.app.desk import Desk
from controller.referee.actions import Action, TurnJudged
from controller.referee.events import Event
from controller.referee.table.settings import Settings
from controller.rules.game.match import Terms
from controller.rules.profile.catalogue import load_profile
from tests.app.forgetful import Forgetful
from tests.app.opened import book_in, play
from tests.app.playing import Players

FIRST, FEW, MANY = 40, 100, 350
"""Turns: what the first of them load and remember for good is made by then."""
OF_A_GAME = 40
"""Objects that a finished game leaves behind in the match: its result."""


def held() -> int:
    """How many objects there are, but for those that tables of the rules remember."""
    gc.unfreeze()
    for each in gc.get_objects():
        # Its type and not `isinstance`, which asks a stand-in for its object: one whose object is gone raises.
        if type(each) is functools._lru_cache_wrapper:
            each.cache_clear()
    gc.collect()
    return len(gc.get_objects())


def test_what_stands_in_for_something_that_is_gone_is_counted_like_anything_else() -> None:
    gone = {1}
    stands_in = weakref.proxy(gone)
    del gone
    assert any(each is stands_in for each in gc.get_objects())
    assert held()


def test_hundreds_of_turns_leave_nothing_behind_but_the_results() -> None:
    turns = 0

    def count(_: Event, actions: tuple[Action, ...]) -> None:
        nonlocal turns
        turns += sum(isinstance(action, TurnJudged) for action in actions)

    settings = Settings(Terms.money(load_profile("standard-money")))
    desk = Desk.open(settings, book_in(Forgetful()))
    players = Players(Random(1), resigns=0.01)
    counts, games = [], []
    for most in (FIRST, FEW, MANY):
        while turns < most:
            play(desk, players, most=50, tell=count)
        counts.append(held())
        games.append(len(desk.table.match.results))
    grown = counts[2] - counts[1]
    assert games[2] > games[1] + 3
    assert grown < 0.005 * counts[1] + OF_A_GAME * (games[2] - games[1])
