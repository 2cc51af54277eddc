"""Random whole matches, played by the rules core: cubes, resignations, dances, illegal plays, every ending."""

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Final

from controller.record.match.match import Act, Entry, Facts, GameRecord, MatchRecord, RecordedResult, Turn
from controller.rules.game.events import (
    Beavered,
    Doubled,
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
)
from controller.rules.game.game import GamePhase
from controller.rules.game.hit_log import HitLog
from controller.rules.game.match import Match, Terms, advance, new_match
from controller.rules.judging.judge import judge
from controller.rules.moves.plays import is_result, play_between, results
from controller.rules.notation import format_play
from controller.rules.position import CHECKERS, Position, Roll, Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import Profile

MIDDLE: Final = Position.from_compact("A.c.bBBB..a.AaaC..bAb.BaAa")
"""A position from the middle of a game, with a checker of each side on the bar."""
NAMES: Final = ("Anna Kovács", "Béla", "Šimečková: Žofia", "", "O'Neil Jr.", "中文", "Game 7", "a  b")


@dataclass(frozen=True)
class Habits:
    """How often things happen, per turn unless it says otherwise."""

    double: float = 0.15
    beaver: float = 0.4
    resign: float = 0.03
    illegal: float = 0.0
    corrected: float = 0.0
    told_anew: float = 0.0
    void: float = 0.0
    award: float = 0.0
    broken_off: float = 0.0
    forfeit: float = 0.0
    longest: int = 60
    start: Position | None = None
    clock: bool = True
    answers: Mapping[str, float] = field(default_factory=lambda: {"take": 0.7})


class Table:
    """One match being played and written down."""

    def __init__(self, rng: random.Random, terms: Terms, habits: Habits) -> None:
        self.rng, self.habits = rng, habits
        self.match: Match = new_match(terms)
        self.games: list[GameRecord] = []
        self.entries: list[Entry] = []
        self.ply = 0
        self.t = 0.0

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def now(self) -> float | None:
        self.t += self.rng.randint(1, 30_000) / 1000
        return round(self.t, 3) if self.habits.clock else None

    def act(self, event: RulesEvent) -> None:
        """Do it if the rules allow it, and write it down."""
        match = advance(self.match, event)
        self.entries.append(Act(event, self.now()))
        self.match = match

    def attempt(self, event: RulesEvent) -> bool:
        try:
            self.act(event)
        except RefusedError:
            return False
        return True

    def roll(self) -> Roll:
        return Roll.from_dice(self.rng.randint(1, 6), self.rng.randint(1, 6))

    def play_match(self, games: int) -> None:
        for number in range(games):
            if self.match.winner is not None:
                break
            self.play_game(first=number == 0)

    def play_game(self, *, first: bool) -> None:
        before, finished = self.match, len(self.match.results)
        self.entries, self.ply = [], 0
        if first and self.habits.start is not None:
            start = self.habits.start
            game = replace(
                before.game, position=start, hits=HitLog.at_start(start), turn=self.rng.choice(list(Side))
            )
            self.match = replace(before, game=game)
        start = self.match.game.position
        broken = self.chance(self.habits.broken_off)
        while len(self.match.results) == finished and self.match.winner is None:
            if self.ply >= self.habits.longest:
                break
            if broken and self.ply and self.chance(0.1):
                break
            self.step()
        result = None
        if len(self.match.results) > finished:
            result = RecordedResult.from_result(self.match.results[-1])
        elif self.match.winner is None:
            score, crawford = before.score, before.crawford
            self.match = replace(before, score=score, crawford=crawford)
        score = before.score
        self.games.append(GameRecord(tuple(self.entries), start, score.light, score.dark, result))

    def step(self) -> None:
        game, habits = self.match.game, self.habits
        side = game.to_answer or game.turn
        if game.phase is GamePhase.OPENING:
            self.act(OpeningRoll(self.rng.randint(1, 6), self.rng.randint(1, 6)))
            return
        assert side is not None
        if game.phase is GamePhase.CUBE_OFFERED:
            self.answer_cube(side)
        elif game.phase is GamePhase.RESIGNATION_OFFERED:
            refuses = self.chance(0.3) and self.attempt(ResignationRefused(side))
            if not refuses:
                self.act(ResignationAccepted(side))
        elif self.ply and self.chance(habits.award):
            self.act(GameAwarded(self.rng.choice(list(Side)), self.rng.randint(1, 3) * game.cube.value))
        elif self.ply and self.chance(habits.forfeit) and self.match.terms.length:
            self.act(MatchForfeited(side))
        elif self.ply and self.chance(habits.resign):
            self.resign(side)
        elif game.phase is GamePhase.TO_ROLL and self.chance(habits.double) and self.attempt(Doubled(side)):
            return
        else:
            self.turn(side)

    def answer_cube(self, side: Side) -> None:
        raised = self.chance(self.habits.beaver) and (
            self.attempt(Beavered(side)) or self.attempt(Raccooned(side))
        )
        if raised:
            return
        if self.chance(1 - self.habits.answers["take"]) and self.attempt(Passed(side)):
            return
        self.act(Taken(side))

    def resign(self, side: Side) -> None:
        if self.match.game.phase is GamePhase.TO_ROLL and self.chance(0.5):
            self.act(Rolled(side, self.roll()))
        self.act(Resigned(self.rng.choice(list(Side)), self.rng.randint(1, 3)))

    def turn(self, side: Side) -> None:
        game, habits = self.match.game, self.habits
        if not game.dice and self.chance(habits.void):
            self.act(Rolled(side, self.roll()))
            self.act(RollVoided(side))
        roll = Roll.from_dice(*game.dice) if game.dice else self.roll()
        before = game.position
        if self.chance(habits.illegal + habits.corrected):
            wrong = self.wrong_result(before, side, roll)
            stands = self.chance(habits.illegal / (habits.illegal + habits.corrected))
            if wrong is not None and stands:
                self.write(self.misplayed(side, roll, before, wrong, stands=True))
                return
            if wrong is not None:
                self.entries.append(self.misplayed(side, roll, before, wrong, stands=False))
        legal = sorted(results(before, side, roll, game.profile.movement)[0])
        chosen = self.rng.choice(legal)
        if len(legal) > 1 and self.chance(habits.told_anew):
            other = self.rng.choice([code for code in legal if code != chosen])
            self.entries.append(self.played(side, roll, before, Position(other)))
        self.write(self.played(side, roll, before, Position(chosen)))

    def write(self, turn: Turn) -> None:
        match = self.match
        if not match.game.dice:
            match = advance(match, Rolled(turn.player, turn.roll))
        self.match = advance(match, Played(turn.player, turn.after, turn.play))
        self.entries.append(turn)
        self.ply += 1

    def wrong_result(self, before: Position, side: Side, roll: Roll) -> Position | None:
        """What another roll would have allowed, and neither these rules nor the standard ones allow now."""
        rules = self.match.game.profile.movement
        wrong = Position(self.rng.choice(sorted(results(before, side, self.roll())[0])))
        legal = is_result(before, side, roll, wrong, rules) or is_result(before, side, roll, wrong)
        return None if legal or wrong.off(side) == CHECKERS else wrong

    def played(self, side: Side, roll: Roll, before: Position, after: Position) -> Turn:
        play = play_between(before, side, roll, after, self.match.game.profile.movement)
        text = format_play(play or ())
        return Turn(self.ply, side, roll, play or (), text, True, (), False, before, after, None, self.now())

    def misplayed(self, side: Side, roll: Roll, before: Position, after: Position, *, stands: bool) -> Turn:
        reasons = judge(before, side, roll, after, self.match.game.profile.movement).reasons
        return Turn(self.ply, side, roll, None, "8/5 ?", False, reasons, stands, before, after, 7, self.now())


def simulated(
    seed: int, profile: str | Profile, length: int, habits: Habits, *, games: int = 3
) -> MatchRecord:
    """A match to ``length`` points, or ``games`` money games for 0, repeatable by its seed."""
    rng = random.Random(seed)
    rules = load_profile(profile) if isinstance(profile, str) else profile
    terms = Terms.match(rules, length) if length else Terms.money(rules)
    table = Table(rng, terms, habits)
    table.play_match(99 if length else games)
    facts = Facts(date(2026, 11, 1 + seed % 28), "Tallinn", "Spring: open", "Final", "Table 4", "Pointsman")
    light, dark = rng.sample(NAMES, 2)
    return MatchRecord(light, dark, terms, tuple(table.games), facts if seed % 3 else Facts())
