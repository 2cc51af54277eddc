"""Whether the differences that sentences why name point the way of the engine's equity, and how long one takes.

    python -m tests.bench.bench_why [--positions N] [--seed S] [--fit]

Decisions arise where gnubg plays both sides at 0 plies with a little chance. A learner's play is drawn for each: the
best of the plays after chance of 0.1 points was added to each equity, so that about half are good ones. The sentence
compares two ends of the roll.

Whether a difference that it names points the engine's way is judged without the sentence's code, table and engine: by
how another engine, bgsage, values positions around these two ends. In 140 positions one or two of the player's
checkers stand elsewhere than in one of the two ends (and now and then a checker that was hit or borne off is back on
the board). A linear model of the equity is fitted to all that can be counted in them at once: throws that hit, blots,
each made point, the longest run of points, back checkers, checkers sent and borne off, pips. The coefficient of the
difference that was named is what it is worth here if all else stays: above 0 it points the engine's way. (Such local
models are known as LIME: Ribeiro, Singh and Guestrin, 2016.) Only throws and blots are not held against each other: a
blot costs something because throws hit it.

``--fit`` prints the worths in `controller/analysis/why/worth.py`: least squares over the plays of other games, by
gnubg's equities.
"""

import argparse
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from controller.analysis.advice import advise
from controller.analysis.engine import EngineError
from controller.analysis.kept import KeptGnubg
from controller.analysis.why.explaining import Compared, PlayMade, compare, play_reason
from controller.analysis.why.facts import facts_of
from controller.analysis.why.worth import FactKind, Gain, stage_of
from controller.arrays import FloatArray
from controller.messages.catalogue import LANGUAGES
from controller.rules import Position, Roll, Side, results
from controller.rules.forms.xgid import MatchState
from controller.rules.position import START

SEED: Final = 20261127
FITTED: Final = 2
"""The seed of the games that the worths were fitted to; no figure is taken from them."""
CHANCE: Final = 0.05
"""Chance in the play of the games, in points of equity (standard deviation)."""
ERRING: Final = 0.1
"""Chance in a learner's choice."""
LONGEST: Final = 300
AROUND: Final = 140
FAR: Final = 8
"""A checker is put at most so many points away."""
NAMED: Final = 2
COLUMNS: Final = tuple(kind for kind in FactKind if kind is not FactKind.POINT)
POINT_COLUMN: Final = len(COLUMNS) + 1
"""Before those of the points stand those of the back checkers and of the pips."""
APART: Final = {FactKind.SHOTS: FactKind.BLOTS, FactKind.BLOTS: FactKind.SHOTS}
"""What is not held against what."""
WORST: Final = 0.6
"""Plays that lose more tell nothing of what differences between sensible plays are worth."""


@dataclass(frozen=True, slots=True)
class Weighed:
    """A decision: before it, whose, the roll, and the ends of all plays with what each loses, the best first."""

    before: Position
    side: Side
    roll: Roll
    plays: tuple[tuple[Position, float], ...]


def decisions(count: int, seed: int) -> Iterator[Weighed]:
    """Decisions with a choice, from games that gnubg plays against itself."""
    rng, kept, found = random.Random(seed), KeptGnubg(), 0
    try:
        while True:
            for each in _game(rng, kept):
                yield each
                found += 1
                if found == count:
                    return
    finally:
        kept.close()


def _game(rng: random.Random, kept: KeptGnubg) -> Iterator[Weighed]:
    position, side = START, rng.choice([*Side])
    for _ in range(LONGEST):
        if not all(position.pips(each) for each in Side):
            return
        roll = Roll.from_dice(rng.randint(1, 6), rng.randint(1, 6))
        if results(position, side, roll)[0] != {position.code}:
            try:
                said = advise(position, MatchState(on_roll=side, roll=roll), "gnubg", 0, kept).plays
            except EngineError:
                return
            if len(said) > 1:
                losses = tuple((each.after, said[0].equity - each.equity) for each in said)
                yield Weighed(position, side, roll, losses)
            position = max(said, key=lambda each: each.equity + rng.gauss(0, CHANCE)).after
        side = side.opponent


def chosen(asked: Weighed, rng: random.Random) -> Position:
    """What a learner plays."""
    return min(asked.plays, key=lambda each: each[1] - rng.gauss(0, ERRING))[0]


@dataclass(frozen=True, slots=True)
class Around:
    """Positions around two ends of a roll: what can be counted in each, and what each is worth."""

    counted: FloatArray
    equities: FloatArray


def points_the_way(gain: Gain, around: Around) -> bool:
    """Whether one more of what was named is worth something in these positions, if all else stays."""
    column = POINT_COLUMN + gain.point if gain.kind is FactKind.POINT else COLUMNS.index(gain.kind)
    counted = around.counted.copy()
    if gain.kind in APART:
        counted[:, COLUMNS.index(APART[gain.kind])] = 0
    spread = counted.std(axis=0)
    scaled = (counted - counted.mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    normal = scaled.T @ scaled + np.eye(counted.shape[1])
    worth = np.linalg.solve(normal, scaled.T @ (around.equities - around.equities.mean()))
    return bool(spread[column] > 0 and worth[column] > 0)


def around(found: Compared, side: Side, rng: random.Random) -> Around:
    """Positions around two ends of a roll."""
    ends = [each if side is Side.LIGHT else each.mirrored() for each in (found.better, found.other)]
    tried = [*ends, *(each for n in range(AROUND) for each in _moved(ends[n % 2], rng))]
    return Around(np.array([_counted(each) for each in tried]), _equities(tried))


def _counted(facing: Position) -> list[float]:
    """All that can be counted in a position of light's: `COLUMNS`, back checkers, pips, and the 24 points."""
    facts = facts_of(facing, Side.LIGHT)
    amounts: dict[FactKind, float] = {
        FactKind.HITS: facts.sent,
        FactKind.BEARS_OFF: facts.off,
        FactKind.SHOTS: -facts.shots,
        FactKind.PRIME: max(facts.prime, 3),
        FactKind.BLOTS: -len(facts.blots),
    }
    made = [float(point in facts.points) for point in range(1, 25)]
    return [*(amounts[kind] for kind in COLUMNS), -facts.back, -facing.pips(Side.LIGHT), *made]


def _moved(facing: Position, rng: random.Random) -> Iterator[Position]:
    """The position with a checker or two of light's elsewhere; nothing where that is none."""
    points, bar = [*facing.points], {side: facing.bar(side) for side in Side}
    for _ in range(1 if rng.random() < 0.6 else 2):
        own = [place for place in range(24) if points[place] > 0]
        if not own:
            return
        source = rng.choice(own)
        free = [n for n in range(24) if points[n] >= 0 and n != source and abs(n - source) <= FAR]
        if not free:
            return
        points[source] -= 1
        points[rng.choice(free)] += 1
    if bar[Side.DARK] and rng.random() < 0.3:
        points[rng.choice([n for n in range(24) if points[n] <= 0])] -= 1
        bar[Side.DARK] -= 1
    home = [n for n in range(6) if points[n] >= 0]
    if facing.off(Side.LIGHT) and home and rng.random() < 0.2:
        points[rng.choice(home)] += 1
    moved = Position.seen(points, bar[Side.LIGHT], bar[Side.DARK])
    if all(moved.pips(side) for side in Side):
        yield moved


def _equities(facing: Sequence[Position]) -> FloatArray:
    """What positions after light's play are worth to light, without the cube, as bgsage says."""
    import bgsage

    asked = [
        {"board": [each.bar(Side.DARK), *each.points, each.bar(Side.LIGHT)], "cube_owner": "centered"}
        for each in facing
    ]
    said = bgsage.batch_post_move_evaluate(asked, "1ply", jacoby=False, n_threads=1)
    return np.array([each.cubeless_equity for each in said])


def measure(count: int, seed: int = SEED) -> tuple[Counter[str], Counter[str], list[float]]:
    """Named differences and those that point the way, by kind; how many ms each sentence took.

    The sentences are in all languages in turn.
    """
    rng, named, right, spent = random.Random(seed), Counter[str](), Counter[str](), []
    for number, asked in enumerate(decisions(count, seed)):
        made = PlayMade(asked.before, asked.side, asked.roll, chosen(asked, rng))
        facts_of.cache_clear()
        began = time.process_time()
        said = play_reason(made, asked.plays, LANGUAGES[number % len(LANGUAGES)])
        spent.append(1000 * (time.process_time() - began))
        found = compare(made, asked.plays)
        assert said is not None
        assert found is not None
        named["sentences"] += bool(found.gains)
        if not found.gains:
            continue
        positions = around(found, asked.side, rng)
        for gain in found.gains[:NAMED]:
            named[gain.kind] += 1
            right[gain.kind] += points_the_way(gain, positions)
    return named, right, spent


def fit(count: int) -> Iterator[str]:
    """The worths of `controller/analysis/why/worth.py`, a line for each stage."""
    rows: dict[str, list[tuple[FloatArray, FloatArray]]] = {}
    for asked in decisions(count, FITTED):
        plays = [each for each in asked.plays if each[1] < WORST][:: max(1, len(asked.plays) // 16)]
        facing = [end if asked.side is Side.LIGHT else end.mirrored() for end, _ in plays]
        counted, equity = (
            np.array([_counted(each) for each in facing]),
            -np.array([loss for _, loss in plays]),
        )
        share = 1 / np.sqrt(len(plays))
        row = ((counted - counted.mean(axis=0)) * share, (equity - equity.mean()) * share)
        rows.setdefault(stage_of(asked.before, asked.side), []).append(row)
    for stage, found in rows.items():
        x, y = np.vstack([each for each, _ in found]), np.concatenate([each for _, each in found])
        worth = np.linalg.solve(x.T @ x + 2 * np.eye(x.shape[1]), x.T @ y)
        names = [*COLUMNS, "back", "pips", *range(1, 25)]
        told = " ".join(f"{name}:{value:+.4f}" for name, value in zip(names, worth, strict=True))
        yield f"{stage} ({len(found)} decisions): {told}"


def run(positions: int = 300) -> list[dict[str, Any]]:
    """The rows for `make bench`; fewer positions than the page has, so that it takes about a minute."""
    named, right, spent = measure(positions)
    facts = sum(named[kind] for kind in FactKind)
    slow = statistics.quantiles(spent, n=20)[-1]
    return [
        {
            "name": "named differences that point the engine's way",
            "value": right.total() / facts,
            "unit": "share",
            "target": 0.9,
        },
        {"name": "sentences that name one", "value": named["sentences"] / positions, "unit": "share"},
        {"name": "a sentence, p95", "value": slow, "unit": "ms", "target": 50},
    ]


def main() -> None:
    """Print the figures, or the worths."""
    options = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    options.add_argument("--positions", type=int, default=1000)
    options.add_argument("--seed", type=int, default=SEED)
    options.add_argument("--fit", action="store_true")
    asked = options.parse_args()
    if asked.fit:
        sys.stdout.writelines(f"{line}\n" for line in fit(asked.positions))
        return
    named, right, spent = measure(asked.positions, asked.seed)
    for kind in (kind for kind in FactKind if named[kind]):
        sys.stdout.write(f"{kind}: {right[kind]} of {named[kind]}, {right[kind] / named[kind]:.1%}\n")
    facts = sum(named[kind] for kind in FactKind)
    sys.stdout.write(
        f"named differences that point the engine's way: {right.total()} of {facts}, {right.total() / facts:.1%}; "
        f"sentences that name one: {named['sentences']} of {asked.positions}; "
        f"a sentence, p95: {statistics.quantiles(spent, n=20)[-1]:.1f} ms\n"
    )


if __name__ == "__main__":
    main()
