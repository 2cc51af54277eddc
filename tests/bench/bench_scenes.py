"""What the referee makes of scenes at a table, told with sharp readings and labelled by what was done in them.

By itself: ``python -m tests.bench.bench_scenes [--each N] [--kind NAME] [--hands] [--json OUT] [--verbose]`` prints a
table. Scenes are numbered from 0, and the same number always is the same scene.
"""

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table

from tests.bench.reliability import rows_of_calibration
from tests.scenes.catalogue import CHEATING_GROUPS, GROUPS, HONEST_GROUPS
from tests.scenes.kinds import Kind
from tests.scenes.playing import Answers, told_in_process, told_to_command
from tests.scenes.scoring import Outcome, Tally, Verdict, score
from tests.scenes.stage import Scene

EACH: Final = 3
"""Scenes of each kind where all benchmarks are run."""
HONEST_VERDICTS: Final = (Verdict.RIGHT, Verdict.ASKED, Verdict.LOST, Verdict.WRONG, Verdict.ACCUSED)
CHEATING_VERDICTS: Final = (Verdict.NAMED, Verdict.OTHER_NAME, Verdict.ASKED, Verdict.SILENT)
BESIDE: Final = ("honest side accused", "play invented", "the same, with a doubt", "board misplaced")
Teller = Callable[[Scene], Answers]
Report = Callable[[Kind, int, Outcome], None]


@dataclass(frozen=True, slots=True)
class Found:
    """What became of the scenes of each kind, by its heading."""

    tallies: Mapping[str, Mapping[Kind, Tally]]

    def of(self, headings: Iterable[str], chosen: Callable[[Kind], bool] = lambda _: True) -> Tally:
        """All scenes of the chosen kinds under these headings, as one."""
        return Tally(
            tuple(
                outcome
                for heading in headings
                for kind, tally in self.tallies.get(heading, {}).items()
                if chosen(kind)
                for outcome in tally.outcomes
            )
        )

    @property
    def all(self) -> Tally:
        """All scenes."""
        return self.of(GROUPS)


def run(each: int = EACH) -> list[dict[str, Any]]:
    """Rows of name, value, unit and target."""
    without = look(each, lambda scene: told_in_process(scene))
    knowing = look(each, lambda scene: told_in_process(scene, hands=True), lambda kind: kind.needs_hands)
    return [*rows_of(without), *_rows_with_hands(knowing)]


def look(
    each: int,
    tell: Teller,
    chosen: Callable[[Kind], bool] = lambda _: True,
    report: Report | None = None,
) -> Found:
    """So many scenes of each chosen kind."""
    tallies: dict[str, dict[Kind, Tally]] = {}
    for heading, group in GROUPS.items():
        for kind in filter(chosen, group.kinds.values()):
            outcomes = []
            for seed in range(each):
                scene = kind.scene(seed)
                outcomes.append(score(scene, tell(scene)))
                if report is not None:
                    report(kind, seed, outcomes[-1])
            tallies.setdefault(heading, {})[kind] = Tally(tuple(outcomes))
    return Found(tallies)


def rows_of(found: Found) -> list[dict[str, Any]]:
    """The totals as rows."""
    honest = found.of(HONEST_GROUPS)
    due = found.of(HONEST_GROUPS, lambda kind: kind.question_due)
    nameable = found.of(CHEATING_GROUPS, lambda kind: not kind.needs_hands)
    right, rightly_asked = honest.verdicts[Verdict.RIGHT], due.verdicts[Verdict.ASKED]
    return [
        _row("honest scenes right, nobody asked", _percent(right, honest), f"% of {_count(honest)}", None),
        _row("the same, or asked where that is due", _percent(right + rightly_asked, honest), "%", 95),
        _row("honest scenes in which somebody is accused", honest.honest_accused, "", 0),
        _row("cheats named that need no hands", _named(nameable), f"% of {_count(nameable)}", 92),
        _row("of these nobody notices", nameable.verdicts[Verdict.SILENT], "", 0),
        _row(
            "cheats after which somebody honest is accused", found.of(CHEATING_GROUPS).honest_accused, "", 0
        ),
        _row(
            "scenes in whose record a legal play stands as certain that nobody made",
            found.all.invented,
            "",
            0,
        ),
        _row("the same with a doubt beside it", found.all.invented_unsure, "", 0),
        _row(
            "scenes in whose record a true play stands with another board",
            found.all.misplaced,
            "",
            0,
        ),
        *rows_of_calibration("scenes", [each for one in found.all.outcomes for each in one.stated]),
    ]


def _rows_with_hands(found: Found) -> list[dict[str, Any]]:
    told = found.of(CHEATING_GROUPS)
    return [
        _row(
            "cheats named that need hands, told whose hand it was", _named(told), f"% of {_count(told)}", 85
        ),
        _row("of these nobody notices", told.verdicts[Verdict.SILENT], "", 0),
    ]


def _row(name: str, value: float, unit: str, target: float | None) -> dict[str, Any]:
    return {"name": name, "value": value, "unit": unit, "target": target}


def _count(tally: Tally) -> int:
    return len(tally.outcomes)


def _percent(part: int, tally: Tally) -> float:
    return round(100 * part / max(1, _count(tally)), 1)


def _named(tally: Tally) -> float:
    return _percent(tally.verdicts[Verdict.NAMED], tally)


def tables_of(found: Found) -> Iterator[Table]:
    """What became of each kind, a table for each heading."""
    for heading, tallies in found.tallies.items():
        honest = heading in HONEST_GROUPS
        verdicts = HONEST_VERDICTS if honest else CHEATING_VERDICTS
        table = Table(heading, *verdicts, *(BESIDE[1:] if honest else BESIDE))
        for kind, tally in tallies.items():
            table.add_row(
                f"{kind.name}{' (needs hands)' if kind.needs_hands else ''}", *_cells(tally, verdicts, honest)
            )
        total = found.of([heading])
        table.add_section()
        table.add_row(f"all {_count(total)}", *_cells(total, verdicts, honest))
        yield table


def _cells(tally: Tally, verdicts: tuple[Verdict, ...], honest: bool) -> list[str]:
    counts: Counter[Verdict] = tally.verdicts
    beside = [tally.honest_accused, tally.invented, tally.invented_unsure, tally.misplaced][honest:]
    return [str(count or "") for count in (*(counts[verdict] for verdict in verdicts), *beside)]


def show(scene: Scene, answers: Answers) -> Iterator[str]:
    """A scene line by line, `>` what the referee is told and `<` what it answers, and then what was done."""
    given = [(line["t"], 0, f"> {json.dumps(dict(line))}") for line in scene.lines]
    answered = [(line["t"], 1, f"< {json.dumps(dict(line))}") for line in answers]
    yield f"{scene.kind}, {scene.seed}: {scene.position.compact()}, {scene.on_roll} to roll, clock: {scene.clock}"
    yield from (text for _, _, text in sorted([*given, *answered], key=lambda line: line[:2]))
    for number, ply in enumerate(scene.plies):
        yield f"ply {number}: {ply.side} {ply.dice} {ply.after.compact()}{'' if ply.legal else ' illegal'}"
    yield f"the cube: {[*scene.acts]}; against the rules: {scene.deed}"


def main() -> None:
    """Print a table of the kinds, and the totals."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--each", type=int, default=8, help="scenes of each kind")
    parser.add_argument("--kind", default="", help="only kinds whose name has this in it")
    parser.add_argument(
        "--hands", action="store_true", help="tell the referee whose hands were over the board"
    )
    parser.add_argument(
        "--command", action="store_true", help="ask `pointsman referee` as a process, which is slower"
    )
    parser.add_argument("--json", type=Path, help="write what became of each scene into this file")
    parser.add_argument("--verbose", action="store_true", help="say what speaks for each verdict")
    parser.add_argument(
        "--show", type=int, metavar="NUMBER", help="print all lines of this scene of the kind instead"
    )
    given = parser.parse_args()
    teller = told_to_command if given.command else told_in_process
    lines: list[dict[str, Any]] = []

    def chosen(kind: Kind) -> bool:
        return given.kind in kind.name

    def tell(scene: Scene) -> Answers:
        return teller(scene, hands=given.hands)

    def report(kind: Kind, seed: int, outcome: Outcome) -> None:
        lines.append({"kind": kind.name, "seed": seed, **_plain(outcome)})
        if given.verbose:
            print(f"{kind.name}, {seed}: {outcome.verdict}", *outcome.why, sep="\n    ", flush=True)

    if given.show is not None:
        for group in GROUPS.values():
            for kind in filter(chosen, group.kinds.values()):
                scene = kind.scene(given.show)
                answers = tell(scene)
                print(*show(scene, answers), *score(scene, answers).why, sep="\n")
        return
    found = look(given.each, tell, chosen, report)
    console = Console(width=150)
    for table in tables_of(found):
        console.print(table)
    for row in rows_of(found):
        print(f"{row['name']}: {row['value']} {row['unit']}")
    if given.hands:
        for row in _rows_with_hands(Found(_needing_hands(found))):
            print(f"{row['name']}: {row['value']} {row['unit']}")
    if given.json:
        given.json.write_text(json.dumps(lines, indent=1) + "\n")


def _needing_hands(found: Found) -> dict[str, dict[Kind, Tally]]:
    return {
        heading: {kind: tally for kind, tally in tallies.items() if kind.needs_hands}
        for heading, tallies in found.tallies.items()
    }


def _plain(outcome: Outcome) -> dict[str, Any]:
    return {
        "verdict": str(outcome.verdict),
        "honest_accused": outcome.honest_accused,
        "invented": outcome.invented,
        "invented_unsure": outcome.invented_unsure,
        "misplaced": outcome.misplaced,
        "why": list(outcome.why),
    }


if __name__ == "__main__":
    main()
