"""A table at which a game of the family is played by the plain rules of the tests, and what is told there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf
from random import Random
from typing import Any, Final

from controller.app.filter import Filter
from controller.referee.table.settings import Settings
from controller.rules.game.game import new_game
from controller.rules.game.match import Terms
from controller.rules.position import Side
from controller.rules.profile.catalogue import load_profile
from controller.rules.profile.profile import AfterRoll, BackgammonRule, GammonRule, NextGame, RollUses
from tests.rules.family_reference import (
    GAMES,
    LETTER,
    OTHER,
    Game,
    Stacks,
    position,
    results,
    stacks,
    steps,
)

SIDES: Final = {letter: side for side, letter in LETTER.items()}
FIRST_RISING: Final = 6
"""Doubles rise after so many turns of both sides together (gul bara)."""

WAIVED: Final[dict[str, tuple[tuple[dict[str, Any], frozenset[str]], ...]]] = {
    "tavla": (({"stay_after_hit": False}, frozenset({"hit_and_run"})),),
    "fevga": (
        ({"first": ""}, frozenset({"first_checker_first"})),
        ({"primes": ""}, frozenset({"table_limit", "prime_kept"})),
    ),
    "moultezim": (
        ({"first": ""}, frozenset({"first_checker_first"})),
        ({"primes": ""}, frozenset({"table_limit"})),
    ),
    "narde": (
        ({"one_from_head": False}, frozenset({"head_limit"})),
        ({"primes": ""}, frozenset({"prime_limit"})),
    ),
    "jacquet": (
        ({"first": ""}, frozenset({"first_checker_first"})),
        ({"primes": ""}, frozenset({"prime_limit"})),
    ),
    "jacquet-hit": (({"primes": ""}, frozenset({"table_limit"})),),
}
"""The rules of each game that a player may forget, as the plain rules call them, and the reasons that name them."""


@dataclass(frozen=True)
class Cheat:
    """A play against a rule: what was done, the reasons that name it, and those given, none if unnoticed."""

    kind: str
    names: frozenset[str]
    given: frozenset[str]

    @property
    def named(self) -> bool:
        """Whether it was pointed out, with a reason that names it."""
        return bool(self.given & self.names) if self.names else bool(self.given)


@dataclass
class Sitting:
    """A match at a table.

    Attributes:
        names: the profiles of its games, in turn.
        length: how many points win.
        cheating: in how many of all rolls somebody plays against a rule, as a share.
        table: how the checkers truly lie.
        told: the lines with which the referee answered.
        failures: what it could not deal with.
        accused: the legal plays that it called illegal.
        cheats: the illegal ones.
        score: the points, by the plain rules.
        most: after how many rolls it is broken off.
    """

    names: tuple[str, ...]
    chance: Random
    length: int = 3
    table: Stacks = field(init=False)
    told: list[dict[str, Any]] = field(default_factory=list)
    t: float = 0.0
    line: int = 0
    failures: list[str] = field(default_factory=list)
    plays: int = 0
    accused: list[dict[str, Any]] = field(default_factory=list)
    cheating: float = 0.0
    cheats: "list[Cheat]" = field(default_factory=list)

    score: dict[str, int] = field(default_factory=dict)
    most: float = inf

    def __post_init__(self) -> None:
        """Nothing has been played."""
        profiles = [load_profile(name) for name in self.names]
        terms = (
            Terms.series(self.length, *profiles)
            if len(profiles) > 1
            else Terms.match(profiles[0], self.length)
        )
        self.filter = Filter(Settings(terms), complain=self.failures.append)
        self.game_number = 0

    @property
    def game(self) -> Game:
        """The plain rules of the game being played."""
        return GAMES[self.names[self.game_number % len(self.names)]]

    def tell(self, **keys: Any) -> list[dict[str, Any]]:
        """One line; the referee's answers to it."""
        self.t += 0.4
        self.line += 1
        answers = [json.loads(line) for line in self.filter.put(json.dumps({"t": self.t, **keys}), self.line)]
        self.told += answers
        return answers

    def look(self, table: Stacks, pictures: int = 3) -> list[dict[str, Any]]:
        """The board lies still, and what lies on top is seen."""
        seen = position(table).open_board().compact()
        return [answer for _ in range(pictures) for answer in self.tell(kind="seen", position=seen)]

    def roll(self, dice: tuple[int, int]) -> None:
        """The electronic dice report a roll."""
        self.tell(kind="rolled", dice=list(dice))

    def done(self) -> list[dict[str, Any]]:
        """The button."""
        return self.tell(kind="pressed", button="done")

    def two(self) -> tuple[int, int]:
        """Two dice."""
        return self.chance.randint(1, 6), self.chance.randint(1, 6)

    def match(self, most: float = inf) -> None:
        """Play games until one side has enough points, or until ``most`` rolls were played."""
        self.most = most
        starter: str | None = None
        score = {"L": 0, "D": 0}
        while max(score.values()) < self.length and self.plays < self.most:
            winner, points = self.play_game(starter)
            if winner is not None:
                score[winner] += points
            self.game_number += 1
            profile = load_profile(self.names[self.game_number % len(self.names)])
            starter = winner if profile.opening.next_game is NextGame.WINNER_STARTS else None
        self.score = {SIDES[me].value: points for me, points in score.items()}

    def play_game(self, starter: str | None) -> tuple[str | None, int]:
        """One game from its start; who won it and how many points, nobody if it was drawn."""
        self.profile = load_profile(self.names[self.game_number % len(self.names)])
        self.table = stacks(new_game(self.profile).position)
        self.look(self.table)
        dice: tuple[int, int] | None = None
        while starter is None:
            light, dark = self.two()
            self.roll((light, dark))
            if light != dark:
                starter = "L" if light > dark else "D"
                dice = None if self.profile.opening.roll_uses is RollUses.REROLL_TWO else (light, dark)
        me, self.turns = starter, 0
        while True:
            end = self.play_turn(me, dice)
            if end is not None:
                return end
            if self.plays >= self.most:
                return None, 0
            me, dice = OTHER[me], None
            self.turns += 1

    def play_turn(self, me: str, dice: tuple[int, int] | None) -> tuple[str | None, int] | None:
        """All rolls of one turn, some doubles that follow a roll in one go; how the game ended, if it did."""
        doubles_follow = self.profile.opening.after_roll is not AfterRoll.NONE
        in_one_go = doubles_follow and self.chance.random() < 0.4
        named = True
        while True:
            if dice is None:
                dice = self.two()
                self.roll(dice)
            full = can_play_all(self.game, self.table, me, max(dice), min(dice))
            follows = self.follows(dice) if named and full else None
            if in_one_go and follows is not None:
                self.table = self.chance.choice(self.ends(me, dice))
                self.plays += 1
                if (end := self.ended(me)) is not None:
                    self.show_play()
                    return end
                if not self.can_be_read(me, follows):
                    self.show_play()
            else:
                self.play_roll(me, dice, honest=in_one_go)
                if (end := self.ended(me)) is not None:
                    return end
            if follows is not None:
                named = dice[0] == dice[1]
                dice = follows
                says = not in_one_go and self.chance.random() < 0.7
                if not named and (says or not self.can_be_read(me, dice)):
                    self.tell(kind="said", what="name_double", by=SIDES[me].value, number=dice[0])
            elif not named and full:
                named, dice = True, None
            else:
                return None

    def follows(self, dice: tuple[int, int]) -> tuple[int, int] | None:
        """The double that is played after a roll that was played in full, if one is."""
        after = self.profile.opening.after_roll
        if after is AfterRoll.RISING_DOUBLES and dice[0] == dice[1] < 6 and self.turns >= FIRST_RISING:
            return dice[0] + 1, dice[0] + 1
        if after is AfterRoll.NAMED_DOUBLE and sorted(dice) == [1, 2]:
            number = self.chance.randint(1, 6)
            return number, number
        return None

    def can_be_read(self, me: str, double: tuple[int, int]) -> bool:
        """Whether the board shows a double that is named: one of which nothing can be played is to be said."""
        return self.ends(me, double) != [self.table]

    def ends(self, me: str, dice: tuple[int, int]) -> list[Stacks]:
        """Every board after a legal play of a roll."""
        return in_order(results(self.game, self.table, me, max(dice), min(dice)))

    def play_roll(self, me: str, dice: tuple[int, int], *, honest: bool) -> None:
        """One roll played, perhaps after a play against the rules."""
        ends = self.ends(me, dice)
        if not honest and self.cheating and self.chance.random() < self.cheating:
            self.cheat(me, max(dice), min(dice), set(ends))
        if not honest and len(ends) > 1 and self.chance.random() < 0.1:
            self.look(self.chance.choice(ends), 2)
        self.table = self.chance.choice(ends)
        self.plays += 1
        self.show_play()

    def show_play(self) -> None:
        """The board lies as the player leaves it, and he says that he is done."""
        self.accused += flagged([*self.look(self.table), *self.done()])

    def cheat(self, me: str, high: int, low: int, ends: set[Stacks]) -> None:
        """Play against a rule, as a player who forgets it would, and put the checkers back when told to."""
        by_kind: dict[str, list[tuple[frozenset[str], Stacks]]] = {}
        for kind, codes, wrong in self.wrong_plays(me, high, low, ends):
            by_kind.setdefault(kind, []).append((codes, wrong))
        for kind in self.chance.sample(sorted(by_kind), len(by_kind)):
            codes, wrong = self.chance.choice(by_kind[kind])
            if is_plain(self.table, wrong, ends):
                answers = [*self.look(wrong), *self.done()]
                reasons = [reason["code"] for line in flagged(answers) for reason in line["reasons"]]
                self.cheats.append(Cheat(kind, codes, frozenset(reasons)))
                self.look(self.table)
                return

    def wrong_plays(
        self, me: str, high: int, low: int, ends: set[Stacks]
    ) -> Iterator[tuple[str, frozenset[str], Stacks]]:
        """Boards after plays that break a rule: its name, the reasons that may be given for it, and the board."""
        name = self.names[self.game_number % len(self.names)]
        for waived, codes in WAIVED.get(name, ()):
            for wrong in in_order(results(replace(self.game, **waived), self.table, me, high, low) - ends):
                yield next(iter(waived)), codes, wrong
        if self.game.landing == "pin":
            for wrong in pulled_out(self.game, self.table, me, high, low):
                yield "pinned", frozenset({"pinned_moved"}), wrong
        named = self.profile.opening.after_roll is AfterRoll.NAMED_DOUBLE and (high, low) == (2, 1)
        if high != low and not named:  # with the double that he names he may come to any of these boards
            other = self.chance.choice([die for die in range(1, 7) if die not in (high, low)])
            for wrong in in_order(
                results(self.game, self.table, me, max(other, low), min(other, low)) - ends
            ):
                yield "other_roll", frozenset(), wrong

    def ended(self, me: str) -> tuple[str | None, int] | None:
        """Who won, and how many points, if the play of a side ended the game."""
        foe = OTHER[me]
        if self.profile.score.mother:
            lost = [who for who in "LD" if self.table.at(self.game.way(who)[0]).startswith(who + OTHER[who])]
            lost = [who for who in lost if self.table.at(self.game.way(who)[0]).count(who) == 1]
            if len(lost) == 2:
                return None, 0
            if lost and not self.table.at(self.game.way(OTHER[lost[0]])[0]).endswith(OTHER[lost[0]]):
                return OTHER[lost[0]], 2
        if on_table(self.table, me):
            return None
        none_off = on_table(self.table, foe) == self.game.checkers
        behind = any(foe in self.table.at(point) for point in self.game.way(me)[18:])
        triple = self.profile.score.backgammon is not BackgammonRule.NEVER
        if triple and none_off and (behind or self.table.waiting(foe)):
            return me, 3
        return me, 2 if none_off and self.profile.score.gammon is not GammonRule.NEVER else 1


def in_order(boards: set[Stacks]) -> list[Stacks]:
    """Boards in an order that is always the same."""
    return sorted(boards, key=lambda board: (board.points, board.bar, board.hand))


def flagged(answers: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The illegal plays that were pointed out."""
    return [line for line in answers if line.get("kind") == "flagged"]


def numbers(high: int, low: int) -> tuple[int, ...]:
    """The numbers to play."""
    return (high,) * 4 if high == low else (high, low)


def can_play_all(game: Game, table: Stacks, me: str, high: int, low: int) -> bool:
    """Whether every number can be played."""
    orders = {numbers(high, low), numbers(high, low)[::-1]}
    for order in orders:
        reached = {table}
        for die in order:
            double = high if high == low else 0
            reached = {after for now in reached for after in steps(game, table, now, me, die, double)}
        if reached:
            return True
    return False


def on_table(table: Stacks, me: str) -> int:
    """How many checkers of a side are not off."""
    return sum(stack.count(me) for stack in table.points) + table.waiting(me) + table.in_hand(me)


def pulled_out(game: Game, table: Stacks, me: str, high: int, low: int) -> Iterator[Stacks]:
    """Boards on which a pinned checker was moved by one number, and another one by the other."""
    way = game.way(me)
    for index, point in enumerate(way):
        stack = table.at(point)
        if stack.startswith(me) and not stack.endswith(me) and high != low and index + high < 24:
            target = way[index + high]
            if not table.at(target).endswith(OTHER[me]):
                freed = table.put(point, stack[1:]).put(target, table.at(target) + me)
                yield from steps(game, freed, freed, me, low, 0)


def is_plain(before: Stacks, wrong: Stacks, ends: set[Stacks]) -> bool:
    """Whether two places that are no high piles speak against every legal result."""
    seen = position(wrong)
    for right in (before, *ends):
        lawful = position(right)
        pairs = zip(seen.points, lawful.points, strict=True)
        bars = [(seen.bar(side), lawful.bar(side)) for side in Side]
        if sum(a != b and max(abs(a), abs(b)) < 5 for a, b in pairs) + any(a != b for a, b in bars) < 2:
            return False
    return True
