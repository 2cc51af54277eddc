"""Figures over many matches: whether the dice were fair, how long players took, who won how much."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist, fmean, median
from typing import Final, Literal

from controller.analysis.fairness import SUSPICIOUS, Audit, audit, compare
from controller.record import MatchRecord
from controller.record.match.match import GameRecord, Turn
from controller.rules import Side

KINDS: Final = ("all", "table", "player")
"""The kinds of sets of rolls, in the order in which they are listed."""


@dataclass(frozen=True, slots=True)
class DiceSet:
    """Rolls that are tested together.

    Attributes:
        kind: all rolls, those of a table, or those of a player, of that `name`.
        audit: what they show.
        p: how often fair dice look so uneven, all sets considered that are compared; `None` with too few rolls.
    """

    kind: Literal["all", "table", "player"]
    name: str
    audit: Audit
    p: float | None

    @property
    def suspicious(self) -> bool:
        """Whether somebody should look at these dice."""
        return self.p is not None and self.p < SUSPICIOUS


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player over all matches.

    Attributes:
        name: as it is spelt in the records.
        matches: matches that were played to their end; `won` of them.
        games: games with a result; `games_won` of them, and `points` won in them.
        illegal: illegal plays, those that were put right among them, in `turns` turns.
        unconfirmed: turns among them that nobody confirmed; none of them counts as illegal.
        mean_s: seconds from the end of the opponent's turn to the end of the own one, mean and `median_s`;
            `None` where no times are known.
    """

    name: str
    matches: int
    won: int
    games: int
    games_won: int
    points: int
    illegal: int
    turns: int
    mean_s: float | None
    median_s: float | None
    unconfirmed: int = 0

    @property
    def share(self) -> tuple[float, float] | None:
        """Where the true share of games won lies with 95 % certainty (Wilson 1927); None without games."""
        if not self.games:
            return None
        won, z = self.games_won / self.games, NormalDist().inv_cdf(0.975)
        middle = won + z * z / (2 * self.games)
        reach = z * sqrt(won * (1 - won) / self.games + (z / (2 * self.games)) ** 2)
        whole = 1 + z * z / self.games
        return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def dice_sets(matches: Sequence[MatchRecord]) -> tuple[DiceSet, ...]:
    """All rolls, those of each table and those of each player, each tested once and compared with each other."""
    named: dict[tuple[Literal["all", "table", "player"], str], list[tuple[int, int]]] = {("all", ""): []}
    for match in matches:
        for turn in rolls_of([match]):
            pair = (turn.roll.high, turn.roll.low)
            named["all", ""].append(pair)
            if match.facts.table:
                named.setdefault(("table", match.facts.table), []).append(pair)
            if match.name(turn.player):
                named.setdefault(("player", match.name(turn.player)), []).append(pair)
    listed = sorted(named, key=lambda each: (KINDS.index(each[0]), each[1]))
    audits = [audit(named[each]) for each in listed]
    chances = compare([each.p for each in audits])
    return tuple(
        DiceSet(kind, name, found, p) for (kind, name), found, p in zip(listed, audits, chances, strict=True)
    )


def rolls_of(matches: Iterable[MatchRecord]) -> Iterator[Turn]:
    """The turns whose rolls count, once each; the first of a game is left out: its roll is never a double."""
    for match in matches:
        for game in match.games:
            yield from list(game.played)[1:]


def players_of(matches: Iterable[MatchRecord]) -> tuple[PlayerStatistics, ...]:
    """Every player with a name, those with most points first."""
    played: dict[str, list[tuple[MatchRecord, Side]]] = {}
    for match in matches:
        for side in Side:
            if match.name(side):
                played.setdefault(match.name(side), []).append((match, side))
    found = (_player(name, where) for name, where in played.items())
    return tuple(sorted(found, key=lambda player: (-player.points, player.name)))


def _player(name: str, where: list[tuple[MatchRecord, Side]]) -> PlayerStatistics:
    games = [(game, side) for match, side in where for game in match.games]
    results = [(game.result, side) for game, side in games if game.result is not None]
    own = [turn for game, side in games for turn in game.turns if turn.player is side]
    times = [spent for game, side in games for turn, spent in times_of(game) if turn.player is side]
    over = [side is winner for match, side in where if (winner := _winner(match)) is not None]
    return PlayerStatistics(
        name,
        len(over),
        sum(over),
        games=len(results),
        games_won=sum(result.winner is side and not result.is_drawn for result, side in results),
        points=sum(result.points for result, side in results if result.winner is side),
        illegal=sum(turn.legal is False for turn in own),
        turns=sum(1 for game, side in games for turn in game.played if turn.player is side),
        mean_s=fmean(times) if times else None,
        median_s=median(times) if times else None,
        unconfirmed=sum(
            turn.legal is None for game, side in games for turn in game.played if turn.player is side
        ),
    )


def times_of(game: GameRecord) -> Iterator[tuple[Turn, float]]:
    """How many seconds turns took, from the end of the turn before; none where a clock was not running."""
    ended: float | None = None
    for turn in game.played:
        if turn.t is not None and ended is not None and turn.t >= ended:
            yield turn, turn.t - ended
        ended = turn.t


def _winner(match: MatchRecord) -> Side | None:
    """Who won a match, `None` for a money session and a match that is not over."""
    if not match.length or not match.games:
        return None
    last = match.games[-1]
    if last.result is None:
        return None
    points = last.score(last.result.winner) + last.result.points
    return last.result.winner if points >= match.length else None
