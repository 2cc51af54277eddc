"""A match can be built again from its record: random matches, written as JSON and read back."""

import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.rules.game.events import (
    Beavered,
    Doubled,
    DoubleNamed,
    GameAwarded,
    MatchForfeited,
    OpeningRoll,
    Passed,
    Played,
    Raccooned,
    RefusedError,
    ResignationAccepted,
    ResignationRefused,
    Resigned,
    Rolled,
    RollVoided,
    RulesEvent,
    Taken,
    TakenBack,
)
from controller.rules.game.game import Game, GamePhase
from controller.rules.game.match import Match, Terms, advance, new_match, replay
from controller.rules.game.match_record import (
    KINDS,
    MatchDataError,
    event_from_record,
    event_record,
    terms_from_record,
    terms_record,
)
from controller.rules.moves.plays import legal_plays
from controller.rules.position import PositionError, Roll, Side
from controller.rules.profile.catalogue import load_profile, profile_names
from controller.rules.profile.profile import MatchKind
from tests.amounts import amount
from tests.rows import each_row
from tests.rules.changed_profile import changed

RULES = [
    *map(load_profile, profile_names()),
    changed(
        {"opening.roll_uses": "reroll_two", "opening.next_game": "winner_starts", "resign.must_accept": True}
    ),
    changed({"cube.beaver": True, "cube.raccoon": True, "illegal.final_at": "opponent_play_complete"}),
]
TERMS = [
    *(Terms.match(rules, 7) for rules in RULES if rules.match.kind is not MatchKind.MONEY),
    *(Terms.money(rules) for rules in RULES if rules.match.kind is not MatchKind.MATCH),
    Terms.series(3, RULES[0], changed({"start.position": "longgammon"})),
]


def likely(game: Game, dice: random.Random) -> RulesEvent:
    """Something that may well happen now."""
    side = game.turn or Side.LIGHT
    match game.phase:
        case GamePhase.OPENING:
            return OpeningRoll(dice.randint(1, 6), dice.randint(1, 6))
        case GamePhase.TO_ROLL:
            return Rolled(side, Roll.from_dice(dice.randint(1, 6), dice.randint(1, 6)))
        case GamePhase.TO_PLAY:
            roll = Roll.from_dice(game.dice[0], game.dice[-1])
            chosen = dice.choice(legal_plays(game.position, side, roll, game.profile.movement))
            return Played(side, chosen.after, chosen.play if dice.random() < 0.95 else None)
        case GamePhase.TO_NAME_DOUBLE:
            return DoubleNamed(side, dice.randint(1, 6))
        case _:
            answerer = game.to_answer
            assert answerer is not None
            accept, refuse = (
                (Taken, Passed) if game.resignation is None else (ResignationAccepted, ResignationRefused)
            )
            return accept(answerer) if dice.random() < 0.8 else refuse(answerer)


def surprising(dice: random.Random) -> RulesEvent:
    """Anything at all, by anybody."""
    side = dice.choice(list(Side))
    return dice.choice(
        [
            RollVoided(side),
            TakenBack(side),
            Doubled(side),
            Beavered(side),
            Raccooned(side),
            Taken(side),
            Resigned(side, dice.randint(0, 4)),
            ResignationRefused(side),
            GameAwarded(side, dice.randint(1, 3)) if dice.random() < 0.2 else Doubled(side),
        ]
    )


def played(terms: Terms, seed: int, length: int) -> tuple[Match, list[RulesEvent]]:
    """A match in which much happens, and all the events that were possible."""
    dice = random.Random(seed)
    match = new_match(terms)
    events: list[RulesEvent] = []
    for _ in range(length):
        event = surprising(dice) if dice.random() < 0.3 else likely(match.game, dice)
        try:
            match = advance(match, event)
        except RefusedError:
            continue
        events.append(event)
        if match.winner is not None:
            break
    return match, events


@settings(max_examples=amount(15, 40), deadline=None)
@given(st.sampled_from(TERMS), st.integers(0, 2**32))
def test_a_match_is_built_again_from_its_record(terms: Terms, seed: int) -> None:
    match, events = played(terms, seed, 150)
    text = json.dumps([terms_record(terms), *map(event_record, events)])
    first, *rest = json.loads(text)
    again = replay(terms_from_record(first), map(event_from_record, rest))
    assert again == match
    assert again.game.profile.name == match.game.profile.name
    assert again.game.profile.origins == match.game.profile.origins


@settings(max_examples=amount(15, 40), deadline=None)
@given(st.sampled_from(TERMS), st.integers(0, 2**32))
def test_points_are_never_lost_and_the_cube_stays_a_power_of_two(terms: Terms, seed: int) -> None:
    match, _ = played(terms, seed, 150)
    won = [result.points for result in match.results if result.winner is Side.LIGHT]
    lost = [result.points for result in match.results if result.winner is Side.DARK]
    assert (sum(won), sum(lost)) == (match.score.light, match.score.dark)
    assert all(result.points >= 1 for result in match.results)
    assert match.game.cube.value.bit_count() == 1
    if terms.length is not None:
        assert (max(match.score.light, match.score.dark) >= terms.length) == (match.winner is not None)


def test_every_kind_of_event_has_a_name() -> None:
    assert len(KINDS) == 16
    assert event_record(Rolled(Side.LIGHT, Roll.from_dice(1, 3))) == {
        "event": "rolled",
        "side": "light",
        "roll": [3, 1],
    }
    forfeited = {"event": "match_forfeited", "loser": "dark"}
    assert event_from_record(forfeited) == MatchForfeited(Side.DARK)


@each_row(
    "record",
    [
        {},
        {"event": "danced", "side": "light"},
        {"event": "rolled", "side": "light"},
        {"event": "rolled", "side": "red", "roll": [3, 1]},
        {"event": "rolled", "side": "light", "roll": 3},
        {"event": "resigned", "side": "light", "amount": "two"},
        {"event": "taken", "side": "light", "more": 1},
        {"event": "played", "side": "light", "after": "b....E.C...eE...c.e....B..", "play": [[8, 5]]},
    ],
)
def test_a_damaged_event_is_told(record: dict[str, object]) -> None:
    with pytest.raises(MatchDataError):
        event_from_record(record)


def test_a_damaged_position_in_an_event_is_told() -> None:
    with pytest.raises(PositionError):
        event_from_record({"event": "played", "side": "light", "after": "b....E", "play": None})


@pytest.mark.parametrize(
    "damage", [{"profiles": []}, {"length": "five"}, {"form": "cup"}, {"profiles": [{}]}]
)
def test_damaged_terms_are_told(damage: dict[str, object]) -> None:
    with pytest.raises(MatchDataError):
        terms_from_record({**terms_record(TERMS[0]), **damage})
