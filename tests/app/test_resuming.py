"""A match that was interrupted goes on from where it stood."""

from dataclasses import replace
from random import Random

import pytest

from controller.app.desk import Desk
from controller.record.journal.journal import Journal
from controller.record.table.resume import LiveMatch
from controller.referee.actions import Action, Phase
from controller.referee.events import Event, Resumed, Ticked
from tests.amounts import amount
from tests.app.opened import FIVE, NAME, book_in, play, standing
from tests.app.playing import Players
from tests.record.replaying import replay_inputs

SEEDS = (1, 2, 0)
"""Short matches first."""


@pytest.mark.parametrize("seed", SEEDS[: amount(1, 3)])
def test_after_any_input_the_journal_tells_how_the_table_stands(journal: Journal, seed: int) -> None:
    rng = Random(seed)
    desk = Desk.open(FIVE, book_in(journal))
    players = Players(rng, resigns=0.03, doubles=0.08)
    while desk.table.phase is not Phase.MATCH_OVER:
        play(desk, players, most=rng.randint(1, 150))
        again = LiveMatch.read(desk.book.log.journal, NAME).table()
        assert standing(again) == standing(desk.table)


@pytest.mark.parametrize("seed", SEEDS[: amount(2, 3)])
def test_the_journal_put_through_the_referee_again_gives_the_same_actions(
    journal: Journal, seed: int
) -> None:
    rng = Random(seed)
    happened: list[tuple[type[Event], tuple[Action, ...]]] = []

    def tell(event: Event, actions: tuple[Action, ...]) -> None:
        happened.append((type(event), actions))

    book, players = book_in(journal), Players(rng, resigns=0.03, doubles=0.08)
    desk = Desk.open(FIVE, book)
    while desk.table.phase is not Phase.MATCH_OVER:
        play(desk, players, most=rng.randint(50, 500), tell=tell)
        desk = Desk.resume(book)
        happened.append((Resumed, desk.put(Resumed(desk.table.t))))
    again = [(type(event), actions) for event, actions in replay_inputs(book.log.journal, NAME)]
    assert [each for each in again if each != (Ticked, ())] == [
        each for each in happened if each != (Ticked, ())
    ]


def test_a_journal_of_a_version_that_did_not_say_how_sure_it_was_goes_on_all_the_same(
    journal: Journal,
) -> None:
    desk, players = Desk.open(FIVE, book_in(journal)), Players(Random(4))
    for _ in range(6):
        play(desk, players, most=20)
        kept = LiveMatch.read(desk.book.log.journal, NAME)
        older = tuple(
            replace(event, payload={name: it for name, it in event.payload.items() if name != "probability"})
            for event in kept.events
        )
        assert standing(replace(kept, events=older).table()) == standing(desk.table)
