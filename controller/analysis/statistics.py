"""Figures over many matches: whether the dice were fair, how long players took, who won how much."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from controller.analysis.fairness import evenness
from controller.record import MatchRecord
from controller.record.match.match import GameRecord, Turn
from controller.rules import Side

FEW: Final = 60
"""Dice below which nothing can be said: ten of each number would be expected."""


@dataclass(frozen=True, slots=True)
class DiceCounts:
    """How often each number came up.

    Attributes:
        counts: of the numbers 1 to 6.
        doubles: rolls of two equal numbers, of `rolls` in all.
        chance: how likely fair dice would be at least as uneven (Pearson's chi-squared test, five degrees of
            freedom); `None` with too few dice to tell.
        doubles_chance: the same for the number of doubles against one in six (one degree of freedom).
    """

    counts: tuple[int, ...]
    doubles: int
    rolls: int
    chance: float | None
    doubles_chance: float | None


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """One player over all matches.

    Attributes:
        name: as it is spelt in the records.
        matches: matches that were played to their end; `won` of them.
        games: games with a result; `games_won` of them, and `points` won in them.
        illegal: illegal plays, those that were put right among them, in `turns` turns.
        mean_s: seconds from the end of the opponent's turn to the end of the own one, mean and `median_s`;
            `None` where no times are known.
        dice: the player's rolls.
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
    dice: DiceCounts


def dice_of(turns: Iterable[Turn]) -> DiceCounts:
    """How often each number came up in these turns."""
    rolls = [turn.roll for turn in turns]
    seen = Counter(die for roll in rolls for die in roll.dice)
    counts = tuple(seen[number] for number in range(1, 7))
    doubles = sum(roll.is_double for roll in rolls)
    few = 2 * len(rolls) < FEW
    chance = None if few else evenness("numbers", counts, [1] * 6).p
    doubles_chance = None if few else evenness("doubles", (doubles, len(rolls) - doubles), [1, 5]).p
    return DiceCounts(counts, doubles, len(rolls), chance, doubles_chance)


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
    rolled = [turn for match, side in where for turn in rolls_of([match]) if turn.player is side]
    return PlayerStatistics(
        name,
        len(over),
        sum(over),
        len(results),
        sum(result.winner is side for result, side in results),
        sum(result.points for result, side in results if result.winner is side),
        sum(not turn.legal for turn in own),
        sum(1 for game, side in games for turn in game.played if turn.player is side),
        fmean(times) if times else None,
        median(times) if times else None,
        dice_of(rolled),
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
