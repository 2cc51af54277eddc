"""Random matches in any game of the family, played by the rules core and recorded as a table does."""

import random

from controller.record.match.match import Act, Entry, Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.rules import Terms, advance, format_play, judge, new_match, play_between, results
from controller.rules.game.events import DoubleNamed, OpeningRoll, Played, Rolled
from controller.rules.game.game import GamePhase
from controller.rules.position import Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import Profile

FOREIGN = (
    *("plakoto", "fevga", "moultezim", "narde", "gul-bara", "jacquet", "jacquet-hit"),
    "acey-deucey",
)
"""Profiles of games that no backgammon program knows."""
FAMILY = ("portes", "tavla", "nackgammon", "longgammon", "hypergammon", *FOREIGN)


def family_match(seed: int, *profiles: str, games: int = 1, illegal: float = 0.0) -> MatchRecord:
    """A series of games of these profiles in turn, each played to its end."""
    chance = random.Random(seed)
    terms = Terms.series(25, *map(load_profile, profiles))
    match = new_match(terms)
    played = []
    for _ in range(games):
        score, start, entries = match.score, match.game.position, list[Entry]()
        done, ply = len(match.results), 0
        while len(match.results) == done:
            game = match.game
            side = game.turn
            if side is None:
                opening = OpeningRoll(chance.randint(1, 6), chance.randint(1, 6))
                match = advance(match, opening)
                entries.append(Act(opening))
            elif game.phase is GamePhase.TO_NAME_DOUBLE:
                named = DoubleNamed(side, chance.randint(1, 6))
                match = advance(match, named)
                entries.append(Act(named))
            elif not game.dice:
                match = advance(
                    match, Rolled(side, Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6)))
                )
            else:
                turn = _turn(
                    chance, ply, game.position, side, Roll.from_dice(*game.dice), game.profile, illegal
                )
                match = advance(match, Played(side, turn.after, turn.play))
                entries.append(turn)
                ply += 1
        result = RecordedResult.from_result(match.results[-1])
        played.append(GameRecord(tuple(entries), start, score.light, score.dark, result))
    return MatchRecord("Anna", "Béla", terms, tuple(played), Facts(place="Szeged"))


def _turn(
    chance: random.Random,
    ply: int,
    before: Position,
    side: Side,
    roll: Roll,
    profile: Profile,
    illegal: float,
) -> Turn:
    """A turn that counts, now and then an illegal play left standing."""
    rules = profile.movement
    found, _ = results(before, side, roll, rules)
    if chance.random() < illegal:
        other = Roll.from_dice(chance.randint(1, 6), chance.randint(1, 6))
        wrong = Position(chance.choice(sorted(results(before, side, other, rules)[0])))
        if wrong.code not in found:
            reasons = judge(before, side, roll, wrong, rules).reasons
            return Turn(ply, side, roll, None, "illegal play", False, reasons, True, before, wrong)
    after = Position(chance.choice(sorted(found)))
    play = play_between(before, side, roll, after, rules)
    return Turn(ply, side, roll, play, format_play(play or ()), True, (), False, before, after)
