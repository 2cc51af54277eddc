"""Whatever two people at two linked tables do, and whatever becomes of the line, both tables have one match."""

from dataclasses import replace
from typing import Final

import pytest

from controller.referee.actions import Flagged, TurnJudged
from controller.referee.table.settings import DiceFrom, Settings
from controller.rules import Terms, load_profile
from controller.rules.profile.conduct import Consent, IllegalPolicy
from tests.amounts import amount
from tests.partner.far_people import FarPair, FarPerson

STANDARD: Final = load_profile("standard-match")
CHOICE: Final = replace(
    STANDARD,
    conduct=replace(
        STANDARD.conduct, illegal_policy=IllegalPolicy.CONDONE_OPTION, device_consent=Consent.GIVEN
    ),
)
MATCH: Final = Settings(Terms.match(STANDARD, 3))
TABLES: Final = {
    "dice": MATCH,
    "clock": replace(MATCH, clock=True),
    "camera": replace(MATCH, dice=DiceFrom.CAMERA),
    "teaching": Settings(Terms.match(load_profile("teaching"), 3)),
    "money": Settings(Terms.money(load_profile("standard-money"))),
}
EVENINGS, STEPS = amount(6, 12), 15
ODD: Final = 0.35


def play(pair: FarPair) -> None:
    """An evening; every now and then nothing odd is done for a while, and both tables must have come to the same."""
    for _ in range(EVENINGS):
        for _ in range(STEPS):
            pair.step(ODD)
        assert pair.settle(), pair.done
        one, other = (each.table for each in pair.people)
        assert one.match == replace(other.match, game=replace(other.match.game, undo=one.match.game.undo)), (
            pair.done
        )
        assert one.ply == other.ply, pair.done
        assert pair.people[0].record() == pair.people[1].record(), pair.done
        if pair.over:
            return


def told_otherwise(person: FarPerson) -> list[TurnJudged]:
    """The plays of the person here that the record has as something that they did not mean."""
    told = (each for each in person.actions if isinstance(each, TurnJudged) and each.side is person.own)
    meant = {(ply, roll, before, end) for (_, ply, roll, before), end in person.meant.items()}
    moved = (each for each in told if each.after != each.before and each.legal is not None)
    return [each for each in moved if (each.ply, each.roll, each.before, each.after) not in meant]


@pytest.mark.parametrize("seed", range(amount(3, 300)))
@pytest.mark.parametrize("settings", TABLES.values(), ids=TABLES)
def test_nobody_is_accused_and_both_tables_record_the_plays_that_were_made(
    settings: Settings, seed: int
) -> None:
    pair = FarPair(settings, seed)
    play(pair)
    for person in pair.people:
        assert not person.of(Flagged), pair.done
        assert not told_otherwise(person), pair.done


@pytest.mark.parametrize("seed", range(amount(3, 300)))
@pytest.mark.parametrize(
    "settings", [replace(MATCH, consent=True), Settings(Terms.match(CHOICE, 3))], ids=["put right", "choice"]
)
def test_an_illegal_play_is_the_same_at_both_tables(settings: Settings, seed: int) -> None:
    play(FarPair(settings, seed, cheats=True))
